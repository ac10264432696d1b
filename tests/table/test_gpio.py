"""Buttons, roll button, buzzer and lamps on gpiozero's mock pins: the pins are driven."""

import asyncio
import threading
from collections import Counter

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from companion.events import Event, Pressed, Rolled, Rolling
from companion.table.buttons import BoxButtons, RollButton
from companion.table.die import draw
from companion.table.sim import SimBoard, SimDie
from companion.table.sounder import GpioSounder
from tests.table.clock import later, run
from tests.table.rigs import entropy_of


def test_a_bouncing_button_is_pressed_once() -> None:
    async def table() -> list[Event]:
        factory = MockFactory()
        buttons = BoxButtons(factory, {"up": 5})
        log: list[Event] = []
        buttons.start(log.append)
        pin = factory.pin(5)
        for _ in range(4):
            pin.drive_low()
            await later(0.004)
            pin.drive_high()
            await later(0.004)
        pin.drive_low()
        await later(1)
        for _ in range(4):
            pin.drive_high()
            await later(0.004)
            pin.drive_low()
            await later(0.004)
        pin.drive_high()
        await later(1)
        buttons.close()
        return log[1:]

    assert run(table()) == [Pressed("up")]


def test_presses_from_gpiozeros_thread_arrive_in_the_loops_thread() -> None:
    async def table() -> None:
        factory = MockFactory()
        asyncio.get_running_loop().set_debug(True)  # then the loop itself refuses foreign threads
        buttons = BoxButtons(factory, {"down": 6})
        seen: list[int] = []
        buttons.start(lambda event: seen.append(threading.get_ident()))
        hand = threading.Thread(target=factory.pin(6).drive_low)
        hand.start()
        hand.join()
        await later(0.1)
        buttons.close()
        assert seen == [threading.get_ident()] * 2

    run(table())


def test_a_button_that_is_down_from_the_start_is_known_and_says_nothing() -> None:
    async def table() -> None:
        factory = MockFactory()
        buttons = BoxButtons(factory, {"up": 5, "ok": 13})
        factory.pin(13).drive_low()
        log: list[Event] = []
        buttons.start(log.append)
        await later(5)
        assert buttons.down == {"ok"}
        factory.pin(13).drive_high()
        await later(1)
        assert buttons.down == frozenset()
        assert log[1:] == []
        buttons.close()

    run(table())


def test_an_edge_after_close_changes_nothing() -> None:
    async def table() -> None:
        factory = MockFactory()
        buttons = BoxButtons(factory, {"ok": 13})
        log: list[Event] = []
        buttons.start(log.append)
        factory.pin(13).drive_low()
        buttons.close()
        await later(3)
        assert log[1:] == []

    run(table())


def test_the_roll_button_rolls_while_held_and_draws_on_release() -> None:
    async def table() -> None:
        factory = MockFactory()
        die = RollButton(factory, 21, entropy_of(3, 4), number=41)
        log: list[Event] = []
        die.start(log.append)
        factory.pin(21).drive_low()
        await later(30)
        assert log[1:] == [Rolling()]
        assert die.down
        factory.pin(21).drive_high()
        await later(0.1)
        assert log[2:] == [Rolled(42, 4, "box")]
        die.close()

    run(table())


def test_a_roll_button_that_was_down_from_the_start_does_not_roll_when_let_go() -> None:
    async def table() -> None:
        factory = MockFactory()
        die = RollButton(factory, 21, entropy_of(3))
        factory.pin(21).drive_low()
        log: list[Event] = []
        die.start(log.append)
        await later(1)
        factory.pin(21).drive_high()
        await later(1)
        assert log[1:] == []
        die.close()

    run(table())


def test_every_byte_gives_a_fair_face() -> None:
    """Over all bytes that are not thrown away, each face comes equally often."""
    faces = Counter(draw(entropy_of(value)) for value in range(252))
    assert faces == dict.fromkeys(range(1, 7), 42)
    for value in range(252, 256):
        assert draw(entropy_of(value, 2)) == 3


@given(st.binary(min_size=1).filter(lambda data: data[-1] < 252))
def test_a_draw_is_always_a_face(data: bytes) -> None:
    assert draw(entropy_of(*data)) in range(1, 7)


def test_a_tune_is_played_to_its_end_and_leaves_the_buzzer_silent() -> None:
    async def table() -> None:
        factory = MockFactory(pin_class=MockPWMPin)
        sounder = GpioSounder(factory, buzzer=12, volume=1.0)
        pin = factory.pin(12)
        sounder.play(((440, 0.2), (0, 0.2), (880, 0.2)))
        heard = []
        for _ in range(4):
            await later(0.1)
            heard.append((pin.frequency, pin.state))
            await later(0.1)
        assert heard == [(440, 0.5), (None, 0.0), (880, 0.5), (None, 0.0)]
        sounder.close()
        assert pin.function == "input"

    run(table())


def test_a_new_tune_replaces_the_one_that_plays() -> None:
    async def table() -> None:
        factory = MockFactory(pin_class=MockPWMPin)
        sounder = GpioSounder(factory, buzzer=12, volume=0.5)
        sounder.play(((440, 0.2), (100, 10)))
        await later(0.1)
        sounder.play(((300, 0.5),))
        await later(0.3)
        assert factory.pin(12).frequency == 300
        await later(0.3)
        assert factory.pin(12).frequency is None
        sounder.close()

    run(table())


def test_a_box_without_buzzer_and_lamps_is_simply_silent() -> None:
    sounder = GpioSounder(MockFactory(), volume=0.5)
    sounder.play(((440, 0.2),))
    sounder.lamp("good", True)
    sounder.close()


def test_simulated_devices_refuse_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="no place '99'"):
        SimBoard(["1"]).put("99")
    with pytest.raises(ValueError, match="faces 1 to 6"):
        SimDie(entropy_of()).throw(7)
