"""How a seat played a game of Arraial, in figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from arraial_env.geometry import squares_of
from arraial_env.rules import ArraialRules
from arraial_env.state import NONE
from manjerico.core.game import Records


def profile(rules: ArraialRules, states: Records) -> list[dict[str, float]]:
    """For each seat of a finished game, whose states are those at the start and after each decision."""
    end = states[-1]
    pieces = (states["occupied"][1:] != states["occupied"][:-1]).any(axis=2).sum(axis=0)
    return [
        {
            "pieces placed": float(pieces[seat]),
            "lines completed": float(_full_rows(rules, end["occupied"][seat])),
            "zones": float(end["visitors"][seat].sum()),  # each has had one visitor (C6)
            "squares of the largest zone": float(end["largest"][seat].max()),
            "couples": float((end["couples"] == seat).sum()),
            "bars lost": float(end["bar"][seat] == NONE),
        }
        for seat in range(int(end["players"]))
    ]


def _full_rows(rules: ArraialRules, board: Any) -> int:
    """Completed rows stay on the board (C8)."""
    rows = np.array(squares_of(board), np.int64) // rules.width
    return int((np.bincount(rows, minlength=1) == rules.width).sum())
