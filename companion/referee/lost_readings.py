"""Whether a reading of the board may have been lost on the way, as far as snapshots tell."""

from enum import Enum, auto


class Word(Enum):
    """How the board as it lies is known."""

    READINGS = auto()
    """From readings alone: one may be missing."""
    CONFIRMED = auto()
    """A snapshot told nothing new: none is missing."""
    REPAIRED = auto()
    """A snapshot told what no reading had: one was lost."""


class LostReadings:
    """What is known of readings that may be missing."""

    def __init__(self) -> None:
        self._word = Word.READINGS
        self._from_nowhere = False
        """Whether a piece came from nowhere since the last snapshot."""
        self._awaited = False

    def reading(self, *, from_nowhere: bool) -> None:
        """The board has changed by a reading; perhaps a piece came from nowhere."""
        self._word, self._awaited = Word.READINGS, False
        self._from_nowhere = self._from_nowhere or from_nowhere

    def snapshot(self, changed: bool, *, from_nowhere: bool) -> bool:
        """All that stands on the board was told; whether that was waited for."""
        waited, self._awaited = self._awaited and not changed, False
        self._from_nowhere = from_nowhere
        if changed:
            self._word = Word.REPAIRED
        elif self._word is Word.READINGS:
            self._word = Word.CONFIRMED
        return waited

    def wait_for_snapshot(self) -> None:
        """Whoever cannot explain the board waits for the next one."""
        self._awaited = True

    def is_possible(self, strays: bool) -> bool:
        """Whether one may be missing; `strays`: pieces stand where nothing explains them."""
        return self._from_nowhere or (strays and self._word is Word.READINGS)

    @property
    def happened(self) -> bool:
        """Whether the last change was not told when it happened."""
        return self._word is Word.REPAIRED
