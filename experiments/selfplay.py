"""The training environment: many games in which one seat learns and the others are scripted or past selves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from manjerico.agents.network import NetworkAgent
from manjerico.core import results
from manjerico.core.batch import OUTSIDE, Batch, Indices
from manjerico.core.game import Game
from manjerico.core.rules import Rules
from manjerico.core.spaces import MaskedDiscrete
from manjerico.experiments.config import PAST


class SelfPlayEnv(VecEnv):
    """A Stable-Baselines3 ``VecEnv`` over a :class:`Batch`, without pickling or subprocesses.

    In every game one seat is the learner's, drawn anew for each, as is who starts; each other seat's opponent is drawn
    by ``opponents``' weights. The opponents move inside :meth:`step`, so the learner sees its own turns only, and its
    reward is the sum until its next decision. A game that ends is followed at once by the next; its final observation
    is in ``info["terminal_observation"]``.

    Args:
        game, games, players, rules: as for :class:`Batch`.
        opponents: weights by name, of the game's scripted policies and ``"past"``, which needs :meth:`add_past` before
            the first :meth:`reset`.
        pool_size: how many past selves to keep.
        reward: ``"score"``: each change of the own score; ``"lead"``: each change of the lead over the best opponent;
            ``"place"``: the reward by place at the end.
        reward_scale: the reward for a point.
        seed: decides all deals, seats, opponents and their choices.
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
        reward_scale: float,
        seed: int,
    ) -> None:
        self.batch = Batch(game, games, players, rules, seed, lookahead=game.lookahead is not None)
        self.rng = np.random.default_rng(seed)
        self.pool_size = pool_size
        self.past: list[NetworkAgent] = []
        self.snapshots = 0
        self._reward, self._scale = reward, reward_scale
        self._weights = np.array(list(opponents.values())) / sum(opponents.values())
        self._scripted = np.array([OUTSIDE if name == PAST else self.batch.policy(name) for name in opponents])
        self._seats = np.zeros(games, np.int64)
        self._potential = np.zeros(games)
        self._lengths = np.zeros(games, np.int64)
        self._returns = np.zeros(games)
        self._masks = np.zeros((games, self.batch.num_actions), np.int8)
        self._actions: npt.NDArray[Any] = np.zeros(games, np.int64)
        highest = self.batch.layout.highest()
        space = Box(np.zeros_like(highest), highest, dtype=np.float32)
        self.render_mode = None
        super().__init__(games, space, MaskedDiscrete(self.batch.num_actions))

    def add_past(self, agent: NetworkAgent) -> None:
        """Adds a past self to the pool, in the place of the oldest if it is full."""
        slot = self.snapshots % self.pool_size
        self.past[slot : slot + 1] = [agent]
        self.snapshots += 1

    def reset(self) -> VecEnvObs:
        """Starts all games."""
        self._start(self.batch.all)
        return self._observe()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Notes the learner's actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Plays every game to the learner's next decision."""
        self.batch.advance(self.batch.all, self._actions)
        self._let_others_move(self.batch.all)
        before, self._potential = self._potential, self._value()
        rewards = self._potential - before
        self._returns += rewards
        self._lengths += 1
        dones = self.batch.states["player"] < 0
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if ended.size:
            self._report(ended, infos)
            self._start(ended)
        return self._observe(), rewards.astype(np.float32), dones, infos

    def _report(self, ended: Indices, infos: list[dict[str, Any]]) -> None:
        observations, _ = self.batch.observe(ended)
        scores = self.batch.scores()
        for row, index in enumerate(ended.tolist()):
            infos[index] = {
                "terminal_observation": observations[row],
                "TimeLimit.truncated": False,
                "score": int(scores[index, self._seats[index]]),
                "episode": {"r": float(self._returns[index]), "l": int(self._lengths[index]), "t": 0.0},
            }

    def _observe(self) -> npt.NDArray[np.float32]:
        observations, self._masks = self.batch.observe(self.batch.all)
        return observations

    def _start(self, indices: Indices) -> None:
        """New games with fresh seats and opponents, played to the learner's first decision."""
        batch, players, count = self.batch, self.batch.players, indices.size
        seeds = self.rng.integers(2**63, size=count).tolist()
        self._seats[indices] = self.rng.integers(players, size=count)
        drawn = self.rng.choice(len(self._scripted), (count, players), p=self._weights)
        past = OUTSIDE - 1 - self.rng.integers(max(len(self.past), 1), size=(count, players))
        scripted = self._scripted[drawn]
        batch.controllers[indices] = np.where(scripted == OUTSIDE, past, scripted)
        batch.controllers[indices, self._seats[indices]] = OUTSIDE
        batch.start(indices, seeds, self.rng.integers(players, size=count).tolist())
        batch.advance(indices)
        self._let_others_move(indices)
        self._potential[indices] = self._value()[indices]
        self._lengths[indices] = 0
        self._returns[indices] = 0.0

    def _let_others_move(self, indices: Indices) -> None:
        """Past selves decide until each of these games is over or waits for the learner."""
        while True:
            waiting = self.batch.waiting(indices)
            indices = indices[waiting < OUTSIDE]
            if not indices.size:
                return
            slots = OUTSIDE - 1 - waiting[waiting < OUTSIDE]
            observations, masks = self.batch.observe(indices)
            actions = np.empty(indices.size, np.int64)
            for slot in np.unique(slots).tolist():
                rows = slots == slot
                actions[rows] = self.past[slot].act(observations[rows], masks[rows])
            self.batch.advance(indices, actions)

    def _value(self) -> npt.NDArray[np.float64]:
        """What rewards are the changes of, for each game."""
        scores = self.batch.scores()
        if self._reward == "score":
            by_seat = scores.astype(np.float64) * self._scale
        elif self._reward == "lead":
            by_seat = results.final_rewards("margin", scores) * self._scale
        else:
            over = self.batch.states["player"] < 0
            by_seat = results.final_rewards("place", scores) * over[:, None]
            by_seat *= self._scale if self.batch.players == 1 else 1  # alone it is the score
        value: npt.NDArray[np.float64] = by_seat[self.batch.all, self._seats]
        return value

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The masks of the learner's decisions, int8 [games, actions]."""
        return self._masks

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Answers ``action_masks``, from the last step's array."""
        values = getattr(self, method_name)(*method_args, **method_kwargs)
        return [values[index] for index in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is an attribute of that name."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, once for each game: it is the same for all."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Not offered: the games of a batch have no attributes of their own."""
        raise NotImplementedError(f"the games of a batch have no attribute {attr_name!r} of their own")

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed is given once, to the constructor; SB3 calls this without effect."""
        return [seed] * self.num_envs

    def close(self) -> None:
        """Nothing is held open."""

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything but the past selves that decides how the games go on."""
        return {
            **self.batch.get_state(),
            "seats": self._seats.copy(),
            "potential": self._potential.copy(),
            "lengths": self._lengths.copy(),
            "returns": self._returns.copy(),
        }

    def set_state(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Goes on from what :meth:`get_state` returned."""
        self.batch.set_state(arrays)
        self._seats = arrays["seats"].copy()
        self._potential = arrays["potential"].copy()
        self._lengths = arrays["lengths"].copy()
        self._returns = arrays["returns"].copy()
        self._observe()
