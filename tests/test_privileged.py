"""Orders to root: nothing but a configuration that can be used gets through, from one file only."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion import privileged
from companion.config import ASSUMED, LARGEST, parse
from companion.config_file import with_map
from companion.daemon.bench_wiring import hand_over
from companion.privileged import (
    LOCAL,
    ORDER,
    OrderError,
    ask,
    ask_and_wait,
    is_written,
    network_for,
    obey,
    part_of,
)

HOSTILE = int(os.environ.get("HOSTILE", "1000"))
"""How many hostile orders are tried; `make soak` tries ten thousand."""
OPEN = ASSUMED + '\n[web]\naddress = "0.0.0.0"\npin = "123456"\n'


class Box:
    """Folders of a box, and how often its service was restarted."""

    def __init__(self, root: Path) -> None:
        self.folder, self.etc = root / "run", root / "etc"
        for folder in (self.folder, self.etc):
            folder.mkdir()
        self.config, self.house = self.etc / "companion.toml", self.etc / "house.toml"
        self.units = root / "units"
        self.network = self.units / "ludo-companion.service.d/20-network.conf"
        self.restarted: list[str] = []

    @property
    def restarts(self) -> int:
        return len(self.restarted)

    def obey(self, owner: int | None = None) -> None:
        obey(
            os.getuid() if owner is None else owner,
            None,
            folder=self.folder,
            config=self.config,
            house=self.house,
            units=self.units,
            restart=self.restarted.append,
        )


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_a_configuration_is_written_and_the_one_before_is_kept(box: Box) -> None:
    ask(ASSUMED, box.folder)
    box.obey()
    assert is_written(ASSUMED, box.config)
    assert stat.S_IMODE(box.config.stat().st_mode) == 0o640
    other = with_map(ASSUMED, "40", ["1 2 -"])
    ask(other, box.folder)
    box.obey()
    assert is_written(other, box.config)
    assert (box.etc / "companion.toml.before").read_text() == ASSUMED
    assert list(box.folder.iterdir()) == []
    assert box.restarts == 0


def test_the_network_follows_the_configuration_whoever_wrote_it(box: Box) -> None:
    box.obey()
    assert not box.network.exists()
    box.config.write_text(OPEN)
    box.obey()
    box.obey()
    assert box.restarts == 1
    assert box.network.read_text().splitlines()[1:] == [
        "[Service]",
        *(f"IPAddressAllow={one}" for one in LOCAL),
    ]
    box.config.write_text(ASSUMED)
    box.obey()
    assert not box.network.exists()
    assert box.restarts == 2


CAFE = '[cafe]\nname = "table-3"\nbroker = "{}"\n'


@pytest.mark.parametrize(
    ("more", "opened"),
    [
        ("", ()),
        ('[web]\naddress = "127.0.0.1"\n', ()),
        ('[web]\naddress = "::1"\n', ()),
        ('[web]\naddress = "localhost"\n', ()),
        ('[web]\naddress = "0.0.0.0"\nenabled = false\n', ()),
        ('[web]\naddress = "192.168.1.7"\n', LOCAL),
        ('[web]\naddress = "::"\n', LOCAL),
        (CAFE.format("127.0.0.1"), ()),
        (CAFE.format("localhost"), ()),
        (CAFE.format("192.168.1.7"), ("192.168.1.7",)),
        (CAFE.format("house.local"), LOCAL),  # who knows the name is there too
        (CAFE.format("192.0.2.9"), ("192.0.2.9",)),
    ],
)
def test_the_network_is_open_as_far_as_page_and_house_need_it(
    more: str, opened: tuple[str, ...]
) -> None:
    assert network_for(parse(ASSUMED + more, complete=False)) == opened


def test_the_house_of_a_cafe_is_followed_too(box: Box) -> None:
    box.house.write_text('[page]\naddress = "0.0.0.0"\n')
    box.obey()
    part = box.units / "ludo-house.service.d/20-network.conf"
    assert part.read_text().splitlines()[2:] == [f"IPAddressAllow={one}" for one in LOCAL]
    assert box.restarted == ["ludo-house"]
    box.house.write_text("")
    box.obey()
    assert not part.exists()


@pytest.mark.parametrize("broker", ["192.0.2.9", "2001:db8::1", "8.8.8.8"])
def test_the_service_cannot_ask_for_a_house_far_away(box: Box, broker: str) -> None:
    ask(ASSUMED + CAFE.format(broker), box.folder)
    with pytest.raises(OrderError, match=f"{broker} is beyond the local network"):
        box.obey()
    assert not box.config.exists()
    box.config.write_text(ASSUMED + CAFE.format(broker))  # the owner
    ask("# changed\n" + ASSUMED + CAFE.format(broker), box.folder)
    box.obey()
    assert box.config.read_text().startswith("# changed")
    assert f"IPAddressAllow={broker}\n" in box.network.read_text()


@pytest.mark.parametrize("broker", ["house.local", "192.168.7.7", "fe80::7", "127.0.0.1"])
def test_a_house_near_by_is_joined(box: Box, broker: str) -> None:
    ask(ASSUMED + CAFE.format(broker), box.folder)
    box.obey()
    assert box.config.exists()


def test_what_is_not_written_is_not_said_to_be(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.privileged.PATIENCE", 0.0)
    assert not ask_and_wait(ASSUMED, box.folder, box.config)


Trick = Callable[[Box, Path], object]


def hard_link(box: Box, place: Path) -> None:
    secret = box.etc / "secret"
    secret.write_text(ASSUMED)
    os.link(secret, place)


@pytest.mark.parametrize(
    "trick",
    [
        lambda box, place: place.symlink_to("/etc/passwd"),
        lambda box, place: place.symlink_to(box.config),
        lambda box, place: place.mkdir(),
        lambda box, place: os.mkfifo(place),
        lambda box, place: place.symlink_to("/dev/zero"),
        lambda box, place: place.write_text(ASSUMED + "#" * LARGEST),
        lambda box, place: place.write_bytes(b"\xff\xfe"),
        lambda box, place: place.write_text(ASSUMED + "# \0"),
        lambda box, place: place.write_text("[[[["),
        lambda box, place: place.write_text('[service]\nuser = "root"\n'),
        hard_link,
    ],
)
def test_whatever_else_is_there_is_refused(box: Box, trick: Trick) -> None:
    trick(box, box.folder / ORDER)
    with pytest.raises(OrderError):
        box.obey()
    assert not box.config.exists()
    assert not box.network.exists()
    assert (box.folder / ORDER).is_dir() or not (box.folder / ORDER).exists()


def test_a_file_of_somebody_else_is_refused(box: Box) -> None:
    ask(ASSUMED, box.folder)
    with pytest.raises(OrderError, match="no file of the service's own"):
        box.obey(owner=os.getuid() + 1)
    assert not box.config.exists()


def spoiled(random: Random) -> bytes:
    """A configuration with something wrong in it, or no configuration at all."""
    data = bytearray(OPEN.encode())
    kind = random.randrange(5)
    if kind == 0:
        return random.randbytes(random.randrange(1, 3000))
    if kind == 1:
        for _ in range(random.randrange(1, 20)):
            data[random.randrange(len(data))] = random.randrange(256)
    elif kind == 2:
        at = random.randrange(len(data))
        data[at:at] = random.choice(
            [b"\n[Service]\nExecStart=/bin/sh\n", b'"""', b"\0", b"[" * 500, b"../../etc/x", b"\r"]
        )
    elif kind == 3:
        del data[random.randrange(len(data)) :]
        data += b'\nIPAddressAllow = "any"\n'
    else:
        data += (
            f"\n[{'a.' * random.randrange(300)}b]\nx = {'9' * random.randrange(6000)}\n".encode()
        )
    return bytes(data)


