"""What the referee wants done: show this, sound that, light those, keep this record."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.defaults import DEFAULTS
from companion.referee.channels import Channels, SoundName, Tone, channels
from companion.referee.outlines import Step
from companion.referee.phases import COVERS, TURN, Phase
from companion.rules import AnyMove, Happening, Position, Refusal

TONES: dict[Phase, Tone] = {
    "ask": "question",
    "illegal": "stop",
    "restore": "guide",
    "penalty": "guide",
    "setting": "guide",
}
"""The phases that are not calm; in a turn something half done makes it a hint."""

QUIET = ("in_hand", "check_colours")
"""Notices that are hints: nothing is wrong, and play goes on."""


class Notice(NamedTuple):
    """A short word to the players: a key that phrases speak, and the places it is about."""

    key: str
    places: tuple[str, ...] = ()


class Line(NamedTuple):
    """One line of a menu or a question: what it is, and its value now."""

    key: str
    value: str = ""
    move: AnyMove | None = None


class Advice(NamedTuple):
    """The best move, and how much better than the next it is, in chances to win or in places.

    There is none where the difference is within its error.
    """

    move: AnyMove | None
    margin: float = 0.0
    error: float = 0.0
    places: bool = False
    """Whether it counts places: somebody has won, and the others play on."""


class Tally(NamedTuple):
    """What one colour has done in this game so far."""

    colour: str
    rolls: int
    total: int
    sixes: int
    captures: int
    lost: int


class Luck(NamedTuple):
    """What a player's own rolls brought in a game, and what own moves gave away; with errors."""

    colour: str
    luck: float
    error: float
    gave: float
    gave_error: float


class Moment(NamedTuple):
    """The roll of the evening, or the move that cost most: whose, which, and how much."""

    colour: str
    move: AnyMove
    change: float
    instead: AnyMove | None = None


class Fortunes(NamedTuple):
    """Who was lucky in a game that is over; nobody is `luckiest` within the errors.

    Without `players` nobody can say it.
    """

    players: tuple[Luck, ...]
    luckiest: str | None = None
    roll: Moment | None = None
    move: Moment | None = None


class House(NamedTuple):
    """What the house around the table has to do with it, as far as the table knows."""

    here: bool = False
    """Whether somebody would hear a call for help."""
    called: bool = False
    coming: bool = False
    text: str = ""
    """A line that the house sent to the screen."""


NO_HOUSE = House()


class Network(NamedTuple):
    """The box's page, as its menu shows it: whether others may open it, where, and their PIN.

    Pages are not told of it: whoever stands at the box may read the PIN, others may not.
    """

    open: bool = False
    address: str = ""
    pin: str = ""


