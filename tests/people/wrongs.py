"""Illegal acts: what hands do against the rules, whether sensors see it, which clauses fit.

Every kind is drawn evenly from those that the position lets somebody do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from companion.rules import Attempt, BadInput, Move, Pass, Position, Refused, judge, legal_moves
from companion.rules import Hop as Said
from companion.rules.boards import BASE
from tests.people.acts import deed_of
from tests.people.table import Ground, Hop, colours_in, game_of, ground

Board = Counter[str]
"""How many sensors of a spot are on: of a square one, of a base or home up to four."""


@dataclass
class Wrong:
    """One illegal act: pieces that go where they may not, or a die thrown against the order."""

    kind: str
    hops: list[Hop] = field(default_factory=list)
    victim: Hop | None = None
    """A piece taken home that was not captured, or not by this."""
    style: str = "first"
    legal_first: Move | None = None
    """A legal move that is made before, where it is the second piece that is too much."""


def wrongs(position: Position, face: int | None, rng: Random) -> Wrong | None:
    """An illegal act that can be done now, of a kind drawn evenly; None if nothing can be."""
    makers = MOVING if face is not None else WAITING
    for maker in rng.sample(makers, len(makers)):
        found = list(maker(position, face or rng.randint(1, 6)))
        found = [one for one in found if not _is_legal(position, face, one)]
        if found:
            wrong = rng.choice(found)
            wrong.style = rng.choice(("first", "last", "meanwhile", "on_top"))
            return wrong
    return None


# -- kinds ---------------------------------------------------------------------------------


def _own(position: Position) -> Iterator[tuple[int, int]]:
    """The pieces whose turn it is: seat and progress, each spot once."""
    for seat in game_of(position).hands[position.seat]:
        for piece in sorted(set(position.pieces[seat])):
            yield seat, piece


def _others(position: Position) -> Iterator[tuple[int, int]]:
    game = game_of(position)
    mine = game.hands[position.seat]
    for seat in game.in_play:
        if seat not in mine:
            for piece in sorted(set(position.pieces[seat])):
                yield seat, piece


def _hop(position: Position, seat: int, origin: int, target: int) -> Hop:
    game = game_of(position)
    return Hop(game.colours[seat], game.spot(seat, origin), game.spot(seat, target))


def _rival_at(position: Position, seat: int, spot: str) -> Hop | None:
    """A single piece of another colour on a spot, and its way home."""
    game = game_of(position)
    for other in game.in_play:
        if other != seat:
            there = [piece for piece in position.pieces[other] if game.spot(other, piece) == spot]
            if there and there[0] != BASE:
                return _hop(position, other, there[0], BASE)
    return None


def _to(position: Position, seat: int, origin: int, target: int, kind: str) -> Iterator[Wrong]:
    """A piece goes to a square; what stands there of another colour is sent home."""
    game = game_of(position)
    if not 0 <= target <= game.last or target == origin:
        return
    hop = _hop(position, seat, origin, target)
    victim = _rival_at(position, seat, hop.target)
    yield Wrong(kind if victim is None else f"{kind}, captures", [hop], victim)


def wrong_count(position: Position, face: int) -> Iterator[Wrong]:
    """Too far, or not far enough."""
    for seat, origin in _own(position):
        if origin != BASE:
            for steps in range(1, 10):
                if steps != face:
                    yield from _to(position, seat, origin, origin + steps, "wrong count")


def wrong_capture(position: Position, face: int) -> Iterator[Wrong]:
    """Miscounted onto somebody else's piece, which is sent home."""
    return (one for one in wrong_count(position, face) if one.victim is not None)


def backward(position: Position, face: int) -> Iterator[Wrong]:
    """The wrong way round."""
    for seat, origin in _own(position):
        if origin > 0:
            for steps in {face, 1, 2, 3}:
                yield from _to(position, seat, origin, origin - steps, "backward")


def refused_by_duty(position: Position, face: int) -> Iterator[Wrong]:
    """By the roll, but something else has to be done, or something stands in the way."""
    for seat, origin in _own(position):
        if origin != BASE:
            yield from _to(position, seat, origin, origin + face, "may not though counted right")


