"""A family's own rules: any sheet on a board as the base, and switches that change it.

A switch is an article with clause functions of its own, under an id of its own (H1, H2 ...), so
that a refusal names the family's rule. What it takes the place of in the base goes out of the
base's articles; nothing anywhere asks which switch is on. A game with switches is written like
one with options, `british+capture_rolls+bounce red,green`: journals, records and positions need
no more than that, and a game of last year replays though the family has changed its rules since.

What cannot go together is named, with the way out (`contradictions`), before anybody plays it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.rules.articles import Article, Count, Forbid, Option, Pieces, Sheet
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BASE, Board
from companion.rules.clauses import (
    Enters,
    SquaresFor,
    captured_something,
    exact_count,
    fits_before_the_end,
    forward_only,
    got_home,
    others_barrier,
    rival_block,
)
from companion.rules.moves import Move
from companion.rules.owing import OwingGame, owing
from companion.rules.verdicts import Evidence

SAFE_STEPS = {"40": (5,), "52": (0, 8), "52-mirrored": (0, 8), "68": (0, 8)}
"""The safe squares of a board on which none are printed, counted from every start."""


# -- clauses -------------------------------------------------------------------------------


def tries_with_nobody_out(game: BoardGame, pieces: Sequence[Pieces], seat: int) -> int:
    """Three rolls while every piece waits in base or has come to the end of its way."""
    own = pieces[seat]
    waiting = own.count(BASE)
    if not waiting:
        return 1
    if game.board.home:
        done = own[waiting:] == (game.last,) * (len(own) - waiting)
    else:
        done = own[waiting:] == tuple(range(game.last + 1 - len(own) + waiting, game.last + 1))
    return 3 if done else 1


def _bounced(game: BoardGame, move: Move) -> int:
    """Where a roll takes a piece: what is too much of it goes back from the end."""
    there = move.origin + move.face
    return there if there <= game.last else 2 * game.last - there


def exact_or_bounce(game: BoardGame, move: Move) -> Evidence | None:
    """H5: a piece goes as far as the roll says, and back from the end by what is left of it.

    Back to where it stands would be a move that nobody sees.
    """
    if move.origin == BASE:
        return None
    if move.origin == game.last:
        return Evidence("past_the_end", (game.spot(move.seat, move.origin),), 0)
    if move.target == _bounced(game, move) != move.origin:
        return None
    if move.origin + move.face > game.last:
        return Evidence("bounces", (game.spot(move.seat, _bounced(game, move)),))
    if move.target < move.origin:
        return Evidence("backwards", game.stops(move))
    return Evidence("wrong_count", game.stops(move), move.target - move.origin)


def into_base(game: BoardGame, move: Move) -> Evidence | None:
    """H5: nobody goes back into the base by hand."""
    return Evidence("backwards", game.stops(move)) if move.target == BASE != move.origin else None


# -- switches ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Switch:
    """One rule of a family: its article, what it changes in the numbers, and what it displaces."""

    option: Option
    article: Article
    numbers: Callable[[Numbers, Board, Any], Numbers] = lambda numbers, board, value: numbers
    displaces: tuple[Any, ...] = ()
    """Clause functions (or the type of one) that leave the base's articles."""

    @property
    def name(self) -> str:
        return self.option.name


def _safe(numbers: Numbers, board: Board, value: Any) -> Numbers:
    marked = SAFE_STEPS.get(board.name, ())
    squares = frozenset(turn * board.quarter + step for turn in range(4) for step in marked)
    return replace(numbers, shared_squares=squares)


def _third_six(clause: str) -> Callable[[Numbers, Board, Any], Numbers]:
    def change(numbers: Numbers, board: Board, value: Any) -> Numbers:
        return replace(numbers, most_sixes=2, sixes_clause=clause)

    return change


def _any_start(numbers: Numbers, board: Board, value: Any) -> Numbers:
    return replace(numbers, passed_spots=frozenset())


def _pieces(numbers: Numbers, board: Board, value: Any) -> Numbers:
    return replace(numbers, pieces=value)


ONE_OR_SIX = frozenset({1, 6})

