"""Watching a board of presence sensors: when it is quiet, look; when it stays odd, say so."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.referee.attempts import Clues
from companion.referee.effects import Line, Phase
from companion.referee.hearing import verdict_on
from companion.referee.match import Match
from companion.referee.outlines import Difference, Eyes, Outline, Step, difference, steps
from companion.referee.presence import (
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
from companion.referee.sensors import Sensors
from companion.referee.stage import PUTTING_RIGHT
from companion.rules import AnyMove, Attempt, Board, Hop, Move, Refusal, Refused, outcome
from companion.rules.boardgame import BoardGame

if TYPE_CHECKING:
    from companion.referee.evening import Evening


class Watch:
    """The board as seen, the scene it is compared with, and how long it has been odd."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.sensors = Sensors(evening.times)
        self.eyes: Eyes | None = None
        self.scene: Scene | None = None
        self._settle_at: float | None = None
        self._patience_at: float | None = None
        self._changed_at = 0.0
        self._touched: dict[int, None] = {}
        self._unseen = True

    # -- what comes in ---------------------------------------------------------------------

    def new_board(self, match: Match) -> None:
        """A game begins or goes on: look at it with the eyes for its board."""
        board = match.game.board
        if isinstance(board, Board) and (self.eyes is None or self.eyes.board is not board):
            self.eyes = Eyes(board)
            self.sensors.on &= set(board.by_name)
        elif not isinstance(board, Board):
            self.eyes = None
        self._unseen = not self.sensors.known
        self.set_scene()

    def forget(self) -> None:
        """The board went away."""
        self.sensors.forget()
        self._unseen = True
        self._settle_at = self._patience_at = None

    def reading(self, place: str, on: bool) -> None:
        if self.sensors.set(place, on, self.evening.now):
            if self.eyes is not None:
                at = self.eyes.index[place]
                self._touched.pop(at, None)
                self._touched[at] = None  # the latest comes last
            if place in self.sensors.aside:
                return  # or a board with one bad sensor would never come to rest
            if self.sensors.flickers(place, self.evening.now):
                self.set_aside(place)
                self.evening.say("sensor_flickers", place)
            self._changed()

    def snapshot(self, on: Iterable[str]) -> None:
        if self.sensors.snapshot(on, self.evening.now):
            self._changed()

    def _changed(self) -> None:
        self._changed_at = self.evening.now
        self._settle_at = self.evening.now + self.evening.times.settle
        self._patience_at = None

    def deadline(self) -> float | None:
        waits = [at for at in (self._settle_at, self._patience_at) if at is not None]
        return min(waits, default=None)

    def due(self) -> None:
        """Look at a board that has been quiet, and speak of one that has stayed odd."""
        if self._settle_at is not None and self.evening.now >= self._settle_at:
            self._settle_at = None
            self.look(patient=True)
        if self._patience_at is not None and self.evening.now >= self._patience_at:
            self._patience_at = None
            self.look(patient=False)

    def settle_now(self) -> None:
        """Somebody rolled or pressed OK: the board is meant as it lies.

        Before a roll a piece may well be in an eager hand; that is nobody's fault yet.
        """
        if self.evening.watching:
            self._settle_at = self._patience_at = None
            patient = self.evening.phase in ("opening", "roll")
            self.look(patient, meant=not patient)

    # -- what may come next ----------------------------------------------------------------

    def set_scene(self) -> None:
        """Work out what the board looks like now, and after everything that may be done."""
        self._touched.clear()
        self.scene = None
        if self.eyes is not None and self.evening.match is not None:
            self.scene = scene_of(self.eyes, self.evening.match)

    @property
    def seen(self) -> Outline:
        assert self.eyes is not None
        return self.eyes.seen(self.sensors.on - self.sensors.aside)

    @property
    def slack(self) -> dict[int, int]:
        assert self.eyes is not None
        known = self.eyes.index
        return self.eyes.slack([place for place in self.sensors.aside if place in known])

    def hidden(self) -> tuple[AnyMove, ...]:
        """The legal moves that the board as seen now would fit, if OK says so."""
        if self.scene is None:
            return ()
        seen, slack = self.seen, self.slack
        return tuple(
            way.action
            for way in self.scene.ways
            if not isinstance(way.action, str)
            and any(not difference(outline, seen, slack) for outline in way.outlines)
        )

    # -- looking ---------------------------------------------------------------------------

    def look(self, patient: bool, meant: bool = False) -> None:
        """Compare the board with the scene, and act on what it shows.

        `meant` says that somebody stands by it as it lies.
        """
        evening = self.evening
        if evening.phase == "setting":
            self.look_at_set_up()
            return
        if not evening.watching or self.scene is None:
            return
        if evening.phase in ("idle", "menu", "paused"):
            return
        if self._unseen:  # the first look in a while: nobody moved before our eyes
            self._unseen = False
            if evening.phase not in PUTTING_RIGHT:
                self.put_right("restore", moved=True)
                return
        sight = self.scene.look(self.seen, self.slack)
        if evening.phase == "over":
            if sight == Done((BACK,), thin=False):  # else the pieces are just cleared away
                evening.moved_back()
        elif isinstance(sight, Still):
            self._right()
        elif self._is_putting_right(sight, patient):
            evening.guide(evening.phase, self.way_back())
        elif isinstance(sight, Done):
            self._done(sight, patient, meant)
        elif isinstance(sight, OnTheWay):
            self._on_the_way(sight, patient)
        else:
            self._wrong(sight, patient)

    def _is_putting_right(self, sight: Sight, patient: bool) -> bool:
        """While pieces are put where they belong, nothing is flagged.

        The move just taken back may still lie there: only OK or a roll says that it is meant.
        """
        evening, match = self.evening, self.evening.match
        assert match is not None
        if evening.phase not in ("restore", "penalty"):
            return False
        undone = isinstance(sight, Done) and sight.actions == (match.undone,)
        return (undone and patient) or not isinstance(sight, Done)

    def _right(self) -> None:
        evening = self.evening
        if evening.phase in PUTTING_RIGHT:
            was_guided = evening.phase != "illegal"
            if was_guided or evening.stage.remedy:
                evening.turn()
                evening.say("put_back")
            if was_guided:
                evening.ask_to_play_on()
        elif self._asks_which():
            evening.turn()

    def _asks_which(self) -> bool:
        """Whether the question is open what was moved."""
        stage = self.evening.stage
        return stage.phase == "ask" and stage.title in ("which_move", "have_moved")

    def _done(self, sight: Done, patient: bool, meant: bool = False) -> None:
        evening, match = self.evening, self.evening.match
        assert match is not None
        lines = tuple(_line(action) for action in sight.actions)
        if sight.thin and patient:
            other = self._asks_which() and any(one not in evening.stage.lines for one in lines)
            if evening.phase == "illegal" or other:
                evening.turn()  # what was refused or asked about is no longer there
            self._patience_at = self._changed_at + evening.times.patience
            return
        doubted = sight.thin or self._struck_another(match, sight.actions[0])
        if len(sight.actions) > 1 or (doubted and not meant and match.face is not None):
            if evening.phase != "ask" or evening.stage.lines != lines:
                evening.ask("have_moved" if len(lines) == 1 else "which_move", lines)
            return
        (action,) = sight.actions
        if isinstance(action, str):
            evening.moved_back()
        elif match.face is None:
            evening.amend(action)
        else:
            evening.accept(action)

    def _struck_another(self, match: Match, action: AnyMove | str) -> bool:
        """Whether hands may have sent home another piece than the one that was captured.

        With two pieces of a colour in reach the board looks the same; only what was touched
        tells them apart.
        """
        if match.face is None or isinstance(action, str) or self.eyes is None:
            return False
        assert isinstance(match.game, BoardGame)
        for told in outcome(match.position, action).happenings:
            pieces = match.position.pieces[told.seat]
            squares = {self.eyes.index[match.game.spot(told.seat, piece)] for piece in pieces}
            touched = {at for at in squares & self._touched.keys() if self.eyes.size[at] == 1}
            if told.what == "captured" and touched:
                return self.eyes.index[told.places[0]] not in touched
        return False

    def _on_the_way(self, sight: OnTheWay, patient: bool) -> None:
        """Pieces are in the air. After a while say what is missing, or why it cannot go."""
        evening = self.evening
        if patient:
            self._patience_at = self._changed_at + evening.times.patience
            return
        clues = self._clues(sight.change)
        ways = [way for way in sight.ways if way.action != BACK]
        if not sight.change.came and len(sight.change.gone) == 1:
            (at,) = sight.change.gone
            verdict = verdict_on(clues.match, Attempt((Hop(clues.eyes.spots[at], None),)))
            if isinstance(verdict, Refused):
                evening.refuse(verdict.refusals, self.way_back())
                return
            ways = [way for way in ways if self._starts_at(way, at)] or ways
        elif not any(self._starts_at(way, at) for way in sight.ways for at in sight.change.gone):
            # What came fits a move from a stack, but another piece is gone: it was that one.
            seen = clues.attempt()
            if seen is not None and sight.change.gone:
                verdict = verdict_on(clues.match, seen)
                if isinstance(verdict, Refused):
                    remedy = clues.undoing(seen, self.way_back())
                    evening.refuse(verdict.refusals, remedy, seen)
                    return
        self._unfinished(ways, clues)

    def _clues(self, change: Difference) -> Clues:
        match = self.evening.match
        assert match is not None
        assert isinstance(match.game, BoardGame)
        assert self.eyes is not None
        return Clues(self.eyes, match, match.game, change, tuple(self._touched))

    def _starts_at(self, way: Way, at: int) -> bool:
        assert self.scene is not None
        gone = difference(self.scene.rest, way.outlines[-1], {}).gone
        return at in gone or at in way.victims

    def _unfinished(self, ways: list[Way], clues: Clues) -> None:
        """Say what is still to be done; if that is one legal move, its remaining steps."""
        if len(ways) == 1 and (clues.change.came or self._has_landed(ways[0])):
            remedy = steps(clues.eyes, self.seen, ways[0].outlines[-1], self.slack)
        else:
            remedy = self.way_back()
        self.evening.refuse((Refusal("O8", "unfinished", clues.names()),), remedy)

    def _has_landed(self, way: Way) -> bool:
        """Whether something happened where a move ends: the victim lifted, the mover put down."""
        if not isinstance(way.action, Move):
            return False
        assert self.eyes is not None
        target = self.eyes.board.spot(way.action.seat, way.action.target)
        return self.eyes.index[target] in self._touched

    def _wrong(self, sight: Wrong, patient: bool) -> None:
        """Flag it; only a piece that may be sliding on gets a little longer."""
        evening = self.evening
        waited = evening.now - self._changed_at
        if sight.passing and patient and waited < evening.times.passing:
            self._patience_at = self._changed_at + evening.times.passing
            return
        clues = self._clues(sight.change)
        fault = clues.fault()
        evening.refuse(fault.refusals, clues.undoing(fault.attempt, self.way_back()), fault.attempt)

    # -- putting right ---------------------------------------------------------------------

    def way_back(self) -> tuple[Step, ...]:
        """What hands have to do so that the board is as the game has it."""
        if self.eyes is None or self.scene is None or not self.sensors.known:
            return ()
        return steps(self.eyes, self.seen, self.scene.rest, self.slack)

    def is_wrong(self) -> bool:
        """Whether the board differs from the game."""
        return bool(self.evening.watching and self.scene and self.way_back())

    def put_right(self, phase: Phase, moved: bool = False) -> None:
        """If the board is not as the game has it, guide the pieces there first.

        With `moved` the board may show a legal move instead: it was made while nobody watched.
        """
        if self.evening.phase not in ("opening", "roll", "move") or not self.evening.watching:
            return
        self._unseen = False
        if not self.is_wrong():
            return
        assert self.scene is not None
        sight = self.scene.look(self.seen, self.slack)
        if isinstance(sight, Done) and moved and self.evening.phase == "move":
            assert self.evening.match is not None
            if sight.actions != (self.evening.match.undone,):
                self._done(sight, patient=False)
                return
        self._patience_at = None
        self.evening.guide(phase, self.way_back())

    def doubtful(self) -> tuple[str, ...]:
        """Places whose sensors disagree with the game, or alone with a legal move, a few.

        One of them may be broken.
        """
        if self.eyes is None or self.scene is None or not self.evening.watching:
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

    def set_aside(self, place: str) -> None:
        if self.eyes is None or place not in self.eyes.board.by_name:
            self.evening.report(f"no sensor {place!r} on this board")
            return
        self.sensors.aside.add(place)
        self.evening.keep({"kind": "aside", "place": place, "aside": True})

    def use_again(self, place: str) -> None:
        """The sensor is mended."""
        if place not in self.sensors.aside:
            self.evening.report(f"sensor {place!r} is not set aside")
            return
        self.sensors.aside.discard(place)
        self.evening.keep({"kind": "aside", "place": place, "aside": False})

    # -- setting up ------------------------------------------------------------------------

    def look_at_set_up(self) -> None:
        """Compare the board with the set-up, square by square; go on when it is right."""
        evening = self.evening
        if evening.watching and self.scene is not None:
            self._unseen = False
            remedy = self.way_back()
            if remedy:
                evening.guide("setting", remedy)
            else:
                evening.turn()
        elif not evening.watching:
            evening.guide("setting", ())

    def set_up_done(self) -> None:
        """OK while setting up: without a watched board the players' word counts."""
        evening = self.evening
        if evening.watching:
            self.look_at_set_up()
            if evening.phase == "setting":
                evening.say("pieces_missing")
        else:
            evening.turn()


def _line(action: AnyMove | str) -> Line:
    return Line("take_back") if isinstance(action, str) else Line("move", move=action)