def enters_wrongly(position: Position, face: int) -> Iterator[Wrong]:
    """Out of the base without the roll for it, or too far."""
    for seat, origin in _own(position):
        if origin == BASE:
            for target in (0, 5, face):
                yield from _to(position, seat, BASE, target, "enters")


def wrong_colour(position: Position, face: int) -> Iterator[Wrong]:
    """A child moves somebody else's piece by the roll."""
    for seat, origin in _others(position):
        if origin != BASE:
            yield from _to(position, seat, origin, origin + face, "wrong colour")


def foreign_finish(position: Position, face: int) -> Iterator[Wrong]:
    """Into another colour's finish."""
    game = game_of(position)
    for seat, origin in _own(position):
        if 0 <= origin <= game.board.track_end:
            for other, _ in _others(position):
                spot = game.spot(other, game.board.track_end + 1)
                yield Wrong(
                    "foreign finish", [Hop(game.colours[seat], game.spot(seat, origin), spot)]
                )


def takes_home(position: Position, face: int) -> Iterator[Wrong]:
    """A piece is sent to its base that nobody has captured."""
    for seat, origin in _others(position):
        if 0 <= origin <= game_of(position).board.track_end:
            yield Wrong("sent home uncaptured", [_hop(position, seat, origin, BASE)])


def gives_up(position: Position, face: int) -> Iterator[Wrong]:
    """An own piece goes back to its base."""
    for seat, origin in _own(position):
        if origin >= 0:
            yield Wrong("own piece to base", [_hop(position, seat, origin, BASE)])


def second_piece(position: Position, face: int) -> Iterator[Wrong]:
    """A legal move, and then another own piece too."""
    moves = [move for move in legal_moves(position, face) if isinstance(move, Move)]
    game = game_of(position)
    for move in moves:
        deed = deed_of(position, move)
        after = game.play(position, move)
        if deed.victims or deed.penalty or deed.touched or after.over or after.due is not None:
            continue  # what comes then may be a legal move, too
        for seat, origin in _own(position):
            target = origin + face
            if seat == move.seat and 0 <= origin != move.origin and target <= game.last:
                hop = _hop(position, seat, origin, target)
                if target not in (move.target, *position.pieces[seat]) and not _rival_at(
                    position, seat, hop.target
                ):
                    yield Wrong("second piece too", [hop], legal_first=move)


def two_wrong(position: Position, face: int) -> Iterator[Wrong]:
    """Two pieces of different colours are moved, both wrongly."""
    mine, others = (
        [one for one in some if one.victim is None and not _is_legal(position, face, one)]
        for some in (wrong_count(position, face), wrong_colour(position, face))
    )
    for first in mine[:6]:
        for second in others[:6]:
            spots = {spot for hop in (*first.hops, *second.hops) for spot in hop[1:]}
            if len(spots) == 4:
                yield Wrong("two pieces, both wrong", [*first.hops, *second.hops])


def victim_elsewhere(position: Position, face: int) -> Iterator[Wrong]:
    """A legal capture, but the captured piece is set on some square instead of its base."""
    game = game_of(position)
    taken = {spot for spot, _ in colours_in(position)}
    for move in legal_moves(position, face):
        if not isinstance(move, Move):
            continue
        deed = deed_of(position, move)
        if len(deed.victims) != 1 or deed.penalty or deed.touched or move.size > 1:
            continue
        victim = deed.victims[0]
        for square in range(0, game.board.track, 5):
            spot = str(square + 1)
            if spot not in taken and spot not in deed.spots:
                hops = [Hop(victim.colour, victim.origin, spot), *deed.mover]
                yield Wrong("captured piece set elsewhere", hops)


def exchange(position: Position, face: int) -> Iterator[Wrong]:
    """Two pieces of different colours change places, both in the air: no sensor can tell."""
    for seat, origin in _own(position):
        for other, there in _others(position):
            last = game_of(position).board.track_end
            if 0 <= origin <= last and 0 <= there <= last:
                game = game_of(position)
                here, far = game.spot(seat, origin), game.spot(other, there)
                if here != far:
                    mine, theirs = game.colours[seat], game.colours[other]
                    yield Wrong("exchange", [Hop(mine, here, far), Hop(theirs, far, here)])


