"""Presence: a sensor under every place. When the board is quiet, look; when it is odd, say so.

Recognition compares outlines (`scene.py`); what is said of a board that fits nothing comes from
the pictures of the pieces (`tracking.py`): the tone (`tones.py`), what was tried (`attempts.py`)
and what to do (`remedies.py`).
"""

from collections.abc import Collection
from itertools import product

from companion.events import Reading, Snapshot
from companion.referee.attempts import fault_in
from companion.referee.effects import Notice
from companion.referee.hops import Hops
from companion.referee.knocks import Knocks
from companion.referee.lost_readings import LostReadings
from companion.referee.match import Match
from companion.referee.outlines import Eyes, Outline, Step, difference, differing, steps
from companion.referee.phases import Task
from companion.referee.picture import AIR, Picture, just_made
from companion.referee.remedies import Astray, agreed_steps, ways_between
from companion.referee.scene import BACK, Done, OnTheWay, Scene, Sight, Still, Way, Wrong, scene_of
from companion.referee.sensing import (
    Accept,
    Amend,
    Back,
    Finding,
    Guide,
    Hint,
    Outlook,
    Question,
    Refuse,
    Right,
)
from companion.referee.sensors import Sensors
from companion.referee.times import Times
from companion.referee.tones import Complete, Tones
from companion.referee.tracking import Mark, Pictures
from companion.rules import AnyMove, Move, Pass, outcome
from companion.rules.boards import BASE

ANEW = (Task.PLAY, Task.CHECK, Task.RESUME, Task.SET_UP, Task.OVER)
"""The tasks that begin with a new scene."""


