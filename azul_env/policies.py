"""Scripted policies as kernels: opponents inside a batch, yardsticks, playouts of a search.

``heuristic``, the strongest, has a module of its own (``azul_env/heuristic.py``).

``greedy``, version 1, takes the action with the best immediate change of its own score. Ties, in this order:

* phase 1: the draft whose colour then allows the placement of most points, with all the tiles that the player has;
  then the most tiles;
* phase 2: the placement that earns more supply tiles, then the cheaper one, then the one with fewer wild tiles;
* picks: the colour of which it holds most, this round's wild colour before all others;
* giving up: the colour of which it holds fewest, this round's wild colour first, for it is the last to be wild again;
* then the lowest id.

It gives tiles up only to be able to pass, and passes only when nothing scores.
"""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64

from azul_env.actions import (
    CENTRE_SPACE,
    GIVE_UP,
    PAIR_SPACE,
    PAIR_WILDS,
    PASS,
    PICK,
    PLAY_CENTRE,
    PLAY_OUTER,
    PLAYS_PER_STAR,
)
from azul_env.geometry import CENTRE, CENTRE_STAR, FLOOR, POSITIONS
from azul_env.heuristic import heuristic
from azul_env.kernels import CHAIN, COLOUR_BITS, enclosed_tiles
from manjerico.core.bits import lowest
from manjerico.core.compile import helper, routine
from manjerico.core.policies import random_policy

POINT = int64(1_000_000)
"""A point's weight in the keys by which actions are ordered; the rest breaks ties."""


@helper
def _key(rules: Any, game: Any, action: Any) -> Any:
    player = int64(game["player"])
    if action < PLAY_OUTER:
        return _draft_key(rules, game, player, action // 6, action % 6)
    if action < PICK:
        return _place_key(rules, game, player, action)
    wild = int64(game["wild"])
    hand = game["hand"][player]
    if action < GIVE_UP:
        colour = action - PICK
        return 100 * int64(colour == wild) + int64(hand[colour])
    if action < PASS:
        colour = action - GIVE_UP
        return -POINT + 100 * int64(colour == wild) - int64(hand[colour])
    return int64(0)


@helper
def _draft_key(rules: Any, game: Any, player: Any, source: Any, colour: Any) -> Any:
    wild = int64(game["wild"])
    tiles = game["displays"][source]
    taken = int64(1) if colour == wild else int64(tiles[colour])
    wilds_taken = int64(colour != wild and tiles[wild] > 0)
    own = int64(game["hand"][player, colour]) + int64(game["kept"][player, colour]) + taken
    wilds = int64(0)
    if colour != wild:
        wilds = int64(game["hand"][player, wild]) + int64(game["kept"][player, wild]) + wilds_taken
    change = int64(0)
    if source == CENTRE and int64(game["marker"]) < 0:
        change = -min(min(taken + wilds_taken, int64(rules["marker_cap"])), int64(game["score"][player]) - FLOOR)
    return POINT * change + 1000 * _best_gain(game, player, colour, own + wilds) + taken + wilds_taken


@helper
def _best_gain(game: Any, player: Any, colour: Any, purse: Any) -> Any:
    """The most points for one tile of the colour with ``purse`` tiles to pay for it."""
    board = uint64(game["board"][player])
    best = _best_on_star(board, colour, purse)
    if not (uint64(game["centre_used"][player]) >> uint64(colour)) & uint64(1):
        best = max(best, _best_on_star(board, CENTRE_STAR, purse))
    return best


@helper
def _best_on_star(board: Any, star: Any, purse: Any) -> Any:
    filled = int64((board >> uint64(POSITIONS * star)) & COLOUR_BITS)
    best = int64(0)
    for n in range(1, min(purse, int64(6)) + 1):
        if not (filled >> (n - 1)) & 1:
            best = max(best, int64(CHAIN[filled, n - 1]))
    return best


@helper
def _place_key(rules: Any, game: Any, player: Any, action: Any) -> Any:
    if action < PLAY_CENTRE:
        star = (action - PLAY_OUTER) // PLAYS_PER_STAR
        pair = (action - PLAY_OUTER) % PLAYS_PER_STAR
        n = PAIR_SPACE[pair]
        wilds = PAIR_WILDS[pair]
    else:
        star = int64(CENTRE_STAR)
        n = CENTRE_SPACE[action - PLAY_CENTRE]
        wilds = (action - PLAY_CENTRE) % n
    board = uint64(game["board"][player])
    filled = int64((board >> uint64(POSITIONS * star)) & COLOUR_BITS)
    space = POSITIONS * star + n - 1
    earned = enclosed_tiles(rules, board | uint64(1) << uint64(space), space)
    return POINT * int64(CHAIN[filled, n - 1]) + 1000 * earned - 10 * n - wilds


@routine
def greedy(params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:
    """See the module's docstring."""
    game = states[index]
    best = int64(-1)
    best_key = int64(0)
    for k in range(words.size):
        word = words[k]
        while word != uint64(0):
            action = 64 * k + lowest(word)
            word &= word - uint64(1)
            key = _key(params[0], game, action)
            if best < 0 or key > best_key:
                best = action
                best_key = key
    return best


POLICIES = {"random": random_policy, "greedy": greedy, "heuristic": heuristic}
"""By name, in the order that ``Game.choose`` counts."""