def before_the_roll(position: Position, face: int) -> Iterator[Wrong]:
    """Somebody whose turn it is moves without having rolled."""
    for seat, origin in _own(position):
        target = 0 if origin == BASE else origin + face
        yield from _to(position, seat, origin, target, "before rolling")


def out_of_turn(position: Position, face: int) -> Iterator[Wrong]:
    """Somebody else moves, whose turn it is not."""
    for seat, origin in _others(position):
        if origin != BASE:
            yield from _to(position, seat, origin, origin + face, "out of turn")


Maker = Callable[[Position, int], Iterator[Wrong]]
MOVING: list[Maker] = [
    wrong_count, wrong_capture, backward, refused_by_duty, enters_wrongly, wrong_colour,
    foreign_finish, takes_home, gives_up, second_piece, two_wrong, victim_elsewhere, exchange,
]  # fmt: skip
WAITING: list[Maker] = [before_the_roll, out_of_turn, takes_home, gives_up]


def _is_legal(position: Position, face: int | None, wrong: Wrong) -> bool:
    """Whether the rules have nothing against it after all."""
    if face is None or wrong.legal_first or len(wrong.hops) != 1:
        return False
    return not isinstance(_verdict(position, face, wrong.hops), Refused)


# -- judging -------------------------------------------------------------------------------


def _verdict(position: Position, face: int | None, hops: Iterable[Hop]) -> object:
    said = tuple(Said(hop.origin or None, hop.target or None) for hop in hops)
    try:
        return judge(position, face, Attempt(said))
    except BadInput:
        return None


def clauses(framings: Iterable[tuple[Position, int | None, list[Hop]]]) -> set[str]:
    """Every clause that `judge` gives for the attempt, whole, or hop by hop."""
    found: set[str] = set()
    for position, face, hops in framings:
        ways = [hops, *([hop] for hop in hops), *([hop._replace(target="")] for hop in hops)]
        for way in ways:
            verdict = _verdict(position, face, way)
            if isinstance(verdict, Refused):
                found |= {refusal.clause for refusal in verdict.refusals}
    return found


# -- seeing --------------------------------------------------------------------------------


def sensed(colours: Iterable[tuple[str, str]], ground: Ground) -> Board:
    """What sensors say: a square is on or off, of a base or home each spot counts."""
    board: Board = Counter(spot for spot, _ in colours)
    for spot in board:
        board[spot] = min(board[spot], len(ground.places_of.get(spot, (spot,))))
    return board


def lawful_boards(position: Position, face: int | None) -> list[Board]:
    """Every board that is right now, or on the way of a legal move, as sensors see it."""
    lie = ground(game_of(position).board)
    boards = [sensed(colours_in(position).elements(), lie)]
    if face is None:
        return boards
    for move in legal_moves(position, face):
        if isinstance(move, Pass) or not isinstance(move, Move):
            continue
        deed = deed_of(position, move)
        after = colours_in(game_of(position).play(position, move))
        boards.append(sensed(after.elements(), lie))
        for hop in deed.penalty:
            after[hop.target, hop.colour] -= 1
            after[hop.origin, hop.colour] += 1
        boards.append(sensed(after.elements(), lie))
        begun = colours_in(position)
        for hop in deed.victims:
            begun[hop.origin, hop.colour] -= 1
            begun[hop.target, hop.colour] += 1
        boards.append(sensed(begun.elements(), lie))
        if move.size == 2:
            boards.append(boards[-1] + sensed(after.elements(), lie))
    return boards


def stands_wrong(seen: Board, lawful: Iterable[Board]) -> bool:
    """Whether on every reading some piece stands where no legal move leaves it."""
    return all(any(count > board[spot] for spot, count in seen.items()) for board in lawful)


def like_a_push(seen: Board, right: Board, lie: Ground) -> bool:
    """Whether it looks as if a sleeve had pushed a piece to the next square."""
    extra, missing = seen - right, right - seen
    return bool(extra) and all(
        any(near in missing for near in lie.beside.get(spot, ())) for spot in extra
    )
