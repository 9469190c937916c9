"""A game for one player as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from manjerico.core.aec import RENDER_MODES, GameEnv
from manjerico.core.errors import InputError, shown
from manjerico.core.game import Game

Observation = npt.NDArray[np.float32]


class RenderModeError(InputError, TypeError):
    """An unknown render mode; SB3's ``make_vec_env`` asks for one, and after a TypeError goes without."""


class SingleAgentEnv(gymnasium.Env[Observation, np.int64]):
    """A score attack: the game with one player, who takes every decision.

    Observations are float32 vectors (:meth:`Game.observation`). Which actions are legal is in ``info["action_mask"]``
    (int8 [actions]) after ``reset`` and ``step``, and what :meth:`action_masks` returns, as sb3-contrib's
    ``MaskablePPO`` asks for it. Episodes terminate and are never truncated; the info of the last step holds the
    ``score`` and the points by source. ``reset(seed=s)`` starts the stream of episodes s, s + 1, ... of the AEC
    environment: the same seed deals the same cards there.

    Args:
        game: which game; it must allow one player.
        options: ``rules``, ``reward``, ``reward_scale``, ``illegal_action``, ``render_mode``, ``lookahead``, ``warn``
            as for :class:`~manjerico.core.aec.GameEnv`. The reward is the score, at the end or (``"dense"``) as it
            changes.

    Raises:
        InputError: an argument has a value that isn't allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # Gymnasium prescribes it

    def __init__(self, game: Game, **options: Any) -> None:
        mode = options.get("render_mode")
        if mode is not None and mode not in RENDER_MODES:
            raise RenderModeError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {shown(mode)}")
        self.aec = GameEnv(game, 1, **options)
        (self._agent,) = self.aec.possible_agents
        self.render_mode = self.aec.render_mode
        space = self.aec.observation_space(self._agent)["observation"]
        assert isinstance(space, gymnasium.spaces.Box)  # noqa: S101  # for mypy: as the AEC environment makes it
        self.observation_space = space
        self.action_space = self.aec.action_space(self._agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode; see the class for ``seed``.

        Raises:
            InputError: a value that isn't allowed.
        """
        self.aec.reset(seed, options)
        super().reset(seed=None if seed is None else int(seed))  # Gymnasium takes no NumPy integers
        return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action.

        Raises:
            InputError: it is no integer in the action space, or the episode is over.
            IllegalActionError: it is not legal, with ``illegal_action="raise"``.
        """
        if self.aec.terminations[self._agent]:
            raise InputError("the episode is over: call reset()")
        self.aec.step(action)
        reward, over = self.aec.rewards[self._agent], self.aec.terminations[self._agent]
        observation, info = self._seen()
        return observation, reward, over, False, info

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        seen = self.aec.observe(self._agent)
        return seen["observation"], {**self.aec.infos[self._agent], "action_mask": seen["action_mask"]}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now (bool [actions]); none after the end."""
        return self.aec.action_mask(self._agent).astype(bool)

    def render(self) -> str | None:
        """The board as text, or printed; see ``render_mode``."""
        return self.aec.render()
