"""The training environment: one seat of each game learns, the others are scripted or past selves."""

from __future__ import annotations

from collections.abc import Mapping

from manjerico.agents.network import NetworkAgent
from manjerico.core.batch import BatchEnv
from manjerico.core.game import Game
from manjerico.core.opponents import Agent
from manjerico.core.rules import Rules
from manjerico.experiments.config import PAST
from manjerico.experiments.vec_env import BatchVecEnv


class SelfPlayEnv(BatchVecEnv):
    """A :class:`BatchVecEnv` whose pool of opponents takes in past selves; the learner's seat is random.

    Args:
        game, games, players, rules, reward, reward_scale: as for :class:`BatchEnv`.
        opponents: weights by name, of the game's scripted policies and ``"past"``; past selves share theirs.
        pool_size: how many past selves to keep.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        players: int,
        rules: Rules | None,
        opponents: Mapping[str, float],
        pool_size: int,
        reward: str,
        reward_scale: float | None,
    ) -> None:
        self.pool_size = pool_size
        self.past: list[NetworkAgent] = []
        self.snapshots = 0
        self._weights = {name: weight for name, weight in opponents.items() if weight > 0}
        batch = BatchEnv(
            game,
            games,
            players,
            rules,
            opponents="random",  # until there are past selves
            seat="random",
            reward=reward,
            reward_scale=reward_scale,
            autoreset="same_step",
            lookahead=game.lookahead is not None,
        )
        super().__init__(batch)

    def add_past(self, agent: NetworkAgent) -> None:
        """Adds a past self to the pool, in the place of the oldest if it is full."""
        slot = self.snapshots % self.pool_size
        self.past[slot : slot + 1] = [agent]
        self.snapshots += 1
        self.set_past(self.past)

    def set_past(self, agents: list[NetworkAgent]) -> None:
        """These are the past selves, in the order of their places in the pool."""
        self.past = agents
        weights: dict[str | Agent, float] = {name: w for name, w in self._weights.items() if name != PAST}
        if PAST in self._weights:
            weights |= {agent: self._weights[PAST] / len(agents) for agent in agents}
        self.batch.set_opponents(weights)
