"""Opponents: who decides for the seats that aren't the learner's, drawn from a pool for each seat and episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from manjerico.core.agent import Agent
from manjerico.core.batch_driver import OUTSIDE, POOL
from manjerico.core.errors import InputError, choice, number, shown
from manjerico.core.game import Game

Opponents = str | Agent | Iterable[str | Agent] | Mapping[str | Agent, float]
"""A scripted policy's name, an agent, several of them, or several with their weights."""


def of_learner(game: Game, players: int, opponents: Opponents | None) -> Opponents | None:
    """Whom a learner plays against: random ones if nobody is named, and nobody if it plays alone.

    Raises:
        InputError: it plays alone, and opponents are named.
    """
    if players > 1:
        return "random" if opponents is None else opponents
    if opponents is not None:
        more = next(number_ for number_ in game.players if number_ > 1)
        raise InputError(f"{game.name}: one player has no opponents: num_players={more}, or leave opponents out")
    return None


class Pool:
    """The opponents of a batch.

    Args:
        game: whose scripted policies are known by name.
        opponents: who is drawn, with equal probability unless weights are given; None: nobody.

    Attributes:
        table: of dtype ``POOL``, for compiled code.
        agents: those that are no scripted policies; agent k has the controller ``OUTSIDE - 1 - k``.

    Raises:
        InputError: there are none, or one is neither.
    """

    def __init__(self, game: Game, opponents: Opponents | None) -> None:
        weights = [] if opponents is None else _weighed(opponents)
        policies = list(game.policies)
        self.agents: list[Agent] = []
        self.table = np.zeros(len(weights), POOL)
        for row, (opponent, _) in enumerate(weights):
            if isinstance(opponent, str):
                self.table["controller"][row] = policies.index(choice(opponent, "opponents", policies))
            elif isinstance(opponent, Agent):
                self.table["controller"][row] = OUTSIDE - 1 - len(self.agents)
                self.agents.append(opponent)
            else:
                raise InputError(
                    f"opponents must be names or agents with act(observations, masks), not {shown(opponent)}"
                )
        shares = np.array([weight for _, weight in weights], np.float64)
        until = np.cumsum(shares / shares.max(initial=0.0))  # divided first: a sum of large ones may be no number
        self.table["until"] = until / until[-1:]


def _weighed(opponents: Any) -> list[tuple[Any, float]]:
    if isinstance(opponents, Mapping):
        weighed = [(opponent, number(weight, f"weight of {shown(opponent)}")) for opponent, weight in opponents.items()]
    elif isinstance(opponents, str | Agent) or not isinstance(opponents, Iterable):
        weighed = [(opponents, 1.0)]
    else:
        weighed = [(opponent, 1.0) for opponent in opponents]
    if not weighed:
        raise InputError("opponents must name at least one")
    return weighed
