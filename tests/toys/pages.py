"""What the pages of all environments must say: the docstrings of their modules."""

from __future__ import annotations

import inspect

from manjerico.core.aec import ON_ILLEGAL, RENDER_MODES, GameEnv
from manjerico.core.results import REWARDS


def assert_tells_arguments(page: str) -> None:
    """Every argument of the environment is on its page, and all values that one of a few words can have."""
    for name in inspect.signature(GameEnv).parameters:
        if name not in ("game", "warn", "lookahead"):
            assert f"`{name}`" in page, name
    for value in (*REWARDS, *ON_ILLEGAL, *RENDER_MODES):
        assert f'"{value}"' in page, value


def assert_tells_ids(page: str, firsts: list[int], count: int) -> None:
    """The table of actions has a row for each kind, that begins at these ids."""
    for first, end in zip(firsts, [*firsts[1:], count], strict=True):
        ids = str(first) if end == first + 1 else f"{first}-{end - 1}"
        assert f"| {ids} |" in page
    assert f"Discrete({count})" in page
    assert f"int8[{count}]" in page
