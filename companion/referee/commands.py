"""Commands: what the menu, the page or the command line may ask of an evening, by name."""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any

from companion.referee.effects import Notice
from companion.referee.menus import SENSING, Choice
from companion.referee.ruling import ruled
from companion.referee.stage import PUTTING_RIGHT
from companion.rules import BadInput

if TYPE_CHECKING:
    from companion.referee.evening import Evening

ANY_TIME = ("new_game", "start", "set", "menu", "back", "shut_down", "roll")
"""The commands that make sense while there is no game."""


class Commands:
    """Each public name is a command; `do` checks what it is given."""

    def __init__(self, evening: "Evening") -> None:
        self._evening = evening
        self._known: dict[str, Callable[..., None]] = {
            "new_game": self.new_game,
            "start": evening.start,
            "take_back": self.take_back,
            "ruling": self.ruling,
            "pause": evening.pause,
            "resume": evening.resume_play,
            "end_game": self.end_game,
            "play_on": self.play_on,
            "back": lambda: evening.box.close_menu(),
            "set_aside": self.set_aside,
            "use_again": self.use_again,
            "set": evening.set,
            "roll": self.roll,
            "move": self.move,
            "go_on": self.go_on,
            "menu": lambda: evening.box.open_menu(),
            "shut_down": lambda: evening.wish("shut_down"),
        }

    def do(self, name: str, args: dict[str, Any]) -> None:
        """Carry out a command; BadInput says what is wrong with it."""
        act = self._known.get(name)
        if act is None:
            raise BadInput(f"unknown command {name!r}: there are {', '.join(self._known)}")
        _check(name, act, args)
        if self._evening.match is None and name not in ANY_TIME:
            self._evening.say("no_game")
        else:
            act(**args)

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
        called = _mapping("names", names)
        chosen = Choice(
            sheet,
            _mapping("options", options),
            None if seats is None else _words("seats", seats),
            dict(zip(called, _words("names", called.values()), strict=True)),
        )
        chosen.game()
        self._evening.choice = chosen
        self._evening.sense_by(sensing or self._evening.sensing)
        self._evening.start()

    def go_on(self) -> None:
        """The pieces are set, moved or put right, say the players; else it is of no use now."""
        evening = self._evening
        if evening.phase == "setting":
            evening.watch.set_up_done()
        elif evening.phase in PUTTING_RIGHT:
            evening.box.said_right()
        elif evening.phase == "move" and evening.watching:
            evening.box.said_moved()

    def take_back(self) -> None:
        """Undo the last move that moved something; a roll entered by hand goes first."""
        evening, match = self._evening, self._evening.match
        assert match is not None
        stands = evening.stands()
        records = match.undo_roll() if evening.hand_die and not match.ended else []
        if not records and match.can_take_back() and not match.ended:
            records = match.undo_move()
        if not records:
            evening.say("nothing_to_take_back")
            return
        for record in records:
            evening.keep(record)
        evening.turn()
        evening.stage.notice = Notice("taken_back")
        evening.watch.put_right("restore")
        if stands is not None:
            evening.guide_back(stands)

    def ruling(self) -> None:
        """Let it stand: a house ruling, kept as such."""
        evening, match = self._evening, self._evening.match
        assert match is not None
        attempt = evening.box.refused
        after = ruled(match, attempt) if attempt is not None else None
        if after is None:
            evening.say("cannot_rule")
            return
        evening.keep(match.rule(after))
        evening.turn()
        evening.stage.notice = Notice("ruled")
        evening.watch.put_right("restore")

    def play_on(self) -> None:
        """Somebody has won; the others play for their places."""
        if self._evening.stage.title == "won":
            self._evening.turn()
        else:
            self._evening.say("not_now")

    def end_game(self) -> None:
        """Stop before the game is over."""
        evening, match = self._evening, self._evening.match
        assert match is not None
        if not match.over:
            evening.keep(match.end())
        evening.turn()

    def set_aside(self, place: str) -> None:
        """Do without a sensor; OK and choosing stand in for it."""
        self._evening.watch.set_aside(place)
        self._back_to_game()

    def use_again(self, place: str) -> None:
        """The sensor is mended."""
        self._evening.watch.use_again(place)
        self._back_to_game()

    def _back_to_game(self) -> None:
        self._evening.box.close_menu()
        self._evening.watch.settle_now()

    def roll(self, face: int, by: str | None = None) -> None:
        """A roll from the page's die, or entered for a real one."""
        self._evening.rolled(face, None, by)

    def move(self, move: str) -> None:
        """A legal move named in words, as the game record writes it."""
        evening, match = self._evening, self._evening.match
        assert match is not None
        if evening.phase in ("restore", "penalty") and not evening.watching:
            self.go_on()
        if evening.phase in ("move", "ask", "illegal"):
            evening.box.choose(match.game.move(move))
        else:
            evening.say("not_now")


def _check(name: str, act: Callable[..., None], args: dict[str, Any]) -> None:
    """Whether a command takes these arguments; the words among them have to be words."""
    wanted = signature(act)
    try:
        given = wanted.bind(**args).arguments
    except TypeError as error:
        raise BadInput(f"command {name!r} does not take {args}: {error}") from None
    for key, value in given.items():
        kind = wanted.parameters[key].annotation
        if kind in (str, str | None) and not isinstance(value, kind):
            raise BadInput(f"command {name!r} wants a word for {key}, not {value!r}")


def _mapping(what: str, given: object) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise BadInput(f"{what} are names and values, not {given!r}")
    return dict(given)


def _words(what: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInput(f"{what} are a list of words, not {given!r}")
    found = tuple(given)
    if not all(isinstance(word, str) for word in found):
        raise BadInput(f"{what} are words, not {found!r}")
    return found