def test_of_hostile_orders_nothing_but_a_configuration_gets_through(box: Box) -> None:
    """What is written can be used, and is what was asked for; the unit says one of two things."""
    random = Random(20)
    refused = 0
    for _ in range(HOSTILE):
        data = spoiled(random)
        (box.folder / ORDER).write_bytes(data)
        before = box.config.read_bytes() if box.config.exists() else None
        try:
            box.obey()
        except OrderError:
            refused += 1
            assert (box.config.read_bytes() if box.config.exists() else None) == before
        else:
            assert box.config.read_bytes() == data
            parse(data.decode(), complete=False)
        if box.network.exists():
            assert box.network.read_text() == part_of(LOCAL)
        assert {path.name for path in box.etc.iterdir()} <= {
            "companion.toml",
            "companion.toml.before",
        }
        assert list(box.folder.iterdir()) == []
    assert refused > HOSTILE // 2


def test_a_map_of_the_bench_is_handed_over_and_said_to_be_written_only_then(
    box: Box, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a configuration it is written whole; with one, only its map changes."""
    caplog.set_level("INFO", "companion")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(box.folder))
    real = privileged.ask

    def obeyed(text: str, folder: Path) -> None:
        real(text, folder)
        box.obey()

    monkeypatch.setattr(privileged, "ask", obeyed)
    assert hand_over(box.config, "40", ["1 2 -"])
    assert parse(box.config.read_text(), complete=False).matrix is not None
    box.config.write_text("# mine\n" + box.config.read_text())
    assert hand_over(box.config, "40", ["2 1 -"])
    assert box.config.read_text().startswith("# mine\n")
    assert caplog.text.count("the map is written to") == 2
    monkeypatch.setattr(privileged, "ask", lambda text, folder: None)
    monkeypatch.setattr(privileged, "PATIENCE", 0.0)
    assert not hand_over(box.config, "40", ["3 1 -"])
    assert "the map was not written" in caplog.text
