"""Remedies: the fewest steps for hands from how pieces stand to how they should.

Where pictures of the table differ, only what all of them say is shown: a pair of squares that
holds in one picture alone would be a guess, and who follows it exchanges two colours.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeVar

from companion.referee.hops import Hops
from companion.referee.outlines import Eyes, Outline, Step
from companion.referee.picture import AIR, Picture
from companion.rules import NOBODY

T = TypeVar("T")


class Astray(NamedTuple):
    """A piece that is not where it belongs; of nobody's, if its colour is not known."""

    seat: int
    here: str
    belongs: str


def ways_between(
    eyes: Eyes, picture: Picture, goal: Picture, hops: Hops | None = None, *, held: bool = False
) -> list[Astray]:
    """The pieces that are elsewhere than the goal has them, each with where it goes.

    Pieces of one colour are as good as each other: the nearest goes, but one that was pushed,
    as far as `hops` are known, goes back to where it came from. A piece in the air may stand
    unseen on another one of its colour: who would have to join one there is not missed,
    unless it is known to be `held`.
    """
    found: list[Astray] = []
    for seat, (has, wants) in enumerate(zip(picture.pieces, goal.pieces, strict=True)):
        if has == wants:
            continue
        origins, targets = _without(has, wants), _without(wants, has)
        while origins and targets:
            origin, target = origins[0], targets[0]
            if len(origins) > 1 or len(targets) > 1:
                pairs = ((a, b) for a in origins for b in targets)
                _, origin, target = min((_far(eyes, seat, a, b, hops), a, b) for a, b in pairs)
            origins.remove(origin)
            targets.remove(target)
            if origin != AIR or held or eyes.holds_many(target) or target not in has:
                found.append(Astray(seat, origin, target))
    return found


def card_steps(picture: Picture, goal: Picture) -> tuple[Step, ...]:
    """A step for each card that comes off its stack, and then for each that is laid back.

    Cards do not walk: what comes off goes back to its player.
    """
    off: list[Step] = []
    on: list[Step] = []
    for has, wants in zip(picture.pieces, goal.pieces, strict=True):
        off += (Step(stack, None) for stack in _without(has, wants))
        on += (Step(None, stack) for stack in _without(wants, has))
    return (*off, *on)


def _far(eyes: Eyes, seat: int, here: str, belongs: str, hops: Hops | None) -> float:
    """How far a piece has to go back; one that was pushed goes first of all."""
    beside = AIR not in (here, belongs) and eyes.beside(belongs, here)
    if beside and hops is not None and hops.pushed(belongs, here):
        return 0.0
    return eyes.way_back(seat, here, belongs)


def _without(some: Iterable[str], others: Iterable[str]) -> list[str]:
    rest = list(some)
    for one in others:
        if one in rest:
            rest.remove(one)
    return rest


def agreed_steps(
    eyes: Eyes,
    pictures: Collection[Picture],
    goal: Picture,
    colours: tuple[str, ...],
    seen: Outline | None = None,
    hops: Hops | None = None,
    *,
    held: bool = False,
) -> tuple[Step, ...]:
    """The steps to a goal that are true in every picture, in an order that hands can follow.

    Where sensors see something that a picture knows nothing of, nobody is missed.
    """
    found = [Counter(ways_between(eyes, picture, goal, hops, held=held)) for picture in pictures]
    if seen is not None:
        for picture, ways in zip(pictures, found, strict=True):
            shown = eyes.shown(picture.pieces)
            for way in [one for one in ways if one[1] == AIR]:
                at = eyes.index[way[2]]
                ways[way] -= min(ways[way], max(seen[at] - shown[at], 0))
    same = _common(found)
    if len(found) == 1:
        return tuple(_step(way, colours) for way in in_order(eyes, [*same.elements()]))
    rest = [ways - same for ways in found]
    anybody = _whoever_it_is(eyes, pictures, rest)
    told = {one[1:] for one in anybody}
    rest = [Counter(one for one in ways.elements() if one[1:] not in told) for ways in rest]
    taken = _common([Counter(origin for _, origin, _ in ways.elements()) for ways in rest])
    missing = _common([Counter((s, to) for s, _, to in ways.elements()) for ways in rest])
    steps = [
        Step(origin, None, _colour_of(origin, rest, colours))
        for origin in taken.elements()
        if origin != AIR
    ]
    steps += [_step(way, colours) for way in in_order(eyes, [*same.elements(), *anybody])]
    steps += [Step(None, target, colours[seat]) for seat, target in missing.elements()]
    wanting = _common([Counter(to for _, _, to in ways.elements()) for ways in rest])
    wanting -= Counter(target for _, target in missing.elements())
    steps += [Step(None, target) for target in wanting.elements()]
    return tuple(steps)


def _whoever_it_is(
    eyes: Eyes, pictures: Collection[Picture], rest: list[Counter[Astray]]
) -> list[Astray]:
    """The ways that a piece has to go in every picture, only that its colour is not known.

    It stands there alone, so that nobody has to guess which one is meant.
    """
    ways = _common([Counter((origin, target) for _, origin, target in one) for one in rest])
    return [
        Astray(NOBODY, origin, target)
        for origin, target in ways
        if origin != AIR
        and not eyes.holds_many(origin)
        and all(len(picture.at(origin)) == 1 for picture in pictures)
    ]


def _common(counters: list[Counter[T]]) -> Counter[T]:
    """What is in all of them."""
    common = counters[0]
    for counter in counters[1:]:
        common = common & counter
    return common


def _colour_of(origin: str, rest: list[Counter[Astray]], colours: tuple[str, ...]) -> str | None:
    """The colour of what has to leave a spot, if all pictures agree on it."""
    seats = {seat for ways in rest for seat, where, _ in ways if where == origin}
    return colours[seats.pop()] if len(seats) == 1 else None


def in_order(eyes: Eyes, ways: list[Astray]) -> list[Astray]:
    """First the steps whose squares are free; of two that wait for each other one goes off."""
    left, found = list(ways), []
    while left:
        taken = [origin for _, origin, _ in left if origin != AIR and not eyes.holds_many(origin)]
        free = next((way for way in left if way[2] not in taken), None)
        if free is None:
            seat, origin, target = left.pop(0)
            found.append(Astray(seat, origin, AIR))
            left.append(Astray(seat, AIR, target))
        else:
            left.remove(free)
            found.append(free)
    return found


def _step(way: Astray, colours: tuple[str, ...]) -> Step:
    seat, origin, target = way
    return Step(origin or None, target or None, None if seat == NOBODY else colours[seat])
