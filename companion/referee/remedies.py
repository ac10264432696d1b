"""Remedies: the fewest steps for hands from how pieces stand to how they should."""

from companion.referee.outlines import Eyes, Step
from companion.referee.picture import AIR, Picture

Way = tuple[int, str, str]
"""A piece to move: whose, from where, to where."""


def ways_between(eyes: Eyes, picture: Picture, goal: Picture) -> list[Way]:
    """The pieces that are elsewhere than the goal has them, each with where it goes.

    Pieces of one colour are as good as each other: the nearest goes.
    """
    found: list[Way] = []
    for seat, (has, wants) in enumerate(zip(picture.pieces, goal.pieces, strict=True)):
        if has == wants:
            continue
        origins, targets = _without(has, wants), _without(wants, has)
        while origins and targets:
            pairs = ((eyes.way_back(seat, a, b), a, b) for a in origins for b in targets)
            _, origin, target = min(pairs)
            origins.remove(origin)
            targets.remove(target)
            found.append((seat, origin, target))
    return found


def _without(some: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
    rest = list(some)
    for one in others:
        if one in rest:
            rest.remove(one)
    return rest


def steps_between(
    eyes: Eyes, picture: Picture, goal: Picture, colours: tuple[str, ...]
) -> tuple[Step, ...]:
    """The steps from a picture to a goal, in an order in which no square is needed too early."""
    return tuple(_step(way, colours) for way in in_order(eyes, ways_between(eyes, picture, goal)))


def in_order(eyes: Eyes, ways: list[Way]) -> list[Way]:
    """First the steps whose squares are free; of two that wait for each other one goes off."""
    left, found = list(ways), []
    while left:
        taken = [origin for _, origin, _ in left if origin != AIR and not eyes.holds_many(origin)]
        free = next((way for way in left if way[2] not in taken or way[2] == way[1]), None)
        if free is None:
            seat, origin, target = left.pop(0)
            found.append((seat, origin, AIR))
            left.append((seat, AIR, target))
        else:
            left.remove(free)
            found.append(free)
    return found


def _step(way: Way, colours: tuple[str, ...]) -> Step:
    seat, origin, target = way
    return Step(origin or None, target or None, colours[seat])
