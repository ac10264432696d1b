"""Judging what hands did on a board: the same clauses that make the legal moves, asked aloud."""

from typing import TYPE_CHECKING

from companion.rules.boards import BASE
from companion.rules.errors import BadInput
from companion.rules.moves import AnyMove, Attempt, Hop, Move
from companion.rules.positions import Position
from companion.rules.verdicts import Accepted, Refusal, Refused, Unclear, Verdict

if TYPE_CHECKING:
    from companion.rules.boardgame import BoardGame


def judge(
    game: "BoardGame",
    position: Position,
    face: int | None,
    attempt: Attempt,
    by: str | None = None,
) -> Verdict:
    """Accepted, Refused with every clause that is broken, or Unclear."""
    if face is not None:
        game.face(face)
    legal = game.legal_moves(position, face) if face is not None else []
    order = out_of_order(position, face, by)
    if not attempt.hops:
        return _judge_pass(game, position, face, legal, order)
    hops = [_places(game, hop) for hop in attempt.hops]
    if len(set(hops)) > 1 or len(hops) > 2:
        names = tuple(name for hop in attempt.hops for name in hop if name)
        return Refused((*order, Refusal("O7", "two_pieces", names)), tuple(legal))
    hop = hops[0]
    if hop.origin is None or hop.target is None:
        return _judge_partly_seen(game, position, face, hop, legal, order)
    sizes = (2,) if len(hops) == 2 else game.numbers.sizes
    return _judge_hop(game, position, face, hop, sizes, legal, order)


def out_of_order(position: Position, face: int | None, by: str | None) -> tuple[Refusal, ...]:
    """The table's order: the game is on, it is that player's turn, the die has been rolled."""
    if position.over:
        return (Refusal("O1", "game_over"),)
    found = []
    if by is not None and by != position.colour:
        found.append(Refusal("O1", "not_your_turn"))
    if face is None or position.opening is not None:
        found.append(Refusal("O3", "before_the_roll"))
    return tuple(found)


def _judge_pass(
    game: "BoardGame",
    position: Position,
    face: int | None,
    legal: list[AnyMove],
    order: tuple[Refusal, ...],
) -> Verdict:
    if order:
        return Refused(order, tuple(legal))
    assert face is not None
    move = game.passes[position.seat][face]
    if move in legal:
        return Accepted(move, game.outcome(position, move))
    places = tuple(dict.fromkeys(game.stops(m)[0] for m in legal if isinstance(m, Move)))
    return Refused((Refusal("O6", "must_move", places),), tuple(legal))


def _places(game: "BoardGame", hop: Hop) -> Hop:
    """The same hop with base and home spots named as one place, `R.B` and `R.H`."""
    return Hop(_spot(game, hop.origin), _spot(game, hop.target))


def _spot(game: "BoardGame", name: str | None) -> str | None:
    if name is None:
        return None
    place = game.board.by_name.get(name) or game.board.by_name.get(f"{name}1")
    if place is None or (place.name != name and place.kind not in ("base", "home")):
        raise BadInput(f"there is no place {name!r} on the board of {game.sheet.id}")
    return place.name[:3] if place.kind in ("base", "home") else place.name


def _judge_hop(
    game: "BoardGame",
    position: Position,
    face: int | None,
    hop: Hop,
    sizes: tuple[int, ...],
    legal: list[AnyMove],
    order: tuple[Refusal, ...],
) -> Verdict:
    """One way to read a hop per colour that stands there (and per size): the best counts."""
    assert hop.origin is not None
    assert hop.target is not None
    standing = [seat for seat in game.in_play if _stands(game, position, seat, hop.origin)]
    if not standing:
        return Refused((*order, Refusal("O5", "no_piece_there", (hop.origin,))), tuple(legal))
    readings = []
    own = [] if position.over else [seat for seat in game.hands[position.seat] if seat in standing]
    for seat in own or standing:
        origin = game.read_spot(seat, hop.origin)
        target = progress_at(game, seat, hop.target)
        for size in sizes:
            refusals = list(order)
            if seat not in own:
                refusals.append(Refusal("O4", "not_your_piece", (hop.origin,)))
            if target is None:
                refusals.append(off_way(game, seat, hop.target))
            elif face is not None and not position.over:
                move = Move(seat, face, origin, target, size)
                refusals += objections(game, position, move)
                if not refusals and move in legal:
                    return Accepted(move, game.outcome(position, move))
            readings.append(tuple(refusals))
    return Refused(min(readings, key=len), tuple(legal))


