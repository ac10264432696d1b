"""The referee's inner shape: nobody knows its owner, and the board's readers know no screen."""

import ast
import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from companion.events import Tick
from tests.scripts import Script

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "companion" / "referee"
PACKAGE = "companion.referee"
SOURCES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.glob("*.py"))
    if path.stem != "__init__"
}
READERS = ("presence", "touch", "choose")
ACTORS = ("play", "referee", "box")
STAND = "position german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow\n"


# -- reading the sources -------------------------------------------------------------------


def imports(source: str) -> Iterator[tuple[str, str]]:
    """Every import, also inside functions and behind TYPE_CHECKING: the module, and the name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def neighbours(sources: dict[str, str]) -> dict[str, set[str]]:
    """By module, the modules of the referee that it imports."""
    found: dict[str, set[str]] = {}
    for module, source in sources.items():
        names = {f"{where}.{name}" for where, name in imports(source)}
        found[module] = {
            other
            for other in sources
            if any(f"{name}.".startswith(f"{PACKAGE}.{other}.") for name in names)
        }
    return found


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """All that a module imports, directly or through others."""
    found: set[str] = set()
    left = [start]
    while left:
        for other in graph[left.pop()] - found:
            found.add(other)
            left.append(other)
    return found


def homes(sources: dict[str, str]) -> dict[str, str]:
    """By class, the module that it lives in."""
    return {
        node.name: module
        for module, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
    }


def named_types(node: ast.expr | None) -> Iterator[str]:
    """The names in an annotation, also in one that is written as text."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
            yield from named_types(ast.parse(part.value, mode="eval").body)


def held(source: str) -> Iterator[tuple[str, str]]:
    """By class, the types that its methods take or its objects store."""
    for owner in ast.walk(ast.parse(source)):
        if not isinstance(owner, ast.ClassDef):
            continue
        for node in ast.walk(owner):
            if isinstance(node, ast.AnnAssign | ast.arg):
                yield from ((owner.name, name) for name in named_types(node.annotation))


def selves_given_away(source: str) -> list[str]:
    """Constructors that are handed `self`, and so could point back."""
    return [
        ast.unparse(call)
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name | ast.Attribute)
        and ast.unparse(call.func).rpartition(".")[2][:1].isupper()
        and any(
            isinstance(given, ast.Name) and given.id == "self"
            for given in (*call.args, *(keyword.value for keyword in call.keywords))
        )
    ]


# -- the rules -----------------------------------------------------------------------------


def circles(sources: dict[str, str]) -> list[str]:
    graph = neighbours(sources)
    return [module for module in sources if module in reached(graph, module)]


def back_pointers(sources: dict[str, str]) -> list[str]:
    """Classes that hold an object of a module by which their own module is imported."""
    graph, home = neighbours(sources), homes(sources)
    found = [
        f"{module}.{owner} holds {name}"
        for module, source in sources.items()
        for owner, name in held(source)
        if name in home and home[name] != module and module in reached(graph, home[name])
    ]
    given = [
        f"{module}: {call}" for module in sources for call in selves_given_away(sources[module])
    ]
    only_for_types = [
        f"{module} imports only for types"
        for module, source in sources.items()
        if "TYPE_CHECKING" in source
    ]
    return found + given + only_for_types


def too_much_known(sources: dict[str, str]) -> list[str]:
    """What the ways of sensing import, directly or not, though it is none of their business."""
    graph = neighbours(sources)
    found = []
    for reader in READERS:
        below = reached(graph, reader) | {reader}
        found += [f"{reader} knows {name}" for name in (*ACTORS, "stage") if name in below]
        for module in sorted(below):
            outside = {where for where, _ in imports(sources[module])}
            strange = (n for n in outside if n.startswith("companion.") and not _core(n))
            found += [f"{reader} knows {name} by {module}" for name in strange]
    return found


def _core(name: str) -> bool:
    shared = ("companion.defaults", "companion.events", "companion.flicker", "companion.languages")
    parts = ("companion.rules", *shared, PACKAGE)
    return any(f"{name}.".startswith(f"{part}.") for part in parts)


RULES = [circles, back_pointers, too_much_known]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_referee_keeps_its_shape(rule: Any) -> None:
    assert rule(SOURCES) == []


@pytest.mark.parametrize(
    ("rule", "module", "line"),
    [
        (circles, "match", "from companion.referee.play import Play"),
        (circles, "sensing", "def f():\n    from companion.referee import presence"),
        (back_pointers, "stage", "class Lamp:\n    def __init__(self, play: 'Play'): ..."),
        (back_pointers, "touch", "class Finger:\n    table: 'Referee | None' = None"),
        (back_pointers, "play", "class Sub:\n    def f(self):\n        self.x = Presence(self)"),
        (back_pointers, "sensors", "from typing import TYPE_CHECKING"),
        (too_much_known, "presence", "from companion.referee.stage import Stage"),
        (too_much_known, "tracking", "from companion.referee.box import Box"),
        (too_much_known, "outlines", "from companion.screens import phrases"),
        (too_much_known, "choose", "import companion.screens.phrases"),
    ],
)
def test_each_rule_notices_when_it_is_broken(rule: Any, module: str, line: str) -> None:
    assert rule({**SOURCES, module: f"{SOURCES[module]}\n{line}\n"}) != []


