"""What readings can tell at best: which colours may stand where after a sequence of readings.

Somebody who knows how the board stood, and then only hears the sensors, follows every piece. A
piece that goes silently onto another, or from under it, is an act that no reading shows: of two
stories the one with fewer silent acts is believed. Where the true story is not believed more
than the false one, nobody can blame a box for believing the false one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from companion.events import Reading, Snapshot

Picture = tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]
"""Places with their colours, sorted, and the colours in the air."""

FOREIGN = 2
"""How strange it is that a piece lies in another colour's base: stranger than one silent act."""
LOST = 2
"""How strange it is that a reading was lost on the way."""
MOST = 3000
"""More pictures than this are not followed: then nothing can be told."""


def _picture(stands: Mapping[str, Sequence[str]], air: Iterable[str]) -> Picture:
    places = tuple(sorted((p, tuple(sorted(own))) for p, own in stands.items() if own))
    return places, tuple(sorted(air))


def pictures(
    stands: Mapping[str, Sequence[str]],
    air: Iterable[str],
    readings: Iterable[Reading | Snapshot],
    bases: Mapping[str, str],
    most: int = 4,
) -> dict[Picture, int] | None:
    """The pictures that fit the readings, each with how strange its story is; None: too many.

    `bases` says which colour's base a place belongs to: what lies there is that colour's, unless
    all else would be stranger.
    """
    known = {_picture(stands, air): 0}
    for reading in readings:
        heard: dict[Picture, int] = {}
        for shown in _alike(known):
            for place, on in _changes(reading, shown):
                shown = _step(shown, place, on, bases.get(place), most)
            for picture, cost in shown.items():
                heard[picture] = min(cost, heard.get(picture, cost))
        best = min(heard.values(), default=0)
        known = {one: cost for one, cost in heard.items() if cost <= best + FOREIGN}
        if len(known) > MOST:
            return None
    return known


def _alike(known: Mapping[Picture, int]) -> list[dict[Picture, int]]:
    """The pictures sorted by what sensors would show: a lost reading leaves several of these."""
    found: dict[frozenset[str], dict[Picture, int]] = {}
    for picture, cost in known.items():
        found.setdefault(frozenset(place for place, _ in picture[0]), {})[picture] = cost
    return list(found.values())


def _step(
    known: Mapping[Picture, int], place: str, on: bool, base_of: str | None, most: int
) -> dict[Picture, int]:
    """What pictures become by a reading; if none explains it, who came there left unheard."""
    step: dict[Picture, int] = {}
    for picture, cost in known.items():
        for after, more in _after(picture, place, on, base_of) or _unheard(picture, place):
            if cost + more < step.get(after, most + 1):
                step[after] = cost + more
    best = min(step.values(), default=0)
    return {one: cost for one, cost in step.items() if cost <= best + FOREIGN}


def _unheard(picture: Picture, place: str) -> list[tuple[Picture, int]]:
    """A piece that stood alone came to a place, and the reading of its leaving was lost."""
    stands, air = picture
    board = dict(stands)
    return [
        (_picture({**board, origin: (), place: own}, air), LOST)
        for origin, own in stands
        if len(own) == 1
    ]


def _changes(reading: Reading | Snapshot, known: Mapping[Picture, int]) -> list[tuple[str, bool]]:
    """A snapshot as the readings that were not heard: what went first, then what came."""
    if isinstance(reading, Reading):
        return [(reading.place, reading.on)]
    on = {place for place, _ in next(iter(known))[0]}
    gone = [(place, False) for place in sorted(on - reading.on)]
    return gone + [(place, True) for place in sorted(reading.on - on)]


def _after(
    picture: Picture, place: str, on: bool, base_of: str | None
) -> list[tuple[Picture, int]]:
    """What a picture becomes by a reading, without and with silent acts before it."""
    found = []
    for (stands, air), cost in _silently(picture):
        board = dict(stands)
        if not on:
            found.append((_picture({**board, place: ()}, (*air, *board.get(place, ()))), cost))
        elif place in board:
            found.append(((stands, air), cost))
        else:
            for colour in sorted(set(air)):
                rest = list(air)
                rest.remove(colour)
                strange = cost + (FOREIGN if base_of not in (None, colour) else 0)
                found.append((_picture({**board, place: (colour,)}, rest), strange))
            plain = cost + (1 if air else 0)
            for came, left in _off_stacks(stands):
                found.append((_picture({**board, **left, place: came}, air), plain + len(came) - 1))
    return found


