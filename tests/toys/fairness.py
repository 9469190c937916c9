"""Whether draws are fair."""

from __future__ import annotations

from collections import Counter


def chi_square(observed: Counter[str], weights: dict[str, int]) -> float:
    """Pearson's statistic against frequencies in proportion to the weights."""
    assert set(observed) <= set(weights)
    unit = observed.total() / sum(weights.values())
    return sum((observed[key] - unit * weight) ** 2 / (unit * weight) for key, weight in weights.items())
