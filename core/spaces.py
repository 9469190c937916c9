"""Spaces of observations and actions; the latter with a masked sample fit for thousands of actions a second."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from manjerico.core.errors import InputError, shown
from manjerico.core.layout import Layout


def observation_space(layout: Layout) -> Box:
    """Of float32 vectors of this layout, from 0 to the highest that each entry can be."""
    highest = layout.highest()
    return Box(np.zeros_like(highest), highest, dtype=np.float32)


class MaskedDiscrete(Discrete[np.int64]):
    """``Discrete(n)`` whose ``sample(mask)`` costs a few microseconds and refuses a mask without a legal action.

    Gymnasium's own takes ten times as long at this width and answers 0 to an all-zero mask, which then is
    played as if it were legal. Seeded by ``seed`` like any space.
    """

    def sample(self, mask: npt.NDArray[Any] | None = None, probability: npt.NDArray[Any] | None = None) -> np.int64:
        """A uniformly random action, or one with ``mask[a] == 1`` (int8 [n]), or one by ``probability``.

        Raises:
            InputError: the mask has no 1, or not n entries.
        """
        if mask is None or probability is not None:
            return super().sample(mask, probability)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.n,):
            given = mask.shape if isinstance(mask, np.ndarray) else shown(mask)
            raise InputError(f"an action mask is an array of the shape ({self.n},), not {given}")
        legal = mask.nonzero()[0]
        if not legal.size:
            raise InputError("an all-zero action mask has no legal action to sample: the game is over for this agent")
        choice: np.int64 = legal[int(self.np_random.random() * legal.size)]
        return choice

    def __repr__(self) -> str:
        return f"MaskedDiscrete({self.n})"

    def __eq__(self, other: Any) -> bool:
        return super().__eq__(other)

    __hash__ = object.__hash__
