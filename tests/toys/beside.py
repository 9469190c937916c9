"""A batch and single matches of the same games, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manjerico.core.batch_driver import OUTSIDE
from manjerico.core.games import Batch
from manjerico.core.match import Match


def play_beside(batch: Batch, matches: Sequence[Match], rng: np.random.Generator) -> None:
    """Plays all games at random to the end; the batch must show, allow, become and score what the matches do."""
    going = batch.all
    while going.size:
        observations, masks = batch.observe(going)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        for row, index in enumerate(going.tolist()):
            np.testing.assert_array_equal(masks[row], matches[index].action_mask())
            np.testing.assert_array_equal(observations[row], matches[index].observation())
            matches[index].apply(int(actions[row]))
        batch.advance(going, actions)
        for index in going.tolist():
            assert batch.states[index].tobytes() == matches[index].get_state()
        going = going[batch.waiting(going) == OUTSIDE]
    assert batch.scores().tolist() == [match.scores for match in matches]
