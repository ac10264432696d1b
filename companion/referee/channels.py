"""Tone by channel: how a hint, a question, STOP and the rest look and sound, in one table.

What a board deserves is found by the way of sensing (`presence.py`); the tone of what is then shown
is `View.tone` (`effects.py`). Here is what the table then sees and hears. Tests hold every channel
to its column, and the table in docs/referee.md to this one.
"""

from typing import Literal, NamedTuple

Tone = Literal["calm", "hint", "question", "stop", "guide"]

SoundName = Literal["roll", "accepted", "capture", "illegal", "win", "notice", "hint", "fumble"]


class Channels(NamedTuple):
    """How one tone looks and sounds."""

    oled: Literal["plain", "line", "heading", "inverted"]
    """`line`: one quiet line where notices stand; `heading`: a screen of its own."""
    lamp: Literal["roll", "dark", "bad"]
    """`roll`: the good lamp while a roll is waited for."""
    squares: Literal["moves", "blink", "fast", "dark"]
    """`moves`: legal moves only; `blink` and `fast`: where the next steps begin and end."""
    sound: SoundName | None
    """Played when the tone begins; calm has a sound for each occasion instead."""
    speech: Literal["turn", "step", "question", "refusal"]
    """`step`: the next thing to do, said once."""
    page: Literal["", "note", "question", "wrong", "guide"]
    """The look on the page and the phone; only `wrong` is red."""
    button: Literal["", "ruling", "seen", "go_on"]
    """What page and phone offer besides; `go_on` where no sensor sees that it is done, `seen`
    instead of `ruling` where nothing can be let stand, and nothing is to be put right."""
    ok: Literal["", "answer", "seen", "ruling", "done"]
    """What OK on the box says to it."""


STRICT: dict[Tone, Channels] = {
    "calm": Channels("plain", "roll", "moves", None, "turn", "", "", ""),
    "hint": Channels("line", "roll", "blink", "hint", "step", "note", "", ""),
    "question": Channels("heading", "dark", "dark", "notice", "question", "question", "", "answer"),
    "stop": Channels("inverted", "bad", "fast", "illegal", "refusal", "wrong", "ruling", "seen"),
    "guide": Channels("heading", "dark", "fast", None, "step", "guide", "go_on", "done"),
}

GENTLE: dict[Tone, Channels] = {
    **STRICT,
    "stop": STRICT["stop"]._replace(sound="notice", ok="ruling"),
}
"""A gentle referee only advises: no alarm, and OK lets a wrong move stand."""


def channels(tone: Tone, gentle: bool = False) -> Channels:
    """How a tone looks and sounds, with the strictness that was chosen."""
    return (GENTLE if gentle else STRICT)[tone]
