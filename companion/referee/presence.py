"""Presence: a sensor under every place. When the board is quiet, look; when it is odd, say so.

What is known of the board is in `watch.py`; here it is decided what to make of it. Recognition
compares outlines (`scene.py`); what is said of a board that fits nothing comes from the pictures
of the pieces (`tracking.py`): hint or STOP (`loose_ends.py`), what was tried (`attempts.py`) and
what to do (`remedies.py`).
"""

from collections.abc import Collection

from companion.events import Reading, Snapshot
from companion.referee.attempts import fault_in
from companion.referee.effects import Notice
from companion.referee.loose_ends import Complete, LooseEnds
from companion.referee.lost_readings import LostReadings
from companion.referee.match import Match
from companion.referee.outlines import Eyes, Step, difference, ends_of
from companion.referee.phases import Task
from companion.referee.scene import BACK, Done, OnTheWay, Sight, Still, Wrong
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
from companion.referee.unseen import (
    left_unheard,
    may_pass,
    slid_unseen,
    stood_a_moment,
    struck_another,
    struck_unseen,
)
from companion.referee.watch import Watch
from companion.rules import AnyMove, Move, Pass

ANEW = (Task.PLAY, Task.CHECK, Task.RESUME, Task.SET_UP, Task.OVER)
"""The tasks that begin with a new scene."""


