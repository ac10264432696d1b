"""Choose: no sensors on the board; moves are picked with the box's buttons or on the page."""

from companion.events import Reading, Snapshot
from companion.referee.match import Match
from companion.referee.outlines import Eyes, Step
from companion.referee.phases import Task
from companion.referee.picture import Picture, picture_of
from companion.referee.remedies import agreed_steps, card_steps
from companion.referee.sensing import Finding, Guide, Outlook, Right
from companion.rules.boards import BASE, Board, Mat
from companion.rules.history import Deed


class Choose:
    """Where pieces stand is what people were shown, and what they said they have done."""

    sees = False
    pressed: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.eyes: Eyes | None = None
        """How pieces walk on the board; cards do not walk."""
        self._board: Board | Mat | None = None
        self.picture: Picture | None = None
        self._or_else: tuple[Picture, ...] = ()
        """How the pieces may stand as well: from a square with two colours either may have gone."""
        self._outlook: Outlook | None = None
        self._moves = 0
        self._past: Deed | None = None

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        self._outlook, match = outlook, outlook.match
        made = self._made(match)
        if self._board is not match.game.board:
            board = self._board = match.game.board
            self.eyes = Eyes(board.walked) if board.walked is not None else None
            self.picture = None
        if outlook.task in (Task.STOP, Task.GUIDE, Task.ASK) and self.picture is not None:
            return None
        checked = outlook.task in (Task.CHECK, Task.RESUME)
        if not checked:
            self.known(picture_of(match.position))
        elif made or self.picture is None or outlook.task is Task.RESUME:
            self.known(_carried_out(match))
        self.arranged(outlook)
        remedy = self.way_back() if checked else ()
        return Guide(remedy) if remedy else None

    def _made(self, match: Match) -> bool:
        """Whether a move was made since, and none taken back."""
        before, self._past = self._past, match.past[-1] if match.past else None
        moves, self._moves = self._moves, len(match.past)
        return self._moves >= moves and self._past is not before

    def known(self, picture: Picture) -> None:
        """The pieces stand so, as far as anybody knows."""
        self.picture, self._or_else = picture, ()

    def take_over(self, other: "Choose") -> None:
        """Go on with what another way of being told knows of the pieces."""
        self._board, self.eyes = other._board, other.eyes
        self.picture, self._or_else = other.picture, other._or_else
        self._moves, self._past = other._moves, other._past

    def arranged(self, outlook: Outlook) -> None:
        """What hands themselves have told of where pieces stand."""

    def way_back(self) -> tuple[Step, ...]:
        """What hands have to do so that the pieces stand as the game has them."""
        if self.picture is None or self._outlook is None:
            return ()
        position = self._outlook.match.position
        goal = picture_of(position)
        if self.eyes is None:
            return card_steps(self.picture, goal)
        return agreed_steps(self.eyes, self.pictures(), goal, position.game.colours, held=True)

    def pictures(self) -> tuple[Picture, ...]:
        """How the pieces may stand."""
        assert self.picture is not None
        return self.picture, *self._or_else

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        """There is nothing that could be sensed."""

    def deadline(self) -> float | None:
        return None

    def due(self, now: float) -> Finding | None:
        return None

    def look(self, now: float) -> Finding | None:
        return None

    def settle(self, now: float) -> Finding | None:
        """People say that the pieces stand as they should."""
        if self._outlook is not None and self.picture is not None:
            self.known(picture_of(self._outlook.match.position))
        return Right(said=False)

    def moved(self, now: float) -> Finding | None:
        return None

    def forget(self) -> None:
        """There is no board that could go away."""


def _carried_out(match: Match) -> Picture:
    """The pieces as the game has them, but for a penalty that is still to be paid."""
    picture, penalty, game = picture_of(match.position), match.penalty, match.game
    if penalty is None or game.board.walked is None:
        return picture
    return picture.moved(penalty.seat, game.spot(penalty.seat, BASE), penalty.places[0])