class Presence:
    """The board as seen, what it is compared with, and how long it has been odd."""

    pressed: tuple[str, ...] = ()

    def __init__(self, times: Times) -> None:
        self.times = times
        self.sensors = Sensors(times)
        self.eyes: Eyes | None = None
        self.scene: Scene | None = None
        self.pictures: Pictures | None = None
        self.flickered: str | None = None
        """A sensor that was just set aside by itself; whoever tells of it clears it."""
        self._outlook: Outlook | None = None
        self._settle_at: float | None = None
        self._patience_at: float | None = None
        self._again_at: float | None = None
        self._changed_at = 0.0
        self._began_at = 0.0
        """When this scene began."""
        self._lost = LostReadings()
        self._touched: dict[int, None] = {}
        self._hops = Hops(times.push, times.carry, times.bounce)
        self._knocks: Knocks[Mark] = Knocks(times.knock)
        self._unseen = True
        self._owed: dict[int, int] = {}
        """By spot, how many pieces were in the air already when this scene began."""
        self._shifted: tuple[tuple[int, int], ...] = ()
        """The pieces pushed onto a neighbouring spot already when this scene began."""
        self._hinted = Hint()
        self._guided = False
        """Whether people were told at a STOP to put something back that was no part of it."""
        self._may_be_back = False
        """Whether it was asked if the last move is taken back: the board has looked like that."""
        self._sent_off: set[str | None] = set()
        """The colours of pieces that people were told to take off the board; None: any colour."""
        self._undone_stays: bool | None = False
        """Whether the move just taken back still lies on the board; None if nobody knows."""
        self._was_right = False
        """Whether the board has looked as the game has it since a move was taken back."""

    @property
    def sees(self) -> bool:
        return self.sensors.known

    @property
    def places(self) -> Collection[str]:
        """The names of the sensors on the board in play."""
        return () if self.eyes is None else self.eyes.board.by_name

    # -- what comes in ---------------------------------------------------------------------

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        before = self._outlook
        self._outlook, self._guided = outlook, False
        self._look_at_board(outlook.match)
        if self.eyes is None:
            self.scene = None
            return None
        hinted = self._hinted
        if outlook.task in ANEW:
            self._new_scene(outlook, before)
            self._began_at, self._may_be_back = now, False
        if outlook.task is Task.ASK and None in outlook.asked:
            self._may_be_back = True
        self._sent_off |= {step.colour for step in outlook.remedy if step.target is None}
        if outlook.task is Task.SET_UP:
            return self._look_at_set_up()
        if outlook.task in (Task.CHECK, Task.RESUME):
            found = self._check(outlook.task is Task.RESUME, now)
            if found is not None:
                return found
        return self._still_hinted(hinted, now) if self.sees else None

    def _still_hinted(self, hinted: Hint, now: float) -> Finding | None:
        """What was half done before may still be: it goes on being shown, or is said later."""
        assert self._outlook is not None
        assert self.scene is not None
        assert self.pictures is not None
        as_it_should = self.pictures.all == (self.scene.goal,)
        if as_it_should or self._outlook.task not in (Task.PLAY, Task.CHECK):
            return None
        if not self.way_back():
            return None
        if hinted == Hint():
            self._patience_at = now + self.times.patience
            return None
        self._hinted = self._said_of(self.way_back())
        return self._hinted._replace(said=False)

    def _look_at_board(self, match: Match) -> None:
        """Another board is looked at with other eyes."""
        board = match.game.board.walked
        if board is None:
            self.eyes = self.pictures = None
        elif self.eyes is None or self.eyes.board is not board:
            self.eyes, self.pictures = Eyes(board), None
            self.sensors.on &= set(board.by_name)
            self._unseen = not self.sensors.known

    def _new_scene(self, outlook: Outlook, before: Outlook | None) -> None:
        """The game stands otherwise: compare with that from now on."""
        assert self.eyes is not None
        self._end_knock()
        self._touched.clear()
        self._hinted, self._again_at = Hint(), None
        stood = self.scene.position if self.scene is not None else None
        self.scene = scene_of(self.eyes, outlook.match)
        another = before is None or before.match is not outlook.match
        owed = self._owed
        if self.sees or another or self.scene.position != stood:  # else nobody saw them go back
            self._owed, self._shifted = {}, ()
            self._sent_off.clear()
        if self.pictures is None or another or outlook.task is Task.SET_UP:
            self.pictures = Pictures(self.eyes, self.scene.goal)
            if self.sees:
                self.pictures.sense(self.seen, self.aside)
        undone = outlook.match.undone
        if undone is None or outlook.task is Task.CHECK:
            self._was_right = False
            self._undone_stays = undone is not None and self._lies(undone)
        elif another:
            self._undone_stays = None
        if self.sees and outlook.task in (Task.PLAY, Task.CHECK):
            self._make_certain(owed)

    def _lies(self, move: AnyMove) -> bool:
        """Whether the pieces of a legal move stand as they do after it."""
        assert self.scene is not None
        seen, rest = self.seen, self.scene.rest
        return self.sees and any(
            all(seen[at] == outline[at] for at in differing(outline, rest))
            for way in self.scene.ways
            if way.action == move
            for outline in way.outlines
        )

    def _make_certain(self, owed: dict[int, int]) -> None:
        """What was played is so: pictures that have a piece astray then were wrong.

        What was `owed` before, and still is in the air, is owed now.
        """
        assert self._outlook is not None
        assert self.scene is not None
        assert self.pictures is not None
        goal = self.scene.goal
        if self.pictures.all == (goal,):
            self.pictures.keep((), goal)
            return
        tones = self._tones()
        ends = [(one, tones.loose(one, goal)) for one in self.pictures.all]
        last, astray = self._outlook.match.open_move, all(loose is None for _, loose in ends)
        if astray and last is not None and isinstance(last.move, Move):
            made = just_made(last.position, last.move)
            if self.scene.eyes.shown(made.pieces) == self.seen:  # people say that it was made
                ends, astray = [(made, [])], False
        if astray:
            self._owed = owed
            played = self._outlook.match.undone is None
            if played and not difference(self.scene.rest, self.seen, self.slack):
                self._keep_but_owed(goal)  # it was moved unseen, from a stack or onto one
            else:
                self._owed = {}  # something is to be put right first
            return
        fitting = [self._landed(one, goal) for one, loose in ends if loose is not None]
        self.pictures.keep(dict.fromkeys(fitting), self.pictures.plainest)
        loose = tones.loose(self.pictures.plainest, goal) or []
        index = self.scene.eyes.index
        for seat, origin, target in loose:
            number = self._owed.get(index[target], 0) + 1
            stood = not self.scene.eyes.holds_many(target)  # else it may be a captured one
            if (seat, target) in self.scene.movers and (
                stood or number > owed.get(index[target], 0)
            ):
                continue  # it was taken into the hand before the roll, and is to move now
            if origin == AIR:
                self._owed[index[target]] = number
            else:
                self._shifted += ((index[origin], index[target]),)

    def _keep_but_owed(self, goal: Picture) -> None:
        """All is as the game has it, but for pieces owed to their bases, or pushed long ago."""
        assert self.pictures is not None
        assert self.scene is not None
        eyes, seen = self.scene.eyes, self.seen
        for here, there in self._pushed_still():
            for pushed in goal.at(eyes.spots[there]):
                goal = goal.moved(pushed, eyes.spots[there], eyes.spots[here])
        for at in self._owed:
            number, seat = self.scene.rest[at] - seen[at], eyes.owner[at]
            if number > 0 and seat is not None:
                goal = goal.moved(seat, eyes.spots[at], AIR, number)
        self.pictures.keep((), goal)

    def _landed(self, picture: Picture, goal: Picture) -> Picture:
        """A piece that vanished where the game now has one stands there unseen."""
        assert self.eyes is not None
        for seat, (has, wants) in enumerate(zip(picture.pieces, goal.pieces, strict=True)):
            for spot in wants if AIR in has else ():
                at = self.eyes.index[spot]
                stray = self._stray_at(self.eyes.shown(picture.pieces), spot)
                hidden = stray or at in self.aside or (self.eyes.size[at] == 1 and self.seen[at])
                if hidden and picture.pieces[seat].count(spot) < wants.count(spot):
                    picture = picture.moved(seat, AIR, spot)
        return picture

    def forget(self) -> None:
        self.sensors.forget()
        self._lost = LostReadings()
        self._knocks.over()
        self._unseen = True
        self._settle_at = self._patience_at = self._again_at = None

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        if isinstance(event, Snapshot):
            changed = self.sensors.snapshot(event.on, now)
            if changed:
                self._knocks.over()
            late = self.eyes.spots if self.eyes is not None else ()
            nowhere = changed and self._changed(now, late)
            if changed and self._unseen and self.pictures is not None and self.scene is not None:
                captures = [way.made for way in self.scene.ways if way.victims]
                self.pictures.unwatched(self.scene.goal, captures, self.seen)
            if self._lost.snapshot(changed, from_nowhere=nowhere):
                self._settle_at = min(now, self._settle_at or now)
        elif self.sensors.set(event.place, event.on, now):
            self._touch(event, now)
            if event.place in self.sensors.aside:
                return  # or a board with one bad sensor would never come to rest
            if self.sensors.flickers(event.place, now):
                self.sensors.aside.add(event.place)
                self.flickered = event.place
            self._lost.reading(from_nowhere=self._changed(now, self._just_taken(event, now)))

    def _just_taken(self, event: Reading, now: float) -> Collection[str]:
        """The spots taken so shortly before another was left that it may have been left first.

        A contact that bounces tells nothing of other spots.
        """
        if event.on or self.eyes is None:
            return ()
        left = self.eyes.spots[self.eyes.index[event.place]]
        return self._hops.taken_after(now - self.times.bounce) - {left}

    def _touch(self, event: Reading, now: float) -> None:
        if self.eyes is None:
            return
        at = self.eyes.index[event.place]
        self._touched.pop(at, None)
        self._touched[at] = None  # the latest comes last
        if event.on and self._knocks.back(at):
            self._hops.danced(self.eyes.spots[at])
            return
        self._hops.note(self.eyes.spots[at], event.on, now)
        if not event.on and self.pictures is not None and event.place not in self.sensors.aside:
            stood = self._knocks.lost(at, now, self.pictures.mark())
            if stood is not None:
                self.pictures.back_to(stood)

    def _changed(self, now: float, late: Collection[str]) -> bool:
        """The board looks different; whether a piece came from nowhere.

        Who is gone now may have left before others came to the spots in `late`.
        """
        self._changed_at = now
        self._settle_at = now + self.times.settle
        self._patience_at = self._again_at = None
        if self.pictures is not None and self.sees:
            self._came_home()
            self.pictures.sense(self._knocks.steadied(self.seen), self.aside, late)
            self._allow_other_order()
            undone = self._outlook.match.undone if self._outlook is not None else None
            if undone is not None and (self._undone_stays or self._was_unseen(undone, bool(late))):
                self._undone_stays = self._lies(undone)
            return self.pictures.out_of_thin_air
        return False

    def _allow_other_order(self) -> None:
        """Who is told that a piece goes to a square which another has to leave may set it there
        first: then the other one leaves unseen, and seems to be the one that was in the hand."""
        outlook = self._outlook
        if outlook is None or len(outlook.remedy) < 2 or self.scene is None:
            return
        assert self.pictures is not None
        assert self.eyes is not None
        goal = self.scene.goal
        if goal in self.pictures.all or self.eyes.shown(goal.pieces) != self.seen:
            return
        ways = ways_between(self.eyes, self.pictures.plainest, goal)
        told = {(step.colour, step.target) for step in outlook.remedy}
        left = {(step.colour, step.origin, step.target) for step in outlook.remedy}
        colours = outlook.match.game.colours
        if len(ways) != 2 or any((colours[seat], to) not in told for seat, _, to in ways):
            return
        one, other = ways
        if (one.here, one.belongs) == (other.belongs, other.here) and any(
            (colours[seat], at, to) in left for seat, at, to in ways
        ):
            self.pictures.admit((goal,))

    def _came_home(self) -> None:
        """Who is seen in its base is owed to it no longer: lifted again it is missed."""
        if self._owed and self.scene is not None:
            seen, rest = self.seen, self.scene.rest
            missing = {at: min(number, rest[at] - seen[at]) for at, number in self._owed.items()}
            self._owed = {at: number for at, number in missing.items() if number > 0}

    def _end_knock(self) -> None:
        """The board is quiet, or meant as it lies: who is not back by now was lifted."""
        if self._knocks.over() and self.pictures is not None and self.sees:
            self.pictures.sense(self.seen, self.aside)

    def _was_unseen(self, undone: AnyMove, late: bool) -> bool:
        """Whether a lost reading may hide that a move taken back still lies as it did."""
        assert self.eyes is not None
        if not late or self._unseen or self._was_right or not isinstance(undone, Move):
            return False
        origin = self.eyes.board.spot(undone.seat, undone.origin)
        return self.eyes.index[origin] not in self._touched

    # -- when to look ----------------------------------------------------------------------

    def deadline(self) -> float | None:
        waits = (self._settle_at, self._patience_at, self._again_at)
        return min((at for at in waits if at is not None), default=None)

    def due(self, now: float) -> Finding | None:
        if self._settle_at is not None and now >= self._settle_at:
            self._settle_at = None
            found = self._look(now, patient=True)
            if found is not None:
                return found
        if self._patience_at is not None and now >= self._patience_at:
            self._patience_at = None
            return self._look(now, patient=False)
        if self._again_at is not None and now >= self._again_at:
            self._again_at = None
            return self._hinted if self._hinted != Hint() else None
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
        seen, slack = self.corrected, self.slack
        hidden: list[AnyMove | None] = [
            way.action
            for way in self.scene.ways
            if not isinstance(way.action, str)
            and any(not difference(outline, seen, slack) for outline in way.outlines)
        ]
        passes = [move for move in self._outlook.match.legal if isinstance(move, Pass)]
        if len(hidden) == 1 and hidden[0] is not None and not passes:
            return Accept(hidden[0])
        if hidden:
            return Question((*hidden, *passes))
        assert self.pictures is not None
        return _made(self._tones().complete(self.pictures))

    # -- looking ---------------------------------------------------------------------------

    @property
    def seen(self) -> Outline:
        assert self.eyes is not None
        return self.eyes.seen(self.sensors.on - self.sensors.aside)

    @property
    def corrected(self) -> Outline:
        """What is seen, with pieces that were pushed aside long ago where they belong."""
        if not self._shifted:
            return self.seen
        seen = bytearray(self.seen)
        for here, there in self._pushed_still():
            seen[here], seen[there] = 0, 1
        return bytes(seen)

    def _pushed_still(self) -> list[tuple[int, int]]:
        """The pieces pushed long ago that nobody has put back, each with where it belongs."""
        seen = self.seen
        return [(here, there) for here, there in self._shifted if seen[here] and not seen[there]]

    @property
    def aside(self) -> set[int]:
        """The spots with a sensor that is set aside."""
        assert self.eyes is not None
        index = self.eyes.index
        return {index[place] for place in self.sensors.aside if place in index}

    @property
    def slack(self) -> dict[int, int]:
        """By spot, how many pieces may stand there unseen, or are owed to it."""
        assert self.eyes is not None
        known = self.eyes.index
        slack = self.eyes.slack([place for place in self.sensors.aside if place in known])
        for at, number in self._owed.items():
            slack[at] = slack.get(at, 0) + number
        return slack

    def _look(self, now: float, patient: bool, meant: bool = False) -> Finding | None:
        """Compare the board with the scene.

        `meant` says that somebody stands by it as it lies.
        """
        outlook = self._outlook
        if outlook is None or outlook.task is Task.REST or self.scene is None or not self.sees:
            return None
        self._end_knock()
        if outlook.task is Task.SET_UP:
            return self._look_at_set_up()
        if self._unseen:  # the first look in a while: nobody moved before our eyes
            self._unseen = False
            if outlook.task not in (Task.STOP, Task.GUIDE, Task.OVER):
                found = self._check(True, now)
                if found is not None or (self._settle_at is not None and not meant):
                    return found
        sight = self.scene.look(self.corrected, self.slack)
        if outlook.task is Task.OVER:  # if not moved back, the pieces are just cleared away
            return Back() if sight == Done((BACK,), thin=False) else None
        if isinstance(sight, Still):
            return self._still(outlook, meant, now)
        if self._is_putting_right(outlook, sight, patient):
            return self._guide_on(outlook)
        if isinstance(sight, Done) and outlook.task is Task.STOP and self._stayed(sight):
            sight = Wrong(difference(self.scene.rest, self.corrected, self.slack), passing=False)
        if isinstance(sight, Done):
            undone = self._undone_stays and sight.actions == (outlook.match.undone,)
            if undone and outlook.task in (Task.PLAY, Task.CHECK) and not meant:
                return self._guide_on(outlook)  # it lay there all the while, unseen
            return self._done(outlook, sight, patient, meant)
        return self._judge_odd_board(outlook, sight, patient, meant, now)

    def _is_putting_right(self, outlook: Outlook, sight: Sight, patient: bool) -> bool:
        """While pieces are put where they belong, nothing is flagged.

        Who follows the steps shown makes no move, whatever the board looks like half-way; and
        the move just taken back may still lie there: only OK or a roll says that it is meant.
        At a STOP somebody may move the last piece back instead, and leaves it at that.
        """
        assert self.pictures is not None
        if outlook.task not in (Task.GUIDE, Task.STOP):
            return False
        if not isinstance(sight, Done):
            return outlook.task is Task.GUIDE
        if self._undone_stays and sight.actions == (outlook.match.undone,):
            return patient and outlook.task is Task.GUIDE
        back = patient and sight.actions == (BACK,)
        if outlook.task is Task.STOP and not back and not all(map(self._holds, self.pictures.all)):
            return False
        left = self.way_back()
        followed = len(left) < len(outlook.remedy) and set(left) < set(outlook.remedy)
        if followed and patient:
            self._patience_at = self._changed_at + self.times.patience
        return followed

    def _guide_on(self, outlook: Outlook) -> Finding:
        """Who was thinking with a piece in the hand all the while is not sent back with it."""
        told = {step.target for step in outlook.remedy}
        spared = {step for step in self._may_think_with() if step.target not in told}
        left = tuple(step for step in self.way_back() if step not in spared)
        return Guide(left) if left or not spared else Right(said=False)

    def _still(self, outlook: Outlook, meant: bool, now: float) -> Finding | None:
        """The sensors show what the game has; colours may have been exchanged all the same.

        Then people are told until the readings, or they themselves, say that it is right.
        """
        assert self.scene is not None
        assert self.pictures is not None
        self._was_right = True
        told = outlook.remedy or self._guided
        steps_shown = outlook.task is Task.GUIDE or bool(outlook.task is Task.STOP and told)
        if meant and not steps_shown:
            slid = self._slid_unseen(outlook.match)
            if slid is not None:
                return Accept(slid)
            struck = self._struck_unseen(outlook.match)
            if struck:
                return Question(struck)
        if meant:
            self._keep_but_owed(self.scene.goal)
        if steps_shown:
            believed = self._as_told(outlook)
            wrong = [one for one in believed if self._astray(one)]
            held = all(self._holds(one) for one in believed)
            all_wrong = len(wrong) == len(believed) and not self._all_touched(wrong)
            if all_wrong or held:
                hidden_at = self._changed_at + self.times.hidden
                if now < hidden_at or (all_wrong and not self._may_be_hidden(wrong)):
                    self._patience_at = hidden_at if now < hidden_at else None
                    return Guide(self._steps_to(self.scene.goal, believed, held=held))
            return Right(check=self._to_check())
        if outlook.task is Task.STOP:
            return None
        if outlook.task is Task.ASK:
            return Right(said=False)
        return self._hint(self._said_of(self._left_open()), now, patient=False)

    def _as_told(self, outlook: Outlook) -> tuple[Picture, ...]:
        """The pictures in which the steps shown were followed, or all if there are none."""
        assert self.pictures is not None
        colours, steps = outlook.match.game.colours, outlook.remedy
        told = [
            (colours.index(one.colour), one.target) for one in steps if one.colour and one.target
        ]
        pictures = self.pictures.all
        return (
            tuple(one for one in pictures if all(seat in one.at(spot) for seat, spot in told))
            or pictures
        )

    def _slid_unseen(self, match: Match) -> AnyMove | None:
        """The one move from stack to stack on whose way something was touched before a roll."""
        assert self.scene is not None
        if match.face is None or not self._touched:
            return None
        fitting = [way for way in self.scene.ways if self.scene.rest in way.outlines]
        moves = [way.action for way in fitting if way.path(self.scene.eyes) & self._touched.keys()]
        return moves[0] if len(moves) == 1 and not isinstance(moves[0], str) else None

    def _struck_unseen(self, match: Match) -> tuple[AnyMove, ...]:
        """The moves to the square of somebody who was lifted there, and is not home yet.

        The board looks as if that one was merely put back.
        """
        assert self.scene is not None
        eyes, seen = self.scene.eyes, self.corrected
        return tuple(
            way.action
            for way in self.scene.ways
            if isinstance(way.action, Move)
            and match.face is not None
            and way.victims
            and way.victims <= self._touched.keys()
            and eyes.shown(way.made.pieces) == seen
        )

    def _astray(self, picture: Picture) -> bool:
        """Whether a picture has pieces elsewhere than the game; those owed do not count."""
        assert self.scene is not None
        found = ways_between(self.scene.eyes, picture, self.scene.goal)
        eyes, shown = self.scene.eyes, self.scene.eyes.shown(picture.pieces)
        return any(
            origin != AIR or (eyes.index[to] not in self._owed and not self._stray_at(shown, to))
            for _, origin, to in found
        )

    def _stray_at(self, shown: Outline, spot: str) -> bool:
        """Whether something stands on a spot that a picture knows nothing of."""
        assert self.eyes is not None
        at = self.eyes.index[spot]
        return self.seen[at] > shown[at]

    def _holds(self, picture: Picture) -> bool:
        """Whether a piece is in the air that is owed to nobody."""
        assert self.scene is not None
        shown = self.scene.eyes.shown(picture.pieces)
        unseen = sum(max(a - b, 0) for a, b in zip(self.seen, shown, strict=True))
        return sum(own.count(AIR) for own in picture.pieces) - unseen > sum(self._owed.values())

    def _ways_in(self, pictures: Collection[Picture], *, held: bool = False) -> list[Astray]:
        """The pieces that stand elsewhere than in the game, in any of these pictures."""
        assert self.scene is not None
        eyes, goal = self.scene.eyes, self.scene.goal
        return [way for one in pictures for way in ways_between(eyes, one, goal, held=held)]

    def _all_touched(self, pictures: list[Picture]) -> bool:
        """Whether hands were at every piece that seems exchanged: they may have changed it."""
        assert self.scene is not None
        ways = self._ways_in(pictures)
        spots = {spot for _, at, to in ways for spot in (at, to)}
        return AIR not in spots and all(
            self.scene.eyes.index[spot] in self._touched for spot in spots
        )

    def _may_be_hidden(self, pictures: list[Picture]) -> bool:
        """Whether all that is missed may stand on a stack, where nobody sees it."""
        assert self.scene is not None
        ways = self._ways_in(pictures)
        return all(at == AIR and self.seen[self.scene.eyes.index[to]] for _, at, to in ways)

    def _to_check(self) -> tuple[str, ...]:
        """The spots on which nobody, or somebody else, might stand than the game has there."""
        assert self.pictures is not None
        wrong = [one for one in self.pictures.all if self._astray(one) or self._holds(one)]
        return tuple(dict.fromkeys(way.belongs for way in self._ways_in(wrong, held=True)))

    def _left_open(self) -> tuple[Step, ...]:
        """The loose ends that were there before: they stay a hint."""
        return self.way_back() if self._owed or self._shifted else ()

    def _done(self, outlook: Outlook, sight: Done, patient: bool, meant: bool) -> Finding | None:
        match = outlook.match
        moves = tuple(None if isinstance(one, str) else one for one in sight.actions)
        if sight.thin and patient:
            thinks = match.face is not None and match.undone not in sight.actions
            wait = self.times.hidden if thinks else self.times.patience  # who goes back has thought
            self._patience_at = self._changed_at + wait
            other = outlook.task is Task.ASK and any(one not in outlook.asked for one in moves)
            if outlook.task is Task.STOP or other:
                return Right(said=False)  # what was refused or asked about is no longer there
            if outlook.task is Task.GUIDE:
                left = self._still_to_do(outlook.remedy)
                return Guide(left) if left else Right(said=False)
            return self._withdraw_hint(Hint())
        if sight.thin:
            moves += tuple(one for one in self._struck_unseen(match) if one not in moves)
        doubted = sight.thin or self._struck_another(match, moves[0]) or self._stayed(sight)
        unsure = doubted and (not meant or match.face is None)
        if len(moves) > 1 or unsure:
            return Question(moves) if moves != outlook.asked else None
        (move,) = moves
        if move is None:
            return Back()
        return Amend(move) if match.face is None else Accept(move)

    def _struck_another(self, match: Match, move: AnyMove | None) -> bool:
        """Whether hands may have sent home another piece than the one that was captured.

        With two pieces of a colour in reach the board looks the same; only what was touched
        tells them apart: another one whose square was empty while the captor was in the hand.
        """
        if match.face is None or not isinstance(move, Move) or self.eyes is None:
            return False
        lifted = self._hops.left(match.game.stops(move)[0])
        for told in outcome(match.position, move).happenings:
            pieces = match.position.pieces[told.seat]
            spots = {match.game.spot(told.seat, piece) for piece in pieces}
            touched = {spot for spot in spots if self._is_touched(spot)}
            if told.what == "captured" and touched:
                others = (spot for spot in touched if self._was_off_since(spot, lifted))
                return told.places[0] not in touched and any(others)
        return False

    def _is_touched(self, spot: str) -> bool:
        """Whether hands were at the piece on a square."""
        assert self.eyes is not None
        at = self.eyes.index[spot]
        return at in self._touched and self.eyes.size[at] == 1

    def _was_off_since(self, spot: str, since: float) -> bool:
        """Whether nobody stood on a square for a while since then."""
        assert self.eyes is not None
        return not self.seen[self.eyes.index[spot]] or self._hops.taken(spot) >= since

    def _stayed(self, sight: Done) -> bool:
        """Whether others would have to stand now on a square that nobody has touched.

        Whom a move captures may be pulled out from under the captor, and is seen in its base.
        """
        assert self.scene is not None
        eyes, before = self.scene.eyes, self.scene.goal
        way = next(way for way in self.scene.ways if way.action == sight.actions[0])
        squares = {spot for own in before.pieces for spot in own if not eyes.holds_many(spot)}
        untouched = {spot for spot in squares if eyes.index[spot] not in self._touched}
        known = {spot for spot in untouched if eyes.index[spot] not in way.victims | self.aside}
        return any(
            (after := way.goals[0].at(spot)) and set(after).isdisjoint(before.at(spot))
            for spot in known
        )

    # -- a board that fits nothing -----------------------------------------------------------

    def _tones(self) -> Tones:
        assert self._outlook is not None
        assert self.scene is not None
        match = self._outlook.match
        return Tones(self.scene.eyes, self.scene, match, self.seen, self._hops, self.times)

    def _judge_odd_board(
        self, outlook: Outlook, sight: OnTheWay | Wrong, patient: bool, meant: bool, now: float
    ) -> Finding | None:
        """Neither as the game has it nor as a legal move leaves it: a question, a hint, or STOP."""
        assert self.pictures is not None
        tones = self._tones()
        stood = self._stood_a_moment(outlook.match) if meant and outlook.task is Task.PLAY else ()
        if stood:
            return Question(stood)
        if outlook.task is not Task.STOP or self._lost.happened:
            if tones.moved_back(self.pictures, held=True):
                return Back()
            if not patient and tones.moved_back(self.pictures, held=False):
                return self._ask_if_back(outlook)
            if tones.amending(self.pictures):
                return None if self._wait(patient, now) else self._ask_if_back(outlook)
        if tones.nearly_lawful(self.pictures):
            made = tones.complete(self.pictures)
            if meant and made:
                return _made(made)
            complete = made[0] if len(made) == 1 else None
            if outlook.task is Task.STOP:
                return self._guide_to_nearest(outlook, complete)
            remedy = self._nearest(complete)
            return self._hint(
                self._said_of(remedy) if complete is None else Hint(remedy), now, patient
            )
        strays = self.pictures.unexplained(self.pictures.plainest, self.seen)
        half = isinstance(sight, OnTheWay) and (sight.one_of_two or not self._stands_astray())
        if patient and half:
            self._patience_at = self._changed_at + self.times.patience
            return None
        if patient and self._lost.is_possible(bool(strays)):
            self._lost.wait_for_snapshot()
            self._patience_at = self._changed_at + self.times.snapshot
            return None
        if self._may_pass(sight) and self._wait(patient, now):
            return None
        return self._stop(outlook.match, tones, strays)

    def _ask_if_back(self, outlook: Outlook) -> Question | None:
        """Only people know whether the last piece stands where it came from, or is in a hand."""
        return None if outlook.asked == (None,) else Question((None,))

    def _wait(self, patient: bool, now: float) -> bool:
        """Whether to wait as long as it takes to pass."""
        at = self._changed_at + self.times.passing
        if patient and now < at:
            self._patience_at = at
            return True
        return False

    def _guide_to_nearest(self, outlook: Outlook, complete: Complete | None) -> Finding | None:
        """At a STOP the board has become nearly lawful: lead on, or let it go."""
        assert self.pictures is not None
        if not (outlook.remedy or self._guided) or (complete is not None and self._lost.happened):
            return Right(said=False)  # only a roll was refused, or a reading was lost
        sure = complete is not None and set(complete.pictures) == set(self.pictures.all)
        if complete is not None and not sure and self._is_in(complete.move, outlook):
            complete = None  # who follows the steps shown makes no move
        remedy = self._nearest(complete)
        self._guided = self._guided or bool(remedy)
        return Guide(remedy) if remedy else None

    def _is_in(self, move: Move, outlook: Outlook) -> bool:
        """Whether the steps shown have to do with the squares of a move."""
        squares = outlook.match.game.stops(move)
        return any(spot in squares for step in outlook.remedy for spot in step[:2])

    def _stop(self, match: Match, tones: Tones, strays: list[str]) -> Refuse:
        """Something is not allowed: which clause says so, and what to do."""
        assert self.pictures is not None
        assert self.scene is not None
        eyes, goal, pictures = self.scene.eyes, self.scene.goal, self.pictures.all
        touched = [eyes.spots[at] for at in self._touched]
        fault = fault_in(eyes, match, pictures, goal, strays, touched, self._hops, self._owed)
        self._hinted, self._again_at = Hint(), None
        self.pictures.admit(tones.made_unseen(self.pictures))
        return Refuse(fault.refusals, self._nearest(), fault.attempt)

    def _may_pass(self, sight: OnTheWay | Wrong) -> bool:
        """Whether a piece may just be on its way, whatever others lift or push meanwhile."""
        assert self.scene is not None
        if isinstance(sight, OnTheWay) or sight.passing:
            return True
        eyes, seen = self.scene.eyes, bytearray(self.corrected)
        for here, there in product(sight.change.came, sight.change.gone):
            one, other = eyes.spots[here], eyes.spots[there]
            if eyes.beside(one, other) and self._hops.pushed(other, one):
                seen[here], seen[there] = 0, 1
        for there in sight.change.gone:
            seen[there] = max(seen[there], self._is_held(eyes.spots[there]))
        if seen == self.corrected:
            return False
        straight = self.scene.look(bytes(seen), self.slack)
        return isinstance(straight, OnTheWay) or (isinstance(straight, Wrong) and straight.passing)

    def _is_held(self, spot: str) -> bool:
        """Whether who was lifted from a square may still be in the air."""
        assert self.scene is not None
        assert self.pictures is not None
        seats = () if self.scene.eyes.holds_many(spot) else self.scene.goal.at(spot)
        return any(AIR in one.pieces[seat] for one in self.pictures.all for seat in seats)

    def _stood_a_moment(self, match: Match) -> tuple[AnyMove, ...]:
        """The moves whose piece stood at its end, and was taken up again before anybody looked.

        It stood there, too, if its victim went home from under it. It may have been moved, and
        is in an eager hand now; or it never was let go of. Who stood there before the roll has
        made no move with it.
        """
        assert self.scene is not None
        assert self.pictures is not None
        eyes, seen, hops = self.scene.eyes, self.seen, self._hops
        found = []
        for way in self.scene.ways if match.face is not None else ():
            move = way.action
            if isinstance(move, Move) and any(
                AIR in one.pieces[move.seat] for one in self.pictures.all
            ):
                origin, target = match.game.stops(move)
                at, end = eyes.index[origin], eyes.index[target]
                gone = seen[at] < self.scene.rest[at] and hops.left(origin) > hops.taken(origin)
                missing = (gone or at in self._touched) and not seen[end]
                homes = [base for (spot, base) in way.homes if spot == target]
                stood = max(hops.taken(spot) for spot in (target, *homes))
                since = max(hops.left(origin), self._began_at)
                if missing and since < stood <= hops.left(target):
                    found.append(move)
        return tuple(found)

    def _nearest(self, complete: Complete | None = None) -> tuple[Step, ...]:
        """The steps to the nearest lawful board: forward only to a move that is made.

        On a tie they lead back: the box never picks a move for the player. Where the last piece
        may be moved back already, that stays as it is: it is asked about.
        """
        assert self.scene is not None
        assert self.pictures is not None
        if complete is not None:
            forward = self._steps_to(complete.goal, complete.pictures)
            if len(forward) < len(self._steps_to(self.scene.goal, complete.pictures)):
                return forward
        for way in self.scene.ways if self._may_be_back else ():
            back = way.action == BACK
            if back and all(self._is_nearer(one, way.goals[0]) for one in self.pictures.all):
                return self._steps_to(way.goals[0])
        return self.way_back()

    def _is_nearer(self, picture: Picture, goal: Picture) -> bool:
        """Whether fewer pieces are elsewhere than in a goal than are elsewhere than in the game."""
        assert self.scene is not None
        eyes, game = self.scene.eyes, self.scene.goal
        return len(ways_between(eyes, picture, goal)) < len(ways_between(eyes, picture, game))

    def _stands_astray(self) -> bool:
        """Whether a piece is seen to stand where it does not belong, in every picture."""
        assert self.pictures is not None
        assert self.scene is not None
        eyes, goal = self.scene.eyes, self.scene.goal
        found = [ways_between(eyes, picture, goal) for picture in self.pictures.all]
        return all(any(origin != AIR for _, origin, _ in ways) for ways in found)

    def _said_of(self, remedy: tuple[Step, ...]) -> Hint:
        """The hint for loose ends: who thinks with a piece in the hand is not sent back.

        But who was told to do a step is told so until it is done.
        """
        if not remedy:
            return Hint()
        thinking = self._may_think_with() - set(self._hinted.remedy)
        left = tuple(step for step in remedy if step not in thinking)
        in_hand = tuple(step.target for step in remedy if step in thinking and step.target)
        return Hint(left, Notice("in_hand", in_hand) if in_hand and not left else None)

    def _may_think_with(self) -> set[Step]:
        """The ways back of pieces in the hand that may move, or may once it is rolled.

        Whom such a piece captures may be lifted already. But nobody thinks with a piece that was
        taken off the board as the box said.
        """
        assert self.scene is not None
        assert self.pictures is not None
        assert self._outlook is not None
        match, eyes = self._outlook.match, self.scene.eyes
        movers = self.scene.movers
        if match.face is None and not match.over:
            own = match.game.hands[match.position.seat]
            spots = ((seat, spot) for seat in own for spot in self.scene.goal.pieces[seat])
            movers = {(seat, spot) for seat, spot in spots if not eyes.holds_many(spot)}
        lawful = self._tones().lawful(self.pictures) or self.pictures.all
        held = {seat for seat, _ in movers if all(AIR in one.pieces[seat] for one in lawful)}
        found = {Step(None, spot, match.game.colours[s]) for s, spot in movers if s in held}
        for way in self.scene.ways if match.face is not None else ():
            if isinstance(way.action, Move) and way.action.seat in held:
                found |= self._ways_of_victims(way)
        return {step for step in found if not self._sent_off & {step.colour, None}}

    def _owed_steps(self) -> set[Step]:
        """The ways home of captured pieces that people know of already."""
        assert self.eyes is not None
        assert self._outlook is not None
        spots, owner, colours = self.eyes.spots, self.eyes.owner, self._outlook.match.game.colours
        return {
            Step(None, spots[at], colours[seat])
            for at in self._owed
            if (seat := owner[at]) is not None
        }

    def _ways_of_victims(self, way: Way) -> set[Step]:
        """The ways back of those whom a move captures: from the hand, or from their base."""
        assert self.scene is not None
        assert self._outlook is not None
        game, spots = self._outlook.match.game, [self.scene.eyes.spots[at] for at in way.victims]
        return {
            Step(origin, spot, game.colours[seat])
            for spot in spots
            for seat in self.scene.goal.at(spot)
            for origin in (None, game.spot(seat, BASE))
        }

    def _hint(self, hint: Hint, now: float, patient: bool) -> Finding | None:
        """Say quietly what is left to do; once more after a while, and then never again."""
        if hint == self._hinted:
            return None
        if hint == Hint():
            self._hinted, self._again_at = hint, None
            return hint
        if patient:
            self._patience_at = self._changed_at + self.times.patience
            return self._withdraw_hint(hint)
        self._hinted, self._again_at = hint, now + self.times.again
        return hint

    def _withdraw_hint(self, instead: Hint) -> Hint | None:
        """A step that was hinted at, and is no longer to be done, is not shown any longer."""
        if not self._hinted.remedy:
            return None
        left = self._still_to_do(self._hinted.remedy, instead.remedy)
        if left == self._hinted.remedy:
            return None
        self._hinted, self._again_at = Hint(left), None
        return self._hinted._replace(said=False)

    def _still_to_do(self, told: tuple[Step, ...], more: tuple[Step, ...] = ()) -> tuple[Step, ...]:
        """Of the steps that people were told, those that are not done yet."""
        left = {*self.way_back(), *more}
        return tuple(step for step in told if step in left)

    # -- putting right ---------------------------------------------------------------------

    def way_back(self) -> tuple[Step, ...]:
        """What hands have to do so that the board is as the game has it."""
        return () if self.scene is None or not self.sees else self._steps_to(self.scene.goal)

    def _steps_to(
        self, goal: Picture, pictures: tuple[Picture, ...] | None = None, *, held: bool = False
    ) -> tuple[Step, ...]:
        assert self.pictures is not None
        assert self.eyes is not None
        assert self._outlook is not None
        pictures = pictures or self.pictures.all
        colours = self._outlook.match.game.colours
        found = agreed_steps(self.eyes, pictures, goal, colours, self.seen, self._hops, held=held)
        strays = [self.pictures.strays(one, self.seen) for one in pictures]
        wanted = self.eyes.shown(goal.pieces)
        unknown = [
            spot
            for spot in strays[0]
            if all(spot in others for others in strays)
            and self.seen[self.eyes.index[spot]] > wanted[self.eyes.index[spot]]
        ]
        return (*(Step(spot, None) for spot in unknown), *found)

    def _check(self, moved: bool, now: float) -> Finding | None:
        """If the board is not as the game has it, guide the pieces there first.

        With `moved` the board may show a legal move instead: it was made while nobody watched.
        """
        outlook = self._outlook
        if not self.sees or outlook is None or self.scene is None or outlook.match.over:
            return None
        self._unseen = False
        assert self.pictures is not None
        if self.pictures.all == (self.scene.goal,):
            return None
        remedy, sight = self.way_back(), self.scene.look(self.corrected, self.slack)
        if not remedy:
            check = self._to_check() if moved and isinstance(sight, Still) else ()
            return Hint(notice=Notice("check_colours", check)) if check else None
        if isinstance(sight, Done) and moved and BACK not in sight.actions:
            if sight.actions != (outlook.match.undone,) or self._undone_stays is False:
                return self._done(outlook, sight, patient=False, meant=False)
            if self._undone_stays is None:
                return Question((outlook.match.undone,))
        assert self.pictures is not None
        if moved and not self._undone_stays and len(self._tones().complete(self.pictures)) == 1:
            self._settle_at = now + self.times.settle
            return None  # a move was made, but for a loose end: look again in a moment
        if moved and self._tones().amending(self.pictures):
            return self._ask_if_back(outlook)
        if moved and (outlook.match.face is not None or outlook.task is Task.PLAY):
            known = self._may_think_with() | self._owed_steps()
            remedy = tuple(step for step in remedy if step not in known)
            if not remedy:
                return None
        self._patience_at = None
        if not moved and self._tones().loose(self.pictures.plainest, self.scene.goal) is not None:
            return None  # merely half done: that is a hint
        return Guide(remedy)

    def _look_at_set_up(self) -> Finding | None:
        """Compare the board with the set-up, square by square; go on when it is right."""
        if not self.sees or self.scene is None or self.eyes is None:
            return None
        self._unseen = False
        remedy = steps(self.eyes, self.seen, self.scene.rest, self.slack)
        if remedy:
            return Guide(remedy)
        assert self.pictures is not None
        self.pictures.keep((), self.scene.goal)
        return Right(said=False)

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


def _made(complete: list[Complete]) -> Finding | None:
    """A move that was made but for loose ends is taken; of several only people know which."""
    moves = tuple(one.move for one in complete)
    if len(moves) > 1:
        return Question(moves)
    return Accept(moves[0]) if moves else None
