"""One game in the making: the truth, the table, the box, and what is counted and kept of it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from companion.events import Event
from companion.referee import Effect
from companion.rules import (
    SHEETS,
    AnyMove,
    BadInput,
    Game,
    Pass,
    Position,
    game,
    legal_moves,
    play,
)
from tests.people.acts import Act, Mark
from tests.people.figures import Figures
from tests.people.plans import Plan, Rates, draw
from tests.people.room import Room, script_of
from tests.people.table import AnyTable

BOARD_SHEETS = tuple(name for name in SHEETS if name != "cards")
STEPS_SHOWN = ("illegal", "restore", "penalty")
GRACE = 1.0
"""Seconds: a STOP that comes this soon after a wrong piece went on is still about that piece."""

Save = Callable[[str, str, Callable[[], str]], None]
"""Keeps a script of a kind of fault; the text is made only if it is wanted."""


class StuckError(Exception):
    """People gave up: the box is set up again as the game really stands."""


def played(position: Position, move: AnyMove) -> Position:
    """Where a move leads: squares that are owed and that nobody can use are passed at once."""
    return [play(position, move), *(play(*lost) for lost in lost_squares(position, move))][-1]


def lost_squares(position: Position, move: AnyMove) -> Iterator[tuple[Position, AnyMove]]:
    """What a move earns and nobody can use: where it is owed, and the pass that it ends with."""
    here = play(position, move)
    while here.due is not None and isinstance(passing := legal_moves(here, here.due)[0], Pass):
        yield here, passing
        here = play(here, passing)


def any_game(rng: Random, sheet: str | None = None, seats: int | None = None) -> Game:
    """Any sheet that is played on a board, any options, two to four seats.

    A sheet with rules (`british+bounce`) is played by these.
    """
    while True:
        try:
            return _some_game(rng, sheet, seats)
        except BadInput:  # options that so many players cannot have
            continue


def _some_game(rng: Random, sheet: str | None, seats: int | None) -> Game:
    name, *rules = (sheet or rng.choice(BOARD_SHEETS)).split("+")
    chosen = SHEETS[name]
    many = seats or rng.choice((2, 3, 4))
    colours = sorted(rng.sample(chosen.board.colours, many), key=chosen.board.colours.index)
    if rules:
        return game(name, rules, colours)
    options = {
        option.name: rng.choice(option.allowed) if rng.random() < 0.35 else option.default
        for option in chosen.options
    }
    if options.get("two_colours_each") and many == 2:
        colours = list(chosen.board.colours[:2])
    return game(chosen.id, options, colours)


class Sitting:
    """The state of a game at a table, and how it is watched, be it with pieces or with cards."""

    game: Game
    table: AnyTable

    def __init__(
        self,
        seed: str,
        rates: Rates,
        figures: Figures,
        sensing: str = "presence",
        save: Save = lambda section, kind, script: None,
        sheet: str | None = None,
        seats: int | None = None,
        box: int = 0,
    ) -> None:
        self.seed, self.rates, self.figures, self.save = seed, rates, figures, save
        self.sensing = sensing
        rng = Random(f"{seed} game")
        self.game = any_game(rng, sheet, seats)
        self.table = self.lay_table()
        self.phase, self.hinted = "idle", False
        self.guilt, self.guilt_over, self.guilt_before = "", -9.0, ""
        self.doing = "nothing"
        self.stopped_at: float | None = None
        self.turns = 0
        self.stop_said: set[tuple[str | None, str | None]] = set()
        """From where to where pieces should go back when the box last said STOP."""
        self.slipped = False
        """Whether fingers pressed and carried nothing, since the table was known to be right."""
        self.plan = draw(f"{seed} 0", rates)
        self.cuts = Random(f"{seed} 0 cuts")
        """What people do about cable and power; apart, so that all else stays as it was."""
        self.goes_on = False
        """Whether people go on with the box's buttons while the cable is out."""
        self.knew = False
        """Whether the box wanted something put right when the cable came out."""
        self.room = Room(self.table, sensing, rng, self.watch, rates["bounce"], rates["loss"])
        self.room.on_cut, self.room.on_found = self.cut, self.plugged
        taken = [self.game.colours[seat] for seat in self.game.seats]
        self.room.box = dict.fromkeys(rng.sample(taken, min(box, len(taken) - 1)), "fox")
        self.truth = self.game.start()
        self.table.set_up(self.truth)
        self.window: list[tuple[int, float, str]] = []

    def lay_table(self) -> AnyTable:
        """What the game is played with, before anybody has touched it."""
        raise NotImplementedError

    # -- what the box shows ----------------------------------------------------------------

    def watch(self, effects: Sequence[Effect]) -> None:
        """The box did something: count STOPs, questions and hints."""
        if not effects:
            return
        view = self.room.view
        hint: tuple[Any, ...] = getattr(view, "hint", ())
        if hint and not self.hinted:
            self.figures.add("hints", self.cause())
            self.room.note(f"# the box hints: {steps_text(hint)}")
        self.hinted = bool(hint)
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

    def steps(self) -> tuple[Any, ...]:
        """What the box wants done with the pieces, aloud or as a hint."""
        view = self.room.view
        hint: tuple[Any, ...] = getattr(view, "hint", ())
        return view.remedy if view.phase in STEPS_SHOWN else hint

    def cut(self, kind: str) -> None:
        """Cable or power go out."""
        self.knew = kind == "cable" and bool(self.steps())
        self.figures.add("cuts", f"{kind}: {self.guilt or self.doing}")

    def plugged(self) -> None:
        """The cable is in again; what was to put right still is, unless somebody said done."""
        if self.knew and not self.steps() and self.sensing == "touch" and not self.goes_on:
            self.fault("wrong_remedy", f"forgotten without the cable: {self.guilt or self.doing}")
        self.knew = False

    def stopped(self, view: Any) -> None:
        """A red alarm: was there a reason?"""
        self.figures.add("stops")
        if self.stopped_at is None:
            self.stopped_at = self.room.now
        self.stop_said = {(step.origin, step.target) for step in view.remedy}
        guilt = self.guilt
        if not guilt and self.room.now - self.guilt_over < GRACE:
            guilt = self.guilt_before
        said = " ".join(f"{refusal.clause} {refusal.slip}" for refusal in view.refusals)
        self.room.note(
            f"# STOP ({guilt or 'undeserved, ' + self.cause()}): {said}; {steps_text(view.remedy)}"
        )
        if guilt:
            self.figures.add("deserved", guilt)
        elif self.looks_illegal(view):
            self.fault("apart", f"an illegal act looks the same: {self.cause()}")
        else:
            self.figures.add("undeserved", self.cause())
            self.keep("undeserved", self.cause())

    def looks_illegal(self, view: Any) -> bool:
        """Whether the readings speak for an illegal act, whatever really happened."""
        return False

    def cause(self) -> str:
        """What is going on, for whoever wants to know why the box spoke."""
        return self.is_cut() or self.doing

    def is_cut(self) -> str:
        """Whether cable or power are out, or were in this turn."""
        if not self.room.cable or not self.room.power:
            return "cable or power out"
        if self.plan.cut and not self.room.cut_kind:
            return f"after {self.plan.cut} out"
        return ""

    def guilty(self, what: str) -> None:
        """Something illegal begins, or ('') is over."""
        if self.guilt and not what:
            self.guilt_over, self.guilt_before = self.room.now, self.guilt
        self.guilt = what

    # -- time ------------------------------------------------------------------------------

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

    # -- traces ----------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """The table is known to be right."""
        self.room.readings.clear()
        self.slipped = self.knew = self.room.missed = self.room.rebooted = False

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

        def script() -> str:
            first, began, start = self.window[0] if self.window else (0, 0.0, "")
            log: list[tuple[float, Event | str]] = [
                (began - 1.0, line) for line in start.splitlines()
            ]
            log += self.room.log[first:]
            log.append((self.room.now, f"# {self.state_text()}"))
            heading = f"{section}: {kind} (seed {self.seed}, turn {self.turns})"
            return script_of(log, self.sensing, began - 1.0, heading)

        self.save(section, kind, script)

    def state_text(self) -> str:
        """How box, game and table stand, for whoever reads a kept script."""
        view = self.room.view
        return (
            f"phase {view.phase}, {steps_text(view.remedy)}, box {view.position}; "
            f"truth {self.truth}; {self.table.astray(self.truth)}"
        )

    def fault(self, section: str, kind: str) -> None:
        self.figures.add(section, kind)
        self.room.note(f"# FAULT: {section}: {kind}")
        self.keep(section, kind)


def steps_text(steps: Iterable[Any]) -> str:
    """Steps as people read them: `red 9>5`."""
    return ", ".join(
        f"{getattr(step, 'colour', None) or ''} {step.origin or ''}>{step.target or ''}".strip()
        for step in steps
    )


def slug(text: str) -> str:
    """A name for a file."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:110]
