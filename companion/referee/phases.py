"""The machine: every phase, what hands and buttons mean in it, and where each act leads.

One page of data. `Play` reads from it what a roll, OK, up and down mean. An act that is not in
`LEADS` is not done; a phase that is not in it is entered, and reported. The diagram in
docs/referee.md is drawn from it, and a test walks every row by a readable trace.
"""

from enum import Enum
from typing import Literal, NamedTuple

Phase = Literal[
    "idle",
    "menu",
    "setting",
    "opening",
    "roll",
    "move",
    "ask",
    "illegal",
    "restore",
    "penalty",
    "paused",
    "over",
]


class Task(Enum):
    """What a way of sensing is to do with a board that differs from the game."""

    REST = "nothing: nobody plays just now"
    SET_UP = "guide the pieces to where the game begins"
    PLAY = "recognise what hands do"
    CHECK = "guide the pieces to where the game has them, before anything else"
    RESUME = "as CHECK, but a legal move may have been made while nobody watched"
    ASK = "recognise what hands do; what was moved is asked about"
    STOP = "wait until what was refused is put right"
    GUIDE = "follow the pieces on their way to where the game has them"
    OVER = "only see whether the last move is moved back"


class Row(NamedTuple):
    """What a phase means to the board, the die and the box's three buttons."""

    means: str
    task: Task
    roll: Literal["nothing", "uncovers", "sets", "counts", "refused"]
    ok: Literal["menu", "line", "done", "enter", "moved", "resume"]
    up_down: Literal["pages", "lines", "face"]


PHASES: dict[Phase, Row] = {
    "idle": Row("nobody plays", Task.REST, "nothing", "menu", "pages"),
    "menu": Row("something is chosen", Task.REST, "uncovers", "line", "lines"),
    "setting": Row("pieces are put up, square by square", Task.SET_UP, "sets", "done", "pages"),
    "opening": Row("everybody rolls for the start", Task.PLAY, "counts", "enter", "face"),
    "roll": Row("somebody is to roll", Task.PLAY, "counts", "enter", "face"),
    "move": Row("somebody is to move", Task.PLAY, "refused", "moved", "lines"),
    "ask": Row("only people know: a question", Task.ASK, "refused", "line", "lines"),
    "illegal": Row("STOP: something is not allowed", Task.STOP, "refused", "done", "pages"),
    "restore": Row("pieces go where the game has them", Task.GUIDE, "refused", "done", "pages"),
    "penalty": Row("a piece goes to its base", Task.GUIDE, "refused", "done", "pages"),
    "paused": Row("the game waits", Task.REST, "nothing", "resume", "pages"),
    "over": Row("the game is over", Task.OVER, "nothing", "menu", "pages"),
}

PUTTING_RIGHT: tuple[Phase, ...] = ("illegal", "restore", "penalty")
"""The phases in which pieces have to go where the game has them."""
COVERS: tuple[Phase, ...] = ("menu", "paused")
"""The phases that cover another one, which stays as it is beneath."""

Act = Literal[
    "start",
    "resume",
    "roll",
    "move",
    "moved_back",
    "refuse",
    "guide",
    "right",
    "ask",
    "ok",
    "play_on",
    "take_back",
    "ruling",
    "end",
    "sensing",
    "menu",
    "pause",
    "uncover",
]

ACTS: dict[Act, str] = {
    "start": "a new game begins",
    "resume": "a kept game goes on",
    "roll": "the die lies still; a roll that moves nothing is passed at once",
    "move": "a legal move was made, or turned into another",
    "moved_back": "the last move was moved back by hand",
    "refuse": "something is not allowed",
    "guide": "pieces have to go where the game has them",
    "right": "the board is as the game has it",
    "ask": "only people know",
    "ok": "somebody says that it is right, where nobody sees it",
    "play_on": "the others play for their places",
    "take_back": "the last move is taken back from the menu or the page",
    "ruling": "the players let it stand",
    "end": "the players stop before the game is over",
    "sensing": "moves are made in another way: the board went or came, or it was chosen",
    "menu": "somebody holds OK, or presses it where nothing else is to be done",
    "pause": "the game waits",
    "uncover": "a menu or a pause ends",
}