SWITCHES: dict[str, Switch] = {
    switch.name: switch
    for switch in (
        Switch(
            Option("three_tries"),
            Article(
                "H1",
                "Three tries with nobody out: you roll up to three times until a piece can come "
                "in.",
                turn_rolls=tries_with_nobody_out,
            ),
        ),
        Switch(
            Option("safe_stars"),
            Article(
                "H2",
                "Safe stars: nobody is captured on them, and all colours stand side by side.",
                "Where the board shows none, they are every start and the square eight further "
                "on; on the board of forty the square halfway between two starts.",
            ),
            _safe,
        ),
        Switch(
            Option("capture_rolls"),
            Article("H3", "A capture gives you another roll.", earns_roll=captured_something),
        ),
        Switch(
            Option("home_rolls"),
            Article("H4", "A piece that gets home gives you another roll.", earns_roll=got_home),
        ),
        Switch(
            Option("bounce"),
            Article(
                "H5",
                "Exact or bounce: what is too much of a roll takes the piece back from the end.",
                "A roll that would end where the piece stands cannot be used for it.",
                counts=(exact_or_bounce, into_base),
            ),
            displaces=(exact_count, fits_before_the_end, forward_only),
        ),
        Switch(
            Option("barriers"),
            Article(
                "H6",
                "Barriers: nobody lands on or passes two pieces of another colour.",
                forbids=(others_barrier,),
            ),
        ),
        Switch(
            Option("one_or_six"),
            Article(
                "H7",
                "A one or a six brings a piece in.",
                "A one brings it onto its start square.",
                counts=(Enters(ONE_OR_SIX, 0),),
            ),
            _any_start,
            displaces=(Enters,),
        ),
        Switch(
            Option("pieces", 4, (2, 3, 4)),
            Article("H8", "Fewer pieces make a shorter game: two, three or four each."),
            _pieces,
        ),
        Switch(
            Option("third_six_void"),
            Article("H9", "The third six in a row is void, and your turn is over."),
            _third_six("H9"),
        ),
        Switch(
            Option("third_six_back"),
            Article(
                "H10",
                "The third six in a row sends the piece you moved last back to its base, and your "
                "turn is over.",
                "A piece that has left the track stays.",
                sends_back=True,
            ),
            _third_six("H10"),
        ),
        Switch(
            Option("twenty_for_a_capture"),
            Article(
                "H11",
                "A capture gives you twenty squares more, at once and with any piece.",
                "If no piece can use them they are lost.",
                earns_squares=SquaresFor(captured_something, 20),
                bonus=20,
            ),
        ),
        Switch(
            Option("ten_for_home"),
            Article(
                "H12",
                "A piece that gets home gives you ten squares more, at once and with any piece.",
                "If no piece can use them they are lost.",
                earns_squares=SquaresFor(got_home, 10),
                bonus=10,
            ),
        ),
    )
}


# -- a sheet with switches -----------------------------------------------------------------


def switches_in(options: Mapping[str, Any], sheet: Sheet) -> dict[str, Any]:
    """Of some options those that are switches and not the sheet's own."""
    own = {option.name for option in sheet.options}
    return {name: value for name, value in options.items() if name in SWITCHES and name not in own}


def with_switches(sheet: Sheet, chosen: Mapping[str, Any]) -> Sheet:
    """The same sheet with these switches: their articles go behind the sheet's own."""
    switches = [SWITCHES[name] for name in SWITCHES if name in chosen]
    displaced = tuple(clause for switch in switches for clause in switch.displaces)
    articles = [_without(article, displaced) for article in sheet.articles]
    if chosen.get("pieces", 4) != 4:
        articles = [_for_any_number(article) for article in articles]
    own = [replace(_fitting(sheet, switch), option=switch.name) for switch in switches]
    return replace(
        sheet,
        articles=(*articles, *own),
        options=(*sheet.options, *(switch.option for switch in switches)),
        build=_building(sheet, switches, chosen),
    )


def _without(article: Article, displaced: tuple[Any, ...]) -> Article:
    """An article without the counting clauses that a switch takes the place of."""
    kept = tuple(count for count in article.counts if not _is_one_of(count, displaced))
    return article if kept == article.counts else replace(article, counts=kept)


def _is_one_of(count: Count, displaced: tuple[Any, ...]) -> bool:
    return any(
        count is one or (isinstance(one, type) and isinstance(count, one)) for one in displaced
    )


def _for_any_number(article: Article) -> Article:
    """Barriers among fewer pieces than four are looked for in another way."""
    forbids: tuple[Forbid, ...] = tuple(
        others_barrier if forbid is rival_block else forbid for forbid in article.forbids
    )
    return article if forbids == article.forbids else replace(article, forbids=forbids)


def _fitting(sheet: Sheet, switch: Switch) -> Article:
    """The switch's article for this sheet: where a six walks on in, it still does."""
    if Enters not in switch.displaces:
        return switch.article
    entry = entry_of(sheet)
    assert entry is not None
    return replace(switch.article, counts=(Enters(ONE_OR_SIX, entry.landing, ((1, 0),)),))


