"""The generator against plain integers of any size, against known numbers, and against chance."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from numpy import uint64

from manjerico.core import rng

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")
"""With ``NUMBA_DISABLE_JIT=1`` NumPy warns where the generator counts on integers that wrap around."""

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
SEEDS = [0, 1, 7, 2**32, 2**63, 2**64 - 1, 0xDEADBEEFCAFEF00D]


class Model:
    """The generator in integers without a size, as its paper writes it."""

    def __init__(self, seed: int) -> None:
        self.key = self.mix(seed + GOLDEN)
        self.count = 0

    @staticmethod
    def mix(x: int) -> int:
        x &= MASK
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
        return x ^ (x >> 31)

    def word(self) -> int:
        self.count += 1
        return self.mix(self.key + self.count * GOLDEN)

    def below(self, n: int) -> int:
        """The high half of a 32-bit draw times n; draws whose low half is in the uneven rest are thrown away."""
        while True:
            product = (self.word() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def stream_of(seed: int) -> np.ndarray:
    stream = np.zeros(2, np.uint64)
    rng.start(stream, uint64(seed))
    return stream


def test_known_numbers() -> None:
    """The key of seed 0 and what follows it are the first numbers of SplitMix64, as published with its source."""
    stream = stream_of(0)
    assert int(stream[0]) == 0xE220A8397B1DCDAF
    published = np.zeros(2, np.uint64)  # key 0: SplitMix64 seeded with 0
    assert [int(rng.next_word(published)) for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_golden_numbers() -> None:
    """These never change, or no seed gives the games that it gave before."""
    stream = stream_of(7)
    assert [int(rng.next_word(stream)) for _ in range(4)] == [
        0xB8B4C2977EABCE45,
        0xA65305FD338EC8FE,
        0x8CA3CBB6CA63129B,
        0x9AAF21D8296E1E3D,
    ]
    assert [int(rng.below(stream, 6)) for _ in range(20)] == [
        2,
        1,
        5,
        5,
        5,
        0,
        5,
        2,
        0,
        1,
        5,
        4,
        5,
        1,
        1,
        5,
        0,
        4,
        4,
        2,
    ]
    assert stream.tolist() == [0x63CBE1E459320DD7, 24]


@pytest.mark.parametrize("seed", SEEDS)
def test_words_are_the_model_s(seed: int) -> None:
    stream, model = stream_of(seed), Model(seed)
    for _ in range(500):
        assert int(rng.next_word(stream)) == model.word()
    assert stream.tolist() == [model.key, model.count]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 132, 325, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_ranges_are_the_model_s(n: int) -> None:
    """Also where every other draw is thrown away."""
    stream, model = stream_of(n), Model(n)
    for _ in range(500):
        assert int(rng.below(stream, n)) == model.below(n)
    assert int(stream[1]) == model.count


def test_the_counter_wraps_around() -> None:
    stream, model = stream_of(3), Model(3)
    stream[1] = model.count = MASK
    assert int(rng.next_word(stream)) == Model.mix(model.key)
    assert int(stream[1]) == 0


@pytest.mark.parametrize(("n", "highest"), [(2, 10.8), (6, 20.5), (7, 22.5), (22, 46.8), (132, 188.4)])
def test_uniform(n: int, highest: float) -> None:
    """Chi-square over 20,000 draws; the bound is exceeded once in a thousand."""
    stream = stream_of(1)
    drawn = Counter(int(rng.below(stream, n)) for _ in range(20_000))
    assert set(drawn) == set(range(n))
    expected = 20_000 / n
    assert sum((drawn[k] - expected) ** 2 / expected for k in range(n)) < highest


def test_no_bias_in_wide_ranges() -> None:
    """Without rejection a third of the range would come up twice as often as the others."""
    n = 3 * 2**30
    stream = stream_of(2)
    thirds = Counter(3 * int(rng.below(stream, n)) // n for _ in range(9000))
    assert all(2800 < thirds[k] < 3200 for k in range(3))


def test_neighbouring_seeds_have_nothing_in_common() -> None:
    """Games of a batch have seeds s, s + 1, ...: half of the bits differ, and no stream is another one's tail."""
    words = [[int(rng.next_word(stream)) for _ in range(50)] for stream in map(stream_of, range(40))]
    flips = [
        (a ^ b).bit_count() for first, second in itertools.pairwise(words) for a, b in zip(first, second, strict=True)
    ]
    assert 31.5 < sum(flips) / len(flips) < 32.5
    assert len({word for stream in words for word in stream}) == 40 * 50


def test_a_stream_is_its_bytes() -> None:
    stream = stream_of(5)
    rng.below(stream, 6)
    copied = np.frombuffer(stream.tobytes(), np.uint64).copy()
    assert [rng.below(copied, 100) for _ in range(10)] == [rng.below(stream, 100) for _ in range(10)]
