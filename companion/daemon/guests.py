"""A table with simulated guests in a house: they play game after game, and sometimes call.

    python -m companion.daemon.guests FOLDER PACE SEED

`make cafe` starts eight of them, each a whole daemon in a process of its own. Which house it
belongs to stands in `companion.toml` in its folder: a password has no place on a command line.
"""

import asyncio
import sys
from pathlib import Path
from random import Random

from companion import orders
from companion.config import Config, WebSection, load
from companion.daemon.house import Membership
from companion.daemon.serving import log_to_stderr, until_signalled
from companion.daemon.setup import Setup
from companion.daemon.shell import Daemon
from companion.daemon.simulated import simulated_table
from companion.events import Command
from companion.referee import Times
from companion.rules import SHEETS
from companion.web.server import Page

PIN = "471100"
"""Of every table of `make cafe`, and of its house."""
SETTLE, DRAW = 0.25, 0.6
NAMES = (
    *("Ann", "Bo", "Cleo", "Dirk", "Ella", "Finn", "Greta", "Hugo", "Ida", "Jan", "Kim", "Lotte"),
    *("Mia", "Noor", "Otto", "Pia", "Quinn", "Rosa", "Sam", "Tess", "Udo", "Vera", "Wim", "Zoe"),
)
CALLS = 0.02
"""How likely somebody calls for help between two looks at the table."""
LOOK = 5.0


class Guests:
    """People who sit down, play by themselves, and leave."""

    def __init__(self, chance: Random, pace: float) -> None:
        self.chance, self.pace = chance, pace
        self.page: Page | None = None

    def sit_down(self) -> None:
        """Begin a game: any sheet, two to four guests with names."""
        assert self.page is not None
        sheet = self.chance.choice(list(SHEETS.values()))
        colours = sheet.board.colours
        seats = tuple(colours[:: len(colours) // 2] if self.chance.random() < 0.3 else colours)
        names = dict(zip(seats, self.chance.sample(NAMES, len(seats)), strict=True))
        wish = orders.NewGame(sheet=sheet.id, seats=seats, names=names)
        self.page.actions.do(wish)
        self.page.actions.do(orders.Auto(on=True))

    async def stay(self, daemon: Daemon) -> None:
        """Play game after game until cancelled."""
        while self.page is None or not self.page.view:
            await asyncio.sleep(0.1)
        await asyncio.sleep(self.chance.uniform(0.2, 3.0))
        while True:
            view = daemon.view
            if view.position is None or view.phase in ("idle", "over"):
                self.sit_down()
            elif view.phase in ("menu", "paused"):
                daemon.post(Command("back" if view.phase == "menu" else "resume"))
            elif not view.house.called and self.chance.random() < CALLS:
                daemon.post(Command("call"))
            await asyncio.sleep(LOOK * self.chance.uniform(0.5, 1.5) * max(self.pace, 0.05) / 0.6)


async def play(folder: Path, pace: float, seed: int) -> None:
    """Be a table with guests until told to stop."""
    guests = Guests(Random(seed), pace)
    path, address = folder / "companion.toml", ""

    def started(found: str) -> None:
        nonlocal address
        address = found.partition("?")[0]

    config = load(path, complete=False)
    house = Membership(config.cafe, folder, page=lambda: address, board=Config().board)

    async def join(daemon: Daemon) -> None:
        while not address:
            await asyncio.sleep(0.05)
        await house.run(daemon)

    failed: list[str] = []
    daemon = simulated_table(
        WebSection(port=0, pin=PIN),
        folder / "games.db",
        Times(settle=SETTLE, draw=DRAW),
        started,
        failed.append,
        pace=pace,
        services=[join, guests.stay],
        served=lambda page: setattr(guests, "page", page),
        house=house,
    )
    daemon.setup = setup = Setup(path, lambda: house.go_to(load(path, complete=False).cafe))
    setup.changes = {orders.Join: setup.changes[orders.Join]}  # it is not built of anything
    await until_signalled(daemon)
    if failed:
        raise OSError(failed[0])


def main(arguments: list[str]) -> None:
    """Read the arguments, and play."""
    folder, pace, seed = arguments
    log_to_stderr()
    asyncio.run(play(Path(folder), float(pace), int(seed)))


if __name__ == "__main__":
    main(sys.argv[1:])
