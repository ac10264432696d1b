"""Judging what hands did on a board: the same clauses that make the legal moves, asked aloud."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Forbid, MustMove
from companion.rules.boards import BASE, Place
from companion.rules.errors import BadInput, known
from companion.rules.moves import AnyMove, Attempt, Hop, Move, Pass
from companion.rules.positions import Position
from companion.rules.verdicts import Accepted, Evidence, Refusal, Refused, Unclear, Verdict

if TYPE_CHECKING:
    from companion.rules.boardgame import BoardGame


def judge_roll(
    position: Position, unplayed: int | None = None, by: str | None = None
) -> tuple[Refusal, ...]:
    """Why nobody, or not this colour, may roll now; `unplayed` is a roll still to be played."""
    found = list(_whose_turn(position, by, ()))
    if position.owed:
        found.append(Refusal("O2", "bonus_not_played", (), position.due))
    elif unplayed is not None and not position.over:
        found.append(Refusal("O2", "roll_not_played"))
    return tuple(found)


def out_of_order(
    position: Position, face: int | None, by: str | None, places: tuple[str, ...]
) -> tuple[Refusal, ...]:
    """The table's order: the game is on, it is that player's turn, the die has been rolled."""
    found = list(_whose_turn(position, by, places))
    if not position.over and (face is None or position.opening is not None):
        found.append(Refusal("O3", "before_the_roll", places))
    return tuple(found)


def _whose_turn(position: Position, by: str | None, places: tuple[str, ...]) -> tuple[Refusal, ...]:
    if by is not None:
        known("colour", by, position.game.colours)
    if position.over:
        return (Refusal("O1", "game_over", places),)
    if by is not None and by != position.colour:
        return (Refusal("O1", "not_your_turn", places),)
    return ()


def refusals_of(
    forbids: Iterable[tuple[str, Forbid]], game: Any, position: Position, move: AnyMove
) -> tuple[Refusal, ...]:
    """What the forbidding clauses say to one move."""
    return tuple(
        Refusal(clause, *evidence)
        for clause, forbid in forbids
        for _, evidence in forbid(game, position, [move])
    )


def clause_of_a_duty(
    duties: Iterable[tuple[str, MustMove]], game: Any, position: Position, moves: Sequence[AnyMove]
) -> str:
    """The article that says that one of these moves has to be made; O6 says so for all sheets."""
    return next((clause for clause, says in duties if says(game, position, moves)), "O6")


def objections(
    game: "BoardGame", position: Position, move: Move, free: Sequence[Move] | None = None
) -> tuple[Refusal, ...]:
    """Every clause that objects to a move, with its evidence; none means it is legal.

    Who asks about many moves of one colour may say which are `free`, but for duties.
    """
    if not position.owed and game.ends_turn(position, move.face):
        return _of_one_six_too_many(game, position, move)
    counted = game.counted_as(position, move)
    found = [
        _counting(game, clause, evidence, otherwise=counted is not move)
        for clause, count in game.counts
        if (evidence := count(game, counted))
    ]
    if position.pieces[move.seat].count(move.origin) < move.size:
        found.append(Refusal("O5", "no_pair", (game.spot(move.seat, move.origin),)))
    found += refusals_of(game.forbids, game, position, move)
    if move.seat in game.hands[position.seat]:
        found += _neglected(game, position, move, free)
    return tuple(found)


def _counting(game: "BoardGame", clause: str, evidence: Evidence, otherwise: bool) -> Refusal:
    """What a counting clause says; of a face that counts otherwise it is said which clause does."""
    if otherwise and evidence.slip == "wrong_count":
        return Refusal(game.reckons_clause, "counts_otherwise", evidence.places, evidence.counted)
    return Refusal(clause, *evidence)


def _of_one_six_too_many(game: "BoardGame", position: Position, move: Move) -> tuple[Refusal, ...]:
    """Nothing moves any more, or only the piece that has to go back."""
    (only,) = game.legal_moves(position, move.face)
    if move == only:
        return ()
    back = game.why_back(only)
    if back is not None:
        return (back,)
    return (Refusal(game.numbers.sixes_clause, "too_many_sixes", game.stops(move)),)


def _neglected(
    game: "BoardGame", position: Position, move: Move, free: Sequence[Move] | None
) -> list[Refusal]:
    """The duties that a move leaves undone, strongest first."""
    found: list[Refusal] = []
    if position.owed:
        return found
    moves = game.free_moves(move.seat, position, move.face) if free is None else free
    for clause, duty, called in game.compels:
        wanted = duty(game, position, moves) if moves else ()
        if wanted and move.origin not in {one.origin for one in wanted}:
            places = tuple(dict.fromkeys(game.spot(one.seat, one.origin) for one in wanted))
            slip = "must_enter" if wanted[0].origin == BASE else "must_clear_start"
            slip = called or slip
            found.append(Refusal(clause, slip, places))
        moves = wanted or moves
    return found


def what_stops(
    game: "BoardGame", position: Position, seat: int, origin: int, face: int
) -> tuple[Refusal, ...]:
    """What keeps a piece where it is: the objections to the step that the roll means."""
    forward = range(max(origin, 0), game.last + 1)
    sizes = [size for size in game.numbers.sizes if position.pieces[seat].count(origin) >= size]
    tables = game.steps[seat][game.counted_face(position, seat, face)]
    counted = [
        step for size in sizes for step in tables[size - 1][origin] if step.target in forward
    ]
    steps = (Move(seat, face, origin, target, size, game) for size in sizes for target in forward)
    free, fewest = game.free_moves(seat, position, face), None
    for step in counted or steps:
        found = objections(game, position, step, free)
        if fewest is None or len(found) < len(fewest):
            fewest = found
        if len(fewest) < 2:
            break
    assert fewest is not None
    return fewest


def why_pass(game: "BoardGame", position: Position, face: int) -> tuple[Refusal, ...]:
    """What keeps each piece from moving with this roll, every reason once."""
    if position.opening is not None or position.over:
        return ()
    found: dict[Refusal, None] = {}
    for seat in game.hands[position.seat]:
        for origin in dict.fromkeys(position.pieces[seat]):
            found |= dict.fromkeys(what_stops(game, position, seat, origin, face))
    return tuple(found)


class Judge:
    """One attempt at one position with one roll, looked at from every side."""

    def __init__(
        self, game: "BoardGame", position: Position, face: int | None, by: str | None
    ) -> None:
        self.game, self.position, self.by = game, position, by
        self.face = face = position.due if face is None else face
        self.legal = tuple(game.legal_moves(position, face)) if face is not None else ()
        self.own = () if position.over else game.hands[position.seat]

    def verdict(self, attempt: Attempt) -> Verdict:
        """Accepted, Refused with every clause that is broken, or Unclear."""
        hops = [Hop(self._spot(hop.origin), self._spot(hop.target)) for hop in attempt.hops]
        names = tuple(name for hop in hops for name in hop if name)
        if hops and not names:
            raise BadInput("an attempt names at least one place, or is a pass: -")
        order = out_of_order(self.position, self.face, self.by, names)
        if self.position.over or (order and not hops):
            return self._refused(order)
        if not hops:
            return self._of_a_pass()
        together = len(hops) == 2 and 2 in self.game.numbers.sizes
        if len(set(hops)) > 1 or (len(hops) > 1 and not together):
            return self._refused((*order, Refusal("O7", "two_pieces", names)))
        hop = hops[0]
        if hop.origin is None or hop.target is None:
            return self._refused(order) if order else self._of_one_place(hop, names[0])
        sizes = (2,) if together else self.game.numbers.sizes
        return self._of_a_hop(hop.origin, hop.target, sizes, order)

    def _refused(self, refusals: tuple[Refusal, ...]) -> Refused:
        return Refused(refusals, self.legal)

    def _accepted(self, move: AnyMove) -> Accepted:
        return Accepted(move, self.game.outcome(self.position, move))

    def _of_a_pass(self) -> Verdict:
        assert self.face is not None
        move = Pass(self.position.seat, self.face, self.game)
        if move in self.legal:
            return self._accepted(move)
        origins = [self.game.stops(one)[0] for one in self.legal if isinstance(one, Move)]
        moves = [one for one in self.legal if isinstance(one, Move)]
        clause = clause_of_a_duty(self.game.must_move, self.game, self.position, moves)
        return self._refused((Refusal(clause, "must_move", tuple(dict.fromkeys(origins))),))

    def _of_a_hop(
        self, origin: str, target: str, sizes: tuple[int, ...], order: tuple[Refusal, ...]
    ) -> Verdict:
        """One reading per colour that stands there and per size; the kindest one counts."""
        standing = self._standing(origin)
        if not standing:
            return self._refused((*order, Refusal("O5", "no_piece_there", (origin,))))
        readings = []
        for seat in [seat for seat in standing if seat in self.own] or standing:
            for size in sizes:
                refusals = (*order, *self._against(seat, origin, target, size))
                if not refusals:
                    assert self.face is not None
                    move = Move(
                        seat, self.face, *self._steps(seat, origin, target), size, self.game
                    )
                    return self._accepted(move)
                readings.append(refusals)
        return self._refused(min(readings, key=len))

    def _against(self, seat: int, origin: str, target: str, size: int) -> list[Refusal]:
        found = []
        if seat not in self.own:
            found.append(Refusal("O4", "not_your_piece", (origin,)))
        start, end = self._progress(seat, origin), self._progress(seat, target)
        assert start is not None
        if end is None:
            found.append(self._off_way(target))
        elif self.face is not None and self.position.opening is None:
            move = Move(seat, self.face, start, end, size, self.game)
            found += objections(self.game, self.position, move)
        return found

    def _off_way(self, spot: str) -> Refusal:
        """No business there: another colour's finish, or a square off this colour's way."""
        if self._place(spot).kind in ("finish", "home"):
            return Refusal(self.game.off_way_clause, "not_your_finish", (spot,))
        return Refusal("O8", "not_on_your_way", (spot,))

    def _of_one_place(self, hop: Hop, spot: str) -> Verdict:
        """Only where from, or only one place pressed: find the legal moves that fit."""
        assert self.face is not None
        ends = 1 if hop.origin else 2
        moves = [move for move in self.legal if isinstance(move, Move)]
        fits = tuple(move for move in moves if spot in self.game.stops(move)[:ends])
        if len(fits) == 1:
            return self._accepted(fits[0])
        if fits:
            return Unclear(fits)
        standing = self._standing(spot)
        for seat in standing:
            if seat in self.own:
                origin = self._progress(seat, spot)
                assert origin is not None
                return self._refused(what_stops(self.game, self.position, seat, origin, self.face))
        if standing:
            return self._refused((Refusal("O4", "not_your_piece", (spot,)),))
        if hop.origin:
            return self._refused((Refusal("O5", "no_piece_there", (spot,)),))
        return self._refused((Refusal("O8", "nothing_goes_there", (spot,)),))

    # -- places ----------------------------------------------------------------------------

    def _spot(self, name: str | None) -> str | None:
        """The same place with base and home spots named as one, `R.B` and `R.H`."""
        if name is None:
            return None
        place = self._place(name)
        return place.name[:3] if place.kind in ("base", "home") else place.name

    def _place(self, name: str) -> Place:
        by_name = self.game.board.by_name
        place = by_name.get(name) or by_name.get(f"{name}1")
        if place is None or (place.name != name and place.kind not in ("base", "home")):
            raise BadInput(f"there is no place {name!r} on the board of {self.game.sheet.id}")
        return place

    def _progress(self, seat: int, spot: str) -> int | None:
        return self.game.board.progress_at(seat, self._place(spot))

    def _steps(self, seat: int, origin: str, target: str) -> tuple[int, int]:
        return self.game.read_spot(seat, origin), self.game.read_spot(seat, target)

    def _standing(self, spot: str) -> list[int]:
        """The colours that have a piece there."""
        pieces = self.position.pieces
        return [s for s in self.game.in_play if self._progress(s, spot) in pieces[s]]
