"""What a day of loose wires leaves in the log; `FLICKER` says how many events the day has."""

import asyncio
import logging
import os
from pathlib import Path

import pytest

from companion.daemon.sparing import BURST, Sparing
from companion.events import Found, Lost, Reading
from tests.daemon.test_daemon import table

DAY = 86_400.0
EVENTS = int(os.environ.get("FLICKER", "8000"))


def test_a_topic_has_a_few_lines_then_one_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = Sparing(logging.getLogger("companion"), lambda: now[0])
    with caplog.at_level(logging.INFO):
        for second in range(int(DAY)):
            now[0] = float(second)
            log.say(logging.INFO, "die", f"die found: version {second}")
        log.say(logging.INFO, "board", "board found")
    assert len(caplog.messages) <= BURST + 24 + 1
    assert "more were left out" in caplog.messages[int(BURST)]
    assert caplog.messages[-1] == "board found"


def test_a_day_of_flicker_and_greetings_is_a_few_dozen_lines(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A sensor that changes ten times a second, a die that greets again each time it is heard."""
    now = [0.0]

    async def go() -> None:
        async with table(tmp_path / "games.db", wall=lambda: now[0]) as one:
            for number in range(EVENTS):
                now[0] = number * DAY / EVENTS
                if number % 2:
                    one.daemon.post(Reading("no such place", number % 4 == 1))
                elif number % 8 == 2:
                    one.daemon.post(Lost("die", f"of another version, {number}"))
                else:
                    one.daemon.post(Found("die", f"version {number}"))
                if number % 500 == 0:
                    while len(one.daemon.inbox):
                        await asyncio.sleep(0)

    with caplog.at_level(logging.INFO):
        asyncio.run(go())
    assert 3 < len(caplog.messages) < 100
    assert not any("no place" in line for line in caplog.messages)
