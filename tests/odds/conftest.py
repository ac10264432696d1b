"""The fast part is built before its tests, where `make` has not done so."""

from pathlib import Path

import pytest

from companion.build import compile_kernel
from companion.odds.kernel import FOLDER, SOURCE, MissingError, library

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def kernel() -> None:
    try:
        library()
    except MissingError:
        assert compile_kernel(SOURCE, FOLDER) is not None, "install a C compiler"
        library.cache_clear()
        library()
