"""Tree search by a network, compiled for one game: many trees at once, so that the network is asked for all together.

In the tree an action is chosen by PUCT (Silver et al., "A general reinforcement learning algorithm that masters chess,
shogi, and Go through self-play", 2018). At the root it is Gumbel AlphaZero's sequential halving with completed values
(Danihelka et al., "Policy improvement by planning with Gumbel", 2022): it improves on the network's policy for
sure even with a few simulations, where PUCT with noise at the root needs hundreds.

Leaves are judged by the network, or partly by a rollout of the game's strongest scripted policy (Silver et al.,
"Mastering the game of Go with deep neural networks and tree search", 2016).

What a finished game is worth tells ``agents/worth.py``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numpy import float32, float64, int64

from manjerico.agents.playout import make_play_out
from manjerico.agents.tree import EDGE, NODE, NONE, TREE, add_edges, make_follow
from manjerico.agents.worth import worth
from manjerico.core.batch_driver import fraction
from manjerico.core.compile import FLOAT_ROWS, INT_ROWS, INTS, TAPE, VOID, WORDS, helper, kernel, record_array
from manjerico.core.game import Game, Records
from manjerico.core.rng import next_word

OPTIONS = np.dtype(
    [
        ("place", np.float64),  # as in Worth, like
        ("spread", np.float64),
        ("exploration", np.float64),  # PUCT's constant
        ("widening", np.float64),  # outcomes of an edge by the root of its visits
        ("value_visits", np.float64),  # how much values weigh against logits at the root: these visits more ...
        ("value_scale", np.float64),  # ... than the most visited action has, times this, as in SearchStyle, like
        ("guide", np.float64),
        ("considered", np.int64),  # actions of the root that take part in sequential halving
        ("rollouts", np.float64),  # the share of a rollout's result in a leaf's values, the rest is the network's
        ("noisy", np.int64),  # 1: Gumbel noise at the root, to explore
    ]
)

DEEPEST = 64
"""Edges that a simulation takes in a tree."""

EDGES_PER_NODE = 48
"""Below the root, for which there is room in any case; a node for which there is none stays a leaf."""


class Forest(NamedTuple):
    """The arrays of many trees as compiled code takes them, a row for each."""

    states: Records
    nodes: npt.NDArray[np.void]
    edges: npt.NDArray[np.void]
    heads: npt.NDArray[np.void]
    paths: npt.NDArray[np.int64]
    """Edges and players from the root to the leaf; then the leaf, and the number of edges."""

    @classmethod
    def blank(cls, game: Game, actions: int, trees: int, simulations: int) -> Forest:
        """Room for so many simulations in each of so many trees, whose roots may have ``actions`` edges."""
        nodes = simulations + 1
        return cls(
            np.zeros((trees, nodes + 1), game.state),  # the last one for rollouts
            np.zeros((trees, nodes), NODE),
            np.zeros((trees, actions + EDGES_PER_NODE * simulations), EDGE),
            np.zeros((trees, 1), TREE),
            np.zeros((trees, 2 * DEEPEST + 2), np.int64),
        )

    def first(self, trees: int) -> Forest:
        """So many of the trees."""
        return Forest(
            self.states[:trees], self.nodes[:trees], self.edges[:trees], self.heads[:trees], self.paths[:trees]
        )

    def plant(self, states: Records, seeds: npt.NDArray[np.uint64]) -> None:
        """Begins each tree anew, with one of these states as its root."""
        self.heads[...] = np.zeros((), TREE)
        self.heads["stream"][:, 0, 0] = seeds
        self.heads["nodes"] = 1
        self.states[:, 0] = states
        self.nodes[:, 0] = np.array((NONE, 0, 0, 0, NONE, 0.0), NODE)


@functools.cache
def visits_wanted(considered: int, simulations: int) -> npt.NDArray[np.int64]:
    """Sequential halving as a table [considered + 1, simulations] of the visits that the next action to visit has.

    Row k is for k actions: all are visited equally often, then half of them, and so on, each round with the
    same share of the simulations.
    """
    table = np.zeros((considered + 1, simulations), np.int64)
    for actions in range(1, considered + 1):
        rounds = max(math.ceil(math.log2(actions)), 1)
        sequence: list[int] = []
        left, visits = actions, 0
        while len(sequence) < simulations:
            times = max(simulations // (rounds * left), 1) if actions > 1 else simulations
            for _ in range(times):
                sequence += [visits] * left
                visits += 1
            left = max(left // 2, 2) if actions > 1 else 1
        table[actions] = sequence[:simulations]
    return table


@helper
def _mean(nodes: Any, edges: Any, node: Any) -> Any:
    """The node's value for its player: the network's estimate, mixed with the visited edges' as their priors weigh."""
    first = int64(nodes[node]["edges"])
    visits, weight, total = 0.0, 0.0, 0.0
    for edge in range(first, first + int64(nodes[node]["count"])):
        n = float64(edges[edge]["visits"])
        if n > 0:
            visits += n
            weight += float64(edges[edge]["prior"])
            total += float64(edges[edge]["prior"]) * float64(edges[edge]["value"]) / n
    if weight == 0.0:
        return float64(nodes[node]["estimate"])
    return (float64(nodes[node]["estimate"]) + visits * total / weight) / (1.0 + visits)