# -- the objects themselves ----------------------------------------------------------------


def reachable(start: object) -> Iterator[object]:
    """All objects that one leads to, bound methods and closures included, but not its code."""
    seen, left = {id(start)}, [start]
    while left:
        one = left.pop()
        yield one
        for other in gc.get_referents(one):
            if id(other) not in seen and not isinstance(other, type | ModuleType | FunctionType):
                seen.add(id(other))
                left.append(other)
            elif isinstance(other, FunctionType):
                left += [cell for cell in other.__closure__ or () if id(cell) not in seen]
                seen |= {id(cell) for cell in other.__closure__ or ()}


def owners_known(script: Script) -> list[str]:
    """Those who act, as far as a way of sensing leads to them."""
    play = script.referee._play
    return leads_to([play.presence, play.reader], {"Play", "Referee", "Box", "Stage", "View"})


def leads_to(parts: list[object], owners: set[str]) -> list[str]:
    known = {type(one).__name__ for part in parts for one in reachable(part)}
    return sorted(known & owners)


def back_at_owners(script: Script) -> list[str]:
    """The owners to which a part of theirs leads: the referee has the box, and that the play."""
    referee: Any = script.referee
    play, box = referee._play, referee._box
    inner = [play.match, play.players, play.stage]
    return [
        *leads_to([box], {"Referee"}),
        *leads_to([play], {"Referee", "Box"}),
        *leads_to(inner, {"Referee", "Box", "Play"}),
    ]


@pytest.mark.parametrize("sensing", READERS)
def test_no_way_of_sensing_leads_to_who_acts(sensing: str) -> None:
    script = Script(sensing=sensing).run(STAND + "set\nwait 1\nroll 4\n")
    assert owners_known(script) == []
    play: Any = script.referee._play
    for pointer in (play, play.act, lambda: play):
        play.reader.owner = pointer
        assert "Play" in owners_known(script)


def test_no_part_leads_to_who_owns_it() -> None:
    script = Script().run(STAND + "box red fox\nset\nwait 1\nroll 4\nhold\n")
    assert back_at_owners(script) == []
    referee: Any = script.referee
    play, box = referee._play, referee._box
    for part, owner in (
        (box, referee._order),
        (play, box),
        (play.players, play),
        (play.stage, lambda: play),
        (play.match, referee.feed),
    ):
        vars(part)["owner"] = owner
        assert back_at_owners(script) != []
        del vars(part)["owner"]


# -- crossings -----------------------------------------------------------------------------

SIDES = neighbours(SOURCES)
WITHIN = {module for reader in READERS for module in reached(SIDES, reader)} | {*READERS}
"""The modules by which the ways of sensing find what they find."""
WITHOUT = SOURCES.keys() - WITHIN
OWN = (WITHIN - {module for outer in WITHOUT for module in SIDES[outer]}) | {*READERS}
"""Those of them that nobody else has imported: to call one is to reach into a way of sensing."""


class Crossings:
    """Counts calls between the ways of sensing and all outside, properties included."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __enter__(self) -> "Crossings":
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_back is None:
            return
        caller, called = _module(frame.f_back), _module(frame)
        if (caller in WITHOUT and called in OWN) or (caller in OWN and called in WITHOUT):
            self.calls.append(frame.f_code.co_name)


def _module(frame: FrameType) -> str:
    package, _, name = str(frame.f_globals.get("__name__", "")).rpartition(".")
    return name if package == PACKAGE else ""


def test_a_settled_move_crosses_to_the_board_twice() -> None:
    """`due` finds the move, `expect` hears what may come next: 2 calls.

    Before the machine was written down it was 11, and in both directions.
    """
    script = Script().run(STAND + "set\nwait 1\nroll 4\nlift 5\nput 9\n")
    deadline = script.referee.next_deadline()
    assert deadline is not None
    with Crossings() as crossings:
        script.referee.feed(Tick(), deadline)
    script.run("expect phase roll\nexpect turn red")
    assert crossings.calls == ["due", "expect"]


@pytest.mark.parametrize("reach", ["play.presence._watch.way_back()", "play.reader.deadline()"])
@pytest.mark.parametrize("module", ["play", "players"])
def test_whoever_reaches_into_a_way_of_sensing_is_counted(module: str, reach: str) -> None:
    script = Script().run(STAND + "set\nwait 1\nroll 4\n")
    there = {"__name__": f"{PACKAGE}.{module}", "play": script.referee._play}
    with Crossings() as crossings:
        exec(reach, there)
    assert crossings.calls != []


def test_a_pressed_move_crosses_to_the_board_three_times() -> None:
    """With buttons the press itself is the third: `sense`."""
    script = Script(sensing="touch").run(STAND + "roll 4\npress 5\n")
    with Crossings() as crossings:
        script.feed(script.event("press", "9"))
    script.run("expect phase roll")
    assert crossings.calls == ["sense", "due", "expect"]


# -- what it brings with it ------------------------------------------------------------------


def test_a_referee_brings_in_nothing_of_files_and_of_mistakes() -> None:
    """Nobody who plays has asked for them, and they would stay in memory for the whole evening."""
    unasked = ("companion.rules.records", "difflib", "json", "tomllib")
    code = f"import sys, {PACKAGE}; print([name for name in {unasked!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
