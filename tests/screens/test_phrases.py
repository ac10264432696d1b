"""Every reason and every happening has a sentence, and the sentences read well."""

import ast
import random
import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion
from companion.rules import Attempt, Hop, Position, Refused, Unclear, attempt, judge, outcome
from companion.screens import phrases
from companion.screens.phrases import AT_ZERO, HAPPENINGS, OF_A_BONUS, REFUSALS
from tests.rules.asking import Roll, at, face_of
from tests.rules.test_judge import SLIPS
from tests.rules.test_properties import situations, slow

PACKAGE = Path(companion.__file__).parent
SOURCES = sorted(path for part in ("rules", "referee") for path in (PACKAGE / part).glob("*.py"))
AFTER_CLAUSES = ("clauses", "german", "british", "dutch", "pairs", "parchis")


def _texts(node: ast.expr) -> Iterator[str]:
    """The strings an expression can be, as far as it says so."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _calls(name: str, at: int) -> Iterator[tuple[Path, ast.expr]]:
    """The argument of every call of a name in the rules' source."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) <= at:
                continue
            if name in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
                yield path, node.args[at]


def slips() -> set[str]:
    """Every slip that a clause, the judge or the referee can name."""
    found: set[str] = set()
    for _, argument in [*_calls("Evidence", 0), *_calls("Refusal", 1)]:
        found |= set(_texts(argument))
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "slip":
                found |= set(_texts(node.value))
            if isinstance(node, ast.keyword) and node.arg == "slip":
                found |= set(_texts(node.value))
    return found


def happenings() -> set[str]:
    """Everything a move can bring about: told by the engine, or by an `after` clause."""
    found: set[str] = set()
    for _, argument in _calls("tell", 1):
        found |= set(_texts(argument))
    for path in SOURCES:
        if path.stem in AFTER_CLAUSES:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Tuple) and len(node.elts) == 3:
                    found |= set(_texts(node.elts[0]))
    return found


def test_every_slip_has_a_sentence_and_no_sentence_is_left_over() -> None:
    assert slips() == set(REFUSALS)
    assert set(AT_ZERO) < set(REFUSALS)
    assert set(OF_A_BONUS) < set(REFUSALS)


def test_every_happening_has_a_sentence_and_no_sentence_is_left_over() -> None:
    assert happenings() == set(HAPPENINGS)


def test_slips_are_named_where_the_scan_can_see_them() -> None:
    """A slip that is reckoned instead of written down would escape the tests above."""
    for path, argument in [*_calls("Evidence", 0), *_calls("Refusal", 1)]:
        plain = list(_texts(argument)) or isinstance(argument, ast.Starred)
        assert plain or getattr(argument, "id", "") == "slip", (path.name, ast.unparse(argument))


SENTENCES = {
    "wrong_count": "That is 5 squares, you rolled 4.",
    "not_your_piece": "The piece on square 25 is not yours.",
    "not_your_turn": "It is not your turn.",
    "before_the_roll": "Roll first, then move.",
    "no_piece_there": "There is no piece on square 7.",
    "must_move": "You can use this 4, so you have to.",
    "own_piece": "Your own piece is on square 9.",
    "must_clear_start": "Your piece on square 1 has to go first: others wait to come in.",
    "must_enter": "With this 6 you have to bring a piece in.",
    "needs_entry_roll": "Only a 6 brings a piece in, you rolled 4.",
    "enters_elsewhere": "A piece that comes in goes to square 6.",
    "past_the_end": "That piece has only 4 squares left, you rolled 5.",
    "not_your_finish": "Finish square a is for green pieces only.",
    "jump_in_finish": "You cannot jump over your piece on finish square a.",
    "nothing_to_capture": "You go back only to capture, and nobody is on square 5.",
    "block": "Two pieces on square 13 block the way.",
    "globe_in_the_way": "A star takes no piece past a globe, and there is one on square 9.",
    "not_the_next_star": "With a star that piece goes to the next star, square 6.",
    "pair_goes_half": "A Pair goes half the roll: 2, not 4.",
    "pair_needs_even": "A Pair moves with a 2, a 4 or a 6 only, you rolled 3.",
    "not_your_stack": "Stack 3 is not yours: it belongs to green.",
    "first_card_needs_number": "The first card of stack 2 needs a 2 or a 6.",
    "cards_do_not_add_up": "Those cards make 6, you rolled 5.",
    "stack_full": "Six cards are the most: stack 1 takes no more.",
}


