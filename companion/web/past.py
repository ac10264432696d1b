"""Past games for the page: which are kept here, by name, sheet or day, and one of them to replay.

Everything is read from the journal's file, in a thread and by a connection of its own: the table
plays on meanwhile.
"""

import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from gettext import NullTranslations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.archive import BrokenGameError, KeptGame, NoGamesError, Pace, kept_game, reading
from companion.events import RecordData
from companion.journal import read_record
from companion.referee import Line
from companion.rules import SHEETS, BadInput
from companion.rules.history import refusals_in
from companion.rules.records import plain_name
from companion.screens import labels, phrases
from companion.screens.languages import words as words_of
from companion.web import state
from companion.web.guard import RequestRefused
from companion.web.history import HistoryFeed, entry
from companion.web.what_if import records_until

PAGE = 20
"""Games in one answer; the page asks for more."""
KNOWN = 2000
"""Games whose results are remembered: a game that is over does not change."""

Told = dict[str, Any]

_encode = msgspec.json.Encoder().encode


class Start(NamedTuple):
    """A game by its first record, and the words it is searched by, besides its sheet's title."""

    began: str
    sheet: str
    players: dict[str, str]
    searched: str


class PastGames:
    """The games of one journal, for reading. `pace` gives the table its turn meanwhile.

    A `mark` goes before their numbers in addresses.
    """

    def __init__(self, path: Path, pace: Pace, mark: str = "") -> None:
        self._path = path
        self._pace = pace
        self._mark = mark
        self._starts: dict[int, Start] = {}
        self._results: OrderedDict[tuple[int, int], Told] = OrderedDict()

    def listed(self, query: str, before: int | None, language: str) -> Told:
        """The latest games that a query is found in, from one number downwards."""
        wanted = query.casefold().split()
        games: list[Told] = []
        try:
            with reading(self._path) as connection:
                for number in _downwards(connection, before):
                    self._pace()
                    start = self._start(connection, number)
                    title = _title(start.sheet, language)
                    searched = f"{start.searched} {title.casefold()}"
                    if not all(word in searched for word in wanted):
                        continue
                    if len(games) == PAGE:
                        return {"games": games, "more": True}
                    games.append(
                        {
                            "number": self._named(number),
                            "began": start.began,
                            "sheet": title,
                            "players": start.players,
                        }
                    )
        except NoGamesError:
            pass  # a journal that is not there yet has no games
        return {"games": games, "more": False}

    def results(self, numbers: Sequence[int]) -> dict[str, Told]:
        """How some games went. That means playing them through, so it is asked for afterwards."""
        try:
            with reading(self._path) as connection:
                found = ((one, self._result(connection, one)) for one in numbers[:PAGE])
                return {self._named(number): told for number, told in found if told is not None}
        except NoGamesError:
            return {}

    def replayed(self, number: int, language: str) -> bytes:
        """One game as JSON, move by move, with the board after each.

        Each move is written by itself: a long game in one go would hold up the table, and need
        as much memory as the table has.
        """
        kept = self._kept(number)
        history = self._followed(kept)
        words = words_of(language)
        first = history.deeds[0].position if history.deeds else kept.last
        names = {colour: name for colour, name in kept.players.items() if name != colour}
        moves = []
        for deed in history.deeds:
            told = entry(deed, language, names) | {"pieces": state.pieces(deed.after)}
            moves.append(msgspec.Raw(_encode(told)))
            self._pace()
        whole = {
            "number": self._named(number),
            "began": _minute(kept.began),
            "names": names,
            "game": state.game_told(kept.game, words),
            "pieces": state.pieces(first),
            "moves": moves,
            "refused": _refused(kept, words),
            "die": history.die(),
            **self._summary(kept),
        }
        return _encode(whole)

    def until(self, number: int, moves: int) -> list[RecordData]:
        """What leads to a game after so many moves, for trying something else from there."""
        try:
            return records_until(self._kept(number).history, moves)
        except BadInput as fault:
            raise RequestRefused(404, f"game {number} cannot be replayed: {fault}") from None

    def figures(self, after: int, enough: Callable[[], bool]) -> Told:
        """What statistics count of the next games after a number, until it is enough for now.

        `next` is the number to ask from again; None when these were the last.
        """
        counted: list[Told] = []
        try:
            with reading(self._path) as connection:
                for number in _upwards(connection, after):
                    counted.append(self._figures(connection, number))
                    self._pace()
                    if enough():
                        return {"games": counted, "next": number}
        except NoGamesError:
            pass  # a journal that is not there yet has no games
        return {"games": counted, "next": None}

    def _named(self, number: int) -> str:
        return f"{self._mark}{number}"

    def _figures(self, connection: sqlite3.Connection, number: int) -> Told:
        """One game, counted."""
        start = self._start(connection, number)
        try:
            kept = kept_game(connection, number, self._pace)
            summary = self._summary(kept)
        except (BadInput, BrokenGameError):
            return {"number": self._named(number), "state": "broken"}
        hits: Counter[str] = Counter()
        for deed in kept.history.past:
            captures = sum(one.what in ("captured", "beaten") for one in deed.happenings)
            if captures and deed.move is not None:
                hits[kept.game.colours[deed.move.seat]] += captures
        rolls = [timed.record for timed in kept.timed if timed.record["kind"] == "roll"]
        refused = [one for timed in kept.timed for one in refusals_in(timed.record)[:1]]
        return {
            "number": self._named(number),
            "sheet": start.sheet,
            "players": kept.players,
            "hits": hits,
            "faces": [sum(roll["face"] == face for roll in rolls) for face in range(1, 7)],
            "refused": Counter(one.clause for one in refused),
            **summary,
        }

    def text(self, number: int) -> str:
        """The text record of one game."""
        kept = self._kept(number)
        return self._followed(kept).text(kept.began.date()) or ""

    def _followed(self, kept: KeptGame) -> HistoryFeed:
        """A game taken in from its beginning."""
        feed = HistoryFeed()
        try:
            feed.follow(kept.history, len(kept.history.deeds))
            while feed.behind:
                feed.catch_up(lambda: True)
                self._pace()
        except BadInput as fault:
            raise RequestRefused(404, f"game {kept.number} cannot be replayed: {fault}") from None
        return feed

    def _kept(self, number: int) -> KeptGame:
        try:
            with reading(self._path) as connection:
                return kept_game(connection, number, self._pace)
        except NoGamesError as fault:
            raise RequestRefused(404, str(fault)) from None

    def _start(self, connection: sqlite3.Connection, number: int) -> Start:
        """What is known of a game by its first record alone; that never changes."""
        if number not in self._starts:
            row = connection.execute(
                "SELECT at, record FROM records WHERE game = ? ORDER BY id LIMIT 1", (number,)
            ).fetchone()
            self._starts[number] = _read_start(*row)
        return self._starts[number]

    def _result(self, connection: sqlite3.Connection, number: int) -> Told | None:
        """How a game went; worked out once, as long as nothing was added to it."""
        last = connection.execute(
            "SELECT max(id) FROM records WHERE game = ?", (number,)
        ).fetchone()[0]
        if last is None:
            return None
        key = (number, last)
        if key not in self._results:
            try:
                self._results[key] = self._summary(kept_game(connection, number, self._pace))
            except (BadInput, BrokenGameError):
                self._results[key] = {"state": "broken", "winner": None, "count": 0, "minutes": 0}
            if len(self._results) > KNOWN:
                self._results.popitem(last=False)
        return self._results[key]

    def _summary(self, kept: KeptGame) -> Told:
        return {
            "state": kept.state,
            "winner": kept.winner,
            "count": kept.moves,
            "minutes": round(kept.seconds / 60),
        }


