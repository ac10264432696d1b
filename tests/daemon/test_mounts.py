"""Whether games outlast a power-off, told from what is mounted where."""

import asyncio
from pathlib import Path

import pytest

from companion import journal
from companion.config import Config
from companion.daemon import mounts
from companion.daemon.mounts import in_memory
from companion.daemon.wiring import put_together
from companion.referee import View
from tests.picos import until

GAMES = Path("/var/lib/ludo-companion/games.db")
CARD = "24 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n"
RUN = "30 24 0:26 / /run rw,nosuid,nodev shared:6 - tmpfs tmpfs rw,size=94M\n"
OVERLAY = (
    "21 1 0:20 / / rw,relatime shared:1 - overlay overlayroot "
    "rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/work/_\n"
    "22 21 179:2 / /media/root-ro ro,relatime shared:2 - ext4 /dev/mmcblk0p2 ro\n"
)
RAM = "23 21 0:19 / /media/root-rw rw,relatime shared:3 - tmpfs tmpfs-root rw\n"
STICK = "41 21 8:1 / /var/lib/ludo-companion rw,noatime shared:9 - ext4 /dev/sda1 rw\n"
COVERED = (
    "41 21 0:33 / /var/lib/ludo-companion rw,relatime shared:9 - overlay "
    "/media/root-ro/var/lib/ludo-companion rw,lowerdir=/media/root-ro/var/lib/ludo-companion,"
    "upperdir=/media/root-rw/overlay/var/lib/ludo-companion,workdir=/media/root-rw/work/var\n"
)
# In the service's own view of the disk its folder is mounted on itself, to be writable.
BOUND = (
    "61 21 0:20 /var/lib/ludo-companion /var/lib/ludo-companion rw,relatime shared:9 - overlay "
    "overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/w\n"
)


@pytest.mark.parametrize(
    ("mountinfo", "kind"),
    [
        (CARD + RUN, None),
        (CARD + RUN + STICK, None),
        (OVERLAY + RAM, "overlay"),
        (OVERLAY + RAM + BOUND, "overlay"),
        (OVERLAY + RAM + COVERED, "overlay"),
        (OVERLAY + RAM + STICK, None),
        (OVERLAY, "overlay"),
        (CARD + RUN + "50 24 0:40 / /var rw shared:8 - tmpfs tmpfs rw\n", "tmpfs"),
        (CARD + "50 24 0:40 / /var/lib/ludo rw shared:8 - tmpfs tmpfs rw\n", None),
        (CARD + STICK + STICK.replace("ext4 /dev/sda1", "tmpfs tmpfs"), "tmpfs"),
        ("", None),
        ("not what we know\n", None),
    ],
    ids=[
        "card",
        "stick",
        "read-only",
        "read-only-in-the-service",
        "read-only-with-a-stick-under-the-overlay",
        "read-only-with-a-stick",
        "read-only-unseen",
        "var-in-memory",
        "another-folder",
        "mounted-over",
        "nothing",
        "nonsense",
    ],
)
def test_what_lies_in_memory_is_known_by_its_mount(mountinfo: str, kind: str | None) -> None:
    assert in_memory(GAMES, mountinfo) == kind


def test_an_overlay_that_is_written_to_a_disk_lasts() -> None:
    disk = RAM.replace("tmpfs tmpfs-root", "ext4 /dev/sda1")
    assert in_memory(GAMES, OVERLAY + disk) is None


def test_a_mount_point_with_a_space_is_understood() -> None:
    mountinfo = CARD + "50 24 0:40 / /my\\040games rw - tmpfs tmpfs rw\n"
    assert in_memory(Path("/my games/games.db"), mountinfo) == "tmpfs"
    assert in_memory(Path("/my/games.db"), mountinfo) is None


def test_this_machine_tells_what_is_mounted() -> None:
    assert in_memory(Path("/proc/self"), mounts.mounted()) is None
    assert " / / " in mounts.mounted()


# -- who is told -----------------------------------------------------------------------------------


@pytest.fixture
def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The service's file on a system whose disk is covered by memory."""
    path = tmp_path / "games.db"
    monkeypatch.setattr(journal, "SYSTEM", path)
    monkeypatch.setattr(mounts, "mounted", lambda: OVERLAY + RAM)
    return path


def test_only_the_services_games_have_to_outlast_a_power_off(read_only: Path) -> None:
    """Those of `companion play`, or of a test, may well be in a temporary folder."""
    assert mounts.forgotten(read_only.with_name("played.db")) is None
    said = mounts.forgotten(read_only)
    assert said is not None
    assert said.startswith(f"{read_only.parent} lies in memory (overlay)")


def test_players_see_that_games_do_not_outlast_a_power_off(
    read_only: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> tuple[str, ...]:
        daemon = put_together(Config(sensing="choose"), read_only, pretend=True)
        views: list[View] = []
        daemon.subscribe(views.append)
        running = asyncio.create_task(daemon.run())
        await until(lambda: bool(views) and bool(views[-1].missing))
        daemon.stop()
        await running
        return views[-1].missing

    assert asyncio.run(go()) == ("disk",)
    assert [record.message for record in caplog.records if "in memory" in record.message] == [
        f"disk lost: {mounts.forgotten(read_only)}; {mounts.KEEP}"
    ]
