"""How a seat played a game of Azul: Summer Pavilion, in figures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from azul_env.geometry import ROUNDS, SIDES, number_masks, star_masks, structure_masks
from azul_env.rules import AzulRules
from manjerico.core.game import Records


def profile(rules: AzulRules, states: Records) -> list[dict[str, float]]:
    """For each seat of a finished game, whose states are those at the start and after each decision."""
    side = SIDES[rules.side]
    end = states[-1]
    boards = end["board"][: int(end["players"])]
    figures = {
        "tiles placed": np.bitwise_count(boards),
        "stars completed": _contained(boards, star_masks()),
        "number sets completed": _contained(boards, number_masks(side)),
        "structures enclosed": _contained(boards, structure_masks(side)),
        "tiles carried over, each round": _carried_over(states)[: boards.size] / (ROUNDS - 1),
    }
    return [{name: float(values[seat]) for name, values in figures.items()} for seat in range(boards.size)]


def _contained(boards: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """How many of the masks are filled on each board."""
    filled: npt.NDArray[np.int64] = ((boards[:, None] & masks) == masks).sum(axis=1)
    return filled


def _carried_over(states: Records) -> npt.NDArray[np.int64]:
    """Tiles that lie in the corners of each seat's board at the beginning of rounds 2 to 6 (D4), in all."""
    begins = np.searchsorted(states["round"], np.arange(2, ROUNDS + 1))
    tiles: npt.NDArray[np.int64] = states["kept"][begins].sum(axis=(0, 2))
    return tiles
