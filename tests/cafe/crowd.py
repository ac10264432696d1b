"""A house full of made-up tables, without a broker: what the page shows can be looked at.

    python -m tests.cafe.crowd FOLDER TABLES [PORT [still]]

Prints the page's address. Some tables are lost, some free, some need help; games go on. A house
that stands still, for pictures, has the tables of `make cafe`: all play, and one calls for help.
"""

import asyncio
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from companion.cafe import messages, topics
from companion.cafe.archive import Archive
from companion.cafe.house import House
from companion.cafe.line import together
from companion.cafe.page import HousePage
from companion.cafe.summary import pieces
from companion.config import BrokerSection, PageSection
from companion.daemon.guests import NAMES as GUESTS
from companion.daemon.house_demo import LABELS
from companion.rules import SHEETS, Position, game, legal_moves, play
from tests.cafe.test_archive import game as short_game

PIN = "471100"
NAMES = ("Annemarie", "Bo", "Çelik", "Dörte", "Ella", "Finn", "Ümit", "Maximiliane-Sophie")
NEEDS = (("call", ""), ("device", "die"), ("sensor", "12"), ("disk", "full"), ("question", "stop"))


class Crowd:
    """Tables that say what real ones would."""

    people: Sequence[str] = NAMES
    moving = 8
    """How many of them move every second."""
    waited = (0.0, 90.0)
    """Between these, for how many seconds a table has waited for what it waits for."""

    def __init__(self, house: House, tables: int, seed: int = 4) -> None:
        self.house, self.chance = house, random.Random(seed)
        self.names = [f"table-{number:02}" for number in range(1, tables + 1)]
        self.positions: dict[str, Position] = {}
        self.sitting: dict[str, dict[str, str]] = {}
        self.number = 0

    def label(self, number: int) -> str:
        return f"Tisch {number + 1}" if number % 7 else f"Am großen Fenster {number + 1}"

    def lost(self, number: int) -> bool:
        return number % 10 == 9

    def free(self, number: int) -> bool:
        return number % 6 == 5

    def need(self, number: int) -> tuple[str, str] | None:
        return NEEDS[number // 11 % len(NEEDS)] if number % 11 == 3 else None

    def say(self, name: str, topic: topics.Topic, message: messages.Message) -> None:
        self.house._take(topic.of(name), messages.encode(message), False)

    def begin(self) -> None:
        self.house.line.up, self.house.line.trouble = True, None
        self.house._line_changed()
        for number, name in enumerate(self.names):
            label, page = self.label(number), f"http://{name}.local/"
            about = messages.About(birth="b", box=name, label=label, sheets=list(SHEETS), page=page)
            self.say(name, topics.ABOUT, about)
            if not self.lost(number):
                self.say(name, topics.HERE, messages.Here(birth="b", box=name, here=True))
            if not self.free(number):
                self.sit(name)
            if needed := self.need(number):
                kind, detail = needed
                need = messages.Need(kind=kind, since=0.0, detail=detail)
                self.say(name, topics.HELP, messages.Help(birth="b", at=0.0, needs=[need]))
                if name in self.positions:
                    self.show(name)

    def sit(self, name: str) -> None:
        sheet = self.chance.choice(list(SHEETS.values()))
        position = game(sheet.id).start(begins=sheet.board.colours[0])
        for _ in range(self.chance.randint(5, 40)):
            position = self.moved(position)
        self.positions[name] = position
        self.sitting[name] = dict(
            zip(
                sheet.board.colours,
                self.chance.sample(self.people, len(sheet.board.colours)),
                strict=False,
            )
        )
        self.show(name)

    def moved(self, position: Position) -> Position:
        if position.over:
            return position
        face = position.due or self.chance.randint(1, 6)
        moves = legal_moves(position, face)
        return play(position, self.chance.choice(moves)) if moves else position

    def go(self, name: str) -> None:
        self.positions[name] = self.moved(self.positions[name])
        self.show(name)

    def show(self, name: str) -> None:
        position = self.positions[name]
        at = time.time()
        called = "call" in [need.kind for need in self.house.room.tables[name].needs]
        now = messages.Now(
            birth="b",
            at=at,
            since=at - self.chance.uniform(*self.waited),
            phase="over" if position.over else "roll",
            free=position.over,
            sheet=position.game.sheet.id,
            board=position.game.board.name,
            turn=position.colour or "",
            names=self.sitting[name],
            pieces=pieces(position),
            done=position.game.progress(position),
            ranking=list(position.ranking),
            called=called,
        )
        self.say(name, topics.NOW, now)

    def beat(self) -> None:
        self.number += 1
        for number, name in enumerate(self.names):
            if not self.lost(number):
                pulse = messages.Pulse(birth="b", number=self.number, at=time.time())
                self.say(name, topics.PULSE, pulse)

    async def go_on(self) -> None:
        self.begin()
        while True:
            self.beat()
            for name in self.chance.sample(
                sorted(self.positions), min(self.moving, len(self.positions))
            ):
                self.go(name)
            await asyncio.sleep(1.0)


class Still(Crowd):
    """The tables of `make cafe` at one moment of an evening."""

    people = GUESTS
    waited = (125.0, 150.0)  # two minutes, also while pictures are taken

    def go(self, name: str) -> None:
        self.show(name)

    def label(self, number: int) -> str:
        return LABELS[number]

    def lost(self, number: int) -> bool:
        return False

    def free(self, number: int) -> bool:
        return False

    def need(self, number: int) -> tuple[str, str] | None:
        return None if number else ("call", "")


def fill(archive: Archive, tables: list[str]) -> None:
    """Some weeks of games."""
    chance = random.Random(3)
    for number in range(80):
        journal = f"j{number % len(tables)}"
        at = time.time() - chance.uniform(0, 40) * 86400 - chance.gauss(0, 2) * 3600
        records = [
            messages.PieceRecord(
                number=number * 10 + n,
                at=at + n * chance.uniform(60, 400),
                record=record,
                game=(journal, number * 10),
            )
            for n, record in enumerate(short_game(chance.randint(0, 9)))
        ]
        piece = messages.Piece(id="", journal=journal, records=records)
        archive.take(tables[number % len(tables)], piece)


async def main(folder: Path, tables: int, port: int, crowds: type[Crowd] = Crowd) -> None:
    archive = Archive(folder / "house.db")
    house = House(BrokerSection(), archive)
    crowd = crowds(house, tables)
    if tables:
        fill(archive, crowd.names[:8])
    page = HousePage(house, PageSection(port=port, pin=PIN), "screen")
    await together(
        crowd.go_on(),
        house._watch(),
        page.run(lambda address: print(address, flush=True)),  # noqa: T201
    )


if __name__ == "__main__":
    still = Still if sys.argv[4:] == ["still"] else Crowd
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int((sys.argv[3:] or ["0"])[0]), still))
