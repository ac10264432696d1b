"""Every script in tests/traces runs as it says: what once went wrong, and how it should go."""

from pathlib import Path

import pytest

from tests.scripts import script

TRACES = sorted((Path(__file__).parent.parent / "traces").glob("*.txt"))


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
def test_trace(trace: Path) -> None:
    script(trace)
