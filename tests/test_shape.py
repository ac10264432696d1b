"""The shape of the project: a part imports only the parts that stand above it in the design."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import referee
from companion.cli import COMMANDS

ROOT = Path(__file__).parents[1]

# Top to bottom: a part imports itself and what stands above. Parts in one line do not know
# each other. `events` are the words that all parts share.
ORDER = [
    [
        "build",
        "charts",
        "database_files",
        "events",
        "fairness",
        "flicker",
        "invitation",
        "languages",
        "journal_ids",
        "signatures",
        "small_files",
        "wal",
    ],
    ["defaults", "game_numbers", "rules"],
    ["house_sheets", "odds", "orders", "trying"],
    ["referee", "bench"],
    ["screens"],
    ["link"],
    ["table"],
    ["thinking"],
    ["box_players"],
    ["flash"],
    ["journal"],
    ["archive", "kept_records"],
    ["web"],
    ["cafe"],
    ["config"],
    ["devices", "config_file"],
    ["privileged", "updates"],
    ["daemon", "pages"],
    ["doctor", "terminal"],
    ["commands"],
    ["cli"],
]
LEVEL = {part: level for level, parts in enumerate(ORDER) for part in parts}

OF_ALL = {"__version__", "SERVICE"}  # what the package itself says

# What is stricter, or freer, than the order.
ONLY: dict[str, set[str]] = {
    "build": set(),
    "charts": set(),
    "database_files": set(),
    "wal": set(),
    "events": set(),
    "fairness": set(),
    "flicker": set(),
    "invitation": set(),
    "languages": set(),
    "signatures": set(),
    "small_files": set(),
    "updates": {"signatures", "small_files"},
    "defaults": {"languages"},
    "journal_ids": set(),
    "game_numbers": {"journal_ids"},
    "rules": set(),
    "odds": {"rules"},
    "thinking": {"odds"},
    "house_sheets": {"rules", "small_files"},
    "trying": {"rules"},
    "link": {"events"},
    "table": {"events", "link"},
}
KNOWS_FIRMWARE = {"link", "table", "doctor"}  # doctor says which firmware to flash


def modules() -> Iterator[tuple[str, Path]]:
    """Every module below companion/ with the part it belongs to."""
    folder = ROOT / "companion"
    for path in sorted(folder.rglob("*.py")):
        part = path.relative_to(folder).parts[0].removesuffix(".py")
        if part != "__init__":
            yield part, path


def imported(source: str) -> Iterator[str]:
    """Every module that a source imports, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write whole module names, not relative ones"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def forbidden(part: str, source: str) -> list[str]:
    """The imports that a part may not have."""
    wrong = []
    for name in imported(source):
        head, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if head == "firmware" and part not in KNOWS_FIRMWARE:
            wrong.append(name)
        if head != "companion" or other in (part, *OF_ALL):
            continue
        allowed = ONLY.get(part)
        above = LEVEL.get(other, len(ORDER)) < LEVEL[part]
        if not above or (allowed is not None and other not in allowed):
            wrong.append(name)
    return wrong


@pytest.mark.parametrize(
    ("part", "path"),
    list(modules()),
    ids=lambda value: value if isinstance(value, str) else value.stem,
)
def test_a_module_imports_only_what_stands_above_it(part: str, path: Path) -> None:
    assert part in LEVEL, f"say in ORDER where {path.name} stands"
    assert forbidden(part, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("part", "line", "allowed"),
    [
        ("rules", "from companion.rules.boards import BASE", True),
        ("rules", "from companion.screens import phrases", False),
        ("rules", "import companion.events", False),
        ("referee", "from companion.rules import game", True),
        ("referee", "from companion.screens import phrases", False),
        ("screens", "from companion.referee import Referee", True),
        ("table", "from companion.rules.boards import BOARDS", False),
        ("table", "from companion.events import Reading", True),
        ("table", "from firmware.line import parse", True),
        ("web", "from firmware import line", False),
        ("web", "from companion.cafe import bridge", False),
        ("web", "def f():\n    from companion import daemon", False),
        ("cli", "from companion.commands.play import play", True),
        ("commands", "from companion import cli", False),
    ],
)
def test_the_rule_itself_can_tell(part: str, line: str, allowed: bool) -> None:
    assert (forbidden(part, line) == []) == allowed


def test_what_stands_among_the_commands_is_one() -> None:
    """What several of them share stands in `terminal/` or `doctor/`."""
    found = {path.stem for path in (ROOT / "companion" / "commands").glob("*.py")}
    assert found - {"__init__"} == set(COMMANDS)


def names_of(folder: Path) -> dict[str, Path]:
    """Every module by its whole name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """By module, the modules it imports: at the top, inside functions, and only for types."""
    found: dict[str, set[str]] = {}
    for module, source in sources.items():
        found[module] = set()
        for name in imported(source):
            while name and name not in sources:
                name = name.rpartition(".")[0]
            found[module] |= {name} - {module, ""}
    return found


def circles(sources: dict[str, str]) -> list[str]:
    """The modules that import themselves by way of others."""
    known = graph(sources)
    found = []
    for module in known:
        reached, waiting = set[str](), list(known[module])
        while waiting:
            one = waiting.pop()
            if one not in reached:
                reached.add(one)
                waiting += known[one]
        if module in reached:
            found.append(module)
    return found


OUTSIDE_RULES = {
    name: path.read_text(encoding="utf-8")
    for name, path in names_of(ROOT / "companion").items()
    if not name.startswith("companion.rules")
}


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not even late, or only for types; within `rules/` a game and its parts know each other."""
    assert circles(OUTSIDE_RULES) == []


