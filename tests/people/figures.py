"""What an evening is measured by: counts, kinds, times, and the table that shows them."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

ROWS = (
    ("games", "games"),
    ("four", "of these with four players"),
    ("turns", "rolls"),
    ("honest", "honest moves"),
    ("boxed", "of these made for the box"),
    ("refused", "honest moves refused"),
    ("mistaken", "honest moves mistaken"),
    ("hanging", "honest moves left hanging"),
    ("rolls_lost", "rolls that had to be made again"),
    ("stops", "STOPs"),
    ("undeserved", "undeserved STOPs"),
    ("asks", "questions"),
    ("false_asks", "questions none of whose answers was true"),
    ("hints", "hints"),
    ("cuts", "cable or power out in the middle"),
    ("wrongs", "illegal acts"),
    ("visible", "illegal acts a sensor can see"),
    ("flagged", "of these flagged"),
    ("guided", "guided back after cable or power was out"),
    ("as_push", "flagged otherwise: looks like a push"),
    ("unflagged", "not flagged"),
    ("clause_wrong", "flagged with a clause that judge does not give"),
    ("remedies", "remedies followed literally"),
    ("halves", "remedies done half, and then otherwise"),
    ("turned", "remedies that ended in a legal move"),
    ("wrong_remedy", "wrong remedies"),
    ("apart", "what no reading can tell apart"),
    ("crashes", "exceptions"),
)
KINDS = (
    "refused", "mistaken", "hanging", "undeserved", "deserved", "unflagged", "clause_wrong",
    "wrong_remedy", "apart", "wrongs", "guided", "as_push", "turned", "rolls_lost", "asks",
    "false_asks", "hints", "cuts",
    "crashes", "boxed",
)  # fmt: skip
PER_GAME = ("stops", "undeserved", "asks", "hints")


@dataclass
class Figures:
    """The figures of some games of one kind of hands."""

    count: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    times: list[float] = field(default_factory=list)
    """Seconds from letting go of a wrong piece until STOP."""
    four: list[tuple[int, int]] = field(default_factory=list)
    """STOPs, and undeserved ones, of each finished game with four players."""

    def add(self, what: str, kind: str = "") -> None:
        self.count[what] += 1
        if kind:
            self.kinds[what][kind] += 1

    def merge(self, other: "Figures") -> None:
        self.count += other.count
        for name, kinds in other.kinds.items():
            self.kinds[name] += kinds
        self.times += other.times
        self.four += other.four

    def time(self, share: float) -> float:
        """The time under which this share of the STOPs came."""
        times = sorted(self.times)
        return times[min(int(len(times) * share), len(times) - 1)] if times else 0.0

    def plain(self) -> dict[str, Any]:
        """As JSON keeps it."""
        games = len(self.four) or 1
        return {
            "count": {name: self.count[name] for name, _ in ROWS},
            "per_game": {name: self.count[name] / max(1, self.count["games"]) for name in PER_GAME},
            "four_players": {
                "finished": len(self.four),
                "stops": sum(stops for stops, _ in self.four) / games,
                "undeserved": sum(bad for _, bad in self.four) / games,
            },
            "seconds_to_stop": {"median": self.time(0.5), "p99": self.time(0.99)},
            "kinds": {name: dict(self.kinds[name].most_common()) for name in KINDS},
        }


def table(now: dict[str, Any], before: dict[str, Any] | None) -> str:
    """The figures as lines of text, old ones beside new ones where there are any."""

    def row(text: str, *path: str) -> str:
        values = []
        for source in (before, now):
            value: Any = source
            for key in path:
                value = (value or {}).get(key)
            values.append("" if value is None else f"{value:,.2f}".removesuffix(".00"))
        old = f"{values[0]:>14}" if before else ""
        return f"  {text:<50}{old}{values[1]:>14}"

    lines = [row(text, "count", name) for name, text in ROWS]
    lines += [row(f"{name} a game", "per_game", name) for name in PER_GAME]
    lines += [
        row("finished games of four players", "four_players", "finished"),
        row("STOPs in a game of four", "four_players", "stops"),
        row("undeserved STOPs in a game of four", "four_players", "undeserved"),
        row("seconds from letting go to STOP, median", "seconds_to_stop", "median"),
        row("seconds from letting go to STOP, p99", "seconds_to_stop", "p99"),
    ]
    for name in KINDS:
        kinds = dict(now["kinds"].get(name, {}))
        old = dict((before or {}).get("kinds", {}).get(name, {}))
        if kinds or old:
            lines.append(f"  {name}:")
            order = sorted(kinds | old, key=lambda kind: (-kinds.get(kind, 0), kind))
            for kind in order:
                was = f"{old.get(kind, 0):>14,}" if before else ""
                lines.append(f"    {kind:<48}{was}{kinds.get(kind, 0):>14,}")
    return "\n".join(lines)


NEVER = (
    "refused", "mistaken", "hanging", "unflagged", "clause_wrong", "wrong_remedy", "false_asks",
    "crashes",
)  # fmt: skip
UNDESERVED = {"careful": 0.0, "ordinary": 1.0}
"""Of undeserved STOPs a game has none with careful hands, and fewer than this with ordinary."""


def broken(kind: str, figures: dict[str, Any]) -> list[str]:
    """What a referee promises and these figures do not show, in words."""
    count = figures["count"]
    found = [f"{text}: {count[name]}" for name, text in ROWS if name in NEVER and count[name]]
    unfair, most = figures["per_game"]["undeserved"], UNDESERVED.get(kind)
    if most is not None and unfair and unfair >= most:
        found.append(f"undeserved STOPs a game: {unfair:.2f}")
    return found


def dumps(figures: dict[str, Any]) -> str:
    return json.dumps(figures, indent=1, sort_keys=False) + "\n"
