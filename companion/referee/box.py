"""The box: three buttons, the menu they open, and the lines they choose from.

Most lines, and OK, answer with an order, which the referee carries out. A move, «I have moved»
and the choice of the next game are done here: whoever stands at the box may always do these.
"""

from collections.abc import Sequence

from companion import orders
from companion.defaults import SETTINGS
from companion.referee.effects import NO_HOUSE, Line, Network
from companion.referee.menus import (
    MENUS,
    PERSON,
    Choice,
    following,
    lines_between_games,
    lines_in_game,
    lines_of_players,
    lines_of_sensors,
    text_of,
)
from companion.referee.play import Play
from companion.referee.ruling import ruled
from companion.referee.settings import SENSING, Settings
from companion.referee.stage import Stage
from companion.rules import Attempt
from companion.rules.levels import LEVELS


class Box:
    """What the buttons do in each phase; the menu covers the game, and uncovers it again."""

    def __init__(self, play: Play, settings: Settings, choice: Choice, benches: bool) -> None:
        self._play = play
        self._settings = settings
        self.choice = choice
        self._benches = benches
        self.house = NO_HOUSE
        self.phones = False
        """Whether players' phones can reach the page."""
        self.network: Network | None = None

    @property
    def refused(self) -> Attempt | None:
        """What was refused last, also while the menu is open."""
        return self._play.stage.below("menu").attempt

    def can_rule(self) -> bool:
        """Whether what was refused last can be let stand."""
        match, attempt = self._play.match, self.refused
        return match is not None and attempt is not None and ruled(match, attempt) is not None

    # -- buttons ---------------------------------------------------------------------------

    def press(self, button: str, held: bool) -> orders.Order | None:
        """Take a press; returns the order that it stands for."""
        if button not in ("up", "down", "ok"):
            self._play.report(f"no button {button!r}: there are up, down and ok")
        elif button != "ok":
            self._turn(1 if button == "down" else -1)
        elif not held:
            return self._ok()
        elif self._play.phase == "menu":
            self.close_menu()
        else:
            self.open_menu()
        return None

    def _turn(self, step: int) -> None:
        """Up and down: the roll to enter, the line to choose, or the page to read."""
        stage = self._play.stage
        if stage.row.up_down == "face" and self._play.hand_die:
            stage.hand_face = (stage.hand_face - 1 - step) % 6 + 1
        elif stage.row.up_down != "lines":
            stage.page = (stage.page or 0) + step
        elif stage.lines:
            start = -1 if stage.cursor is None and step > 0 else stage.cursor or 0
            stage.cursor = (start + step) % len(stage.lines)
            if stage.phase == "menu":
                stage.notice = None

    def _ok(self) -> orders.Order | None:
        stage = self._play.stage
        if stage.row.ok == "menu":
            self.open_menu()
        elif stage.row.ok == "line":
            return self._take(stage.lines[stage.cursor or 0])
        elif stage.row.ok == "enter" and self._play.hand_die:
            return orders.Roll(stage.hand_face)
        elif stage.row.ok == "enter":
            self._play.said_ok_before_roll()
        elif stage.row.ok == "moved" and stage.line is not None:
            return self._take(stage.line)
        elif stage.row.ok == "moved":
            self._play.said_moved()
        elif stage.row.ok == "resume":
            return orders.Resume()
        else:
            return orders.GoOn()
        return None

    def _take(self, line: Line) -> orders.Order | None:
        """OK on a line of a menu or a question."""
        kind, _, name = line.key.partition(":")
        values, sensing = self._settings.values, self._settings.sensing
        if kind == "move":
            assert line.move is not None
            self._play.choose(line.move)
        elif kind in ("sheet", "own_sheet", "option", "seat"):
            self.choice = self.choice.turned(line.key)
            self.renew_lines()
        elif kind in SETTINGS:
            return orders.Set(kind, following(SETTINGS[kind], values[kind]))
        elif kind == "sensing":
            return orders.SenseBy(following(SENSING, sensing))
        elif kind == "player":
            here = self._play.match
            sits = here.box.get(name, PERSON) if here is not None else PERSON
            after = following((PERSON, *LEVELS), sits)
            return orders.Seat(name, None if after == PERSON else after)
        elif kind in MENUS:
            self.open_menu(line.key)
        elif kind == "put_off":
            self._play.wish(line.key)
            self._play.say("phone_is_off")
        elif kind == "open_page":
            return orders.OpenPage(on=self.network is None or not self.network.open)
        elif kind == "back":
            self._leave_menu()
        else:
            return orders.order(kind, {"place": name} if name else {})
        return None

    # -- the menu --------------------------------------------------------------------------

    def open_menu(self, title: str = "menu") -> None:
        """Open the menu, or one of the menus inside it."""
        self._play.cover("menu", Stage("menu", title, self._lines(title), cursor=0))

    def _leave_menu(self) -> None:
        """Back: from a menu inside the menu to the menu, and from there to the game."""
        stage = self._play.stage
        if stage.phase == "menu" and stage.title not in ("menu", "offer_game"):
            self.open_menu("codes" if stage.title.startswith("phone:") else "menu")
            keys = [line.key for line in self._play.stage.lines]
            self._play.stage.cursor = keys.index(stage.title) if stage.title in keys else 0
        else:
            self.close_menu()

    def close_menu(self) -> None:
        """Back to where the menu was opened from."""
        if self._play.phase == "menu":
            self._play.uncover()

    def renew_lines(self) -> None:
        """Write the open menu's lines again: something it shows has changed."""
        stage = self._play.stage
        if stage.phase == "menu":
            line = stage.line
            stage.lines = self._lines(stage.title)
            stage.cursor = _same_line(stage.lines, line, stage.cursor or 0)

    def _lines(self, title: str) -> tuple[Line, ...]:
        play, match = self._play, self._play.match
        if title == "settings":
            phones = () if self.network is None else (Line("phones"),)
            return (*self._settings.lines(), *phones, Line("back"))
        if title == "phones":
            is_open = self.network is not None and self.network.open
            return (Line("open_page", text_of(is_open)), Line("back"))
        if title == "statistics":
            return (Line("back"),)
        if title == "codes" and match is not None:
            colours = (match.game.colours[seat] for seat in match.game.seats)
            return (*(Line(f"phone:{colour}") for colour in colours), Line("back"))
        if title.startswith("phone:"):
            return (Line("back"), Line(f"put_off:{title.partition(':')[2]}"))
        if title == "offer_game":
            return (Line("back"), Line("start"))
        if title == "players" and match is not None:
            return lines_of_players(match.seats, match.box)
        if title == "sensors":
            return lines_of_sensors(*self._sensors)
        if title == "new_game":
            return (Line("start"), *self.choice.lines(), Line("back"))
        if match is None or match.over:
            return lines_between_games(
                self.choice,
                self._settings.lines()[0],
                played=match is not None,
                undo=match is not None and match.can_take_back() and not match.ended,
                call=self._can_call,
                bench=self._benches,
            )
        return lines_in_game(
            undo=match.can_take_back() or play.takes_back_roll,
            rule=self.can_rule(),
            advise=play.advises and play.stage.below("menu").phase == "move",
            sensors=any(self._sensors),
            call=self._can_call,
            phones=self.phones,
            paused=play.paused,
        )

    @property
    def _sensors(self) -> tuple[Sequence[str], Sequence[str]]:
        """The places whose sensors may be broken, and those whose are set aside."""
        presence = self._play.presence
        return presence.doubtful() if self._play.sees else (), sorted(presence.sensors.aside)

    @property
    def _can_call(self) -> bool:
        return self.house.here and not self.house.called


def _same_line(lines: tuple[Line, ...], line: Line | None, cursor: int) -> int:
    """Where a line has gone among new ones, or one near by if it is gone."""
    keys = [one.key for one in lines]
    if line is not None and line.key in keys:
        return keys.index(line.key)
    return min(cursor, len(lines) - 1)
