"""The referee's machine for docs/referee.md: its phases as a table, its ways as a diagram."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from companion.referee.phases import ACTS, LEADS, PHASES, PUTTING_RIGHT, Act, Phase

BEGIN = "<!-- Written by `make docs` from companion/referee/phases.py; change it there. -->"
END = "<!-- So far from companion/referee/phases.py. -->"

_ROLL = {
    "nothing": "is no roll",
    "uncovers": "closes the menu, and is heard then",
    "sets": "says that the pieces are set, and counts",
    "counts": "counts",
    "refused": "is refused, unless it answers what is shown",
}
_OK = {
    "menu": "opens the menu",
    "line": "takes the line",
    "done": "«it is done»",
    "enter": "enters the roll turned to, with a die by hand",
    "moved": "«I have moved», or takes the line",
    "resume": "goes on",
}
_UP_DOWN = {"pages": "turn pages", "lines": "choose a line", "face": "turn the roll to enter"}

_NOT_DRAWN: tuple[Act, ...] = (
    "start",
    "resume",
    "end",
    "menu",
    "pause",
    "uncover",
    "take_back",
    "sensing",
)
"""Acts that lead out of nearly every phase; arrows for them would hide all others."""

_ANYWHERE = (
    "Anywhere in a game: menu and pause cover",
    "what is shown, uncover shows it again;",
    "start leads to setting, end to over,",
    "take_back to an earlier turn; sensing",
    "(the board went or came) to the same turn.",
)


def machine_in(page: str) -> str:
    """A page with the part between the two marks written again."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n" + "\n".join(_machine()) + f"\n\n{END}{after}"


def _machine() -> Iterator[str]:
    yield "| phase | what it means | a roll | OK | up and down |"
    yield "|---|---|---|---|---|"
    for phase, row in PHASES.items():
        cells = (row.means, _ROLL[row.roll], _OK[row.ok], _UP_DOWN[row.up_down])
        yield f"| `{phase}` | {' | '.join(cells)} |"
    yield ""
    yield "```mermaid"
    yield from _diagram()
    yield "```"
    yield ""
    yield "Each arrow is marked with the acts that lead along it:"
    yield ""
    yield "| act | what happens | where it may happen |"
    yield "|---|---|---|"
    for act, what in ACTS.items():
        yield f"| `{act}` | {what} | {_where(act)} |"


def _where(act: Act) -> str:
    phases = [phase for phase in PHASES if act in LEADS[phase]]
    others = [phase for phase in PHASES if phase not in phases]
    if len(others) < 4:
        return "everywhere" + (f" but in {_names(others)}" if others else "")
    return _names(phases)


def _names(phases: Iterable[Phase]) -> str:
    return ", ".join(f"`{phase}`" for phase in phases)


def _diagram() -> Iterator[str]:
    """The arrows between phases; what all ways of putting right have in common is drawn once."""
    yield "stateDiagram-v2"
    yield "    [*] --> idle"
    yield "    idle --> setting: start"
    yield '    state "putting right" as astray {'
    yield from (f"        {phase}" for phase in PUTTING_RIGHT)
    yield "    }"
    shared = {(act, to) for act, to in _leads("illegal") if _all_have(act, to)}
    for phase in (one for one in PHASES if one != "menu"):
        ways = _leads(phase) - (shared if phase in PUTTING_RIGHT else set())
        yield from _arrows(phase, ways)
        if phase == PUTTING_RIGHT[-1]:
            yield from _arrows("astray", shared)
    yield "    note right of idle"
    yield from (f"        {line}" for line in _ANYWHERE)
    yield "    end note"


def _leads(phase: Phase) -> set[tuple[Act, Phase]]:
    """What is drawn of the ways out of a phase: not those that lead back into it."""
    return {
        (act, there)
        for act, to in LEADS[phase].items()
        for there in to
        if act not in _NOT_DRAWN and there != phase
    }


def _all_have(act: Act, there: Phase) -> bool:
    return all(there in LEADS[phase].get(act, ()) for phase in PUTTING_RIGHT)


def _arrows(name: str, ways: set[tuple[Act, Phase]]) -> Iterator[str]:
    acts: dict[Phase, list[Act]] = defaultdict(list)
    for act in ACTS:
        for phase in PHASES:
            if (act, phase) in ways:
                acts[phase].append(act)
    yield from (f"    {name} --> {there}: {', '.join(some)}" for there, some in acts.items())
