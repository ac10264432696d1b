"""What can be set at the table, and what is set until somebody sets it."""

from typing import Any

from companion.languages import ENGLISH, LANGUAGES

SETTINGS: dict[str, tuple[Any, ...]] = {
    "language": tuple(LANGUAGES),
    "volume": (0, 1, 2, 3),
    "brightness": (1, 2, 3, 4),
    "strictness": ("strict", "gentle"),
    "speech": (False, True),
    "rotation": (0, 180),
    "box_rolls": (True, False),
    "advice": (True, False),
    "chances": (False, True),
}
DEFAULTS: dict[str, Any] = {
    "language": ENGLISH,
    "volume": 2,
    "brightness": 3,
    "strictness": "strict",
    "speech": False,
    "rotation": 0,
    "box_rolls": True,
    "advice": True,
    "chances": False,
}
