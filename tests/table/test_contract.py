"""What holds for every device of a kind, real or simulated: one suite over both."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.events import Event, Found, Lost, Pressed, Reading, Rolled, Rolling, Snapshot
from companion.table.sim import SimButtons
from tests.picos import until
from tests.table import rigs
from tests.table.clock import later, run
from tests.table.rigs import BoardRig, ButtonsRig, DieRig, DisplayRig, SounderRig, entropy_of

MakeDie = Callable[[Callable[[int], bytes]], DieRig]


@pytest.fixture(params=[rigs.gpio_board, rigs.serial_board, rigs.sim_board])
def board_rig(request: pytest.FixtureRequest, tmp_path: Path) -> BoardRig:
    rig: BoardRig = request.param(tmp_path)
    return rig


@pytest.fixture(params=[rigs.gpio_die, rigs.serial_die, rigs.sim_die])
def make_die(request: pytest.FixtureRequest, tmp_path: Path) -> MakeDie:
    return lambda entropy: request.param(entropy, tmp_path)


@pytest.fixture(params=[rigs.gpio_buttons, rigs.sim_buttons])
def buttons_rig(request: pytest.FixtureRequest) -> ButtonsRig:
    rig: ButtonsRig = request.param()
    return rig


@pytest.fixture(params=[rigs.oled_display, rigs.sim_display])
def display_rig(request: pytest.FixtureRequest) -> DisplayRig:
    rig: DisplayRig = request.param()
    return rig


@pytest.fixture(params=[rigs.gpio_sounder, rigs.sim_sounder])
def sounder_rig(request: pytest.FixtureRequest) -> SounderRig:
    rig: SounderRig = request.param()
    return rig


class Log(list[Event]):
    """Events, each checked to arrive in the thread that made the log."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def take(self, event: Event) -> None:
        assert threading.get_ident() == self._thread
        self.append(event)


def test_a_board_is_found_and_tells_all_that_stands_on_it(board_rig: BoardRig) -> None:
    async def table() -> None:
        log = Log()
        board_rig.plug()
        board_rig.put("2")
        board_rig.put("R.B1")
        board_rig.board.start(log.take)
        await until(lambda: Snapshot(frozenset({"2", "R.B1"})) in log)
        assert isinstance(log[0], Found)
        assert log[0].device == board_rig.board.name == "board"
        assert len(log) == 2
        board_rig.board.close()
        board_rig.unplug()

    board_rig.run(table())


def test_a_board_reports_each_change_once_by_place(board_rig: BoardRig) -> None:
    async def table() -> None:
        log = Log()
        board_rig.plug()
        board_rig.board.start(log.take)
        await until(lambda: Snapshot(frozenset()) in log)
        board_rig.put("3")
        board_rig.put("1")
        await until(lambda: {Reading("1", True), Reading("3", True)} <= set(log))
        board_rig.put("3")
        board_rig.take("3")
        await until(lambda: Reading("3", False) in log)
        assert sorted(log[2:4]) == [Reading("1", True), Reading("3", True)]
        assert log[4:] == [Reading("3", False)]
        board_rig.board.close()
        board_rig.unplug()

    board_rig.run(table())


def test_a_closed_board_is_silent_and_may_be_closed_again(board_rig: BoardRig) -> None:
    async def table() -> None:
        log = Log()
        board_rig.plug()
        board_rig.board.start(log.take)
        await until(lambda: Snapshot(frozenset()) in log)
        board_rig.put("2")
        await until(lambda: Reading("2", True) in log)
        board_rig.board.close()
        board_rig.board.close()
        log.clear()
        board_rig.put("1")
        await later(rigs.SETTLE)
        assert log == []
        board_rig.unplug()

    board_rig.run(table())


