"""``Batch``: many games of one kind side by side, stepped by compiled code.

Each seat of each game is controlled by a scripted policy, which moves inside :meth:`Batch.advance`, or from outside. So
whoever decides from outside sees only positions in which it is to act.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from manjerico.core.agent import Agent, ask, name_of
from manjerico.core.batch_driver import OUTSIDE
from manjerico.core.errors import InputError, boolean, choice, integer, shown
from manjerico.core.game import Game
from manjerico.core.rng import SEEDS
from manjerico.core.rules import Rules
from manjerico.core.tape import NO_TAPE

Indices = npt.NDArray[np.int64]


def check_actions(game: Game, actions: npt.NDArray[Any], games: int, who: str = "") -> Indices:
    """``actions`` as compiled code takes them, one for each of so many games; ``who`` decided them, for messages.

    Raises:
        InputError: they are something else, or too large for any game.
    """
    try:
        checked = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError) as error:  # a ragged list; a tensor that torch keeps for itself
        raise InputError(f"{who}actions must be {games} integers, not {shown(actions)}: {error}") from None
    if checked.shape != (games,) or not (checked.dtype.kind in "iu" or games == 0):
        raise InputError(f"{who}actions must be {games} integers, one for each game, not {shown(actions)}")
    if games and checked.min() < 0:
        raise InputError(f"{game.name}: {who}actions are at least 0, not {checked.min()}")
    if games and checked.max() > np.iinfo(np.int64).max:
        raise InputError(f"{game.name}: {who}actions are below 2**63, not {checked.max()}")
    return np.array(checked, np.int64)


class Batch:
    """``games`` games with the same rules and number of players.

    Args:
        game: the game's description.
        games: how many.
        players: how many players each has.
        rules: the game's rules object; by default its default rules.
        seed: of the scripted policies' random choices, which are independent of the deals.
        lookahead: whether observations go on with what actions would bring, where the game offers that.

    Attributes:
        states: the games' records (see the game's ``state.py``).
        layout: of the observations.
        controllers: int64 [games, players]: the number of the scripted policy of each seat (:meth:`policy`), or a
            negative number. May be changed at any time.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        players: int,
        rules: Rules | None = None,
        seed: int = 0,
        lookahead: bool = False,
    ) -> None:
        self.game = game
        self.games = integer(games, "games", 1, 2**24)
        self.players = game.check_players(players)
        self.rules = game.check_rules(rules)
        self.num_actions = game.num_actions(self.rules)
        self.layout = game.observation(self.rules, self.players, boolean(lookahead, "lookahead"))
        self.states = np.zeros(self.games, game.state)
        self.controllers = np.full((self.games, self.players), OUTSIDE, np.int64)
        self.all: Indices = np.arange(self.games)
        self._params = game.make_params(self.rules)
        self._words = np.zeros((self.games, (self.num_actions + 63) // 64), np.uint64)
        self._streams = np.zeros((self.games, 2), np.uint64)
        generator = np.random.default_rng(integer(seed, "seed", 0, SEEDS - 1))
        self._streams[:, 0] = generator.integers(SEEDS, size=self.games, dtype=np.uint64)

    def policy(self, name: str) -> int:
        """The number of a scripted policy, for ``controllers``."""
        return list(self.game.policies).index(choice(name, "policy", self.game.policies))

    def _check_indices(self, indices: Indices) -> Indices:
        """The indices as compiled code takes them, which trusts them."""
        if indices is self.all:
            return indices
        checked = np.asarray(indices)
        if checked.ndim != 1 or not (np.issubdtype(checked.dtype, np.integer) or checked.size == 0):
            raise InputError(f"indices must be a vector of integers, not {shown(indices)}")
        if checked.size and not 0 <= checked.min() <= checked.max() < self.games:
            raise InputError(f"indices must be from 0 to {self.games - 1}, not {checked.min()} to {checked.max()}")
        return np.array(checked, np.int64)

    def _check_ready(self, indices: Indices) -> None:
        """Compiled code trusts the controllers, and would never end a game that was not started."""
        controllers = self.controllers
        if controllers.shape != (self.games, self.players) or controllers.dtype != np.int64:
            raise InputError(f"controllers must be int64 [{self.games}, {self.players}], not {shown(controllers)}")
        if controllers.max() >= len(self.game.policies):
            raise InputError(f"controllers must be below {len(self.game.policies)}, not {controllers.max()}")
        self._check_started(indices)

    def _check_started(self, indices: Indices) -> None:
        if not self.states["players"][indices].all():
            raise InputError("a game must be started before it is advanced or observed")

    def start(self, indices: Indices, seeds: Sequence[int], starts: Sequence[int]) -> None:
        """Begins these games anew, each with its seed and starting seat, without a decision made yet."""
        indices = self._check_indices(indices)
        for name, values in (("seeds", seeds), ("starts", starts)):
            if np.ndim(values) != 1 or len(values) != indices.size:
                raise InputError(f"{name} must be {indices.size} integers, one for each game, not {shown(values)}")
        for index, seed, seat in zip(indices.tolist(), seeds, starts, strict=True):
            integer(seed, "seed", 0, SEEDS - 1)
            integer(seat, "start", 0, self.players - 1)
            self.game.new_game(self._params, self.states, index, np.uint64(seed), self.players, seat, NO_TAPE)
            self.game.legal_actions(self._params, self.states, index, self._words[index])

    def advance(self, indices: Indices, actions: npt.NDArray[Any] | None = None) -> None:
        """Carries out one action in each of these games, then what scripted policies decide.

        Raises:
            InputError: an action is not legal (the games before it have moved), or indices, actions or controllers are
                not what compiled code can trust.
        """
        indices = self._check_indices(indices)
        chosen = np.full(indices.size, -1) if actions is None else check_actions(self.game, actions, indices.size)
        self._check_ready(indices)
        self.controllers = np.ascontiguousarray(self.controllers)
        failed = self.game.advance(
            self._params, self.states, indices, chosen, self._words, self._streams, self.controllers, NO_TAPE
        )
        if failed >= 0:
            raise InputError(f"{self.game.name}: action {chosen[failed]} is not legal in game {indices[failed]}")

    def observe(self, indices: Indices) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Observations and action masks of the players to act, a row for each of these games, as fresh arrays."""
        indices = self._check_indices(indices)
        self._check_started(indices)
        observations = np.empty((indices.size, self.layout.size), np.float32)
        masks = np.empty((indices.size, self.num_actions), np.int8)
        self.game.observe_many(self._params, self.states, indices, self._words, observations, masks)
        return observations, masks

    def choose(self, indices: Indices, policy: str) -> Indices:
        """What a scripted policy would do in each of these games, for who looks at every decision.

        Raises:
            InputError: the game has no such policy, or a game is over.
        """
        indices, which = self._check_indices(indices), self.policy(policy)
        if (self.states["player"][indices] < 0).any():
            raise InputError(f"{self.game.name}: a game is over, there is nothing to choose")
        self._check_ready(indices)
        chosen = [
            self.game.choose(which, self._params, self.states, index, self._words[index], self._streams[index])
            for index in indices.tolist()
        ]
        return np.array(chosen, np.int64)

    def ask(self, indices: Indices, agent: Agent) -> Indices:
        """What an agent decides in each of these games, for the players to act.

        Raises:
            InputError: it answers with something else than integers, one for each game.
        """
        observations, masks = self.observe(indices)
        streams = self._streams[indices]
        decided = ask(agent, self.game, self._params, self.states[indices], streams, observations, masks)
        self._streams[indices] = streams
        return check_actions(self.game, decided, indices.size, f"{name_of(agent)}: ")

    def legal_counts(self, indices: Indices) -> Indices:
        """How many actions are legal in each of these games."""
        counts: Indices = np.bitwise_count(self._words[self._check_indices(indices)]).sum(axis=1, dtype=np.int64)
        return counts

    def waiting(self, indices: Indices) -> Indices:
        """Who has to decide in each of these games: the negative controller of the player to act, 0 after the end."""
        indices = self._check_indices(indices)
        players = self.states["player"][indices].astype(np.int64)
        controllers: Indices = np.where(players < 0, 0, self.controllers[indices, players])
        return controllers

    def scores(self) -> npt.NDArray[np.int16]:
        """Points [games, players], as they stand."""
        points: npt.NDArray[np.int16] = self.states["score"][:, : self.players].copy()
        return points

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that decides how the batch goes on, as arrays; for :meth:`set_state`."""
        return {
            "states": self.states.view(np.uint8).reshape(self.games, -1).copy(),
            "streams": self._streams.copy(),
            "controllers": self.controllers.copy(),
        }

    def set_state(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Goes on from what :meth:`get_state` returned, of a batch made with the same arguments."""
        if not isinstance(arrays, dict):
            raise InputError(f"set_state takes what get_state() returned, not {shown(arrays)}")
        for name, array in self.get_state().items():
            if name not in arrays or (arrays[name].shape, arrays[name].dtype) != (array.shape, array.dtype):
                raise InputError(f"{name} must be {array.dtype} {list(array.shape)}, as in get_state()")
        states = arrays["states"].copy().view(self.game.state).reshape(self.games)
        for index in np.flatnonzero(arrays["states"].any(axis=1)).tolist():  # all zeros: not started yet
            fault = self.game.fault(self.rules, self.players, states[index])
            if fault:
                raise InputError(f"the state of game {index} is impossible: {fault}")
        self.states = states
        self._streams = arrays["streams"].copy()
        self.controllers = arrays["controllers"].copy()
        for index in range(self.games):
            self.game.legal_actions(self._params, self.states, index, self._words[index])
