"""A whole game by simulated people against a referee, and what came of it.

The evening knows the truth: how the game really stands, which colours stand where, and whether
anybody did something illegal. The referee hears only its events.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from companion.events import Command, Event
from companion.referee import Effect
from companion.rules import SHEETS, Game, Move, Pass, Position, game, legal_moves, play
from companion.rules.boardgame import BoardGame
from tests.people import twins
from tests.people.acts import HOLDS, MENDS, Act, Deed, Hands, Mark, deed_of
from tests.people.figures import Figures
from tests.people.plans import Plan, Rates, draw
from tests.people.room import Room, script_of
from tests.people.table import BESIDE, FLOOR, HAND, Hop, Table, colours_in, hops_back
from tests.people.wrongs import (
    Wrong,
    clauses,
    lawful_boards,
    like_a_push,
    sensed,
    stands_wrong,
    wrongs,
)

BOARD_SHEETS = tuple(name for name in SHEETS if name != "cards")
STEPS_SHOWN = ("illegal", "restore", "penalty")
GRACE = 1.0
"""Seconds: a STOP that comes this soon after a wrong piece went on is still about that piece."""
PATIENCE = 12.0
"""Seconds for which somebody who did something wrong waits to be told."""
ROUNDS = 40
"""How often people look at the box and do what it says before they give up."""

Framing = tuple[Position, int | None, list[Hop]]
"""An attempt as `judge` may be asked about it: the position, the roll, the hops."""
Save = Callable[[str, str, str], None]


class StuckError(Exception):
    """People gave up: the box is set up anew as the game really stands."""


def any_game(rng: Random, sheet: str | None = None, seats: int | None = None) -> Game:
    """Any sheet that is played on a board, any options, two to four seats."""
    chosen = SHEETS[sheet or rng.choice(BOARD_SHEETS)]
    many = seats or rng.choice((2, 3, 4))
    colours = sorted(rng.sample(chosen.board.seats, many), key=chosen.board.seats.index)
    options = {
        option.name: rng.choice(option.allowed) if rng.random() < 0.35 else option.default
        for option in chosen.options
    }
    if options.get("two_colours_each") and many == 2:
        colours = list(chosen.board.seats[:2])
    return game(chosen.id, options, colours)


class Evening:
    """One game. `turn` is one roll and all that comes with it."""

    def __init__(
        self,
        seed: str,
        rates: Rates,
        figures: Figures,
        sensing: str = "presence",
        save: Save = lambda section, kind, text: None,
        sheet: str | None = None,
        seats: int | None = None,
    ) -> None:
        self.seed, self.rates, self.figures, self.save = seed, rates, figures, save
        self.sensing = sensing
        rng = Random(f"{seed} game")
        chosen = any_game(rng, sheet, seats)
        assert isinstance(chosen, BoardGame)
        self.game = chosen
        self.table = Table(chosen.board)
        self.phase, self.hinted = "idle", False
        self.guilt, self.guilt_over, self.guilt_before = "", -9.0, ""
        self.doing = "nothing"
        self.stopped_at: float | None = None
        self.turns = 0
        self.pending: tuple[Position, Move, Position] | None = None
        """A move that is made while nobody has looked yet whether the box took it."""
        self.previous: tuple[Position, int, Move] | None = None
        self.early: Hop | None = None
        self.false_step = False
        self.plan = draw(f"{seed} 0", rates)
        self.room = Room(self.table, sensing, rng, self.watch, rates["bounce"], rates["loss"])
        self.hands = Hands(self.table, rates, self.room.in_a_while)
        self.truth = chosen.start()
        self.table.set_up(self.truth)
        self.window: list[tuple[int, float, str]] = []
        self.checkpoint()

    # -- what the box shows ----------------------------------------------------------------

    def watch(self, effects: Sequence[Effect]) -> None:
        """The box did something: count STOPs, questions and hints."""
        if not effects:
            return
        view = self.room.view
        hint = bool(getattr(view, "hint", ()))
        if hint and not self.hinted:
            self.figures.add("hints", self.cause())
            self.room.note(f"# the box hints: {steps_text(view.hint)}")  # type: ignore[attr-defined]
        self.hinted = hint
        if view.phase == self.phase:
            return
        self.phase = view.phase
        if view.phase == "illegal":
            self.stopped(view)
        elif view.phase == "ask" and view.title != "won":
            self.figures.add("asks", f"{view.title}: {self.cause()}")
            self.room.note(f"# the box asks: {view.title}")
        else:
            self.room.note(f"# the box: {view.phase} {steps_text(view.remedy)}")

    def stopped(self, view: Any) -> None:
        """A red alarm: was there a reason?"""
        self.figures.add("stops")
        if self.stopped_at is None:
            self.stopped_at = self.room.now
        guilt = self.guilt
        if not guilt and self.room.now - self.guilt_over < GRACE:
            guilt = self.guilt_before
        said = " ".join(f"{refusal.clause} {refusal.slip}" for refusal in view.refusals)
        self.room.note(
            f"# STOP ({guilt or 'undeserved, ' + self.cause()}): {said}; {steps_text(view.remedy)}"
        )
        if guilt:
            self.figures.add("deserved", guilt)
        else:
            self.figures.add("undeserved", self.cause())
            self.keep("undeserved", self.cause())

    def cause(self) -> str:
        """What is going on, for whoever wants to know why the box spoke."""
        away = self.table.away
        if not self.room.cable or not self.room.power:
            return "cable or power out"
        if self.plan.cut and not self.room.cut_kind:
            return f"after {self.plan.cut} out"
        if away[FLOOR]:
            return "on the floor"
        if self.hands.is_pushed():
            return "pushed"
        if away[BESIDE] and self.doing != "jolt":
            return "captured piece beside the board"
        return self.doing

    def guilty(self, what: str) -> None:
        """Something illegal begins, or ('') is over."""
        if self.guilt and not what:
            self.guilt_over, self.guilt_before = self.room.now, self.guilt
        self.guilt = what

    # -- traces ----------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """The board is known to be right: from here on readings are kept to tell twins apart."""
        self.room.readings.clear()
        self.known = {place: list(own) for place, own in self.table.stands.items()}

    def open_window(self) -> None:
        """Traces begin one turn back."""
        board = "board " + " ".join(sorted(self.table.on()))
        start = f"position {self.truth}"
        if self.sensing == "presence":
            start += f"\n{board}"
        self.window.append((len(self.room.log), self.room.now, start))
        if len(self.window) > 2:
            cut = self.window[1][0]
            del self.room.log[:cut]
            self.window = [(at - cut, now, text) for at, now, text in self.window[1:]]

    def keep(self, section: str, kind: str) -> None:
        """Save what led here as a script."""
        _, began, start = self.window[0] if self.window else (0, 0.0, f"position {self.truth}")
        position, _, board = start.partition("\n")
        log: list[tuple[float, Event | str]] = [(began - 1.0, position)]
        if board:
            log.append((began - 1.0, board))
        heading = f"{section}: {kind} (seed {self.seed}, turn {self.turns})"
        log += self.room.log[self.window[0][0] if self.window else 0 :]
        log.append((self.room.now, f"# {self.state_text()}"))
        self.save(section, kind, script_of(log, self.sensing, began - 1.0, heading))

    def state_text(self) -> str:
        view = self.room.view
        lost = {where: own for where, own in self.table.away.items() if own}
        return (
            f"phase {view.phase}, {steps_text(view.remedy)}, box {view.position}; "
            f"truth {self.truth}; "
            f"too much {sorted(self.table.extra(self.truth))} "
            f"missing {sorted(self.table.missing(self.truth))} away {lost}"
        )

    def fault(self, section: str, kind: str) -> None:
        self.figures.add(section, kind)
        self.room.note(f"# FAULT: {section}: {kind}")
        self.keep(section, kind)

    # -- a game ----------------------------------------------------------------------------

    def play(self, most: int = 4000) -> int:
        """Play until it is over, or for so many rolls; how many honest moves were made."""
        args = {
            "sheet": self.game.sheet.id,
            "options": self.game.options,
            "seats": [self.game.colours[seat] for seat in self.game.seats],
        }
        self.room.feed(Command("new_game", args))
        self.room.snapshot()
        self.room.wait(1.0)
        if self.room.view.phase == "setting":
            self.room.press("ok")
        before = self.figures.count["honest"], self.figures.count["stops"]
        unfair = self.figures.count["undeserved"]
        while not self.truth.over and self.turns < most:
            self.turns += 1
            self.figures.add("turns")
            self.one_turn()
        self.figures.add("games")
        if len(self.game.players) == 4 and self.truth.over:
            self.figures.add("four")
            stops = self.figures.count["stops"] - before[1]
            self.figures.four.append((stops, self.figures.count["undeserved"] - unfair))
        return self.figures.count["honest"] - before[0]

    def one_turn(self) -> None:
        """One turn; who gets stuck sets everything up anew as it really stands."""
        self.plan = draw(f"{self.seed} {self.turns}", self.rates)
        self.doing = "nothing"
        self.open_window()
        try:
            self.turn(self.plan)
        except StuckError:
            self.guilty("")
            self.room.stand(self.truth)
            self.checkpoint()
        self.room.no_cut()

    def turn(self, plan: Plan) -> None:
        in_opening = self.truth.opening is not None
        if plan.wrong and not in_opening and plan.rng.random() < 0.25:
            self.finish_before(plan)
            self.wrong_before_roll(plan)
        if "early_hand" in plan.odd and not in_opening and self.sensing == "presence":
            self.finish_before(plan)
            self.take_early(plan)
        self.throw(plan)
        legal = legal_moves(self.truth, plan.face)
        moves = [move for move in legal if isinstance(move, Move)]
        if not moves:
            self.previous = None
            self.truth = play(self.truth, legal[0])
            self.put_back_early(plan)
            return
        if plan.wrong and self.wrong_after_roll(plan):
            return
        if len(moves) < len(legal) and plan.choice < 0.3 and self.early is None:
            self.choose_pass(plan, next(one for one in legal if isinstance(one, Pass)))
            return
        self.honest(plan, moves)

    def finish_before(self, plan: Plan) -> None:
        """Whoever was in a hurry waits until the move before is done."""
        if self.pending is not None:
            before, move, after = self.pending
            self.pending = None
            self.finish(plan, before, move, after)

    # -- rolling ---------------------------------------------------------------------------

    def throw(self, plan: Plan) -> None:
        """Roll until it counts."""
        hurry, room = self.pending is not None, self.room
        self.hands.current = None
        room.wait(plan.rng.uniform(0.05, 0.5) if hurry else plan.span(self.rates, "before_roll"))
        for tries in range(6):
            while not room.power:
                room.wait(1.0)
            if not hurry or tries:
                self.finish_before(plan)
                if self.early is None and self.cope([self.truth], plan) is None:
                    raise StuckError
            self.doing = "impatient roll" if hurry else "roll"
            if self.early is not None:
                self.doing = "roll with a piece in the hand"
            room.roll(plan.face, plan.span(self.rates, "rolling"))
            if self.counted(plan.face):
                self.pending = None
                return
            self.figures.add("rolls_lost", self.cause())
            self.put_back_early(plan)
        self.fault("hanging", "a roll is never counted")
        raise StuckError

    def counted(self, face: int) -> bool:
        """Whether the box took the roll."""
        view = self.room.view
        if view.position == self.truth:
            return view.face == face
        passed = legal_moves(self.truth, face)
        return isinstance(passed[0], Pass) and view.position == play(self.truth, passed[0])

    def take_early(self, plan: Plan) -> None:
        """Whose turn it is takes a piece into the hand before rolling."""
        game = self.game
        own = [piece for piece in self.truth.pieces[self.truth.seat] if piece >= 0]
        own = [piece for piece in own if piece < game.arrived]
        if own:
            piece = plan.rng.choice(own)
            spot = game.spot(self.truth.seat, piece)
            colour = game.colours[self.truth.seat]
            self.doing = "piece in the hand before rolling"
            self.hands.take(spot, colour)
            self.early = Hop(colour, spot, spot)
            self.room.wait(plan.rng.uniform(0.5, 8.0))

    def put_back_early(self, plan: Plan) -> None:
        if self.early is not None:
            self.room.wait(plan.rng.uniform(0.3, 1.0))
            self.hands.set_down(self.early.origin, self.early.colour)
            self.early = None
            self.room.wait(0.8)

    # -- honest moves ----------------------------------------------------------------------

    def honest(self, plan: Plan, moves: list[Move]) -> None:
        """One of the legal moves, with all the odd things of the plan."""
        before = self.truth
        if self.early is not None:
            fits = [one for one in moves if self.game.stops(one)[0] == self.early.origin]
            if fits:
                moves, plan.in_hand, self.early = fits, True, None
            else:
                self.put_back_early(plan)
        move = moves[int(plan.choice * len(moves))]
        after = play(before, move)
        self.room.note(f"# honest: {self.game.move_text(move)} {sorted(plan.odd)} {plan.capture}")
        if plan.cut:
            self.room.cut_soon(plan.cut, plan.cut_at)
        if "change_mind" in plan.odd and len(moves) > 1 and not plan.in_hand:
            self.change_mind(plan, [one for one in moves if one != move])
        complete = self.make(plan, before, move)
        self.figures.add("honest")
        self.truth, self.previous = after, (before, plan.face, move)
        late = bool(self.table.away[BESIDE]) and plan.capture == "late"
        if complete and (late or "impatient" in plan.odd) and not after.over:
            self.pending = before, move, after
            return
        self.finish(plan, before, move, after)
        if "take_back" in plan.odd and not after.over:
            self.take_back(plan, before)

    def make(self, plan: Plan, before: Position, move: Move) -> bool:
        """Hands, fingers or buttons make a legal move; False if a STOP kept them from it."""
        deed = deed_of(before, move)
        if self.sensing == "choose":
            self.table.set_up(play(before, move))
            return self.choose(move)
        if self.sensing == "touch":
            return self.run(self.press_move(before, deed, plan), plan, heeds=plan.obeys)
        barred = self.barred(before, plan.face)
        return self.run(self.hands.move(before, deed, plan, barred), plan, heeds=plan.obeys)

    def barred(self, position: Position, face: int) -> set[str]:
        """The spots where some legal move begins or ends."""
        return {
            spot
            for move in legal_moves(position, face)
            if isinstance(move, Move)
            for spot in self.game.stops(move)
        }

    def run(self, act: Act, plan: Plan, heeds: bool = False) -> bool:
        """Do an act; False if the box said STOP and the hands obeyed at once."""
        for step in act:
            if isinstance(step, Mark):
                self.doing = step.text
                self.guilty(step.text if step.guilty else "")
                self.room.note(f"# {step.text}")
                continue
            self.room.wait(step)
            if self.room.view.phase == "illegal" and heeds and not self.guilt:
                self.doing = f"obeys at {self.doing}"
                return False
        self.guilty("")
        return True

    def finish(self, plan: Plan, before: Position, move: Move, after: Position) -> None:
        """The move is made: the box has to see it so, sooner or later."""
        complete = self.table.is_like(after)
        stops = self.figures.count["stops"]
        for tries in range(4):
            reached = self.cope([after, before], plan, move)
            if reached is after:
                return
            if reached is None:
                raise StuckError
            if complete and not tries and self.figures.count["stops"] > stops:
                self.fault("refused", self.cause())
            self.doing = "moves again"
            again = Plan(plan.rng, plan.face, 0.0, "first")
            self.make(again, before, move)
            complete = self.table.is_like(after)
            stops = self.figures.count["stops"]
        self.fault("hanging", f"the move is put back again and again: {self.cause()}")
        raise StuckError

    def change_mind(self, plan: Plan, others: list[Move]) -> None:
        """Another legal move first; it is moved back by hand."""
        before = self.truth
        other = plan.rng.choice(others)
        deed = deed_of(before, other)
        if deed.penalty or deed.touched or play(before, other).over:
            return
        plain = Plan(plan.rng, plan.face, 0.0, plan.capture if plan.capture != "late" else "last")
        self.room.note(f"# changes the mind after {self.game.move_text(other)}")
        if self.sensing == "choose":
            return
        self.make(plain, before, other)
        self.room.wait(plan.rng.uniform(0.3, 3.0))
        self.doing = "moves back"
        self.run(self.put_back(before, plan), plan)
        self.room.wait(plan.rng.uniform(0.6, 2.0))

    def put_back(self, position: Position, plan: Plan) -> Act:
        """All pieces as they are in a position, by hand or with fingers."""
        hops = hops_back(self.table, position)
        if self.sensing == "touch":
            return self.press_hops(hops, plan)
        return self.hands.put_right(hops, plan)

    def take_back(self, plan: Plan, before: Position) -> None:
        """From the menu: the move just made is taken back, and the pieces follow what is shown."""
        room = self.room
        if room.view.phase not in ("roll", "opening"):
            return
        self.doing = "taken back from the menu"
        room.press("ok", held=True)
        if not room.pick(lambda n: room.view.lines[n].key == "take_back"):
            room.press("ok")
            return
        if room.view.position != before:
            self.fault("hanging", "take back did not take the last move back")
            raise StuckError
        self.truth = before
        if plan.half:
            self.half(plan, [before])
        if self.cope([before], plan, literal=True) is None:
            raise StuckError
        self.previous = None
        face = room.view.face
        if face is None:
            return
        moves = [one for one in legal_moves(before, face) if isinstance(one, Move)]
        again = Plan(plan.rng, face, plan.choice, "first")
        self.honest(again, moves)

    def choose_pass(self, plan: Plan, wanted: Pass) -> None:
        """Only splits are left: the player passes, with the buttons."""
        before, after = self.truth, play(self.truth, wanted)
        self.doing = "passes"
        self.put_back_early(plan)
        self.truth, self.previous = after, None
        self.room.wait(1.0)
        for _ in range(3):
            if self.room.view.phase in ("move", "ask"):
                if self.room.view.phase == "move":
                    self.room.press("ok")
                if self.choose(wanted):
                    break
            self.room.wait(1.0)
        if self.cope([after, before], plan) is not after:
            self.fault("hanging", "a pass is not taken")
            raise StuckError

    def choose(self, wanted: object) -> bool:
        """Turn to a move among the lines shown, and press OK."""
        if self.sensing == "choose" and self.room.view.phase == "illegal":
            self.room.press("ok")
        lines = self.room.view.lines
        return self.room.pick(lambda n: n < len(lines) and lines[n].move == wanted)

    # -- fingers ---------------------------------------------------------------------------

    def tap_spot(self, spot: str, colour: str | None = None) -> None:
        """A finger presses where a piece stands, or where it goes."""
        taken = self.table.taken(spot, colour) if colour else None
        self.room.tap(taken or self.table.free(spot))

    def press_hops(self, hops: Iterable[Hop], plan: Plan) -> Act:
        """Pieces are moved, and their places pressed: from, to."""
        for hop in hops:
            if hop.origin:
                self.tap_spot(hop.origin, hop.colour)
                self.hands.take(hop.origin, hop.colour)
                yield plan.span(self.rates, "tap")
            where = self.table.where_away(hop.colour)
            self.tap_spot(hop.target)
            if where is not None:
                self.table.put(self.table.free(hop.target), hop.colour, where[0])
            yield plan.span(self.rates, "tap")

    def press_move(self, before: Position, deed: Deed, plan: Plan) -> Act:
        """Press where from, press where to; a captured piece may be pressed home too."""
        odd, rng = plan.odd, plan.rng
        yield Mark("presses")
        if "other_first" in odd:
            own = [self.game.spot(deed.move.seat, p) for p in before.pieces[deed.move.seat]]
            others = sorted(set(own) - {deed.mover[0].origin, deed.mover[0].target})
            if others:
                yield Mark("presses another own piece first")
                self.tap_spot(rng.choice(others), deed.mover[0].colour)
                yield plan.span(self.rates, "tap") * rng.choice((1, 3))
        if "touch_stray" in odd:
            yield Mark("a finger slips", guilty=True)
            self.room.tap(rng.choice(sorted(self.table.ground.spot_of)))
            yield plan.span(self.rates, "tap")
        if plan.capture == "first":
            yield from self.press_hops(deed.victims, plan)
        hop = deed.mover[0]
        aim = deed.touched or hop.target
        if "touch_target_first" in odd:
            yield Mark("presses the target first", guilty=True)
            self.tap_spot(aim)
            yield plan.span(self.rates, "tap")
            self.tap_spot(hop.origin, hop.colour)
            yield rng.uniform(0.5, 3.0)
        yield Mark("presses")
        self.tap_spot(hop.origin, hop.colour)
        if "touch_twice" in odd:
            yield 0.3
            self.tap_spot(hop.origin, hop.colour)
            yield 0.3
            self.tap_spot(hop.origin, hop.colour)
        yield plan.think or plan.span(self.rates, "tap")
        on_square = self.table.taken(aim) if deed.victims else None
        self.room.tap(on_square or self.table.free(aim))
        for one in deed.mover:
            self.hands.take(one.origin, one.colour)
            self.hands.set_down(one.target, one.colour)
        yield plan.span(self.rates, "tap")
        if plan.capture in ("last", "meanwhile"):
            yield from self.press_hops(deed.victims, plan)
        else:
            for victim in deed.victims:
                self.hands.take(victim.origin, victim.colour)
                self.hands.set_down(victim.target, victim.colour)

    # -- doing what the box says -----------------------------------------------------------

    def cope(
        self,
        goals: list[Position],
        plan: Plan,
        move: Move | None = None,
        literal: bool = False,
    ) -> Position | None:
        """Look at the box and do what it says until the game stands as one of the goals has it.

        None if that does not come about: it has been counted then.
        """
        room, followed, seen, content = self.room, 0, set[object](), 0
        listed: tuple[Any, ...] = ()
        done = patience = 0
        puzzled = self.false_step = False
        for _ in range(ROUNDS):
            room.wait(0.8)
            while not (room.power and room.cable):
                room.wait(1.0)
            view = room.view
            steps = self.steps()
            settled = not steps and view.phase in ("roll", "opening", "move", "over", "illegal")
            settled = settled or (view.phase == "ask" and view.title == "won")
            goal = next((one for one in goals if one == view.position), None)
            unmoved = goal is not goals[0] and self.table.is_like(goals[0])
            if goal is not None and settled and not unmoved and self.table.is_like(goal):
                if followed:
                    self.figures.add("remedies")
                self.checkpoint()
                return goal
            if steps:
                if steps != listed:
                    key = (tuple(sorted(self.table.colours().items())), tuple(steps))
                    if key in seen:
                        return self.false_remedy("goes round", goals, plan)
                    seen.add(key)
                    listed, done = steps, 0
                    self.all_look()
                    continue
                if done == len(steps):
                    patience += 1
                    if patience > 5 or self.sensing == "choose":
                        room.press("ok")
                    if patience > 8:
                        return self.false_remedy("done, and still shown", goals, plan)
                    continue
                followed += 1
                done += 1
                why = self.follow(steps[done - 1], plan, goals)
                if why and not puzzled:
                    puzzled, done = True, done - 1
                    room.wait(2.0)
                elif why:
                    return self.false_remedy(why, goals, plan)
                else:
                    puzzled = False
            elif view.phase == "ask":
                self.answer(goals, move)
            elif view.phase == "penalty":
                room.press("ok")
            elif goal is not None and settled:
                content += 1
                if self.table.is_like(goals[0]):
                    if content >= 2:
                        self.say_moved(move)
                elif not self.waiting() and content > 10:
                    self.colours_differ(goal, followed)
                    return None
                elif not self.waiting() and view.phase in ("move", "illegal") and content > 3:
                    self.run(self.put_back(goals[0], plan), plan)
            elif goal is None and view.phase not in ("menu", "paused", "idle", "setting"):
                content += 1
                if content > 4:
                    self.changed_game(followed)
                    return None
            else:
                room.press("ok")
        self.fault("hanging", f"{room.view.phase}: {self.cause()}")
        return None

    def say_moved(self, move: Move | None) -> None:
        """OK: «I have moved»; without sensors it means the line shown, so that is turned to."""
        if self.sensing == "presence":
            self.room.press("ok")
        elif move is not None:
            self.choose(move)

    def changed_game(self, followed: int) -> None:
        """The game stands otherwise than anybody meant."""
        what = self.guilt or self.cause()
        if followed:
            self.fault("wrong_remedy", f"putting right is taken for another move: {what}")
        else:
            self.fault("mistaken", what)

    def shown(self) -> Position:
        """The position on the screen."""
        return self.room.view.position or self.truth

    def steps(self) -> tuple[Any, ...]:
        """What the box wants done with the pieces, aloud or as a hint."""
        view = self.room.view
        hint: tuple[Any, ...] = getattr(view, "hint", ())
        return view.remedy if view.phase in STEPS_SHOWN else hint

    def waiting(self) -> bool:
        """Whether somebody is still about to put something right by themselves."""
        return self.room.is_coming(HOLDS, MENDS)

    def all_look(self) -> None:
        """Everybody reads what is shown; who holds a piece for somebody else puts it back."""
        self.room.wait(1.2)
        while self.room.is_coming(HOLDS):
            self.room.wait(0.5)
        self.room.forget(MENDS)

    def follow(self, step: Any, plan: Plan, goals: list[Position]) -> str:
        """Do one step literally; '' or why that cannot be done."""
        table, said = self.table, getattr(step, "colour", None)
        if step.origin is None:
            found = self.off_the_board(step.target, said)
            if found is None:
                return "nothing in the hand for it"
            where, colour = found
        else:
            place = table.taken(step.origin, said)
            if place is None:
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
        if found is None and colour is not None:
            astray = [s for s, c in sorted(table.extra(self.shown())) if c == colour]
            if astray:
                where = table.taken(astray[0], colour)
                assert where is not None
                table.lift(where, colour)
                return HAND, colour
        return found

    def check_step(self, step: Any, colour: str, place: str, goals: list[Position]) -> None:
        """Whether a step takes a colour where no game that can be meant has it."""
        if step.target is None or self.false_step or self.sensing != "presence":
            return
        there = step.target, colour
        if any(self.table.missing(goal)[there] for goal in goals):
            return
        self.false_step = True
        known = twins.pictures(self.known, (), self.room.readings)
        section = "wrong_remedy" if twins.certain(known, place) else "apart"
        self.fault(section, f"a wrong pair is shown: {self.guilt or self.cause()}")

    def colour_at(self, spot: str | None) -> str | None:
        """The colour that the game has on a spot and the table has not: the screen shows a map."""
        missing = self.table.missing(self.shown())
        return next((colour for at, colour in sorted(missing) if at == spot), None)

    def false_remedy(self, why: str, goals: list[Position], plan: Plan) -> Position | None:
        """What is shown cannot be done, or leads nowhere: people put the pieces as they were."""
        if not self.false_step:
            self.fault("wrong_remedy", f"{why}: {self.guilt or self.cause()}")
        return self.by_heart(goals, plan)

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
        known = twins.pictures(self.known, (), self.room.readings)
        spot_of = self.table.ground.spot_of
        what = self.guilt or self.cause()
        kind = f"{'after the remedy' if followed else 'unnoticed'}: {what}"
        away = [colour for gone in self.table.away.values() for colour in gone]
        true = self.table.colours(), away
        if self.false_step:
            return  # counted when it was shown
        if self.sensing == "presence" and not twins.can_tell(
            known, true, (colours_in(goal), ()), spot_of
        ):
            self.fault("apart", kind)
        else:
            self.fault("wrong_remedy" if followed else "mistaken", f"colours differ, {kind}")

    def answer(self, goals: list[Position], move: Move | None) -> None:
        """Answer a question truthfully, if one of its answers is the truth."""
        room = self.room
        position = room.view.position
        if room.view.title == "won" or position is None:
            room.press("ok")
        elif move is not None and self.table.is_like(goals[0]) and self.choose(move):
            return
        else:
            for line in room.view.lines:
                if isinstance(line.move, Move) and self.table.is_like(play(position, line.move)):
                    self.choose(line.move)
                    return

    # -- illegal acts ----------------------------------------------------------------------

    def wrong_before_roll(self, plan: Plan) -> None:
        """Somebody moves before the roll."""
        if self.sensing == "choose":
            return
        wrong = wrongs(self.truth, None, plan.rng)
        if wrong is not None:
            self.do_wrong(wrong, plan, None)

    def wrong_after_roll(self, plan: Plan) -> bool:
        """Something illegal with a roll lying; True if a legal move came of it in the end."""
        if self.early is not None or plan.rng.random() < 0.1 or self.sensing == "choose":
            self.wrong_roll(plan)
            return False
        wrong = wrongs(self.truth, plan.face, plan.rng)
        if self.sensing == "touch" and wrong is not None and wrong.kind == "exchange":
            return False  # pressed one after the other, the second takes the first back
        return wrong is not None and self.do_wrong(wrong, plan, plan.face)

    def wrong_roll(self, plan: Plan) -> None:
        """A second roll before the first is played, or a roll of somebody else."""
        rng = plan.rng
        others = [seat for seat in self.game.order if seat != self.truth.seat]
        by = self.game.colours[rng.choice(others)]
        twice = rng.random() < 0.5
        kind = "rolls twice" if twice else "rolls out of turn"
        self.begin_wrong(kind)
        face = rng.randint(1, 6)
        if twice:
            self.room.roll(face, plan.span(self.rates, "rolling"))
        else:
            self.room.feed(Command("roll", {"face": face, "by": by}))
        self.figures.add("visible")
        self.judged(kind, self.room.now, {"O1", "O2"}, push=False)
        self.room.wait(plan.rng.uniform(0.5, 3.0))
        self.guilty("")
        if self.room.view.position != self.truth or self.room.view.face != plan.face:
            self.fault("mistaken", f"the game changed: {kind}")
            raise StuckError

    def begin_wrong(self, kind: str) -> None:
        self.figures.add("wrongs", kind)
        self.room.note(f"# ILLEGAL: {kind}")
        self.guilty(kind)
        self.stopped_at = None

    def judged(self, kind: str, released: float, fitting: set[str], push: bool) -> bool:
        """Whether the box said STOP to a wrong act, when, and with which clause."""
        view = self.room.view
        if view.phase != "illegal":
            hint = bool(self.steps()) and push
            if hint:
                self.figures.add("as_push", kind)
            else:
                self.fault("unflagged", kind)
            return hint
        self.figures.add("flagged")
        self.figures.times.append(max(0.0, (self.stopped_at or self.room.now) - released))
        said = {refusal.clause for refusal in view.refusals}
        if not said & fitting:
            slips = " ".join(f"{r.clause} {r.slip}" for r in view.refusals)
            self.fault("clause_wrong", f"{kind}: {slips} instead of {' '.join(sorted(fitting))}")
        return True

    def do_wrong(self, wrong: Wrong, plan: Plan, face: int | None) -> bool:
        """Do it, wait for STOP, put it right; True if a legal move came of it in the end."""
        before = self.truth
        if wrong.legal_first is not None:
            self.wrong_second(wrong, plan, face)
            return True
        framings: list[Framing] = [(before, face, wrong.hops)]
        if face is None and self.previous is not None:
            position, thrown, move = self.previous
            origin, target = self.game.stops(move)
            done = Hop(self.game.colours[move.seat], origin, target)
            framings.append((position, thrown, [done, *wrong.hops]))
            framings += self.as_one_hop(position, thrown, done, wrong)
        lawful = lawful_boards(before, face)
        if face is None and self.previous is not None:
            lawful += lawful_boards(self.previous[0], self.previous[1])
        self.begin_wrong(wrong.kind)
        self.doing = wrong.kind
        self.run_wrong(wrong, plan)
        self.guilt = wrong.kind
        legal = legal_moves(before, face) if face is not None else ()
        goals = [before, *(play(before, one) for one in legal if isinstance(one, Move))]
        self.await_stop(wrong, plan, framings, lawful)
        reached = self.make_good(plan, goals)
        self.guilty("")
        if reached is None:
            raise StuckError
        if reached is before:
            return False
        self.figures.add("turned", wrong.kind)
        made = next(one for one in legal if play(before, one) == reached)
        assert isinstance(made, Move)
        self.truth, self.previous = reached, (before, face or 0, made)
        return True

    def wrong_second(self, wrong: Wrong, plan: Plan, face: int | None) -> None:
        """A legal move, and then a second piece."""
        before, move = self.truth, wrong.legal_first
        assert move is not None
        after = play(before, move)
        plain = Plan(plan.rng, plan.face, 0.0, "first")
        self.make(plain, before, move)
        self.figures.add("honest")
        self.truth, self.previous = after, (before, plan.face, move)
        if plan.rng.random() < 0.5:
            self.finish(plain, before, move, after)
        self.begin_wrong(wrong.kind)
        self.doing = wrong.kind
        origin, target = self.game.stops(move)
        done = Hop(self.game.colours[move.seat], origin, target)
        self.run_wrong(wrong, plan)
        self.guilt = wrong.kind
        framings: list[Framing] = [
            (before, face, [done, *wrong.hops]),
            (after, None, wrong.hops),
            *self.as_one_hop(before, plan.face, done, wrong),
        ]
        lawful = [*lawful_boards(before, face), *lawful_boards(after, None)]
        self.await_stop(wrong, plan, framings, lawful)
        others = [
            play(before, one)
            for one in legal_moves(before, plan.face)
            if isinstance(one, Move) and one != move
        ]
        reached = self.make_good(plan, [after, before, *others])
        self.guilty("")
        if reached is None:
            raise StuckError
        if reached in others:
            self.figures.add("turned", wrong.kind)
            self.truth, self.previous = reached, None
        elif reached is before:
            self.truth, self.previous = before, None
            self.make(plain, before, move)
            self.truth = after
            self.finish(plain, before, move, after)

    def as_one_hop(self, position: Position, face: int, done: Hop, wrong: Wrong) -> list[Framing]:
        """The piece just moved goes on: that is the same move, only further."""
        return [
            (position, face, [hop._replace(origin=done.origin)])
            for hop in wrong.hops
            if hop.origin == done.target
        ]

    def run_wrong(self, wrong: Wrong, plan: Plan) -> None:
        """The hands of an illegal act; nothing stops them."""
        deaf = Plan(plan.rng, plan.face, 0.0, wrong.style)
        if self.sensing == "touch":
            hops = [
                *([wrong.victim] if wrong.victim and wrong.style == "first" else []),
                *wrong.hops,
            ]
            self.run(self.press_hops(hops, deaf), deaf)
            return
        if wrong.kind == "exchange":
            self.run(self.exchange(wrong.hops, plan), deaf)
            return
        deed = Deed(Move(0, 1, 0, 0), wrong.hops, [wrong.victim] if wrong.victim else [])
        self.run(self.plain_hops(deed, deaf), deaf)

    def plain_hops(self, deed: Deed, plan: Plan) -> Act:
        """Pieces one after the other, and a captured one in one of the usual ways."""
        style = plan.capture if deed.victims else ""
        if style in ("first", "meanwhile"):
            for victim in deed.victims:
                self.hands.take(victim.origin, victim.colour, BESIDE)
                yield plan.span(self.rates, "lift_to_put")
                if style == "first":
                    self.hands.set_down(victim.target, victim.colour, BESIDE)
        for hop in deed.mover:
            self.hands.take(hop.origin, hop.colour)
            yield plan.span(self.rates, "lift_to_put")
            yield from self.hands.arrive(deed, hop, plan, style)
            yield plan.rng.uniform(0.1, 0.5)
        if style in ("last", "on_top", "meanwhile"):
            yield from self.hands.victims_home(deed, plan)

    def exchange(self, hops: list[Hop], plan: Plan) -> Act:
        """Two pieces in the air at once, and down on each other's squares."""
        for hop in hops:
            self.hands.take(hop.origin, hop.colour)
            yield 0.3
        for hop in hops:
            self.hands.set_down(hop.target, hop.colour)
            yield 0.3

    def await_stop(
        self,
        wrong: Wrong,
        plan: Plan,
        framings: list[Framing],
        lawful: list[Any],
    ) -> None:
        """Wait to be told; count whether a sensor could see it, and whether it was flagged."""
        room, released = self.room, self.room.changed
        seen = sensed(self.table.colours().elements(), self.table.ground)
        visible = stands_wrong(seen, lawful) if self.sensing == "presence" else True
        while room.now - released < PATIENCE and (room.view.phase != "illegal" or not room.power):
            room.wait(0.25)
        if not visible:
            return
        self.figures.add("visible")
        push = like_a_push(seen, lawful[0], self.table.ground)
        self.judged(wrong.kind, released, clauses(framings), push)

    def make_good(self, plan: Plan, goals: list[Position]) -> Position | None:
        """After STOP: what is shown, literally; or half of it and then otherwise."""
        if not self.steps() and self.room.view.phase != "illegal":
            self.run(self.put_back(goals[0], plan), plan)
        elif plan.half:
            self.half(plan, goals)
        return self.cope(goals, plan, literal=True)

    def half(self, plan: Plan, goals: list[Position]) -> None:
        """Half of the steps, and then as one knows it was, or on to a legal move."""
        self.figures.add("halves")
        steps = self.steps()
        for step in steps[: max(1, len(steps) // 2)] if len(steps) > 1 else ():
            if self.follow(step, plan, goals):
                break
        guilt = self.guilt
        goal = plan.rng.choice(goals) if plan.rng.random() < 0.5 else goals[0]
        self.room.note("# half of it, and then otherwise")
        self.run(self.put_back(goal, plan), plan)
        self.guilt = guilt


def steps_text(steps: Iterable[Any]) -> str:
    """Steps as people read them: `red 9>5`."""
    return ", ".join(
        f"{getattr(step, 'colour', None) or ''} {step.origin or ''}>{step.target or ''}".strip()
        for step in steps
    )


def slug(text: str) -> str:
    """A name for a file."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:70]
