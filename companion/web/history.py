"""The game under way as the page tells it: what was played, the charts, and the text record."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from gettext import NullTranslations
from itertools import chain
from typing import Any

import msgspec

from companion.fairness import ENOUGH, is_loaded
from companion.rules import Move, Pass
from companion.rules.boards import BASE
from companion.rules.history import Deed, History, Roll, Ruling, TakeBack, holders
from companion.rules.records import Record, deed_text
from companion.screens import labels, notation, phrases
from companion.screens.languages import words as words_of

TOGETHER = 64
"""How many entries are packed together."""

_encode = msgspec.json.Encoder().encode


class Entries:
    """Many small texts, the older ones packed: a long game is told in three languages."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._open: list[bytes] = []

    def __len__(self) -> int:
        return len(self._packed) * TOGETHER + len(self._open)

    def append(self, text: bytes) -> None:
        self._open.append(text)
        if len(self._open) == 2 * TOGETHER:
            self._packed.append(zlib.compress(b"\n".join(self._open[:TOGETHER]), 1))
            del self._open[:TOGETHER]

    def cut(self, length: int) -> None:
        """Forget all behind the first so many."""
        while length < len(self._packed) * TOGETHER:
            self._open[:0] = _unpacked(self._packed.pop())
        del self._open[length - len(self._packed) * TOGETHER :]

    def since(self, start: int) -> Iterator[bytes]:
        """Those from one on."""
        for number in range(start // TOGETHER, len(self._packed)):
            texts = _unpacked(self._packed[number])
            yield from texts[max(0, start - number * TOGETHER) :]
        yield from self._open[max(0, start - len(self._packed) * TOGETHER) :]


def _unpacked(packed: bytes) -> list[bytes]:
    return zlib.decompress(packed).split(b"\n")


class DieCounts:
    """How a die has fallen, and what people said it had."""

    def __init__(self, rolls: Iterable[Roll] = ()) -> None:
        self.thrown = [0] * 6
        """How often the die showed each face."""
        self.by_hand = [0] * 6
        """How often each was entered for a die beside the box."""
        self.chosen = 0
        """How many rolls were chosen: no die has shown them."""
        for roll in rolls:
            self.add(roll)

    def add(self, roll: Roll) -> None:
        if roll.chosen:
            self.chosen += 1
        else:
            (self.by_hand if roll.entered else self.thrown)[roll.face - 1] += 1

    def told(self) -> dict[str, Any]:
        """What the die has shown, or where there is none of its own what was entered; what is not
        counted there; and what can be said of it, which is nothing after a few rolls."""
        counts = self.thrown if any(self.thrown) else self.by_hand
        entered = self.chosen + (sum(self.by_hand) if counts is self.thrown else 0)
        enough = sum(counts) >= ENOUGH
        return {
            "counts": counts,
            "entered": entered,
            "few": not enough,
            "loaded": enough and is_loaded(counts),
        }


class HistoryFeed:
    """The history of the game under way as pages get it; nothing is played or written twice."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        """The moves and rulings that stand."""
        self._rolls = DieCounts()
        self.behind = False
        """Whether there are deeds that have not been taken in yet."""
        self._history: History | None = None
        self._told = self._taken = 0
        self._lines = Entries()
        self._entries: dict[str, Entries] = {}
        self._played_by: dict[str, dict[str, str]] = {}
        """By language; worked out once for all who look."""

    def follow(self, history: History | None, told: int) -> bool:
        """People were told so many deeds of this game: take them in with `catch_up`.

        Returns whether there are any.
        """
        new = history is not self._history
        if new:
            self.deeds, self._lines, self._entries = [], Entries(), {}
            self._rolls = DieCounts()
            self._history, self._taken = history, 0
            self._played_by = {}
        self._told = told
        self.behind = self._taken < told
        return new or self.behind

    def catch_up(self, enough: Callable[[], bool] = lambda: False) -> int:
        """Take in what was told until it is enough for now; the rest leaves it `behind`.

        Returns how many of the deeds taken in before still stand.
        """
        stands = len(self.deeds)
        while self._history is not None and self._taken < self._told:
            stands = min(stands, self._take(self._history.deeds[self._taken]))
            self._taken += 1
            if enough():
                break
        self.behind = self._taken < self._told
        return stands

    def _take(self, deed: Deed) -> int:
        """Returns how many deeds stand now."""
        self._played_by = {}
        line = deed_text(deed)
        if line is not None:
            self._lines.append(line.encode())
        if isinstance(deed.entry, Roll):
            self._rolls.add(deed.entry)
        elif isinstance(deed.entry, TakeBack):
            self.deeds.pop()
            for entries in self._entries.values():
                entries.cut(len(self.deeds))
        elif deed.move is not None or isinstance(deed.entry, Ruling):
            self.deeds.append(deed)
        return len(self.deeds)

    # -- for the page --------------------------------------------------------------------------

    def entries(
        self, language: str, start: int = 0, enough: Callable[[int], bool] = lambda size: False
    ) -> list[bytes]:
        """The deeds from one on, as the page lists and charts them, each as JSON.

        There is at least one if there are any; the rest may have to be asked for again, when it
        is `enough` for now: it is asked with the bytes there are.
        """
        told = self._entries.setdefault(language, Entries())
        found: list[bytes] = []
        size = 0
        for text in chain(told.since(start), self._written(language, told, start)):
            found.append(text)
            size += len(text)
            if enough(size):
                break
        return found

    def _written(self, language: str, told: Entries, start: int) -> Iterator[bytes]:
        """The entries that were not asked for yet, of those from one on."""
        while len(told) < len(self.deeds):
            deed = self.deeds[len(told)]
            text = _encode(entry(deed, language, self._names(deed.box, language)))
            told.append(text)
            if len(told) > start:
                yield text

    def _names(self, box: Mapping[str, str], language: str) -> dict[str, str]:
        """What everybody is called who has a name, while the box has these seats."""
        names = {} if self._history is None else self._history.names
        return labels.called(names, box, words_of(language))

    def played_by(self, language: str) -> dict[str, str]:
        """What everybody is called who has played; empty for a person without a name."""
        if self._history is None:
            return {}
        if language not in self._played_by:
            held = holders(self._history.game, self.deeds)
            by = labels.played_by(held, self._history.names, words_of(language))
            self._played_by[language] = by
        return self._played_by[language]

    def die(self) -> dict[str, Any]:
        """How the die has fallen in this game, and how many rolls stand: not those that were taken
        back with their move."""
        rolled = (deed.face is not None and deed.position.due is None for deed in self.deeds)
        return {**self._rolls.told(), "standing": sum(rolled)}

    def text(self, today: date) -> str | None:
        """The game as a text record that a person can read and `companion` can replay."""
        if self._history is None:
            return None
        game, names = self._history.game, self._history.names
        players = tuple(names.get(game.colours[seat], "") for seat in game.seats)
        lines = (line.decode() for line in self._lines.since(0))
        return "\n".join([*Record(game, today, players).header(), "", *lines, ""])


def entry(deed: Deed, language: str, names: Mapping[str, str]) -> dict[str, Any]:
    """One deed as plain data."""
    words, before = words_of(language), deed.position
    game = before.game
    move = deed.move
    told: dict[str, Any] = {
        "colour": before.colour,
        "face": deed.face,
        "opening": before.opening is not None,
        "text": "" if move is None else notation.move(before, move, words),
        "ruling": move is None,
        "passed": isinstance(move, Pass),
        "told": [
            {
                "what": one.what,
                "clause": one.clause,
                "text": phrases.happening(game, one, words, names),
                "colour": game.colours[one.seat],
            }
            for one in deed.happenings
        ],
        "progress": game.progress(deed.after),
    }
    if isinstance(deed.entry, Ruling):
        told |= _let_stand(deed, words)
    if isinstance(move, Move):
        told["colour"] = game.colours[move.seat]
        told["from"], told["to"] = game.stops(move)
    if move is not None and before.opening is not None:
        told["text"] = phrases.roll(game, move.face, words)
    return told


def _let_stand(deed: Deed, words: NullTranslations) -> dict[str, Any]:
    """The piece that was let stand, and from where to where; nothing where that is not known."""
    game, found = deed.position.game, []
    stood = zip(deed.position.pieces, deed.after.pieces, strict=True)
    for seat, (before, after) in enumerate(stood):
        left = list((Counter(before) - Counter(after)).elements())
        come = list((Counter(after) - Counter(before)).elements())
        if len(left) == len(come) == 1 and come != [BASE]:  # whoever is captured goes home
            found.append(Move(seat, deed.face or 1, left[0], come[0]))
    if game.board.walked is None or len(found) != 1:
        return {}
    (move,) = found
    origin, target = game.stops(move)
    text = phrases.way(origin, target, words)
    colour = game.colours[move.seat]
    one = {"what": "ruled", "clause": "", "text": text, "colour": colour}
    return {"colour": colour, "from": origin, "to": target, "told": [one]}
