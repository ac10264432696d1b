"""The daemon's place in a house: a service that is made only where the configuration has one."""

import asyncio
import importlib
from pathlib import Path

from companion.config import CafeSection, Config
from companion.daemon.shell import Daemon, Service


def house_service(section: CafeSection, config: Config, folder: Path, page: str = "") -> Service:
    """Join the house when the table is up; what it needs is imported then, and in a thread."""

    async def house(daemon: Daemon) -> None:
        cafe = await asyncio.to_thread(importlib.import_module, "companion.cafe.table")
        await cafe.Table(daemon, section, folder, page=page, board=config.board).run()

    return house
