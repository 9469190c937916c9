"""Options and shared counters of the test-suite."""

from __future__ import annotations

import pytest


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
