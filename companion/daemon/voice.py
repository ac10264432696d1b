"""The table speaks, where it has a voice and the players want to hear it."""

from collections.abc import Callable
from typing import Protocol

from companion.referee import View
from companion.screens.sounds import loudness


class Speaks(Protocol):
    """A voice: `companion.table.speech.Voice`, or one that tests listen to."""

    def say(self, text: str, language: str, volume: float) -> None: ...


class Speaker:
    """Follows the views of a table, and says what is new in each."""

    def __init__(self, voice: Speaks, spoken: Callable[[View, View | None], str]) -> None:
        self._voice = voice
        self._spoken = spoken
        self._before: View | None = None

    def __call__(self, view: View) -> None:
        """Take a view; nothing waits for the voice."""
        before, self._before = self._before, view
        text = self._spoken(view, before)
        if text:
            volume = loudness(view.setting("volume"))
            self._voice.say(text, str(view.setting("language")), volume)
