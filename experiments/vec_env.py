"""``BatchVecEnv``: a batch of games as Stable-Baselines3 takes it, without pickling or subprocesses."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from manjerico.core.batch import BatchEnv, Step
from manjerico.core.batch_driver import EVERY_SEAT
from manjerico.core.errors import InputError
from manjerico.core.games import Indices
from manjerico.core.spaces import MaskedDiscrete, observation_space


class BatchVecEnv(VecEnv):
    """The learner's turns in every game of a batch.

    A game that ends is followed at once by the next. The infos of that step hold ``terminal_observation``, the
    learner's ``score`` and, as ``VecMonitor`` would have it, the ``episode``.

    Args:
        batch: with opponents, or of one player; ``autoreset="same_step"`` and ``copy=True``.

    Raises:
        InputError: the batch is made otherwise.
    """

    def __init__(self, batch: BatchEnv) -> None:
        if batch.seat_rule == EVERY_SEAT:
            raise InputError("a BatchVecEnv needs a batch with opponents, so that one seat is the learner's")
        if batch.autoreset != "same_step" or not batch.copy:
            raise InputError('a BatchVecEnv needs a batch with autoreset="same_step" and copy=True')
        self.batch = batch
        self._mask = np.zeros((batch.num_envs, batch.num_actions), np.int8)
        self._actions: npt.NDArray[Any] = np.zeros(batch.num_envs, np.int64)
        self._lengths = np.zeros(batch.num_envs, np.int64)
        self._returns = np.zeros(batch.num_envs)
        self._games: Indices = np.arange(batch.num_envs)
        self.render_mode = None
        super().__init__(batch.num_envs, observation_space(batch.layout), MaskedDiscrete(batch.num_actions))

    def reset(self) -> npt.NDArray[np.float32]:
        """Begins all games, with the seed that :meth:`seed` was given."""
        step = self.batch.reset(self._seeds[0])
        self._reset_seeds()
        self._lengths[:] = 0
        self._returns[:] = 0
        return self._see(step)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Notes the learner's actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Plays every game to the learner's next decision.

        Raises:
            InputError: an action is not legal.
        """
        step = self.batch.step(self._actions)
        rewards = step.reward[self._games, step.seat]
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if step.done.any():
            self._report(step, infos)
        return self._see(step), rewards, step.done, infos

    def _report(self, step: Step, infos: list[dict[str, Any]]) -> None:
        final = self.batch.final_observations(step.done, step.seat)
        scores = self.batch.final_scores()[self._games, step.seat]
        for row, index in enumerate(np.flatnonzero(step.done).tolist()):
            infos[index] = {
                "terminal_observation": final[row],
                "TimeLimit.truncated": False,
                "score": int(scores[index]),
                "episode": {"r": float(self._returns[index]), "l": int(self._lengths[index]), "t": 0.0},
            }
        self._lengths[step.done] = 0
        self._returns[step.done] = 0

    def _see(self, step: Step) -> npt.NDArray[np.float32]:
        self._mask = step.mask
        return step.observation

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The masks of the learner's decisions, int8 [games, actions]."""
        return self._mask

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

    def close(self) -> None:
        """Nothing is held open."""

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that decides how the games go on, agents among the opponents aside."""
        return {**self.batch.get_state(), "lengths": self._lengths.copy(), "returns": self._returns.copy()}

    def set_state(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Goes on from what :meth:`get_state` returned."""
        self._see(self.batch.set_state(arrays))
        self._lengths = arrays["lengths"].copy()
        self._returns = arrays["returns"].copy()
