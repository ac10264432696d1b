"""The engine of the sheets that are played on a board.

Every thinkable step is put to every clause: what the `counts` let pass is kept in tables when
the game is made, the `forbids` are asked at each roll, and the `compels` narrow what is left.
`judging.py` asks the same functions about the one move that hands made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.articles import After, Duty, Objections, Pieces, Sheet
from companion.rules.boards import BASE, OFF_TRACK, Board
from companion.rules.errors import BadInput
from companion.rules.game import FACES, Game
from companion.rules.judging import Judge, why_pass
from companion.rules.moves import AnyMove, Attempt, Move, Pass
from companion.rules.positions import NOBODY, Position
from companion.rules.verdicts import Happening, Refusal, Verdict


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
    most_sixes: int | None = None
    sixes_clause: str = ""
    sizes: tuple[int, ...] = (1,)
    most_on_square: int = 4
    most_together: int | None = None
    shared_squares: frozenset[int] = frozenset()
    single_spots: frozenset[int] = frozenset()
    passed_spots: frozenset[int] = frozenset()
    unused_spots: frozenset[int] = frozenset()


class Trial(Move):
    """A step put to the clauses with one target after the other: made once, it is quicker so."""

    __slots__ = ()
    target: int
    __setattr__ = object.__setattr__


class Steps(dict[int, tuple[Move, ...]]):
    """By origin, the moves to which no counting clause objects, reckoned when first asked for."""

    __slots__ = ("count", "face", "game", "seat", "size")

    def __init__(
        self, game: "BoardGame", seat: int, face: int, size: int, count: int | None = None
    ) -> None:
        super().__init__()
        self.game, self.seat, self.face, self.size = game, seat, face, size
        self.count = face if count is None else count

    def __missing__(self, origin: int) -> tuple[Move, ...]:
        found = [
            Move(self.seat, self.face, origin, target, self.size, self.game)
            for target in (self._targets(origin) if self.size in self.game.numbers.sizes else ())
        ]
        return self.setdefault(origin, tuple(found))

    def _targets(self, origin: int) -> Iterator[int]:
        game, clauses = self.game, [clause for _, clause in self.game.counts]
        trial = Trial(self.seat, self.count, origin, BASE, self.size, game)
        for target in range(BASE, game.last + 1):
            trial.target = target
            for number, clause in enumerate(clauses):
                if clause(game, trial):  # who objects most is asked first
                    if number:
                        clauses.insert(0, clauses.pop(number))
                    break
            else:
                yield target


class Blocks(dict[Pieces, int]):
    """By a colour's pieces, the track squares on which two or more of them stand, as bits."""

    __slots__ = ("squares",)
    most = 1 << 14

    def __init__(self, squares: Sequence[int]) -> None:
        super().__init__()
        self.squares = squares

    def __missing__(self, pieces: Pieces) -> int:
        if len(self) >= self.most:
            self.clear()
        mask, before = 0, BASE
        for piece in pieces:
            if piece == before != BASE and self.squares[piece] >= 0:
                mask |= 1 << self.squares[piece]
            before = piece
        self[pieces] = mask
        return mask


