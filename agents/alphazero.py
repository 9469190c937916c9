"""Tree search by a network, for many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from manjerico.agents import puct
from manjerico.agents.network import NetworkAgent
from manjerico.agents.policy_value import PolicyValue
from manjerico.core.agent import Estimate
from manjerico.core.errors import InputError, integer, share
from manjerico.core.game import Game, Records
from manjerico.core.rules import Rules
from manjerico.core.tape import NO_TAPE

MODELS = Path(__file__).parent / "models"
"""What comes with the package; how each was trained is written beside it."""

MOST_TREES = 256
"""Games that are searched side by side; more would not be faster."""

MOST_NODES = 2**16
"""Of all games that are searched side by side, if these are several: a node takes up to 3 KB."""


class Searched(NamedTuple):
    """What a search found for each state."""

    actions: npt.NDArray[np.int64]
    policies: npt.NDArray[np.float32]
    """[states, actions]: the improved policy."""
    values: npt.NDArray[np.float32]
    """[states]: for the player to act."""


class NetworkSearch:
    """Searches up to ``trees`` states at once.

    Args:
        game, players, rules: of the states.
        network: is asked for policies and values; it may go on learning.
        trees: how many.
        simulations: for each state.
        considered: actions of the root that take part; see ``agents/puct.py``.
        half: whether matrix products take bfloat16.
        rollouts: the share of a rollout's result in the value of a leaf, 0 to 1; the rest is the network's.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        rules: Rules,
        network: PolicyValue,
        trees: int,
        simulations: int,
        considered: int,
        half: bool = False,
        rollouts: float = 0.0,
    ) -> None:
        self.game, self.network, self.simulations, self.half = game, network, simulations, half
        self.kernels = puct.make_kernels(game)
        self.actions = game.num_actions(rules)
        self.params = game.make_params(rules)
        self.wanted = puct.visits_wanted(considered, simulations)
        self.forest = puct.Forest.blank(game, self.actions, trees, simulations)
        self.observations = np.zeros((trees, network.inputs), np.float32)
        self.words = np.zeros((self.actions + 63) // 64, np.uint64)
        self.options = np.zeros(1, puct.OPTIONS)
        settings = {**network.worth._asdict(), **network.style._asdict(), **DEFAULTS}
        settings |= {"considered": considered, "rollouts": rollouts}
        for name, value in settings.items():
            self.options[name] = value

    @torch.no_grad()
    def search(self, states: Records, noisy: bool = False) -> Searched:
        """Searches from these states, which are concealed; their generators are the searches' seeds.

        Args:
            states: as many as there are trees, or fewer.
            noisy: whether to explore, for training.
        """
        count = len(states)
        forest = self.forest.first(count)
        forest.plant(states, states["rng"][:, 0] ^ states["rng"][:, 1])
        self.options["noisy"] = int(noisy)
        observations = self.observations[:count]
        seen = torch.from_numpy(observations)
        for simulation in range(-1, self.simulations):  # the first one reaches the root
            self.kernels.descend(
                self.params, *forest, self.options, self.wanted, max(simulation, 0), observations, NO_TAPE
            )
            with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
                logits, values = self.network(seen)
            self.kernels.grow(
                self.params, *forest, self.options, self.words, logits.float().numpy(), values.float().numpy(), NO_TAPE
            )
        found = Searched(
            np.zeros(count, np.int64), np.zeros((count, self.actions), np.float32), np.zeros(count, np.float32)
        )
        self.kernels.conclude(
            forest.nodes, forest.edges, self.options, found.actions, found.policies, found.values[None]
        )
        return found

    def analyse(self, state: Records) -> list[Estimate]:
        """Searches from a single state; what it found of the actions that it tried, best first.

        Values are from -1 to 1, shares those of the improved policy.
        """
        found = self.search(state)
        node = self.forest.nodes[0, 0]
        edges = self.forest.edges[0, node["edges"] : node["edges"] + node["count"]]
        tried = edges[edges["visits"] > 0]
        policy = found.policies[0]
        estimates = [
            Estimate(int(edge["action"]), float(edge["value"] / edge["visits"]), float(policy[edge["action"]]))
            for edge in tried
        ]
        return sorted(estimates, key=lambda e: (e.action != found.actions[0], -e.share))


DEFAULTS = {"exploration": 1.25, "widening": 1.0, "value_visits": 50.0}
"""As the papers have them; values lie between -1 and 1."""


class AlphaZeroAgent:
    """A trained network with tree search.

    Args:
        search: of as many trees as it has; more states are searched in turn.
        files: that the network is from.
    """

    needs_states = True

    def __init__(self, search: NetworkSearch, files: Sequence[Path] = ()) -> None:
        self.search, self.files = search, files

    def act(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], states: Records
    ) -> npt.NDArray[np.int64]:
        """The action to which the search of each state came."""
        trees = len(self.search.observations)
        parts = [states[at : at + trees] for at in range(0, len(states), trees)]
        return np.concatenate([self.search.search(part).actions for part in parts])

    def analyse(self, states: Records) -> list[list[Estimate]]:
        """What the search of each state found; see :meth:`NetworkSearch.analyse`."""
        return [self.search.analyse(states[row : row + 1]) for row in range(len(states))]


def alphazero(
    game: Game,
    players: int,
    rules: Rules,
    _seed: int = 0,
    *,
    checkpoint: str | None = None,
    simulations: int = 128,
    considered: int = 16,
    rollouts: float = 0.0,
) -> AlphaZeroAgent | NetworkAgent:
    """A trained network as an agent, with tree search.

    Args:
        game, players, rules: what it plays.
        _seed: is not used: the search draws from the states that it is given.
        checkpoint: the file that training wrote, ``model.pt``; by default the model that comes with the package.
        simulations: for each decision; 0: the network's policy, without search.
        considered: actions that take part at the root.
        rollouts: the share, 0 to 1, that a rollout of the game's strongest scripted policy has in the value of each
            position that the search reaches; the rest is the network's.

    Raises:
        InputError: a parameter has a value that isn't allowed, or the file is for something else.
    """
    file = shipped(game, players) if checkpoint is None else Path(checkpoint)
    network = PolicyValue.load(file, game, players, rules)
    considered = integer(considered, "considered", 1, 2**10)
    if integer(simulations, "simulations", 0, 2**16) == 0:
        return NetworkAgent(network, files=[file])
    trees = max(min(MOST_TREES, MOST_NODES // simulations), 1)
    search = NetworkSearch(
        game, players, rules, network, trees, simulations, considered, rollouts=share(rollouts, "rollouts")
    )
    return AlphaZeroAgent(search, [file])


def shipped(game: Game, players: int) -> Path:
    """The model that comes with the package.

    Raises:
        InputError: there is none.
    """
    file = MODELS / f"{game.name}-{players}.pt"
    if not file.is_file():
        raise InputError(
            f"no model of {game.name} for {players} players comes with the package: alphazero:checkpoint=FILE takes "
            "one that `manjerico train --preset alphazero` wrote"
        )
    return file
