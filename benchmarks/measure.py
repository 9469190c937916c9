"""Measuring on a shared, noisy machine: things to compare run in turn, in short slices, and medians are reported."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Slice = Callable[[float], float]
"""Works for about so many seconds and returns how many units it did per second."""


@dataclass(frozen=True)
class Rates:
    """Units per second, one figure for each slice."""

    name: str
    unit: str
    rates: list[float]
    style: str = "{:,.0f}"

    @property
    def median(self) -> float:
        return statistics.median(self.rates)

    @property
    def best(self) -> float:
        return max(self.rates)


@dataclass(frozen=True)
class Seconds:
    """Wall-clock seconds, one figure for each time."""

    name: str
    seconds: list[float]
    unit: str = "s"
    style: str = "{:.2f}"

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)


@dataclass(frozen=True)
class Findings:
    """What a subject found: a table, and what one figure is of another, with its unit: "times" or "s above"."""

    figures: Sequence[Rates | Seconds]
    comparisons: dict[str, tuple[float, str]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        figures = [{**asdict(figure), "median": figure.median, "best": figure.best} for figure in self.figures]
        comparisons = {name: {"value": value, "unit": unit} for name, (value, unit) in self.comparisons.items()}
        return {"figures": figures, "comparisons": comparisons}


TIMES = "times"


def interleave(subjects: dict[str, Slice], unit: str, slices: int, seconds: float) -> list[Rates]:
    """Runs the subjects in turn, ``slices`` times each, after one slice each to warm up."""
    for run in subjects.values():
        run(seconds)
    rates: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(slices):
        for name, run in subjects.items():
            rates[name].append(run(seconds))
    return [Rates(name, unit, values) for name, values in rates.items()]


def ratio(ours: Rates, theirs: Rates) -> float:
    """The median of the ratios of neighbouring slices."""
    return statistics.median(a / b for a, b in zip(ours.rates, theirs.rates, strict=True))


def per_second(work: Callable[[], int]) -> Slice:
    """A slice that repeats ``work``, which returns how many units it did."""

    def run(seconds: float) -> float:
        done = 0
        began = time.perf_counter()
        while (elapsed := time.perf_counter() - began) < seconds:
            done += work()
        return done / elapsed

    return run
