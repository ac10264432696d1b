"""The pins of a Raspberry Pi's header and of a Pico: number on the board, and what it is."""

PI_POWER = {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"}
PI_GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
PI_PIN = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The place on the 40-pin header of every GPIO, by its BCM number."""

PI_ID = (0, 1)
PI_I2C = {2: "SDA", 3: "SCL"}
PI_UART = {14: "TXD", 15: "RXD"}

PICO_GROUND = (3, 8, 13, 18, 23, 28, 38)
PICO_PIN = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16,
    13: 17, 14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31,
    27: 32, 28: 34,
}  # fmt: skip
"""The place on the Pico's edge of every GP pin."""

PICO_POWER = {36: "3V3", 39: "VSYS", 40: "VBUS"}


def pi_label(pin: int) -> str:
    """What a pin of the Pi's header is called on pin-out cards."""
    if pin in PI_POWER:
        return PI_POWER[pin]
    if pin in PI_GROUND:
        return "GND"
    return f"GPIO {_bcm(PI_PIN, pin)}"


def pico_label(pin: int) -> str:
    """What a pin of the Pico is called on its underside."""
    if pin in PICO_POWER:
        return PICO_POWER[pin]
    if pin in PICO_GROUND:
        return "GND"
    return f"GP{_bcm(PICO_PIN, pin)}"


def _bcm(pins: dict[int, int], wanted: int) -> int:
    return next(bcm for bcm, pin in pins.items() if pin == wanted)
