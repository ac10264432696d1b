"""From a picture that is wrong to what hands seem to have done, and what is wrong with that."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.referee.hearing import verdict_on
from companion.referee.hops import Hops
from companion.referee.match import Match
from companion.referee.outlines import Eyes
from companion.referee.picture import AIR, Picture
from companion.referee.remedies import Astray, ways_between
from companion.rules import Attempt, Hop, Refusal, Refused
from companion.rules.places import is_base


class Fault(NamedTuple):
    """What is to be said, and about which attempt; None if that cannot be told."""

    refusals: tuple[Refusal, ...]
    attempt: Attempt | None


def fault_in(
    eyes: Eyes,
    match: Match,
    pictures: Sequence[Picture],
    goal: Picture,
    strays: list[str],
    touched: list[str],
    hops: Hops,
    owed: Mapping[int, int],
) -> Fault:
    """What is wrong in every picture; where they differ, at least that two pieces are off.

    A piece that was off the board before, and is still `owed` to its base or to its square, is not
    what was moved; and where only one piece is off, and nobody knows whose, it is taken for the
    piece of whose turn it is.
    """
    astray = [
        (_number_astray(eyes, one, goal), _owed_moved(eyes, one, goal, owed)) for one in pictures
    ]
    plain = [one for one, number in zip(pictures, astray, strict=True) if number == min(astray)]
    found = [fault_of(eyes, match, one, goal, strays, touched, hops, owed) for one in plain]
    if all(fault == found[0] for fault in found):
        return found[0]
    common = [one for one in found[0].refusals if all(one in other.refusals for other in found)]
    if common:
        return Fault(tuple(common), None)
    places = {spot for one in pictures for way in ways_between(eyes, one, goal) for spot in way[1:]}
    if any(len(ways_between(eyes, one, goal)) > 1 for one in pictures):
        return Fault((Refusal("O7", "two_pieces", tuple(sorted(places - {AIR}))),), None)
    in_turn = match.game.hands[match.position.seat]
    own = (any(seat in in_turn for seat, _, _ in ways_between(eyes, one, goal)) for one in plain)
    return next((fault for fault, theirs in zip(found, own, strict=True) if theirs), found[0])


def _number_astray(eyes: Eyes, picture: Picture, goal: Picture) -> int:
    """How many pieces are not where they belong, but for those on their way to a base."""
    ways = ways_between(eyes, picture, goal)
    return sum(not (at == AIR and eyes.holds_many(belongs)) for _, at, belongs in ways)


def _owed_moved(eyes: Eyes, picture: Picture, goal: Picture, owed: Mapping[int, int]) -> int:
    """How many pieces that were off the board are on it elsewhere than where they belong."""
    in_air = picture.at(AIR)
    return sum(
        max(0, number - in_air.count(seat))
        for at, number in owed.items()
        for seat in set(goal.at(eyes.spots[at]))
    )


def fault_of(
    eyes: Eyes,
    match: Match,
    picture: Picture,
    goal: Picture,
    strays: list[str],
    touched: list[str],
    hops: Hops,
    owed: Mapping[int, int],
) -> Fault:
    """What is wrong by the rules with pieces that stand elsewhere than in the game.

    `touched` are the spots whose sensors changed, the latest last; `strays` those with a piece
    from nowhere; `hops` knows when.
    """
    ways = _owed_held(eyes, ways_between(eyes, picture, goal, hops), owed)
    moved = _as_carried(eyes, ways, hops)
    likely = (
        _struck_own(eyes, picture, moved, touched, hops),
        _went_home_unseen(eyes, goal, moved, strays, touched),
        _attempt(eyes, moved, strays, hops),
        _attempt(eyes, moved, strays, hops, pushed=False),
        _sent_home(eyes, moved, hops),
    )
    attempts = [attempt for attempt in likely if attempt is not None]
    places = tuple(spot for _, at, belongs in moved for spot in (belongs, at) if spot)
    if not attempts:
        return Fault((Refusal("O7", "two_pieces", places or tuple(strays)),), None)
    for attempt in attempts:
        seats = (seat for seat, at, belongs in moved if Hop(belongs, at) in attempt.hops)
        verdict = verdict_on(match, attempt, next(seats, None))
        if isinstance(verdict, Refused):
            return Fault(verdict.worth_saying, attempt if len(attempt.hops) == 1 else None)
    return Fault((Refusal("O8", "unfinished", places),), attempts[0])


def _owed_held(eyes: Eyes, moved: list[Astray], owed: Mapping[int, int]) -> list[Astray]:
    """Of two alike, one in a hand and one put down, the one in the hand is who was owed before."""
    found = list(moved)
    for one in moved:
        if one.here == AIR or not owed.get(eyes.index[one.belongs]):
            continue
        held = next((way for way in found if way.seat == one.seat and way.here == AIR), None)
        if held is not None and held.belongs != one.belongs:
            found[found.index(held)] = one._replace(here=AIR)
            found[found.index(one)] = one._replace(belongs=held.belongs)
    return found


def _as_carried(eyes: Eyes, moved: list[Astray], hops: Hops) -> list[Astray]:
    """Pieces of one colour as they went one after the other, not each the nearest way back.

    One that was pushed came from beside where it stands.
    """
    known = [one for one in moved if AIR in one[1:] or _was_pushed(eyes, one, hops)]
    found = []
    for seat in dict.fromkeys(seat for seat, _, _ in moved):
        own = [one for one in moved if one[0] == seat and one not in known]
        found += [one for one in known if one[0] == seat]
        left = sorted((belongs for _, _, belongs in own), key=hops.left_by)
        taken = sorted((at for _, at, _ in own), key=hops.taken_by)
        found += [Astray(seat, at, belongs) for at, belongs in zip(taken, left, strict=True)]
    return found


def _was_pushed(eyes: Eyes, one: Astray, hops: Hops) -> bool:
    return eyes.beside(one.belongs, one.here) and hops.pushed(one.belongs, one.here)


def _went_home_unseen(
    eyes: Eyes, goal: Picture, moved: list[Astray], strays: list[str], touched: list[str]
) -> Attempt | None:
    """Something from nowhere lies in a base: it is one of that colour, from where hands were."""
    for stray in strays if not moved else ():
        owner = eyes.owner[eyes.index[stray]]
        for spot in reversed(touched) if eyes.holds_many(stray) else ():
            if owner in goal.at(spot) and spot != stray:
                return Attempt((Hop(spot, stray),))
    return None


def _attempt(
    eyes: Eyes, moved: list[Astray], strays: list[str], hops: Hops, *, pushed: bool = True
) -> Attempt | None:
    """The hops to put to the rules.

    Pieces sent home by the mover are left out, and those that may only have been `pushed`, where
    another was not.
    """
    struck = _struck(eyes, moved, hops)
    rest = [one for one in moved if one not in struck] or moved
    stand = [one for one in rest if one.here != AIR]
    if not stand and not rest:
        return Attempt((Hop(None, strays[0]),)) if strays else None
    carried = [
        one
        for one in stand
        if not eyes.beside(one.belongs, one.here) or hops.carried(one.belongs, one.here)
    ]
    meant = carried if pushed and len(stand) > 1 else []
    chosen = meant or stand or rest[:1]
    return Attempt(tuple(Hop(one.belongs or None, one.here or None) for one in chosen))


def _struck(eyes: Eyes, moved: list[Astray], hops: Hops) -> list[Astray]:
    """The pieces that were sent home by one that stands where they stood, or stood there."""
    landed = {one.here for one in moved}
    return [
        one
        for one in moved
        if (one.belongs in landed or any(_stood_at(one.belongs, by, hops) for by in moved))
        and _went_to_base(eyes, one)
    ]


def _stood_at(spot: str, mover: Astray, hops: Hops) -> bool:
    """Whether something stood at a spot between a piece's leaving and its landing elsewhere."""
    if AIR in mover[1:] or mover.belongs == spot:
        return False
    return (
        hops.left_by(mover.belongs)
        < hops.taken(spot)
        < hops.left_by(spot)
        <= hops.taken_by(mover.here)
    )


