"""What is known of a board of presence sensors: its readings, and the pictures they leave.

A `Watch` hears the sensors, keeps the pictures of the pieces (`tracking.py`) in step with them and
with the game, and remembers what was half done already when the scene began. It decides nothing:
what the board deserves is found by `presence.py`.
"""

from collections.abc import Collection

from companion.events import Reading
from companion.referee.hops import Hops
from companion.referee.knocks import Knocks
from companion.referee.loose_ends import LooseEnds
from companion.referee.match import Match
from companion.referee.outlines import Eyes, Outline, Step, difference, differing
from companion.referee.phases import Task
from companion.referee.picture import AIR, Picture, just_made
from companion.referee.remedies import Astray, agreed_steps, ways_between
from companion.referee.scene import Done, OnTheWay, Sight, Still, Way, Wrong, scene_of
from companion.referee.sensors import Sensors
from companion.referee.times import Times
from companion.referee.tracking import Mark, Pictures
from companion.rules import AnyMove, Move
from companion.rules.boards import BASE


class Watch:
    """The board as seen, what it is compared with, and what may stand where."""

    def __init__(self, eyes: Eyes, match: Match, sensors: Sensors, times: Times) -> None:
        self._sensors = sensors
        self._times = times
        self.eyes = eyes
        self.match = match
        self.scene = scene_of(eyes, match)
        self.hops = Hops(times.push, times.carry, times.bounce)
        self._picture_anew()
        self.told: tuple[Step, ...] = ()
        """The steps that people are shown."""
        self.touched: dict[int, None] = {}
        """The spots at which something changed in this scene, the latest last."""
        self.not_looked_yet = not sensors.known
        """Whether nobody has looked yet since the board went away."""
        self.owed: dict[int, int] = {}
        """By spot, how many pieces were in the air already when this scene began."""
        self.pushed_before: tuple[tuple[int, int], ...] = ()
        """The pieces pushed onto a neighbouring spot already when this scene began."""
        self.may_be_back = False
        """Whether it was asked if the last move is taken back: the board has looked like that."""
        self.undone_stays: bool | None = None
        """Whether the move just taken back still lies on the board; None if nobody knows."""
        self.was_right = False
        """Whether the board has looked as the game has it since a move was taken back."""
        self.began_at = 0.0
        """When this scene began."""
        self._knocks: Knocks[Mark] = Knocks(times.knock)
        self._sent_off: dict[str, str | None] = {}
        """The spots that people were told to clear in this scene, and of which colour."""
        self._taken_off: set[str | None] = set()
        """The colours of pieces that were taken off the board as told; None: not known yet."""
        self._wanted: set[Step] = set()
        """The steps from the hand that people were told to do."""

    @property
    def sees(self) -> bool:
        """Whether the board has said what stands on it."""
        return self._sensors.known

    # -- what the sensors show -------------------------------------------------------------

    @property
    def seen(self) -> Outline:
        return self.eyes.seen(self._sensors.on - self._sensors.aside)

    @property
    def corrected(self) -> Outline:
        """What is seen, with pieces that were pushed aside long ago where they belong."""
        if not self.pushed_before:
            return self.seen
        seen = bytearray(self.seen)
        for here, there in self._pushed_still():
            seen[here], seen[there] = 0, 1
        return bytes(seen)

    def _pushed_still(self) -> list[tuple[int, int]]:
        """The pieces pushed long ago that nobody has put back, each with where it belongs.

        Another may rest for a moment on the square from which one was pushed.
        """
        seen = self.seen
        pushed = [(self.stands_now(here), there) for here, there in self.pushed_before]
        return [(here, there) for here, there in pushed if seen[here]]

    def stands_now(self, here: int) -> int:
        """Where who stood on a spot stands now: there, or where it was pushed to from there."""
        spots, seen = self.eyes.spots, self.seen
        further = (
            at
            for at in self.touched
            if seen[at]
            and self.eyes.beside(spots[here], spots[at])
            and self.hops.pushed(spots[here], spots[at])
        )
        return here if seen[here] else next(further, here)

    @property
    def aside(self) -> set[int]:
        """The spots with a sensor that is set aside."""
        index = self.eyes.index
        return {index[place] for place in self._sensors.aside if place in index}

    @property
    def slack(self) -> dict[int, int]:
        """By spot, how many pieces may stand there unseen, or are owed to it."""
        known = self.eyes.index
        slack = self.eyes.slack([place for place in self._sensors.aside if place in known])
        for at, number in self.owed.items():
            slack[at] = slack.get(at, 0) + number
        return slack

    def look(self, seen: Outline | None = None) -> Sight:
        """What the board shows as it is, or if it looked like this."""
        sight = self.scene.look(seen or self.corrected, self.slack, self.owed)
        return self._exactly(sight) if seen is None and self.pictures.sure else sight

    def _exactly(self, sight: Sight) -> Sight:
        """What a board shows that knows its pieces: also who has left a stack, or joined one."""
        stands = self._without_owed(self._straightened(self.pictures.plainest))
        change = difference(self.scene.rest, self.corrected, self.slack)
        if stands.at(AIR):
            return OnTheWay((), change) if isinstance(sight, Still | Done) else sight
        if stands == self.scene.goal:
            return Still()
        done = tuple(way.action for way in self.scene.ways if stands in way.goals)
        if done:
            return Done(done, thin=False)
        return Wrong(change, passing=False) if isinstance(sight, Still | Done) else sight

    def _without_owed(self, picture: Picture) -> Picture:
        """A picture with those who were in the air before where they belong."""
        for at, number in self.owed.items():
            spot = self.eyes.spots[at]
            for seat in dict.fromkeys(self.scene.goal.at(spot)):
                picture = picture.moved(seat, AIR, spot, number)
        return picture

    # -- what comes in ---------------------------------------------------------------------

    def tell(self, remedy: tuple[Step, ...]) -> None:
        """People are shown these steps from now on."""
        self.told = remedy
        self.send_off(remedy)
        self._wanted |= {step for step in remedy if step.origin is None}

    def send_off(self, remedy: tuple[Step, ...]) -> None:
        """People are told which pieces to take off the board."""
        off = (step for step in remedy if step.target is None)
        self._sent_off |= {step.origin: step.colour for step in off if step.origin is not None}

    def forget(self) -> None:
        """The board went away."""
        self._knocks.over()
        self.not_looked_yet = True

    def snapshot(self, before: Outline | None, now: float) -> bool:
        """All that stands was told, and something is new; whether a piece came from nowhere.

        `before` is how it looked until then, if the board had told. If all stands as the game has
        it, what hands do from now on happens before our eyes.
        """
        self._knocks.over()
        if before is not None:
            self._told_late(before, now)
        from_nowhere = self.follow(self.eyes.spots)
        if self.not_looked_yet:
            captures = [way.made for way in self.scene.ways if way.victims]
            self.pictures.unwatched(self.scene.goal, captures, self.seen)
            self.not_looked_yet = self.pictures.all != (self.scene.goal,)
        return from_nowhere

    def _told_late(self, before: Outline, now: float) -> None:
        """The snapshot shows which spots were left or taken though no reading said so."""
        seen = self.seen
        for at in differing(before, seen):
            self.hops.told_late(self.eyes.spots[at], seen[at] > before[at], now)
            if seen[at] < before[at]:  # who was pushed there went back unheard, or is to move
                self.pushed_before = tuple(one for one in self.pushed_before if one[0] != at)
                self._lifted(self.eyes.spots[at])

    def _lifted(self, spot: str) -> None:
        """A piece was lifted: taken off the board, if people were told to."""
        if spot in self._sent_off:
            self._taken_off.add(self._sent_off[spot])

    def recognise(self) -> bool:
        """The board may know its pieces; whether somebody stands elsewhere than was known."""
        self.pictures.sure, self.hops.sleeves = False, True
        told, game = self._sensors.pieces, self.match.game
        if not told:
            return False
        places: list[list[str]] = [[] for _ in game.colours]
        for place, colour in told:
            if colour in game.colours and place in self.eyes.index:
                places[game.colours.index(colour)].append(self.eyes.spots[self.eyes.index[place]])
        for own, wants in zip(places, self.scene.goal.pieces, strict=True):
            own += [AIR] * (len(wants) - len(own))
        picture = Picture(tuple(tuple(sorted(own)) for own in places))
        numbers = [[len(own) for own in one.pieces] for one in (picture, self.scene.goal)]
        if numbers[0] != numbers[1] or self.eyes.shown(picture.pieces) != self.seen:
            return False  # those are not the pieces of this game, or a sensor is set aside
        before = self.pictures.all
        self.pictures.know(picture)
        self.hops.sleeves = False
        return before != (picture,)

    def touch(self, event: Reading, now: float) -> None:
        """A sensor has changed: hands were there, or the table was knocked."""
        at = self.eyes.index[event.place]
        self.touched.pop(at, None)
        self.touched[at] = None  # the latest comes last
        if event.on and self._knocks.back(at):
            self.hops.danced(self.eyes.spots[at])
            return
        self.hops.note(self.eyes.spots[at], event.on, now)
        if event.on:
            self._taken_off.discard(None)  # it may be the one that was taken off
        elif event.place not in self._sensors.aside:
            self._lifted(self.eyes.spots[at])
            stood = self._knocks.lost(at, now, self.pictures.mark())
            if stood is not None:
                self.pictures.back_to(stood)

    def just_taken(self, event: Reading, now: float) -> Collection[str]:
        """The spots taken so shortly before another was left that it may have been left first.

        A contact that bounces tells nothing of other spots.
        """
        if event.on:
            return ()
        left = self.eyes.spots[self.eyes.index[event.place]]
        return self.hops.taken_after(now - self._times.bounce) - {left}

    def follow(self, late: Collection[str]) -> bool:
        """The board looks different; whether a piece came from nowhere.

        Who is gone now may have left before others came to the spots in `late`.
        """
        if not self.sees:
            return False
        self.pictures.sure = False
        self._came_home()
        self.pictures.sense(self._knocks.steadied(self.seen), self.aside, late)
        self._allow_other_order()
        self._forget_returned()
        undone = self.match.undone
        if undone is not None and (self.undone_stays or self._was_unseen(undone, bool(late))):
            self.undone_stays = self.lies(undone)
        return self.pictures.out_of_thin_air

    def _allow_other_order(self) -> None:
        """Who is told that a piece goes to a square which another has to leave may set it there
        first: then the other one leaves unseen, and seems to be the one that was in the hand."""
        goal = self.scene.goal
        if (
            len(self.told) < 2
            or goal in self.pictures.all
            or self.eyes.shown(goal.pieces) != self.seen
        ):
            return
        ways = ways_between(self.eyes, self.pictures.plainest, goal)
        told = {(step.colour, step.target) for step in self.told}
        left = {(step.colour, step.origin, step.target) for step in self.told}
        colours = self.match.game.colours
        if len(ways) != 2 or any((colours[seat], to) not in told for seat, _, to in ways):
            return
        one, other = ways
        if (one.here, one.belongs) == (other.belongs, other.here) and any(
            (colours[seat], at, to) in left for seat, at, to in ways
        ):
            self.pictures.admit((goal,))

    def _came_home(self) -> None:
        """Who is seen in its base is owed to it no longer: lifted again it is missed.

        And who was pushed and is put back is not pushed any more: from there it moves. But while
        it stands where it was pushed to, another one is on its square.
        """
        if self.pushed_before:
            seen = self.seen
            self.pushed_before = tuple(
                (here, there)
                for here, there in self.pushed_before
                if not seen[there] or seen[self.stands_now(here)]
            )
        if self.owed:
            seen, rest = self.seen, self.scene.rest
            missing = {at: min(number, rest[at] - seen[at]) for at, number in self.owed.items()}
            self.owed = {at: number for at, number in missing.items() if number > 0}

    def end_knock(self) -> None:
        """The board is quiet, or meant as it lies: who is not back by now was lifted."""
        if self._knocks.over() and self.sees:
            self.pictures.sense(self.seen, self.aside, self.eyes.spots)

    def _was_unseen(self, undone: AnyMove, late: bool) -> bool:
        """Whether a lost reading may hide that a move taken back still lies as it did."""
        if not late or self.not_looked_yet or self.was_right or not isinstance(undone, Move):
            return False
        origin = self.eyes.board.spot(undone.seat, undone.origin)
        return self.eyes.index[origin] not in self.touched

    # -- a new scene -----------------------------------------------------------------------

    def begin(self, match: Match, task: Task, now: float) -> None:
        """The game stands otherwise: compare with that from now on."""
        self.end_knock()
        owed, pushed = self.owed, self._pushed_still()
        self.touched.clear()
        another, self.match, self.began_at = match is not self.match, match, now
        before, self.scene = self.scene, scene_of(self.eyes, match)
        moved_on = another or self.scene.position != before.position
        if self.sees or moved_on:  # else nobody saw them go back
            self.owed, self.pushed_before = {}, ()
            self._sent_off.clear()
            self._wanted.clear()
        if another or task is Task.SET_UP:
            self._picture_anew()
        undone = match.undone
        if undone is None or task is Task.CHECK:
            self.was_right = False
            self.undone_stays = undone is not None and self.lies(undone)
        elif another:
            self.undone_stays = None
        if self.sees and task in (Task.PLAY, Task.CHECK):
            self._make_certain(owed, pushed, goes_on=self.scene == before)
        self._forget_returned()
        self.may_be_back = False

    def _forget_returned(self) -> None:
        """Who was taken off the board as told, and is on it again, may be thought with.

        Where only one colour is in the air, it is that one which was taken off.
        """
        if self._taken_off:
            colours, pictures = self.match.game.colours, self.pictures.all
            off: set[str | None] = {colours[seat] for one in pictures for seat in one.at(AIR)}
            known = None not in self._taken_off or len(off) > 1
            self._taken_off = self._taken_off & {*off, None} if known else off

    def _picture_anew(self) -> None:
        """All stands as the game has it, as far as the sensors do not say otherwise."""
        self.pictures = Pictures(self.eyes, self.scene.goal)
        if self.sees:
            self.pictures.sense(self.seen, self.aside)
            self.recognise()

    def lies(self, move: AnyMove) -> bool:
        """Whether the pieces of a legal move stand as they do after it."""
        seen, rest = self.seen, self.scene.rest
        return self.sees and any(
            all(seen[at] == outline[at] for at in differing(outline, rest))
            for way in self.scene.ways
            if way.action == move
            for outline in way.outlines
        )

    def _make_certain(
        self, owed: dict[int, int], pushed: list[tuple[int, int]], *, goes_on: bool
    ) -> None:
        """What was played is so: pictures that have a piece astray then were wrong.

        What was `owed` before, and still is in the air, is owed now; who was `pushed` still is.
        If the same scene `goes_on`, nothing was played: a legal move may be made by now.
        """
        goal = self.scene.goal
        if self.pictures.all == (goal,):
            self.pictures.keep((), goal)
            return
        loose_ends = self.loose_ends(pushed)
        ends = [(one, loose_ends.loose(one, goal)) for one in self.pictures.all]
        lawful = loose_ends.lawful(self.pictures) if goes_on else ()
        moved = [one for one, loose in ends if loose is None and one in lawful]
        last, astray = self.match.open_move, not moved and all(loose is None for _, loose in ends)
        if astray and last is not None and isinstance(last.move, Move):
            made = just_made(last.position, last.move)
            if self.eyes.shown(made.pieces) == self.seen:  # people say that it was made
                ends, astray = [(made, [])], False
        if astray:
            self.owed = owed
            played = self.match.undone is None
            if played and not difference(self.scene.rest, self.seen, self.slack):
                self.keep_but_owed(goal)  # it was moved unseen, from a stack or onto one
            else:
                self.owed = {}  # something is to be put right first
            return
        fits = [(one, loose) for one, loose in ends if loose is not None]
        fits.sort(key=lambda fit: len(fit[1]))  # the plainest has the fewest loose ends
        fitting = [self._landed(one, goal) for one, _ in fits]
        self.pictures.keep(dict.fromkeys((*fitting, *moved)), self.pictures.plainest)
        loose = loose_ends.loose(self.pictures.plainest, goal) or []
        index = self.eyes.index
        for seat, origin, target in loose:
            number = self.owed.get(index[target], 0) + 1
            stood = not self.eyes.holds_many(target)  # else it may be a captured one
            held = origin == AIR and (stood or number > owed.get(index[target], 0))
            if held and (seat, target) in self.scene.movers:
                continue  # it was taken into the hand before the roll, and is to move now
            if origin == AIR and self.may_be_back and target == loose_ends.moved_last:
                continue  # whether it is back was asked before a STOP, and will be again
            if origin == AIR:
                self.owed[index[target]] = number
            else:
                self.pushed_before += ((index[origin], index[target]),)

    def keep_but_owed(self, goal: Picture) -> None:
        """All is as the game has it, but for pieces owed to their bases, or pushed long ago."""
        eyes, seen = self.eyes, self.seen
        for here, there in self._pushed_still():
            for pushed in goal.at(eyes.spots[there]):
                goal = goal.moved(pushed, eyes.spots[there], eyes.spots[here])
        for at in self.owed:
            number, seat = self.scene.rest[at] - seen[at], eyes.owner[at]
            if number > 0 and seat is not None:
                goal = goal.moved(seat, eyes.spots[at], AIR, number)
        self.pictures.keep((), goal)

    def _landed(self, picture: Picture, goal: Picture) -> Picture:
        """A piece that vanished where the game now has one stands there unseen."""
        for seat, (has, wants) in enumerate(zip(picture.pieces, goal.pieces, strict=True)):
            for spot in wants if AIR in has else ():
                at = self.eyes.index[spot]
                stray = self._stray_at(self.eyes.shown(picture.pieces), spot)
                hidden = stray or at in self.aside or (self.eyes.size[at] == 1 and self.seen[at])
                if hidden and picture.pieces[seat].count(spot) < wants.count(spot):
                    picture = picture.moved(seat, AIR, spot)
        return picture

    # -- what the pictures say -------------------------------------------------------------

    def loose_ends(self, pushed: Collection[tuple[int, int]] | None = None) -> LooseEnds:
        """What is loose, and what is astray, on the board as it lies."""
        eyes, scene, match, seen = self.eyes, self.scene, self.match, self.seen
        pushed = self._pushed_still() if pushed is None else pushed
        return LooseEnds(
            eyes,
            scene,
            match,
            seen,
            self.touched,
            self.hops,
            self._times,
            pushed,
            held=self.pictures.sure,
        )

    def astray(self, picture: Picture) -> bool:
        """Whether a picture has pieces elsewhere than the game; those owed do not count."""
        found = ways_between(self.eyes, picture, self.scene.goal)
        eyes, shown = self.eyes, self.eyes.shown(picture.pieces)
        return any(
            origin != AIR or (eyes.index[to] not in self.owed and not self._stray_at(shown, to))
            for _, origin, to in found
        )

    def _stray_at(self, shown: Outline, spot: str) -> bool:
        """Whether something stands on a spot that a picture knows nothing of."""
        at = self.eyes.index[spot]
        return self.seen[at] > shown[at]

    def contradicts(self, actions: Collection[AnyMove | str]) -> bool:
        """Whether no story of the readings, with one unseen act at most, ends in one of these."""
        goals = [goal for way in self.scene.ways if way.action in actions for goal in way.goals]
        sure = self.pictures.sure  # then what it looks like is what it is
        if sure or self.aside or self.pictures.doubted or self._may_be(self.pictures.all, goals):
            return False
        again = self.pictures.read_again()
        return bool(again) and not self._may_be(again, goals)

    def _may_be(self, pictures: Collection[Picture], goals: list[Picture]) -> bool:
        """Whether a picture may be one of these, as far as anybody sees: by its colours.

        How many of a colour stand on a square nobody sees, nor who goes from there onto others.
        """
        straight = [self._straightened(one) for one in pictures]
        return any(self._has_colours_of(one, goal) for one in straight for goal in goals)

    def _has_colours_of(self, picture: Picture, goal: Picture) -> bool:
        if picture == goal:
            return True
        spots = {spot for own in picture.pieces for spot in own if spot != AIR}
        return all(
            not set(picture.at(spot)).isdisjoint(goal.at(spot)) for spot in spots if goal.at(spot)
        )

    def _straightened(self, picture: Picture) -> Picture:
        """A picture with the pieces that were pushed long ago where they belong."""
        for here, there in self._pushed_still():
            for pushed in picture.at(self.eyes.spots[here]):
                picture = picture.moved(pushed, self.eyes.spots[here], self.eyes.spots[there])
        return picture

    def holds(self, picture: Picture) -> bool:
        """Whether a piece is in the air that is owed to nobody."""
        shown = self.eyes.shown(picture.pieces)
        unseen = sum(max(a - b, 0) for a, b in zip(self.seen, shown, strict=True))
        return sum(own.count(AIR) for own in picture.pieces) - unseen > sum(self.owed.values())

    def _ways_in(self, pictures: Collection[Picture], *, held: bool = False) -> list[Astray]:
        """The pieces that stand elsewhere than in the game, in any of these pictures."""
        eyes, goal = self.eyes, self.scene.goal
        return [way for one in pictures for way in ways_between(eyes, one, goal, held=held)]

    def all_touched(self, pictures: list[Picture]) -> bool:
        """Whether hands were at every piece that seems exchanged: they may have changed it."""
        ways = self._ways_in(pictures)
        spots = {spot for _, at, to in ways for spot in (at, to)}
        return AIR not in spots and all(self.eyes.index[spot] in self.touched for spot in spots)

    def may_be_hidden(self, pictures: list[Picture]) -> bool:
        """Whether all that is missed may stand on a stack, where nobody sees it."""
        ways = self._ways_in(pictures)
        return all(at == AIR and self.seen[self.eyes.index[to]] for _, at, to in ways)

    def to_check(self) -> tuple[str, ...]:
        """The spots on which nobody, or somebody else, might stand than the game has there."""
        wrong = [one for one in self.pictures.all if self.astray(one) or self.holds(one)]
        return tuple(dict.fromkeys(way.belongs for way in self._ways_in(wrong, held=True)))

    def is_as_near(self, picture: Picture, goal: Picture) -> bool:
        """Whether no more pieces are elsewhere than in a goal than elsewhere than in the game."""
        eyes, game = self.eyes, self.scene.goal
        return len(ways_between(eyes, picture, goal)) <= len(ways_between(eyes, picture, game))

    def only_pushed(self) -> bool:
        """Whether all that is astray, in some picture, was pushed before our eyes."""
        found = [
            ways_between(self.eyes, one, self.scene.goal, self.hops) for one in self.pictures.all
        ]
        return any(
            ways
            and all(
                at != AIR and self.eyes.beside(to, at) and self.hops.pushed(to, at)
                for _, at, to in ways
            )
            for ways in found
        )

    def stands_astray(self) -> bool:
        """Whether a piece is seen to stand where it does not belong, in every picture."""
        eyes, goal = self.eyes, self.scene.goal
        found = [ways_between(eyes, picture, goal) for picture in self.pictures.all]
        return all(any(origin != AIR for _, origin, _ in ways) for ways in found)

    def as_told(self, told: tuple[Step, ...]) -> tuple[Picture, ...]:
        """The pictures in which these steps were followed, or all if there are none."""
        colours = self.match.game.colours
        ends = [
            (colours.index(one.colour), one.target) for one in told if one.colour and one.target
        ]
        pictures = self.pictures.all
        followed = (one for one in pictures if all(seat in one.at(spot) for seat, spot in ends))
        return tuple(followed) or pictures

    # -- what is left to do ----------------------------------------------------------------

    def way_back(self) -> tuple[Step, ...]:
        """What hands have to do so that the board is as the game has it."""
        return self.steps_to(self.scene.goal) if self.sees else ()

    def steps_to(
        self, goal: Picture, pictures: tuple[Picture, ...] | None = None, *, held: bool = False
    ) -> tuple[Step, ...]:
        pictures = pictures or self.pictures.all
        held = held or self.pictures.sure  # then nobody in the air stands unseen on another
        colours = self.match.game.colours
        found = agreed_steps(self.eyes, pictures, goal, colours, self.seen, self.hops, held=held)
        strays = [self.pictures.strays(one, self.seen) for one in pictures]
        wanted = self.eyes.shown(goal.pieces)
        unknown = [
            spot
            for spot in strays[0]
            if all(spot in others for others in strays)
            and self.seen[self.eyes.index[spot]] > wanted[self.eyes.index[spot]]
        ]
        return (*(Step(spot, None) for spot in unknown), *found)

    def held_as_told(self, told: tuple[Step, ...]) -> tuple[Step, ...]:
        """Where pieces belong, though nobody sees them there, that were taken off as people were
        told: if the other steps told were followed, they are still in a hand."""
        believed = self.as_told(told)
        if not self._taken_off or not all(map(self.holds, believed)):
            return ()
        left = self.steps_to(self.scene.goal, believed, held=True)
        return tuple(one for one in left if one.origin is None and one.colour in self._taken_off)

    def still_to_do(self, told: tuple[Step, ...], more: tuple[Step, ...] = ()) -> tuple[Step, ...]:
        """Of the steps that people were told, those that are not done yet."""
        left = {*self.way_back(), *more}
        return tuple(step for step in told if step in left)

    def may_think_with(self) -> set[Step]:
        """The ways back of pieces in the hand that may move, or may once it is rolled.

        Whom such a piece captures may be lifted already. But nobody thinks with a piece that was
        taken off the board as the box said, or that it wanted back.
        """
        match, movers = self.match, self.scene.movers
        if match.face is None and not match.over:
            own = match.game.hands[match.position.seat]
            spots = ((seat, spot) for seat in own for spot in self.scene.goal.pieces[seat])
            movers = {(seat, spot) for seat, spot in spots if not self.eyes.holds_many(spot)}
        lawful = self.loose_ends().lawful(self.pictures) or self.pictures.all
        held = {seat for seat, _ in movers if all(AIR in one.pieces[seat] for one in lawful)}
        found = {Step(None, spot, match.game.colours[s]) for s, spot in movers if s in held}
        for way in self.scene.ways if match.face is not None else ():
            if isinstance(way.action, Move) and way.action.seat in held:
                found |= self._ways_of_victims(way)
        found -= self._wanted
        return {step for step in found if step.colour not in self._taken_off}

    def owed_steps(self) -> set[Step]:
        """The ways home of captured pieces that people know of already."""
        spots, owner, colours = self.eyes.spots, self.eyes.owner, self.match.game.colours
        return {
            Step(None, spots[at], colours[seat])
            for at in self.owed
            if (seat := owner[at]) is not None
        }

    def _ways_of_victims(self, way: Way) -> set[Step]:
        """The ways back of those whom a move captures: from the hand, or from their base."""
        game, spots = self.match.game, [self.eyes.spots[at] for at in way.victims]
        return {
            Step(origin, spot, game.colours[seat])
            for spot in spots
            for seat in self.scene.goal.at(spot)
            for origin in (None, game.spot(seat, BASE))
        }

    def doubtful(self) -> tuple[str, ...]:
        """Places whose sensors disagree with the game, or alone with a legal move, a few.

        One of them may be broken.
        """
        if not self.sees:
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
