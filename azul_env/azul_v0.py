"""Azul: Summer Pavilion as a PettingZoo AEC environment.

(page written below)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from azul_env.game import GAME
from azul_env.rules import AzulRules
from manjerico.core.aec import GameEnv
from manjerico.core.match import Match


def env(**options: Any) -> GameEnv:
    """The environment; takes the arguments of :class:`raw_env`.

    It does natively what PettingZoo's order-enforcing, out-of-bounds and illegal-action wrappers do.
    """
    return GameEnv(GAME, **options)


def raw_env(**options: Any) -> GameEnv:
    """The environment without warnings; range and legality of actions are tested all the same."""
    return GameEnv(GAME, warn=False, **options)


def new_game(
    seed: int | None = None,
    num_players: int = 2,
    rules: AzulRules | None = None,
    start: int = 0,
    chance: Sequence[int] = (),
) -> Match:
    """A single game, for search, notebooks and puzzles; see :class:`manjerico.core.match.Match`."""
    return Match(GAME, num_players, rules, seed, start, chance)
