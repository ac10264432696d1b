"""The box: three buttons, the menu they open, and the lines they choose from."""

from typing import TYPE_CHECKING

from companion.referee.effects import Line
from companion.referee.menus import SENSING, SETTINGS, following, lines_between_games, lines_in_game
from companion.referee.ruling import ruled
from companion.referee.stage import Stage
from companion.rules import AnyMove, Attempt, Pass

if TYPE_CHECKING:
    from companion.referee.evening import Evening


class Box:
    """What the buttons do in each phase. The menu covers the stage, and uncovers it again."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self._covered = Stage()
        self._moved_by = ("", False)

    @property
    def beneath(self) -> Stage:
        """What is shown, or would be if the menu were not open."""
        return self._covered if self.evening.phase == "menu" else self.evening.stage

    @property
    def refused(self) -> Attempt | None:
        """What was refused last, also while the menu is open."""
        return self.beneath.attempt

    def can_rule(self) -> bool:
        """Whether what was refused last can be let stand."""
        match, attempt = self.evening.match, self.refused
        return match is not None and attempt is not None and ruled(match, attempt) is not None

    def button(self, button: str, held: bool) -> None:
        if button not in ("up", "down", "ok"):
            self.evening.report(f"no button {button!r}: there are up, down and ok")
        elif button != "ok":
            self._turn(1 if button == "down" else -1)
        elif not held:
            self._ok()
        elif self.evening.phase == "menu":
            self.close_menu()
        else:
            self.open_menu()

    def _turn(self, step: int) -> None:
        """Up and down: the roll to enter, the line to choose, or the page to read."""
        evening, stage = self.evening, self.evening.stage
        if stage.phase in ("opening", "roll") and evening.hand_die:
            stage.hand_face = (stage.hand_face - 1 - step) % 6 + 1
        elif stage.phase not in ("move", "menu", "ask"):
            stage.page = (stage.page or 0) + step
        elif stage.lines:
            start = -1 if stage.cursor is None and step > 0 else stage.cursor or 0
            stage.cursor = (start + step) % len(stage.lines)
            if stage.phase == "menu":
                stage.notice = None

    # -- OK --------------------------------------------------------------------------------

    def _ok(self) -> None:
        evening, phase = self.evening, self.evening.phase
        if phase in ("idle", "over"):
            self.open_menu()
        elif phase in ("menu", "ask"):
            self._take(evening.stage.lines[evening.stage.cursor or 0])
        elif phase == "setting":
            evening.watch.set_up_done()
        elif phase in ("opening", "roll") and evening.hand_die:
            evening.rolled(evening.stage.hand_face, None)
        elif phase in ("opening", "roll"):
            evening.say("roll_the_die")
        elif phase == "move":
            self.said_moved()
        elif phase == "paused":
            evening.resume_play()
        else:
            self.said_right()

    def said_right(self) -> None:
        """Somebody says that what was to put right is right; a board that is watched decides."""
        evening = self.evening
        if evening.phase == "illegal":
            self._ok_to_refusal()
        elif evening.watching:
            evening.watch.settle_now()
        else:
            evening.turn()

    def said_moved(self) -> None:
        """The move under the cursor, or «I have moved» where that could not be seen.

        A press on the board that was a mistake is let go of first.
        """
        evening, stage = self.evening, self.evening.stage
        if stage.line is not None:
            self._take(stage.line)
            return
        if stage.pressed:
            stage.pressed = ()
            evening.say("let_go")
            return
        hidden = evening.watch.hidden() if evening.watching else ()
        passes = tuple(line.move for line in stage.lines if isinstance(line.move, Pass))
        if len(hidden) == 1 and not passes:
            evening.accept(hidden[0])
        elif hidden or passes:
            found = tuple(Line("move", move=move) for move in (*hidden, *passes))
            evening.ask("which_move", found if hidden else stage.lines)
        else:
            stage.cursor = 0
            evening.say("choose")

    def _ok_to_refusal(self) -> None:
        """I have seen it. It stays as long as the board is not right.

        A gentle referee only advises: there OK lets it stand, recorded as a ruling.
        """
        evening = self.evening
        if evening.settings["strictness"] == "gentle" and self.can_rule():
            evening.commands.ruling()
            return
        if evening.watching:
            evening.watch.settle_now()
            if evening.phase != "illegal":
                return
            if evening.watch.is_wrong():
                evening.say("put_it_right")
                return
        evening.turn()

    def _take(self, line: Line) -> None:
        """OK on a line of a menu or a question."""
        evening = self.evening
        kind, _, name = line.key.partition(":")
        if kind == "move":
            assert line.move is not None
            self.choose(line.move)
        elif kind in ("sheet", "option", "seat"):
            evening.choice = evening.choice.turned(line.key)
            self.renew_lines()
        elif kind in SETTINGS:
            evening.set(kind, following(SETTINGS[kind], evening.settings[kind]))
        elif kind == "sensing":
            evening.sense_by(following(SENSING, evening.sensing))
        elif kind in ("settings", "statistics", "new_game"):
            self.open_menu(kind)
        elif kind == "back":
            self.leave_menu()
        else:
            evening.commands.do(kind, {"place": name} if name else {})

    def choose(self, move: AnyMove) -> None:
        """A legal move picked from a list; where the board is watched, pieces may follow."""
        evening = self.evening
        assert evening.match is not None
        if move in evening.match.legal:
            evening.accept(move)
        elif move in evening.match.amendments():
            evening.amend(move)
        else:
            evening.say("not_now")

    # -- the menu --------------------------------------------------------------------------

    def open_menu(self, title: str = "menu") -> None:
        """Open the menu, or one of the menus inside it."""
        if self.evening.phase != "menu":
            self._covered = self.evening.stage
            self._moved_by = self.evening.moved_by
        self.evening.stage = Stage("menu", title, cursor=0)
        self.renew_lines()

    def leave_menu(self) -> None:
        """Back: from a menu inside the menu to the menu, and from there to the game."""
        stage = self.evening.stage
        if stage.phase == "menu" and stage.title != "menu":
            inner = stage.title
            self.open_menu()
            keys = [line.key for line in self.evening.stage.lines]
            self.evening.stage.cursor = keys.index(inner) if inner in keys else 0
        else:
            self.close_menu()

    def close_menu(self) -> None:
        """Back to where the menu was opened from; the board is looked at anew."""
        evening = self.evening
        if evening.phase != "menu":
            return
        stage = evening.stage = self._covered
        if stage.phase == "setting":
            evening.watch.look_at_set_up()
        elif stage.phase not in ("idle", "paused", "over"):
            if self._moved_by != evening.moved_by:
                evening.turn()
            evening.watch.look(patient=True)

    def renew_lines(self) -> None:
        """Write the open menu's lines anew: something it shows has changed."""
        stage = self.evening.stage
        if stage.phase == "menu":
            line = stage.line
            stage.lines = self._lines(stage.title)
            stage.cursor = _same_line(stage.lines, line, stage.cursor or 0)

    def _lines(self, title: str) -> tuple[Line, ...]:
        evening, match = self.evening, self.evening.match
        if title == "settings":
            return (*evening.setting_lines(), Line("back"))
        if title == "statistics":
            return (Line("back"),)
        if title == "new_game":
            return (Line("start"), *evening.choice.lines(), Line("back"))
        if match is None or match.over:
            return lines_between_games(
                evening.choice,
                evening.setting_lines()[0],
                played=match is not None,
                undo=match is not None and match.can_take_back() and not match.ended,
            )
        entered = evening.hand_die and match.can_undo_roll()
        return lines_in_game(
            undo=match.can_take_back() or entered,
            rule=self.can_rule(),
            doubtful=evening.watch.doubtful(),
            aside=sorted(evening.watch.sensors.aside),
        )


def _same_line(lines: tuple[Line, ...], line: Line | None, cursor: int) -> int:
    """Where a line has gone among new ones, or one near by if it is there no more."""
    keys = [one.key for one in lines]
    if line is not None and line.key in keys:
        return keys.index(line.key)
    return min(cursor, len(lines) - 1)
