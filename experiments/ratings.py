"""Ratings of agents on the Elo scale, from who had more points than whom.

The model is Bradley and Terry's: agent i beats j with the odds 10 ** ((rating i - rating j) / 400). A game of several
players is a comparison of every two of its seats, a tie half a win for either. Ratings are the most likely ones; only
their differences mean something, so their mean is set to 0. Were one agent the zero, like random, all others' ratings
would move with its luck.

The prior is half a win each way between every two agents. It is nothing beside hundreds of games, but gives an agent
that always wins a rating at all, which otherwise were infinite.

The 95 % intervals are from a Bayesian bootstrap (Rubin 1981) over deals, which are independent of each other, as the
games of one deal are not: the ratings are computed again and again with random weights, Exp(1) for each deal and
Gamma(1/2) for each half a win of the prior. So the interval of an agent that always wins is wide upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import choix
import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from manjerico.experiments.evaluation import CONFIDENCE, Interval

ELO = 400 / np.log(10)
"""Elo's points for a factor e of the odds."""
PRIOR = 0.5
RESAMPLES = 1000

Wins = npt.NDArray[np.float64]


def comparisons(seats: Sequence[int], scores: Sequence[int], agents: int) -> Wins:
    """The wins [agents, agents] of row against column in one game, ties as half; an agent is not compared with itself.

    Args:
        seats: the agents' numbers by seat.
        scores: by seat.
        agents: how many there are.
    """
    points = np.array(scores)
    ahead = (np.sign(points[:, None] - points) + 1) / 2
    wins = np.zeros((agents, agents))
    np.add.at(wins, np.ix_(seats, seats), ahead)
    np.fill_diagonal(wins, 0)
    return wins


def fit(
    wins: Wins, prior: Wins | float = PRIOR, near: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.float64]:
    """The most likely ratings, with mean 0; they are found sooner from ratings that are near."""
    begin = None if near is None else near / ELO
    ratings: npt.NDArray[np.float64] = ELO * choix.ilsr_pairwise_dense(wins + prior, 0.0, begin, max_iter=10_000)
    return ratings


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents."""

    values: npt.NDArray[np.float64]
    again: npt.NDArray[np.float64]
    """The same with other weights [RESAMPLES, agents]."""

    @classmethod
    def of(cls, wins: Wins, seed: int = 0) -> Self:
        """From the wins [deals, agents, agents]; ``seed`` decides the bootstrap's weights."""
        generator = np.random.default_rng(seed)
        values = fit(wins.sum(axis=0))
        deals, agents, _ = wins.shape
        again = [
            fit(
                np.tensordot(generator.standard_exponential(deals), wins, 1),
                generator.gamma(PRIOR, size=(agents, agents)),
                values,
            )
            for _ in range(RESAMPLES)
        ]
        return cls(values, np.array(again))

    def rating(self, agent: int) -> Interval:
        """An agent's rating."""
        return _interval(self.values[agent], self.again[:, agent])

    def lead(self, agent: int, other: int) -> Interval:
        """By how much an agent is ahead: closer than two ratings' intervals tell, which share what moves both."""
        return _interval(self.values[agent] - self.values[other], self.again[:, agent] - self.again[:, other])


def _interval(value: float, again: npt.NDArray[np.float64]) -> Interval:
    low, high = np.quantile(again, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(value), float(low), float(high))


def groups(wins: Wins) -> list[list[int]]:
    """The agents [agents, agents] in groups such that between two of them one side won every comparison, best first.

    How far groups are apart is decided by the prior alone.
    """
    count, labels = connected_components(wins > 0, connection="strong")
    found = [np.flatnonzero(labels == label).tolist() for label in range(count)]
    return sorted(found, key=lambda group: -fit(wins)[group].max())
