"""Monte-Carlo tree search with rollouts, compiled for one game, with actions widened progressively.

Each simulation descends from the root (Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006), adds a node,
plays on from there with a scripted policy to the end, and adds the result to the edges it took. Actions are chosen
by bounds with priors (PUCT: Rosin, "Multi-armed bandits with episode context", 2011, in the form of Silver et al.,
2017): the action that a scripted policy would choose has a large one, all others share the rest. Without that a search
with few simulations plays worse than the policy (docs/decisions/011). A node's actions are tried in a random order, but
for the recommended one, which comes first; the n-th is tried once the node's visits allow (progressive unpruning:
Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008).

A result is measured in points (``agents/stakes.py``). The bounds are as wide as the results of this tree are spread, so
exploration means the same in every game.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import float64, int64

from manjerico.agents.playout import make_decide, make_play_out
from manjerico.agents.stakes import STAKES, write_results
from manjerico.agents.tree import EDGE, NODE, NONE, TREE, add_edges, make_follow, swap_actions
from manjerico.core import rng
from manjerico.core.compile import DOUBLES, I64, INTS, TAPE, VOID, WORDS, helper, kernel, record_array, routine
from manjerico.core.game import Game

OPTIONS = np.dtype(
    [
        ("exploration", np.float64),  # width of the bounds, in standard deviations of the results
        ("widening", np.float64),  # outcomes of an edge by the root of its visits
        ("breadth", np.float64),  # actions of a node by the power ``growth`` of its visits
        ("growth", np.float64),
        ("trust", np.float64),  # the prior of the choice of the policy ``first``
        ("stakes", STAKES),
        ("rollout", np.int64),  # the number of the policy that plays on
        ("first", np.int64),  # the number of the policy whose choice is tried first, NONE: all are tried at random
    ]
)

DEEPEST = 512
"""Edges that a simulation takes in the tree."""


@helper
def _spread(head: Any) -> Any:
    """The standard deviation of the results so far, 1 before the second."""
    count = float64(head[0]["results"])
    mean = float64(head[0]["sum"]) / max(count, 1.0)
    variance = float64(head[0]["squares"]) / max(count, 1.0) - mean * mean
    return np.sqrt(variance) if count > 1 and variance > 0 else 1.0


@helper
def _best(nodes: Any, edges: Any, node: Any, width: Any, trust: Any) -> Any:
    """The edge with the highest bound (PUCT) among those that were tried; the first one has the prior ``trust``."""
    first, tried = int64(nodes[node]["edges"]), int64(nodes[node]["tried"])
    root_of_visits = np.sqrt(float64(nodes[node]["visits"]))
    share = (1.0 - trust) / max(float64(tried) - 1.0, 1.0)
    best: Any = int64(NONE)
    best_bound = -np.inf
    for edge in range(first, first + tried):
        visits = float64(edges[edge]["visits"])
        prior = trust if edge == first else share
        bound = float64(edges[edge]["value"]) / visits + width * prior * root_of_visits / (1.0 + visits)
        if bound > best_bound:
            best, best_bound = edge, bound
    return best


@functools.cache
def make_search(game: Game) -> Callable[..., Any]:
    """``search(params, states, nodes, edges, head, options, words, path, results, no_tape, simulations)``.

    Adds so many simulations to a tree. ``words`` has room for the legal actions of one game, ``path`` (int64) for
    ``DEEPEST`` edges, and as many seats, ``results`` (float64) for a result of each seat.
    """
    legal_actions = game.legal_actions
    decide, play_out, follow = make_decide(game), make_play_out(game), make_follow(game)
    params_type, states_type = game.types

    @routine
    def expand(
        params: Any, states: Any, nodes: Any, edges: Any, head: Any, options: Any, words: Any, node: Any
    ) -> None:
        """Gives a node its edges: the recommended action first, the others in random order."""
        legal_actions(params, states, node, words)
        if not add_edges(nodes, edges, head, node, words):
            return
        start: Any = int64(nodes[node]["edges"])
        end = start + int64(nodes[node]["count"])
        if int64(options[0]["first"]) >= 0:
            preferred = decide(int64(options[0]["first"]), params, states, node, words, head[0]["stream"])
            edge: Any = start
            while int64(edges[edge]["action"]) != preferred:
                edge += 1
            for moved in range(edge, start, -1):
                swap_actions(edges, moved, moved - 1)
            start += 1
        for edge in range(start + 1, end):
            swap_actions(edges, edge, start + rng.below(head[0]["stream"], edge - start + 1))

    @helper
    def choose_edge(nodes: Any, edges: Any, options: Any, node: Any, width: Any) -> Any:
        """The next untried edge, if the node was visited often enough for one more, else the best of the others."""
        tried, count = int64(nodes[node]["tried"]), int64(nodes[node]["count"])
        visits = float64(nodes[node]["visits"])
        allowed = float64(options[0]["breadth"]) * max(visits, 1.0) ** float64(options[0]["growth"])
        if tried < count and (tried == 0 or float64(tried) < allowed):
            nodes[node]["tried"] = tried + 1
            return int64(nodes[node]["edges"]) + tried
        trust = float64(options[0]["trust"]) if int64(options[0]["first"]) >= 0 else 1.0 / max(float64(tried), 1.0)
        return _best(nodes, edges, node, width, trust)

    @routine
    def descend(
        params: Any,
        states: Any,
        nodes: Any,
        edges: Any,
        head: Any,
        options: Any,
        words: Any,
        path: Any,
        no_tape: Any,
    ) -> Any:
        """(number of edges taken, the node where they lead)."""
        node = int64(head[0]["root"])
        width = float64(options[0]["exploration"]) * _spread(head)
        depth = int64(0)
        while depth < DEEPEST:
            nodes[node]["visits"] += 1
            if int64(states[node]["player"]) < 0:
                break
            if int64(nodes[node]["edges"]) == NONE:
                if int64(nodes[node]["visits"]) == 1 and depth > 0:
                    break
                expand(params, states, nodes, edges, head, options, words, node)
                if int64(nodes[node]["edges"]) == NONE:
                    break
            edge = choose_edge(nodes, edges, options, node, width)
            child = follow(params, states, nodes, edges, head, node, edge, float64(options[0]["widening"]), no_tape)
            if child == NONE:
                break
            path[depth], path[DEEPEST + depth] = edge, int64(states[node]["player"])
            depth += 1
            node = child
        return depth, node

    @kernel(
        VOID(
            params_type,
            states_type,
            record_array(NODE),
            record_array(EDGE),
            record_array(TREE),
            record_array(OPTIONS),
            WORDS,
            INTS,
            DOUBLES,
            TAPE,
            I64,
        )
    )
    def search(
        params: Any,
        states: Any,
        nodes: Any,
        edges: Any,
        head: Any,
        options: Any,
        words: Any,
        path: Any,
        results: Any,
        no_tape: Any,
        simulations: int,
    ) -> None:
        mover = int64(states[int64(head[0]["root"])]["player"])
        for _ in range(simulations):
            depth, node = descend(params, states, nodes, edges, head, options, words, path, no_tape)
            play_out(params, states, node, words, int64(options[0]["rollout"]), head[0]["stream"], no_tape)
            write_results(states[states.size - 1], options[0]["stakes"], results)
            for k in range(depth):
                edges[path[k]]["visits"] += 1
                edges[path[k]]["value"] += results[path[DEEPEST + k]]
            head[0]["results"] += 1
            head[0]["sum"] += results[mover]
            head[0]["squares"] += results[mover] * results[mover]

    return search
