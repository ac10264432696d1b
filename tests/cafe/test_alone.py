"""A table that belongs to no house knows nothing of houses."""

import subprocess
import sys

LOOK = """
import asyncio
import sys
from pathlib import Path
from companion.commands import run
from companion.config import CafeSection, Config
from companion.daemon.wiring import put_together
cafe = CafeSection(broker="127.0.0.1", name="table-1") if {joins} else None
page, house = run._services(Config(cafe=cafe), Path("/nonexistent"))
if not {joins}:
    async def look():
        task = asyncio.create_task(house(None))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not task.done()
        task.cancel()
    asyncio.run(look())
print(sorted(n for n in sys.modules if n.startswith(("companion.cafe", "aiomqtt"))))
"""


def said(joins: bool) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(joins=joins)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_without_a_house_nothing_of_it_is_imported() -> None:
    assert said(joins=False) == "[]"


def test_with_one_it_is_imported_when_the_table_is_up() -> None:
    assert said(joins=True) == "[]"
