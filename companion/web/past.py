"""Past games for the page: which are kept here, by name, sheet or day, and one of them to replay.

Everything is read from the journal's file, in a thread and by a connection of its own: the table
plays on meanwhile.
"""

import sqlite3
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache
from gettext import NullTranslations
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.archive import (
    BrokenGameError,
    KeptGame,
    NoGamesError,
    Pace,
    kept_game,
    numbers,
    reading,
)
from companion.events import RecordData
from companion.journal import read_record
from companion.referee import Line
from companion.rules import SHEETS, BadInput, recall_game
from companion.rules.history import Roll, refusals_in
from companion.rules.levels import LEVELS
from companion.rules.names import plain_name
from companion.rules.records import Record
from companion.screens import labels, phrases
from companion.screens.languages import words as words_of
from companion.web import state
from companion.web.guard import RequestRefused
from companion.web.history import DieCounts, HistoryFeed, entry
from companion.web.what_if import records_until, rolls_of

PAGE = 20
"""Games in one answer; the page asks for more."""
KNOWN = 2000
"""Games whose results are remembered: a game that is over does not change."""

Told = dict[str, Any]

Called = Callable[[str], str | None]
"""What the family calls some rules (`german+bounce`); None if they have no name here."""

_FIRST = 9
"""Records of a game among which are those that say which seats the box has from the beginning."""

_encode = msgspec.json.Encoder().encode


class Start(NamedTuple):
    """A game by its first records, and the words it is searched by, besides its rules' title.

    `levels` are the box's players, by their colour.
    """

    began: str
    sheet: str
    rules: str
    players: dict[str, str]
    levels: dict[str, str]
    searched: str


