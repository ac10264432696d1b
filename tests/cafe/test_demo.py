"""The house that an owner sees first: it sets itself up, and its commands work there too."""

import asyncio
from pathlib import Path

import aiohttp
from click.testing import CliRunner

from companion.cafe.line import end
from companion.cli import main
from companion.daemon.house_demo import demonstrate
from tests.cafe.houses import free_port


async def archived(address: str) -> int:
    """How many games the house's archive holds."""
    url = f"{address.partition('?')[0]}statistics.json"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return int((await answer.json())["games"])


async def test_a_name_is_forgotten_and_a_table_taken_away_in_the_demonstration(
    tmp_path: Path,
) -> None:
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    dead: list[str] = []
    house = asyncio.create_task(
        demonstrate(tmp_path, 1, free_port(), 0.05, address.set_result, dead.append)
    )
    options = ["--config", str(tmp_path / "house.toml"), "--broker", str(tmp_path / "broker")]

    async def companion(*words: str) -> str:
        return (await asyncio.to_thread(CliRunner().invoke, main, ["house", *words])).output

    try:
        while not await archived(await address):
            await asyncio.sleep(0.05)
        assert "Forgotten in 0 archived games" in await companion("forget", "Nobody", *options[:2])
        assert await companion("remove", "table-1", *options) == "table-1 may no longer come in.\n"
        assert "there is no table table-1" in await companion("remove", "table-1", *options)
    finally:
        await end([house])
    assert dead == []
