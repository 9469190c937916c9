"""One seat of a game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from manjerico.core import batch_driver
from manjerico.core.aec import RENDER_MODES, GameEnv
from manjerico.core.agent import ask
from manjerico.core.batch import AUTORESET, learners_seat
from manjerico.core.batch_driver import OUTSIDE
from manjerico.core.errors import InputError, integer, shown
from manjerico.core.game import Game
from manjerico.core.games import check_actions
from manjerico.core.opponents import Opponents, Pool, of_learner
from manjerico.core.rng import SEEDS

Observation = npt.NDArray[np.float32]


class RenderModeError(InputError, TypeError):
    """An unknown render mode; SB3's ``make_vec_env`` asks for one, and after a TypeError goes without."""


class SingleAgentEnv(gymnasium.Env[Observation, np.int64]):
    """The learner's turns of a game; opponents decide in between, inside ``reset`` and ``step``.

    With one player it is a score attack. Observations are float32 vectors (:meth:`Game.observation`). Which actions are
    legal is in ``info["action_mask"]`` (int8 [actions]) after ``reset`` and ``step``, and what :meth:`action_masks`
    returns, as sb3-contrib's ``MaskablePPO`` asks for it; ``info["seat"]`` is the learner's. Episodes terminate and
    are never truncated; the info of the last step holds ``score``, ``place`` and the points by source.

    ``reset(seed=s)`` starts a stream of episodes. The first has the deal of the AEC environment's seed s; all are those
    of the first game of a :class:`~manjerico.core.batch.BatchEnv` with that seed and the same arguments.

    Args:
        game: which game.
        num_players: by default the smallest number that the game allows.
        opponents: a scripted policy's name, an agent with ``act(observations, masks)``, a list of them or a dict with
            weights; drawn anew for each seat and episode. By default random ones; one player has none.
        seat: the learner's: a number, ``"alternate"`` or ``"random"``.
        options: ``rules``, ``reward``, ``reward_scale``, ``illegal_action``, ``render_mode``, ``lookahead``, ``warn``
            as for :class:`~manjerico.core.aec.GameEnv`. Rewards are sums since the learner's last turn.

    Raises:
        InputError: an argument has a value that isn't allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # Gymnasium prescribes it

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        *,
        opponents: Opponents | None = None,
        seat: int | str = "alternate",
        **options: Any,
    ) -> None:
        mode = options.get("render_mode")
        if mode is not None and mode not in RENDER_MODES:
            raise RenderModeError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {shown(mode)}")
        self.game = game
        self.aec = GameEnv(game, game.players[0] if num_players is None else num_players, **options)
        players = len(self.aec.possible_agents)
        self._pool = Pool(game, of_learner(game, players, opponents))
        self._options = np.zeros(1, batch_driver.OPTIONS)
        self._options["players"], self._options["seat"] = players, learners_seat(seat, players)
        self._options["autoreset"] = AUTORESET.index("disabled")
        self._desks = np.zeros(1, batch_driver.desk_dtype(game))
        self._desks["episode"] = -1
        self._seeded = False
        self._unpaid = 0.0  # for what others did before the learner's first turn
        self.agent = self.aec.possible_agents[0]
        self.render_mode = self.aec.render_mode
        space = self.aec.observation_space(self.agent)["observation"]
        assert isinstance(space, gymnasium.spaces.Box)  # noqa: S101  # for mypy: as the AEC environment makes it
        self.observation_space = space
        self.action_space = self.aec.action_space(self.agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode; see the class for ``seed``. ``options={"start": seat}`` names the seat that starts.

        Raises:
            InputError: a value that isn't allowed.
        """
        if seed is not None:
            self._seed(integer(seed, "seed", 0, SEEDS - 1))
        elif not self._seeded:
            self._seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))
        deal = self.game.next_episode(self._desks, self._options, self._pool.table)
        self.aec.reset(int(deal), options)
        super().reset(seed=None if seed is None else int(seed))  # Gymnasium takes no NumPy integers
        self.agent = self.aec.possible_agents[self._desks["seat"][0]]
        self._let_others_decide()
        self._unpaid = self.aec._cumulative_rewards[self.agent]
        return self._seen()

    def _seed(self, seed: int) -> None:
        self._desks["seed"], self._desks["episode"] = np.uint64(seed), -1
        self._seeded = True

    def _let_others_decide(self) -> None:
        while not self.aec.terminations[self.agent]:
            seat = self.aec.possible_agents.index(self.aec.agent_selection)
            controller = int(self._desks["controllers"][0, seat])
            if controller == OUTSIDE:
                return
            if controller > OUTSIDE:
                action = self.aec._match._choose(controller, self._desks["stream"][0])
            else:
                action = self._ask(OUTSIDE - 1 - controller)
            self.aec.step(action)

    def _ask(self, number: int) -> int:
        """What an agent among the opponents decides."""
        seen = self.aec.observe(self.aec.agent_selection)
        agent, streams, match = self._pool.agents[number], self._desks["stream"].copy(), self.aec._match
        rows = seen["observation"][None], seen["action_mask"][None]
        decided = ask(agent, self.game, match._params, match._states, streams, *rows)
        self._desks["stream"] = streams
        action = int(check_actions(self.game, decided, 1, "an opponent's ")[0])
        if action >= seen["action_mask"].size or not seen["action_mask"][action]:
            raise InputError(f"{self.game.name}: an opponent's action {action} is not legal")
        return action

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action, and what the others decide until the learner's next turn.

        Raises:
            InputError: it is no integer in the action space, or the episode is over.
            IllegalActionError: it is not legal, with ``illegal_action="raise"``.
        """
        if self.aec.terminations[self.agent]:
            raise InputError("the episode is over: call reset()")
        if self.aec.agent_selection != self.agent:
            raise InputError("an opponent failed in the middle of the last step: call reset()")
        self.aec.step(action)
        self._let_others_decide()
        reward, self._unpaid = self._unpaid + self.aec._cumulative_rewards[self.agent], 0.0
        observation, info = self._seen()
        return observation, reward, self.aec.terminations[self.agent], False, info

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        seen = self.aec.observe(self.agent)
        seat = int(self._desks["seat"][0])
        return seen["observation"], {**self.aec.infos[self.agent], "action_mask": seen["action_mask"], "seat": seat}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now (bool [actions]); none after the end."""
        return self.aec.action_mask(self.agent).astype(bool)

    def render(self) -> str | None:
        """The boards as text, or printed; see ``render_mode``."""
        return self.aec.render()
