"""A voice for the table: espeak-ng, where it is installed.

A new sentence cuts the one before it off: what counts is what is so now. Nothing waits for the
voice, and without one nothing is missed, for all of it stands on the screen.
"""

import shutil
import subprocess
from collections.abc import Callable

PROGRAM = "espeak-ng"
PACE = 150
"""Words a minute; a little slower than usual, for children and for small loudspeakers."""


class Voice:
    """Speaks sentences aloud, in a language given by its code (`en`, `de`, `nl`)."""

    def __init__(
        self, program: str = PROGRAM, find: Callable[[str], str | None] = shutil.which
    ) -> None:
        self._path = find(program)
        self._speaking: subprocess.Popen[bytes] | None = None

    @property
    def available(self) -> bool:
        """Whether there is a voice on this machine."""
        return self._path is not None

    def say(self, text: str, language: str, volume: float) -> None:
        """Begin to speak, and be silent about what was being said. Without a voice: nothing."""
        self.hush()
        if self._path is None or not text or volume <= 0:
            return
        self._speaking = subprocess.Popen(
            [self._path, *arguments(language, volume), "--", text],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def hush(self) -> None:
        """Stop speaking."""
        speaking, self._speaking = self._speaking, None
        if speaking is not None:
            speaking.kill()
            speaking.wait()

    def wait(self) -> int | None:
        """Wait until the sentence is spoken; returns how that ended, None if nothing is said."""
        return None if self._speaking is None else self._speaking.wait()

    def close(self) -> None:
        """Be silent; may be called twice."""
        self.hush()


def arguments(language: str, volume: float) -> list[str]:
    """The options of espeak-ng for a language and a volume from 0 to 1."""
    return ["-v", language, "-s", str(PACE), "-a", str(round(100 * volume))]