def test_a_board_that_was_away_is_found_with_all_that_stands_on_it_now(board_rig: BoardRig) -> None:
    async def table() -> None:
        log = Log()
        board_rig.plug()
        board_rig.put("1")
        board_rig.board.start(log.take)
        await until(lambda: Snapshot(frozenset({"1"})) in log)
        board_rig.unplug()
        await until(lambda: number(log, Lost) == 1)
        board_rig.take("1")
        board_rig.put("2")
        board_rig.plug()
        await until(lambda: Snapshot(frozenset({"2"})) in log)
        assert [type(event) for event in log] == [Found, Snapshot, Lost, Found, Snapshot]
        assert isinstance(log[2], Lost)
        assert log[2].device == "board"
        assert log[2].why
        board_rig.board.close()
        board_rig.unplug()

    board_rig.run(table())


def test_a_board_refuses_to_light_a_place_in_a_way_nobody_knows(board_rig: BoardRig) -> None:
    with pytest.raises(ValueError, match="2 cannot be lit 'purple': a light is on, blink, fast"):
        board_rig.board.light({"1": "on", "2": "purple"})


def test_a_board_takes_lights_for_its_places(board_rig: BoardRig) -> None:
    async def table() -> None:
        board_rig.board.light({"1": "on", "R.B1": "blink"})
        board_rig.board.start(lambda event: None)
        board_rig.board.light({})
        board_rig.board.close()

    board_rig.run(table())


def test_a_throw_is_rolling_then_a_numbered_roll(make_die: MakeDie) -> None:
    rig = make_die(entropy_of(0, 255, 252, 5, 251))

    async def table() -> None:
        log = Log()
        rig.plug()
        rig.die.start(log.take)
        await until(lambda: bool(log))
        for count in (1, 2, 3):
            await rig.throw()
            await until(lambda count=count: number(log, Rolled) == count)  # type: ignore[misc]
        rig.die.show(4)
        rig.die.show(None)
        rig.die.close()
        rig.die.close()
        rig.unplug()
        assert isinstance(log[0], Found)
        assert [type(event) for event in log[1:]] == [Rolling, Rolled] * 3
        rolled = [event for event in log if isinstance(event, Rolled)]
        assert [event.face for event in rolled] == [1, 6, 6], "252 and more are thrown away"
        first = rolled[0].number
        assert [event.number for event in rolled] == [first, first + 1, first + 2]

    rig.run(table())


def number(log: list[Event], kind: type) -> int:
    return sum(isinstance(event, kind) for event in log)


@pytest.mark.parametrize("form", [rigs.serial_die, rigs.sim_die])
def test_a_die_that_was_away_shows_its_face_again_and_rolls_on(
    form: Callable[[Callable[[int], bytes], Path], DieRig], tmp_path: Path
) -> None:
    rig = form(entropy_of(1, 2), tmp_path)

    async def table() -> None:
        log = Log()
        rig.plug()
        rig.die.start(log.take)
        await until(lambda: number(log, Found) == 1)
        await rig.throw()
        await until(lambda: number(log, Rolled) == 1 and rig.shown() == 2)
        rig.die.show(4)
        await until(lambda: rig.shown() == 4)
        rig.unplug()
        await until(lambda: number(log, Lost) == 1)
        rig.plug()
        await until(lambda: number(log, Found) == 2 and rig.shown() == 4)
        await rig.throw()
        await until(lambda: number(log, Rolled) == 2 and rig.shown() == 3)
        kinds = [type(event) for event in log]
        assert kinds == [Found, Rolling, Rolled, Lost, Found, Rolling, Rolled]
        rig.die.close()
        rig.unplug()

    rig.run(table())


def test_buttons_that_are_unplugged_are_lost_once_and_silent_until_they_are_found() -> None:
    buttons, log = SimButtons(), Log()
    buttons.start(log.take)
    buttons.unplug()
    buttons.unplug()
    buttons.press("up")
    buttons.plug()
    buttons.press("ok")
    assert [type(event) for event in log] == [Found, Lost, Found, Pressed]
    assert log[-1] == Pressed("ok")


def test_buttons_report_presses_and_a_held_ok_is_not_a_short_one(buttons_rig: ButtonsRig) -> None:
    async def table() -> None:
        log = Log()
        buttons_rig.buttons.start(log.take)
        await buttons_rig.press("up", False)
        await buttons_rig.press("down", False)
        await buttons_rig.press("ok", False)
        await buttons_rig.press("ok", True)
        assert isinstance(log[0], Found)
        assert log[1:] == [Pressed("up"), Pressed("down"), Pressed("ok"), Pressed("ok", True)]
        buttons_rig.buttons.close()
        buttons_rig.buttons.close()

    run(table())