def _off_stacks(
    stands: tuple[tuple[str, tuple[str, ...]], ...],
) -> Iterator[tuple[tuple[str, ...], dict[str, tuple[str, ...]]]]:
    """Who may leave a stack unseen, with what stays there: one piece, or two of a colour at once.

    Two can: where pairs are moved, and a third one stays.
    """
    for origin, own in stands:
        for colour in sorted(set(own)):
            for number in range(1, min(own.count(colour), 2, len(own) - 1) + 1):
                left = list(own)
                for _ in range(number):
                    left.remove(colour)
                yield (colour,) * number, {origin: tuple(left)}


def _silently(picture: Picture) -> list[tuple[Picture, int]]:
    """The picture as it is, and as a piece set on top and another pulled out would make it."""
    found = [(picture, 0)]
    stands, air = picture
    for place, own in stands:
        for held in sorted(set(air)):
            for below in sorted(set(own) - {held}):
                rest, left = list(air), list(own)
                rest.remove(held)
                left.remove(below)
                board = {**dict(stands), place: (*left, held)}
                found.append((_picture(board, (*rest, below)), 1))
    return found


def _cost(
    picture: Picture,
    board: Counter[tuple[str, str]],
    away: Sequence[str],
    spot_of: Mapping[str, str],
) -> int:
    """How many pieces were set silently on top of others if this picture is that board; -1: no."""
    stands = Counter((spot_of[place], colour) for place, own in picture[0] for colour in own)
    if stands - board:
        return -1
    hidden = Counter(colour for _, colour in (board - stands).elements())
    return hidden.total() if Counter(picture[1]) == hidden + Counter(away) else -1


def can_tell(
    known: Mapping[Picture, int] | None,
    true: tuple[Counter[tuple[str, str]], Sequence[str]],
    claimed: tuple[Counter[tuple[str, str]], Sequence[str]],
    spot_of: Mapping[str, str],
) -> bool:
    """Whether the readings speak more for the truth than for what the box claims.

    Both are a board and the colours that are off it.
    """
    if known is None:
        return False
    return _least(known, true, spot_of) < _least(known, claimed, spot_of)


def _least(
    known: Mapping[Picture, int],
    board: tuple[Counter[tuple[str, str]], Sequence[str]],
    spot_of: Mapping[str, str],
) -> int:
    """How strange the likeliest story of a board is, and of the colours that are off it."""
    costs = (
        silent + hidden
        for picture, silent in known.items()
        if (hidden := _cost(picture, *board, spot_of)) >= 0
    )
    return min(costs, default=99)


def certain(known: Mapping[Picture, int] | None, place: str, true: tuple[str, ...] | None) -> bool:
    """Whether the best stories agree that these colours, or none, stand on a place."""
    if not known:
        return False
    costs = {picture: cost + len(picture[1]) for picture, cost in known.items()}
    best = min(costs.values())
    return {dict(one[0]).get(place) for one, cost in costs.items() if cost == best} == {true}


def speaks_for(
    known: Mapping[Picture, int] | None,
    true: tuple[Counter[tuple[str, str]], Sequence[str]],
    spot: str | None,
    colour: str,
    spot_of: Mapping[str, str],
) -> bool:
    """Whether a story with this colour there, or off the board, is believed no less than truth."""
    if known is None:
        return True
    costs = [
        cost
        for picture, cost in known.items()
        if (spot is None and colour in picture[1])
        or any(spot_of[place] == spot and colour in own for place, own in picture[0])
    ]
    return min(costs, default=99) <= _least(known, true, spot_of)


def believed(
    known: Mapping[Picture, int] | None,
    true: tuple[Counter[tuple[str, str]], Sequence[str]],
    spot_of: Mapping[str, str],
) -> Iterator[Counter[tuple[str, str]]]:
    """The boards of all stories that are no stranger than the truth."""
    least = _least(known or {}, true, spot_of)
    for (places, _), cost in (known or {}).items():
        if cost <= least < 99:
            yield Counter((spot_of[place], one) for place, own in places for one in own)


def looks_illegal(
    known: Mapping[Picture, int] | None,
    true: tuple[Counter[tuple[str, str]], Sequence[str]],
    illegal: Callable[[Counter[tuple[str, str]]], bool],
    spot_of: Mapping[str, str],
) -> bool:
    """Whether an illegal act is a story that is less strange than the truth.

    Where a reading was lost the truth is no story at all, and only the likeliest stories count.
    """
    if known is None:
        return True
    least = min(_least(known, true, spot_of), min(known.values(), default=0) + 1)
    return any(
        cost < least
        and illegal(Counter((spot_of[place], one) for place, own in places for one in own))
        for (places, _), cost in known.items()
    )
