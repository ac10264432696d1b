"""The family's own sheets on the page: made, tried out, kept, shared, printed and deleted.

Whether rules go together is said at once. That their games end is tried out in a process of its
own, and never while somebody plays; only rules that were tried out are kept.
"""

import asyncio
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion import orders
from companion.archive import NoGamesError, pace, reading
from companion.house_sheets import HouseSheets, Kept
from companion.referee import Line, View
from companion.rules import SHEETS, BadInput, sheet
from companion.rules.family import SECONDS_A_ROLL, HouseRules, from_line, house_rules
from companion.rules.house import Contradiction, contradictions
from companion.rules.sheets import all_options
from companion.screens import labels
from companion.screens.fridge import fridge_page
from companion.screens.house_rules import (
    choices,
    contradiction,
    meaning,
    name_of,
    option_text,
    unknown_rule,
    unknown_sheet,
    unknown_value,
)
from companion.screens.languages import words as words_of
from companion.trying import Progress, TrialError, Tryout
from companion.web.guard import RequestRefused

Told = dict[str, Any]

RESTING = ("idle", "over")
"""The phases in which nobody plays, if there is no game beneath."""
REMEMBERED = 40
"""Rules that were tried out since the start, and can be kept."""
UNNAMED = "?"
"""What rules are called while they have no name yet."""


