"""Doing what the box says: steps literally, questions truthfully, and by heart if all fails."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from companion.rules import AnyMove, BadInput, Move, Position, play
from tests.people import twins
from tests.people.acts import HOLDS, MENDS, deed_of
from tests.people.looking import GAME_SHOWN, Mind
from tests.people.moving import Moving
from tests.people.plans import Plan
from tests.people.sitting import STEPS_SHOWN
from tests.people.table import BESIDE, FLOOR, HAND, colours_in
from tests.people.wrongs import sensed

LOOKS_ON = 5.0
"""Seconds since the last piece was touched for which people give the box time to ask."""


LETS_GO = ("roll", "opening", "move", "illegal")


def said_colour(step: Any) -> str | None:
    """The colour that a step names, where it names one."""
    colour: str | None = getattr(step, "colour", None)
    return colour


class Following(Moving):
    """People with pieces look at the box, and do what it says."""

    def cope(self, goals: list[Position], plan: Plan, move: Move | None = None) -> Position | None:
        self.false_step = False
        return super().cope(goals, plan, move)

    def waiting(self) -> bool:
        return self.room.is_coming(HOLDS, MENDS)  # perhaps for a piece under the table

    def let_go(self) -> None:
        half_heard = self.room.missed and self.room.view.pressed and not self.steps()
        if half_heard and self.room.view.phase in LETS_GO:
            self.room.press("ok")

    def is_reached(self, goal: Position, goals: list[Position]) -> bool:
        """Whether box and table are where they should be; a move nobody can see comes first."""
        if goal.over and self.is_settled():
            return True  # nobody cares any more who is pushed
        unmoved = goal is not goals[0] and self.table.is_like(goals[0])
        return self.is_settled() and not unmoved and self.table.is_like(goal)

    def do_shown(self, steps: tuple[Any, ...], mind: Mind[Move]) -> str:
        made = self.room.missed and self.table.is_like(mind.goals[0])  # it is told again after that
        if made or (self.by_buttons and self.table.is_like(self.shown())):
            self.room.press("ok")  # it is so
            return ""
        if steps != mind.listed:
            if self.table.colours() != mind.left:
                mind.seen.clear()  # somebody else has pushed something
            key = (tuple(sorted(self.table.colours().items())), steps)
            if key in mind.seen:
                return "goes round"
            mind.seen.add(key)
            mind.listed, mind.done = steps, 0
            if not mind.followed:
                self.why_refused = self.cause()
            mind.left = self.table.colours()
            self.all_look()
            return ""
        if mind.done == len(steps):
            mind.waited += 1
            if mind.waited > 5 or self.by_buttons:
                self.room.press("ok")
            return "done, and still shown" if mind.waited > 8 else ""
        step = steps[mind.done]
        whole = step.origin is not None and step.target is not None
        if (self.slipped or self.room.missed) and whole and self.stands_right(said_colour(step)):
            why = self.press_all_the_same(step, mind.plan)  # nobody carries away what stands right
        else:
            why = self.follow(step, mind.plan, mind.goals)
        if not why:
            mind.done, mind.followed, mind.puzzled = mind.done + 1, mind.followed + 1, False
            mind.left = self.table.colours()
        elif not mind.puzzled:
            mind.puzzled, why = True, ""
            self.room.wait(2.0)
        return why

    def is_lost(self, goal: Position | None, mind: Mind[Move]) -> bool:
        view, goals, plan, move = self.room.view, mind.goals, mind.plan, mind.move
        if view.phase == "ask" and view.title != "won":
            mind.asked += 1
            if not self.answer(goals, move) and mind.asked % 4 == 0:
                # None of the answers is true: put back, and begin again.
                self.figures.add("false_asks", f"{view.title}: {self.guilt or self.cause()}")
                self.run(self.put_back(goals[-1], plan), plan)
        elif goal is None and view.phase in GAME_SHOWN:
            mind.content += 1
            if mind.content > 4 and self.room.now - self.room.changed > LOOKS_ON:
                self.changed_game(mind.followed, plan)
                return True
        elif goal is None or not self.is_settled():
            self.room.press("ok")
        else:
            mind.content += not self.waiting()
            if self.room.missed and mind.content > 1 and self.do_again(goal, mind):
                return False
            if self.is_moved(goals, move):
                if mind.content >= 2 and move is None and self.shown().due is not None:
                    self.take_it_back()  # nobody made the move that has earned squares
                elif mind.content >= 2:
                    self.say_moved(move)
            elif self.false_step or (not self.waiting() and mind.content > 10):
                self.colours_differ(goal, mind.followed)
                return True
            elif not self.waiting() and mind.content > 3:
                if self.can_go_on():
                    asked = self.sees_missing()  # they put right what the box has them look at
                    self.run(self.put_back(goal if asked else goals[0], plan), plan)
                elif view.title == "won":
                    self.room.press("ok")  # the others play on: only then it is told what is left
        return False

    def do_again(self, goal: Position, mind: Mind[Move]) -> bool:
        """What fingers did was not heard: people look at the screen, and do it again.

        Whoever has made a move presses it once more; pieces astray, of which the box does not know,
        go where the screen has them.
        """
        goals, move = mind.goals, mind.move
        if self.sensing != "touch":
            return False
        if not self.is_moved(goals, move):
            self.room.note("# the pieces go where the screen has them")
            self.table.set_up(goal)
        elif move is not None and self.room.cable and self.cuts.random() < 0.5:
            self.room.note("# pressed again")
            deed = deed_of(goals[-1], move)
            self.tap_spot(deed.mover[0].origin)
            self.room.wait(mind.plan.span(self.rates, "tap"))
            self.tap_spot(deed.touched or deed.mover[0].target)
        else:
            return False
        return True

    def is_moved(self, goals: list[Position], move: Move | None) -> bool:
        """Whether hands have done their part: what a move costs is paid when the box says so."""
        wanted = colours_in(goals[0])
        if move is not None and self.shown() == goals[-1]:
            for colour, origin, target in deed_of(goals[-1], move).penalty:
                wanted += Counter({(origin, colour): 1})
                wanted -= Counter({(target, colour): 1})
        return self.table.colours() == wanted

    def can_go_on(self) -> bool:
        """Whether people still have to put something down, and see by themselves where."""
        away, view = self.table.away, self.room.view
        told = bool(away[FLOOR]) and view.tone == "hint"
        return bool(away[HAND]) or told or view.phase in ("move", "illegal") or self.sees_missing()

    def sees_missing(self) -> bool:
        """Whether the box asks to look at squares, and somebody is missing there.

        Who has moved a piece since does not miss it where it stood.
        """
        notice = self.room.view.notice
        if notice is None or notice is self.heeded:
            return False
        asked = notice.places if notice.key == "check_colours" else ()
        return any(spot in asked for spot, _ in self.table.missing(self.shown()))

    def say_moved(self, move: Move | None) -> None:
        """OK: «I have moved»; where it means the line shown, that is turned to.

        So it does without sensors, and where the box has said that it cannot see which move.
        """
        notice = self.room.view.notice
        to_choose = notice is not None and notice.key == "choose" and move is not None
        if self.sensing == "presence" and not to_choose:
            self.room.press("ok")
        elif move is not None:
            self.choose(move)

    def answer(self, goals: list[Position], move: Move | None) -> bool:
        """Answer a question truthfully; False if none of its answers is the truth."""
        owed = move is not None and bool(deed_of(goals[-1], move).penalty)
        made = self.is_made(goals[0]) or (owed and not self.table.away[HAND])
        if move is not None and made and self.choose(move):
            return True
        lines = self.room.view.lines
        put_back = move is None and self.table.is_like(goals[0]) and self.shown() != goals[0]
        unmade = put_back or self.shown() not in goals
        if unmade and self.room.pick(lambda n: lines[n].key == "take_back"):
            return True  # nobody has made what is shown, or it was put back
        for line in lines:
            if line.move is not None and any(map(self.is_made, self.led_to(line.move, goals))):
                return self.choose(line.move)
        return False

    def led_to(self, move: AnyMove, goals: list[Position]) -> Iterator[Position]:
        """Where a line of a question leads: from what is shown, or from before the last move."""
        for here in (self.shown(), *goals):
            with suppress(BadInput):
                yield play(here, move)

    def is_made(self, goal: Position) -> bool:
        """Whether all stands so, but for pieces pushed, beside the board, or under the table."""
        pushed = self.hands.pushed if self.hands.is_pushed() else []
        beside = Counter(self.table.away[BESIDE] + self.table.away[FLOOR])
        beside += Counter(hop.colour for hop in pushed)
        missing = Counter(colour for _, colour in self.table.missing(goal).elements())
        extra = self.table.extra(goal) - Counter((hop.target, hop.colour) for hop in pushed)
        return not extra and not missing - beside

    def changed_game(self, followed: int, plan: Plan) -> None:
        """The game stands otherwise than anybody meant.

        Who has put the pieces as the box had them before a cut has agreed to that.
        """
        what = self.guilt or self.cause()
        if followed and plan.cut == "power" and self.is_unwatched(plan):
            self.fault("apart", f"nobody watched two pieces, put back as they were: {what}")
        elif followed:
            self.fault("wrong_remedy", f"putting right is taken for another move: {what}")
        else:
            self.fault("mistaken", what)

    # -- steps -----------------------------------------------------------------------------

    def all_look(self) -> None:
        """Everybody reads what is shown; who holds a piece for somebody else puts it back."""
        self.room.wait(1.2)
        while self.room.is_coming(HOLDS):
            self.room.wait(0.5)
        self.room.forget(MENDS)

    def follow(self, step: Any, plan: Plan, goals: list[Position]) -> str:
        """Do one step literally; '' or why that cannot be done."""
        table, said = self.table, said_colour(step)
        if step.origin is None:
            found = self.off_the_board(step.target, said)
            if found is None and self.is_hidden(step.target, said):
                if step in self.steps()[-1:]:  # or else they go on with the next step
                    self.room.press("ok")  # it was put onto another piece, where no sensor sees it
                return ""
            if found is None:
                self.unseen |= said is not None and self.may_be_believed(None, said)
                return "nothing in the hand for it"
            where, colour = found
        else:
            place = table.taken(step.origin, said)
            if place is None:
                self.unseen |= said is not None and self.may_be_believed(step.origin, said)
                return "that colour does not stand there" if said else "nothing stands there"
            self.check_step(step, said or table.stands[place][-1], place, goals)
            if self.sensing == "touch":
                self.room.tap(place)
            where, colour = HAND, table.lift(place, said)
        self.room.wait(plan.span(self.rates, "lift_to_put"))
        if step.target is None:
            if where == HAND:
                table.keep(colour, where, BESIDE)
            return ""
        if self.sensing == "touch":
            self.tap_spot(step.target)
        if colour in table.away[where]:
            table.put(table.free(step.target), colour, where)
        return ""

    def may_be_believed(self, spot: str | None, colour: str) -> bool:
        """Whether readings speak no less for a colour there, or in a hand, than for the truth."""
        if self.sensing != "presence":
            return False
        known = twins.pictures(self.known, (), self.room.readings, self.whose)
        away = [one for gone in self.table.away.values() for one in gone]
        spot_of = self.table.ground.spot_of
        return twins.speaks_for(known, (self.table.colours(), away), spot, colour, spot_of)

    def stands_right(self, said: str | None) -> bool:
        """Whether what is to be put right was only pressed, and never carried."""
        astray = (*self.table.extra(self.shown()), *self.table.missing(self.shown()))
        return all(colour != said for _, colour in astray) if said else not astray

    def press_all_the_same(self, step: Any, plan: Plan) -> str:
        """It stands where it is wanted: people say so with OK, or press what is shown."""
        if plan.rng.random() < 0.5 or self.room.view.pressed:
            self.room.press("ok")
            return ""
        self.tap_spot(step.origin)
        self.room.wait(plan.span(self.rates, "tap"))
        self.tap_spot(step.target, said_colour(step))
        return ""

    def is_hidden(self, target: str | None, said: str | None) -> bool:
        """Whether what is said to be missing stands there among others, where nobody sees it."""
        here = self.table.stands.get(target or "", [])
        wanted = colours_in(self.shown())[target or "", said or ""]
        right = self.table.is_like(self.shown()) or here.count(said or "") >= wanted > 0
        return len(here) > 1 and right

    def off_the_board(self, target: str | None, said: str | None) -> tuple[str, str] | None:
        """The piece for a step that begins off the board: in a hand, beside, lost, or astray.

        Where no colour is said people think: what goes to a base or a finish has its colour,
        otherwise it is the piece in the hand, or what the screen's map has there.
        """
        table = self.table
        place = table.board.by_name.get(table.free(target)) if target else None
        if said is None and place is not None and place.colour is not None:
            said = place.colour
        held = set(table.away[HAND])
        if said is None and len(held) == 1:
            return HAND, held.pop()
        colour = said or self.colour_at(target)
        found = table.where_away(colour) or (None if said else table.where_away(None))
        if found is None and colour is not None and not self.is_hidden(target, said):
            astray = [s for s, c in sorted(table.extra(self.shown())) if c == colour]
            if astray:
                where = table.taken(astray[0], colour)
                assert where is not None
                table.lift(where, colour)
                return HAND, colour
        return found

    def colour_at(self, spot: str | None) -> str | None:
        """The colour that the game has on a spot and the table has not: the screen shows a map."""
        missing = self.table.missing(self.shown())
        return next((colour for at, colour in sorted(missing) if at == spot), None)

    def check_step(self, step: Any, colour: str, place: str, goals: list[Position]) -> None:
        """Whether a step takes a colour where no game that can be meant has it.

        Where the best stories do not know who stands at either end, no reading could tell.
        """
        if step.target is None or self.false_step or self.sensing != "presence":
            return
        there = step.target, colour
        if any(self.table.missing(goal)[there] for goal in goals):
            return
        self.false_step = True
        known = twins.pictures(self.known, (), self.room.readings, self.whose)
        stands = {at: tuple(sorted(self.table.stands.get(at, ()))) for at in (place, step.target)}
        sure = all(twins.certain(known, at, colours or None) for at, colours in stands.items())
        section = "wrong_remedy" if sure else "apart"
        self.fault(section, f"a wrong pair is shown: {self.guilt or self.cause()}")

    # -- where it does not help ------------------------------------------------------------

    def false_remedy(self, why: str, mind: Mind[Move]) -> Position | None:
        if not self.false_step:
            section = "apart" if self.unseen or self.room.missed else "wrong_remedy"
            why = f"not heard, {why}" if self.room.missed else why
            self.fault(section, f"{why}: {self.guilt or self.cause()}")
        return self.by_heart(mind.goals, mind.plan)

    def by_heart(self, goals: list[Position], plan: Plan) -> Position | None:
        """Somebody who knows how it was puts it right; None if the box does not see it."""
        room = self.room
        for goal in goals:
            self.run(self.put_back(goal, plan), plan)
            for _ in range(3):
                room.wait(1.5)
                if room.view.phase in STEPS_SHOWN:
                    room.press("ok")
                elif room.view.phase == "ask":
                    self.answer([goal], None)
                if room.view.position == goal and not self.steps() and self.table.is_like(goal):
                    self.checkpoint()
                    return goal
        self.fault("hanging", f"put right by heart, and not seen: {self.cause()}")
        return None

    def colours_differ(self, goal: Position, followed: int) -> None:
        """The box is content, the colours are not: could it have known?"""
        known = twins.pictures(self.known, (), self.room.readings, self.whose)
        spot_of = self.table.ground.spot_of
        what = self.guilt or self.cause()
        kind = f"{'after the remedy' if followed else 'unnoticed'}: {what}"
        away = [colour for gone in self.table.away.values() for colour in gone]
        true = self.table.colours(), away
        if self.false_step:
            return  # counted when it was shown
        if self.unseen or (
            self.sensing == "presence"
            and (
                self.is_forgotten(goal)
                or not twins.can_tell(known, true, (colours_in(goal), ()), spot_of)
            )
        ):
            self.fault("apart", kind)
        else:
            self.fault("wrong_remedy" if followed else "mistaken", f"colours differ, {kind}")

    def is_forgotten(self, goal: Position) -> bool:
        """Whether the box was off, and all that it has seen since is what it had kept."""
        stands, wanted = (
            sensed(colours.elements(), self.table.ground)
            for colours in (self.table.colours(), colours_in(goal))
        )
        return self.room.rebooted and stands == wanted

    def is_unwatched(self, plan: Plan) -> bool:
        """Whether another piece than the one to be moved was touched, and not all of it heard."""
        unheard = plan.cut or self.room.lost_at >= self.began
        others = plan.odd & {"push", "floor", "overlap", "jolt"}
        return self.sensing == "presence" and bool(unheard and others)

    def led_back(self, plan: Plan, made: bool) -> None:
        if made and self.is_unwatched(plan):
            self.fault("apart", f"nobody watched two pieces: {self.why_refused}")
        elif made and "wrong_first_long" in plan.odd:
            self.figures.add("turned", "led back after a STOP that was deserved")
        elif made and self.misread:
            self.fault("apart", f"led back from what looks illegal: {self.why_refused}")
        elif made:
            self.fault("refused", self.why_refused)
