"""Short ways to ask the rules, so that a clause test reads like the printed sheet.

Positions are written as the engine prints them, and may leave out what goes without saying:
the seats are the colours named, pieces that are not named wait in their base, and the turn is
with the colour named first. So `german | yellow 1 7 | red 21` is a whole position.
"""

import re

from companion.rules import (
    Accepted,
    Attempt,
    Happening,
    Position,
    Refused,
    Unclear,
    attempt,
    judge,
    legal_moves,
    outcome,
    position,
    recall_position,
)
from companion.rules.boards import letter

Roll = int | str
Where = str | Position


def at(text: Where) -> Position:
    """The position a text stands for, with what it leaves out filled in.

    A clause is asked about any position that the engine can go on from, also one that only a
    house ruling leads to; `typed` reads what a person may type.
    """
    return text if isinstance(text, Position) else recall_position(filled_in(text))


def typed(text: str) -> Position:
    """The same for a position that a game can come to by itself."""
    return position(filled_in(text))


def filled_in(text: str) -> str:
    """A position's text with seats, pieces in base and turn as they go without saying."""
    head, *parts = [part.strip() for part in text.split("|")]
    shared = [part for part in parts if part.split()[0] not in ("turn", "opening")]
    colours = [part.split()[0] for part in shared]
    if " " not in head:
        head = f"{head} {','.join(colours)}"
    if not head.startswith("cards"):
        asked = re.search(r"pieces=(\d)", head)
        wanted = int(asked[1]) if asked else 4
        shared = [_with_base(part, wanted) for part in shared]
    others = [part for part in parts if part.split()[0] in ("turn", "opening")]
    if not any(part.startswith("turn") for part in others):
        others.append(f"turn {colours[0]}")
    return " | ".join([head, *shared, *others])


def _with_base(part: str, wanted: int) -> str:
    colour, *spots = part.split()
    waiting = [f"{letter(colour)}.B"] * (wanted - len(spots))
    return " ".join([colour, *waiting, *spots])


def face_of(where: Position, roll: Roll) -> int:
    return where.game.read_face(str(roll))


def legal(text: Where, roll: Roll) -> set[str]:
    """The legal moves as `12>18`, `12>14 pair`, `add 1 3` or `-`; other colours are named."""
    where = at(text)
    moves = [where.game.move_text(move) for move in legal_moves(where, face_of(where, roll))]
    assert len(set(moves)) == len(moves), "the same move twice"
    found = set()
    for move in moves:
        colour, _, rest = move.split(" ", 2)
        found.add(rest if colour == where.colour else f"{colour} {rest}")
    return found


def played(text: Where, *moves: str) -> Position:
    """The position after legal moves such as `4 1>5`, `6 black 31>37` or `3 -`."""
    where = at(text)
    for move in moves:
        where = _outcome(where, move)[0]
    return where


def turns(start: Where, *moves: str) -> str:
    """Whose turn it is before each of these moves, and after them."""
    where = [at(start)]
    for move in moves:
        where.append(played(where[-1], move))
    return " ".join(str(one.colour) for one in where)


def happened(text: Where, *moves: str) -> set[str]:
    """What the last of these moves brought about, as `G7 captured red 5`."""
    *earlier, last = moves
    where = played(text, *earlier)
    return {_told(where, one) for one in _outcome(where, last)[1]}


def _told(where: Position, one: Happening) -> str:
    return " ".join([one.clause, one.what, where.game.colours[one.seat], *one.places])


def _outcome(where: Position, move: str) -> tuple[Position, tuple[Happening, ...]]:
    shown, rest = move.split(" ", 1)
    colour = where.colour
    if rest.split()[0] in where.game.colours:
        colour, rest = rest.split(" ", 1)
    wanted = where.game.move(f"{colour} {shown} {rest}")
    found = legal_moves(where, face_of(where, shown))
    texts = [where.game.move_text(one) for one in found]
    assert wanted in found, f"{move!r} is not legal in {where}: {texts}"
    return outcome(where, wanted)


def stand(where: Position, colour: str) -> str:
    """Where a colour's pieces stand, as the position prints them."""
    seat = where.game.colours.index(colour)
    return where.game.spots(seat, where.pieces[seat])


def turn(where: Position) -> str:
    """Whose turn it is and what is left of it: `red`, `yellow rolls 3`, `red sixes 1`, `-`."""
    return str(where).rpartition("| turn ")[2].partition(" home")[0]


def places(where: Position) -> list[str]:
    """The colours that have won their place, best first."""
    return list(where.ranking)


def refused(
    text: Where, roll: Roll | None, tried: str | Attempt, by: str | None = None
) -> dict[str, str]:
    """Every clause an attempt breaks, with slip, places and count: `{"G8": "own_piece 7"}`."""
    where = at(text)
    before = str(where)
    face = None if roll is None else face_of(where, roll)
    doing = attempt(tried) if isinstance(tried, str) else tried
    verdict = judge(where, face, doing, by)
    assert isinstance(verdict, Refused), f"{tried} is not refused: {verdict}"
    assert verdict.refusals, f"{tried} is refused without a reason"
    assert list(verdict.instead) == ([] if face is None else list(legal_moves(where, face)))
    assert str(where) == before
    found: dict[str, str] = {}
    for one in verdict.refusals:
        counted = [] if one.counted is None else [f"={one.counted}"]
        said = " ".join([one.slip, *one.places, *counted])
        found[one.clause] = f"{found[one.clause]}; {said}" if one.clause in found else said
    return found


def accepted(text: Where, roll: Roll, tried: str, by: str | None = None) -> str:
    """The move that an attempt is taken for."""
    where = at(text)
    verdict = judge(where, face_of(where, roll), attempt(tried), by)
    assert isinstance(verdict, Accepted), f"{tried} is not accepted: {verdict}"
    assert verdict.outcome == outcome(where, verdict.move)
    return where.game.move_text(verdict.move)


def unclear(text: Where, roll: Roll, tried: str) -> set[str]:
    """The moves that an attempt could be."""
    where = at(text)
    verdict = judge(where, face_of(where, roll), attempt(tried))
    assert isinstance(verdict, Unclear), f"{tried} is not unclear: {verdict}"
    return {where.game.move_text(move).split(" ", 2)[2] for move in verdict.moves}