def _refused(kept: KeptGame, words: NullTranslations) -> dict[int, list[Told]]:
    """What was said to be not allowed, by how many moves stood then."""
    told: dict[int, list[Told]] = {}
    stood = 0
    for timed in kept.timed:
        record = timed.record
        stood += {"move": 1, "ruling": 1, "take_back": -1}.get(record["kind"], 0)
        for why in refusals_in(record):
            told.setdefault(stood, []).append(
                {
                    "clause": why.clause,
                    "text": phrases.refusal(kept.game, why, record["face"], words),
                    "places": why.places,
                }
            )
    return told


def _read_start(at: Any, text: Any) -> Start:
    """Read without making the game: there may be ten thousand of them."""
    record = read_record(text) or {}
    sheet, _, colours = str(record.get("game", "")).partition(" ")
    sheet = sheet.partition("+")[0]
    named = record.get("names")
    names = named if isinstance(named, dict) else {}
    players = {one: plain_name(str(names.get(one, ""))) for one in colours.split(",") if one}
    try:
        began = _minute(datetime.fromtimestamp(at))
    except (TypeError, ValueError, OverflowError, OSError):
        began = "?"
    searched = " ".join((began, sheet, *players.values(), *players)).casefold()
    if sheet not in SHEETS or not set(players) <= set(SHEETS[sheet].board.colours):
        return Start(began, "", {}, began)
    return Start(began, sheet, players, searched)


def _title(sheet: str, language: str) -> str:
    return labels.value(Line("sheet", sheet), words_of(language)) if sheet else ""


def _downwards(connection: sqlite3.Connection, before: int | None) -> Iterator[int]:
    """The numbers of games, latest first; one look into the index for each."""
    number = before if before is not None else 1 << 62
    while True:
        (found,) = connection.execute(
            "SELECT max(game) FROM records WHERE game < ? AND typeof(game) = 'integer'", (number,)
        ).fetchone()
        if found is None:
            return
        yield found
        number = found


def _upwards(connection: sqlite3.Connection, after: int) -> Iterator[int]:
    """The numbers of games, oldest first."""
    number = after
    while True:
        (found,) = connection.execute(
            "SELECT min(game) FROM records WHERE game > ? AND typeof(game) = 'integer'", (number,)
        ).fetchone()
        if found is None:
            return
        yield found
        number = found


def _minute(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")
