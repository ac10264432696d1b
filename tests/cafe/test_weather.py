"""A house in bad weather, for a little while; `make soak` has all of it."""

from pathlib import Path

from tests.cafe.soak import run


async def test_after_bad_weather_the_archive_is_the_journals(tmp_path: Path) -> None:
    soak, records = await run(tables=1, kills=1, seed=3, folder=tmp_path, calm=0.5, pace=0.2)
    assert [fault for fault in soak.faults if "archived" in fault] == []
    assert records > 0
    assert soak.disturbed == {"broker": 1, "house": 1, "table": 1, "line": 1}