class PastGames:
    """The games of one journal, for reading. `pace` gives the table its turn meanwhile.

    A `mark` goes before their numbers in addresses. `timed` says whether it is known when they
    began; else only the day is.
    """

    def __init__(
        self,
        path: Path,
        pace: Pace,
        mark: str = "",
        *,
        timed: bool = True,
        called: Called = lambda rules: None,
    ) -> None:
        self._path = path
        self._pace = pace
        self._mark = mark
        self._timed = timed
        self._zone = None if timed else UTC  # a day alone is kept as noon there
        self._called = called
        self._starts: dict[int, tuple[int, Start]] = {}
        self._results: OrderedDict[tuple[int, int, float], Told] = OrderedDict()

    def listed(self, query: str, before: int | None, language: str) -> Told:
        """The latest games that a query is found in, from one number downwards."""
        wanted = _searchable(query).split()
        games: list[Told] = []
        try:
            with reading(self._path) as connection:
                for number in _downwards(connection, before):
                    self._pace()
                    start = self._start(connection, number)
                    title = self._title(start, language)
                    levels = _level_names(start.levels, language)
                    more = (title, *levels, _day(start.began[:10], language))
                    searched = f"{start.searched} {_searchable(' '.join(more))}"
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
                            "levels": start.levels,
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
        levels = _first_levels(timed.record for timed in kept.timed[:_FIRST])
        called = labels.called(names, levels, words)
        moves = []
        for deed in history.deeds:
            told = entry(deed, language, called) | {"pieces": state.pieces(deed.after)}
            moves.append(msgspec.Raw(_encode(told)))
            self._pace()
        whole = {
            "number": self._named(number),
            "onTable": self._is_on_table(number),
            "began": self._moment(kept.timed[0].at),
            "names": names,
            "levels": levels,
            "game": self._game(kept, words),
            "pieces": state.pieces(first),
            "moves": moves,
            "refused": _refused(kept, words),
            "die": DieCounts(_rolls(kept)).told(),
            **self._summary(kept),
        }
        return _encode(whole)

    def until(self, number: int, moves: int) -> list[RecordData]:
        """What leads to a game after so many moves, for trying something else from there."""
        try:
            return records_until(self._kept(number).history, moves)
        except BadInput as fault:
            raise RequestRefused(404, f"game {number} cannot be replayed: {fault}") from None

    def number_of(self, record: Record) -> str | None:
        """The number of the same game, if it is here. Only games that begin alike are read."""
        colours = [record.game.colours[seat] for seat in record.game.seats]
        players = dict(zip(colours, record.players, strict=True))
        told = record.unmarked()
        try:
            with reading(self._path) as connection:
                for number in _downwards(connection, None):
                    self._pace()
                    start = self._start(connection, number)
                    same = (start.rules, start.players) == (record.game.rules_text, players)
                    if not same or start.began[:10] != record.date.isoformat():
                        continue
                    with suppress(BadInput, BrokenGameError):  # what is damaged is not the same
                        if kept_game(connection, number, self._pace).record.unmarked() == told:
                            return self._named(number)
        except NoGamesError:
            pass  # a journal that is not there yet has no games
        return None

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
        rolls = DieCounts(_rolls(kept))
        refused = [one for timed in kept.timed for one in refusals_in(timed.record)[:1]]
        return {
            "number": self._named(number),
            "sheet": start.sheet,
            "rules": self._called(start.rules),
            "players": kept.players,
            "levels": start.levels,
            "held": _levels(timed.record for timed in kept.timed),
            "hits": hits,
            "faces": rolls.thrown,
            "entered": rolls.by_hand,
            "chosen": rolls.chosen,
            "refused": Counter(one.clause for one in refused),
            **summary,
        }

    def text(self, number: int) -> str:
        """The text record of one game."""
        kept = self._kept(number)
        day = datetime.fromtimestamp(kept.timed[0].at, self._zone).date()
        return self._followed(kept).text(day) or ""

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

    def count(self) -> int:
        """How many games there are."""
        try:
            with reading(self._path) as connection:
                return len(numbers(connection))
        except NoGamesError:
            return 0

    def has(self, number: int) -> bool:
        """Whether there is something of a game."""
        try:
            with reading(self._path) as connection:
                return number == next(_downwards(connection, number + 1), None)
        except NoGamesError:
            return False

    def drop(self, number: int) -> None:
        """A game was deleted, and another may get its number: nothing is known of it."""
        self._starts.pop(number, None)
        for key in [key for key in self._results if key[0] == number]:
            del self._results[key]

    def _is_on_table(self, number: int) -> bool:
        """Whether a table goes on with it: it does with the latest one that was played here."""
        try:
            with reading(self._path) as connection:
                return not self._mark and number == next(_downwards(connection, None), None)
        except NoGamesError:
            return False

    def _kept(self, number: int) -> KeptGame:
        try:
            with reading(self._path) as connection:
                return kept_game(connection, number, self._pace)
        except BrokenGameError as fault:
            raise RequestRefused(404, str(fault)) from None
        except NoGamesError:  # what is said of files is for those who can look at them
            told = f"there is no game {self._mark}{number} here, or it cannot be read"
            raise RequestRefused(404, told) from None

    def _start(self, connection: sqlite3.Connection, number: int) -> Start:
        """What is known of a game by its first records alone; once it is played on, as long as its
        very first is the same: a name may be forgotten, and a new file has other games."""
        one = connection.execute(
            "SELECT at, record FROM records WHERE game = ? ORDER BY id LIMIT 1", (number,)
        ).fetchone()
        known, start = self._starts.get(number, (None, None))
        if start is not None and known == hash(one):
            return start
        rows = connection.execute(
            "SELECT at, kind, record FROM records WHERE game = ? ORDER BY id LIMIT ?",
            (number, _FIRST),
        ).fetchall()
        first = [*rows[:1], *(row for row in rows[1:] if row[1] in ("seat", "roll"))]
        records = [read_record(text) or {} for _, _, text in first]
        start = _read_start(self._moment(rows[0][0]), records)
        if len(rows) == _FIRST:
            self._starts[number] = (hash(rows[0][::2]), start)
        return start

    def _moment(self, at: Any) -> str:
        """When that was, in the time of this place; or the day alone."""
        try:
            moment = datetime.fromtimestamp(at, self._zone)
            if not self._timed:
                return moment.date().isoformat()
            return moment.isoformat(sep=" ", timespec="minutes")
        except (TypeError, ValueError, OverflowError, OSError):
            return "?"

    def _title(self, start: Start, language: str) -> str:
        """What a game's rules are called: by the family, or else by what they change."""
        if not start.sheet:
            return ""
        return self._called(start.rules) or _plain_title(start.sheet, start.rules, language)

    def _game(self, kept: KeptGame, words: NullTranslations) -> Told:
        told = state.game_told(kept.game, words)
        named = self._called(kept.game.rules_text)
        return told if named is None else told | {"title": named}

    def _result(self, connection: sqlite3.Connection, number: int) -> Told | None:
        """How a game went; worked out once, as long as nothing was added to it."""
        last, at = connection.execute(
            "SELECT max(id), at FROM records WHERE game = ?", (number,)
        ).fetchone()
        if last is None:
            return None
        key = (number, last, at)
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
    """What was said to be not allowed, by the number of the move that was made then instead.

    What came after the last move stands with that one.
    """
    told: dict[int, list[Told]] = {}
    stood = 0
    last = len(kept.history.past)
    for timed in kept.timed:
        record = timed.record
        stood += {"move": 1, "ruling": 1, "take_back": -1}.get(record["kind"], 0)
        for why in refusals_in(record):
            told.setdefault(min(stood + 1, last), []).append(
                {
                    "clause": why.clause,
                    "text": phrases.refusal(kept.game, why, record["face"], words),
                    "places": why.places,
                }
            )
    return told


