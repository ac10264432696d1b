"""docs/words.md: each term of the code in a line, and no term that is gone."""

import ast
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from companion import events, referee, rules, table

ROOT = Path(__file__).parents[1]
ROWS = re.findall(
    r"^\| (?!word|---)(.*?) \| (.*?) \|$", (ROOT / "docs/words.md").read_text("utf-8"), re.M
)
TERMS = {term for word, _ in ROWS for term in re.findall(r"`([A-Za-z_.]+)`", word)}


def defined() -> set[str]:
    """Every class, function and constant of the code, and what classes have: `Board.spot`."""
    found = set()
    for path in (ROOT / "companion").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            found |= set(names(node))
            if isinstance(node, ast.ClassDef):
                for inner in ast.walk(node):
                    found |= {f"{node.name}.{name}" for name in names(inner)}
                    if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                        found.add(f"{node.name}.{inner.attr}")
    return found


def names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [one.id for one in node.targets if isinstance(one, ast.Name)]
    return []


def own_classes(module: ModuleType) -> set[str]:
    return {
        name
        for name, one in vars(module).items()
        if inspect.isclass(one) and one.__module__ == module.__name__
    }


def test_every_term_of_the_page_is_in_the_code() -> None:
    assert TERMS - defined() == set()


@pytest.mark.parametrize(
    ("module", "public"),
    [
        (rules, set(rules.__all__)),
        (referee, set(referee.__all__)),
        (events, own_classes(events)),
        (table, own_classes(table)),
    ],
    ids=lambda value: value.__name__ if isinstance(value, ModuleType) else "",
)
def test_every_public_name_has_a_line(module: ModuleType, public: set[str]) -> None:
    assert public - TERMS == set(), f"say in docs/words.md what these of {module.__name__} are"


def test_a_word_has_one_line() -> None:
    words = [word.partition(":")[0] for word, _ in ROWS]
    assert sorted(words) == sorted(set(words))
    assert all(said and not said.endswith(".") for _, said in ROWS)


ONE_EACH = ("Board", "Box", "Die", "Record", "Refused")


@pytest.mark.parametrize("name", ONE_EACH)
def test_there_is_one_of_each(name: str) -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "companion").rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if name in names(node)
    ]
    assert len(found) == 1, found


QUAINT = re.compile(
    r"\b(?:anew|Anew|lest|amiss|aright|whence|hither|henceforth|thereof|heretofore)\b"
    r"|\b(that|what|which) (is|are|was) none\b(?! of)"
)
SPOKEN = ("companion", "docs", "firmware", "hardware", "systemd")


def quaint(text: str) -> list[str]:
    """Words that nobody says aloud today."""
    return [found.group() for found in QUAINT.finditer(text)]


@pytest.mark.parametrize("folder", SPOKEN)
def test_sentences_are_as_one_would_say_them(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".py", ".md", ".js", ".html", ".sh", ".toml"):
            said = quaint(path.read_text(encoding="utf-8"))
            assert said == [], f"{path.relative_to(ROOT)}: say it as one would aloud"


def test_a_quaint_word_is_noticed() -> None:
    assert quaint("It is made anew, lest a number that is none is read.") != []
    assert quaint("It is made again, so that no wrong number is read.") == []
