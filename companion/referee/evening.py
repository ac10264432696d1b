"""An evening at the table: choosing, setting up, rolling, moving, putting right, finishing.

The board and the hands on it are read in `watching.py` (presence) and `touching.py` (buttons);
this is the turn of things between them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.referee.effects import (
    Ask,
    Effect,
    Keep,
    Light,
    Line,
    Notice,
    Phase,
    Report,
    Sound,
    Tone,
    View,
)
from companion.referee.match import Match, Record
from companion.referee.menus import (
    DEFAULTS,
    SENSING,
    SETTINGS,
    Choice,
    following,
    playable,
    text_of,
)
from companion.referee.outlines import Eyes, Step
from companion.referee.ruling import ruled
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
    Lay,
    Mat,
    Move,
    Pass,
    Refusal,
    judge_roll,
)
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE
from companion.rules.cards import stack_name


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
        self.phase: Phase = "idle"
        self.missing: set[str] = set()
        self.notice: Notice | None = None
        self.watch = Watch(self)
        self.touch = Touch(self)
        self.clear()
        self._effects: list[Effect] = []
        self._last_roll: int | None = None

    # -- what is said ----------------------------------------------------------------------

    def report(self, text: str) -> None:
        self._effects.append(Report(text))

    def keep(self, record: Record) -> None:
        self._effects.append(Keep(record))

    def sound(self, tone: Tone) -> None:
        self._effects.append(Sound(tone))

    def say(self, key: str, *places: str) -> None:
        """Show a short word until something else happens."""
        self.notice = Notice(key, places)
        self.sound("notice")

    def taken_effects(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    def clear(self) -> None:
        """Forget what was asked, refused or said."""
        self.refusals: tuple[Refusal, ...] = ()
        self.remedy: tuple[Step, ...] = ()
        self.notice = None
        self.lines: tuple[Line, ...] = ()
        self.cursor: int | None = None
        self.title = ""
        self.page: int | None = None
        self.attempt: Attempt | None = None
        self.hand_face = 1
        self.is_rolling = False
        self.before_menu: Phase | None = None

    # -- what the table is -----------------------------------------------------------------

    @property
    def board(self) -> Board | Mat | None:
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

    def due(self) -> None:
        self.watch.due()

    def deadline(self) -> float | None:
        return self.watch.deadline()

    def lost(self, device: str) -> None:
        self.missing.add(device)
        if device == "die":
            self.is_rolling = False
        if device == "board":
            self.watch.forget()
            if self.phase in ("illegal", "restore", "penalty"):
                self.turn()  # nobody can see any more whether it is put right
            elif self.phase == "move" and self.cursor is None:
                self.cursor = 0
        self.sound("notice")

    def found(self, device: str) -> None:
        self.missing.discard(device)

    # -- the die ---------------------------------------------------------------------------

    def rolling(self) -> None:
        self.is_rolling = True

    def fumbled(self) -> None:
        self.is_rolling = False
        self.say("fumbled")
        self.sound("fumble")

    def rolled(self, face: int, number: int | None, by: str | None = None) -> None:
        """A settled roll. The same number again is the same roll, told twice."""
        self.is_rolling = False
        if number is not None and number == self._last_roll:
            return
        self._last_roll = number
        if type(face) is not int or face not in range(1, 7):
            self.report(f"the die has no face {face!r}")
            return
        match = self.match
        if self.phase == "menu" and match is not None:
            self.close_menu()
        if match is None or self.phase in ("idle", "menu", "paused", "over"):
            self.say("no_game" if match is None else "not_now")
            return
        if self.phase == "setting":
            self.watch.set_up_done()
            if self.phase == "setting":
                return
        if self.watching:
            self.watch.settle_now()
        if self.title == "won" or (self.phase == "penalty" and not self.watching):
            self.turn()
        refusals = judge_roll(match.position, match.face, by)
        if self.phase not in ("opening", "roll") and not refusals:
            refusals = (Refusal("O2", "board_not_right"),)
        if refusals:
            self.refuse(refusals, self.remedy)
            return
        self.keep(match.roll(face, number))
        self.sound("roll")
        self.after_roll()

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
        self.turn()
        if not opening:
            self.notice, self.refusals = Notice("no_move"), reasons

    # -- turns -----------------------------------------------------------------------------

    def turn(self) -> None:
        """Show what comes next in the game: a roll, a move, or the end."""
        assert self.match is not None
        match = self.match
        self.clear()
        self.touch.forget()
        if match.over:
            self.phase = "over"
        elif match.position.opening is not None:
            self.phase = "opening"
        elif match.face is None:
            self.phase = "roll"
        else:
            self.phase = "move"
            self.offer(match.legal)
        self.watch.set_scene()

    def offer(self, moves: Iterable[AnyMove]) -> None:
        """List moves to choose from; the cursor shows where buttons do the choosing."""
        self.lines = tuple(Line("move", move=move) for move in moves)
        if self.way_of_sensing == "choose" or "board" in self.missing:
            self.cursor = 0

    def accept(self, move: AnyMove) -> None:
        """A legal move has been made: keep it, and say what it brought about."""
        assert self.match is not None
        match = self.match
        placed = len(match.position.places)
        self.keep(match.play(move))
        happened = {happening.what for happening in match.happenings}
        self.turn()
        if match.over or len(match.position.places) > placed:
            self.sound("win")
        elif happened & {"captured", "beaten", "penalty", "sent_back"}:
            self.sound("capture")
        else:
            self.sound("accepted")
        if "penalty" in happened:
            self.pay_penalty()
        elif self.watching:
            self.watch.put_right("restore")
        if len(match.position.places) > placed == 0 and not match.over and self.phase == "roll":
            self.ask("won", (Line("play_on"), Line("end_game")))

    def pay_penalty(self) -> None:
        """The piece goes to its base: watched until it is there, or until OK says so."""
        assert self.match is not None
        if self.watching:
            self.watch.put_right("penalty")
            return
        penalty = next(h for h in self.match.happenings if h.what == "penalty")
        game = self.match.game
        if isinstance(game, BoardGame) and not penalty.places[0].endswith(".B"):
            self.phase = "penalty"
            self.remedy = (Step(penalty.places[0], game.spot(penalty.seat, BASE)),)

    def amend(self, move: AnyMove) -> None:
        """The last move was meant to be this one."""
        assert self.match is not None
        self.keep(self.match.take_back())
        self.accept(move)

    def take_back(self) -> None:
        """The last move is undone: by moving it back, or from the menu."""
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
        if self.phase == "illegal" and refusals == self.refusals:
            self.remedy = remedy
            return
        lines, cursor = self.lines, self.cursor
        self.clear()
        self.phase = "illegal"
        self.refusals, self.remedy, self.attempt = refusals, remedy, attempt
        self.lines, self.cursor = lines, cursor
        self.sound("illegal" if self.settings["strictness"] == "strict" else "notice")

    def ask(self, title: str, lines: tuple[Line, ...]) -> None:
        """Put a question to the players; up, down and OK answer it."""
        self.phase, self.title, self.lines, self.cursor = "ask", title, lines, 0
        self.refusals, self.remedy = (), ()
        self.sound("notice")

    # -- the box's buttons -----------------------------------------------------------------

    def button(self, button: str, held: bool) -> None:
        if button not in ("up", "down", "ok"):
            self.report(f"no button {button!r}: there are up, down and ok")
        elif button == "ok":
            (self.hold_ok if held else self.press_ok)()
        else:
            self.turn_cursor(1 if button == "down" else -1)

    def turn_cursor(self, step: int) -> None:
        if self.phase in ("opening", "roll") and self.hand_die:
            self.hand_face = (self.hand_face - 1 - step) % 6 + 1
        elif self.phase not in ("move", "menu", "ask"):
            self.page = (self.page or 0) + step
        elif self.lines:
            start = -1 if self.cursor is None and step > 0 else self.cursor or 0
            self.cursor = (start + step) % len(self.lines)
            if self.phase == "menu":
                self.notice = None

    def press_ok(self) -> None:
        if self.phase == "idle":
            self.open_menu()
        elif self.phase in ("menu", "ask"):
            self.take_line(self.lines[self.cursor or 0])
        elif self.phase == "setting":
            self.watch.set_up_done()
        elif self.phase in ("opening", "roll") and self.hand_die:
            self.rolled(self.hand_face, None)
        elif self.phase == "move":
            self.ok_to_move()
        elif self.phase == "illegal":
            self.ok_to_refusal()
        elif self.phase in ("restore", "penalty"):
            if self.watching:
                self.watch.settle_now()
            else:
                self.turn()
        elif self.phase == "paused":
            self.resume_play()
        elif self.phase == "over":
            self.open_menu()
        elif self.phase in ("opening", "roll"):
            self.say("roll_the_die")

    def ok_to_move(self) -> None:
        """OK: the move under the cursor, or «I have moved» where that could not be seen."""
        if self.cursor is not None:
            self.take_line(self.lines[self.cursor])
            return
        hidden = self.watch.hidden() if self.watching else ()
        passes = tuple(line.move for line in self.lines if isinstance(line.move, Pass))
        if len(hidden) == 1 and not passes:
            self.accept(hidden[0])
        elif hidden or passes:
            found = tuple(Line("move", move=move) for move in (*hidden, *passes) if move)
            self.ask("which_move", found if hidden else self.lines)
        else:
            self.cursor = 0
            self.say("choose")

    def ok_to_refusal(self) -> None:
        """OK: I have seen it. It stays as long as the board is not right.

        A gentle referee only advises: there OK lets it stand, recorded as a ruling.
        """
        if self.settings["strictness"] == "gentle" and self.attempt is not None:
            self.command_ruling()
            return
        if self.watching:
            self.watch.settle_now()
            if self.phase != "illegal":
                return
            if self.watch.is_wrong():
                self.say("put_it_right")
                return
        self.turn()

    def take_line(self, line: Line) -> None:
        """OK on a line of a menu or a question."""
        kind, _, name = line.key.partition(":")
        if kind == "move":
            assert line.move is not None
            self.choose(line.move)
        elif kind in ("sheet", "option", "seat"):
            self.choice = self.choice.turned(line.key)
            self.lines = self.menu_lines()
        elif kind in SETTINGS:
            self.set(kind, following(SETTINGS[kind], self.settings[kind]))
        elif kind == "sensing":
            self.sense_by(following(SENSING, self.sensing))
            self.lines = self.menu_lines()
        elif kind in ("settings", "statistics", "new_game"):
            self.open_menu(kind)
        elif kind == "back":
            self.leave_menu()
        else:
            self.command(kind, {"place": name} if name else {})

    def choose(self, move: AnyMove) -> None:
        """A legal move picked from a list; where the board is watched, pieces may follow."""
        assert self.match is not None
        if move in self.match.legal:
            self.accept(move)
        elif move in self.watch.amendments():
            self.amend(move)
        else:
            self.say("not_now")

    def hold_ok(self) -> None:
        if self.phase == "menu":
            self.close_menu()
        else:
            self.open_menu()

    # -- menus -----------------------------------------------------------------------------

    def open_menu(self, title: str = "menu") -> None:
        """Open the menu, or one of the menus inside it."""
        if self.phase != "menu":
            self.before_menu = self.phase
        self.phase, self.title, self.notice = "menu", title, None
        self.lines = self.menu_lines()
        self.cursor = 0

    def leave_menu(self) -> None:
        """Back: from a menu inside the menu to the menu, and from there to the game."""
        if self.phase == "menu" and self.title != "menu":
            inner = self.title
            self.open_menu()
            keys = [line.key for line in self.lines]
            self.cursor = keys.index(inner) if inner in keys else 0
        else:
            self.close_menu()

    def close_menu(self) -> None:
        """Back to where the menu was opened from."""
        if self.phase != "menu":
            return
        before = self.before_menu
        if before in ("idle", "over", "paused") or before is None or self.match is None:
            self.clear()
            self.phase = before or "idle"
        elif before == "setting":
            self.clear()
            self.phase = before
            self.watch.look_at_set_up()
        else:
            self.turn()
            if before in ("restore", "penalty"):
                self.watch.put_right(before)
            self.watch.look_again()

    def menu_lines(self) -> tuple[Line, ...]:
        """The lines of the menu that is open."""
        settings = [Line(key, text_of(self.settings[key])) for key in SETTINGS]
        settings.append(Line("sensing", self.sensing))
        if self.title == "settings":
            return (*settings, Line("back"))
        if self.title == "statistics":
            return (Line("back"),)
        if self.title == "new_game":
            return (Line("start"), *self.choice.lines(), Line("back"))
        if self.match is None or self.match.over:
            return self.menu_between_games(settings[0])
        return self.menu_in_game()

    def menu_between_games(self, language: Line) -> tuple[Line, ...]:
        found = [Line("start"), *self.choice.lines(), language, Line("settings")]
        if self.match is not None:
            found.append(Line("statistics"))
            if self.match.can_take_back() and not self.match.ended:
                found.append(Line("take_back"))
        return (*found, Line("shut_down"), Line("back"))

    def menu_in_game(self) -> tuple[Line, ...]:
        assert self.match is not None
        found = [Line("back")]
        if self.attempt is not None and ruled(self.match, self.attempt) is not None:
            found.append(Line("ruling"))
        entered = self.hand_die and self.match.face is not None
        if self.match.can_take_back() or entered:
            found.append(Line("take_back"))
        found += [Line(f"set_aside:{place}", place) for place in self.watch.doubtful()]
        found += [Line(f"use_again:{place}", place) for place in sorted(self.watch.sensors.aside)]
        found += [Line("statistics"), Line("settings"), Line("pause")]
        return (*found, Line("new_game"), Line("end_game"), Line("shut_down"))

    def set(self, name: str, value: Any) -> None:
        """Change a setting and keep it."""
        if name not in SETTINGS or value not in SETTINGS[name]:
            allowed = "; ".join(f"{key}: {values}" for key, values in SETTINGS.items())
            raise BadInput(f"cannot set {name!r} to {value!r}: there are {allowed}")
        self.settings = {**self.settings, name: value}
        self.keep({"kind": "settings", **self.settings})
        if self.phase == "menu":
            self.lines = self.menu_lines()

    def sense_by(self, sensing: str) -> None:
        """Another way of sensing; what the board last said is then an old tale."""
        if sensing != self.sensing:
            self.sensing = sensing
            self.watch.forget()

    # -- commands, from the menu, the page or the command line -----------------------------

    def command(self, name: str, args: dict[str, Any]) -> None:
        take = {
            "new_game": self.new_game,
            "start": self.start,
            "take_back": self.command_take_back,
            "ruling": self.command_ruling,
            "pause": self.pause,
            "resume": self.resume_play,
            "end_game": self.end_game,
            "play_on": self.turn,
            "back": self.close_menu,
            "set_aside": self.set_aside,
            "use_again": self.use_again,
            "set": self.set,
            "roll": self.command_roll,
            "move": self.command_move,
            "go_on": self.go_on,
            "menu": self.open_menu,
            "shut_down": lambda: self._effects.append(Ask("shut_down")),
        }.get(name)
        if take is None:
            raise BadInput(f"unknown command {name!r}")
        needs_game = name not in ("new_game", "start", "set", "menu", "back", "shut_down", "roll")
        if needs_game and self.match is None:
            self.say("no_game")
            return
        try:
            take(**args)  # type: ignore[operator]
        except (TypeError, ValueError) as error:
            raise BadInput(f"command {name!r} does not take {args}: {error}") from None

    def new_game(
        self,
        sheet: str,
        options: Mapping[str, bool | int] | None = None,
        seats: Iterable[str] | None = None,
        names: Mapping[str, str] | None = None,
        sensing: str | None = None,
    ) -> None:
        """Start a game from the page: everything chosen at once."""
        if sensing is not None and sensing not in SENSING:
            raise BadInput(f"unknown sensing {sensing!r}: choose from {', '.join(SENSING)}")
        chosen = Choice(
            sheet,
            dict(options or {}),
            tuple(seats) if seats is not None else None,
            dict(names or {}),
        )
        chosen.game()
        self.choice = chosen
        self.sense_by(sensing or self.sensing)
        self.start()

    def start(self) -> None:
        """Begin the chosen game: the pieces are set first."""
        fault = playable(self.choice)
        if fault is not None:
            self.report(fault)
            self.say("cannot_play_so")
            return
        if self.match is not None and not self.match.over:
            self.keep(self.match.end())
        self.match = Match(self.choice.game(), self.choice.names)
        self.keep(self.match.started())
        self.clear()
        self.touch.forget()
        self.phase = "setting"
        self.watch.new_board(self.match)
        self.watch.look_at_set_up()

    def go_on(self) -> None:
        """The pieces are set, say the players."""
        if self.phase == "setting":
            self.watch.set_up_done()

    def command_take_back(self) -> None:
        assert self.match is not None
        if self.hand_die and self.take_back_roll():
            return
        if not self.match.can_take_back() or self.match.ended:
            self.turn()
            self.say("nothing_to_take_back")
            return
        for record in self.match.take_back_a_move():
            self.keep(record)
        self.turn()
        self.notice = Notice("taken_back")
        self.watch.put_right("restore")

    def take_back_roll(self) -> bool:
        """A roll entered by hand may have been a slip: first of all that is undone."""
        assert self.match is not None
        match = self.match
        if match.face is None and match.position.opening is not None and match.past:
            self.keep(match.take_back())
        if match.face is None:
            return False
        self.keep(match.unroll())
        self.turn()
        self.notice = Notice("taken_back")
        return True

    def command_ruling(self) -> None:
        """Let it stand: a house ruling, kept as such."""
        assert self.match is not None
        after = ruled(self.match, self.attempt) if self.attempt is not None else None
        if after is None:
            self.say("cannot_rule")
            return
        self.keep(self.match.rule(after))
        self.turn()
        self.notice = Notice("ruled")
        self.watch.put_right("restore")

    def pause(self) -> None:
        self.clear()
        self.phase = "paused"

    def resume_play(self) -> None:
        if self.match is not None and self.phase in ("paused", "menu"):
            self.turn()
            self.watch.put_right("restore", moved=True)

    def end_game(self) -> None:
        assert self.match is not None
        if not self.match.over:
            self.keep(self.match.end())
        self.turn()

    def set_aside(self, place: str) -> None:
        """Do without a sensor; OK and choosing stand in for it."""
        self.watch.set_aside(place)
        self.back_to_game()

    def use_again(self, place: str) -> None:
        self.watch.use_again(place)
        self.back_to_game()

    def back_to_game(self) -> None:
        if self.phase == "menu":
            self.close_menu()
        self.watch.settle_now()

    def command_roll(self, face: int, by: str | None = None) -> None:
        """A roll from the page's die, or entered for a real one."""
        self.rolled(face, None, by)

    def command_move(self, move: str) -> None:
        """A legal move named in words, as the game record writes it."""
        assert self.match is not None
        if not isinstance(move, str):
            raise BadInput(f"a move is named in words, for instance `yellow 4 5>9`, not {move!r}")
        if self.phase in ("move", "ask", "illegal"):
            self.choose(self.match.game.move(move))
        else:
            self.say("not_now")

    # -- resuming --------------------------------------------------------------------------

    def resume(self, records: Iterable[Record]) -> None:
        """Replay a journal, and go on from there."""
        kept = list(records)
        for record in kept:
            if record["kind"] == "settings":
                self.settings |= {k: v for k, v in record.items() if k in SETTINGS}
            elif record["kind"] == "aside":
                aside = self.watch.sensors.aside
                (aside.add if record["aside"] else aside.discard)(record["place"])
        self.match = Match.replay(kept)
        if self.match is None:
            return
        game = self.match.game
        seats = tuple(game.colours[seat] for seat in game.seats)
        self.choice = Choice(game.sheet.id, dict(game.options), seats, self.match.names)
        self._last_roll = self.match.roll_number
        self.watch.new_board(self.match)
        if self.match.over:
            self.turn()
            return
        if self.match.face is not None:
            self.after_roll()
        else:
            self.turn()
        self.watch.put_right("restore", moved=True)

    # -- showing ---------------------------------------------------------------------------

    def view(self) -> View:
        match = self.match
        return View(
            phase=self.phase,
            position=match.position if match else None,
            names=match.names if match else self.choice.names,
            face=match.face if match else None,
            legal=match.legal if match and self.phase not in ("over", "paused") else (),
            lines=self.lines,
            cursor=-1 if self.cursor is None else self.cursor,
            title=self.title,
            refusals=self.refusals,
            happenings=match.happenings if match and match.face is None else (),
            last=match.past[-1].move if match and match.past else None,
            remedy=self.remedy,
            notice=self.notice,
            provisional=self.phase == "roll" and self.watch.can_amend(),
            pressed=self.touch.places,
            hand_face=self.hand_face if self.hand_die else None,
            rolling=self.is_rolling,
            sensing=self.way_of_sensing,
            missing=tuple(sorted(self.missing)),
            aside=tuple(sorted(self.watch.sensors.aside)),
            settings=self.settings,
            page=self.page,
            tallies=tallies(match) if match and self.title == "statistics" else (),
        )

    def light(self, view: View) -> Light:
        """Which places and lamps to light for a view."""
        places: dict[str, str] = {}
        if view.phase == "move" and self.match is not None:
            for move in view.legal:
                places |= dict(zip(self.stops(move), ("blink", "on"), strict=False))
        elif view.phase in ("illegal", "restore", "penalty", "setting"):
            for step in view.remedy:
                for spot in step:
                    if spot is not None:
                        places[spot] = "fast"
        return Light(places, good=view.phase in ("roll", "opening"), bad=view.phase == "illegal")

    def stops(self, move: AnyMove) -> tuple[str, ...]:
        """The places a move is about."""
        assert self.match is not None
        game = self.match.game
        if isinstance(move, Move) and isinstance(game, BoardGame):
            return game.stops(move)
        if isinstance(move, Lay):
            return tuple(stack_name(game, move.seat, stack) for stack in move.stacks)
        return ()