TURN: tuple[Phase, ...] = ("opening", "roll", "move")
"""What comes next in a game: everybody rolls for the start, a roll, or a move."""

_ANYWHERE: dict[Act, tuple[Phase, ...]] = {
    "start": ("setting",),
    "end": ("over",),
    "menu": ("menu",),
    "pause": ("paused",),
}
"""What may be asked for in every phase of a game."""

LEADS: dict[Phase, dict[Act, tuple[Phase, ...]]] = {
    "idle": {
        "start": ("setting",),
        "resume": ("setting", *TURN, "over"),
        "menu": ("menu",),
    },
    "setting": {
        **_ANYWHERE,
        "right": ("opening",),
        "ok": ("opening",),
        "guide": ("setting",),
        "sensing": ("setting",),
    },
    "opening": {
        **_ANYWHERE,
        "roll": ("opening", "roll"),
        "refuse": ("illegal",),
        "guide": ("restore",),
        "take_back": ("opening",),
        "sensing": ("opening",),
    },
    "roll": {
        **_ANYWHERE,
        "roll": ("move", "roll"),
        "move": ("roll", "move", "over"),
        "moved_back": ("move",),
        "refuse": ("illegal",),
        "guide": ("restore", "penalty"),
        "ask": ("ask",),
        "take_back": TURN,
        "sensing": ("roll",),
    },
    "move": {
        **_ANYWHERE,
        "move": ("roll", "move", "over"),
        "refuse": ("illegal",),
        "guide": ("restore",),
        "ask": ("ask",),
        "take_back": ("roll", "move"),
        "sensing": ("move",),
    },
    "ask": {
        **_ANYWHERE,
        "move": ("roll", "move", "over"),
        "right": ("roll", "move"),
        "refuse": ("illegal",),
        "roll": ("roll",),
        "play_on": ("roll",),
        "ask": ("ask",),
        "take_back": ("roll", "move"),
        "moved_back": ("move",),
        "sensing": ("roll", "move"),
    },
    "illegal": {
        **_ANYWHERE,
        "right": TURN,
        "move": ("roll", "move", "over"),
        "moved_back": ("move",),
        "ok": TURN,
        "roll": ("roll", "opening"),
        "refuse": ("illegal",),
        "guide": ("illegal",),
        "ask": ("ask",),
        "ruling": ("roll", "over"),
        "take_back": TURN,
        "sensing": TURN,
    },
    "restore": {
        **_ANYWHERE,
        "right": TURN,
        "move": ("roll", "move", "over"),
        "moved_back": ("move",),
        "ok": TURN,
        "roll": ("roll", "opening"),
        "refuse": ("illegal",),
        "guide": ("restore",),
        "ask": ("ask",),
        "take_back": TURN,
        "sensing": TURN,
    },
    "penalty": {
        **_ANYWHERE,
        "right": ("roll",),
        "move": ("roll", "over"),
        "moved_back": ("move",),
        "ok": ("roll",),
        "roll": ("roll",),
        "refuse": ("illegal",),
        "guide": ("penalty",),
        "ask": ("ask",),
        "take_back": ("move",),
        "sensing": ("roll",),
    },
    "over": {
        "start": ("setting",),
        "menu": ("menu",),
        "moved_back": ("move",),
        "take_back": ("move",),
        "sensing": ("over",),
    },
    "menu": {
        "start": ("setting",),
        "end": ("over",),
        "menu": ("menu",),
        "ruling": ("roll", "over"),
        "take_back": TURN,
        "uncover": tuple(phase for phase in PHASES if phase != "menu"),
    },
    "paused": {
        "start": ("setting",),
        "end": ("over",),
        "menu": ("menu",),
        "take_back": TURN,
        "uncover": ("setting", *TURN, "ask", *PUTTING_RIGHT),
    },
}
"""Where each act leads from each phase. A menu or a pause leads back to what it covers."""
