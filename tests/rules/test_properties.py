"""What must always hold, in random games of every sheet with random options and seats."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.rules import (
    SHEETS,
    Accepted,
    AnyMove,
    Attempt,
    Hop,
    Lay,
    Move,
    Pass,
    Position,
    Refused,
    game,
    judge,
    legal_moves,
    outcome,
    play,
    position,
)
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE, Board
from companion.rules.cards import stack_name
from companion.rules.game import Game

BOARD_SHEETS = [name for name, sheet in SHEETS.items() if isinstance(sheet.board, Board)]

slow = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@st.composite
def games(draw: st.DrawFn, sheets: tuple[str, ...] = tuple(SHEETS)) -> Game:
    """A sheet with random options and two to four random seats."""
    name = draw(st.sampled_from(sheets))
    sheet = SHEETS[name]
    options = {option.name: draw(st.sampled_from(option.allowed)) for option in sheet.options}
    seats = draw(
        st.lists(st.sampled_from(sheet.board.colours), min_size=2, max_size=4, unique=True)
    )
    if options.get("two_colours_each"):
        options["neutral_colour"] = False
        seats = [sheet.board.colours[0], draw(st.sampled_from(sheet.board.colours[1::2]))]
    elif options.get("neutral_colour"):
        seats = draw(st.permutations(sheet.board.colours))[:3]
    return game(name, options, seats)


def steps(table: Game, seed: int, most: int = 10**6) -> Iterator[tuple[Position, AnyMove]]:
    """A random game from the roll for the start on: each position with the move made there."""
    rng = random.Random(seed)
    here = table.start()
    for _ in range(most):
        if here.over:
            return
        moves = legal_moves(here, here.due or table.die.roll(rng.random))
        move = rng.choice(moves)
        yield here, move
        here = play(here, move)


@st.composite
def situations(draw: st.DrawFn, sheets: tuple[str, ...] = tuple(SHEETS)) -> tuple[Position, int]:
    """A position that came up in a random game, and a roll."""
    table = draw(games(sheets))
    walk = list(steps(table, draw(st.integers(0, 10**6)), most=draw(st.integers(1, 600))))
    here = walk[-1][0]
    return here, here.due or draw(st.integers(1, 6))


def attempt_of(table: Game, move: AnyMove) -> Attempt:
    """What hands that make this move do."""
    if isinstance(move, Lay):
        return Attempt(tuple(Hop(None, stack_name(table, move.seat, s)) for s in move.stacks))
    if isinstance(move, Pass):
        return Attempt(())
    assert isinstance(table, BoardGame)
    return Attempt((Hop(*table.stops(move)),) * move.size)


@slow
@given(situations())
def test_every_legal_move_is_accepted(situation: tuple[Position, int]) -> None:
    here, face = situation
    if here.opening is not None:
        return
    for move in legal_moves(here, face):
        verdict = judge(here, face, attempt_of(here.game, move))
        assert isinstance(verdict, Accepted), (str(here), move, verdict)
        assert verdict.move == move
        assert verdict.outcome == outcome(here, move)


@slow
@given(situations(tuple(BOARD_SHEETS)), st.data())
def test_legal_if_and_only_if_there_is_no_refusal(
    situation: tuple[Position, int], data: st.DataObject
) -> None:
    """Every hop of every own piece to every place is accepted, or refused with a clause."""
    here, face = situation
    table = here.game
    if here.opening is not None:
        return
    assert isinstance(table, BoardGame)
    legal = set(legal_moves(here, face))
    colour = data.draw(st.sampled_from(table.hands[here.seat]))
    origin = data.draw(st.sampled_from(here.pieces[colour]))
    size = data.draw(st.sampled_from(table.numbers.sizes))
    for target in range(BASE, table.last + 1):
        move = Move(colour, face, origin, target, size)
        hop = Hop(*table.stops(move))
        if hop.origin == hop.target:
            continue
        verdict = judge(here, face, Attempt((hop,) * size))
        fits = legal & {
            Move(colour, face, origin, target, n) for n in table.numbers.sizes[size - 1 :]
        }
        if fits:
            assert isinstance(verdict, Accepted), (str(here), move, verdict)
        else:
            assert isinstance(verdict, Refused), (str(here), move, verdict)
            assert verdict.refusals
            assert set(verdict.instead) == legal


@slow
@given(situations())
def test_text_forms_parse_back(situation: tuple[Position, int]) -> None:
    here, face = situation
    assert position(str(here)) == here
    assert eval(repr(here), {"position": position}) == here
    for move in legal_moves(here, face):
        assert here.game.move(here.game.move_text(move)) == move


@slow
@given(situations())
def test_pieces_are_conserved_and_the_position_before_is_untouched(
    situation: tuple[Position, int],
) -> None:
    here, face = situation
    before = str(here)
    for move in legal_moves(here, face):
        there = play(here, move)
        assert [len(pieces) for pieces in there.pieces] == [len(pieces) for pieces in here.pieces]
        position(str(there))
    assert str(here) == before


@slow
@given(situations())
def test_reasons_for_a_pass_exist_when_nothing_can_move(situation: tuple[Position, int]) -> None:
    here, face = situation
    if here.opening is None and all(isinstance(m, Pass) for m in legal_moves(here, face)):
        assert here.game.why_pass(here, face)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end(name: str, players: int) -> None:
    table = game(name, colours=SHEETS[name].board.colours[:players])
    for seed in range(10):
        *_, (last, move) = steps(table, seed)
        there = play(last, move)
        assert there.over
        assert len(there.ranking) >= 1


@settings(max_examples=40, deadline=None, derandomize=True)
@given(games(), st.integers(0, 10**6))
def test_games_with_random_options_end(table: Game, seed: int) -> None:
    *_, (last, move) = steps(table, seed)
    there = play(last, move)
    assert there.over
    assert len(there.ranking) == (1 if name_ends_at_first(table) else len(table.players))


def name_ends_at_first(table: Game) -> bool:
    return table.sheet.id == "cards" or len(table.players[0]) == 2
