"""The masked action space."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import numpy as np
import pytest
from gymnasium.spaces import Discrete

from manjerico.core.errors import InputError
from manjerico.core.spaces import MaskedDiscrete


def mask_of(*actions: int, n: int = 325) -> np.ndarray:
    mask = np.zeros(n, np.int8)
    mask[list(actions)] = 1
    return mask


def test_samples_are_legal_and_uniform() -> None:
    """Chi-square over 4000 samples, 3 degrees of freedom."""
    space = MaskedDiscrete(325)
    space.seed(1)
    drawn = Counter(int(space.sample(mask_of(0, 7, 100, 324))) for _ in range(4000))
    assert set(drawn) == {0, 7, 100, 324}
    assert sum((count - 1000) ** 2 / 1000 for count in drawn.values()) < 16.3  # exceeded once in a thousand


def test_a_single_action() -> None:
    space = MaskedDiscrete(325)
    assert {int(space.sample(mask_of(324))) for _ in range(20)} == {324}
    assert isinstance(space.sample(mask_of(324)), np.int64)


def test_an_all_zero_mask_is_refused() -> None:
    """Gymnasium's own space answers 0, which is then played as if it were legal."""
    space = MaskedDiscrete(325)
    with pytest.raises(InputError, match="all-zero action mask has no legal action"):
        space.sample(mask_of())


def test_a_mask_of_another_width_is_refused() -> None:
    with pytest.raises(InputError, match=r"an action mask is an array of the shape \(325,\), not \[1, 0\]"):
        MaskedDiscrete(325).sample([1, 0])  # type: ignore[arg-type]  # what users pass
    with pytest.raises(InputError, match=r"an action mask is an array of the shape \(325,\), not \(9,\)"):
        MaskedDiscrete(325).sample(mask_of(1, n=9))


def test_seeded_by_itself() -> None:
    mask = mask_of(*range(0, 325, 3))
    sampled = []
    for seed in (5, 5, 6):
        space = MaskedDiscrete(325)
        space.seed(seed)
        sampled.append([int(space.sample(mask)) for _ in range(20)])
    assert sampled[0] == sampled[1] != sampled[2]


def test_copies_go_on_the_same() -> None:
    space = MaskedDiscrete(325)
    space.seed(5)
    space.sample(mask_of(1, 2))
    copies = [copy.deepcopy(space), pickle.loads(pickle.dumps(space))]  # noqa: S301  # our own bytes
    mask = mask_of(*range(325))
    expected = [int(space.sample(mask)) for _ in range(20)]
    for copied in copies:
        assert [int(copied.sample(mask)) for _ in range(20)] == expected


def test_it_is_a_discrete_space() -> None:
    space = MaskedDiscrete(9)
    assert isinstance(space, Discrete)
    assert space == MaskedDiscrete(9) != MaskedDiscrete(10)
    assert len({space, space}) == 1
    assert repr(space) == "MaskedDiscrete(9)"
    assert space.contains(8)
    assert not space.contains(9)
    assert 0 <= space.sample() < 9
    space.seed(1)
    assert {int(space.sample(probability=np.eye(9)[4])) for _ in range(10)} == {4}
