"""Self-play: one seat of each game learns, the others are scripted or past selves."""

from __future__ import annotations

from collections.abc import Mapping

from manjerico.agents.network import NetworkAgent
from manjerico.core.batch import BatchEnv
from manjerico.core.game import Game
from manjerico.core.rules import Rules
from manjerico.experiments.config import PAST


class SelfPlay:
    """A batch with a pool of opponents that takes in past selves; the learner's seat is random.

    Between two updates only one of the past selves plays: each is a network of its own to be asked at every step of a
    game, and eight of them took a quarter of the time of training.

    Args:
        game, games, players, rules, reward, reward_scale, copy: as for :class:`BatchEnv`.
        opponents: weights by name, of the game's scripted policies and ``"past"``; past selves have one together. None
            at all: the learner plays all seats.
        pool_size: how many past selves to keep.

    Attributes:
        keeps_past: whether past selves play; without, there are none to add, change or set.
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
        copy: bool = True,
    ) -> None:
        self.pool_size = pool_size
        self.past: list[NetworkAgent] = []
        self.snapshots = self.changes = 0
        self._weights = {name: weight for name, weight in opponents.items() if weight > 0}
        self.keeps_past = players > 1 and PAST in self._weights
        scripted = {name: weight for name, weight in self._weights.items() if name != PAST}
        met = (scripted or "random") if self._weights and players > 1 else None  # random until there are past selves
        self.batch = BatchEnv(
            game,
            games,
            players,
            rules,
            opponents=met,
            seat="random",
            reward=reward,
            reward_scale=reward_scale,
            autoreset="same_step",
            lookahead=game.lookahead is not None,
            copy=copy,
        )

    def add_past(self, agent: NetworkAgent) -> None:
        """Adds a past self to the pool, in the place of the oldest if it is full."""
        slot = self.snapshots % self.pool_size
        self.past[slot : slot + 1] = [agent]
        self.snapshots += 1
        self._seat_past()

    def change_past(self) -> None:
        """The next past self of the pool plays, also on in games under way."""
        self.changes += 1
        self._seat_past()

    def set_past(self, agents: list[NetworkAgent], snapshots: int, changes: int) -> None:
        """These are the past selves, in the order of their places in the pool, after so many snapshots and changes."""
        self.past, self.snapshots, self.changes = agents, snapshots, changes
        self._seat_past()

    def _seat_past(self) -> None:
        playing = self.past[self.changes % len(self.past)]
        self.batch.set_opponents({playing if name == PAST else name: w for name, w in self._weights.items()})