@helper
def _puct(nodes: Any, edges: Any, options: Any, node: Any) -> Any:
    """The edge with the highest bound; one not visited yet counts with the node's value."""
    first = int64(nodes[node]["edges"])
    width = float64(options[0]["exploration"]) * np.sqrt(float64(nodes[node]["visits"]))
    unvisited = _mean(nodes, edges, node)
    best: Any = int64(first)
    best_bound = -np.inf
    for edge in range(first, first + int64(nodes[node]["count"])):
        n = float64(edges[edge]["visits"])
        value = float64(edges[edge]["value"]) / n if n > 0 else unvisited
        bound = value + width * float64(edges[edge]["prior"]) / (1.0 + n)
        if bound > best_bound:
            best, best_bound = edge, bound
    return best


@helper
def _value_weight(nodes: Any, edges: Any, options: Any) -> Any:
    """What a completed value of the root is multiplied with, to be added to a logit."""
    most = int64(0)
    first = int64(nodes[0]["edges"])
    for edge in range(first, first + int64(nodes[0]["count"])):
        most = max(most, int64(edges[edge]["visits"]))
    return (float64(options[0]["value_visits"]) + most) * float64(options[0]["value_scale"])


@helper
def _improved(edges: Any, edge: Any, weight: Any, unvisited: Any) -> Any:
    """The logit of a root's action with what is known of its value."""
    n = float64(edges[edge]["visits"])
    value = float64(edges[edge]["value"]) / n if n > 0 else unvisited
    return float64(edges[edge]["logit"]) + weight * value


@helper
def _at_root(nodes: Any, edges: Any, options: Any, wanted: Any) -> Any:
    """Among the root's actions with so many visits, the one with the best logit, noise and value."""
    first = int64(nodes[0]["edges"])
    weight = _value_weight(nodes, edges, options)
    unvisited = _mean(nodes, edges, 0)
    best: Any = int64(NONE)
    best_score = -np.inf
    for edge in range(first, first + int64(nodes[0]["count"])):
        if int64(edges[edge]["visits"]) == wanted:
            score = _improved(edges, edge, weight, unvisited) + float64(edges[edge]["noise"])
            if score > best_score:
                best, best_score = edge, score
    return best


@helper
def _set_priors(edges: Any, first: Any, count: Any) -> None:
    """The softmax of the logits."""
    highest = float32(-np.inf)
    for edge in range(first, first + count):
        highest = max(highest, edges[edge]["logit"])
    total = 0.0
    for edge in range(first, first + count):
        total += np.exp(float64(edges[edge]["logit"]) - float64(highest))
    for edge in range(first, first + count):
        edges[edge]["prior"] = np.exp(float64(edges[edge]["logit"]) - float64(highest)) / total


def _rows(dtype: np.dtype[Any]) -> Any:
    return numba.from_dtype(dtype)[:, ::1]


class Kernels(NamedTuple):
    """What searches a game's forests."""

    descend: Callable[..., Any]
    """``descend(params, *forest, options, wanted, simulation, observations, no_tape)``: goes from each root to a leaf,
    and writes what its player sees; ``wanted`` is the table of :func:`visits_wanted`."""
    grow: Callable[..., Any]
    """``grow(params, *forest, options, words, logits, values, no_tape)``: adds the network's answers, float32
    [trees, actions] and [trees, players] (of the leaf's player, then of those after it), at the leaves and along the
    paths."""
    conclude: Callable[..., Any]
    """``conclude(nodes, edges, options, actions, policies, values)``: writes each root's best action, improved policy
    (float32 [trees, actions]) and value for its player (float32 [1, trees])."""


