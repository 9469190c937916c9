"""What the points of a finished game are worth: places and rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

REWARDS = ("place", "margin", "dense")
"""``place``: by rank, summing to 0; ``margin``: points ahead of the best opponent; ``dense``: each change of score."""

POINT_SCALE = 1 / 50
"""The default worth of a point, in rewards that count points."""


def places(scores: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """1 + the number of players with more points; scores and places are [games, players] (H2)."""
    place: npt.NDArray[np.int64] = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    return place


def final_rewards(kind: str, scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Rewards at the end, unscaled, for scores [games, players]; for ``dense`` there is nothing to add.

    By place it is (players beaten - players who beat you) / (players - 1) (H1). A player alone gets the score,
    under ``place`` and ``margin`` alike.
    """
    points = scores.astype(np.float64)
    players = points.shape[1]
    if kind == "dense":
        return np.zeros_like(points)
    if players == 1:
        return points
    ahead = points[:, :, None] - points[:, None, :]
    if kind == "place":
        by_place: npt.NDArray[np.float64] = np.sign(ahead).sum(axis=2) / (players - 1)
        return by_place
    ahead[:, np.arange(players), np.arange(players)] = np.inf
    margin: npt.NDArray[np.float64] = ahead.min(axis=2)
    return margin


def default_scale(kind: str, players: int) -> float:
    """What a reward is multiplied with unless the user says otherwise: rewards by place are left as they are."""
    return 1.0 if kind == "place" and players > 1 else POINT_SCALE