class OwnRules:
    """The sheets of one box; `changed` is told when there are others."""

    def __init__(
        self, folder: Path, journal: Path, changed: Callable[[], None], tryout: Tryout | None = None
    ) -> None:
        self.sheets = HouseSheets(folder)
        self.kept = Kept({}, {})
        self._journal = journal
        self._changed = changed
        self._tryout = tryout or Tryout()
        self._passed: dict[str, float] = {}
        self._trial: asyncio.Task[None] | None = None
        self._outcome: tuple[str, str, Progress] = ("", "", Progress(0, 1))
        self._playing = False

    async def read(self) -> None:
        """Look into the folder."""
        kept = await asyncio.to_thread(self.sheets.read)
        if kept != self.kept:
            self.kept = kept
            self._changed()

    def close(self) -> None:
        """Nobody waits for a trial any more."""
        self._tryout.end()
        if self._trial is not None:
            self._trial.cancel()

    def follow(self, view: View) -> None:
        """A new view of the table: whoever begins to play has the whole box."""
        self._playing = is_played(view)
        if self._playing:
            self._tryout.end()

    # -- what is told ----------------------------------------------------------------------------

    def called(self, rules: str) -> str | None:
        """What the family calls rules (`german+bounce`); None if they have no name here."""
        return next((one.name for one in self.kept.offered if one.rules_text == rules), None)

    def offered(self, language: str) -> list[Told]:
        """The sheets to choose for a game."""
        return [
            {
                "name": one.name,
                "base": one.base,
                "options": one.options,
                "about": _summary(one, words_of(language)),
            }
            for one in self.kept.offered
        ]

    def tell(self, told: Told, view: View, language: str) -> None:
        """Add to the table's state which sheets there are, and what they call the game."""
        told["own"] = self.offered(language)
        if view.position is not None:
            named = self.called(view.position.game.rules_text)
            told["game"]["title"] = named or told["game"]["title"]

    def order(self) -> orders.OwnSheets:
        """The same for the box's menu."""
        return orders.OwnSheets(
            tuple(orders.OwnSheet(one.name, one.base, one.rules) for one in self.kept.offered)
        )

    async def listed(self, view: View, language: str) -> Told:
        """Every sheet, what is wrong with files, and how fast people play here."""
        await self.read()
        words = words_of(language)
        seconds = await asyncio.to_thread(self._pace)
        sheets = self.kept.sheets.items()
        return {
            "sheets": [self._sheet(file, one, view, seconds, words) for file, one in sheets],
            "faults": [{"file": file, "why": why} for file, why in self.kept.faults.items()],
            "playing": self._playing,
        }

    def _sheet(
        self, file: str, rules: HouseRules, view: View, pace: float | None, words: NullTranslations
    ) -> Told:
        return {
            "file": file,
            "name": rules.name,
            "base": rules.base,
            "title": _title(rules.base, words),
            "rules": list(rules.rules),
            "labels": _labels(rules, words),
            "line": str(rules),
            "inUse": in_use(rules, view),
            **_duration(rules.rolls, pace),
        }

    def _pace(self) -> float | None:
        try:
            with reading(self._journal) as connection:
                return pace(connection)
        except NoGamesError:
            return None

    async def looked_at(self, base: str, rules: Sequence[str], language: str) -> Told:
        """What can be chosen with a base and these rules, and what cannot go together."""
        words = words_of(language)
        try:
            values = all_options(sheet(base), rules)
            found = contradictions(SHEETS[base], values)
            made = None if found else house_rules(UNNAMED, base, list(rules))
        except BadInput as fault:
            raise RequestRefused(422, str(fault)) from None
        told: Told = {
            "base": base,
            "choices": [_choice(base, *one, values, found, words) for one in choices(base)],
            "contradictions": [contradiction(one, words) for one in found],
            "articles": [],
            "passed": False,
        }
        if made is not None:
            seconds = await asyncio.to_thread(self._pace)
            rolls = self._passed.get(made.rules_text, self._known_rolls(made))
            told["articles"] = [
                {"id": one.id, "text": words.gettext(one.text)} for one in made.articles
            ]
            told |= {"passed": rolls is not None, **_duration(rolls, seconds)}
        return told

    def _known_rolls(self, rules: HouseRules) -> float | None:
        """How long a game of these rules takes, if a sheet has them already."""
        same = (
            one.rolls for one in self.kept.sheets.values() if one.rules_text == rules.rules_text
        )
        return next((rolls for rolls in same if rolls is not None), None)

    def read_line(self, line: str, language: str) -> Told:
        """A line that somebody was sent. Raises RequestRefused; `why` is the reason in words."""
        try:
            rules = from_line(line)
        except BadInput as fault:
            why = _why_not(line, words_of(language))
            if why is None:
                raise RequestRefused(422, str(fault)) from None
            raise RequestRefused(422, str(fault), why=why) from None
        return {"name": rules.name, "base": rules.base, "rules": list(rules.rules)}

    def page(self, file: str, language: str) -> str:
        """The page for the fridge."""
        words = words_of(language)
        return fridge_page(self._of(file), language, words, served=True)

    def shared(self, file: str, address: str | None) -> str:
        """What the code of a sheet says: a link to this box if phones reach it, else the line."""
        line = str(self._of(file))
        return line if address is None else shared_link(address, line)

    def _of(self, file: str) -> HouseRules:
        if file not in self.kept.sheets:
            raise RequestRefused(404, "there are no such house rules")
        return self.kept.sheets[file]

    # -- trying out ------------------------------------------------------------------------------

    def try_out(self, base: str, rules: Sequence[str]) -> str:
        """Begin to try rules out, in place of those that somebody else tries; `progress` says how
        far it is. Returns the name by which it speaks of them."""
        if self._playing:
            raise RequestRefused(409, "a game is being played: rules are tried out afterwards")
        try:
            made = house_rules(UNNAMED, base, list(rules))
        except BadInput as fault:
            raise RequestRefused(422, str(fault)) from None
        self.close()
        self._outcome = (made.rules_text, "running", Progress(0, 1))
        self._trial = asyncio.create_task(self._try(made))
        return made.rules_text

    async def _try(self, rules: HouseRules) -> None:
        key = rules.rules_text
        try:
            found = await self._tryout.run(str(rules))
        except TrialError:
            self._outcome = (key, "ended", Progress(0, 1))
            return
        self._outcome = (key, "passed" if found.passed else "endless", found)
        if found.passed:
            self._passed[key] = found.rolls
            while len(self._passed) > REMEMBERED:
                del self._passed[next(iter(self._passed))]

    def progress(self) -> Told:
        """How far the trial is, of which rules, and how it ended."""
        rules, state, _ = self._outcome
        games, of, *_ = self._tryout.progress
        return {"rules": rules, "state": state, "games": games, "of": of}

    # -- orders ----------------------------------------------------------------------------------

    async def do(self, order: orders.KeepRules | orders.DeleteRules, view: View) -> None:
        """Keep or delete a sheet. Raises RequestRefused with a sentence."""
        try:
            if isinstance(order, orders.KeepRules):
                await self._keep(order)
            else:
                await self._delete(order.name, view)
        except BadInput as fault:
            raise RequestRefused(422, str(fault)) from None
        except OSError as fault:
            raise RequestRefused(507, f"it cannot be kept: {fault.strerror or fault}") from None
        await self.read()

    async def _keep(self, order: orders.KeepRules) -> None:
        rules = house_rules(order.name, order.base, list(order.rules))
        rolls = self._passed.get(rules.rules_text, self._known_rolls(rules))
        if rolls is None:
            raise BadInput("these rules have not been tried out yet: try them out first")
        tried = rules._replace(rolls=round(rolls, 1))
        await asyncio.to_thread(self.sheets.keep, tried, order.instead_of)

    async def _delete(self, name: str, view: View) -> None:
        file = self.kept.called(name)
        if file is not None and in_use(self.kept.sheets[file], view):
            raise RequestRefused(409, "a game is being played by it: delete it when that is over")
        await asyncio.to_thread(self.sheets.delete, name)