class BoardGame(Game):
    """A sheet on a board, ready to play."""

    board: Board
    reckons_clause = ""

    def __init__(
        self,
        sheet: Sheet,
        options: Mapping[str, Any],
        colours: tuple[str, ...],
        numbers: Numbers,
        neutral: int | None = None,
        players: tuple[tuple[int, ...], ...] | None = None,
    ) -> None:
        super().__init__(sheet, options, colours)
        assert isinstance(sheet.board, Board)
        self.board = sheet.board
        self.numbers = numbers
        self.safe_squares = numbers.shared_squares
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

    @property
    def walked(self) -> "BoardGame":
        return self

    # -- made once -------------------------------------------------------------------------

    def _collect_clauses(self) -> None:
        replaced = {clause for article in self.articles for clause in article.replaces}
        amended = {one.id: one for article in self.articles for one in article.amends}
        held = [amended.get(a.id, a) for a in self.articles if a.id not in replaced]
        self.held = held
        self.counts = [(a.id, clause) for a in held for clause in a.counts]
        self.forbids = [(a.id, clause) for a in held for clause in a.forbids]
        self.compels = [(a.id, duty, a.slip) for a in held for duty in a.compels]
        self.after = [(a.id, clause) for a in held for clause in a.after]
        self.off_way_clause = next((a.id for a in held if a.off_way), "O8")
        self.may_pass = next((a.may_pass for a in held if a.may_pass), None)
        self.must_move = [(a.id, a.must_move) for a in held if a.must_move]
        self._turn_rolls = next((a.turn_rolls for a in held if a.turn_rolls), None)
        self._settles = next((a.settles for a in held if a.settles), None)
        self._most_sixes, self._again = self.numbers.most_sixes, self.numbers.again
        self._forbids = tuple(clause for _, clause in self.forbids)
        self._compels = tuple(duty for _, duty, _ in self.compels)
        captures = [(a.id, clause) for a in held for clause in a.captures]
        entering = [(a.id, clause) for a in held for clause in a.captures_entering]
        self.captures = {False: captures, True: entering or captures}

    def _make_tables(self) -> None:
        board, seats = self.board, range(len(self.colours))
        self.square, self.names, self.upto = board.squares, board.names, board.upto
        self.rivals = self._rivals()
        self.blocks = [Blocks(self.square[seat]) for seat in seats]
        self.rival_blocks = [
            tuple((other, self.blocks[other]) for other in self.others[seat]) for seat in seats
        ]
        self.steps: list[dict[Any, tuple[Steps, Steps]]] = [
            {face: (Steps(self, seat, face, 1), Steps(self, seat, face, 2)) for face in FACES}
            for seat in seats
        ]

    def _rivals(self) -> list[list[tuple[tuple[int, int], ...]]]:
        """By seat and progress, the other colours that a piece can meet, each with its progress.

        There are none off the track, nor on squares where colours stand side by side.
        """
        alone = self.numbers.shared_squares | {OFF_TRACK}
        met = {
            other: {at: (other, step) for step, at in enumerate(self.square[other])}
            for other in self.in_play
        }

        def at(square: int, others: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
            found = others if square not in alone else ()
            return tuple(met[other][square] for other in found if square in met[other])

        pairs = zip(self.square, self.others, strict=True)
        return [[at(square, others) for square in row] for row, others in pairs]

    def thinkable(self) -> list[tuple[int, int]]:
        """Every target and size a hand could try from anywhere."""
        targets = range(BASE, self.last + 1)
        return [(target, size) for size in self.numbers.sizes for target in targets]

    def counted_as(self, position: Position, move: Move) -> Move:
        """The same move with the number that its face counts as there."""
        return move

    def counted_face(self, position: Position, seat: int, face: Any) -> Any:
        """Which of the tables of steps a face uses there."""
        return face

    # -- asked by clauses ------------------------------------------------------------------

    def path(self, move: Move) -> int:
        """The track squares a move walks, the last one included, as bits."""
        upto = self.upto[move.seat]
        if move.target >= move.origin:
            return upto[move.target] & ~upto[move.origin]
        return upto[move.origin - 1] & ~upto[move.target - 1]

    def square_names(self, mask: int) -> tuple[str, ...]:
        """The names of the squares in a bit mask."""
        return tuple(str(s + 1) for s in range(self.board.track) if mask >> s & 1)

    def spot(self, seat: int, number: int) -> str:
        return self.names[seat][number]

    def stops(self, move: AnyMove) -> tuple[str, ...]:
        if not isinstance(move, Move):
            return ()
        names = self.names[move.seat]
        return names[move.origin], names[move.target]

    def standing(self, seat: int, numbers: Pieces) -> list[str]:
        used: list[str] = []
        for number in numbers:
            names = [place.name for place in self.board.places_of(seat, number)]
            used.append(next((name for name in names if name not in used), names[0]))
        return used

    def entering_faces(self) -> list[int]:
        return [face for face in FACES if self.steps[self.order[0]][face][0][BASE]]

    def let_stand(self, position: Position, seat: int, origin: str, target: str) -> Position | None:
        try:
            start, end = self.read_spot(seat, origin), self.read_spot(seat, target)
        except BadInput:
            return None
        if start not in position.pieces[seat] or start == end:
            return None
        pieces = list(position.pieces)
        own = list(pieces[seat])
        own[own.index(start)] = end
        pieces[seat] = tuple(sorted(own))
        for rival, at in self.rivals[seat][end]:
            beaten = (BASE if piece == at else piece for piece in pieces[rival])
            pieces[rival] = tuple(sorted(beaten))
        return replace(position, pieces=tuple(pieces))

    def done(self, number: int) -> tuple[int, int]:
        return number - BASE, self.last - BASE

    def captured_by(self, pieces: Sequence[Pieces], move: AnyMove) -> list[tuple[int, int]]:
        if not isinstance(move, Move):
            return []
        rivals = self.rivals[move.seat][move.target]
        return [(rival, at) for rival, at in rivals if at in pieces[rival]]

    # -- playing ---------------------------------------------------------------------------

    def set_up(self) -> tuple[Pieces, ...]:
        numbers = self.numbers
        full = (BASE,) * (numbers.pieces - numbers.on_start) + (0,) * numbers.on_start
        return tuple(full if seat in self.in_play else () for seat in range(len(self.colours)))

    def legal_moves(self, position: Position, face: int) -> Sequence[AnyMove]:
        seat = position.seat
        if seat < 0 or position.opening is not None or position.sixes == self._most_sixes:
            self.face(face)
            if seat < 0:
                return ()
            if position.opening is not None or face in self._again:
                return (self.passes[seat][face],)
        found: Sequence[AnyMove] = self.free_moves(seat, position, face, self._compels)
        if self.neutral is not None:
            neutral = self.free_moves(self.neutral, position, face, self._compels)
            found = (*found, *neutral)
        if not found:
            return (self.passes[seat][face],)
        if self.may_pass is not None and self.may_pass(self, position, found):
            return (*found, self.passes[seat][face])
        return found

    def ends_turn(self, position: Position, face: int) -> bool:
        """Whether this roll ends the turn at once, as one six too many does."""
        return position.sixes == self._most_sixes and face in self._again

    def free_moves(
        self, colour: int, position: Position, face: Any, duties: Sequence[Duty] = ()
    ) -> Sequence[Move]:
        """The moves of one colour that no clause forbids, and that these duties leave."""
        try:
            singles, pairs = self.steps[colour][face]
        except KeyError:
            self.face(face)
            raise
        moves: list[Move] = []
        before = paired = None
        for origin in position.pieces[colour]:
            if origin != before:
                before = origin
                moves += singles[origin]
            elif origin != paired:
                paired = origin
                moves += pairs[origin]
        if not moves:
            return moves
        for clause in self._forbids:
            objections = clause(self, position, moves)
            if objections:
                moves = self._without(moves, objections)
                if not moves:
                    return moves
        wanted: Sequence[Move] = moves
        for duty in duties:
            if len(wanted) == 1:
                break
            wanted = duty(self, position, wanted) or wanted
        return wanted

    @staticmethod
    def _without(moves: Sequence[Move], objections: Objections) -> list[Move]:
        """The moves to which nobody objects; they are told apart by identity, which is quick."""
        barred = [id(move) for move, _ in objections]
        return [move for move in moves if id(move) not in barred]

    def play(
        self, position: Position, move: AnyMove, told: list[Happening] | None = None
    ) -> Position:
        if position.opening is not None:
            return self.throw_for_start(position, move.face, told)
        seat, home, pieces = position.seat, position.home, position.pieces
        if type(move) is Move:
            colour, target = move.seat, move.target
            own = list(pieces[colour])
            own[own.index(move.origin)] = target
            if move.size == 2:
                own[own.index(move.origin)] = target
            own.sort()
            moved = list(pieces)
            moved[colour] = tuple(own)
            for rival, at in self.rivals[colour][target]:
                if at in pieces[rival]:
                    captures = self.captures[move.origin == BASE]
                    self._bring_about(captures, position, move, moved, told)
                    break
            if self.after:
                self._bring_about(self.after, position, move, moved, told)
            pieces = tuple(moved)
        arrived = pieces[seat][0] >= self.arrived and seat not in home
        if arrived or self.neutral is not None:
            home = self._homecoming(position, arrived, pieces, told)
            if self.is_over(home, pieces):
                return Position(self, pieces, NOBODY, 1, 0, home)
        if move.face in self._again:
            more = position.sixes != self._most_sixes and not arrived
            more = more and (not home or self.takes_turns(seat, home, pieces))
            if told is not None:
                told.append(self._about_rolls(position, more))
            if more:
                return Position(self, pieces, seat, 1, position.sixes + 1, home)
        elif position.rolls > 1 and type(move) is Pass:
            return Position(self, pieces, seat, position.rolls - 1, 0, home)
        seat = self.next_seat(seat, home, pieces) if home else self.following[seat]
        rolls = self._turn_rolls(self, pieces, seat) if self._turn_rolls else 1
        return Position(self, pieces, seat, rolls, 0, home)

    def _bring_about(
        self,
        clauses: Sequence[tuple[str, After]],
        position: Position,
        move: Move,
        pieces: list[Pieces],
        told: list[Happening] | None,
    ) -> None:
        """Carry out what these clauses say of a move."""
        for clause, after in clauses:
            happened = after(self, position, move, pieces)
            if told is not None:
                told += [
                    self.tell(clause, what, seat, (self.spot(seat, at),))
                    for what, seat, at in happened
                ]

    def _homecoming(
        self,
        position: Position,
        arrived: bool,
        pieces: Sequence[Pieces],
        told: list[Happening] | None,
    ) -> tuple[int, ...]:
        """Who is home now, in order; a neutral colour that has got home may change it."""
        home = position.home
        if arrived:
            home = (*home, position.seat)
            if told is not None:
                told.append(self.tell(self.place_clause, "home", position.seat))
        if self._settles and self.settled(pieces) and not self.settled(position.pieces):
            home = self._settles(position, home)
        return home

    def _about_rolls(self, position: Position, more: bool) -> Happening:
        """Why a face that rolls again does so, or does not."""
        numbers, seat = self.numbers, position.seat
        if more:
            return self.tell(numbers.again_clause, "again", seat)
        if position.sixes == self._most_sixes:
            return self.tell(numbers.sixes_clause, "too_many_sixes", seat)
        return self.tell(numbers.last_clause, "no_more_rolls", seat)

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

    def ranking(self, position: Position) -> tuple[int, ...]:
        return super().ranking(position) if self.settled(position.pieces) else ()

    def judge(
        self, position: Position, face: int | None, attempt: Attempt, by: str | None = None
    ) -> Verdict:
        return Judge(self, position, face, by).verdict(attempt)

    def why_pass(self, position: Position, face: int) -> tuple[Refusal, ...]:
        return why_pass(self, position, face)

    def why_back(self, move: AnyMove) -> Refusal | None:
        if not isinstance(move, Move) or move.target != BASE:
            return None
        return Refusal(self.numbers.sixes_clause, "must_go_back", self.stops(move)[:1])

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
        self._check_turn_of_sheet(position)
        self._check_sharing(position)
        if position.over != self.is_over(position.home, position.pieces):
            raise BadInput("the turn is with nobody exactly when the game is over")

    def check_reachable(self, position: Position) -> None:
        super().check_reachable(position)
        seat = position.seat
        for colour, pieces in enumerate(position.pieces):
            for piece in pieces:
                if piece in self.numbers.passed_spots:
                    where = self.spot(colour, piece)
                    raise BadInput(f"{self.colours[colour]} never comes to stand on {where}")
        if position.rolls > 1 and position.rolls > self.turn_rolls(position.pieces, seat):
            name = self.colours[seat]
            raise BadInput(f"{name} cannot have {position.rolls} rolls left with these pieces")
        for square in self.numbers.shared_squares:
            self._check_room(position, square)
            paired = [c for c in self.in_play if self.blocks[c][position.pieces[c]] >> square & 1]
            if len(paired) > 1:
                raise BadInput(f"square {square + 1} cannot hold two pairs")

    def _check_room(self, position: Position, square: int) -> None:
        """Raise BadInput if more stand side by side on a square than it holds."""
        most, standing = self.numbers.most_together, 0
        for seat in self.in_play:
            at = self.board.progress(seat, square)
            standing += 0 if at is None else position.pieces[seat].count(at)
        if most is not None and standing > most:
            raise BadInput(f"square {square + 1} cannot hold {standing} pieces")

    def _check_turn_of_sheet(self, position: Position) -> None:
        """Rolls and sixes that the sheet in force can lead to, and a seat that still plays."""
        seat, limit = position.seat, self._most_sixes
        if position.rolls > 1 and self._turn_rolls is None:
            raise BadInput(f"no turn has {position.rolls} rolls left in {self}")
        if limit is not None and position.sixes > limit:
            raise BadInput(f"no turn goes on after {position.sixes} sixes: {limit} are the most")
        if seat != NOBODY and not self.takes_turns(seat, position.home, position.pieces):
            raise BadInput(f"{self.colours[seat]} is home and takes no more turns")

    def _check_crowding(self, seat: int, pieces: Pieces) -> None:
        for piece in set(pieces) - {BASE}:
            on_track = self.square[seat][piece] >= 0
            single = (not on_track and not self.board.home) or piece in self.numbers.single_spots
            most = 1 if single else self.numbers.most_on_square
            if piece in self.numbers.unused_spots:
                raise BadInput(f"nobody stands on {self.spot(seat, piece)} in {self}")
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
        start, end = self.read_spot(seat, origin), self.read_spot(seat, target)
        return Move(seat, face, start, end, size, self)
