"""Past games for the page: which are kept here, by name, sheet or day, and one of them to replay.

Everything is read from the journal's file, in a thread and by a connection of its own: the table
plays on meanwhile.
"""

import sqlite3
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache
from gettext import NullTranslations
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.archive import (
    BEGUN,
    BrokenGameError,
    KeptGame,
    NoGamesError,
    Pace,
    kept_game,
    reading,
    was_played,
)
from companion.events import RecordData
from companion.game_numbers import KnownNumbers
from companion.journal import read_record
from companion.referee import Line
from companion.rules import SHEETS, BadInput, recall_game
from companion.rules.history import Roll, holders, player_of, refusals_in
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

Held = Mapping[str, Sequence[str | None]]
"""By the colour of a seat, who played there one after the other."""

_BROKEN: Told = {"state": "broken", "winner": None, "count": 0, "minutes": 0}

_encode = msgspec.json.Encoder().encode


class Start(NamedTuple):
    """A game by its first records, and the words it is searched by, besides its rules' title.

    `levels` are the box's players, by their colour; `played` says whether anybody rolled.
    """

    began: str
    sheet: str
    rules: str
    players: dict[str, str]
    levels: dict[str, str]
    searched: str
    played: bool = True


class PastGames:
    """The games of one journal, for reading. `pace` gives the table its turn meanwhile.

    They are called by their numbers, as people call them (see `game_numbers.py`). A `mark` goes
    before those of games from elsewhere. `timed` says whether it is known when they
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
        self._numbers = KnownNumbers()
        self._starts: dict[int, tuple[int, Start]] = {}
        self._results: OrderedDict[tuple[int, int, float], tuple[Told, Held]] = OrderedDict()

    def listed(self, query: str, before: int | None, language: str) -> Told:
        """The latest games that a query is found in, from one number downwards.

        Games that were set up, and in which nobody rolled, are left out.
        """
        wanted = _searchable(query).split()
        games: list[Told] = []
        try:
            with reading(self._path) as connection:
                for number, id in self._latest(connection, before):
                    self._pace()
                    start = self._start(connection, id)
                    if not (start.played or self._mark):
                        continue
                    if not self._is_meant(connection, id, start, wanted, language):
                        continue
                    if len(games) == PAGE:
                        return {"games": games, "more": True}
                    games.append(
                        {
                            "number": self._named(number),
                            "began": start.began,
                            "sheet": self._title(start, language),
                            "players": start.players,
                            "levels": start.levels,
                        }
                    )
        except NoGamesError:
            pass  # a journal that is not there yet has no games
        return {"games": games, "more": False}

    def latest(self) -> str | None:
        """What the game is called with which the table goes on, also one that is not listed."""
        try:
            with reading(self._path) as connection:
                return next((self._named(number) for number, _ in self._latest(connection)), None)
        except NoGamesError:
            return None

    def results(self, numbers: Sequence[int], language: str) -> dict[str, Told]:
        """How some games went, and who played in them. That means playing them through, so it is
        asked for afterwards."""
        found: dict[str, Told] = {}
        try:
            with reading(self._path) as connection:
                known = self._numbers.of(connection)
                for number in numbers[:PAGE]:
                    id = known.id(number)
                    result = None if id is None else self._result(connection, id)
                    if id is not None and result is not None:
                        told, held = result
                        names = self._start(connection, id).players
                        by = labels.played_by(held, names, words_of(language))
                        found[self._named(number)] = told | {"playedBy": by}
        except NoGamesError:
            pass
        return found

    def replayed(self, number: int, language: str, *, old: bool = False) -> bytes:
        """One game as JSON, move by move, with the board after each.

        Each move is written by itself: a long game in one go would hold up the table, and need
        as much memory as the table has. An `old` link names it by its id.
        """
        kept = self._kept(number, old=old)
        history = self._followed(kept)
        words = words_of(language)
        first = history.deeds[0].position if history.deeds else kept.last
        names = {colour: name for colour, name in kept.players.items() if name != colour}
        levels = _first_levels(timed.record for timed in kept.timed[:_FIRST])
        moves = []
        for deed in history.deeds:
            called = labels.called(names, deed.box, words)
            told = entry(deed, language, called)
            told |= {"pieces": state.pieces(deed.after), "by": called.get(told["colour"])}
            moves.append(msgspec.Raw(_encode(told)))
            self._pace()
        whole = {
            "number": self._named(kept.number),
            "onTable": self._is_on_table(kept.number),
            "began": self._moment(kept.timed[0].at),
            "names": names,
            "levels": levels,
            "playedBy": history.played_by(language),
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
                for number, id in self._latest(connection):
                    self._pace()
                    start = self._start(connection, id)
                    same = (start.rules, start.players) == (record.game.rules_text, players)
                    if not same or start.began[:10] != record.date.isoformat():
                        continue
                    with suppress(BadInput, BrokenGameError):  # what is damaged is not the same
                        if self._kept_game(connection, id, number).record.unmarked() == told:
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
                for number, id in self._numbers.of(connection):
                    if number <= after or not self._start(connection, id).played:
                        continue
                    counted.append(self._figures(connection, id, number))
                    self._pace()
                    if enough():
                        return {"games": counted, "next": number}
        except NoGamesError:
            pass  # a journal that is not there yet has no games
        return {"games": counted, "next": None}

    def _named(self, number: int) -> str:
        return f"{self._mark}{number}"

    def _latest(
        self, connection: sqlite3.Connection, before: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Number and id of games, latest first."""
        known = self._numbers.of(connection)
        for id in reversed(known.ids):
            number = known.number(id)
            if number is not None and (before is None or number < before):
                yield number, id

    def _kept_game(self, connection: sqlite3.Connection, id: int, number: int) -> KeptGame:
        return kept_game(connection, id, number, self._pace, self._mark)

    def _figures(self, connection: sqlite3.Connection, id: int, number: int) -> Told:
        """One game, counted."""
        start = self._start(connection, id)
        try:
            kept = self._kept_game(connection, id, number)
            summary = self._summary(kept)
        except (BadInput, BrokenGameError):
            return {"number": self._named(number), "state": "broken"}
        hits: Counter[tuple[str, str | None]] = Counter()
        for deed in kept.history.past:
            captures = sum(one.what in ("captured", "beaten") for one in deed.happenings)
            if captures and deed.move is not None:
                hits[player_of(kept.game, deed)] += captures
        rolls = DieCounts(_rolls(kept))
        refused = [{one.clause for one in refusals_in(timed.record)} for timed in kept.timed]
        return {
            "number": self._named(number),
            "sheet": start.sheet,
            "rules": self._called(start.rules),
            "players": kept.players,
            "held": _levels(timed.record for timed in kept.timed),
            "hits": [[colour, level, number] for (colour, level), number in hits.items()],
            "faces": rolls.thrown,
            "entered": rolls.by_hand,
            "chosen": rolls.chosen,
            "refused": Counter(clause for clauses in refused for clause in clauses),
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
            told = f"game {kept.mark}{kept.number} cannot be replayed: {fault}"
            raise RequestRefused(404, told) from None
        return feed

    def count(self) -> int:
        """How many games there are."""
        try:
            with reading(self._path) as connection:
                return len(self._numbers.of(connection))
        except NoGamesError:
            return 0

    def id(self, number: int) -> int | None:
        """The id of a game of which there is something."""
        try:
            with reading(self._path) as connection:
                return self._numbers.of(connection).id(number)
        except NoGamesError:
            return None

    def number(self, id: int) -> str | None:
        """What a game is called, by its id."""
        try:
            with reading(self._path) as connection:
                number = self._numbers.of(connection).number(id)
        except NoGamesError:
            return None
        return None if number is None else self._named(number)

    def drop(self, id: int) -> None:
        """A game was deleted, and another may get its id: nothing is known of it."""
        self._starts.pop(id, None)
        for key in [key for key in self._results if key[0] == id]:
            del self._results[key]

    def _is_on_table(self, number: int) -> bool:
        """Whether a table goes on with it: it does with the latest one that was played here."""
        return not self._mark and self.latest() == self._named(number)

    def _kept(self, number: int, *, old: bool = False) -> KeptGame:
        try:
            with reading(self._path) as connection:
                known = self._numbers.of(connection)
                id, name = (number, known.number(number)) if old else (known.id(number), number)
                if id is None or name is None:
                    raise NoGamesError(f"there is no game {number}")
                return self._kept_game(connection, id, name)
        except BrokenGameError as fault:
            raise RequestRefused(404, str(fault)) from None
        except NoGamesError:  # what is said of files is for those who can look at them
            told = f"there is no game {self._mark}{number} here, or it cannot be read"
            raise RequestRefused(404, told) from None

    def _start(self, connection: sqlite3.Connection, id: int) -> Start:
        """What is known of a game by its first records alone; once it is played on, as long as its
        very first is the same: a name may be forgotten, and a new file has other games."""
        one = connection.execute(
            "SELECT at, record FROM records WHERE game = ? ORDER BY id LIMIT 1", (id,)
        ).fetchone()
        known, start = self._starts.get(id, (None, None))
        if start is not None and known == hash(one):
            return start
        rows = connection.execute(
            "SELECT at, kind, record FROM records WHERE game = ? ORDER BY id LIMIT ?",
            (id, _FIRST),
        ).fetchall()
        first = [*rows[:1], *(row for row in rows[1:] if row[1] in ("seat", "roll"))]
        records = [read_record(text) or {} for _, _, text in first]
        start = _read_start(self._moment(rows[0][0]), records)
        played = any(kind in BEGUN for _, kind, _ in rows) or was_played(connection, id)
        start = start._replace(played=played)
        if len(rows) == _FIRST and start.played:
            self._starts[id] = (hash(rows[0][::2]), start)
        return start

    def _is_meant(
        self,
        connection: sqlite3.Connection,
        id: int,
        start: Start,
        wanted: Sequence[str],
        language: str,
    ) -> bool:
        """Whether the words that somebody looks for are all found in a game.

        Who took a seat later is read only where that could be what is meant.
        """
        more = (
            self._title(start, language),
            *_level_names(start.levels.values(), language),
            _day(start.began[:10], language),
        )
        searched = f"{start.searched} {_searchable(' '.join(more))}"
        missing = [word for word in wanted if word not in searched]
        box = _searchable(" ".join(_level_names(LEVELS, language))) if missing else ""
        if not all(word in box for word in missing):
            return False
        if missing:
            seated = connection.execute(
                "SELECT record FROM records WHERE game = ? AND kind = 'seat'", (id,)
            )
            levels = {(read_record(text) or {}).get("level") for (text,) in seated}
            names = _level_names((one for one in LEVELS if one in levels), language)
            searched = _searchable(" ".join(names))
        return all(word in searched for word in missing)

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

    def _result(self, connection: sqlite3.Connection, id: int) -> tuple[Told, Held] | None:
        """How a game went, and who held its seats; worked out once, as long as nothing was added
        to it."""
        last, at = connection.execute(
            "SELECT max(id), at FROM records WHERE game = ?", (id,)
        ).fetchone()
        if last is None:
            return None
        key = (id, last, at)
        if key not in self._results:
            try:
                kept = self._kept_game(connection, id, 0)
                held = holders(kept.game, kept.history.past)
                self._results[key] = self._summary(kept), held
            except (BadInput, BrokenGameError):
                self._results[key] = dict(_BROKEN), {}
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


def _level_names(levels: Iterable[str], language: str) -> Iterator[str]:
    words = words_of(language)
    return (words.gettext(labels.VALUES[level]) for level in levels)


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