def verdict_of(slip: str) -> tuple[Position, int | None, Refused]:
    text, rolled, tried, by, *_ = SLIPS[slip]
    where = at(text)
    face = None if rolled is None else face_of(where, rolled)
    verdict = judge(where, face, attempt(tried), by)
    assert isinstance(verdict, Refused)
    return where, face, verdict


@pytest.mark.parametrize("slip", SENTENCES)
def test_a_slip_reads_well(slip: str) -> None:
    where, face, verdict = verdict_of(slip)
    assert phrases.refusal(where.game, verdict.refusals[0], face) == SENTENCES[slip]


def said(text: str, rolled: Roll, tried: str) -> str:
    where = at(text)
    verdict = judge(where, face_of(where, rolled), attempt(tried))
    assert isinstance(verdict, Refused)
    return phrases.refusal(where.game, verdict.refusals[0], face_of(where, rolled))


def test_counts_of_nothing_and_of_one_read_well() -> None:
    assert (
        said("german | yellow 5 | red 25", 4, "5>5") == "That piece has not moved on, you rolled 4."
    )
    assert said("german | yellow 5 | red 25", 4, "5>6") == "That is 1 square, you rolled 4."
    where = "german | yellow Y.d 7 | red 25"
    assert said(where, 4, "Y.d>") == "That piece has come to its end and stays there."
    where = "dutch | red 50 | yellow 45"
    assert said(where, 4, "50>") == (
        "That piece has to stop on the star on square 51: only 1 square is left."
    )


def test_the_special_die_is_spoken_of_by_its_signs() -> None:
    assert said("dutch | red 6 | yellow 45", "star", "R.B>1") == (
        "Only a globe brings a piece in, you rolled a star."
    )


@pytest.mark.parametrize(
    ("slip", "way_out"),
    [
        ("wrong_count", "Put it back, and play 5 to 9."),
        ("must_enter", "Put it back, and play a new piece on 1."),
        ("must_move", "Play 5 to 9 or 15 to 19."),
        ("before_the_roll", "Put it back, and roll."),
        ("not_your_turn", "Put it back, and wait for your turn."),
        ("past_the_end", "Put it back: nothing can move with this roll."),
        ("pair_moves_whole", "Put it back, and play the Pair 20 to 22."),
        ("first_card_needs_number", "Take the card back, and lay the first card of stack 3."),
    ],
)
def test_a_refusal_comes_with_the_way_out(slip: str, way_out: str) -> None:
    where, _, verdict = verdict_of(slip)
    assert phrases.remedy(where.game, verdict) == way_out


def test_of_many_moves_only_the_first_are_named() -> None:
    where = at("british | red 10 20 30 40 | green 55")
    verdict = judge(where, 3, attempt("10>12"))
    assert isinstance(verdict, Refused)
    assert phrases.remedy(where.game, verdict) == (
        "Put it back, and play 10 to 13, 20 to 23 or another legal move."
    )


def test_after_the_game_nothing_can_be_played() -> None:
    where = at("german | yellow Y.a Y.b Y.c Y.d | red 25 | turn - home yellow")
    verdict = judge(where, 3, attempt("25>28"))
    assert isinstance(verdict, Refused)
    assert phrases.remedy(where.game, verdict) == "Put everything back, or start a new game."


def test_an_unclear_attempt_is_asked_about() -> None:
    where = at("pairs | red 20 20 | yellow 45")
    verdict = judge(where, 6, attempt("20>"))
    assert isinstance(verdict, Unclear)
    assert phrases.unclear(where.game, verdict) == (
        "Which do you mean: 20 to 26 or the Pair 20 to 23?"
    )


