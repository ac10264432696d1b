"""What a table tells the house of itself, worked out of the view that its own screens show."""

from typing import NamedTuple

from companion.cafe.messages import Need, Now
from companion.referee import View
from companion.rules import Position

UNANSWERED = 120.0
"""Seconds after which a question, or a STOP, that nobody answers needs a person."""
DISKS = ("journal", "disk")
WAITS = ("question", "stop", "guide")
"""The tones in which the table waits for somebody."""


class Turn(NamedTuple):
    """What is being waited for; while it stays the same, the waiting goes on."""

    phase: str
    turn: str
    face: int
    moves: int


class Summary:
    """Follows a table's views; time is an argument, by the table's own clock."""

    def __init__(self) -> None:
        self._turn: Turn | None = None
        self._since = 0.0
        self._waits: float | None = None
        self._needs: dict[tuple[str, str], float] = {}

    def now(self, view: View, birth: str, at: float) -> Now:
        """What the table shows, in short."""
        position = view.position
        turn = Turn(view.phase, view.colour or "", view.face or 0, _moves(view))
        if turn != self._turn:
            self._turn, self._since = turn, at
        if view.tone not in WAITS or view.phase == "setting":
            self._waits = None
        elif self._waits is None:
            self._waits = at
        return Now(
            birth=birth,
            at=at,
            phase=view.phase,
            tone=view.tone,
            since=self._since,
            free=view.free,
            sheet=position.game.sheet.id if position is not None else "",
            board=position.game.board.name if position is not None else "",
            turn=view.colour or "",
            face=view.face or 0,
            names={colour: name[:64] for colour, name in list(view.names.items())[:8]},
            pieces={} if position is None else pieces(position),
            done={} if position is None else position.game.progress(position),
            ranking=list(view.ranking),
            language=str(view.setting("language")),
            volume=int(view.setting("volume")),
            called=view.house.called,
        )

    def needs(self, view: View, at: float, trouble: str | None = None) -> list[Need]:
        """What needs a person now, the oldest first; `trouble` is what the disk says."""
        found: dict[tuple[str, str], None] = {}
        if view.house.called:
            found["call", ""] = None
        for device in view.missing:
            found[("disk", trouble or "") if device in DISKS else ("device", device)] = None
        for place in view.aside:
            found["sensor", place] = None
        if self._waits is not None and at - self._waits >= UNANSWERED:
            found["question", view.tone] = None
        self._needs = {need: self._needs.get(need, at) for need in found}
        if ("question", view.tone) in self._needs and self._waits is not None:
            self._needs["question", view.tone] = self._waits
        listed = sorted(self._needs.items(), key=lambda one: one[1])[:16]
        return [
            Need(kind=kind, since=since, detail=detail[:300]) for (kind, detail), since in listed
        ]

    def deadline(self) -> float | None:
        """When a question will have waited too long."""
        return None if self._waits is None else self._waits + UNANSWERED


def _moves(view: View) -> int:
    """Something that changes with every turn, also where one colour plays alone."""
    return hash((view.position, view.last)) if view.position is not None else 0


def pieces(position: Position) -> dict[str, list[str | int]]:
    """By colour, the places of its pieces; in the card game the heights of its stacks."""
    return position.game.all_standing(position)