def is_played(view: View) -> bool:
    """Whether a game is under way, also while a menu covers it or it is paused."""
    return view.position is not None and not view.position.over and view.phase not in RESTING


def in_use(rules: HouseRules, view: View) -> bool:
    """Whether a game of these rules is under way."""
    return is_played(view) and view.position is not None and rules.is_of(view.position.game)


def shared_link(address: str, line: str) -> str:
    """Where a phone opens rules as its own; `address` is where phones find the page."""
    root = address.rpartition("/")[0]
    return f"{root}/house-rules?line={quote(line, safe='')}"


def _why_not(line: str, words: NullTranslations) -> str | None:
    """Why no rules can be made of a line: what it names that is not here, or what cannot go
    together. None if it is no line or not a whole one, or for another reason."""
    base, *rules = line.strip().rpartition(":")[2].strip().split("+")
    if ":" not in line or not base:
        return None
    if base not in SHEETS:
        return unknown_sheet(base, words)
    if "" in rules:
        return None
    options = {option.name: option for option, _ in choices(base)}
    for rule in rules:
        option = options.get(rule.partition("=")[0])
        if option is None:
            return unknown_rule(rule, words)
        try:
            all_options(sheet(base), [rule])
        except BadInput:
            return unknown_value(rule, option, words)
    found = contradictions(SHEETS[base], all_options(sheet(base), rules))
    return " ".join(contradiction(one, words) for one in found) or None


def _title(base: str, words: NullTranslations) -> str:
    return labels.value(Line("sheet", base), words)


def _summary(rules: HouseRules, words: NullTranslations) -> str:
    """A sheet in one line: what it is made from, and what is changed."""
    return ", ".join((_title(rules.base, words), *_labels(rules, words)))


def _labels(rules: HouseRules, words: NullTranslations) -> list[str]:
    return [option_text(name, value, words) for name, value in rules.options.items()]


def _duration(rolls: float | None, pace: float | None) -> Told:
    """How long a game takes, and whether that is the family's own pace."""
    seconds = SECONDS_A_ROLL if pace is None else pace
    minutes = None if rolls is None else max(1, round(rolls * seconds / 60))
    return {"minutes": minutes, "seconds": round(seconds), "ownPace": pace is not None}


def _choice(
    base: str,
    option: Any,
    article: Any,
    values: dict[str, bool | int],
    found: Sequence[Contradiction],
    words: NullTranslations,
) -> Told:
    """One rule to choose: what it is called and means, and what keeps it from being chosen."""
    value = values.get(option.name, option.default)
    # What another rule would mend is said when it is switched on.
    alone = contradictions(SHEETS[base], {option.name: True})
    never = [one for one in alone if one.kind != "other_die"]
    return {
        "name": option.name,
        "label": name_of(option.name, words),
        "about": meaning(article, words),
        "clause": article.id if article is not None else "",
        "value": value,
        "default": option.default,
        "allowed": list(option.allowed),
        "never": contradiction(never[0], words) if never else "",
        "trouble": [
            contradiction(one, words)
            for one in found
            if value and option.name in (one.switch, one.other)
        ],
    }
