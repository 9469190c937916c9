"""What the points of a finished game are worth: places and rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy import int64

from manjerico.core.compile import helper

REWARDS = ("place", "margin", "dense", "lead")
"""At the end ``place``: by rank, summing to 0; ``margin``: points ahead of the best opponent. As they happen ``dense``:
each change of the score; ``lead``: each change of the margin."""

POINT_SCALE = 1 / 50
"""The default worth of a point, in rewards that count points."""


def places(scores: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """1 + the number of players with more points; scores and places are [games, players] (H2)."""
    place: npt.NDArray[np.int64] = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    return place


def final_rewards(kind: str, scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Rewards at the end, unscaled, for scores [games, players]; nothing, if they are paid as they happen.

    By place it is (players beaten - players who beat you) / (players - 1) (H1). A player alone gets the score,
    under ``place`` and ``margin`` alike.
    """
    points = scores.astype(np.float64)
    players = points.shape[1]
    if kind in ("dense", "lead"):
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


def places_of_game(scores: list[int]) -> list[int]:
    """:func:`places` of one game, in a tenth of the time that arrays take."""
    return [1 + sum(other > own for other in scores) for own in scores]


def rewards_of_game(kind: str, scores: list[int]) -> list[float]:
    """:func:`final_rewards` of one game, likewise."""
    if kind in ("dense", "lead"):
        return [0.0] * len(scores)
    if kind == "margin" or len(scores) == 1:
        return [float(lead) for lead in leads(scores)]
    beaten = [sum((own > other) - (own < other) for other in scores) for own in scores]
    return [balance / (len(scores) - 1) for balance in beaten]


def leads(scores: list[int]) -> list[int]:
    """By how much each player is ahead of the best other; a player alone has the score."""
    if len(scores) == 1:
        return scores
    second, best = sorted(scores)[-2:]
    return [own - (second if own == best else best) for own in scores]


@helper
def lead(score: Any, seat: Any, players: Any) -> Any:
    """:func:`leads` of one seat in compiled code, for a state's ``score``."""
    own = int64(score[seat])
    if players == 1:
        return own
    least = int64(2**16)
    for k in range(players):
        if k != seat:
            least = min(least, own - int64(score[k]))
    return least


@helper
def beaten(score: Any, seat: Any, players: Any) -> Any:
    """Players beaten less players who beat this seat, in compiled code."""
    balance = int64(0)
    for k in range(players):
        balance += int64(score[k] < score[seat]) - int64(score[k] > score[seat])
    return balance


def default_scale(kind: str, players: int) -> float:
    """What a reward is multiplied with unless the user says otherwise: rewards by place are left as they are."""
    return 1.0 if kind == "place" and players > 1 else POINT_SCALE
