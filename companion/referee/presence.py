"""Presence: a sensor under every place. When the board is quiet, look; when it is odd, say so."""

from collections.abc import Collection

from companion.events import Reading, Snapshot
from companion.referee.attempts import Clues
from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Difference, Eyes, Outline, Step, difference, steps
from companion.referee.phases import Task
from companion.referee.scene import (
    BACK,
    Done,
    OnTheWay,
    Scene,
    Sight,
    Still,
    Way,
    Wrong,
    scene_of,
)
from companion.referee.sensing import (
    Accept,
    Amend,
    Back,
    Finding,
    Guide,
    Outlook,
    Question,
    Refuse,
    Right,
)
from companion.referee.sensors import Sensors
from companion.referee.times import Times
from companion.rules import AnyMove, Attempt, Board, Hop, Move, Pass, Refusal, Refused, outcome
from companion.rules.boardgame import BoardGame


class Presence:
    """The board as seen, the scene it is compared with, and how long it has been odd."""

    pressed: tuple[str, ...] = ()

    def __init__(self, times: Times) -> None:
        self.times = times
        self.sensors = Sensors(times)
        self.eyes: Eyes | None = None
        self.scene: Scene | None = None
        self.flickered: str | None = None
        """A sensor that was just set aside by itself; whoever tells of it clears it."""
        self._outlook: Outlook | None = None
        self._settle_at: float | None = None
        self._patience_at: float | None = None
        self._changed_at = 0.0
        self._touched: dict[int, None] = {}
        self._unseen = True

    @property
    def sees(self) -> bool:
        return self.sensors.known

    @property
    def places(self) -> Collection[str]:
        """The names of the sensors on the board in play."""
        return () if self.eyes is None else self.eyes.board.by_name

    # -- what comes in ---------------------------------------------------------------------

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        self._outlook = outlook
        self._look_at_board(outlook.match)
        if outlook.task in (Task.PLAY, Task.CHECK, Task.RESUME, Task.SET_UP, Task.OVER):
            self._touched.clear()
            self.scene = None if self.eyes is None else scene_of(self.eyes, outlook.match)
        if outlook.task is Task.SET_UP:
            return self._look_at_set_up()
        if outlook.task in (Task.CHECK, Task.RESUME):
            return self._check(moved=outlook.task is Task.RESUME)
        return None

    def _look_at_board(self, match: Match) -> None:
        """Another board is looked at with other eyes."""
        board = match.game.board
        if not isinstance(board, Board):
            self.eyes = None
        elif self.eyes is None or self.eyes.board is not board:
            self.eyes = Eyes(board)
            self.sensors.on &= set(board.by_name)
            self._unseen = not self.sensors.known

    def forget(self) -> None:
        self.sensors.forget()
        self._unseen = True
        self._settle_at = self._patience_at = None

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        if isinstance(event, Snapshot):
            if self.sensors.snapshot(event.on, now):
                self._changed(now)
        elif self.sensors.set(event.place, event.on, now):
            self._touch(event.place)
            if event.place in self.sensors.aside:
                return  # or a board with one bad sensor would never come to rest
            if self.sensors.flickers(event.place, now):
                self.sensors.aside.add(event.place)
                self.flickered = event.place
            self._changed(now)

    def _touch(self, place: str) -> None:
        if self.eyes is not None:
            at = self.eyes.index[place]
            self._touched.pop(at, None)
            self._touched[at] = None  # the latest comes last

    def _changed(self, now: float) -> None:
        self._changed_at = now
        self._settle_at = now + self.times.settle
        self._patience_at = None

    # -- when to look ----------------------------------------------------------------------

    def deadline(self) -> float | None:
        waits = [at for at in (self._settle_at, self._patience_at) if at is not None]
        return min(waits, default=None)

    def due(self, now: float) -> Finding | None:
        if self._settle_at is not None and now >= self._settle_at:
            self._settle_at = None
            found = self._look(now, patient=True)
            if found is not None:
                return found
        if self._patience_at is not None and now >= self._patience_at:
            self._patience_at = None
            return self._look(now, patient=False)
        return None

    def look(self, now: float) -> Finding | None:
        return self._look(now, patient=True)

    def settle(self, now: float) -> Finding | None:
        """Before a roll a piece may well be in an eager hand; that is nobody's fault yet."""
        assert self._outlook is not None
        self._settle_at = self._patience_at = None
        task, match = self._outlook.task, self._outlook.match
        patient = task is Task.PLAY and match.face is None
        return self._look(now, patient, meant=not patient)

    def moved(self, now: float) -> Finding | None:
        if self._outlook is None or self.scene is None or not self.sees:
            return None
        seen, slack = self.seen, self.slack
        hidden: list[AnyMove | None] = [
            way.action
            for way in self.scene.ways
            if not isinstance(way.action, str)
            and any(not difference(outline, seen, slack) for outline in way.outlines)
        ]
        passes = [move for move in self._outlook.match.legal if isinstance(move, Pass)]
        if len(hidden) == 1 and hidden[0] is not None and not passes:
            return Accept(hidden[0])
        return Question((*hidden, *passes)) if hidden else None

    # -- looking ---------------------------------------------------------------------------

    @property
    def seen(self) -> Outline:
        assert self.eyes is not None
        return self.eyes.seen(self.sensors.on - self.sensors.aside)

    @property
    def slack(self) -> dict[int, int]:
        assert self.eyes is not None
        known = self.eyes.index
        return self.eyes.slack([place for place in self.sensors.aside if place in known])

    def _look(self, now: float, patient: bool, meant: bool = False) -> Finding | None:
        """Compare the board with the scene.

        `meant` says that somebody stands by it as it lies.
        """
        outlook = self._outlook
        if outlook is None or outlook.task is Task.REST or self.scene is None or not self.sees:
            return None
        if outlook.task is Task.SET_UP:
            return self._look_at_set_up()
        if self._unseen:  # the first look in a while: nobody moved before our eyes
            self._unseen = False
            if outlook.task not in (Task.STOP, Task.GUIDE, Task.OVER):
                return self._check(moved=True)
        sight = self.scene.look(self.seen, self.slack)
        if outlook.task is Task.OVER:  # if not moved back, the pieces are just cleared away
            return Back() if sight == Done((BACK,), thin=False) else None
        if isinstance(sight, Still):
            return self._right(outlook)
        if self._is_putting_right(outlook, sight, patient):
            return Guide(self.way_back())
        if isinstance(sight, Done):
            return self._done(outlook, sight, patient, meant)
        if isinstance(sight, OnTheWay):
            return self._on_the_way(outlook.match, sight, patient)
        return self._wrong(outlook.match, sight, patient, now)

    def _is_putting_right(self, outlook: Outlook, sight: Sight, patient: bool) -> bool:
        """While pieces are put where they belong, nothing is flagged.

        The move just taken back may still lie there: only OK or a roll says that it is meant.
        """
        if outlook.task is not Task.GUIDE:
            return False
        undone = isinstance(sight, Done) and sight.actions == (outlook.match.undone,)
        return (undone and patient) or not isinstance(sight, Done)

    def _right(self, outlook: Outlook) -> Finding | None:
        if outlook.task is Task.GUIDE or (outlook.task is Task.STOP and outlook.remedy):
            return Right()
        return Right(said=False) if outlook.task is Task.ASK else None

    def _done(self, outlook: Outlook, sight: Done, patient: bool, meant: bool) -> Finding | None:
        match = outlook.match
        moves = tuple(None if isinstance(one, str) else one for one in sight.actions)
        if sight.thin and patient:
            self._patience_at = self._changed_at + self.times.patience
            other = outlook.task is Task.ASK and any(one not in outlook.asked for one in moves)
            if outlook.task is Task.STOP or other:
                return Right(said=False)  # what was refused or asked about is no longer there
            return None
        doubted = sight.thin or self._struck_another(match, moves[0])
        if len(moves) > 1 or (doubted and not meant and match.face is not None):
            return Question(moves) if moves != outlook.asked else None
        (move,) = moves
        if move is None:
            return Back()
        return Amend(move) if match.face is None else Accept(move)

    def _struck_another(self, match: Match, move: AnyMove | None) -> bool:
        """Whether hands may have sent home another piece than the one that was captured.

        With two pieces of a colour in reach the board looks the same; only what was touched
        tells them apart.
        """
        if match.face is None or move is None or self.eyes is None:
            return False
        assert isinstance(match.game, BoardGame)
        for told in outcome(match.position, move).happenings:
            pieces = match.position.pieces[told.seat]
            squares = {self.eyes.index[match.game.spot(told.seat, piece)] for piece in pieces}
            touched = {at for at in squares & self._touched.keys() if self.eyes.size[at] == 1}
            if told.what == "captured" and touched:
                return self.eyes.index[told.places[0]] not in touched
        return False

    def _on_the_way(self, match: Match, sight: OnTheWay, patient: bool) -> Finding | None:
        """Pieces are in the air. After a while say what is missing, or why it cannot go."""
        if patient:
            self._patience_at = self._changed_at + self.times.patience
            return None
        clues = self._clues(match, sight.change)
        ways = [way for way in sight.ways if way.action != BACK]
        if not sight.change.came and len(sight.change.gone) == 1:
            (at,) = sight.change.gone
            verdict = verdict_on(clues.match, Attempt((Hop(clues.eyes.spots[at], None),)))
            if isinstance(verdict, Refused):
                return Refuse(verdict.refusals, self.way_back())
            ways = [way for way in ways if self._starts_at(way, at)] or ways
        elif not any(self._starts_at(way, at) for way in sight.ways for at in sight.change.gone):
            # What came fits a move from a stack, but another piece is gone: it was that one.
            seen = clues.attempt()
            if seen is not None and sight.change.gone:
                verdict = verdict_on(clues.match, seen)
                if isinstance(verdict, Refused):
                    return Refuse(verdict.refusals, clues.undoing(seen, self.way_back()), seen)
        return self._unfinished(ways, clues)

    def _clues(self, match: Match, change: Difference) -> Clues:
        assert isinstance(match.game, BoardGame)
        assert self.eyes is not None
        return Clues(self.eyes, match, match.game, change, tuple(self._touched))

    def _starts_at(self, way: Way, at: int) -> bool:
        assert self.scene is not None
        gone = difference(self.scene.rest, way.outlines[-1], {}).gone
        return at in gone or at in way.victims

    def _unfinished(self, ways: list[Way], clues: Clues) -> Refuse:
        """Say what is still to be done; if that is one legal move, its remaining steps."""
        if len(ways) == 1 and (clues.change.came or self._has_landed(ways[0])):
            remedy = steps(clues.eyes, self.seen, ways[0].outlines[-1], self.slack)
        else:
            remedy = self.way_back()
        return Refuse((Refusal("O8", "unfinished", clues.names()),), remedy)

    def _has_landed(self, way: Way) -> bool:
        """Whether something happened where a move ends: the victim lifted, the mover put down."""
        if not isinstance(way.action, Move):
            return False
        assert self.eyes is not None
        target = self.eyes.board.spot(way.action.seat, way.action.target)
        return self.eyes.index[target] in self._touched

    def _wrong(self, match: Match, sight: Wrong, patient: bool, now: float) -> Finding | None:
        """Flag it; only a piece that may be sliding on gets a little longer."""
        if sight.passing and patient and now - self._changed_at < self.times.passing:
            self._patience_at = self._changed_at + self.times.passing
            return None
        clues = self._clues(match, sight.change)
        fault = clues.fault()
        remedy = clues.undoing(fault.attempt, self.way_back())
        return Refuse(fault.refusals, remedy, fault.attempt)

    # -- putting right ---------------------------------------------------------------------

    def way_back(self) -> tuple[Step, ...]:
        """What hands have to do so that the board is as the game has it."""
        if self.eyes is None or self.scene is None or not self.sees:
            return ()
        return steps(self.eyes, self.seen, self.scene.rest, self.slack)

    def _check(self, moved: bool) -> Finding | None:
        """If the board is not as the game has it, guide the pieces there first.

        With `moved` the board may show a legal move instead: it was made while nobody watched.
        """
        outlook = self._outlook
        if not self.sees or outlook is None or self.scene is None or outlook.match.over:
            return None
        self._unseen = False
        remedy = self.way_back()
        if not remedy:
            return None
        sight = self.scene.look(self.seen, self.slack)
        playing = outlook.match.face is not None
        made = isinstance(sight, Done) and sight.actions != (outlook.match.undone,)
        if made and moved and playing:
            assert isinstance(sight, Done)
            return self._done(outlook, sight, patient=False, meant=False)
        self._patience_at = None
        return Guide(remedy)

    def _look_at_set_up(self) -> Finding | None:
        """Compare the board with the set-up, square by square; go on when it is right."""
        if not self.sees or self.scene is None:
            return None
        self._unseen = False
        remedy = self.way_back()
        return Guide(remedy) if remedy else Right(said=False)

    # -- sensors ---------------------------------------------------------------------------

    def doubtful(self) -> tuple[str, ...]:
        """Places whose sensors disagree with the game, or alone with a legal move, a few.

        One of them may be broken.
        """
        if self.eyes is None or self.scene is None or not self.sees:
            return ()
        seen, slack = self.seen, self.slack
        change = difference(self.scene.rest, seen, slack)
        doubted = change.gone.keys() | change.came.keys()
        for outline in (outline for way in self.scene.ways for outline in way.outlines):
            lacks = difference(outline, seen, slack)
            if change and len(lacks.gone) + len(lacks.came) == 1:
                doubted |= lacks.gone.keys() | lacks.came.keys()
        index = self.eyes.index
        places = [place.name for place in self.eyes.board.places if index[place.name] in doubted]
        return tuple(places[:8])
