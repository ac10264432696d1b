"""Touch: a button at every place: press where from, then where to; with cards, one a card."""

from companion.events import Reading, Snapshot
from companion.referee.choose import Choose
from companion.referee.effects import Notice
from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Eyes, Step
from companion.referee.phases import Task
from companion.referee.picture import Picture, picture_of, sent_home
from companion.referee.remedies import ways_between
from companion.referee.sensing import (
    Accept,
    Amend,
    Back,
    Finding,
    Guide,
    Hint,
    Outlook,
    Refuse,
    Right,
)
from companion.referee.times import Times
from companion.rules import Accepted, Attempt, Hop, Move, Refused, Unclear, judge, outcome
from companion.rules.boardgame import BoardGame


class Touch(Choose):
    """Presses say what hands do; the picture follows them."""

    def __init__(self, times: Times) -> None:
        super().__init__()
        self.times = times
        self._last: tuple[str, float] = ("", -1.0)
        self._found: Finding | None = None
        self._told: Picture | None = None
        """The picture that the presses of a move tell of, until the move is in the game."""

    # -- presses ---------------------------------------------------------------------------

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        if outlook.task not in (Task.STOP, Task.GUIDE, Task.ASK):
            self.pressed = ()
        found = super().expect(outlook, now)
        self._told = None
        return found

    def arranged(self, outlook: Outlook) -> None:
        """Captured pieces go home by themselves; a penalty is paid step by step."""
        match = outlook.match
        if self._told is None or outlook.task is not Task.CHECK:
            return
        assert isinstance(match.game, BoardGame)
        self.picture = self._told
        paid_later = (one for one in match.happenings if one.what != "penalty")
        for (place, base), seat in sent_home(match.game, paid_later).items():
            self.picture = self.picture.moved(seat, place, base)

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        """A button went down. The same one again at once is bounce."""
        if isinstance(event, Snapshot) or not event.on or self._outlook is None:
            return
        name, at = self._last
        self._last = (event.place, now)
        if name == event.place and now - at < self.times.press:
            return
        if self._outlook.task not in (Task.REST, Task.SET_UP):
            self._found = self._press(self._outlook.match, event.place)

    def due(self, now: float) -> Finding | None:
        found, self._found = self._found, None
        return found

    def moved(self, now: float) -> Finding | None:
        """A press on the board that was a mistake is let go of."""
        if not self.pressed:
            return None
        self.pressed = ()
        return Hint(notice=Notice("let_go"))

    def _press(self, match: Match, place: str) -> Finding | None:
        if match.ended or (match.over and self.eyes is None):
            return Hint(notice=Notice("no_game"))
        if isinstance(match.game, BoardGame) and self.eyes is not None:
            return self._on_board(match, match.game, self.eyes, place)
        return self._on_mat(match, place)

    def _on_mat(self, match: Match, place: str) -> Finding | None:
        """Every press is a card; the action is complete when the rules accept it."""
        assert self._outlook is not None
        places = (*self.pressed, place)
        attempt = Attempt(tuple(Hop(None, name) for name in places))
        verdict = judge(match.position, match.face, attempt)
        if isinstance(verdict, Accepted):
            return Accept(verdict.move)
        if isinstance(verdict, Unclear):
            self.pressed = places
            return Right(said=False) if self._outlook.task is Task.STOP else None
        self.pressed = ()
        return Refuse(verdict.refusals, tuple(Step(name, None) for name in places))

    # -- pieces ----------------------------------------------------------------------------

    def _on_board(self, match: Match, game: BoardGame, eyes: Eyes, place: str) -> Finding | None:
        assert self.picture is not None
        spot = eyes.spots[eyes.index[place]]
        if self.pressed:
            (origin,), self.pressed = self.pressed, ()
            return None if origin == spot else self._hop(match, game, origin, spot)
        if not self.picture.at(spot) and not eyes.of(match.position)[eyes.index[place]]:
            return Hint(notice=Notice("nothing_there", (spot,)))
        self.pressed = (spot,)
        return None

    def _hop(self, match: Match, game: BoardGame, origin: str, target: str) -> Finding | None:
        assert self.picture is not None
        self.picture = self._put_back_unpressed(match, self.picture, origin)
        if not self.picture.at(origin):
            return Hint(notice=Notice("nothing_there", (origin,)))
        for hears in (self._puts_back, self._goes_home, self._about_last_move):
            found = hears(match, game, origin, target)
            if found is not None:
                return found
        return self._judged(match, game, origin, target)

    def _put_back_unpressed(self, match: Match, picture: Picture, origin: str) -> Picture:
        """Whoever takes a piece from where the game has it has put it back there, unpressed."""
        assert self.eyes is not None
        if not picture.at(origin):
            for seat, at, belongs in ways_between(self.eyes, picture, picture_of(match.position)):
                if belongs == origin:
                    return picture.moved(seat, at, origin)
        return picture

    def _puts_back(self, match: Match, game: BoardGame, origin: str, target: str) -> Finding | None:
        """A piece that stands elsewhere than in the game goes where it belongs."""
        assert self.picture is not None
        assert self._outlook is not None
        goal = picture_of(match.position)
        for seat, (has, wants) in enumerate(zip(self.picture.pieces, goal.pieces, strict=True)):
            strays = has.count(origin) > wants.count(origin)
            if strays and has.count(target) < wants.count(target):
                self.picture = self.picture.moved(seat, origin, target)
                if self._outlook.task is Task.PLAY:
                    return Hint()  # a captured piece that had gone home before its captor moved
                remedy = self.way_back()
                return Guide(remedy) if remedy else Right()
        return None

    def _goes_home(self, match: Match, game: BoardGame, origin: str, target: str) -> Finding | None:
        """A piece goes home that a move has captured, or may capture next."""
        assert self.picture is not None
        if (origin, target) in sent_home(game, match.happenings):
            return Hint()
        moves = [move for move in match.legal if isinstance(move, Move)]
        told = [one for move in moves for one in outcome(match.position, move).happenings]
        victims = sent_home(game, [one for one in told if one.what == "captured"])
        seat = victims.get((origin, target))
        if seat is None:
            return None
        self.picture = self.picture.moved(seat, origin, target)
        return Hint()

    def _about_last_move(
        self, match: Match, game: BoardGame, origin: str, target: str
    ) -> Finding | None:
        """Until the next roll the piece moved last may go back, or on to another legal end."""
        assert self.picture is not None
        last = match.open_move
        if last is None or not isinstance(last.move, Move) or game.stops(last.move)[1] != origin:
            return None
        move, began = last.move, game.stops(last.move)[0]
        if target == began:
            self._told = self.picture.moved(move.seat, origin, target, move.size)
            return Back()
        verdict = judge(last.position, last.face, Attempt((Hop(began, target),)))
        if not isinstance(verdict, Accepted) or not isinstance(verdict.move, Move):
            return None
        self._told = self.picture.moved(move.seat, origin, target, verdict.move.size)
        return Amend(verdict.move)

    def _judged(self, match: Match, game: BoardGame, origin: str, target: str) -> Finding | None:
        """What the rules say; a piece may go on from where it should not be."""
        assert self.picture is not None
        if match.over:
            return Hint(notice=Notice("no_game"))
        began = origin
        heard = verdict_on(match, Attempt((Hop(origin, target),)))
        astray = next((step for step in self.way_back() if step.origin == origin), None)
        if isinstance(heard, Refused) and astray is not None and astray.target is not None:
            began = astray.target
            heard = verdict_on(match, Attempt((Hop(began, target),)))
        if isinstance(heard, Accepted) and isinstance(heard.move, Move):
            self._told = self.picture.moved(heard.move.seat, origin, target, heard.move.size)
            return Accept(heard.move)
        assert isinstance(heard, Refused)
        own = game.hands[match.position.seat]
        seats = self.picture.at(origin)
        mine, onto_mine = (any(s in own for s in self.picture.at(at)) for at in (origin, target))
        if mine and any(isinstance(m, Move) and game.stops(m)[0] == target for m in match.legal):
            self.pressed = (target,)  # another own piece is taken instead
            return None
        if match.face is not None and onto_mine and not mine:
            return Refuse(heard.refusals)  # a finger slipped: nobody is carried onto one's own
        if any(isinstance(m, Move) and game.stops(m) == (target, origin) for m in match.legal):
            return Refuse(heard.refusals)  # pressed the wrong way round: nothing was moved
        mover = next((seat for seat in seats if seat in own), seats[0])
        self.picture = self.picture.moved(mover, origin, target)
        return Refuse(heard.refusals, self.way_back(), Attempt((Hop(began, target),)))
