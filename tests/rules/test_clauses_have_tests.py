"""Every clause of every sheet has a test that holds and, where it can refuse, one that refuses.

A test belongs to the clauses its name begins with: `test_g8_refuses_...`, `test_gv2_g14_holds_...`.
"""

import ast
import re
from pathlib import Path

import pytest

from companion.rules import SHEETS
from companion.rules.articles import Article

ARTICLES = {article.id: article for sheet in SHEETS.values() for article in sheet.articles}
NAME = re.compile(r"test_((?:(?:gv|[gbcdpmso])\d+_)+)(holds|refuses)_")

# The printed index of clauses, to notice an article that is missing from a sheet.
LAST_CLAUSES = (
    ("G", 17),
    ("GV", 7),
    ("C", 11),
    ("B", 10),
    ("D", 15),
    ("P", 16),
    ("M", 12),
    ("S", 15),
    ("O", 8),
)
INDEX = [f"{prefix}{number}" for prefix, last in LAST_CLAUSES for number in range(1, last + 1)]
REFUSING_ORDER = {f"O{number}" for number in range(1, 8)}


def covered(folder: Path = Path(__file__).parent) -> dict[str, set[str]]:
    """The clauses with a test that holds, and those with one that refuses."""
    found: dict[str, set[str]] = {"holds": set(), "refuses": set()}
    for path in folder.glob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (match := NAME.match(node.name)):
                found[match[2]] |= {name.upper() for name in match[1].split("_") if name}
    return found


def can_refuse(article: Article) -> bool:
    clauses = article.counts or article.forbids or article.compels or article.off_way
    return bool(clauses) or article.id in REFUSING_ORDER


def test_the_sheets_have_every_clause_of_the_index() -> None:
    assert sorted(ARTICLES) == sorted(INDEX)


@pytest.mark.parametrize("clause", INDEX)
def test_a_clause_has_a_test_that_holds(clause: str) -> None:
    assert clause in covered()["holds"], f"no test is named test_{clause.lower()}_holds_..."


@pytest.mark.parametrize("clause", [name for name in ARTICLES if can_refuse(ARTICLES[name])])
def test_a_clause_that_can_refuse_has_a_test_that_refuses(clause: str) -> None:
    assert clause in covered()["refuses"], f"no test is named test_{clause.lower()}_refuses_..."


def test_every_named_clause_exists() -> None:
    found = covered()
    assert (found["holds"] | found["refuses"]) <= set(INDEX)


def test_only_tests_named_after_a_clause_count(tmp_path: Path) -> None:
    source = (
        "def test_g8_holds_x(): ...\ndef test_gv2_g14_refuses_y(): ...\ndef g9_holds_z(): ...\n"
    )
    (tmp_path / "test_some.py").write_text(source, encoding="utf-8")
    assert covered(tmp_path) == {"holds": {"G8"}, "refuses": {"GV2", "G14"}}
