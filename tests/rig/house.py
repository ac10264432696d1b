"""The house of a café in the rig: the box is one as well, its broker and its page beside the table.

It comes with its Debian package, invites the box's own table, shows it, and goes again.
"""

import json

from companion.cafe.summary import pieces
from tests.rig.table import Table

SERVICE = "ludo-house"
PACKAGE = "ludo-companion-house"
TABLE = "table-1"
WATCH = f"""
import json, urllib.request
for line in urllib.request.urlopen("http://127.0.0.1:8090/events", timeout=600):
    kind, _, data = line.partition(b": ")
    told = json.loads(data) if kind == b"data" else None
    if isinstance(told, dict) and told.get("name") == "{TABLE}" and told["playing"]:
        print(data.decode())
        break
"""
"""Watches the house's page until it shows that somebody plays at the table."""


async def open_house(table: Table) -> str:
    """Install the package; the link with which the house invites a table."""
    said = await table.in_guest(f"dpkg --install /opt/rig/{PACKAGE}_*.deb 2>&1")
    assert "The house's broker is at 127.0.0.1" in said, said
    for service in (SERVICE, "mosquitto"):
        await table.until_true(f"systemctl is-active --quiet {service}")
    said = await table.in_guest(f"companion house add {TABLE} --at 127.0.0.1")
    return next(line for line in said.splitlines() if line.startswith("http"))


async def shown(table: Table) -> str:
    """What the house's page shows of the table, which has to be the game; its doctor is content."""
    told = json.loads(await table.in_guest(f"python3 - <<'END'\n{WATCH}END"))
    assert (told["status"], told["turn"]) == ("there", table.mirror.view.colour), told
    assert told["pieces"] == pieces(table.mirror.match.position), told
    doctor = await table.in_guest("companion house doctor")
    assert "is there" in doctor, doctor
    assert "All is well." in doctor, doctor
    return f"{told['statusText']}, {told['doing']}, {told['turn']}"


async def close_house(table: Table) -> None:
    """Remove the package: the broker begins again without what the house wrote for it."""
    pid = "systemctl show -P MainPID mosquitto"
    was = (await table.in_guest(pid)).strip()
    await table.in_guest(f"dpkg --remove {PACKAGE} 2>&1")
    await table.in_guest(f"[ $(systemctl show -P LoadState {SERVICE}) = not-found ]")
    await table.in_guest("! [ -e /etc/mosquitto/conf.d/ludo.conf ]")
    await table.until_true(f"[ $({pid}) != {was} ] && systemctl is-active --quiet mosquitto")
