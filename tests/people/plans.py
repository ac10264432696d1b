"""What people will do in each turn, drawn from a seed before anybody looks at the box.

So the same seed gives the same evening to whatever code referees it.
"""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

Rates = dict[str, Any]
CAPTURES = ("last", "meanwhile", "on_top", "late")
HABITS = (
    "slide", "hover", "wrong_first", "wrong_first_long", "other_first", "change_mind",
    "adjust", "brush", "push", "jolt", "floor", "impatient", "early_hand", "overlap",
    "take_back", "touch_twice", "touch_target_first", "touch_stray",
)  # fmt: skip


@cache
def all_rates() -> dict[str, Rates]:
    """The rates of every kind of hands."""
    return tomllib.loads((Path(__file__).parent / "rates.toml").read_text())


@dataclass
class Plan:
    """One turn: what is thrown, which of the moves is made, and how."""

    rng: Random
    face: int
    choice: float
    capture: str
    odd: set[str] = field(default_factory=set)
    think: float = 0.0
    wrong: bool = False
    cut: str = ""
    cut_at: int = 0
    obeys: bool = False
    half: bool = False
    in_hand: bool = False
    """The piece is in the hand already."""

    def span(self, rates: Rates, name: str) -> float:
        """A time between the two that the rates give."""
        low, high = rates[name]
        return self.rng.uniform(low, high)


def draw(seed: str, rates: Rates) -> Plan:
    """The plan of one turn."""
    rng = Random(seed)
    face, choice = rng.randint(1, 6), rng.random()
    draws = {name: rng.random() for name in (*HABITS, "wrong", "cable", "power", "obeys", "half")}
    plan = Plan(rng, face, choice, _capture(rng.random(), rates))
    plan.odd = {name for name in HABITS if draws[name] < rates[name]}
    plan.think = _think(rng.random(), rng.random(), rates)
    plan.wrong = draws["wrong"] < rates["wrong"]
    plan.obeys = draws["obeys"] < rates["obeys"]
    plan.half = draws["half"] < rates["half"]
    plan.cut = next((kind for kind in ("cable", "power") if draws[kind] < rates[kind]), "")
    plan.cut_at = rng.randint(1, 4)
    return plan


def _capture(drawn: float, rates: Rates) -> str:
    for style in CAPTURES:
        drawn -= rates[f"capture_{style}"]
        if drawn < 0:
            return style
    return "first"


def _think(drawn: float, how_long: float, rates: Rates) -> float:
    for name in ("think_long", "think"):
        if drawn < rates[name]:
            low, high = rates[f"{name}_time"]
            return float(low + (high - low) * how_long * how_long)
        drawn -= rates[name]
    return 0.0
