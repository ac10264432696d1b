"""Settings of the table: what can be set, what is set, and how that is kept.

The configuration says which way up the screen is built in, the menu may turn it: one value, the
menu's. What is kept is how far it is turned from the configuration, and from which: versions
before this one turned the picture twice, once for each, and read it so.
"""

from collections.abc import Mapping
from typing import Any

from companion.defaults import DEFAULTS, SETTINGS
from companion.events import RecordData
from companion.referee.effects import Line
from companion.referee.menus import text_of
from companion.rules import BadInput

SENSING = ("presence", "touch", "choose")


class Settings:
    """What is set now; the way of sensing holds only while the board is built for it."""

    def __init__(self, sensing: str, given: Mapping[str, Any]) -> None:
        self.values = {**DEFAULTS, **given}
        self.sensing = sensing
        self._built = sensing
        self._mounted = self.values["rotation"]

    def set(self, name: str, value: Any) -> None:
        """Change a setting; raises BadInput if it cannot be set to that."""
        if name not in SETTINGS or value not in SETTINGS[name]:
            allowed = "; ".join(f"{key}: {values}" for key, values in SETTINGS.items())
            raise BadInput(f"cannot set {name!r} to {value!r}: there are {allowed}")
        self.values = {**self.values, name: value}

    def record(self) -> RecordData:
        """The settings as they are kept."""
        turned = abs(self.values["rotation"] - self._mounted)
        screen = {"rotation": turned, "mounted": self._mounted}
        built = {"sensing": self.sensing, "built": self._built}
        return {"kind": "settings", **self.values, **screen, **built}

    def resume(self, record: RecordData) -> None:
        """Settings as they were; screen and sensing only while both are still built so."""
        kept = {k: v for k, v in record.items() if v in SETTINGS.get(k, ())}
        if record.get("mounted", self._mounted) != self._mounted:
            kept["rotation"] = 0
        kept["rotation"] = abs(kept.get("rotation", 0) - self._mounted)
        self.values |= kept
        if record.get("built") == self._built and record.get("sensing") in SENSING:
            self.sensing = record["sensing"]

    def lines(self) -> tuple[Line, ...]:
        """The settings as lines of a menu, the language first."""
        lines = [Line(key, text_of(self.values[key])) for key in SETTINGS]
        return (*lines, Line("sensing", self.sensing))
