"""The PettingZoo AEC environment of every game."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Iterator
from typing import Any, Self

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict
from pettingzoo import AECEnv

from manjerico.core import drawing, record, results
from manjerico.core.drivers import ILLEGAL
from manjerico.core.errors import InputError, boolean, choice, integer, number
from manjerico.core.game import NOBODY, Game
from manjerico.core.match import IllegalActionError, Match
from manjerico.core.rng import SEEDS
from manjerico.core.rules import Rules
from manjerico.core.spaces import MaskedDiscrete, observation_space

Observation = dict[str, npt.NDArray[Any]]

ON_ILLEGAL = ("terminate", "raise", "random")
RENDER_MODES = ("ansi", "human")

ROWS = 16
"""Observations that are allocated together."""


class Later:
    """An attribute that an environment has from its first reset on, and that says so before.

    A ``__getattr__`` would say it too, but in its class CPython looks up every attribute four times as slowly.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, env: object, owner: type) -> Any:
        if env is None:
            return self
        raise AttributeError(f"{self.name} is not known yet: call reset() first")


class GameEnv(AECEnv[str, Observation, int]):
    """A game as PettingZoo's agents know it: one agent to act at a time, with an action mask.

    Observations are ``{"observation": float32 vector, "action_mask": int8 vector}``; the mask of an agent that isn't to
    act is all zeros. What an agent sees as its reward in ``last()`` is the sum since its own previous decision. The
    step that ends the game sets the rewards and terminations of all agents. Arrays are fresh in every step: they may
    be kept. All state is in the object: ``copy.deepcopy``, ``pickle``, :meth:`clone` and :meth:`get_state` /
    :meth:`set_state` keep the exact position.

    Args:
        game: which game.
        num_players: how many agents; by default the smallest number that the game allows.
        rules: the game's rules object.
        reward: ``"place"``, ``"margin"``, ``"dense"`` or ``"lead"`` (``core/results.py``).
        reward_scale: what rewards are multiplied with; by default 1 for places, 1/50 for points.
        illegal_action: ``"terminate"`` ends the game with -1 for the agent and 0 for the others, ``"raise"`` raises
            ``IllegalActionError`` and changes nothing, ``"random"`` plays a random legal action instead.
        render_mode: ``"ansi"``: :meth:`render` returns the board as text; ``"human"``: every step prints it.
        lookahead: whether observations go on with what actions would bring, where the game offers that.
        warn: whether an illegal action that ends the game is also logged as a warning.

    Raises:
        InputError: an argument has a value that isn't allowed.
    """

    agents: Any = Later()
    agent_selection: Any = Later()
    rewards: Any = Later()
    terminations: Any = Later()
    truncations: Any = Later()
    infos: Any = Later()

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        rules: Rules | None = None,
        reward: str = "place",
        reward_scale: float | None = None,
        illegal_action: str = "terminate",
        render_mode: str | None = None,
        lookahead: bool = False,
        warn: bool = True,
    ) -> None:
        super().__init__()
        self._match = Match(game, num_players, rules, seed=0)
        players = self._match.players
        self._reward = choice(reward, "reward", results.REWARDS)
        scale = results.default_scale(reward, players) if reward_scale is None else reward_scale
        self._scale = number(scale, "reward_scale")
        self._illegal_action = choice(illegal_action, "illegal_action", ON_ILLEGAL)
        self.render_mode = None if render_mode is None else choice(render_mode, "render_mode", RENDER_MODES)
        self._lookahead = boolean(lookahead, "lookahead")
        self._warn = warn
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._make_spaces()
        self._next_seed: int | None = None
        self._rows: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_rows": []}

    def _make_spaces(self) -> None:
        match = self._match
        layout = match.game.observation(match.rules, match.players, self._lookahead)
        self.state_space = observation_space(layout)
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": observation_space(layout),
                    "action_mask": Box(0, 1, (self._match.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: MaskedDiscrete(self._match.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The agent's observation space: the same object at every call."""
        return self.observation_spaces[self._check_agent(agent)]

    def action_space(self, agent: str) -> MaskedDiscrete:
        """The agent's action space: the same object at every call."""
        return self.action_spaces[self._check_agent(agent)]

    def _check_agent(self, agent: Any) -> str:
        return choice(agent, "agent", self.possible_agents)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts an episode.

        Args:
            seed: starts a stream of episodes, 0 <= seed < 2**64: this one is the game of that seed, and each
                ``reset()`` without a seed takes the next. Without any seed so far, a random one is drawn.
            options: ``{"start": seat}``, the seat that starts.

        Raises:
            InputError: a value that isn't allowed.
        """
        start = self._check_options(options)
        if seed is not None:
            self._next_seed = integer(seed, "seed", 0, SEEDS - 1)
        elif self._next_seed is None:
            self._next_seed = secrets.randbits(64)
        self._match.begin(self._next_seed, start)
        self._next_seed = (self._next_seed + 1) % SEEDS
        self._substitutes: np.random.Generator | None = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._blank_info() for agent in self.agents}
        self.agent_selection = self.agents[start]
        self._standings = self._find_standings()
        self._fresh: Observation | None = None
        self._stepped = True
        self._told = False  # whether an illegal action was replaced in this episode
        if self.render_mode == "human":
            self.render()

    def _check_options(self, options: Any) -> int:
        """The starting seat. PettingZoo's own test passes ``{"options": 1}``, which is tolerated."""
        if options is None:
            return 0
        if not isinstance(options, dict):
            raise InputError(f"options must be a dict, not {options!r}")
        for name in options:
            if name not in ("start", "options"):
                raise InputError(f"unknown reset option {name!r}; the known options are: start")
        return integer(options.get("start", 0), "option start", 0, self._match.players - 1)

    def _blank_info(self) -> dict[str, Any]:
        return {"illegal_action": "", "score": 0, "place": 0, **dict.fromkeys(self._match.game.sources, 0)}

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yields the agent to act until all are done, or ``max_iter`` times.

        Raises:
            InputError: the loop goes round without :meth:`step`.
        """
        self._stepped = True
        while self.agents and max_iter > 0:
            if not self._stepped:
                raise InputError("a loop over agent_iter() must call step() in every turn")
            self._stepped = False
            yield self.agent_selection
            max_iter -= 1

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last decision, terminated, truncated and info of the agent to act."""
        agent = self.agent_selection
        observation = None
        if observe:
            observation, self._fresh = self._fresh, None  # handed out once: the caller then owns the arrays
            if observation is None:
                observation = self.observe(agent)
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What an agent sees: any agent, at any time, after the end too."""
        to_act = agent == self.agent_selection
        if to_act and self._fresh is not None:
            fresh, self._fresh = self._fresh, None  # handed out once: the caller then owns the arrays
            return fresh
        mask = self.action_mask(agent)
        return {"observation": self._seen(self._seats[agent]), "action_mask": mask}

    def action_mask(self, agent: str) -> npt.NDArray[np.int8]:
        """The mask of the agent's observation alone: 1 for each legal action, all zeros unless it is to act."""
        to_act = self._check_agent(agent) == self.agent_selection
        over = self.terminations.get(agent, True)
        return self._match.action_mask() if to_act and not over else np.zeros(self._match.num_actions, np.int8)

    def state(self) -> npt.NDArray[np.float32]:
        """All that is public, as seat 0 sees it; never the generator."""
        self._begun("state")
        return self._seen(0)

    def _seen(self, seat: int) -> npt.NDArray[np.float32]:
        return self._match._observe(seat, self.state_space.shape[0])

    def _begun(self, wanted: str) -> Match:
        """The episode's match, which no agent has seen before the first reset."""
        if "agents" not in vars(self):
            raise AttributeError(f"{wanted}() is not possible yet: call reset() first")
        return self._match

    def step(self, action: int | None) -> None:
        """Plays the action of ``agent_selection``; an agent whose game is over steps with None.

        Raises:
            InputError: the action is no integer in the action space, or the episode is over.
            IllegalActionError: with ``illegal_action="raise"``.
        """
        agent = self.agent_selection
        self._stepped = True
        if not self.agents:
            raise InputError("the episode is over: call reset()")
        if self.terminations[agent]:
            if action is not None:
                raise InputError(f"the game is over for {agent}: the only valid action is None, not {action!r}")
            self._was_dead_step(None)
            return
        if type(action) is not int:
            action = integer(action, f"action of {agent}", 0, self._match.num_actions - 1)
        observation, mask = self._rows.pop() if self._rows else self._allocate_rows()
        try:
            player = self._match._step(action, observation, mask)
        except OverflowError:  # no 64-bit integer, and so out of range
            player = ILLEGAL
        if player == ILLEGAL:
            action = integer(action, f"action of {agent}", 0, self._match.num_actions - 1)
            self._play_illegal(agent, action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._told and self.infos[agent]["illegal_action"]:
            self.infos[agent] = self._blank_info()
        if player == NOBODY:
            self._end_game(agent)
        else:
            self.agent_selection = self.possible_agents[player]
            self._fresh = {"observation": observation, "action_mask": mask}
            if self._reward in ("dense", "lead"):
                self._reward_changes()
        if self.render_mode == "human":
            self.render()

    def _allocate_rows(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Arrays for what the next agents see: allocating many rows at once takes a third of the time."""
        size, actions = self.state_space.shape[0], self._match.num_actions
        rows = zip(np.empty((ROWS, size), np.float32), np.empty((ROWS, actions), np.int8), strict=True)
        self._rows = list(rows)
        return self._rows.pop()

    def _reward_changes(self) -> None:
        """Rewards for what every score, or lead, has changed by since the last step."""
        before, self._standings = self._standings, self._find_standings()
        changes = [(now - then) * self._scale for now, then in zip(self._standings, before, strict=True)]
        self._set_rewards(changes)

    def _find_standings(self) -> list[int]:
        scores = self._match.scores
        return results.leads(scores) if self._reward == "lead" else scores

    def _set_rewards(self, by_seat: list[float]) -> None:
        self.rewards = dict(zip(self.agents, by_seat, strict=True))
        self._accumulate_rewards()

    def _end_game(self, agent: str) -> None:
        """Rewards, terminations and results for all; the agents then step with None in turn, the next one first."""
        scores = self._match.scores
        if self._reward in ("dense", "lead"):
            self._reward_changes()
        else:
            self._set_rewards([worth * self._scale for worth in results.rewards_of_game(self._reward, scores)])
        for seat, place in enumerate(results.places_of_game(scores)):
            self._inform(self.agents[seat], score=scores[seat], place=place, **self._match.breakdown(seat))
        self._terminate(agent)

    def _inform(self, agent: str, **news: Any) -> None:
        """Replaces an agent's info: one that was handed out stays as it was."""
        self.infos[agent] = {**self.infos[agent], **news}

    def _terminate(self, agent: str) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[(self._seats[agent] + 1) % len(self.agents)]
        self._fresh = None

    def _play_illegal(self, agent: str, action: int) -> None:
        """An action in range that the rules forbid; see the option ``illegal_action``."""
        try:
            self._match.check_legal(action)
        except IllegalActionError as error:
            message = str(error)
            if self._illegal_action == "raise":
                raise
        if self._illegal_action == "random":
            self.step(self._substitute())
            self._inform(agent, illegal_action=message)
            self._told = True
            return
        if self._warn:
            gymnasium.logger.warn(f"{message}; the game is over")
        self._cumulative_rewards[agent] = 0.0
        self._set_rewards([-1.0 if other == agent else 0.0 for other in self.agents])
        self._inform(agent, illegal_action=message)
        self._terminate(agent)

    def _substitute(self) -> int:
        """A random legal action, from a stream of the episode's seed that is not the game's."""
        if self._substitutes is None:
            self._substitutes = np.random.default_rng(self._match.seed)
        return int(self._substitutes.choice(self._match.legal_actions()))

    def game(self) -> Match:
        """This position as a plain single game, an independent copy: for agents, hints and search."""
        return self._begun("game").clone()

    def record(self, agents: list[str] | None = None, note: str | None = None) -> dict[str, Any]:
        """The game so far as a record in format 1; ``agents`` names who played, by seat."""
        return record.of_match(self._begun("record"), agents, note)

    def render(self) -> str | None:
        """The board as text under ``"ansi"``; under ``"human"`` it is printed."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() needs a render_mode: env(render_mode="ansi")')
            return None
        drawn = self._match.game.draw(self._begun("render"))
        if self.render_mode == "human":
            drawing.show(drawn)
            return None
        return drawing.to_text(drawn)

    def close(self) -> None:
        """Nothing is held open."""

    def clone(self) -> Self:
        """An independent copy of the environment."""
        return copy.deepcopy(self)

    def get_state(self) -> dict[str, Any]:
        """A snapshot of the episode, for :meth:`set_state`; changing it changes nothing here."""
        return copy.deepcopy({name: value for name, value in vars(self).items() if name not in self._fixed()})

    def set_state(self, snapshot: dict[str, Any]) -> None:
        """Goes back to a snapshot of this environment or of one made with the same arguments; spaces stay."""
        whole = isinstance(snapshot, dict) and "agents" in snapshot
        whole = whole and not any(callable(getattr(type(self), name, None)) for name in snapshot)
        if not whole or self._arguments(snapshot) != self._arguments(self.__dict__):
            raise InputError("set_state takes what get_state() returned, of an environment with the same arguments")
        self.__dict__.update(copy.deepcopy(snapshot))

    def _arguments(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """What environments must have in common to exchange snapshots; ``values`` are one's attributes."""
        match = values.get("_match")
        options = tuple(values.get(name) for name in ("_reward", "_scale", "_illegal_action", "_lookahead", "_warn"))
        return (match.game, match.players, match.rules, options) if isinstance(match, Match) else ()

    @staticmethod
    def _fixed() -> tuple[str, ...]:
        spaces = "observation_spaces", "action_spaces", "state_space"
        return *spaces, "metadata", "possible_agents", "render_mode", "_rows"