def _sent_home(eyes: Eyes, moved: list[Astray], hops: Hops) -> Attempt | None:
    """The move beside it may be allowed, and nobody be captured by it."""
    struck = [one for one in _struck(eyes, moved, hops) if one.here != AIR]
    return Attempt(tuple(Hop(one.belongs, one.here) for one in struck)) if struck else None


def _went_to_base(eyes: Eyes, one: Astray) -> bool:
    """Whether a piece lies in its base, or may be on the way there, as captured ones do."""
    if one.here == AIR:
        return True
    return is_base(one.here) and eyes.owner[eyes.index[one.here]] == one.seat


def _struck_own(
    eyes: Eyes, picture: Picture, moved: list[Astray], touched: list[str], hops: Hops
) -> Attempt | None:
    """A piece seems to have gone into its base: another of its colour was sent there instead.

    Pieces of one colour are alike; only what was touched since the mover left tells where it
    has ended. Who was still there when something lay in the base was not sent there.
    """
    if len(moved) != 1 or moved[0].here == AIR or not _went_to_base(eyes, moved[0]):
        return None
    seat, base, belongs = moved[0]
    for spot in reversed(touched):
        later = spot != belongs and hops.taken(spot) >= hops.left(belongs)
        gone = hops.left_by(spot) <= hops.taken_by(base)
        if later and gone and not eyes.holds_many(spot) and seat in picture.at(spot):
            return Attempt((Hop(belongs, spot),))
    return None
