"""The generator inside a state: counter-based, so the same seed gives the same game everywhere.

A stream is two ``uint64``: a key and the number of draws so far. Draw *n* is a mix of both, so a stream can be
copied, compared and continued from its 16 bytes. The mixer is SplitMix64's (Steele, Lea, Flood: "Fast splittable
pseudorandom number generators", 2014), the range reduction is exact (Lemire: "Fast random integer generation
in an interval", 2019).

An agent's random choices come from a stream of its own, never from a game's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import uint64

from manjerico.core.compile import helper

SEEDS = 2**64
"""Seeds are integers in ``range(SEEDS)``."""

GOLDEN = uint64(0x9E3779B97F4A7C15)
MIX_1 = uint64(0xBF58476D1CE4E5B9)
MIX_2 = uint64(0x94D049BB133111EB)
LOW_32 = uint64(0xFFFFFFFF)


@helper
def mix(x: Any) -> Any:
    """SplitMix64's finaliser: a bijection of ``uint64`` in which every input bit moves every output bit."""
    x = (x ^ (x >> uint64(30))) * MIX_1
    x = (x ^ (x >> uint64(27))) * MIX_2
    return x ^ (x >> uint64(31))


@helper
def start(stream: Any, seed: Any) -> None:
    """Sets ``stream`` (uint64[2]) to the beginning of the stream of ``seed``."""
    stream[0] = mix(seed + GOLDEN)
    stream[1] = uint64(0)


@helper
def next_word(stream: Any) -> Any:
    """64 random bits; advances the stream."""
    count = uint64(stream[1]) + uint64(1)
    stream[1] = count
    return mix(uint64(stream[0]) + count * GOLDEN)


@helper
def below(stream: Any, n: Any) -> Any:
    """A uniform integer in ``range(n)``, 1 <= n < 2**32, without bias; advances the stream."""
    bound = uint64(n)
    product = (next_word(stream) >> uint64(32)) * bound
    if (product & LOW_32) < bound:
        threshold = (uint64(2**32) - bound) % bound
        while (product & LOW_32) < threshold:
            product = (next_word(stream) >> uint64(32)) * bound
    return np.int64(product >> uint64(32))
