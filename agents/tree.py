"""Search trees in arrays, compiled for one game: nodes with their states, edges for their legal actions.

A node is a position with everything hidden still undrawn. An edge is one of its actions. Where carrying the action out
draws from the game's chance, the edge has several children, *outcomes*, each drawn anew with the tree's own random
numbers, the more the more often it is visited (sparse sampling: Kearns, Mansour, Ng, "A sparse sampling algorithm for
near-optimal planning in large Markov decision processes", 2002; double progressive widening: Couetoux et al., 2011).
No draw of the real game is ever foreseen, since states come concealed and all later draws come from the tree.

An edge's value is the sum of what the player who takes it got, so any number of players maximise each their own
(max^n: Luckhardt, Irani, 1986; in tree search: Sturtevant, "An analysis of UCT in multi-player games", 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import float64, int64, uint64

from manjerico.core import bits, rng
from manjerico.core.compile import helper, routine
from manjerico.core.game import Game, Records

NODE = np.dtype(
    [
        ("edges", np.int32),  # the first of its edges, NONE before it is expanded
        ("count", np.int32),  # edges
        ("tried", np.int32),  # edges that were taken at least once: the first ones
        ("visits", np.int32),
        ("sibling", np.int32),  # the next outcome of the same edge, NONE for the last
        ("estimate", np.float32),  # a network's value for the player to act
    ]
)
EDGE = np.dtype(
    [
        ("value", np.float64),  # sum of what the player who takes it got
        ("visits", np.int32),
        ("child", np.int32),  # the outcome drawn last, NONE before the first visit
        ("outcomes", np.int32),  # children; 0 if there is one for sure
        ("action", np.int16),
        ("logit", np.float32),  # a network's, of the action
        ("prior", np.float32),  # its probability among the legal actions
        ("noise", np.float32),  # at a root: what exploration adds to the logit
    ]
)
TREE = np.dtype(
    [
        ("stream", np.uint64, 2),  # of all random choices and draws inside the tree
        ("nodes", np.int64),  # in use
        ("edges", np.int64),
        ("root", np.int64),
        ("results", np.int64),  # how many there were
        ("sum", np.float64),  # of the results for the player to act at the root
        ("squares", np.float64),
    ]
)

NONE = -1


class Tree(NamedTuple):
    """The arrays of a tree, as compiled code takes them."""

    states: Records
    """One for each node, and a last one for rollouts."""
    nodes: npt.NDArray[np.void]
    edges: npt.NDArray[np.void]
    head: npt.NDArray[np.void]
    """A single record of ``TREE``."""

    @classmethod
    def blank(cls, game: Game, nodes: int, edges: int) -> Tree:
        """Room for so many nodes and edges."""
        return cls(np.zeros(nodes + 1, game.state), np.zeros(nodes, NODE), np.zeros(edges, EDGE), np.zeros(1, TREE))

    def plant(self, state: Any, seed: int) -> None:
        """Begins anew with this state as the root."""
        self.head[0] = np.zeros((), TREE)
        self.head["stream"][0, 0] = seed
        self.head["nodes"] = 1
        self.states[0] = state
        self.nodes[0] = (NONE, 0, 0, 0, NONE, 0.0)

    def move_root(self, state: Any, simulations: int, actions: int) -> bool:
        """Goes on from the most visited node with this state, but for the generator; whether there is one, and room.

        Room is that for so many simulations' nodes, and for so many actions of the root.
        """
        used = int(self.head["nodes"][0])
        if len(self.nodes) - used < simulations or len(self.edges) - int(self.head["edges"][0]) < actions:
            return False
        alike = (_public(self.states[:used]) == _public(np.array([state]))).all(axis=1)
        if not alike.any():
            return False
        self.head["root"] = np.where(alike, self.nodes["visits"][:used], -1).argmax()
        self.head["results"], self.head["sum"], self.head["squares"] = 0, 0.0, 0.0
        return True

    def root_edges(self) -> npt.NDArray[np.void]:
        """The edges of the root that were taken."""
        root = self.nodes[self.head["root"][0]]
        first = int(root["edges"])
        return self.edges[first : first + int(root["tried"])]


def _public(states: Records) -> npt.NDArray[np.uint8]:
    """The states' bytes without their generators, a row for each."""
    whole = states.view(np.uint8).reshape(len(states), states.itemsize)
    _, start = states.dtype.fields["rng"][:2]  # type: ignore[index]  # it has fields
    end = start + states.dtype["rng"].itemsize
    return np.concatenate([whole[:, :start], whole[:, end:]], axis=1)


@helper
def _new_node(nodes: Any, head: Any) -> Any:
    node = int64(head[0]["nodes"])
    head[0]["nodes"] = node + 1
    nodes[node]["edges"], nodes[node]["sibling"] = NONE, NONE
    nodes[node]["count"], nodes[node]["tried"], nodes[node]["visits"] = 0, 0, 0
    return node


@helper
def add_edges(nodes: Any, edges: Any, head: Any, node: Any, words: Any) -> Any:
    """Gives a node an edge for each of these actions, ascending; whether there was room."""
    first, count = int64(head[0]["edges"]), bits.count(words)
    if first + count > edges.size:
        return False
    head[0]["edges"] = first + count
    nodes[node]["edges"], nodes[node]["count"] = first, count
    edge = first
    for k in range(words.size):
        word = words[k]
        while word != uint64(0):
            edges[edge]["value"], edges[edge]["visits"], edges[edge]["outcomes"] = 0.0, 0, 0
            edges[edge]["child"], edges[edge]["action"] = NONE, 64 * k + bits.lowest(word)
            word &= word - uint64(1)
            edge += 1
    return True


@helper
def swap_actions(edges: Any, one: Any, other: Any) -> None:
    """Changes the places of two edges that were not taken yet."""
    edges[one]["action"], edges[other]["action"] = edges[other]["action"], edges[one]["action"]


def make_follow(game: Game) -> Callable[..., Any]:
    """``follow(params, tree..., node, edge, widening, no_tape) -> child``: takes an edge; NONE: no room.

    An edge of which ``outcomes`` were drawn gets another one as long as these are fewer than ``widening`` times the
    root of its visits; else one of them is drawn.
    """
    apply = game.apply

    @routine
    def follow(
        params: Any, states: Any, nodes: Any, edges: Any, head: Any, node: Any, edge: Any, widening: Any, no_tape: Any
    ) -> Any:
        child = int64(edges[edge]["child"])
        outcomes = int64(edges[edge]["outcomes"])
        visits = float64(edges[edge]["visits"])
        if child != NONE and (outcomes == 0 or float64(outcomes) >= widening * np.sqrt(visits)):
            for _ in range(rng.below(head[0]["stream"], outcomes) if outcomes > 1 else 0):
                child = int64(nodes[child]["sibling"])
            return child
        if int64(head[0]["nodes"]) == nodes.size:
            return int64(NONE)
        new = _new_node(nodes, head)
        states[new] = states[node]
        rng.start(states[new]["rng"], rng.next_word(head[0]["stream"]))
        apply(params, states, new, int64(edges[edge]["action"]), no_tape)
        if uint64(states[new]["rng"][1]) != uint64(0):
            edges[edge]["outcomes"] = outcomes + 1
        nodes[new]["sibling"] = child
        edges[edge]["child"] = new
        return new

    return follow
