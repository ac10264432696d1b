"""The referee's page says what the code says."""

import re
from pathlib import Path

from companion.pages.phases import BEGIN, END, machine_in
from companion.referee.phases import PHASES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")
WHERE = PAGE.partition("## Where to look")[2].partition("\n## ")[0]


def test_the_machine_on_the_page_is_the_one_in_the_code() -> None:
    assert machine_in(PAGE) == PAGE, "phases.py was changed: run make docs"


def test_the_machine_is_on_the_page() -> None:
    written = PAGE.partition(BEGIN)[2].partition(END)[0]
    assert [phase for phase in PHASES if f"`{phase}`" not in written] == []
    assert "stateDiagram-v2" in written


NAMED = re.compile(r"`((?:\w+/)+)?(\w+\.py)`|`(?:\w+\.)?(\w+)`")
"""A module of the referee, or with its path one from elsewhere; a name in one."""


def test_where_to_look_names_what_is_there() -> None:
    """Every module that the page names exists, and every name beside it is in the module before."""
    rows = [row for row in WHERE.splitlines() if row.startswith("|") and ".py" in row]
    assert len(rows) > 10
    for row in rows:
        module, source = "", ""
        for found in NAMED.finditer(row.rpartition(" | ")[2]):
            folder, file, name = found.groups()
            if file is not None:
                module = (folder or "companion/referee/") + file
                source = (ROOT / module).read_text(encoding="utf-8")
                continue
            there = re.search(
                rf"def {name}\(|self\.{name}\b|^{name}\b|^class {name}\b", source, re.M
            )
            assert there, f"{module}: {name}"
