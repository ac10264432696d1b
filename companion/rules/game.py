"""A game that can be played: a sheet with its options chosen and its seats taken.

`Game` holds what every sheet shares: seats, the roll for the start, turn order, text forms.
Sheets on a board are in `boardgame.py`, the card game is in `cards.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Article, Sheet
from companion.rules.errors import BadInput, known
from companion.rules.moves import AnyMove, Attempt, Pass
from companion.rules.positions import NOBODY, Opening, Position
from companion.rules.verdicts import Happening, Outcome, Refusal, Verdict

if TYPE_CHECKING:
    from companion.rules.boardgame import BoardGame

FACES = range(1, 7)


class Game(ABC):
    """The rules of one table: compare by identity; `sheets.game` makes each kind once."""

    start_clause: str
    place_clause: str
    first_wins = False
    """Whether the game ends with its first winner, and so has no other places."""
    bonuses: frozenset[int] = frozenset()
    """The squares that a move can earn, to be played at once (see `owing.py`)."""
    safe_squares: frozenset[int] = frozenset()
    """Squares of the track on which nobody is captured, and colours stand side by side."""
    keeps_moved = False
    """Whether positions remember which piece moved last."""

    def __init__(self, sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> None:
        self.sheet = sheet
        self.options = dict(options)
        self.board = sheet.board
        self.die = sheet.die
        self.colours = sheet.board.colours
        self.seats = tuple(self.colours.index(colour) for colour in colours)
        self.players: tuple[tuple[int, ...], ...] = tuple((seat,) for seat in self.seats)
        self.order = self.seats
        self.in_play: tuple[int, ...] = self.seats
        """The colours that have pieces, those that nobody plays included."""
        every = range(len(self.colours))
        self.hands: tuple[tuple[int, ...], ...] = tuple((seat,) for seat in every)
        """By seat, the colours that its player moves."""
        self.passes = {
            seat: {face: Pass(seat, face, self) for face in FACES}
            for seat in range(len(self.colours))
        }

    @property
    def walked(self) -> "BoardGame | None":
        """This game, if its pieces walk on a board (see `board.walked`); cards do not."""
        return None

    # -- what a sheet must bring -----------------------------------------------------------

    @abstractmethod
    def set_up(self) -> tuple[tuple[int, ...], ...]:
        """The pieces of every seat at the start of the game."""

    @abstractmethod
    def legal_moves(self, position: Position, face: int) -> Sequence[AnyMove]:
        """Every legal move with this roll: never empty, for a roll that moves nothing passes."""

    @abstractmethod
    def play(
        self, position: Position, move: AnyMove, told: list[Happening] | None = None
    ) -> Position:
        """Where a legal move leads; what it brings about is added to `told`, if that is given.

        This is the engine's own way and does not look whether the move is legal; `rules.play` does.
        """

    @abstractmethod
    def judge(
        self, position: Position, face: int | None, attempt: Attempt, by: str | None = None
    ) -> Verdict:
        """What the rules say to what hands did; `face` is None before the roll.

        `by` is the colour that did it, where that is known (a phone knows, a board does not).
        """

    @abstractmethod
    def why_pass(self, position: Position, face: int) -> tuple[Refusal, ...]:
        """What keeps each piece from moving with this roll."""

    def why_back(self, move: AnyMove) -> Refusal | None:
        """Why a move takes an own piece back to its base; None if it does not."""
        return None

    @abstractmethod
    def spots(self, seat: int, numbers: tuple[int, ...]) -> str:
        """A seat's pieces as text."""

    @abstractmethod
    def read_spots(self, seat: int, words: list[str]) -> tuple[int, ...]:
        """A seat's pieces from text; raises BadInput."""

    @abstractmethod
    def check(self, position: Position) -> None:
        """Raise BadInput if no game can come to this position."""

    def check_reachable(self, position: Position) -> None:
        """Raise BadInput if only a house ruling leads there: that is kept, but never typed."""
        if position.rolls > 1 and position.sixes:
            raise BadInput("after a six there are no more rolls left but the one that it gives")
        if position.opening is not None and position.pieces != self.set_up():
            raise BadInput("nobody has moved while they roll for the start")

    @abstractmethod
    def spot(self, seat: int, number: int) -> str:
        """The name of a place of a colour: so far on its way, or the stack of this number."""

    @abstractmethod
    def stops(self, move: AnyMove) -> tuple[str, ...]:
        """The places a move is about: where it begins and ends, or its stacks; none of a pass."""

    @abstractmethod
    def standing(self, seat: int, numbers: tuple[int, ...]) -> list[Any]:
        """Where the pieces of a colour stand, each on a place of its own if there is one; of
        stacks the heights."""

    def lying(self, seat: int, numbers: tuple[int, ...]) -> list[str]:
        """The spot of each piece of a colour; of cards the stack that each lies on."""
        return [self.spot(seat, number) for number in numbers]

    @abstractmethod
    def done(self, number: int) -> tuple[int, int]:
        """How much of its way a piece (or a stack) has done, and how much there is."""

    @abstractmethod
    def move_text(self, move: AnyMove) -> str:
        """The move as text, for instance `yellow 6 Y.B>1`."""

    @abstractmethod
    def read_move(self, seat: int, face: int, words: list[str]) -> AnyMove:
        """The rest of a move's text, behind colour and roll; raises BadInput."""

    # -- the same for all ------------------------------------------------------------------

    def outcome(self, position: Position, move: AnyMove) -> Outcome:
        """Where a legal move leads, and what it brings about."""
        told: list[Happening] = []
        return Outcome(self.play(position, move, told), tuple(told))

    def all_standing(self, position: Position) -> dict[str, list[Any]]:
        """By colour, where its pieces stand."""
        return {
            self.colours[seat]: self.standing(seat, numbers)
            for seat, numbers in enumerate(position.pieces)
            if numbers
        }

    def marked_squares(self) -> dict[str, tuple[int, ...]]:
        """By mark, the squares that have it here; safe ones that the board does not show are stars.

        A square that is marked otherwise has one sign only.
        """
        track = self.board.walked
        if track is None:
            return {}
        found: dict[str, tuple[int, ...]] = {
            mark: track.marked(mark) for mark in self.sheet.marks if mark != "safe"
        }
        others = {square for squares in found.values() for square in squares}
        safe, printed = sorted(self.safe_squares - others), set(track.marked("safe"))
        found["safe"] = tuple(square for square in safe if square in printed)
        found["safe_star"] = tuple(square for square in safe if square not in printed)
        return {mark: squares for mark, squares in found.items() if squares}

    def entering_faces(self) -> list[int]:
        """The rolls that bring a piece in; none where nothing waits outside."""
        return []

    def let_stand(self, position: Position, seat: int, origin: str, target: str) -> Position | None:
        """Where the pieces stand if a colour's piece was moved so, against the rules.

        None if it cannot have been.
        """
        return None

    def captured_by(
        self, pieces: Sequence[tuple[int, ...]], move: AnyMove
    ) -> list[tuple[int, int]]:
        """Whose pieces stand where a move ends, with their progress there."""
        return []

    def progress(self, position: Position) -> dict[str, float]:
        """By colour, how much of its way is done, from 0 to 1."""
        found = {}
        for seat, pieces in enumerate(position.pieces):
            if pieces:
                ways = [self.done(piece) for piece in pieces]
                whole = sum(full for _, full in ways)
                found[self.colours[seat]] = round(sum(done for done, _ in ways) / whole, 4)
        return found

    def tell(self, clause: str, what: str, seat: int, places: tuple[str, ...] = ()) -> Happening:
        """One thing that follows from a move."""
        return Happening(clause, what, seat, places, self.colours[seat])

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that take turns, in the order they do."""
        return self._order

    @order.setter
    def order(self, seats: tuple[int, ...]) -> None:
        self._order = seats
        self.following = dict(zip(seats, seats[1:] + seats[:1], strict=True))

    @property
    def articles(self) -> tuple[Article, ...]:
        """The articles in force with the chosen options, in printed order."""
        return tuple(
            article
            for article in self.sheet.articles
            if article.option is None or self.options[article.option]
        )

    def __repr__(self) -> str:
        playing = tuple(self.colours[seat] for seat in self.seats)
        return f"game({self.sheet.id!r}, {self.options!r}, {playing!r})"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """There is one of each game: a copy is the game itself, and text brings it back."""
        from companion.rules.sheets import recall_game

        return recall_game, (str(self),)

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self

    @property
    def rules_text(self) -> str:
        """Sheet and options, whoever plays: `german+barriers`."""
        chosen = [
            option.name if self.options[option.name] is True else f"{option.name}={value}"
            for option in self.sheet.options
            if (value := self.options[option.name]) != option.default
        ]
        return "+".join([self.sheet.id, *chosen])

    def __str__(self) -> str:
        """Sheet, options and colours: `german+barriers yellow,red`."""
        playing = ",".join(self.colours[seat] for seat in self.seats)
        return f"{self.rules_text} {playing}"

    def start(self, begins: str | None = None) -> Position:
        """The first position: players roll for the start, unless it is said who begins."""
        pieces = self.set_up()
        if begins is None:
            opening = tuple((player[0], 0) for player in self.players)
            return Position(self, pieces, opening[0][0], opening=opening)
        known("colour", begins, [self.colours[seat] for seat in self.order])
        seat = self.colours.index(begins)
        return Position(self, pieces, seat, self.turn_rolls(pieces, seat))

    def turn_rolls(self, pieces: tuple[tuple[int, ...], ...], seat: int) -> int:
        """How many rolls a turn begins with."""
        return 1

    def takes_turns(self, seat: int, home: tuple[int, ...], pieces: Any) -> bool:
        """Whether a seat still plays: who is done is passed over."""
        return seat not in home

    def next_seat(self, seat: int, home: tuple[int, ...], pieces: Any) -> int:
        """Whose turn comes after this seat's."""
        following = self.following[seat]
        while home and following != seat and not self.takes_turns(following, home, pieces):
            following = self.following[following]
        return following

    def ranking(self, position: Position) -> tuple[int, ...]:
        """The players who have their place, best first, each by the seat that was taken.

        A player has it with every colour home; when the game is over the last one has it too.
        """
        done = sorted(
            (max(map(position.home.index, player)), player)
            for player in self.players
            if all(seat in position.home for seat in player)
        )
        ranked = [player for _, player in done]
        if position.over and not self.first_wins:
            ranked += [player for player in self.players if player not in ranked]
        return tuple(next(seat for seat in player if seat in self.seats) for player in ranked)

    def face(self, face: int) -> int:
        """Check that the die has this face; raises BadInput."""
        if face not in FACES:
            raise BadInput(f"the die has no face {face!r}: faces are numbered 1 to 6")
        return face

    def throw_for_start(
        self, position: Position, face: int, told: list[Happening] | None
    ) -> Position:
        """One roll for the start: the highest begins, ties roll again among themselves."""
        assert position.opening is not None
        opening = tuple(
            (seat, face if seat == position.seat else thrown) for seat, thrown in position.opening
        )
        waiting = [seat for seat, thrown in opening if not thrown]
        if waiting:
            return replace(position, seat=waiting[0], opening=opening)
        top = max(self.die.rank(thrown) for _, thrown in opening)
        best = [seat for seat, thrown in opening if self.die.rank(thrown) == top]
        if len(best) > 1:
            again: Opening = tuple((seat, 0) for seat in best)
            if told is not None:
                told += [self.tell(self.start_clause, "tied", seat) for seat in best]
            return replace(position, seat=best[0], opening=again)
        if told is not None:
            told.append(self.tell(self.start_clause, "begins", best[0]))
        rolls = self.turn_rolls(position.pieces, best[0])
        return replace(position, seat=best[0], rolls=rolls, opening=None)

    # -- text ------------------------------------------------------------------------------

    def position_text(self, position: Position) -> str:
        parts = [str(self)]
        parts += [
            f"{self.colours[seat]} {self.spots(seat, numbers)}"
            for seat, numbers in enumerate(position.pieces)
            if numbers
        ]
        if position.opening is not None:
            rolls = " ".join(
                f"{self.colours[seat]}={self.die.show(face) if face else '?'}"
                for seat, face in position.opening
            )
            parts.append(f"opening {rolls}")
        turn = "turn -" if position.over else f"turn {self.colours[position.seat]}"
        if position.rolls != 1:
            turn += f" rolls {position.rolls}"
        if position.sixes:
            turn += f" sixes {position.sixes}"
        if position.owed:
            turn += f" owed {' '.join(map(str, position.owed))}"
        if position.moved != NOBODY:
            turn += f" moved {self.spots(position.seat, (position.moved,))}"
        if position.home:
            turn += f" home {' '.join(self.colours[seat] for seat in position.home)}"
        return " | ".join([*parts, turn])

    def position(self, text: str, kept: bool = False) -> Position:
        """Read a position's text (with or without the game before it); raises BadInput.

        What was `kept` may also be one that only a house ruling leads to.
        """
        sections = [section.split() for section in text.split("|")]
        if sections[0] and sections[0][0] not in (*self.colours, "turn", "opening"):
            self._check_header(text.partition("|")[0].strip())
            sections = sections[1:]
        pieces: list[tuple[int, ...]] = [() for _ in self.colours]
        fields: dict[str, Any] = {}
        for words in sections:
            if not words:
                raise BadInput(f"there is an empty part in the position {text!r}")
            if words[0] == "turn":
                if "seat" in fields:
                    raise BadInput(f"the turn stands twice in the position {text!r}")
                fields |= self._read_turn(words)
            elif words[0] == "opening":
                fields["opening"] = tuple(self._read_throw(word) for word in words[1:])
            else:
                known("colour", words[0], self.colours)
                seat = self.colours.index(words[0])
                if pieces[seat]:
                    raise BadInput(f"{words[0]} stands twice in the position {text!r}")
                pieces[seat] = self.read_spots(seat, words[1:])
        position = Position(self, tuple(pieces), **{"seat": NOBODY, **fields})
        self.check_turn(position)
        self.check(position)
        if not kept:
            self.check_reachable(position)
        return position

    def _check_header(self, header: str) -> None:
        """Raise BadInput if a position's text begins with another game than this."""
        if _parts_of(header) != _parts_of(str(self)):
            raise BadInput(f"{header!r} is another game than {str(self)!r}")

    def _read_turn(self, words: list[str]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        at = 0
        while at < len(words):
            key, at = words[at], at + 1
            value = words[at] if at < len(words) else ""
            if ("seat" if key == "turn" else key) in fields:
                raise BadInput(f"{key} stands twice in {' '.join(words)!r}")
            if key == "turn":
                if value != "-":
                    known("colour", value, self.colours)
                fields["seat"] = NOBODY if value == "-" else self.colours.index(value)
                at += 1
            elif key in ("rolls", "sixes"):
                if not value.isdecimal() or len(value) > 3:
                    raise BadInput(f"{key} takes a number, not {value[:20]!r}")
                fields[key] = int(value)
                at += 1
            elif key == "owed":
                until = next((n for n in range(at, len(words)) if not words[n].isdecimal()), None)
                fields["owed"] = tuple(map(int, words[at:until]))
                at = len(words) if until is None else until
            elif key == "moved":
                (fields["moved"],) = self.read_spots(fields.get("seat", 0), [value])
                at += 1
            elif key == "home":
                names = words[at:]
                fields["home"] = tuple(
                    self.colours.index(known("colour", name, self.colours)) for name in names
                )
                at = len(words)
            else:
                raise BadInput(
                    f"cannot read {key!r} in a turn: it takes turn, rolls, sixes, owed, home"
                )
        return fields

    def _read_throw(self, word: str) -> tuple[int, int]:
        colour, _, shown = word.partition("=")
        seat = self.colours.index(known("colour", colour, self.colours))
        return seat, 0 if shown == "?" else self.read_face(shown)

    def read_face(self, shown: str) -> int:
        """A face by its name on this die; raises BadInput."""
        try:
            return self.die.face(shown)
        except ValueError as error:
            raise BadInput(str(error)) from None

    def check_turn(self, position: Position) -> None:
        """Raise BadInput if the turn's bookkeeping cannot be right."""
        named = {position.seat} | set(position.home)
        if position.opening is not None:
            named |= {seat for seat, _ in position.opening}
        for seat in named - {NOBODY}:
            if seat not in self.order:
                raise BadInput(f"{self.colours[seat]} takes no turns in {self}")
        if len(set(position.home)) < len(position.home):
            raise BadInput("a colour cannot get home twice")
        if not (0 if position.owed else 1) <= position.rolls <= 3 or not 0 <= position.sixes <= 99:
            raise BadInput(f"no turn has {position.rolls} rolls left after {position.sixes} sixes")
        if (position.owed and not self.bonuses) or (
            position.moved != NOBODY and not self.keeps_moved
        ):
            raise BadInput(f"no roll owes anything but a move in {self}")
        if position.opening is not None:
            seats = [seat for seat, _ in position.opening]
            waiting = [seat for seat, face in position.opening if not face]
            if len(set(seats)) < max(2, len(seats)) or waiting[:1] != [position.seat]:
                raise BadInput("the turn is not with the next who rolls for the start")

    def move(self, text: str) -> AnyMove:
        """Read a move's text, for instance `yellow 6 Y.B>1`; raises BadInput."""
        words = text.split()
        if len(words) < 3:
            raise BadInput(f"cannot read {text!r} as a move: write COLOUR ROLL FROM>TO")
        seat = self.colours.index(known("colour", words[0], self.colours))
        face = self.read_face(words[1])
        if words[2:] == ["-"]:
            return Pass(seat, face, self)
        return self.read_move(seat, face, words[2:])


def _parts_of(header: str) -> tuple[str, frozenset[str], frozenset[str]]:
    """Sheet, options and colours of a game's text, in no order."""
    played, _, colours = header.partition(" ")
    name, *options = played.split("+")
    chosen = frozenset(option.removesuffix("=on") for option in options)
    return name, chosen, frozenset(colours.strip().split(","))