@functools.cache
def make_kernels(game: Game) -> Kernels:
    """Compiles them, or loads them from the cache."""
    legal_actions, observe = game.legal_actions, game.observe
    advise, strongest = game.policies[game.strongest], list(game.policies).index(game.strongest)
    follow, play_out = make_follow(game), make_play_out(game)
    params_type = game.types[0]
    forest_types = (_rows(game.state), _rows(NODE), _rows(EDGE), _rows(TREE), INT_ROWS)
    options_type = record_array(OPTIONS)

    @kernel(VOID(params_type, *forest_types, options_type, INT_ROWS, numba.int64, FLOAT_ROWS, TAPE))
    def descend(
        params: Any,
        states: Any,
        nodes: Any,
        edges: Any,
        heads: Any,
        paths: Any,
        options: Any,
        wanted: Any,
        simulation: int,
        observations: Any,
        no_tape: Any,
    ) -> None:
        for tree in range(len(states)):
            node, depth = int64(0), int64(0)
            path = paths[tree]
            while depth < DEEPEST:
                nodes[tree, node]["visits"] += 1
                player = int64(states[tree, node]["player"])
                if player < 0 or int64(nodes[tree, node]["edges"]) == NONE:
                    break
                if depth == 0:
                    considered = min(int64(nodes[tree, 0]["count"]), int64(len(wanted) - 1))
                    edge = _at_root(nodes[tree], edges[tree], options, wanted[considered, simulation])
                else:
                    edge = _puct(nodes[tree], edges[tree], options, node)
                child = follow(
                    params,
                    states[tree],
                    nodes[tree],
                    edges[tree],
                    heads[tree],
                    node,
                    edge,
                    float64(options[0]["widening"]),
                    no_tape,
                )
                if child == NONE:
                    break
                path[depth], path[DEEPEST + depth] = edge, player
                depth += 1
                node = child
            path[2 * DEEPEST], path[2 * DEEPEST + 1] = node, depth
            player = int64(states[tree, node]["player"])
            if player >= 0:
                observe(params, states[tree], node, player, observations[tree])

    @helper
    def expand(
        params: Any,
        states: Any,
        nodes: Any,
        edges: Any,
        head: Any,
        options: Any,
        words: Any,
        node: Any,
        logits: Any,
    ) -> None:
        legal_actions(params, states, node, words)
        if not add_edges(nodes, edges, head, node, words):
            return
        first, count = int64(nodes[node]["edges"]), int64(nodes[node]["count"])
        for edge in range(first, first + count):
            edges[edge]["logit"] = logits[int64(edges[edge]["action"])]
            edges[edge]["noise"] = 0.0
            if node == 0 and int64(options[0]["noisy"]) != 0:
                uniform = fraction(next_word(head[0]["stream"])) + 2.0**-54
                edges[edge]["noise"] = -np.log(-np.log(uniform))
        if float64(options[0]["guide"]) > 0.0:
            advised = advise(params, states, node, words, head[0]["stream"])
            for edge in range(first, first + count):
                if int64(edges[edge]["action"]) == advised:
                    edges[edge]["logit"] += float32(options[0]["guide"])
        _set_priors(edges, first, count)

    @helper
    def judge(states: Any, options: Any, leaf: Any, seat: Any, values: Any) -> Any:
        """What the leaf is worth to a seat: by the end of the game, or by the network and the rollout."""
        place, spread = float64(options[0]["place"]), float64(options[0]["spread"])
        player, players = int64(states[leaf]["player"]), int64(states[leaf]["players"])
        if player < 0:
            return worth(states[leaf], place, spread, seat)
        value, share = float64(values[(seat - player + players) % players]), float64(options[0]["rollouts"])
        if share == 0.0:
            return value
        return (1.0 - share) * value + share * worth(states[states.size - 1], place, spread, seat)

    @kernel(VOID(params_type, *forest_types, options_type, WORDS, FLOAT_ROWS, FLOAT_ROWS, TAPE))
    def grow(
        params: Any,
        states: Any,
        nodes: Any,
        edges: Any,
        heads: Any,
        paths: Any,
        options: Any,
        words: Any,
        logits: Any,
        values: Any,
        no_tape: Any,
    ) -> None:
        for tree in range(len(states)):
            leaf, depth = paths[tree, 2 * DEEPEST], paths[tree, 2 * DEEPEST + 1]
            player = int64(states[tree, leaf]["player"])
            if player >= 0:
                if float64(options[0]["rollouts"]) > 0.0:
                    play_out(params, states[tree], leaf, words, strongest, heads[tree, 0]["stream"], no_tape)
                nodes[tree, leaf]["estimate"] = judge(states[tree], options, leaf, player, values[tree])
                if int64(nodes[tree, leaf]["edges"]) == NONE:
                    expand(
                        params, states[tree], nodes[tree], edges[tree], heads[tree], options, words, leaf, logits[tree]
                    )
            for k in range(depth):
                edge, seat = paths[tree, k], paths[tree, DEEPEST + k]
                edges[tree, edge]["visits"] += 1
                edges[tree, edge]["value"] += judge(states[tree], options, leaf, seat, values[tree])

    @kernel(VOID(*forest_types[1:3], options_type, INTS, FLOAT_ROWS, FLOAT_ROWS))
    def conclude(nodes: Any, edges: Any, options: Any, actions: Any, policies: Any, values: Any) -> None:
        for tree in range(len(nodes)):
            first = int64(nodes[tree, 0]["edges"])
            weight = _value_weight(nodes[tree], edges[tree], options)
            unvisited = _mean(nodes[tree], edges[tree], 0)
            most, highest = int64(0), -np.inf
            for edge in range(first, first + int64(nodes[tree, 0]["count"])):
                most = max(most, int64(edges[tree, edge]["visits"]))
                highest = max(highest, _improved(edges[tree], edge, weight, unvisited))
            policy = policies[tree]
            policy[:] = 0.0
            total = 0.0
            for edge in range(first, first + int64(nodes[tree, 0]["count"])):
                total += np.exp(_improved(edges[tree], edge, weight, unvisited) - highest)
            for edge in range(first, first + int64(nodes[tree, 0]["count"])):
                share = np.exp(_improved(edges[tree], edge, weight, unvisited) - highest) / total
                policy[int64(edges[tree, edge]["action"])] = share
            actions[tree] = int64(edges[tree, _at_root(nodes[tree], edges[tree], options, most)]["action"])
            values[0, tree] = unvisited

    return Kernels(descend, grow, conclude)
