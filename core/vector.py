"""Many games as one Gymnasium ``VectorEnv``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from manjerico.core import results
from manjerico.core.batch import AUTORESET, BatchEnv, Step
from manjerico.core.errors import InputError, choice, shown
from manjerico.core.game import Game
from manjerico.core.opponents import Opponents, of_learner
from manjerico.core.spaces import MaskedDiscrete, observation_space

Floats = npt.NDArray[np.float32]

MODES = dict(zip(AUTORESET, (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED), strict=True))


class GameVectorEnv(VectorEnv[Floats, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """The learner's turns in many games, stepped by compiled code; row *i* is the ``Env`` of seed + *i*.

    Infos hold ``action_mask`` (int8 [num_envs, actions]) and ``seat``, the learner's; for the games that end also its
    ``score``, ``place`` and points by source, under ``"same_step"`` with the ``seat`` as ``final_info`` beside
    ``final_obs``. As Gymnasium has it, each key has a bool array ``_key`` that says which rows it holds for. Nothing is
    truncated.

    Args:
        game, num_envs: as for :class:`~manjerico.core.batch.BatchEnv`.
        num_players: by default the smallest number that the game allows.
        opponents: as for :class:`~manjerico.core.batch.BatchEnv`, by default random ones; one player has none.
        autoreset_mode: ``"next_step"``, ``"same_step"``, ``"disabled"``, or Gymnasium's ``AutoresetMode``. Disabled, a
            game that is over is begun anew by ``reset(options={"reset_mask": bools})``.
        options: ``rules``, ``seat``, ``reward``, ``reward_scale``, ``lookahead``, ``threads``, ``copy`` as for
            :class:`~manjerico.core.batch.BatchEnv`.

    Raises:
        InputError: an argument has a value that isn't allowed.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        num_players: int | None = None,
        *,
        opponents: Opponents | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        if isinstance(autoreset_mode, AutoresetMode):
            (autoreset_mode,) = (name for name, mode in MODES.items() if mode is autoreset_mode)
        self.metadata = {"autoreset_mode": MODES[choice(autoreset_mode, "autoreset_mode", AUTORESET)]}
        players = game.players[0] if num_players is None else game.check_players(num_players)
        opponents = of_learner(game, players, opponents)
        self.batch = BatchEnv(game, num_envs, players, opponents=opponents, autoreset=autoreset_mode, **options)
        self.num_envs = self.batch.num_envs
        self.single_observation_space = observation_space(self.batch.layout)
        self.single_action_space = MaskedDiscrete(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._mask = np.zeros((self.num_envs, self.batch.num_actions), np.int8)
        self._over = np.zeros(self.num_envs, bool)
        self._rows = np.arange(self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begins an episode in every game, or where ``options["reset_mask"]`` (bool [num_envs]) says so.

        Raises:
            InputError: a value that isn't allowed.
        """
        if options is not None and (not isinstance(options, dict) or set(options) - {"reset_mask"}):
            raise InputError(f"options must be None or a dict with reset_mask, not {shown(options)}")
        step = self.batch.reset(seed, (options or {}).get("reset_mask"))
        super().reset(seed=None if seed is None else int(seed))
        return step.observation, self._informed(step)

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Floats, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Plays an action in each game, and what the others decide until the learner's next turn.

        Raises:
            InputError: an action is not legal; nothing has changed then.
        """
        over = self._over
        step = self.batch.step(actions)
        infos = self._informed(step)
        ended = step.done if self.batch.autoreset == "same_step" else step.done & ~over
        if ended.any():
            self._report(step, ended, infos)
        rewards = step.reward[self._rows, step.seat].astype(np.float64)
        return step.observation, rewards, step.done, np.zeros(self.num_envs, bool), infos

    def _informed(self, step: Step) -> dict[str, Any]:
        self._mask, self._over = step.mask, step.done.copy()
        everywhere = np.ones(self.num_envs, bool)
        return {
            "action_mask": step.mask,
            "_action_mask": everywhere,
            "seat": self.batch.seats(),
            "_seat": everywhere.copy(),
        }

    def _report(self, step: Step, ended: npt.NDArray[np.bool_], infos: dict[str, Any]) -> None:
        """What there is to say of games that end, for the learner."""
        scores = self.batch.final_scores()
        told: dict[str, npt.NDArray[Any]] = {
            "seat": np.broadcast_to(np.arange(scores.shape[1]), scores.shape),
            "score": scores,
            "place": results.places(scores),
            **self.batch.final_sources(),
        }
        of_learner = {name: np.where(ended, values[self._rows, step.seat], 0) for name, values in told.items()}
        where = {f"_{name}": ended.copy() for name in told}
        if self.batch.autoreset != "same_step":
            infos |= of_learner | where | {name: infos[name] for name in ("seat", "_seat")}
            return
        final: npt.NDArray[Any] = np.full(self.num_envs, None)
        for index, seen in zip(
            np.flatnonzero(ended).tolist(), self.batch.final_observations(ended, step.seat), strict=True
        ):
            final[index] = seen
        infos |= {"final_obs": final, "_final_obs": ended.copy()}
        infos |= {"final_info": of_learner | where, "_final_info": ended.copy()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now (bool [num_envs, actions])."""
        return self._mask.astype(bool)
