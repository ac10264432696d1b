"""Games played with buttons alone: choosing with the box, pressing stacks, entering a real die."""

from random import Random

import pytest

from companion.events import Command, Event, Pressed, Reading, Rolled
from companion.referee import Referee
from companion.rules import SHEETS, AnyMove, Lay, Pass, Position, legal_moves, play
from companion.rules.cards import stack_name
from tests.evening import random_game


class ButtonEvening:
    """A referee, and players who only press buttons; everything from one seed."""

    def __init__(self, seed: int, sheet: str, sensing: str, die: str = "serial") -> None:
        self.rng = Random(f"{seed} {sheet} {sensing} {die}")
        self.game = random_game(self.rng, sheet)
        self.referee = Referee(sensing=sensing, die=die)
        self.now, self.rolls = 0.0, 0
        seats = [self.game.colours[seat] for seat in self.game.seats]
        chosen = {"sheet": sheet, "options": self.game.options, "seats": seats}
        self.feed(Command("new_game", chosen))
        self.feed(Pressed("ok"))

    def feed(self, event: Event) -> None:
        self.now += 1
        self.referee.feed(event, self.now)

    def roll(self, face: int) -> None:
        if self.referee.view.title == "won":
            self.feed(Pressed("ok"))
        if self.referee.die == "hand":
            for _ in range(face - 1):
                self.feed(Pressed("up"))
            self.feed(Pressed("ok"))
        else:
            self.rolls += 1
            self.feed(Rolled(self.rolls, face))

    def choose(self, move: AnyMove) -> None:
        lines = [line.move for line in self.referee.view.lines]
        for _ in range(lines.index(move)):
            self.feed(Pressed("down"))
        self.feed(Pressed("ok"))

    def press(self, seat: int, stack: int) -> None:
        name = stack_name(self.game, seat, stack)
        self.feed(Reading(name, True))
        self.feed(Reading(name, False))

    def lay(self, move: Lay) -> None:
        """The cards in any order; before that sometimes one that may be wrong, let go again."""
        if self.rng.random() < 0.3:
            before = self.referee.view.position
            self.press(self.rng.choice(self.game.seats), self.rng.randrange(4))
            if self.referee.view.position != before:
                return  # it was a whole legal action
            self.feed(Pressed("ok"))
        for stack in self.rng.sample(move.stacks, len(move.stacks)):
            self.press(move.seat, stack)

    def play(self, most_rolls: int) -> None:
        here = self.position
        for _ in range(most_rolls):
            if here.over:
                return
            face = here.due or self.rng.randint(1, 6)
            legal = legal_moves(here, face)
            move = self.rng.choice(legal)
            if here.due is None:
                self.roll(face)
            if self.referee.sensing == "touch" and isinstance(move, Lay):
                self.lay(move)
                assert self.position in [play(here, one) for one in legal]
                here = self.position
                continue
            if len(legal) > 1 or not isinstance(move, Pass):
                self.choose(move)
            here = play(here, move)
            while here.due and isinstance(legal_moves(here, here.due)[0], Pass):
                here = play(here, legal_moves(here, here.due)[0])  # it is lost at once
            assert self.position == here

    @property
    def position(self) -> Position:
        here = self.referee.view.position
        assert here is not None
        return here


@pytest.mark.parametrize("die", ["serial", "hand"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_game_is_played_by_choosing(sheet: str, die: str) -> None:
    for seed in range(3):
        ButtonEvening(seed, sheet, "choose", die).play(most_rolls=300)


@pytest.mark.parametrize("sheet", SHEETS)
def test_up_down_and_ok_alone_finish_a_game(sheet: str) -> None:
    evening = ButtonEvening(0, sheet, "choose", "hand")
    evening.play(most_rolls=20_000)
    assert evening.referee.view.phase == "over"


def test_the_card_game_is_played_by_pressing_stacks() -> None:
    over = 0
    for seed in range(10):
        evening = ButtonEvening(seed, "cards", "touch")
        evening.play(most_rolls=400)
        over += evening.position.over
    assert over
