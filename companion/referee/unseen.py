"""What hands may have done that no sensor shows: only what was touched, and when, tells of it."""

from itertools import product

from companion.referee.match import Match
from companion.referee.outlines import Difference, difference
from companion.referee.picture import AIR
from companion.referee.scene import OnTheWay, Wrong
from companion.referee.watch import Watch
from companion.rules import AnyMove, Move, outcome


def slid_unseen(watch: Watch, match: Match) -> AnyMove | None:
    """The one move from stack to stack on whose way something was touched before a roll."""
    if match.face is None or not watch.touched or watch.pictures.sure:
        return None
    fitting = [way for way in watch.scene.ways if watch.scene.rest in way.outlines]
    moves = [way.action for way in fitting if way.path(watch.eyes) & watch.touched.keys()]
    return moves[0] if len(moves) == 1 and not isinstance(moves[0], str) else None


def struck_unseen(watch: Watch, match: Match) -> tuple[AnyMove, ...]:
    """The moves to the square of somebody who was lifted there, and is not home yet.

    The board looks as if that one was merely put back.
    """
    eyes, seen = watch.eyes, watch.corrected
    return tuple(
        way.action
        for way in watch.scene.ways
        if isinstance(way.action, Move)
        and match.face is not None
        and not watch.pictures.sure
        and way.victims
        and way.victims <= watch.touched.keys()
        and eyes.shown(way.made.pieces) == seen
    )


def struck_another(watch: Watch, match: Match, move: AnyMove | None) -> bool:
    """Whether hands may have sent home another piece than the one that was captured.

    With two pieces of a colour in reach the board looks the same; only what was touched
    tells them apart: another one whose square was empty while the captor was in the hand.
    """
    if match.face is None or not isinstance(move, Move) or watch.pictures.sure:
        return False
    lifted = watch.hops.left(match.game.stops(move)[0])
    for told in outcome(match.position, move).happenings:
        pieces = match.position.pieces[told.seat]
        spots = {match.game.spot(told.seat, piece) for piece in pieces}
        touched = {spot for spot in spots if _is_touched(watch, spot)}
        if told.what == "captured" and touched:
            others = (spot for spot in touched if _was_off_since(watch, spot, lifted))
            return told.places[0] not in touched and any(others)
    return False


def left_unheard(watch: Watch, match: Match) -> str | None:
    """The square that somebody must have left unheard: then the one move to what stands is made.

    It began there, or slid over it.
    """
    eyes, seen, rest, found = watch.eyes, watch.corrected, watch.scene.rest, []
    for way in watch.scene.ways if match.face is not None else ():
        if isinstance(way.action, Move):
            origin = eyes.index[match.game.stops(way.action)[0]]
            slid_over = {at for at in way.path(eyes) & watch.touched.keys() if not rest[at]}
            left = difference(way.outlines[-1], seen, watch.slack)
            found += [
                eyes.spots[at]
                for at in (origin, *slid_over)
                if left == Difference({}, {at: 1}) and not eyes.holds_many(eyes.spots[at])
            ]
    return found[0] if len(found) == 1 else None


def _is_touched(watch: Watch, spot: str) -> bool:
    """Whether hands were at the piece on a square."""
    at = watch.eyes.index[spot]
    return at in watch.touched and watch.eyes.size[at] == 1


def _was_off_since(watch: Watch, spot: str, since: float) -> bool:
    """Whether nobody stood on a square for a while since then."""
    return not watch.seen[watch.eyes.index[spot]] or watch.hops.taken(spot) >= since


def may_pass(watch: Watch, sight: OnTheWay | Wrong) -> bool:
    """Whether a piece may just be on its way, whatever others lift or push meanwhile."""
    if isinstance(sight, OnTheWay) or sight.passing:
        return True
    eyes, seen = watch.eyes, bytearray(watch.corrected)
    for here, there in product(sight.change.came, sight.change.gone):
        one, other = eyes.spots[here], eyes.spots[there]
        if eyes.beside(one, other) and watch.hops.pushed(other, one):
            seen[here], seen[there] = 0, 1
    for there in sight.change.gone:
        seen[there] = max(seen[there], _is_held(watch, eyes.spots[there]))
    if seen == watch.corrected:
        return False
    straight = watch.look(bytes(seen))
    return isinstance(straight, OnTheWay) or (isinstance(straight, Wrong) and straight.passing)


def _is_held(watch: Watch, spot: str) -> bool:
    """Whether who was lifted from a square may still be in the air."""
    seats = () if watch.eyes.holds_many(spot) else watch.scene.goal.at(spot)
    return any(AIR in one.pieces[seat] for one in watch.pictures.all for seat in seats)


def stood_a_moment(watch: Watch, match: Match, *, from_stacks: bool = False) -> tuple[AnyMove, ...]:
    """The moves whose piece stood at its end, and was taken up again before anybody looked.

    It stood there, too, if its victim went home from under it. It may have been moved, and
    is in an eager hand now; or it never was let go of. Who stood there before the roll has
    made no move with it. `from_stacks`: also who left a stack where nobody was seen.
    """
    eyes, seen, hops = watch.eyes, watch.seen, watch.hops
    found = []
    for way in watch.scene.ways if match.face is not None else ():
        move = way.action
        if isinstance(move, Move):
            origin, target = match.game.stops(move)
            held = _may_hold(watch, move.seat, origin, from_stacks)
            missing = held and not seen[eyes.index[target]]
            homes = [base for (spot, base) in way.homes if spot == target]
            since, until = max(hops.left_by(origin), watch.began_at), hops.left_by(target)
            stood = any(since < hops.taken_by(spot) <= until for spot in (target, *homes))
            if missing and stood:
                found.append(move)
    return tuple(found)


def _may_hold(watch: Watch, seat: int, origin: str, from_stacks: bool) -> bool:
    """Whether a piece of a colour that stood on a spot may be in the air now.

    Not where nobody was at all, unless it left a stack; and who was pushed from there stands
    beside it.
    """
    at, stack = watch.eyes.index[origin], len(watch.scene.goal.at(origin)) > 1
    untouched = watch.seen[at] == watch.scene.rest[at] and at not in watch.touched
    untouched = untouched and not (from_stacks and stack)
    if untouched or watch.stands_now(at) != at:
        return False
    number = watch.scene.goal.pieces[seat].count(origin)
    owns = (one.pieces[seat] for one in watch.pictures.all)
    return any(AIR in own and own.count(origin) < number for own in owns)