def test_a_display_shows_what_it_is_given_whatever_happens_to_the_picture_later(
    display_rig: DisplayRig,
) -> None:
    picture = Image.effect_noise((128, 64), 90).convert("1")
    kept = picture.copy()
    display_rig.display.show(picture)
    picture.paste(0, (0, 0, 128, 64))
    assert ImageChops.logical_xor(display_rig.seen(), kept).getbbox() is None
    display_rig.display.show(picture)
    assert display_rig.seen().getbbox() is None
    display_rig.display.close()


def test_a_display_goes_dark_and_bright(display_rig: DisplayRig) -> None:
    display_rig.display.show(Image.new("1", (128, 64), 1))
    assert display_rig.lit()
    display_rig.display.contrast(0)
    assert not display_rig.lit()
    display_rig.display.contrast(40)
    assert display_rig.lit()
    with pytest.raises(ValueError, match="0 to 255"):
        display_rig.display.contrast(256)
    display_rig.display.close()
    display_rig.display.close()
    assert not display_rig.lit()


def test_an_unplugged_display_raises_oserror_and_works_again_after_a_replug(
    display_rig: DisplayRig,
) -> None:
    white = Image.new("1", (128, 64), 1)
    display_rig.display.show(Image.new("1", (128, 64)))
    display_rig.unplug()
    for _ in range(2):
        with pytest.raises(OSError, match=r"."):
            display_rig.display.show(white)
    display_rig.plug()
    display_rig.display.show(white)
    assert ImageChops.logical_xor(display_rig.seen(), white).getbbox() is None
    display_rig.display.close()


def test_a_display_that_lost_its_power_unnoticed_shows_its_picture_when_renewed(
    display_rig: DisplayRig,
) -> None:
    picture = Image.effect_noise((128, 64), 90).convert("1")
    display_rig.display.show(picture)
    display_rig.unplug()
    with pytest.raises(OSError, match=r"."):
        display_rig.display.renew()
    display_rig.plug()
    display_rig.display.renew()
    for _ in range(2):
        display_rig.unplug()
        display_rig.plug()
        display_rig.display.show(picture)
        assert not display_rig.lit()  # nothing failed, so nothing was known
        display_rig.display.renew()
        assert display_rig.lit()
        assert ImageChops.logical_xor(display_rig.seen(), picture).getbbox() is None
    display_rig.display.close()


def test_lamps_switch_and_an_unknown_one_is_refused(sounder_rig: SounderRig) -> None:
    sounder_rig.sounder.lamp("good", True)
    assert sounder_rig.lamps() == {"good": True, "bad": False}
    sounder_rig.sounder.lamp("bad", True)
    sounder_rig.sounder.lamp("good", False)
    assert sounder_rig.lamps() == {"good": False, "bad": True}
    with pytest.raises(ValueError, match="no lamp 'blue'"):
        sounder_rig.sounder.lamp("blue", True)
    sounder_rig.sounder.close()
    sounder_rig.sounder.close()
    assert sounder_rig.lamps() == {"good": False, "bad": False}


def test_a_tone_begins_at_once(sounder_rig: SounderRig) -> None:
    async def table() -> None:
        sounder_rig.sounder.play(((440, 0.5), (0, 0.1), (880, 0.5)))
        assert sounder_rig.sounding() == 440
        sounder_rig.sounder.play(((660, 0.5),))
        assert sounder_rig.sounding() == 660
        sounder_rig.sounder.close()

    run(table())


def test_the_volume_holds_from_the_next_tone_on(sounder_rig: SounderRig) -> None:
    async def table() -> None:
        sounder = sounder_rig.sounder
        for share in (1.0, 0.2):
            sounder.volume(share)
            sounder.play(((440, 0.5),))
            assert sounder_rig.loudness() == pytest.approx(share)
        with pytest.raises(ValueError, match="from 0 to 1, not 2"):
            sounder.volume(2)
        sounder.close()

    run(table())
