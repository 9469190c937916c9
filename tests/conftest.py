"""Options and shared counters of the test-suite."""

from __future__ import annotations

import os
import signal
from collections import Counter, defaultdict

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with Ctrl-C ignored
os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch's threads would wait for each other in parallel tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--compared-games",
        type=int,
        default=2000,
        help="games that are compared with the reference, decision by decision (the long mode: 100000)",
    )


@pytest.fixture(scope="session")
def compared_games(request: pytest.FixtureRequest) -> int:
    games: int = request.config.getoption("--compared-games")
    return games


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Adds up what tests have counted with ``record_property``, over all worker processes."""
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for report in terminalreporter.getreports("passed"):
        for name, counts in report.user_properties:
            if isinstance(counts, dict):
                totals[name].update(counts)
    for name, counted in totals.items():
        terminalreporter.write_sep("-", f"{name}: {counted.total():,} in all")
        terminalreporter.write_line(", ".join(f"{what} {number:,}" for what, number in sorted(counted.items())))
