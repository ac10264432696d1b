"""A family's sheet as it is kept and shared: a name, a base and what is switched on.

As a TOML file:

    name = "Sunday rules"
    base = "british"
    rules = ["capture_rolls", "bounce", "pieces=3"]

and as one line to send to somebody: `Sunday rules: british+capture_rolls+bounce+pieces=3`. The
name is for people; a game is known by base and rules alone. Whoever has tried them out adds
`rolls = 212.5` to the file: so many a game took on average.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from companion.rules.articles import Article
from companion.rules.errors import BadInput
from companion.rules.game import Game
from companion.rules.names import plain_name
from companion.rules.sheets import game, rule_words, sheet

LONGEST_NAME = 40
MOST_RULES = 40
SECONDS_A_ROLL = 12.0
"""How long a roll takes where no past game tells."""
MOST_ROLLS = 20_000


class HouseRules(NamedTuple):
    """A sheet of a family's own. It can always be played: `house_rules` refuses any other."""

    name: str
    base: str
    rules: tuple[str, ...]
    rolls: float | None = None
    """How many rolls a game took when they were tried out; None if nobody has done so."""

    def game(self, colours: list[str] | None = None) -> Game:
        """The game that is played by it."""
        return game(self.base, self.rules, colours)

    @property
    def articles(self) -> tuple[Article, ...]:
        """Every clause in force, the base's first."""
        return self.playable().articles

    def playable(self) -> Game:
        """The game with as many colours as the rules ask for, all if they ask for none."""
        return self.game(self.seats)

    @property
    def seats(self) -> list[str] | None:
        """As many colours as the rules ask for; None if any number will do."""
        return _colours(self.rules, self.base)

    def __str__(self) -> str:
        """One line to share."""
        return f"{self.name}: {self.rules_text}"

    @property
    def rules_text(self) -> str:
        """Base and switches, as a game by these rules says them."""
        return "+".join((self.base, *self.rules))

    @property
    def options(self) -> dict[str, bool | int]:
        """Base and switches as a game is asked for them."""
        parted = (rule.partition("=") for rule in self.rules)
        return {name: int(value) if value else True for name, _, value in parted}

    def is_of(self, table: Game) -> bool:
        """Whether a game is played by these rules, whoever plays."""
        return table.rules_text == self.rules_text

    def toml(self) -> str:
        """The file to keep."""
        import json  # only files need it: who plays by a sheet reads none

        rules = ", ".join(json.dumps(rule) for rule in self.rules)
        tried = "" if self.rolls is None else f"rolls = {self.rolls:.1f}\n"
        return (
            f"name = {json.dumps(self.name, ensure_ascii=False)}\n"
            f"base = {json.dumps(self.base)}\nrules = [{rules}]\n{tried}"
        )


def house_rules(name: Any, base: Any, rules: Any) -> HouseRules:
    """Check a family's sheet as it is made; raises BadInput with what to change."""
    if not isinstance(name, str) or not plain_name(name):
        raise BadInput("house rules need a name, for instance 'Sunday rules'")
    called = plain_name(name)
    if len(called) > LONGEST_NAME:
        raise BadInput(f"the name has {len(called)} letters: {LONGEST_NAME} are the most")
    if set(called) & set('<>|:+"\\'):
        raise BadInput(f"the name {called!r} has signs in it: use letters, numbers and spaces")
    if not isinstance(base, str):
        raise BadInput("house rules need a base, for instance base = 'german'")
    if not isinstance(rules, list | tuple) or not all(isinstance(one, str) for one in rules):
        raise BadInput("rules are a list of words, for instance ['capture_rolls', 'pieces=3']")
    if len(rules) > MOST_RULES:
        raise BadInput(f"there are {len(rules)} rules: {MOST_RULES} are the most")
    if len({rule.partition("=")[0] for rule in rules}) < len(rules):
        raise BadInput("a rule stands there twice: keep one of them")
    return HouseRules(called, base, rule_words(base, rules, _colours(tuple(rules), base)))


def _colours(rules: tuple[str, ...], base: str) -> list[str] | None:
    """Seats with which the rules can be checked, where they ask for a number of players."""
    colours = list(sheet(base).board.colours)
    if "two_colours_each" in rules:
        return colours[:2]
    return colours[:3] if "neutral_colour" in rules else None


def from_toml(text: str) -> HouseRules:
    """Read a file; raises BadInput."""
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"this is no TOML file: {error}") from None
    unknown = sorted(set(found) - {"name", "base", "rules", "rolls"})
    if unknown:
        raise BadInput(f"unknown key {unknown[0][:40]!r}: a file has name, base, rules and rolls")
    rules = house_rules(found.get("name"), found.get("base"), found.get("rules", []))
    rolls = found.get("rolls")
    if rolls is not None and not (type(rolls) in (int, float) and 1 <= rolls <= MOST_ROLLS):
        raise BadInput(f"rolls is a number from 1 to {MOST_ROLLS}: leave it out, and try them out")
    return rules._replace(rolls=rolls)


def from_line(text: str) -> HouseRules:
    """Read a line that was shared; raises BadInput."""
    name, colon, rest = text.strip().rpartition(":")
    if not colon:
        raise BadInput(f"cannot read {text[:60]!r}: write NAME: SHEET+RULE+RULE")
    base, *rules = rest.strip().split("+")
    return house_rules(name, base, rules)


# -- whether it ends, and how long it takes -----------------------------------------------------


class Trial(NamedTuple):
    """How random games of some rules went."""

    games: int
    ended: int
    rolls: float
    longest: int

    def minutes(self, seconds_a_roll: float | None = None) -> float:
        """How long a game takes, at the family's own pace if that is known."""
        return self.rolls * (SECONDS_A_ROLL if seconds_a_roll is None else seconds_a_roll) / 60


def game_lengths(table: Game, games: int, random: Callable[[], float]) -> Iterator[int | None]:
    """Play random games: how many rolls each took; None for one longer than `MOST_ROLLS`."""
    for _ in range(games):
        here, rolls = table.start(), 0
        while not here.over and rolls < MOST_ROLLS:
            moves = table.legal_moves(here, here.due or table.die.roll(random))
            here, rolls = table.play(here, moves[int(random() * len(moves))]), rolls + 1
        yield rolls if here.over else None


def summed_up(lengths: Iterable[int | None]) -> Trial:
    """What games of these lengths say about their rules."""
    every = list(lengths)
    ended = [one for one in every if one is not None]
    rolls = [MOST_ROLLS if one is None else one for one in every]
    return Trial(len(every), len(ended), sum(rolls) / len(every), max(rolls))


def trial(table: Game, games: int, random: Callable[[], float]) -> Trial:
    """Play random games, none of them longer than `MOST_ROLLS`."""
    return summed_up(game_lengths(table, games, random))
