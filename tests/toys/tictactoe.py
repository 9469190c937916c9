"""Tic-tac-toe in one file: the proof that a new game needs no line in ``core``.

Squares and actions are numbered row by row, 0..8. The winner gets a point; under ``misere`` the other one does.
"""

# ruff: noqa: ARG001, ARG005  # the signatures are the contract of core/game.py

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float32, int64, uint64

from manjerico.core import rng
from manjerico.core.bits import popcount
from manjerico.core.compile import FLOATS, I64, TAPE, U64, VOID, WORDS, helper, kernel, record_array
from manjerico.core.errors import boolean
from manjerico.core.game import NOBODY, Game, Records, common_fields, register, state_dtype
from manjerico.core.layout import Layout, Part
from manjerico.core.policies import random_policy
from manjerico.core.rules import Rules

if TYPE_CHECKING:
    from manjerico.core.match import Match

SQUARES = 9
BOARD = uint64(2**SQUARES - 1)
LINES = np.array([0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421], np.uint64)

STATE = state_dtype([*common_fields(seats=2, sources=1), ("marks", np.uint64, 2)])
PARAMS = np.dtype([("misere", np.int64)])
STATES_TYPE, PARAMS_TYPE = record_array(STATE), record_array(PARAMS)

PARTS = (
    Part("to_act", (1,), 1, 1, "the observer is to act"),
    Part("mine", (3, 3), 1, 1, "the observer's marks"),
    Part("theirs", (3, 3), 1, 1, "the other player's marks"),
)


@dataclass(frozen=True)
class TicTacToeRules(Rules):
    misere: bool = False
    """Whether three in a row lose."""

    def __post_init__(self) -> None:
        boolean(self.misere, "TicTacToeRules: misere")


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, U64, I64, I64, TAPE))
def new_game(params: Any, states: Any, index: int, seed: int, players: int, start: int, tape: Any) -> None:
    game = states[index]
    rng.start(game["rng"], seed)
    game["score"][:] = 0
    game["sources"][:] = 0
    game["marks"][:] = 0
    game["players"] = players
    game["start"] = start
    game["player"] = start


@helper
def _free(game: Any) -> Any:
    return BOARD & ~(uint64(game["marks"][0]) | uint64(game["marks"][1]))


@kernel(I64(PARAMS_TYPE, STATES_TYPE, I64, WORDS))
def legal_actions(params: Any, states: Any, index: int, words: Any) -> Any:
    game = states[index]
    words[0] = uint64(0) if int64(game["player"]) == NOBODY else _free(game)
    return popcount(words[0])


@helper
def _lines(marks: Any) -> Any:
    lines = 0
    for k in range(LINES.size):
        lines += marks & LINES[k] == LINES[k]
    return lines


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, TAPE))
def apply(params: Any, states: Any, index: int, action: int, tape: Any) -> None:
    game = states[index]
    player = int64(game["player"])
    marks = uint64(game["marks"][player]) | uint64(1) << uint64(action)
    game["marks"][player] = marks
    game["player"] = 1 - player
    if _lines(marks) > 0:
        winner = 1 - player if params[0]["misere"] else player
        game["score"][winner] = 1
        game["sources"][winner, 0] = 1
        game["player"] = NOBODY
    elif _free(game) == uint64(0):
        game["player"] = NOBODY


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, FLOATS))
def observe(params: Any, states: Any, index: int, seat: int, out: Any) -> None:
    game = states[index]
    out[0] = float32(int64(game["player"]) == seat)
    for k in range(SQUARES):
        out[1 + k] = float32((uint64(game["marks"][seat]) >> uint64(k)) & uint64(1))
        out[1 + SQUARES + k] = float32((uint64(game["marks"][1 - seat]) >> uint64(k)) & uint64(1))


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, U64))
def redeterminise(params: Any, states: Any, index: int, seed: int) -> None:
    rng.start(states[index]["rng"], seed)


def make_params(rules: TicTacToeRules) -> Records:
    return np.array([(rules.misere,)], PARAMS)


def draw(match: Match) -> str:
    x, o = (int(word) for word in match.state["marks"])
    squares = ["X" if x >> k & 1 else "O" if o >> k & 1 else "." for k in range(SQUARES)]
    return "\n".join("".join(squares[row : row + 3]) for row in (0, 3, 6))


GAME = register(
    Game(
        name="tictactoe",
        title="Tic-tac-toe",
        version=0,
        players=range(2, 3),
        rules=TicTacToeRules,
        presets={"normal": TicTacToeRules(), "misere": TicTacToeRules(misere=True)},
        state=STATE,
        params=PARAMS,
        sources=("line",),
        make_params=make_params,
        num_actions=lambda rules: SQUARES,
        max_chance=lambda rules: 0,
        layout=lambda rules, players: Layout(PARTS),
        fault=lambda rules, players, state: "" if state["player"] in (NOBODY, 0, 1) else "player",
        describe=lambda rules, state, action: f"mark square {action + 1}",
        draw=draw,
        new_game=new_game,
        legal_actions=legal_actions,
        apply=apply,
        observe=observe,
        redeterminise=redeterminise,
        policies={"random": random_policy},
    )
)
