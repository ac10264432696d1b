"""What holds for every test: under CI=true nothing may be skipped; figures are printed."""

import os
from collections.abc import Generator
from typing import Any

import pytest


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