def entry_of(sheet: Sheet) -> Enters | None:
    """How a piece comes in on a sheet, apart from its options."""
    for article in sheet.articles:
        for count in article.counts:
            if isinstance(count, Enters) and article.option is None:
                return count
    return None


def _building(
    sheet: Sheet, switches: Sequence[Switch], chosen: Mapping[str, Any]
) -> Callable[..., BoardGame]:
    """Build the base's game, and from its numbers the one with switches."""

    def build(made: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> BoardGame:
        base = sheet.build(replace(made, build=sheet.build), options, colours)
        assert isinstance(base, BoardGame)
        numbers = base.numbers
        for switch in switches:
            numbers = switch.numbers(numbers, base.board, chosen[switch.name])
        kind = OwingGame if owing(base.held) else BoardGame
        players = base.players if base.first_wins else None
        return kind(base.sheet, options, colours, numbers, base.neutral, players)

    return build


# -- contradictions ------------------------------------------------------------------------


class Contradiction(NamedTuple):
    """Two rules that cannot go together, or one that the base cannot have: why, and the way out."""

    switch: str
    other: str
    """The rule it cannot go together with, or the one that it needs; else empty."""
    kind: str
    base: str

    @property
    def why(self) -> str:
        """The reason, with the names that a file uses."""
        return REASONS[self.kind][0].format(**self._asdict())

    @property
    def way_out(self) -> str:
        """What to change."""
        return REASONS[self.kind][1].format(**self._asdict())


REASONS = {
    "has_already": ("{base} has this rule already", "leave {switch} off"),
    "not_both": ("{switch} and {other} cannot both hold", "leave one of them off"),
    "own_option": ("{base} has an option of its own for it", "use {other} instead of {switch}"),
    "other_count": ("{base} counts in its own way", "choose another sheet for {switch}"),
    "other_die": ("{switch} needs numbers on the die", "switch on {other}"),
    "other_entry": (
        "{base} brings pieces in with another number",
        "choose another sheet for {switch}",
    ),
    "no_board": ("{base} has no board", "choose another sheet for {switch}"),
}
"""By kind, why rules contradict each other, and the way out."""

ALREADY = {
    "safe_stars": ("pairs", "indian", "parchis"),
    "capture_rolls": ("indian",),
    "home_rolls": ("indian",),
    "barriers": ("british", "pairs", "parchis"),
    "third_six_void": ("pairs", "indian", "parchis"),
    "third_six_back": ("pairs", "indian", "parchis"),
    "twenty_for_a_capture": ("parchis",),
    "ten_for_home": ("parchis",),
}
NEEDS_NUMBERS = ("bounce", "one_or_six", "twenty_for_a_capture", "ten_for_home")
NEVER_TOGETHER = (
    ("third_six_void", "third_six_back"),
    ("bounce", "no_jumping_in_finish"),
    ("bounce", "capture_backwards"),
    ("three_tries", "neutral_colour"),
    ("twenty_for_a_capture", "neutral_colour"),
    ("ten_for_home", "neutral_colour"),
    ("third_six_back", "neutral_colour"),
    ("capture_rolls", "neutral_colour"),
    ("home_rolls", "neutral_colour"),
    ("pieces", "neutral_colour"),
)


def contradictions(sheet: Sheet, options: Mapping[str, Any]) -> list[Contradiction]:
    """What keeps these options and switches from being played on a sheet."""
    chosen = switches_in(options, sheet)
    on = {name for name, value in options.items() if value}
    found = [
        Contradiction(name, other, kind, sheet.id)
        for name in chosen
        for kind, other in _against_base(sheet, name, options)
    ]
    for one, other in NEVER_TOGETHER:
        if one in chosen and other in on:
            found.append(Contradiction(one, other, "not_both", sheet.id))
    return found


def _against_base(sheet: Sheet, name: str, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Why a sheet cannot have a switch, and the rule that the switch lacks."""
    if not isinstance(sheet.board, Board):
        yield "no_board", ""
        return
    if sheet.id in ALREADY.get(name, ()):
        yield "has_already", ""
    if name == "three_tries" and sheet.id == "german":
        yield "own_option", "three_rolls"
    if name == "bounce" and sheet.id == "pairs":
        yield "other_count", ""
    if name == "one_or_six" and sheet.id == "parchis":
        yield "other_entry", ""
    if name in NEEDS_NUMBERS and sheet.id == "dutch" and not options.get("plain_die"):
        yield "other_die", "plain_die"


def sentence(found: Iterable[Contradiction]) -> str:
    """Contradictions as one line."""
    return "; ".join(f"{one.why}: {one.way_out}" for one in found)