class Presence:
    """A board that is looked at when it is quiet, and what is found then."""

    pressed: tuple[str, ...] = ()

    def __init__(self, times: Times) -> None:
        self.times = times
        self.sensors = Sensors(times)
        self.flickered: str | None = None
        """A sensor that was just set aside by itself; whoever tells of it clears it."""
        self._outlook: Outlook | None = None
        self._watch: Watch | None = None
        """The board in play; None without a game, or with one that is played without a board."""
        self._lost = LostReadings()
        self._settle_at: float | None = None
        self._patience_at: float | None = None
        self._again_at: float | None = None
        self._changed_at = 0.0
        self._hinted = Hint()
        self._guided = False
        """Whether people were told at a STOP to put something back that was no part of it."""

    @property
    def sees(self) -> bool:
        return self.sensors.known

    @property
    def watch(self) -> Watch:
        """The board in play, where there is one."""
        assert self._watch is not None
        return self._watch

    @property
    def outlook(self) -> Outlook:
        """What may come next, where somebody plays."""
        assert self._outlook is not None
        return self._outlook

    @property
    def places(self) -> Collection[str]:
        """The names of the sensors on the board in play."""
        return () if self._watch is None else self._watch.eyes.board.by_name

    # -- what comes in ---------------------------------------------------------------------

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        self._outlook, self._guided = outlook, False
        self._watch = self._watching(outlook.match)
        if self._watch is None:
            return None
        hinted = self._hinted
        if outlook.task in ANEW:
            self._watch.begin(outlook.match, outlook.task, now)
            self._hinted, self._again_at = Hint(), None
        if outlook.task is Task.ASK and None in outlook.asked:
            self._watch.may_be_back = True
        self._watch.tell(outlook.remedy)
        if outlook.task is Task.SET_UP:
            return self._look_at_set_up()
        if outlook.task in (Task.CHECK, Task.RESUME):
            found = self._check(outlook.task is Task.RESUME, now)
            if found is not None:
                return found
        return self._still_hinted(hinted, now) if self.sees else None

    def _watching(self, match: Match) -> Watch | None:
        """The watch over the board of a game: another board is looked at with other eyes."""
        board = match.game.board.walked
        if board is None or (self._watch is not None and self._watch.eyes.board is board):
            return self._watch if board is not None else None
        self.sensors.on &= set(board.by_name)
        self.sensors.pieces = ()  # they stood on the other one
        return Watch(Eyes(board), match, self.sensors, self.times)

    def _still_hinted(self, hinted: Hint, now: float) -> Finding | None:
        """What was half done before may still be: it goes on being shown, or is said later."""
        watch = self.watch
        as_it_should = watch.pictures.all == (watch.scene.goal,)
        if as_it_should or self.outlook.task not in (Task.PLAY, Task.CHECK):
            return None
        if not watch.way_back():
            return None
        if hinted == Hint():
            self._patience_at = self._patience_at or now + self.times.patience
            return None
        self._hinted = self._hint_for(watch.loose_ends().complete(watch.pictures))
        return self._hinted._replace(said=False)

    def forget(self) -> None:
        self.sensors.forget()
        self._lost = LostReadings()
        if self._watch is not None:
            self._watch.forget()
        self._settle_at = self._patience_at = self._again_at = None

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        watch, nowhere = self._watch, False
        if isinstance(event, Snapshot):
            before = watch.seen if watch is not None and self.sees else None
            changed = self.sensors.snapshot(event)
            if changed:
                self._stirred(now)
                nowhere = watch is not None and watch.snapshot(before, now)
            if watch is not None and watch.recognise():
                self._stirred(now)
            if self._lost.snapshot(changed, from_nowhere=nowhere):
                self._settle_at = min(now, self._settle_at or now)
            return
        if event.on and event.place in self.sensors.on:
            self.sense(event._replace(on=False), now)  # that was lost on the way
        if self.sensors.set(event.place, event.on, now):
            if watch is not None:
                watch.touch(event, now)
            if event.place in self.sensors.aside:
                return  # or a board with one bad sensor would never come to rest
            if self.sensors.flickers(event.place, now):
                self.sensors.aside.add(event.place)
                self.flickered = event.place
            self._stirred(now)
            nowhere = watch is not None and watch.follow(watch.just_taken(event, now))
            self._lost.reading(from_nowhere=nowhere)

    def _look_again(self, after: float) -> None:
        """Be less patient when nothing has changed for so long."""
        self._patience_at = self._changed_at + after

    def _stirred(self, now: float) -> None:
        """The board looks different: it is looked at when it is quiet again."""
        self._changed_at = now
        self._settle_at = now + self.times.settle
        self._patience_at = self._again_at = None

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
        """Before a roll a piece may well be in an eager hand; that is nobody's fault yet.

        But where the last move may have been changed unseen, that is asked before the roll.
        """
        self._settle_at = self._patience_at = None
        task, match = self.outlook.task, self.outlook.match
        patient = task is Task.PLAY and match.face is None
        found = self._look(now, patient, meant=not patient)
        if found is None and patient and self._watch is not None and self.sees:
            sight = self._watch.look()
            if isinstance(sight, Done) and BACK not in sight.actions:
                return self._look(now, patient=False)
        return found

    def moved(self, now: float) -> Finding | None:
        watch = self._watch
        if watch is None or not self.sees:
            return None
        seen, slack = watch.corrected, watch.slack
        hidden: list[AnyMove | None] = [
            way.action
            for way in watch.scene.ways
            if not isinstance(way.action, str)
            and any(not difference(outline, seen, slack) for outline in way.outlines)
            and (not watch.pictures.sure or watch.pictures.plainest in way.goals)
        ]
        passes = [move for move in self.outlook.match.legal if isinstance(move, Pass)]
        if len(hidden) == 1 and hidden[0] is not None and not passes:
            return Accept(hidden[0])
        if hidden:
            return Question((*hidden, *passes))
        return _made(watch.loose_ends().complete(watch.pictures))

    # -- looking ---------------------------------------------------------------------------

    def _look(self, now: float, patient: bool, meant: bool = False) -> Finding | None:
        """Compare the board with the scene.

        `meant` says that somebody stands by it as it lies.
        """
        watch, outlook = self._watch, self._outlook
        if outlook is None or outlook.task is Task.REST or watch is None or not self.sees:
            return None
        watch.end_knock()
        if outlook.task is Task.SET_UP:
            return self._look_at_set_up()
        if watch.not_looked_yet:  # the first look in a while: nobody moved before our eyes
            watch.not_looked_yet = False
            if outlook.task not in (Task.STOP, Task.GUIDE, Task.OVER):
                found = self._check(True, now)
                if found is not None or (self._settle_at is not None and not meant):
                    return found
        sight = watch.look()
        if outlook.task is Task.OVER:  # if not moved back, the pieces are just cleared away
            return Back() if sight == Done((BACK,), thin=False) else None
        if isinstance(sight, Still):
            return self._still(outlook, meant, now)
        if self._is_putting_right(outlook, sight, patient):
            return self._guide_on(outlook)
        if isinstance(sight, Done) and self._is_only_an_outline(outlook, sight):
            change = difference(watch.scene.rest, watch.corrected, watch.slack)
            sight = Wrong(change, passing=False)
        if isinstance(sight, Done):
            undone = watch.undone_stays and sight.actions == (outlook.match.undone,)
            if undone and outlook.task in (Task.PLAY, Task.CHECK) and not meant:
                return self._guide_on(outlook)  # it lay there all the while, unseen
            return self._done(outlook, sight, patient, meant)
        return self._judge_odd_board(outlook, sight, patient, meant, now)

    def _is_only_an_outline(self, outlook: Outlook, sight: Done) -> bool:
        """Whether the board looks like a move that hands cannot have made.

        Who moves back what nobody saw is asked, as long as there is no STOP.
        """
        judged = outlook.task in (Task.PLAY, Task.CHECK, Task.RESUME) and BACK not in sight.actions
        return (judged or outlook.task is Task.STOP) and self._cannot_be(sight)

    def _cannot_be(self, sight: Done) -> bool:
        """Whether readings speak against what the board looks like, and none was lost."""
        return not self._lost.happened and self.watch.contradicts(sight.actions)

    def _is_putting_right(self, outlook: Outlook, sight: Sight, patient: bool) -> bool:
        """While pieces are put where they belong, nothing is flagged.

        Who follows the steps shown makes no move, whatever the board looks like half-way; and
        the move just taken back may still lie there: only OK or a roll says that it is meant.
        At a STOP somebody may move the last piece back instead, and leaves it at that.
        """
        watch = self.watch
        if outlook.task not in (Task.GUIDE, Task.STOP):
            return False
        if not isinstance(sight, Done):
            return outlook.task is Task.GUIDE
        if watch.undone_stays and sight.actions == (outlook.match.undone,):
            return patient and outlook.task is Task.GUIDE
        back = patient and sight.actions == (BACK,)
        if outlook.task is Task.STOP and not back and not all(map(watch.holds, watch.pictures.all)):
            return False
        left = watch.way_back()
        followed = _some_done(outlook.remedy, left)
        if followed and self._was_only_put_down(outlook, left):
            return False
        if followed and patient:
            self._look_again(self.times.patience)
        return followed

    def _was_only_put_down(self, outlook: Outlook, left: tuple[Step, ...]) -> bool:
        """Whether who was in the air stands where it belongs, and nobody touched what else is odd.

        So the board showed what it shows now when the steps were told: a move made unwatched.
        """
        done = [step for step in outlook.remedy if step not in left]
        odd = {spot for step in left for spot in step[:2] if spot is not None}
        touched = {self.watch.eyes.spots[at] for at in self.watch.touched}
        return all(step.origin is None for step in done) and odd.isdisjoint(touched)

    def _guide_on(self, outlook: Outlook) -> Finding:
        """Who was thinking with a piece in the hand all the while is not sent back with it."""
        watch = self.watch
        told = {step.target for step in outlook.remedy}
        spared = {step for step in watch.may_think_with() if step.target not in told}
        left = tuple(step for step in watch.way_back() if step not in spared)
        return Guide(left) if left or not spared else Right(said=False)

    def _still(self, outlook: Outlook, meant: bool, now: float) -> Finding | None:
        """The sensors show what the game has; colours may have been exchanged all the same.

        Then people are told until the readings, or they themselves, say that it is right.
        """
        watch = self.watch
        watch.was_right = True
        told = outlook.remedy or self._guided
        steps_shown = outlook.task is Task.GUIDE or bool(outlook.task is Task.STOP and told)
        if meant and not steps_shown:
            slid = slid_unseen(watch, outlook.match)
            if slid is not None:
                return Accept(slid)
            struck = struck_unseen(watch, outlook.match)
            asked = struck or stood_a_moment(watch, outlook.match, from_stacks=True)
            if asked:
                return Question(asked)
        if meant:
            watch.keep_but_owed(watch.scene.goal)
        if steps_shown:
            believed = watch.as_told(watch.told)
            wrong = [one for one in believed if watch.astray(one)]
            held = all(watch.holds(one) for one in believed)
            all_wrong = len(wrong) == len(believed) and not watch.all_touched(wrong)
            if all_wrong or held:
                hidden_at = self._changed_at + self.times.hidden
                waits = now < hidden_at or (all_wrong and not watch.may_be_hidden(wrong))
                left = watch.steps_to(watch.scene.goal, believed, held=held) if waits else ()
                if left:  # or else no step is true in every picture
                    self._patience_at = hidden_at if now < hidden_at else None
                    return Guide(left)
            self._hinted = self._said_of(self._left_open(now))
            return Right(said=self._hinted == Hint(), check=watch.to_check())
        if outlook.task is Task.STOP:
            return None
        if outlook.task is Task.ASK:
            return Right(said=False)
        return self._hint(self._said_of(self._left_open(now)), now, patient=False)

    def _left_open(self, now: float) -> tuple[Step, ...]:
        """The loose ends that were there before: they stay a hint.

        For a while this is also said of who was taken off as hinted, and belongs on another one.
        """
        watch, hidden_at = self.watch, self._changed_at + self.times.hidden
        if watch.owed or watch.pushed_before:
            return watch.way_back()
        held = watch.held_as_told(self._hinted.remedy) if now < hidden_at else ()
        if held:
            self._patience_at = hidden_at
        return held

    def _done(self, outlook: Outlook, sight: Done, patient: bool, meant: bool) -> Finding | None:
        watch, match = self.watch, outlook.match
        moves = tuple(None if isinstance(one, str) else one for one in sight.actions)
        if sight.thin and patient:
            thinks = match.face is not None and match.undone not in sight.actions
            wait = self.times.hidden if thinks else self.times.patience  # who goes back has thought
            self._look_again(wait)
            other = outlook.task is Task.ASK and any(one not in outlook.asked for one in moves)
            if other:
                return Right(said=False)  # what was asked about is no longer there
            if outlook.task in (Task.GUIDE, Task.STOP):
                left = watch.still_to_do(outlook.remedy)
                return Guide(left) if left else Right(said=False)
            return self._withdraw_hint(Hint())
        if sight.thin:
            moves += tuple(one for one in struck_unseen(watch, match) if one not in moves)
        doubted = sight.thin or struck_another(watch, match, moves[0])
        doubted = doubted or (moves == (None,) and self._cannot_be(sight))
        unsure = doubted and (not meant or match.face is None)
        if len(moves) > 1 or unsure:
            return Question(moves) if moves != outlook.asked else None
        (move,) = moves
        if move is None:
            return Back()
        return Amend(move) if match.face is None else Accept(move)

    # -- a board that fits nothing ---------------------------------------------------------

    def _judge_odd_board(
        self, outlook: Outlook, sight: OnTheWay | Wrong, patient: bool, meant: bool, now: float
    ) -> Finding | None:
        """Neither as the game has it nor as a legal move leaves it: a hint, a question, or STOP.

        Unless the last move is moved back but for a captured piece, or a STOP is over by this.
        """
        watch = self.watch
        loose_ends = watch.loose_ends()
        plays = outlook.task in (Task.PLAY, Task.CHECK, Task.RESUME)
        stood = stood_a_moment(watch, outlook.match) if meant and plays else ()
        if stood:
            made = loose_ends.complete(watch.pictures)
            return Question((*stood, *(one.move for one in made if one.move not in stood)))
        if outlook.task is not Task.STOP or self._lost.happened:
            if loose_ends.moved_back(watch.pictures, watch.owed, held=True):
                return Back()
            if not patient and loose_ends.moved_back(watch.pictures, watch.owed, held=False):
                return self._ask_if_back(outlook)
            if loose_ends.amending(watch.pictures, asked=None in outlook.asked):
                return None if self._waits_for_passing(patient, now) else self._ask_if_back(outlook)
        if plays and watch.pictures.all == (watch.scene.unpaid,):
            return Guide(watch.way_back())  # who was to go to its base stands there again
        watch.pictures.admit(loose_ends.captured_unseen(watch.pictures))
        watch.pictures.admit(loose_ends.in_another_base(watch.pictures))
        if loose_ends.nearly_lawful(watch.pictures):
            made = loose_ends.complete(watch.pictures)
            if meant and made:
                return _made(made)
            if outlook.task is Task.STOP:
                return self._guide_to_nearest(outlook, _only(made))
            return self._hint(self._hint_for(made), now, patient)
        strays = watch.pictures.unexplained(watch.pictures.plainest, watch.seen)
        if meant and plays and self._lost.is_possible(bool(strays)):
            unheard = left_unheard(watch, outlook.match)
            if unheard is not None:  # the next snapshot says if it is not so
                self.sense(Reading(unheard, on=False), now)
                return self._look(now, patient, meant)
        half = isinstance(sight, OnTheWay) and (sight.one_of_two or not watch.stands_astray())
        if patient and half:
            self._look_again(self.times.patience)
            return None
        if patient and self._lost.is_possible(bool(strays)):
            self._lost.wait_for_snapshot()
            self._look_again(self.times.snapshot)
            return None
        if may_pass(watch, sight) and self._waits_for_passing(patient, now):
            return None
        found = self._stop(outlook.match, loose_ends, strays)
        followed = ends_of(found.remedy) < ends_of(outlook.remedy)
        if outlook.task is Task.STOP and found.remedy and followed:
            return Guide(found.remedy)  # who follows the steps shown does nothing else wrong
        left = self._left_beside_a_move(outlook) if outlook.task is Task.STOP else ()
        return Guide(left) if 0 < len(left) < len(found.remedy) else found

    def _left_beside_a_move(self, outlook: Outlook) -> tuple[Step, ...]:
        """Those of the steps shown that are left to do, if but for them a legal move is made."""
        watch, shown = self.watch, ends_of(outlook.remedy)
        ways = (way for way in watch.scene.ways if isinstance(way.action, Move))
        left = [watch.steps_to(way.goals[-1]) for way in ways]
        found = [steps for steps in left if ends_of(steps) <= shown]
        return found[0] if len(found) == 1 else ()

    def _ask_if_back(self, outlook: Outlook) -> Question | None:
        """Only people know whether the last piece stands where it came from, or is in a hand."""
        return None if outlook.asked == (None,) else Question((None,))

    def _waits_for_passing(self, patient: bool, now: float) -> bool:
        """Whether a piece has had too little time to pass; then the board is looked at again.

        A board that knows its pieces knows, too, who was put down.
        """
        sure = self.watch.pictures.sure
        waits = patient and not sure and now < self._changed_at + self.times.passing
        if waits:
            self._look_again(self.times.passing)
        return waits

    def _guide_to_nearest(self, outlook: Outlook, complete: Complete | None) -> Finding | None:
        """At a STOP the board has become nearly lawful: lead on, or let it go."""
        if not (outlook.remedy or self._guided) or (complete is not None and self._lost.happened):
            return Right(said=False)  # only a roll was refused, or a reading was lost
        sure = complete is not None and set(complete.pictures) == set(self.watch.pictures.all)
        if complete is not None and not sure and self._is_in(complete.move, outlook):
            complete = None  # who follows the steps shown makes no move
        remedy = self._nearest(complete)
        self._guided = self._guided or bool(remedy)
        return Guide(remedy) if remedy else None

    def _is_in(self, move: Move, outlook: Outlook) -> bool:
        """Whether the steps shown have to do with the squares of a move."""
        squares = outlook.match.game.stops(move)
        return any(spot in squares for step in outlook.remedy for spot in step[:2])

    def _stop(self, match: Match, loose_ends: LooseEnds, strays: list[str]) -> Refuse:
        """Something is not allowed: which clause says so, and what to do."""
        watch = self.watch
        eyes, goal, pictures = watch.eyes, watch.scene.goal, watch.pictures.all
        touched = [eyes.spots[at] for at in watch.touched]
        fault = fault_in(eyes, match, pictures, goal, strays, touched, watch.hops, watch.owed)
        self._hinted, self._again_at = Hint(), None
        watch.pictures.admit(loose_ends.made_unseen(watch.pictures))
        return Refuse(fault.refusals, self._nearest(), fault.attempt)

    def _nearest(self, complete: Complete | None = None) -> tuple[Step, ...]:
        """The steps to the nearest lawful board: forward only to a move that is made.

        On a tie they lead back: the box never picks a move for the player. Where the last piece
        may be moved back already, that stays as it is: it is asked about.
        """
        watch = self.watch
        if complete is not None:
            forward = watch.steps_to(complete.goal, complete.pictures)
            if len(forward) < len(watch.steps_to(watch.scene.goal, complete.pictures)):
                return forward
        for way in watch.scene.ways if watch.may_be_back else ():
            back = way.action == BACK
            if back and all(watch.is_as_near(one, way.goals[0]) for one in watch.pictures.all):
                return watch.steps_to(way.goals[0])
        return watch.way_back()

    def _hint_for(self, made: list[Complete]) -> Hint:
        """The hint for loose ends, where these moves may be made: it leads on from the only one.

        And who has moved one of a Pair is told of the other.
        """
        watch = self.watch
        complete = _only(made)
        begun = _only(watch.loose_ends().begun(watch.pictures)) if complete is None else None
        if begun is not None:
            return Hint(watch.steps_to(begun.goal, begun.pictures))
        remedy = self._nearest(complete)
        if complete is None:
            return self._said_of(remedy)
        forward = remedy == watch.steps_to(complete.goal, complete.pictures)
        return Hint(remedy, made=forward)

    def _said_of(self, remedy: tuple[Step, ...]) -> Hint:
        """The hint for loose ends: who thinks with a piece in the hand is not sent back.

        But who was told to do a step is told so until it is done.
        """
        if not remedy:
            return Hint()
        thinking = self.watch.may_think_with() - set(self._hinted.remedy)
        left = tuple(step for step in remedy if step not in thinking)
        in_hand = tuple(step.target for step in remedy if step in thinking and step.target)
        return Hint(left, Notice("in_hand", in_hand) if in_hand and not left else None)

    def _hint(self, hint: Hint, now: float, patient: bool) -> Finding | None:
        """Say quietly what is left to do; once more after a while, and then never again."""
        if hint == self._hinted:
            return None
        if hint == Hint():
            self._hinted, self._again_at = hint, None
            return hint
        if patient:
            self._look_again(self.times.patience)
            return self._withdraw_hint(hint)
        self._hinted, self._again_at = hint, now + self.times.again
        self.watch.send_off(hint.remedy)
        return hint

    def _withdraw_hint(self, instead: Hint) -> Hint | None:
        """A step that was hinted at, and is no longer to be done, is not shown any longer."""
        if not self._hinted.remedy:
            return None
        left = self.watch.still_to_do(self._hinted.remedy, instead.remedy)
        if (left, instead.made) == (self._hinted.remedy, self._hinted.made):
            return None
        self._hinted, self._again_at = Hint(left, made=instead.made), None
        return self._hinted._replace(said=False)

    # -- putting right ---------------------------------------------------------------------

    def way_back(self) -> tuple[Step, ...]:
        """What hands have to do so that the board is as the game has it."""
        return () if self._watch is None else self._watch.way_back()

    def _check(self, moved: bool, now: float) -> Finding | None:
        """If the board is not as the game has it, guide the pieces there first.

        With `moved` the board may show a legal move instead: it was made while nobody watched.
        """
        watch, outlook = self.watch, self.outlook
        if not self.sees or outlook.match.over:
            return None
        watch.not_looked_yet = False
        if watch.pictures.all == (watch.scene.goal,):
            return None
        remedy, sight = watch.way_back(), watch.look()
        if not remedy:
            check = watch.to_check() if moved and isinstance(sight, Still) else ()
            return Hint(notice=Notice("check_colours", check)) if check else None
        if isinstance(sight, Done) and moved and BACK not in sight.actions:
            if sight.actions != (outlook.match.undone,) or watch.undone_stays is False:
                return self._done(outlook, sight, patient=False, meant=False)
            if watch.undone_stays is None:
                return Question((outlook.match.undone,))
        if (
            moved
            and not watch.undone_stays
            and len(watch.loose_ends().complete(watch.pictures)) == 1
        ):
            self._settle_at = now + self.times.settle
            return None  # a move was made, but for a loose end: look again in a moment
        if moved and watch.loose_ends().amending(watch.pictures):
            return self._ask_if_back(outlook)
        if moved and (outlook.match.face is not None or outlook.task is Task.PLAY):
            known = watch.may_think_with() | watch.owed_steps()
            remedy = tuple(step for step in remedy if step not in known)
            if not remedy or watch.only_pushed():
                return None
        self._patience_at = None
        if (
            not moved
            and watch.loose_ends().loose(watch.pictures.plainest, watch.scene.goal) is not None
        ):
            return None  # merely half done: that is a hint
        return Guide(remedy)

    def _look_at_set_up(self) -> Finding | None:
        """Compare the board with the set-up, square by square; go on when it is right."""
        watch = self.watch
        if not self.sees:
            return None
        watch.not_looked_yet = False
        unlike = difference(watch.scene.rest, watch.seen, watch.slack)
        if unlike or (watch.pictures.sure and watch.pictures.all != (watch.scene.goal,)):
            return Guide(watch.way_back())
        watch.pictures.keep((), watch.scene.goal)
        return Right(said=False)

    def doubtful(self) -> tuple[str, ...]:
        """A few places whose sensors disagree with the game: one of them may be broken."""
        return () if self._watch is None else self._watch.doubtful()


def _some_done(told: tuple[Step, ...], left: tuple[Step, ...]) -> bool:
    """Whether steps told are done and nothing new is to do: what is left may pair up otherwise."""
    ends = ends_of(left)
    return ends < ends_of(told) and any(not ends_of([step]) & ends for step in told)


def _only(complete: list[Complete]) -> Complete | None:
    """The one move that was made but for loose ends; of several, none."""
    return complete[0] if len(complete) == 1 else None


def _made(complete: list[Complete]) -> Finding | None:
    """A move that was made but for loose ends is taken; of several only people know which."""
    moves = tuple(one.move for one in complete)
    if len(moves) > 1:
        return Question(moves)
    return Accept(moves[0]) if moves else None
