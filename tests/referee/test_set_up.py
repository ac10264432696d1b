"""Setting up a board of sensors: whoever follows the steps has the game's board in the end."""

from random import Random

import pytest

from companion.events import Snapshot
from companion.rules import recall_game
from companion.rules.boardgame import BoardGame
from tests.hands import PhysicalTable
from tests.scripts import Script


class SetUp:
    """Pieces of all colours, some where they belong and some not, and some beside the board."""

    def __init__(self, game: BoardGame, rng: Random) -> None:
        self.game = game
        self.table = PhysicalTable(game.board, rng)
        self.beside: list[int] = []
        start = game.start()
        self.table.set_up(start)
        self.goal = [
            {game.board.spot(seat, one) for one in own} for seat, own in enumerate(start.pieces)
        ]
        squares = [name for name in self.table.standing if name.isdigit()]
        for place, pieces in self.table.standing.items():
            if pieces and rng.random() < 0.3:
                seat = pieces.pop()
                other = rng.choice(squares)
                if other == place or self.table.standing[other] or rng.random() < 0.3:
                    self.beside.append(seat)
                else:
                    self.table.standing[other].append(seat)

    def seat(self, colour: str | None, spot: str) -> int:
        """Whose piece a step is about: as it says, or else as the place is known to be of."""
        if colour is not None:
            return self.game.colours.index(colour)
        return next(seat for seat in self.game.seats if self.belongs(spot, seat))

    def belongs(self, spot: str, seat: int) -> bool:
        return spot in self.goal[seat]

    def follow(self, script: Script) -> None:
        """Do the steps that are shown, one after the other."""
        for origin, target, colour in script.view.remedy:
            if origin is not None:
                wanted = None if colour is None else self.seat(colour, origin)
                place = self.table.taken_place(origin, wanted)
                seat, readings = self.table.lift(place, wanted)
                self.beside.append(seat)
                script.now += 0.3
                for reading in readings:
                    script.feed(reading)
            if target is not None:
                seat = self.beside[-1] if origin is not None else self.seat(colour, target)
                self.beside.remove(seat)
                script.now += 0.3
                for reading in self.table.drop(self.table.free_place(target), seat):
                    script.feed(reading)
        script.wait(2)

    def is_set_up(self) -> bool:
        return not self.beside and all(
            self.belongs(name if name.isdigit() else name[:3], seat)
            for name, pieces in self.table.standing.items()
            for seat in pieces
        )


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("rules", ["british red,yellow", "german yellow,red", "parchis red,blue"])
def test_the_steps_lead_to_the_board_of_the_game(rules: str, seed: int) -> None:
    game = recall_game(rules)
    assert isinstance(game, BoardGame)
    pieces, script = SetUp(game, Random(seed)), Script()
    script.line(f"new {rules}")
    script.feed(Snapshot(pieces.table.on()))
    script.wait(2)
    for _ in range(3):
        if script.view.phase != "setting":
            break
        assert script.view.remedy, "something is wrong, and nothing is said to be done"
        pieces.follow(script)
    assert script.view.phase == "opening"
    assert pieces.is_set_up()