@pytest.mark.parametrize(
    "line",
    [
        "from companion.web.server import Page",
        "def f():\n    from companion.web import server",
        "if TYPE_CHECKING:\n    import companion.web.server",
    ],
)
def test_a_circle_is_noticed_however_it_is_written(line: str) -> None:
    name = "companion.web.stream"
    assert name in circles({**OUTSIDE_RULES, name: f"{OUTSIDE_RULES[name]}\n{line}\n"})


SHELLS = ("archive", "cafe", "commands", "daemon", "doctor", "journal", "terminal", "web")


def private_uses(source: str) -> list[str]:
    """What a shell around the core takes that is not meant for it."""
    deep = [name for name in imported(source) if name.startswith("companion.referee.")]
    found = [
        name for name in deep if name.removeprefix("companion.referee.") not in referee.__all__
    ]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            asked = node.func.id in ("getattr", "hasattr") and isinstance(
                node.args[1], ast.Constant
            )
            whom = ast.unparse(node.args[0]) if asked else ""
            if asked and whom.partition(".")[0] not in ("fault", "error", "found"):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize(
    ("part", "path"),
    [(part, path) for part, path in modules() if part in SHELLS],
    ids=lambda value: value if isinstance(value, str) else value.stem,
)
def test_a_shell_uses_public_names_and_the_protocols_of_devices(part: str, path: Path) -> None:
    assert private_uses(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "from companion.referee.play import Play",
        "hello = getattr(board, 'hello', None)",
        "if hasattr(self.devices.die, 'confirm'): pass",
    ],
)
def test_a_shell_that_knows_too_much_is_noticed(line: str) -> None:
    assert private_uses(line) != []


def test_the_rules_open_no_file_and_ask_no_clock() -> None:
    """The core is pure: no input or output, no time, no randomness of its own."""
    worldly = {"os", "sys", "time", "random", "pathlib", "io", "socket", "logging", "asyncio"}
    for part, path in modules():
        if path.name == "kernel.py":  # it opens one file, the library beside it
            continue
        if part in ("rules", "odds", "referee", "bench", "screens", "link"):
            names = {name.partition(".")[0] for name in imported(path.read_text(encoding="utf-8"))}
            assert not names & worldly, (path.name, names & worldly)


# -- the rules speak for both games ----------------------------------------------------------

KINDS = {"BoardGame", "CardGame", "Board", "Mat"}
READS_NAMES = re.compile(
    r"""partition\("\."\)|split\("\."\)|(starts|ends)with\("\.?[BH]"\)"""
    r"""|\}\.[BH]"|in "BH"|(name|spot)\[:?\d\]"""
)


def asks_the_kind(source: str) -> list[str]:
    """Where a source asks which kind of game or board it has, instead of asking it."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "issubclass")
        and KINDS & {one.id for one in ast.walk(node.args[1]) if isinstance(one, ast.Name)}
    ]


def takes_names_apart(source: str) -> list[str]:
    """Where a source reads the name of a place; names of machines and modules have dots too."""
    lines = [line.strip() for line in source.splitlines() if READS_NAMES.search(line)]
    return [line for line in lines if "hostname" not in line and "fault.name" not in line]


@pytest.mark.parametrize(
    ("part", "path"),
    [one for one in modules() if one[0] != "rules"],
    ids=lambda value: value if isinstance(value, str) else value.stem,
)
def test_only_the_rules_know_boards_from_cards_and_read_the_names_of_places(
    part: str, path: Path
) -> None:
    source = path.read_text(encoding="utf-8")
    assert asks_the_kind(source) == []
    assert takes_names_apart(source) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("isinstance(game, BoardGame)", True),
        ("isinstance(board, Board | Mat)", True),
        ("isinstance(board, (str, boards))", False),
        ("isinstance(move, Move)", False),
        ("isinstance(board, SimBoard)", False),
    ],
)
def test_asking_for_the_kind_is_seen(line: str, told: bool) -> None:
    assert bool(asks_the_kind(line)) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('name.partition(".")[2]', True),
        ('spot.startswith("B")', True),
        ('base = f"{letter(colour)}.B"', True),
        ('places[0].endswith(".B")', True),
        ("place.name[:3]", True),
        ("name[0]", True),
        ('socket.gethostname().partition(".")[0]', False),
        ("spot_of(name)", False),
    ],
)
def test_taking_names_apart_is_seen(line: str, told: bool) -> None:
    assert bool(takes_names_apart(line)) == told


def test_what_drives_a_browser_runs_in_processes_of_its_own() -> None:
    """Its driver keeps an event loop, in which no other test could run one."""
    listed = re.search(r"^BROWSER := ((?:.*\\\n)*.*)", (ROOT / "Makefile").read_text(), re.M)
    assert listed
    drivers = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"^from playwright|^import playwright", path.read_text("utf-8"), re.M)
    }
    assert drivers == set(listed[1].replace("\\", " ").split())
