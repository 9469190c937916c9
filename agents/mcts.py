"""Monte-Carlo tree search as an agent."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from manjerico.agents import rollouts
from manjerico.agents.endgame import Solver
from manjerico.agents.stakes import STAKES
from manjerico.agents.tree import NONE, Tree
from manjerico.core import rng
from manjerico.core.agent import Estimate
from manjerico.core.errors import InputError, boolean, choice, integer, number, share
from manjerico.core.game import Game, Records
from manjerico.core.rng import SEEDS
from manjerico.core.rules import Rules
from manjerico.core.tape import NO_TAPE

DEFAULT_SIMULATIONS = 1000

EDGES_PER_NODE = 24
"""Room for so many actions a node, beside those of the root; most nodes are leaves, which have none."""

SLICE = 50
"""Simulations between two looks at the clock."""

FASTEST = 100_000
"""Simulations per second for which a tree with a time budget has room."""

MOST_SIMULATIONS = 2**22
LONGEST = 3600.0
"""Seconds for a decision."""


class _Searcher:
    """One tree with all that a thread needs to search it."""

    def __init__(self, game: Game, rules: Rules, options: npt.NDArray[np.void], nodes: int) -> None:
        self.actions = game.num_actions(rules)
        self.tree = Tree.blank(game, nodes, self.actions + EDGES_PER_NODE * nodes)
        self._kernel = rollouts.make_search(game)
        self._params = game.make_params(rules)
        self._options = options
        self._words = np.zeros((self.actions + 63) // 64, np.uint64)
        self._path = np.zeros(2 * rollouts.DEEPEST, np.int64)
        self._results = np.zeros(game.state["score"].shape[0])

    def search(self, simulations: int, until: float) -> None:
        """So many simulations, or as many as there is time for, but some."""
        while simulations > 0:
            step = simulations if until == float("inf") else min(SLICE, simulations)
            self._kernel(self._params, *self.tree, self._options, self._words, self._path, self._results, NO_TAPE, step)
            simulations = 0 if time.monotonic() >= until else simulations - step


class MCTSAgent:
    """Searches each position with rollouts to the end of the game; see ``agents/rollouts.py``.

    With a budget of simulations the choice depends on nothing but the state that is given, whose generator is the
    search's seed, and ``seed``; with a budget of time also on the machine.

    Args:
        game, players, rules: what it plays.
        seed: mixed into the searches' seeds.
        simulations: for each decision; by default 1,000, or without limit if ``seconds`` are given.
        seconds: for each decision, at most.
        rollout: the scripted policy that plays on to the end, by name; by default the game's strongest.
        first: the scripted policy whose choice is tried first in each position, by default likewise, or ``none``.
        exploration: the width of the bounds, in standard deviations of the results.
        trust: the prior probability of the choice of ``first``; all other actions share the rest.
        win_bonus: what it is worth to beat an opponent, in points.
        rivalry: what a point of the best opponent costs, in own points: 1 plays for the lead, 0 for the own score.
        outcomes: chance outcomes drawn for an action, by the root of its visits.
        breadth, growth: ``breadth * visits ** growth`` actions of a position are tried.
        solve: positions that are looked at for the exact value of an ending, before it is searched; 0: none.
        threads: trees that are searched side by side, with the budget each; their roots are added up.
        reuse: whether the tree goes on from where the last decision's was, if the state is in it. A choice then
            depends on those before.

    Raises:
        InputError: a parameter has a value that isn't allowed.
    """

    needs_states = True

    def __init__(
        self,
        game: Game,
        players: int,
        rules: Rules,
        seed: int = 0,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        rollout: str | None = None,
        first: str | None = None,
        exploration: float = 4.0,
        trust: float = 0.5,
        win_bonus: float = 5.0,
        rivalry: float = 1.0,
        outcomes: float = 1.0,
        breadth: float = 4.0,
        growth: float = 0.4,
        solve: int = 20_000,
        threads: int = 1,
        reuse: bool = False,
    ) -> None:
        self.game, self.seed, self.reuse = game, integer(seed, "seed", 0, SEEDS - 1), boolean(reuse, "reuse")
        game.check_players(players)
        if seconds is not None and number(seconds, "seconds") > LONGEST:
            raise InputError(f"seconds must be at most {LONGEST:.0f}, not {seconds}")
        self.seconds = seconds
        if simulations is None:
            simulations = DEFAULT_SIMULATIONS if seconds is None else min(int(FASTEST * seconds) + 1, MOST_SIMULATIONS)
        self.simulations = integer(simulations, "simulations", 1, MOST_SIMULATIONS)
        policies = list(game.policies)
        rollout, first = rollout or game.strongest, first or (game.strongest if len(policies) > 1 else "none")
        options = np.zeros(1, rollouts.OPTIONS)
        options["exploration"] = _at_least_0(exploration, "exploration")
        options["trust"] = share(trust, "trust")
        stakes = np.zeros(1, STAKES)
        stakes["win_bonus"], stakes["rivalry"] = _at_least_0(win_bonus, "win_bonus"), share(rivalry, "rivalry")
        options["stakes"] = stakes
        options["widening"] = number(outcomes, "outcomes")
        options["breadth"], options["growth"] = number(breadth, "breadth"), _at_least_0(growth, "growth")
        options["rollout"] = policies.index(choice(rollout, "rollout", policies))
        options["first"] = [*policies, "none"].index(choice(first, "first", [*policies, "none"]))
        options["first"][options["first"] == len(policies)] = NONE
        self._solver = None
        if integer(solve, "solve", 0, 2**20):
            self._solver = Solver(game, rules, stakes, solve)
        nodes = (2 if self.reuse else 1) * self.simulations + 1
        self._searchers = [_Searcher(game, rules, options, nodes) for _ in range(integer(threads, "threads", 1, 1024))]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def act(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], states: Records
    ) -> npt.NDArray[np.int64]:
        """The most visited action of each state; the only one where there is one."""
        chosen: npt.NDArray[np.int64] = masks.argmax(axis=1).astype(np.int64)
        for row in np.flatnonzero(masks.sum(axis=1) > 1).tolist():
            chosen[row] = self.analyse(states[row : row + 1])[0][0][0]
        return chosen

    def analyse(self, states: Records) -> list[list[Estimate]]:
        """What the search of each state found of the actions that it tried, best first.

        Values are points (``agents/stakes.py``), shares those of the visits.
        """
        return [self._analyse(state) for state in states]

    def _analyse(self, state: Any) -> list[Estimate]:
        return self._solve(state) or self._search(state)

    def _solve(self, state: Any) -> list[Estimate]:
        """The exact values of an ending, the best action with all the visits; nothing if the position is unsolved."""
        solved = self._solver.solve(state) if self._solver else None
        if solved is None:
            return []
        actions, values = solved
        own = values[:, int(state["player"])]
        order = np.argsort(-own, kind="stable")
        return [Estimate(int(actions[k]), float(own[k]), float(place == 0)) for place, k in enumerate(order)]

    def _search(self, state: Any) -> list[Estimate]:
        until = float("inf") if self.seconds is None else time.monotonic() + self.seconds
        for number_, searcher in enumerate(self._searchers):
            if not (self.reuse and searcher.tree.move_root(state, self.simulations, searcher.actions)):
                searcher.tree.plant(state, self._seed_of(state, number_))
        if self._pool is None:
            self._searchers[0].search(self.simulations, until)
        else:
            list(self._pool.map(lambda searcher: searcher.search(self.simulations, until), self._searchers))
        edges = np.concatenate([searcher.tree.root_edges() for searcher in self._searchers])
        return _ranked(edges[edges["visits"] > 0])

    def _seed_of(self, state: Any, tree: int) -> int:
        return (int(state["rng"][0]) ^ int(state["rng"][1]) ^ self.seed * int(rng.GOLDEN) ^ tree << 56) % SEEDS


def _ranked(edges: npt.NDArray[np.void]) -> list[Estimate]:
    """Edges of one or several roots by action, the most visited first; ties go to the better value."""
    actions, inverse = np.unique(edges["action"], return_inverse=True)
    visits = np.bincount(inverse, edges["visits"])
    means = np.bincount(inverse, edges["value"]) / visits
    order = np.lexsort((-means, -visits))
    return [Estimate(int(actions[k]), float(means[k]), float(visits[k] / visits.sum())) for k in order]


def _at_least_0(value: float, name: str) -> float:
    return 0.0 if value == 0 else number(value, name)