def _rolls(kept: KeptGame) -> list[Roll]:
    """Every roll; games that were brought by an earlier version have those of their moves."""
    return kept.rolls or [roll for deed in kept.history.past for roll in rolls_of(deed)]


def _read_start(began: str, records: Sequence[dict[str, Any]]) -> Start:
    """Read without making the game: there may be ten thousand of them."""
    rules, _, colours = str(records[0].get("game", "")).partition(" ")
    sheet = rules.partition("+")[0]
    named = records[0].get("names")
    names = named if isinstance(named, dict) else {}
    players = {one: plain_name(str(names.get(one, ""))) for one in colours.split(",") if one}
    searched = _searchable(" ".join((began, sheet, *players.values(), *players)))
    if sheet not in SHEETS or not set(players) <= set(SHEETS[sheet].board.colours):
        return Start(began, "", "", {}, {}, began)
    return Start(began, sheet, rules, players, _first_levels(records), searched)


def _first_levels(records: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The seats that the box has before anybody rolls."""
    return _levels(takewhile(lambda one: one.get("kind") != "roll", records))


def _levels(records: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The seats that the box has after these records."""
    held: dict[str, str] = {}
    for record in records:
        if record.get("kind") == "seat" and isinstance(record.get("colour"), str):
            held.pop(record["colour"], None)
            if record.get("level") in LEVELS:
                held[record["colour"]] = record["level"]
    return held


def _level_names(levels: dict[str, str], language: str) -> Iterator[str]:
    words = words_of(language)
    return (words.gettext(labels.VALUES[level]) for level in levels.values())


@lru_cache(1024)
def _day(began: str, language: str) -> str:
    """A day as people write it: `5 November`, `5.11.2026`, `5-11-2026`."""
    try:
        day = date.fromisoformat(began)
    except ValueError:
        return ""
    month = words_of(language).gettext(labels.MONTHS[day.month - 1])
    ways = (f"{day:%d}{{0}}{day:%m}{{0}}{day.year}", f"{day.day}{{0}}{day.month}{{0}}{day.year}")
    return " ".join([month, *(way.format(mark) for way in ways for mark in ".-/")])


@lru_cache(256)
def _plain_title(sheet: str, rules: str, language: str) -> str:
    """A sheet, and the house rules that change it."""
    words = words_of(language)
    try:
        return state.title(recall_game(rules), words)
    except BadInput:
        return labels.value(Line("sheet", sheet), words)


def _searchable(text: str) -> str:
    """Small letters without accents: who looks for "jorg" finds Jörg."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parted if not unicodedata.combining(letter))


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
