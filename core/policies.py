"""The one policy that needs to know nothing about the game."""

from __future__ import annotations

from typing import Any

from manjerico.core import bits, rng
from manjerico.core.compile import helper


@helper
def random_policy(params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:
    """A uniformly random legal action."""
    return bits.select(words, rng.below(stream, bits.count(words)))