def _stands(game: "BoardGame", position: Position, seat: int, spot: str) -> bool:
    return progress_at(game, seat, spot) in position.pieces[seat]


def progress_at(game: "BoardGame", seat: int, spot: str) -> int | None:
    """The progress a spot means for a colour; None if it is not on its way."""
    place = game.board.by_name.get(spot) or game.board.by_name[f"{spot}1"]
    return game.board.progress_at(seat, place)


def off_way(game: "BoardGame", seat: int, spot: str) -> Refusal:
    """A colour has no business on this spot: another's finish, or behind its own start."""
    place = game.board.by_name.get(spot) or game.board.by_name[f"{spot}1"]
    if place.kind in ("finish", "home"):
        return Refusal(game.off_way_clause, "not_your_finish", (spot,))
    return Refusal("O8", "not_on_your_way", (spot,))


def objections(game: "BoardGame", position: Position, move: Move) -> list[Refusal]:
    """Every clause that objects to a move, with its evidence; none means it is legal."""
    if game.ends_turn(position, move.face):
        return [Refusal(game.numbers.sixes_clause, "too_many_sixes")]
    found = [
        Refusal(clause, *evidence)
        for clause, count in game.counts
        if (evidence := count(game, move))
    ]
    found += [
        Refusal(clause, *evidence)
        for clause, forbid in game.forbids
        if (evidence := forbid(game, position, move))
    ]
    if move.seat in game.hands[position.seat]:
        found += _neglected(game, position, move)
    return found


def _neglected(game: "BoardGame", position: Position, move: Move) -> list[Refusal]:
    """The duties that a move leaves undone, strongest first."""
    found = []
    moves = game.free_moves(move.seat, position, move.face)
    for clause, duty in game.compels:
        wanted = duty(position, moves) if moves else []
        if wanted and move.origin not in {one.origin for one in wanted}:
            places = tuple(dict.fromkeys(game.spot(one.seat, one.origin) for one in wanted))
            slip = "must_enter" if wanted[0].origin == BASE else "must_clear_start"
            found.append(Refusal(clause, slip, places))
        moves = wanted or moves
    return found


def _judge_partly_seen(
    game: "BoardGame",
    position: Position,
    face: int | None,
    hop: Hop,
    legal: list[AnyMove],
    order: tuple[Refusal, ...],
) -> Verdict:
    """Only where from, or only one place pressed: find the legal moves that fit."""
    spot = hop.origin or hop.target
    assert spot is not None
    if order:
        return Refused(order, tuple(legal))
    moves = [move for move in legal if isinstance(move, Move)]
    ends = 1 if hop.origin else 2
    fits = [move for move in moves if spot in game.stops(move)[:ends]]
    if len(fits) == 1:
        return Accepted(fits[0], game.outcome(position, fits[0]))
    if fits:
        return Unclear(tuple(fits))
    assert face is not None
    own = [seat for seat in game.hands[position.seat] if _stands(game, position, seat, spot)]
    if own:
        origin = game.read_spot(own[0], spot)
        return Refused(_what_stops(game, position, own[0], origin, face), tuple(legal))
    if any(_stands(game, position, seat, spot) for seat in game.in_play):
        return Refused((Refusal("O4", "not_your_piece", (spot,)),), tuple(legal))
    if hop.origin:
        return Refused((Refusal("O5", "no_piece_there", (spot,)),), tuple(legal))
    return Refused((Refusal("O8", "nothing_goes_there", (spot,)),), tuple(legal))


def _what_stops(
    game: "BoardGame", position: Position, seat: int, origin: int, face: int
) -> tuple[Refusal, ...]:
    """What keeps a piece where it is: the objections to whichever step has the fewest."""
    steps = [Move(seat, face, origin, target, size) for target, size in game.thinkable()]
    fewest: list[Refusal] = min((objections(game, position, move) for move in steps), key=len)
    return tuple(fewest)


def why_pass(game: "BoardGame", position: Position, face: int) -> tuple[Refusal, ...]:
    """What keeps each piece from moving with this roll, every reason once."""
    if position.opening is not None or position.over:
        return ()
    found: dict[Refusal, None] = {}
    for seat in game.hands[position.seat]:
        for origin in dict.fromkeys(position.pieces[seat]):
            found |= dict.fromkeys(_what_stops(game, position, seat, origin, face))
    return tuple(found)
