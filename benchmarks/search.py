"""Tree search on one core from the opening for two: simulations per second by the rollouts' policy."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from benchmarks.measure import Findings, interleave, per_second
from manjerico.agents.alphazero import MOST_TREES, NetworkSearch
from manjerico.agents.mcts import MCTSAgent
from manjerico.agents.policy_value import PolicyValue, SearchStyle
from manjerico.agents.worth import Worth
from manjerico.core.game import find, names
from manjerico.core.match import Match

PLAYERS = 2
SIMULATIONS = 1000
NETWORK_SIMULATIONS = 32
LAYERS = (256, 256)


def rollouts(name: str, policy: str) -> Callable[[], int]:
    """Searches openings one after the other; returns the number of simulations."""
    game = find(name)
    agent = MCTSAgent(game, PLAYERS, game.default_rules, simulations=SIMULATIONS, rollout=policy, solve=0)
    seeds = itertools.count()

    def search() -> int:
        agent.analyse(np.array([Match(game, PLAYERS, seed=next(seeds)).state]))
        return SIMULATIONS

    return search


def network(name: str) -> Callable[[], int]:
    """Searches many openings side by side with an untrained network; returns the number of simulations."""
    game = find(name)
    rules = game.default_rules
    untrained = PolicyValue.fresh(game, PLAYERS, rules, LAYERS, Worth(0.5, 20.0), SearchStyle()).eval()
    searcher = NetworkSearch(game, PLAYERS, rules, untrained, MOST_TREES, NETWORK_SIMULATIONS, considered=16)
    states = np.array([Match(game, PLAYERS, seed=seed).state for seed in range(MOST_TREES)])

    def search() -> int:
        searcher.search(states, noisy=True)
        return NETWORK_SIMULATIONS * MOST_TREES

    return search


def run(slices: int, seconds: float) -> Findings:
    """Simulations per second for every game, with rollouts of every scripted policy, and with a network."""
    subjects = {
        f"{name}, {policy} rollouts": per_second(rollouts(name, policy))
        for name in names()
        for policy in find(name).policies
    }
    subjects |= {f"{name}, network, {MOST_TREES} trees": per_second(network(name)) for name in names()}
    return Findings(interleave(subjects, "simulations/s", slices, seconds))
