"""Small files: what is not one is said, and nobody waits for it."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest
from click import ClickException

from companion import config, config_file, privileged, updates
from companion.cafe import broker, setting_up
from companion.cafe.forgetting import KEPT, keep_mark, kept_marks, mark_of
from companion.cafe.table import kept_box
from companion.commands.replay import read
from companion.commands.report import configuration
from companion.config import ConfigError, load
from companion.doctor.house import _invited
from companion.house_sheets import FOLDER, HouseSheets, read_file
from companion.rules.errors import BadInput
from companion.rules.family import house_rules
from companion.small_files import LARGEST, read_small, write_small
from companion.web.key import FILE as KEY
from companion.web.key import kept_key, read_key
from companion.web.players import FILE as PLAYERS
from companion.web.players import Players
from tests.patience import PATIENCE

ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "loop": lambda place: place.symlink_to(place.name),
    "zeros": lambda place: place.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "huge": lambda place: place.write_bytes(bytes(LARGEST + 1)),
}
NOISE: dict[str, Callable[[Path], object]] = {
    **ODD,
    "noise": lambda place: place.write_bytes(b"\xff\xfe{"),
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_small_file_is_not_read(tmp_path: Path, odd: str) -> None:
    place = tmp_path / "place"
    ODD[odd](place)
    with pytest.raises(OSError, match=r"not a file|too large|symbolic links"):
        read_small(place)
    with pytest.raises(ConfigError, match="cannot be read"):
        load(place)
    with pytest.raises(BadInput, match="cannot be read"):
        read_file(place)
    with pytest.raises(OSError, match=r"not a file|too large|symbolic links"):
        config_file.text_of(place)
    assert updates.answer(place) is None


@pytest.mark.parametrize("odd", ODD)
def test_keys_are_made_anew_and_kept_where_they_can_be(tmp_path: Path, odd: str) -> None:
    """Only a folder is left as it is: there may be something in it."""
    for name in (KEY, PLAYERS, "box.id"):
        ODD[odd](tmp_path / name)
        if odd == "huge":
            (tmp_path / name).chmod(0o600)
    kept = odd != "folder"
    key, red, box = kept_key(tmp_path), Players(tmp_path).key("red"), kept_box(tmp_path)
    assert (kept_key(tmp_path) == key) is kept
    assert (Players(tmp_path).key("red") == red) is kept
    assert (kept_box(tmp_path) == box) is kept


def test_a_configuration_is_too_large_for_who_changes_it_as_for_who_uses_it(tmp_path: Path) -> None:
    place = tmp_path / "companion.toml"
    place.write_text("#" * (config.LARGEST + 1))
    for read_config in (load, config_file.text_of):
        with pytest.raises((ConfigError, OSError), match="too large"):
            read_config(place)


def test_a_file_of_just_the_largest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "place").write_bytes(bytes(LARGEST))
    assert len(read_small(tmp_path / "place")) == LARGEST


@pytest.mark.parametrize("odd", NOISE)
def test_what_lies_among_a_houses_files_is_said_with_its_name(tmp_path: Path, odd: str) -> None:
    for name in (broker.PASSWORDS, broker.ACCESS, setting_up.FILE, "house.toml"):
        NOISE[odd](tmp_path / name)
    with pytest.raises(OSError, match=broker.PASSWORDS):
        broker.let_in(tmp_path, "table-1", "secret")
    with pytest.raises(setting_up.SetUpError, match=setting_up.FILE):
        setting_up.invite(tmp_path, "table-1")
    with pytest.raises(OSError, match=r"house\.toml"):
        setting_up.write_config(tmp_path / "house.toml", setting_up.House(tmp_path), "secret")
    for found in (broker.PASSWORDS, broker.ACCESS):
        _, (finding,) = _invited(tmp_path)
        assert (finding.state, str(tmp_path / found) in finding.what) == ("bad", True)
        _remove(tmp_path / found)
        (tmp_path / found).touch()


@pytest.mark.parametrize("odd", NOISE)
def test_a_report_says_what_lies_in_the_configurations_place(tmp_path: Path, odd: str) -> None:
    place = tmp_path / "companion.toml"
    NOISE[odd](place)
    assert "cannot be read: " in configuration(place)
    if odd == "huge":
        with pytest.raises(BadInput, match=r"^.{1,300}$"):
            read(place)
    else:
        with pytest.raises(ClickException, match=r"cannot be read|not a file"):
            read(place)


def test_a_house_whose_description_is_damaged_is_set_up_again(tmp_path: Path) -> None:
    for text in ("{", "[" * 100_000, "[]", "{}"):
        (tmp_path / setting_up.FILE).write_text(text)
        with pytest.raises(setting_up.SetUpError, match="is damaged: run `companion house setup`"):
            setting_up.invite(tmp_path, "table-1")
    house = setting_up.chosen(tmp_path, None, None, None, None)
    setting_up.set_up(house)
    assert setting_up.invite(tmp_path, "table-1").name == "table-1"


@pytest.mark.parametrize("odd", NOISE)
def test_forgotten_names_are_kept_where_they_can_be(tmp_path: Path, odd: str) -> None:
    NOISE[odd](tmp_path / KEPT)
    mark = mark_of("Ann")
    if odd == "folder":
        with pytest.raises(OSError, match="directory"):
            keep_mark(tmp_path, mark)
        return
    keep_mark(tmp_path, mark)
    assert kept_marks(tmp_path) == [mark]


def test_noise_among_forgotten_names_costs_no_other(tmp_path: Path) -> None:
    first, second = mark_of("Ann"), mark_of("Bob")
    keep_mark(tmp_path, first)
    with (tmp_path / KEPT).open("ab") as file:
        file.write(b"\xff\xfe\n")
    keep_mark(tmp_path, second)
    assert kept_marks(tmp_path) == [first, second]


def test_two_companions_that_start_in_one_folder_have_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes while the first one's file is half written."""
    synced, met, over = os.fsync, Event(), Event()
    found: list[str] = []

    def second() -> None:
        found.append(kept_key(tmp_path))
        met.set()

    def wait(seconds: float) -> None:
        met.set()
        over.wait(PATIENCE)

    other = Thread(target=second)

    def fsync(handle: int) -> None:
        synced(handle)
        if other.ident is None:
            other.start()
            met.wait(PATIENCE)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(time, "sleep", wait)
    found.append(kept_key(tmp_path))
    over.set()
    other.join()
    assert [read_key(tmp_path)] * 2 == found
    assert [path.name for path in tmp_path.iterdir()] == [KEY]


