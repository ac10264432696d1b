"""A broker for each test; tests may be coroutines."""

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cafe.houses import Mosquitto

TABLES = ("table-1", "table-2", "table-3", "table-4")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that knows four tables and the house."""
    found = Mosquitto(tmp_path / "broker", TABLES).start()
    yield found
    found.kill()
