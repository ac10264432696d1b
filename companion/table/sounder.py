"""Buzzer and two status lights on the Pi's pins."""

import asyncio
from typing import Any


class GpioSounder:
    """A `Sounder`: a passive piezo buzzer and the lamps `good` and `bad`; each may be missing."""

    def __init__(
        self,
        factory: Any,
        buzzer: int | None = None,
        good: int | None = None,
        bad: int | None = None,
        *,
        volume: float,
    ) -> None:
        from gpiozero import LED, PWMOutputDevice

        self._full = volume / 2  # a square wave is loudest when half of it is on
        self._volume = self._full
        self._timer: asyncio.TimerHandle | None = None
        self._buzzer: Any = None
        if buzzer is not None:
            self._buzzer = PWMOutputDevice(buzzer, pin_factory=factory)
            self._silence()
        self._lamps = {
            name: LED(pin, pin_factory=factory)
            for name, pin in (("good", good), ("bad", bad))
            if pin is not None
        }

    def play(self, pattern: tuple[tuple[float, float], ...]) -> None:
        """Play tones given as (hertz, seconds), 0 hertz being a rest; a new one replaces it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._buzzer is not None:
            self._next(tuple(pattern))

    def volume(self, share: float) -> None:
        """How loud tones are from now on, from 0 to 1."""
        if not 0 <= share <= 1:
            raise ValueError(f"the volume goes from 0 to 1, not {share}")
        self._volume = self._full * share

    def lamp(self, name: str, on: bool) -> None:
        """Switch a status light; one that is not wired is ignored."""
        if name not in ("good", "bad"):
            raise ValueError(f"there is no lamp {name!r}, only good and bad")
        if name in self._lamps:
            self._lamps[name].value = on

    def close(self) -> None:
        """Be silent and dark; may be called twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._buzzer is not None:
            self._silence()
            self._buzzer.close()
            self._buzzer = None
        for lamp in self._lamps.values():
            lamp.close()
        self._lamps = {}

    def _next(self, rest: tuple[tuple[float, float], ...]) -> None:
        if not rest:
            self._timer = None
            self._silence()
            return
        (hertz, seconds), *later = rest
        if hertz > 0:
            self._buzzer.frequency = hertz
            self._buzzer.value = self._volume
        else:
            self._silence()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._next, tuple(later))

    def _silence(self) -> None:
        """Duty first, then the wave: the pin is left low, and no wave costs any time."""
        if self._buzzer.frequency is not None:
            self._buzzer.value = 0
            self._buzzer.frequency = None
