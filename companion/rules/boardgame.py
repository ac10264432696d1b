"""The engine of the sheets that are played on a board.

Every thinkable step is put to every clause: what the `counts` let pass is kept in tables when
the game is made, the `forbids` are asked at each roll, and the `compels` narrow what is left.
`judging.py` asks the same functions about the one move that hands made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.rules.articles import Pieces, Sheet
from companion.rules.boards import BASE, Board
from companion.rules.errors import BadInput
from companion.rules.game import FACES, Game
from companion.rules.judging import judge, why_pass
from companion.rules.moves import AnyMove, Attempt, Move, Pass
from companion.rules.positions import NOBODY, Position
from companion.rules.verdicts import Happening, Refusal, Verdict

OFF_TRACK = -1

_new = tuple.__new__


@dataclass(frozen=True)
class Numbers:
    """The numbers of a sheet, and the clauses that set them."""

    start_clause: str
    again_clause: str
    last_clause: str
    place_clause: str
    pieces: int = 4
    on_start: int = 0
    again: frozenset[int] = frozenset({6})
    sixes: int | None = None
    sixes_clause: str = ""
    sizes: tuple[int, ...] = (1,)
    most_on_square: int = 4
    shared_squares: frozenset[int] = frozenset()


class BoardGame(Game):
    """A sheet on a board, ready to play."""

    board: Board

    def __init__(
        self,
        sheet: Sheet,
        options: Mapping[str, Any],
        seats: tuple[str, ...],
        numbers: Numbers,
        neutral: int | None = None,
        players: tuple[tuple[int, ...], ...] | None = None,
    ) -> None:
        super().__init__(sheet, options, seats)
        assert isinstance(sheet.board, Board)
        self.board = sheet.board
        self.numbers = numbers
        self.neutral = neutral
        if players is not None:
            self.players = players
            self.order = tuple(sorted(seat for player in players for seat in player))
        self.first_wins = players is not None
        self.start_clause = numbers.start_clause
        self.place_clause = numbers.place_clause
        self.last = self.board.last
        self.arrived = self.last if self.board.home else self.board.track_end + 1
        self.hands = tuple(
            (seat,) if neutral is None else (seat, neutral) for seat in range(len(self.colours))
        )
        self.in_play = self.order if neutral is None else tuple(sorted((*self.order, neutral)))
        self.others = [
            tuple(other for other in self.in_play if other != seat)
            for seat in range(len(self.colours))
        ]
        self._collect_clauses()
        self._make_tables()

    # -- made once -------------------------------------------------------------------------

    def _collect_clauses(self) -> None:
        replaced = {clause for article in self.articles for clause in article.replaces}
        held = [article for article in self.articles if article.id not in replaced]
        self.counts = [(a.id, clause) for a in held for clause in a.counts]
        self.forbids = [(a.id, clause) for a in held for clause in a.forbids]
        self.compels = [(a.id, duty) for a in held for duty in a.compels]
        self.after = [(a.id, clause) for a in held for clause in a.after]
        self.off_way_clause = next((a.id for a in held if a.off_way), "O8")
        self.may_pass = next((a.may_pass for a in held if a.may_pass), None)
        self._turn_rolls = next((a.turn_rolls for a in held if a.turn_rolls), None)
        self._settles = next((a.settles for a in held if a.settles), None)
        self._sixes, self._again = self.numbers.sixes, self.numbers.again
        self._forbids = tuple(clause for _, clause in self.forbids)
        self._compels = tuple(duty for _, duty in self.compels)

    def _make_tables(self) -> None:
        board, seats = self.board, range(len(self.colours))
        # Lists over progress end with the entry of the base, so that index -1 finds it.
        way = [*range(self.last + 1), BASE]
        squares = [[board.square(seat, step) for step in way] for seat in seats]
        self.square = [[OFF_TRACK if s is None else s for s in row] for row in squares]
        self.upto = [self._masks(row) for row in self.square]
        self.rivals = [
            [
                tuple(
                    (other, step)
                    for other in self.others[seat]
                    if (step := board.progress(other, square)) is not None
                )
                for square in range(board.track)
            ]
            for seat in seats
        ]
        self.block_mask = lru_cache(1 << 14)(self._block_mask)
        self.rows = {size: self._rows(size) for size in (1, 2)}
        self.following: dict[tuple[int, tuple[int, ...]], int] = {}

    @staticmethod
    def _masks(squares: list[int]) -> list[int]:
        """For each progress the squares walked up to there, as bits; nothing from the base."""
        mask, masks = 0, []
        for square in squares[:-1]:
            mask |= 1 << square if square >= 0 else 0
            masks.append(mask)
        return [*masks, 0]

    def _rows(self, size: int) -> list[dict[int, list[tuple[Move, ...]]]]:
        """By seat, face and origin, the moves to which no counting clause objects."""
        steps = {
            face: [self._targets(face, origin, size) for origin in [*range(self.last + 1), BASE]]
            for face in FACES
        }
        return [
            {
                face: [
                    tuple(Move(seat, face, origin, target, size) for target in targets)
                    for origin, targets in zip([*range(self.last + 1), BASE], rows, strict=True)
                ]
                for face, rows in steps.items()
            }
            for seat in range(len(self.colours))
        ]

    def _targets(self, face: int, origin: int, size: int) -> list[int]:
        """Where a piece may go from here by this roll, the rest of the table aside."""
        if size not in self.numbers.sizes:
            return []
        counts = [clause for _, clause in self.counts]
        return [
            target
            for target in range(BASE, self.last + 1)
            if not any(clause(self, Move(0, face, origin, target, size)) for clause in counts)
        ]

    def thinkable(self) -> list[tuple[int, int]]:
        """Every target and size a hand could try from anywhere."""
        targets = range(BASE, self.last + 1)
        return [(target, size) for size in self.numbers.sizes for target in targets]

    def _block_mask(self, seat: int, pieces: Pieces) -> int:
        """The track squares on which a colour has two pieces or more, as bits."""
        mask, before = 0, BASE
        for piece in pieces:
            if piece == before and self.square[seat][piece] >= 0:
                mask |= 1 << self.square[seat][piece]
            before = piece
        return mask

    # -- asked by clauses ------------------------------------------------------------------

    def blocks(self, position: Position, seats: Sequence[int]) -> int:
        """The squares blocked by any of these colours, as bits."""
        mask = 0
        for seat in seats:
            mask |= self.block_mask(seat, position.pieces[seat])
        return mask

    def path(self, move: Move) -> int:
        """The track squares a move walks, the last one included, as bits."""
        upto = self.upto[move.seat]
        if move.target >= move.origin:
            return upto[move.target] & ~upto[move.origin]
        return upto[move.origin - 1] & ~upto[move.target - 1]

    def square_names(self, mask: int) -> tuple[str, ...]:
        """The names of the squares in a bit mask."""
        return tuple(str(s + 1) for s in range(self.board.track) if mask >> s & 1)

    def spot(self, seat: int, progress: int) -> str:
        """The name of a place on a colour's way."""
        return self.board.spot(seat, progress)

    def stops(self, move: Move) -> tuple[str, str]:
        """The names of both ends of a move."""
        return self.spot(move.seat, move.origin), self.spot(move.seat, move.target)

    def captured_by(self, pieces: Sequence[Pieces], move: Move) -> list[tuple[int, int]]:
        """Whose pieces stand where a move ends, with their progress there."""
        square = self.square[move.seat][move.target]
        if square < 0:
            return []
        return [rival for rival in self.rivals[move.seat][square] if rival[1] in pieces[rival[0]]]

    # -- playing ---------------------------------------------------------------------------

    def set_up(self) -> tuple[Pieces, ...]:
        numbers = self.numbers
        full = (BASE,) * (numbers.pieces - numbers.on_start) + (0,) * numbers.on_start
        return tuple(full if seat in self.in_play else () for seat in range(len(self.colours)))

    def legal_moves(self, position: Position, face: int) -> list[AnyMove]:
        seat = position.seat
        if position.opening is not None or seat < 0 or self.ends_turn(position, face):
            return [] if seat < 0 else [self.passes[seat][self.face(face)]]
        found: list[AnyMove] = []
        for colour in self.hands[seat]:
            moves = self.free_moves(colour, position, face)
            if len(moves) > 1:
                for duty in self._compels:
                    moves = duty(position, moves) or moves
            found += moves
        if not found or (self.may_pass is not None and self.may_pass(self, position, found)):
            found.append(self.passes[seat][face])
        return found

    def ends_turn(self, position: Position, face: int) -> bool:
        """Whether this roll ends the turn at once, as one six too many does."""
        return position.sixes + 1 == self._sixes and face in self._again

    def free_moves(self, colour: int, position: Position, face: int) -> list[Move]:
        """The moves of one colour that no clause forbids, duties aside."""
        if face not in FACES:
            self.face(face)
        singles = self.rows[1][colour][face]
        forbids, moves, before, paired = self._forbids, [], None, None
        for origin in position.pieces[colour]:
            if origin != before:
                before, thinkable = origin, singles[origin]
            elif origin != paired:
                paired, thinkable = origin, self.rows[2][colour][face][origin]
            else:
                continue
            for move in thinkable:
                for clause in forbids:
                    if clause(self, position, move):
                        break
                else:
                    moves.append(move)
        return moves

    def advance(self, position: Position, move: AnyMove, told: list[Happening]) -> Position:
        if position.opening is not None:
            return self.throw_for_start(position, move.face, told)
        if type(move) is not Move:
            return self._turn_on(position, move, position.pieces, told)
        pieces = list(position.pieces)
        pieces[move.seat] = shifted(pieces[move.seat], move.origin, move.target, move.size)
        for clause, after in self.after:
            happened = after(self, position, move, pieces)
            if happened:
                told += [Happening(clause, *one) for one in happened]
        return self._turn_on(position, move, tuple(pieces), told)

    def _turn_on(
        self, position: Position, move: AnyMove, pieces: tuple[Pieces, ...], told: list[Happening]
    ) -> Position:
        """Who rolls next: the same seat again, or the one whose turn comes after."""
        _, before, seat, rolls, sixes, home, _ = position
        arrived = pieces[seat][0] >= self.arrived and seat not in home
        if arrived:
            home = (*home, seat)
            told.append(Happening(self.place_clause, "home", seat))
        if self._settles and self.settled(pieces) and not self.settled(before):
            home = self._settles(position, home)
        if (arrived or self._settles) and self.is_over(home, pieces):
            return _new(Position, (self, pieces, NOBODY, 1, 0, home, None))
        if move.face in self._again:
            again = self._another_roll(position, move.face, arrived, home, pieces)
            told.append(again)
            if again.what == "again":
                return _new(Position, (self, pieces, seat, 1, sixes + 1, home, None))
        elif rolls > 1 and type(move) is Pass:
            return _new(Position, (self, pieces, seat, rolls - 1, 0, home, None))
        seat = self.next_seat(seat, home, pieces)
        rolls = self._turn_rolls(self, pieces, seat) if self._turn_rolls else 1
        return _new(Position, (self, pieces, seat, rolls, 0, home, None))

    def _another_roll(
        self,
        position: Position,
        face: int,
        arrived: bool,
        home: tuple[int, ...],
        pieces: Sequence[Pieces],
    ) -> Happening:
        """Whether a face that rolls again does so: not too often, and not when all is done."""
        numbers, seat = self.numbers, position.seat
        if self.ends_turn(position, face):
            return Happening(numbers.sixes_clause, "too_many_sixes", seat)
        if arrived or not self.takes_turns(seat, home, pieces):
            return Happening(numbers.last_clause, "no_more_rolls", seat)
        return Happening(numbers.again_clause, "again", seat)

    def next_seat(self, seat: int, home: tuple[int, ...], pieces: Sequence[Pieces]) -> int:
        if self.neutral is not None:
            return super().next_seat(seat, home, pieces)
        key = (seat, home)
        if key not in self.following:
            self.following[key] = super().next_seat(seat, home, pieces)
        return self.following[key]

    def turn_rolls(self, pieces: Sequence[Pieces], seat: int) -> int:
        return self._turn_rolls(self, pieces, seat) if self._turn_rolls else 1

    def settled(self, pieces: Sequence[Pieces]) -> bool:
        """Whether places can be given: not before every neutral piece is home."""
        return self.neutral is None or pieces[self.neutral][0] >= self.arrived

    def takes_turns(self, seat: int, home: tuple[int, ...], pieces: Sequence[Pieces]) -> bool:
        return seat not in home or not self.settled(pieces)

    def is_over(self, home: tuple[int, ...], pieces: Sequence[Pieces]) -> bool:
        """Over when all players but one are placed, or where the first winner ends it."""
        if not self.settled(pieces):
            return False
        done = sum(all(seat in home for seat in player) for player in self.players)
        return done >= (1 if self.first_wins else len(self.players) - 1)

    def places(self, position: Position) -> tuple[int, ...]:
        return position.home if self.settled(position.pieces) else ()

    def judge(
        self, position: Position, face: int | None, attempt: Attempt, by: str | None = None
    ) -> Verdict:
        return judge(self, position, face, attempt, by)

    def why_pass(self, position: Position, face: int) -> tuple[Refusal, ...]:
        return why_pass(self, position, face)

    # -- text ------------------------------------------------------------------------------

    def spots(self, seat: int, numbers: Pieces) -> str:
        return " ".join(self.spot(seat, number) for number in numbers)

    def read_spot(self, seat: int, word: str) -> int:
        """The progress a place name means for a colour; raises BadInput."""
        place = self.board.by_name.get(word) or self.board.by_name.get(f"{word}1")
        if place is None or (place.name != word and place.kind not in ("base", "home")):
            raise BadInput(f"there is no place {word!r} on the board of {self.sheet.id}")
        progress = self.board.progress_at(seat, place)
        if progress is None:
            raise BadInput(f"{word} is not on the way of {self.colours[seat]}")
        return progress

    def read_spots(self, seat: int, words: list[str]) -> Pieces:
        return tuple(sorted(self.read_spot(seat, word) for word in words))

    def check(self, position: Position) -> None:
        for seat, pieces in enumerate(position.pieces):
            wanted = self.numbers.pieces if seat in self.in_play else 0
            if len(pieces) != wanted:
                name = self.colours[seat]
                raise BadInput(f"{name} has {len(pieces)} pieces, in {self} it has {wanted}")
            self._check_crowding(seat, pieces)
            arrived = bool(pieces) and pieces[0] >= self.arrived
            if (seat in position.home) != (arrived and seat != self.neutral):
                raise BadInput(f"{self.colours[seat]} is home with all pieces or not at all")
        self._check_sharing(position)
        if position.over != self.is_over(position.home, position.pieces):
            raise BadInput("the turn is with nobody exactly when the game is over")

    def _check_crowding(self, seat: int, pieces: Pieces) -> None:
        for piece in set(pieces) - {BASE}:
            on_track = self.square[seat][piece] >= 0
            single = not on_track and not self.board.home
            most = 1 if single else self.numbers.most_on_square
            if piece == self.last and self.board.home:
                most = self.numbers.pieces
            if pieces.count(piece) > most:
                where = self.spot(seat, piece)
                raise BadInput(f"{where} cannot hold {pieces.count(piece)} {self.colours[seat]}")

    def _check_sharing(self, position: Position) -> None:
        owners: dict[int, int] = {}
        for seat in self.in_play:
            for piece in set(position.pieces[seat]):
                square = self.square[seat][piece]
                if square < 0 or square in self.numbers.shared_squares:
                    continue
                if owners.setdefault(square, seat) != seat:
                    raise BadInput(f"square {square + 1} cannot hold two colours")

    def move_text(self, move: AnyMove) -> str:
        start = f"{self.colours[move.seat]} {self.die.show(move.face)}"
        if type(move) is not Move:
            return f"{start} -"
        origin, target = self.stops(move)
        return f"{start} {origin}>{target}{' pair' if move.size == 2 else ''}"

    def read_move(self, seat: int, face: int, words: list[str]) -> AnyMove:
        origin, arrow, target = words[0].partition(">")
        if not arrow or words[1:] not in ([], ["pair"]):
            raise BadInput(
                f"cannot read {' '.join(words)!r} as a move: write FROM>TO, or - to pass"
            )
        size = 2 if words[1:] else 1
        return Move(seat, face, self.read_spot(seat, origin), self.read_spot(seat, target), size)


def shifted(pieces: Pieces, origin: int, target: int, size: int = 1) -> Pieces:
    """Sorted pieces after one of them (or two) went from one progress to another."""
    moved = list(pieces)
    moved[moved.index(origin)] = target
    if size == 2:
        moved[moved.index(origin)] = target
    moved.sort()
    return tuple(moved)
