"""What holds for every test: under CI=true nothing may be skipped; figures are printed.

A process has one browser: its driver keeps an event loop that no other may share. Hypothesis
measures no time: what takes long on a busy machine is not wrong.
"""

import os
import shutil
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    """Turn a skip into a failure where the machine is meant to have every component."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests measured and recorded as a property named `figure`."""
    for report in terminalreporter.stats.get("passed", []):
        for name, figure in getattr(report, "user_properties", []):
            if name == "figure":
                terminalreporter.write_line(str(figure))


@pytest.fixture(scope="session")
def playwright() -> "Iterator[Playwright]":
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: "Playwright") -> "Iterator[Browser]":
    chromium = shutil.which("chromium")
    assert chromium, "there is no chromium: `make test` installs it, or `apt install chromium`"
    found = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    yield found
    found.close()
