"""Which way up the screen is: one value, which the configuration begins and the menu changes."""

import asyncio
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
import smbus2

from companion.config import Config, OledSection
from companion.daemon.bench_wiring import workbench
from companion.daemon.wiring import put_together
from companion.devices import open_devices
from companion.doctor import checks
from companion.doctor.checks import Patient
from companion.events import Command
from companion.journal import Journal
from companion.referee import View
from companion.screens.pictures import drawn
from tests.picos import until
from tests.table.panel import FakeBus, PanelModel

BEFORE = {"kind": "settings", "volume": 1, "sensing": "choose", "built": "choose"}
"""Of what was kept while the screen turned the picture, and the menu turned it once more."""


def built(rotation: Any) -> Config:
    """A box whose screen is built in this way."""
    config = Config(sensing="choose", oled=OledSection(rotation=rotation))
    return msgspec.structs.replace(config, die=msgspec.structs.replace(config.die, source="hand"))


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> PanelModel:
    bus = FakeBus(PanelModel())
    monkeypatch.setattr(smbus2, "SMBus", lambda port: bus)
    return bus.panel


def evening(config: Config, journal: Path, panel: PanelModel, *choices: int) -> tuple[int, int]:
    """Switch a box on and choose these in its menu: what it says then, and how the screen is."""

    async def go() -> tuple[int, int]:
        daemon = put_together(config, journal)
        views: list[View] = []
        daemon.subscribe(views.append)
        running = asyncio.create_task(daemon.run())
        await until(lambda: bool(views) or running.done())
        for chosen in choices:
            daemon.post(Command("set", {"name": "rotation", "value": chosen}))
            await until(lambda to=chosen: views[-1].setting("rotation") == to)  # type: ignore[misc]
        upright = drawn(views[-1]).canvas.image
        assert upright.tobytes() != upright.rotate(180).tobytes()
        turned = {image.tobytes(): by for by in (0, 180) for image in (upright.rotate(by),)}
        assert daemon.screen is not None
        seen = daemon.screen.pictures
        daemon.screen.show(views[-1])
        await until(lambda: daemon.screen.pictures > seen)  # type: ignore[union-attr]
        found = views[-1].setting("rotation"), turned[panel.seen().tobytes()]
        daemon.stop()
        await running
        return found

    return asyncio.run(go())


@pytest.mark.parametrize("rotation", [0, 180])
def test_the_configuration_says_how_it_is_until_somebody_sets_it(
    tmp_path: Path, panel: PanelModel, rotation: int
) -> None:
    assert evening(built(rotation), tmp_path / "games.db", panel) == (rotation, rotation)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("chosen", [0, 180])
def test_the_menu_says_how_it_is_from_then_on(
    tmp_path: Path, panel: PanelModel, rotation: int, chosen: int
) -> None:
    """However the screen is built in; and it is so again on the next evening."""
    config, journal = built(rotation), tmp_path / "games.db"
    other = 180 - chosen
    assert evening(config, journal, panel, other, chosen) == (chosen, chosen)
    assert evening(config, journal, panel) == (chosen, chosen)


def test_a_configuration_that_was_changed_holds_until_the_menu_is_used_again(
    tmp_path: Path, panel: PanelModel
) -> None:
    """Whoever set it right by the menu may write so into the configuration later."""
    journal = tmp_path / "games.db"
    evening(built(0), journal, panel, 180)
    assert evening(built(180), journal, panel) == (180, 180)
    assert evening(built(180), journal, panel, 0) == (0, 0)
    assert evening(built(0), journal, panel) == (0, 0)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("kept", [0, 180])
def test_what_was_kept_before_shows_what_it_showed(
    tmp_path: Path, panel: PanelModel, rotation: int, kept: int
) -> None:
    """Then the menu turned what the configuration had turned already."""
    path, shown = tmp_path / "games.db", (rotation + kept) % 360
    journal = Journal(path)
    journal.keep([{**BEFORE, "rotation": kept}], 1.0)
    journal.close()
    assert evening(built(rotation), path, panel) == (shown, shown)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("chosen", [0, 180])
def test_a_version_before_shows_what_is_kept_now(
    tmp_path: Path, panel: PanelModel, rotation: int, chosen: int
) -> None:
    path = tmp_path / "games.db"
    evening(built(rotation), path, panel, 180 - chosen, chosen)
    journal = Journal(path)
    (record,) = [one for one in journal.lasting() if one["kind"] == "settings"]
    journal.close()
    assert (rotation + record["rotation"]) % 360 == chosen


def test_the_bench_and_the_doctor_show_theirs_as_the_screen_is_built_in(panel: PanelModel) -> None:
    config = msgspec.structs.replace(built(180), board="mat", pin_factory="mock")
    assert workbench(config, None).bench.scene.setting("rotation") == 180
    assert workbench(config, None, settings={"rotation": 0}).bench.scene.setting("rotation") == 0
    devices = open_devices(config, os.urandom)
    assert [one.state for one in checks.screen(Patient(config, devices))] == ["good"]
    assert panel.seen().rotate(180).tobytes() == checks.trial_picture().tobytes()
    devices.close()