@pytest.mark.parametrize(
    ("text", "move", "sentences"),
    [
        ("german | yellow 5 | red 9", "yellow 4 5>9",
         ["The red piece on square 9 is captured: it goes to its base."]),
        ("german | yellow 1 2 | red 25", "yellow 6 1>7", ["Yellow rolls again."]),
        ("german | yellow Y.a Y.b Y.c 35 | red 25", "yellow 6 35>Y.a", []),
        ("german | yellow Y.d Y.b Y.c 35 | red 25", "yellow 6 35>Y.a",
         ["Yellow has brought everything home!"]),
        ("german+compulsory_capture | yellow 5 15 | red 9", "yellow 4 15>19",
         ["A capture was missed: the yellow piece on square 5 goes to its base."]),
        ("dutch | red 3 | yellow 5 5", "red 2 3>5",
         ["Two pieces stand on square 5: the red piece goes back to its base."]),
        ("pairs | red 20 | yellow 45 | turn red sixes 3", "red 6 -",
         ["That was one six too many: the turn of red is over."]),
        ("cards | red 0 0 1 0 | green 0 0 2 0", "red 3 add 3",
         ["Stack 3 of green is beaten: its cards go back."]),
    ],
)  # fmt: skip
def test_a_happening_reads_well(text: str, move: str, sentences: list[str]) -> None:
    where = at(text)
    played = where.game.move(move)
    if not sentences:
        assert played not in where.game.legal_moves(where, played.face)
        return
    told = outcome(where, played).happenings
    assert [phrases.happening(where.game, one) for one in told] == sentences


def random_attempt(where: Position, rng: random.Random) -> Attempt:
    """One or two hops between any two places, or a lift, or a pass."""
    names = [place.name for place in where.game.board.places]
    hops = [
        Hop(rng.choice([*names, None]), rng.choice(names)) for _ in range(rng.choice([0, 1, 1, 2]))
    ]
    return Attempt(tuple(hops))


@slow
@given(situations(), st.integers(0, 10**6))
def test_whatever_hands_do_there_is_a_sentence_without_gaps(
    situation: tuple[Position, int], seed: int
) -> None:
    where, face = situation
    rng = random.Random(seed)
    for _ in range(20):
        rolled = rng.choice([face, face, None])
        verdict = judge(where, rolled, random_attempt(where, rng))
        lines = []
        if isinstance(verdict, Refused):
            lines = [phrases.refusal(where.game, one, rolled) for one in verdict.refusals]
            lines.append(phrases.remedy(where.game, verdict))
        elif isinstance(verdict, Unclear):
            lines = [phrases.unclear(where.game, verdict)]
        else:
            lines = [phrases.happening(where.game, o) for o in verdict.outcome.happenings]
        for line in lines:
            assert re.fullmatch(r"[A-Z][^{}]*[.!?]", line), line
            assert "  " not in line
            assert " ." not in line
            assert " ," not in line


def test_every_gap_of_every_sentence_can_be_filled() -> None:
    gaps = {
        "roll",
        "who_rolled",
        "entering",
        "counted",
        "half",
        "bonus",
        "otherwise",
        "whose",
        "place",
        "at",
        "last_at",
        "places",
    }
    for sentence in [*REFUSALS.values(), *AT_ZERO.values(), *OF_A_BONUS.values()]:
        for text in [sentence] if isinstance(sentence, str) else sentence:
            assert {name for _, name, _, _ in Formatter().parse(text) if name} <= gaps


class Shouting(NullTranslations):
    """A language that is English in capitals, gaps apart."""

    def gettext(self, message: str) -> str:
        return re.sub(r"(\{\w+\})|([^{]+)", lambda m: m[1] or m[2].upper(), message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.mark.parametrize("slip", SLIPS)
def test_every_word_goes_through_the_translations(slip: str) -> None:
    where, face, verdict = verdict_of(slip)
    spoken = phrases.refusal(where.game, verdict.refusals[0], face, Shouting())
    spoken += phrases.remedy(where.game, verdict, Shouting())
    assert not re.search(r"[a-z]{2}", spoken), spoken
