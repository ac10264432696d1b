"""The referee's page names every phase."""

from pathlib import Path
from typing import get_args

from companion.referee import Phase

PAGE = Path(__file__).parents[2] / "docs" / "referee.md"


def test_every_phase_is_documented() -> None:
    text = PAGE.read_text()
    assert [phase for phase in get_args(Phase) if f"`{phase}`" not in text] == []
