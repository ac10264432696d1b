"""An evening at the table: choosing, setting up, rolling, moving, putting right, finishing.

This is the turn of things. The board and the hands on it are read in `watching.py` (presence)
and `touching.py` (buttons), the box's own buttons and menu in `box.py`, and what a page or the
menu asks for in `commands.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.referee.box import Box
from companion.referee.commands import Commands
from companion.referee.effects import (
    Ask,
    Effect,
    Keep,
    Line,
    Notice,
    Phase,
    Report,
    Sound,
    Tone,
    View,
)
from companion.referee.match import Match, Past, Record
from companion.referee.menus import DEFAULTS, SENSING, SETTINGS, Choice, text_of
from companion.referee.outlines import Eyes, Step
from companion.referee.stage import PUTTING_RIGHT, Stage
from companion.referee.standing import Standing, sent_home, standing, undoing, ways
from companion.referee.tallies import tallies
from companion.referee.times import Times
from companion.referee.touching import Touch
from companion.referee.watching import Watch
from companion.rules import (
    SHEETS,
    AnyMove,
    Attempt,
    BadInput,
    Board,
    Mat,
    Pass,
    Refusal,
    judge_roll,
)
from companion.rules.boardgame import BoardGame


class Evening:
    """The state between events. `Referee` feeds it and collects what it wants done."""

    def __init__(
        self,
        sensing: str,
        die: str,
        times: Times,
        choice: Mapping[str, Any],
        settings: Mapping[str, Any],
    ) -> None:
        self.now = 0.0
        self.times = times
        self.sensing = sensing
        self.die = die
        self.choice = Choice(**choice)
        self.settings = {**DEFAULTS, **settings}
        self.match: Match | None = None
        self.missing: set[str] = set()
        self.die_rolls = False
        self.stage = Stage()
        self.watch = Watch(self)
        self.touch = Touch(self)
        self.box = Box(self)
        self.commands = Commands(self)
        self._interrupted = (Stage(), self.moved_by)
        self._effects: list[Effect] = []
        self._last_roll: int | None = None
        self._asked_about: Past | None = None
        self._built_sensing = sensing

    # -- what is said ----------------------------------------------------------------------

    def report(self, text: str) -> None:
        self._effects.append(Report(text))

    def keep(self, record: Record) -> None:
        self._effects.append(Keep(record))

    def sound(self, tone: Tone) -> None:
        self._effects.append(Sound(tone))

    def wish(self, wish: str) -> None:
        """Ask the shell around the referee for something."""
        self._effects.append(Ask(wish))

    def say(self, key: str, *places: str) -> None:
        """Show a short word until something else happens."""
        self.stage.notice = Notice(key, places)
        self.sound("notice")

    def taken_effects(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    # -- what the table is -----------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        return self.stage.phase

    @property
    def board(self) -> Board | Mat:
        """The board in play, or the one chosen for the next game."""
        if self.match is not None:
            return self.match.game.board
        return SHEETS[self.choice.sheet].board

    @property
    def eyes(self) -> Eyes | None:
        """The outlines of the board in play; None for the card game."""
        return self.watch.eyes

    @property
    def way_of_sensing(self) -> str:
        """Presence, touch or choose; cards are always pressed, unless nothing is."""
        if self.match is not None and not isinstance(self.match.game, BoardGame):
            return "choose" if self.sensing == "choose" else "touch"
        return self.sensing

    @property
    def watching(self) -> bool:
        """Whether the board can be seen now."""
        return (
            self.way_of_sensing == "presence"
            and self.watch.sensors.known
            and "board" not in self.missing
        )

    @property
    def moved_by(self) -> tuple[str, bool]:
        """What decides how moves are made; if it changes, they have to be asked for anew."""
        return self.way_of_sensing, "board" in self.missing

    @property
    def _chosen(self) -> bool:
        """Whether moves are chosen with the box's buttons."""
        return self.way_of_sensing == "choose" or "board" in self.missing

    @property
    def hand_die(self) -> bool:
        """Whether rolls are entered with the buttons."""
        return self.die == "hand" or "die" in self.missing

    # -- events ----------------------------------------------------------------------------

    def reading(self, place: str, on: bool) -> None:
        if self.way_of_sensing == "presence":
            self.watch.reading(place, on)
        elif self.way_of_sensing == "touch" and on:
            self.touch.pressed(place)

    def snapshot(self, on: Iterable[str]) -> None:
        if self.way_of_sensing == "presence":
            self.watch.snapshot(on)

    def lost(self, device: str) -> None:
        self.missing.add(device)
        if device == "die":
            self.die_rolls = False
        if device == "board":
            self.watch.forget()
            self._board_or_buttons()
        self.sound("notice")

    def found(self, device: str) -> None:
        self.missing.discard(device)
        if device == "board":
            self._board_or_buttons()

    def _board_or_buttons(self) -> None:
        """The board went away or came back: moves are made with the other one from now on."""
        if self.phase in PUTTING_RIGHT and "board" in self.missing:
            self.turn()  # nobody can see any more whether it is put right
        elif self.phase == "setting":
            self.watch.look_at_set_up()
        elif self.phase == "move":
            self.stage.pressed = ()
            self.stage.cursor = 0 if self._chosen else None

    # -- the die ---------------------------------------------------------------------------

    def rolling(self) -> None:
        self.die_rolls = True

    def fumbled(self) -> None:
        self.die_rolls = False
        self.say("fumbled")
        self.sound("fumble")

    def rolled(self, face: int, number: int | None, by: str | None = None) -> None:
        """A settled roll. The same number again is the same roll, told twice."""
        self.die_rolls = False
        if number is not None:
            if number == self._last_roll:
                return
            self._last_roll = number
        if type(face) is not int or face not in range(1, 7):
            self.report(f"the die has no face {face!r}")
            return
        match = self.match
        if match is not None:
            self.box.close_menu()
        if match is None or self.phase in ("idle", "paused", "over"):
            self.say("no_game" if match is None else "not_now")
            return
        if self.phase == "setting":
            self.watch.set_up_done()
            if self.phase == "setting":
                return
        if self.watching:
            self.watch.settle_now()
        if match.over:  # the move that was still to be seen has won
            self.say("not_now")
            return
        if self.stage.title == "won" or (
            self.phase in ("penalty", "restore") and not self.watching and match.face is None
        ):
            self.turn()
        elif self.phase == "illegal" and match.face is None and not self.stage.remedy:
            self.turn()  # only a roll was refused: the board is as it should be
        refusals = judge_roll(match.position, match.face, by)
        if self.phase not in ("opening", "roll") and not refusals:
            refusals = (Refusal("O2", "board_not_right"),)
        if refusals:
            self.refuse(refusals, self.stage.remedy, self.stage.attempt)
            return
        self.keep(match.roll(face, number))
        self.sound("roll")
        self.after_roll()

    def forget_rolls_but(self, number: int | None) -> None:
        """Of the rolls told so far only this one may be told twice: any other is a new one."""
        self._last_roll = number

    def after_roll(self) -> None:
        """A roll lies: moves are offered, or a pass is said with its reason."""
        assert self.match is not None
        match, legal = self.match, self.match.legal
        if len(legal) > 1 or not isinstance(legal[0], Pass):
            self.turn()
            return
        assert match.face is not None
        reasons = match.game.why_pass(match.position, match.face)
        opening = match.position.opening is not None
        self.keep(match.play(legal[0]))
        self.pass_bonus()
        self.turn()
        if not opening:
            self.stage.notice, self.stage.refusals = Notice("no_move"), reasons

    # -- turns -----------------------------------------------------------------------------

    def turn(self) -> None:
        """Show what comes next in the game: a roll, a move, or the end."""
        assert self.match is not None
        match = self.match
        if match.over:
            self.stage = Stage("over")
        elif match.position.opening is not None:
            self.stage = Stage("opening")
        elif match.face is None:
            self.stage = Stage("roll")
        else:
            lines = tuple(Line("move", move=move) for move in match.legal)
            self.stage = Stage("move", lines=lines, cursor=0 if self._chosen else None)
        self.watch.set_scene()

    def accept(self, move: AnyMove) -> None:
        """A legal move has been made: keep it, and say what it brought about."""
        assert self.match is not None
        match = self.match
        placed = len(match.position.places)
        self.keep(match.play(move))
        happened = {happening.what for happening in match.happenings}
        self.pass_bonus()
        self.turn()
        if match.over or len(match.position.places) > placed:
            self.sound("win")
        elif happened & {"captured", "beaten", "penalty", "sent_back"}:
            self.sound("capture")
        else:
            self.sound("accepted")
        if match.penalty is not None:
            self.pay_penalty()
        elif self.watching:
            self.watch.put_right("restore")
        self.ask_to_play_on()

    def pass_bonus(self) -> None:
        """A bonus that no piece can use is lost at once."""
        assert self.match is not None
        match = self.match
        while match.face is not None and isinstance(match.legal[0], Pass):
            told = match.happenings
            self.keep(match.play(match.legal[0]))
            match.happenings = (*told, *match.happenings)

    def ask_to_play_on(self) -> None:
        """Once the board is right after the first win, the others may play for their places."""
        assert self.match is not None
        last, places = self.match.open_move, self.match.position.places
        if last is None or not places or last.position.places or self.phase != "roll":
            return
        if last is not self._asked_about:  # once is enough
            self._asked_about = last
            self.ask("won", (Line("play_on"), Line("end_game")))

    def pay_penalty(self) -> None:
        """The piece goes to its base: watched until it is there, or until OK says so."""
        assert self.match is not None
        if self.watching:
            self.watch.put_right("penalty")
            return
        penalty, game = self.match.penalty, self.match.game
        assert penalty is not None
        if isinstance(game, BoardGame) and not penalty.places[0].endswith(".B"):
            self.guide("penalty", tuple(Step(*way) for way in sent_home(game, [penalty])))

    def amend(self, move: AnyMove) -> None:
        """The last move was meant to be this one."""
        assert self.match is not None
        self.keep(self.match.take_back())
        self.accept(move)

    def moved_back(self) -> None:
        """Hands have moved the last piece back: its move is undone."""
        assert self.match is not None
        self.keep(self.match.take_back())
        self.turn()
        self.say("taken_back")

    def refuse(
        self,
        refusals: tuple[Refusal, ...],
        remedy: tuple[Step, ...] = (),
        attempt: Attempt | None = None,
    ) -> None:
        """Flag what is not allowed. Nothing changes in the game."""
        shown = self.stage
        if (shown.phase, shown.refusals, shown.attempt) == ("illegal", refusals, attempt):
            shown.remedy = remedy
            return
        self.stage = Stage(
            "illegal",
            lines=shown.lines,
            cursor=shown.cursor,
            refusals=refusals,
            remedy=remedy,
            attempt=attempt,
            pressed=shown.pressed,
            taken=shown.taken,
        )
        self.sound("illegal" if self.settings["strictness"] == "strict" else "notice")

    def stands(self) -> Standing | None:
        """How the pieces stand where nobody sees it; None if somebody does, or there are none."""
        match, shown = self.match, self.box.beneath
        if shown.phase == "paused":
            shown = self._interrupted[0]
        if match is None or self.watching or not isinstance(match.game, BoardGame):
            return None
        astray = shown.remedy if shown.phase in PUTTING_RIGHT else ()
        return standing(match.position, (*astray, *(Step(*reversed(one)) for one in shown.taken)))

    def guide_back(self, stands: Standing) -> None:
        """Show what hands have to do where nobody sees how the pieces stand."""
        match = self.match
        if match is None or self.phase not in ("opening", "roll", "move", "penalty"):
            return
        back = ways(stands, match.position, undoing(match.position, match.undone))
        if back:
            self.guide("penalty" if self.phase == "penalty" else "restore", back)

    def guide(self, phase: Phase, remedy: tuple[Step, ...]) -> None:
        """Show what hands have to do until the board is as the game has it."""
        self.stage = replace(self.stage, phase=phase, remedy=remedy)

    def ask(self, title: str, lines: tuple[Line, ...]) -> None:
        """Put a question to the players; up, down and OK answer it."""
        self.stage = Stage("ask", title, lines, cursor=0, notice=self.stage.notice)
        self.sound("notice")

    # -- the game as a whole ---------------------------------------------------------------

    def start(self) -> None:
        """Begin the chosen game: the pieces are set first."""
        fault = self.choice.fault()
        if fault is not None:
            self.say(fault.key)
            return
        if self.match is not None and not self.match.over:
            self.keep(self.match.end())
        self.match = Match(self.choice.game(), self.choice.names)
        self.keep(self.match.started())
        self.watch.new_board(self.match)
        self._set_up()

    def _set_up(self) -> None:
        """The pieces are set before anybody rolls."""
        self.stage = Stage("setting")
        self.watch.look_at_set_up()

    def pause(self) -> None:
        """Stop for a while; a game that is over has nothing to stop."""
        assert self.match is not None
        if self.match.over:
            self.say("not_now")
            return
        if self.box.beneath.phase != "paused":
            self._interrupted = (self.box.beneath, self.moved_by)
        self.stage = Stage("paused")

    def resume_play(self) -> None:
        """Go on after a pause; a move made meanwhile counts."""
        self.box.close_menu()
        if self.phase != "paused":
            return
        before, moved_by = self._interrupted
        unseen = not self.watching and moved_by == self.moved_by
        if before.phase == "setting" or before.title == "won" or unseen:
            self.stage = before  # a look at the board would not tell it again
            self.watch.look(patient=True)
            return
        self.turn()
        self.watch.put_right("restore", moved=True)

    def resume(self, records: Iterable[Record]) -> None:
        """Replay a journal, and go on from there; settings hold though a game may not."""
        kept = list(records)
        for record in kept:
            if record.get("kind") == "settings":
                self._resume_settings(record)
            elif record.get("kind") == "aside" and isinstance(record.get("place"), str):
                aside = self.watch.sensors.aside
                (aside.add if record.get("aside") else aside.discard)(record["place"])
        match = self.match = Match.replay(kept)
        if match is None:
            return
        game = match.game
        seats = tuple(game.colours[seat] for seat in game.seats)
        self.choice = Choice(game.sheet.id, dict(game.options), seats, match.names)
        self._last_roll = match.roll_number
        self.watch.new_board(match)
        if match.untouched:
            self._set_up()
            return
        if match.face is not None and not match.over:
            self.after_roll()
        else:
            self.turn()
            unseen = self.way_of_sensing != "presence" and not match.over
            if match.penalty is not None and unseen:
                self.pay_penalty()  # perhaps it was paid already, but nobody has said so
        self.watch.put_right("restore", moved=True)

    # -- settings --------------------------------------------------------------------------

    def set(self, name: str, value: Any) -> None:
        """Change a setting and keep it."""
        if name not in SETTINGS or value not in SETTINGS[name]:
            allowed = "; ".join(f"{key}: {values}" for key, values in SETTINGS.items())
            raise BadInput(f"cannot set {name!r} to {value!r}: there are {allowed}")
        self.settings = {**self.settings, name: value}
        self._keep_settings()

    def sense_by(self, sensing: str) -> None:
        """Another way of sensing; what the board last said is then an old tale."""
        if sensing != self.sensing:
            self.sensing = sensing
            self.watch.forget()
            self._keep_settings()

    def _keep_settings(self) -> None:
        sensing = {"sensing": self.sensing, "built": self._built_sensing}
        self.keep({"kind": "settings", **self.settings, **sensing})
        self.box.renew_lines()

    def _resume_settings(self, record: Record) -> None:
        """Settings as they were; the way of sensing only while the board is still built so."""
        self.settings |= {k: v for k, v in record.items() if v in SETTINGS.get(k, ())}
        if record.get("built") == self._built_sensing and record.get("sensing") in SENSING:
            self.sensing = record["sensing"]

    def setting_lines(self) -> tuple[Line, ...]:
        """The settings as lines of a menu, the language first."""
        lines = [Line(key, text_of(self.settings[key])) for key in SETTINGS]
        return (*lines, Line("sensing", self.sensing))

    # -- showing ---------------------------------------------------------------------------

    def view(self) -> View:
        match, stage = self.match, self.stage
        return View(
            phase=stage.phase,
            position=match.position if match else None,
            names=match.names if match else self.choice.names,
            face=match.face if match else None,
            legal=match.legal if match and stage.phase not in ("over", "paused") else (),
            lines=stage.lines,
            cursor=-1 if stage.cursor is None else stage.cursor,
            title=stage.title,
            refusals=stage.refusals,
            happenings=match.happenings if match and match.face is None else (),
            last=match.past[-1].move if match and match.past else None,
            remedy=stage.remedy,
            notice=stage.notice,
            provisional=stage.phase == "roll" and match is not None and match.open_move is not None,
            pressed=stage.pressed,
            hand_face=stage.hand_face if self.hand_die else None,
            rolling=self.die_rolls,
            sensing=self.way_of_sensing,
            missing=tuple(sorted(self.missing)),
            aside=tuple(sorted(self.watch.sensors.aside)),
            settings=self.settings,
            page=stage.page,
            tallies=tallies(match) if match and stage.title == "statistics" else (),
        )