@pytest.mark.parametrize("odd", ODD)
def test_nothing_that_lies_beside_a_file_diverts_what_is_written(tmp_path: Path, odd: str) -> None:
    """Whoever writes to a pipe waits for ever, and a link leads elsewhere."""
    (tmp_path / FOLDER).mkdir()
    names = ("house.toml", KEPT, "box.id", privileged.ORDER, broker.PASSWORDS, f"{FOLDER}/ours")
    for name in names:
        ODD[odd](tmp_path / f"{name}.new")
    setting_up.write_config(tmp_path / "house.toml", setting_up.House(tmp_path), "secret")
    broker.let_in(tmp_path, "table-1", "secret")
    HouseSheets(tmp_path).keep(house_rules("Ours", "german", ["bounce"])._replace(rolls=200.0))
    privileged.ask("PIN", tmp_path)
    keep_mark(tmp_path, mark_of("Ann"))
    kept_box(tmp_path)
    written = [*names[:-1], f"{names[-1]}.toml"]
    assert all((tmp_path / name).is_file() for name in written)
    assert not any((tmp_path / name).is_symlink() for name in written)
    assert (tmp_path / privileged.ORDER).stat().st_mode & 0o777 == 0o600


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.write_text("before")

    def fsync(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", pytest.fail)
    with pytest.raises(OSError, match="Input/output"):
        write_small(place, "after")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("place", "before")]


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        place.rmdir()
    else:
        place.unlink()