@dataclass(frozen=True)
class View:
    """Everything a screen or a page needs to draw the table as it is now."""

    phase: Phase = "idle"
    position: Position | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    face: int | None = None
    legal: tuple[AnyMove, ...] = ()
    lines: tuple[Line, ...] = ()
    cursor: int = 0
    title: str = ""
    refusals: tuple[Refusal, ...] = ()
    happenings: tuple[Happening, ...] = ()
    last: AnyMove | None = None
    remedy: tuple[Step, ...] = ()
    notice: Notice | None = None
    made: bool = False
    """Whether a legal move is made, and counts with the next roll; only the hint is left to do."""
    provisional: bool = False
    pressed: tuple[str, ...] = ()
    hand_face: int | None = None
    rolling: bool = False
    sensing: str = "presence"
    missing: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    page: int | None = None
    """The page turned to with up and down; None while pages turn by themselves."""
    tallies: tuple[Tally, ...] = ()
    house: House = NO_HOUSE
    sheet: str = "german"
    """The sheet of the next game, if nobody chooses another."""
    box: Mapping[str, str] = field(default_factory=dict)
    """By the colour of a seat that a player of the box has taken, its level."""
    wish: AnyMove | None = None
    """What the box's player wants moved; hands carry it out."""
    fortunes: Fortunes | None = None
    """Who was lucky, where the game is over and somebody has reckoned it."""
    chances: Mapping[str, float] = field(default_factory=dict)
    """Each player's chance to win in this position; empty where nobody has reckoned them yet."""
    advice: Advice | None = None
    """What somebody was advised who asked for it, with this roll in this position."""
    network: Network | None = None
    takes_back: str | None = None
    """Whose move *Take back* would take back, or whose entered roll; None if nothing can be."""
    over: bool = False
    """Whether the game is over, also where a menu covers that."""
    paused: bool = False
    """Whether it is paused, also where a menu covers that."""
    can_stand: bool = True
    """Whether the players may let stand what was refused; a roll too many, say, cannot."""

    @property
    def free(self) -> bool:
        """Whether nobody plays here: a game can begin without a question."""
        return self.position is None or self.over

    @property
    def covered(self) -> bool:
        """Whether a menu or a pause covers what was shown before."""
        return self.phase in COVERS

    @property
    def hint(self) -> tuple[Step, ...]:
        """What is half done, said quietly: nothing is wrong."""
        return self.remedy if self.phase in TURN else ()

    @property
    def tone(self) -> Tone:
        """How the table is spoken to: calmly, or with a hint, a question, STOP, or guidance."""
        quiet = self.notice is not None and self.notice.key in QUIET
        if self.phase in TURN and (self.remedy or quiet):
            return "hint"
        return TONES.get(self.phase, "calm")

    @property
    def channels(self) -> Channels:
        """What that means on the screen, the lamps, the squares, aloud and on the page."""
        found = channels(self.tone, self.setting("strictness") == "gentle")
        if self.tone == "stop" and not self.can_stand:
            return found._replace(button="" if self.remedy else "seen", ok="seen")
        return found

    @property
    def noticed(self) -> tuple[str, ...]:
        """The places that a quiet notice is about."""
        if self.tone != "hint" or self.notice is None or self.notice.key not in QUIET:
            return ()
        return self.notice.places

    @property
    def boxed(self) -> bool:
        """Whether it is the turn of a player of the box."""
        return self.colour is not None and self.level(self.colour) is not None

    @property
    def draws(self) -> bool:
        """Whether the box is about to roll for its player."""
        rolls = self.phase in ("opening", "roll") and bool(self.setting("box_rolls"))
        return rolls and self.boxed

    def level(self, colour: str) -> str | None:
        """How well the box plays a colour, or its player's other one; None: a person plays it."""
        if not self.box or self.position is None:
            return None
        game = self.position.game
        seat = game.colours.index(colour)
        own = next((player for player in game.players if seat in player), (seat,))
        return next((self.box[c] for c in (game.colours[s] for s in own) if c in self.box), None)

    @property
    def unseen(self) -> bool:
        """Whether nobody sees where pieces stand: people say when they are put right."""
        return self.sensing != "presence" or "board" in self.missing

    @property
    def colour(self) -> str | None:
        """Whose turn it is."""
        return self.position.colour if self.position is not None else None

    def setting(self, name: str) -> Any:
        """What is set, or what holds until somebody sets it."""
        return self.settings.get(name, DEFAULTS[name])

    @property
    def ranking(self) -> tuple[str, ...]:
        """The colours that have won their rank, best first."""
        return self.position.ranking if self.position is not None else ()


class Show(NamedTuple):
    """Draw this."""

    view: View


class Sound(NamedTuple):
    """Play this."""

    name: SoundName


class Light(NamedTuple):
    """Light these places (`on`, `blink`, `fast`) and the two lamps; all else goes dark."""

    places: Mapping[str, str]
    good: bool = False
    bad: bool = False


class Keep(NamedTuple):
    """Write this record to the journal before anything of this batch is shown."""

    record: dict[str, Any]


class Report(NamedTuple):
    """A line for the log, for instance of a reading that cannot be."""

    text: str


class Ask(NamedTuple):
    """A wish to the shell around the referee, for instance `shut_down`."""

    wish: str


class Draw(NamedTuple):
    """A wish to the shell: draw a roll for a player of the box, and answer with `Drawn`."""

    number: int


class Think(NamedTuple):
    """A wish to the shell: think about this, without haste, and answer with `Thought`.

    The question is plain data, as `odds/asking.py` reads it.
    """

    number: int
    question: Mapping[str, Any]


Effect = Show | Sound | Light | Keep | Report | Ask | Draw | Think
