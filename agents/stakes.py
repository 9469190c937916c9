"""What a finished game is worth to a search with rollouts: points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64, int64

from manjerico.core.compile import helper
from manjerico.core.results import beaten, lead

STAKES = np.dtype(
    [
        ("win_bonus", np.float64),  # points for each opponent beaten; as many are lost for each who beats you
        ("rivalry", np.float64),  # what a point of the best opponent costs: 1 counts the lead, 0 the own score alone
    ]
)


@helper
def write_results(game: Any, stakes: Any, results: Any) -> None:
    """Writes what a finished game brought each seat; ``stakes`` is a record with the fields of ``STAKES``."""
    score = game["score"]
    players = int64(game["players"])
    rivalry = float64(stakes["rivalry"])
    for seat in range(players):
        points = rivalry * float64(lead(score, seat, players)) + (1.0 - rivalry) * float64(score[seat])
        results[seat] = points + float64(stakes["win_bonus"]) * beaten(score, seat, players)
