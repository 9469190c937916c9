"""What a finished game is worth to a network that searches: a number from -1 to 1."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import float64, int64

from manjerico.core.compile import helper
from manjerico.core.results import beaten, final_rewards, lead


class Worth(NamedTuple):
    """Partly the place, partly the lead over the best opponent, squeezed by tanh."""

    place: float
    """The share of the place, 0 to 1. A player alone has no place, only a score."""
    spread: float
    """The lead in points that is worth tanh(1)."""

    def of(self, scores: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """[games, players], for final scores [games, players]."""
        leads = np.tanh(final_rewards("margin", scores) / self.spread)
        if scores.shape[1] == 1:
            return leads.astype(np.float32)
        worth: npt.NDArray[np.float64] = self.place * final_rewards("place", scores) + (1 - self.place) * leads
        return worth.astype(np.float32)


@helper
def worth(game: Any, place: Any, spread: Any, seat: Any) -> Any:
    """:meth:`Worth.of` for one seat in compiled code, of a finished game's state."""
    score = game["score"]
    players = int64(game["players"])
    by_lead = np.tanh(float64(lead(score, seat, players)) / spread)
    if players == 1:
        return by_lead
    by_place = float64(beaten(score, seat, players)) / float64(players - 1)
    return place * by_place + (1.0 - place) * by_lead
