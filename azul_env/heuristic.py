"""The policy ``heuristic``, version 1: weighs every legal action in points, as a good player would.

The worth of an action is the points that it scores at once, plus what it changes in three estimates:

* the board's promise: the bonuses for stars and sets of numbers, and the supply tiles of structures, each in the share
  that the missing tiles have of being there in time (``SHARE``, ``NUMBER_SHARE``, ``STRUCTURE_SHARE``);
* the purses: what the tiles of each colour, with the wild ones, bring in the best plan for their outer star
  (``PLAN``), or on the centre star, beyond the price of the tiles;
* the price of the tiles themselves, by what they are good for in the next round.

Drafts add what the start marker costs and is worth, and a part of what the next player would have had from the tiles.
Giving up and passing forgo what the purses promise. Ties go to the lowest id.

Everything is known to all players: the board, the tiles, the round. Chance enters only as tiles still to come, counted
in *horizons* of ``HORIZON_STEP`` tiles: 0 in phase 2 of the last round, when nothing more will come but picks.

The weights were found by a random search: some thousand settings, each against the best one before and against
``greedy`` on the same deals. They are fitted to each other, so one alone seldom means what a player would say.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import float64, int64, uint64

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
from azul_env.geometry import (
    CENTRE,
    CENTRE_STAR,
    DISPLAY_TILES,
    FLOOR,
    KEPT_TILES,
    NO_STRUCTURE,
    POSITIONS,
    ROUNDS,
    STAR_POINTS,
    STRUCTURES_PER_SPACE,
    WILD_BY_ROUND,
    WINDOW,
)
from azul_env.kernels import CHAIN, COLOUR_BITS, NUMBER_BONUS, STAR_BONUS
from azul_env.rules import AzulRules
from azul_env.state import ACQUIRE
from manjerico.core.bits import lowest, popcount
from manjerico.core.compile import helper, routine

# --- Weights: in points where nothing else is said ------------------------------------------------------------------

STAR_PART = 1.693
"""Share of the tiles to come that a single star may hope for."""
STAR_SHAPE = 1.119
"""Exponent of the missing tiles in that hope: the larger, the steeper it falls."""
NUMBER_PART = 0.137
"""As ``STAR_PART``, for the spaces of one number."""
NUMBER_SHAPE = 0.685
STRUCTURE_PART = 0.228
"""As ``STAR_PART``, for a structure."""
STRUCTURE_SHAPE = 1.216
RUN = 0.213
"""For each point that filling a star up will still score, in the share of doing so."""
SPACE_CREDIT = 0.53
"""A covered space 1 to 4, which borders on pillars and statues."""
BONUS_TILE = 1.569
"""A tile earned from the supply."""
TILE = 0.423
"""The price of a tile that could be used in the next round as well."""
LAST_TILE = 0.673
"""The price of a tile while drafting in the last round."""
LOST_TILE = -1.0
"""The price of a tile in phase 2 of the last round: it costs a point if it is left (F3)."""
NEXT_WILD = 0.805
"""More for a tile whose colour is wild in the next round."""
FIT = 0.595
"""More for a tile of a colour whose star is open, in the share of its completion."""
DEAD = 0.759
"""Less for a tile of a colour whose star is complete."""
WILD = 1.265
"""A wild tile that may help any colour."""
LAST_WILD = 2.915
"""The same in the last round."""
CENTRE_PART = 0.813
"""Share of a placement on the centre star that a purse counts, for several colours hope for the same space."""
SURPLUS = 1.026
"""Each tile beyond those that can be kept and those for which there is a plan, in phase 2."""
DRAFT_TILE = 2.934
"""A drafted tile, whatever its colour."""
LAST_DRAFT = 2.453
"""The same in the last round."""
LOOK = 0.12
"""Share of what a purse with ``LOOK_TILES`` more would be worth while drafting; they may still come."""
FIRST = 10.237
"""To be the first in the next round, or not to pay more for the marker later."""
DENY = 0.487
"""Share of what the next player would have had from the tiles drafted."""
NEVER = 100.0
"""Against giving up tiles that can be kept."""

LOOK_TILES = 5
LATER_TILES = 16.486
"""Tiles by which a later round counts for more than a share of the displays: the supply's, and the time it gives."""

# --- Tables ----------------------------------------------------------------------------------------------------------

HORIZON_STEP = 5
"""Tiles to come that make a horizon."""
HORIZONS = 14
"""As many are told apart; more tiles make no difference."""
LAST_ROUND = 2
"""Horizons up to this one are the last round's."""
FULL = 2**POSITIONS - 1
"""A star with all its positions filled."""
STAR_COST = POSITIONS * (POSITIONS + 1) // 2
"""Tiles for a whole star."""
NUMBERED = uint64(0b1111)
"""The spaces 1 to 4."""
STRUCTURE_COST = 3
"""Tiles that a missing space of a pillar or statue counts for: the mean of 1 to 4, rounded up."""
SLOT_BITS = 9
"""Seven numbers share a word, since compiled functions return no arrays, and tuples are slow to index and compile."""
SLOT = uint64(2**SLOT_BITS - 1)
PARTS = 16.0
"""Parts of a point that are told apart in a slot."""
MOST_PARTS = 2.0**SLOT_BITS - 1
WILDS_SPENT = 4
"""The most wild tiles that a plan reckons with."""
MEAN_STAR = sum(STAR_POINTS) / len(STAR_POINTS)
"""Points for a complete star in plans, which don't tell the colours apart."""


def _shares(part: float, shape: float, most: int) -> npt.NDArray[np.float64]:
    """The share of a bonus by horizon and missing tiles (0 to ``most``): 1 if none is missing, 0 if none will come."""
    hope = part * HORIZON_STEP * np.arange(HORIZONS)[:, None]
    missing = np.broadcast_to(np.arange(most + 1), (HORIZONS, most + 1))
    hopeful = np.where(missing == 0, 0, np.divide(missing, hope, out=np.full(missing.shape, np.inf), where=hope > 0))
    return np.exp(-(hopeful**shape))


def _by_horizon(last: float, earlier: float) -> npt.NDArray[np.float64]:
    return np.where(np.arange(HORIZONS) <= LAST_ROUND, last, earlier)


def _growth() -> npt.NDArray[np.int8]:
    """The points for growing a star from one set of positions to another, in the best order; -1 where it can't."""
    table = np.full((2**POSITIONS, 2**POSITIONS), -1, np.int8)
    for after in range(2**POSITIONS):
        table[after, after] = 0
        for before in range(after - 1, -1, -1):
            if before & ~after == 0:
                ways = [s for s in range(POSITIONS) if (after & ~before) >> s & 1]
                table[before, after] = max(int(CHAIN[before, s]) + table[before | 1 << s, after] for s in ways)
    return table


def _plans() -> npt.NDArray[np.uint8]:
    """The best set of positions that so many tiles can make of a star, by horizon, positions before and tiles."""
    table = np.zeros((HORIZONS, 2**POSITIONS, STAR_COST + 1), np.uint8)
    cost = MISSING[:, None] - MISSING[None, :]
    numbered = np.array([(filled & 0b1111).bit_count() for filled in range(2**POSITIONS)])
    for horizon in range(HORIZONS):
        promise = SHARE[horizon, MISSING] * (MEAN_STAR + RUN * GROWTH[:, FULL])
        promise += BONUS_TILE * AzulRules.window_tiles * STRUCTURE_SHARE[horizon, WINDOW_MISSING]
        promise += SPACE_CREDIT * numbered
        value = np.where(GROWTH < 0, -np.inf, GROWTH + promise - PRICE[horizon] * cost)
        for tiles in range(STAR_COST + 1):
            table[horizon, :, tiles] = np.where(cost <= tiles, value, -np.inf).argmax(axis=1)
    return table


PRICE = _by_horizon(LAST_TILE, TILE)
"""What a tile must bring at least to be spent, by horizon."""
PRICE[0] = LOST_TILE
WILD_PRICE = _by_horizon(LAST_WILD, WILD)
DRAFTED = _by_horizon(LAST_DRAFT, DRAFT_TILE) - PRICE
"""More for a tile that is drafted than its price."""
MISSING = np.array([sum(n + 1 for n in range(POSITIONS) if not f >> n & 1) for f in range(2**POSITIONS)], np.int64)
"""Tiles that complete a star, by its filled positions."""
WINDOW_MISSING = np.array([5 * (1 - (f >> 4 & 1)) + 6 * (1 - (f >> 5 & 1)) for f in range(2**POSITIONS)], np.int64)
"""Tiles that close its window, which lies between the spaces 5 and 6."""
GROWTH = _growth()
SHARE = _shares(STAR_PART, STAR_SHAPE, STAR_COST)
NUMBER_SHARE = _shares(NUMBER_PART, NUMBER_SHAPE, 4 * 7)
STRUCTURE_SHARE = _shares(STRUCTURE_PART, STRUCTURE_SHAPE, 4 * STRUCTURE_COST)
PLAN = _plans()


# --- A seat's outlook ------------------------------------------------------------------------------------------------


class View(NamedTuple):
    """What the worth of tiles depends on, for one seat."""

    board: Any
    """Filled spaces, as in the state."""
    used: Any
    """Colours in the centre star, a bit each."""
    horizon: Any
    """Tiles to come."""
    drafting: Any
    wild: Any
    next_wild: Any
    """The next round's wild colour, -1 in the last round."""
    numbers: Any
    """What a tile on a space of the numbers 1 to 4 adds to the promise of the set: packed, slots 1 to 4."""
    centre: Any
    """The most that a placement on the centre star brings beyond the price of its tiles, for 0 to 6 tiles: packed."""


@routine
def _horizon(game: Any) -> Any:
    """The tiles that a player may expect to get, in steps of ``HORIZON_STEP``, rounded up."""
    players = int64(game["players"])
    tiles = (ROUNDS - int64(game["round"])) * (DISPLAY_TILES * (2.0 + 1.0 / players) + LATER_TILES)
    if int64(game["phase"]) == ACQUIRE:
        on_offer = int64(0)
        for source in range(CENTRE + 1):
            for colour in range(6):
                on_offer += int64(game["displays"][source, colour])
        tiles += on_offer / players
    return min(int64((tiles + HORIZON_STEP - 1) / HORIZON_STEP), int64(HORIZONS - 1))


@helper
def _own(game: Any, seat: Any, colour: Any) -> Any:
    """Tiles of a colour, kept ones included."""
    return int64(game["hand"][seat, colour]) + int64(game["kept"][seat, colour])


@helper
def _number_step(rules: Any, board: Any, horizon: Any, n: Any) -> Any:
    missing = popcount(uint64(rules["number_mask"][n - 1]) & ~board)
    if missing == 0:
        return 0.0
    return NUMBER_BONUS[n - 1] * (NUMBER_SHARE[horizon, n * (missing - 1)] - NUMBER_SHARE[horizon, n * missing])


@helper
def _filled(board: Any, star: Any) -> Any:
    return int64((board >> uint64(POSITIONS * star)) & COLOUR_BITS)


@helper
def _promise(rules: Any, horizon: Any, star: Any, filled: Any) -> Any:
    """What a star's positions promise by themselves: its bonus, the run, its window."""
    promise = SHARE[horizon, MISSING[filled]] * (STAR_BONUS[star] + RUN * GROWTH[filled, FULL])
    if star != CENTRE_STAR:
        tiles = rules["structure_tiles"][3 * star + WINDOW]
        promise += BONUS_TILE * tiles * STRUCTURE_SHARE[horizon, WINDOW_MISSING[filled]]
    return promise + SPACE_CREDIT * popcount(uint64(filled) & NUMBERED)


@routine
def _structures(rules: Any, horizon: Any, board: Any, star: Any, n: Any) -> Any:
    """What a tile on a space adds to the promise of pillars and statues; windows are the star's own (``_promise``)."""
    added = 0.0
    if star != CENTRE_STAR and n > 4:
        return added
    space = int64(POSITIONS * star + n - 1)
    for k in range(STRUCTURES_PER_SPACE):
        mask = uint64(rules["bordering_mask"][space, k])
        if mask != NO_STRUCTURE:
            missing = STRUCTURE_COST * popcount(mask & ~board)
            step = STRUCTURE_SHARE[horizon, missing - STRUCTURE_COST] - STRUCTURE_SHARE[horizon, missing]
            added += BONUS_TILE * rules["bordering_tiles"][space, k] * step
    return added


@routine
def _placement(rules: Any, board: Any, horizon: Any, numbers: Any, star: Any, n: Any) -> Any:
    """Points and promises of a tile on an empty space, whatever is paid for it."""
    filled = _filled(board, star)
    after = filled | int64(1) << (n - 1)
    worth = CHAIN[filled, n - 1] + _promise(rules, horizon, star, after) - _promise(rules, horizon, star, filled)
    if n <= 4:
        worth += _unpacked(numbers, n)
    return worth + _structures(rules, horizon, board, star, n)


@helper
def _packed(worth: Any, slot: Any) -> Any:
    """A worth of at least 0 in its slot of a word, in parts of a point."""
    return uint64(min(worth * PARTS, MOST_PARTS)) << uint64(SLOT_BITS * slot)


@helper
def _unpacked(word: Any, slot: Any) -> Any:
    return float64((word >> uint64(SLOT_BITS * slot)) & SLOT) / PARTS


@routine
def _view(rules: Any, game: Any, seat: Any) -> Any:
    board = uint64(game["board"][seat])
    horizon = _horizon(game)
    number = int64(game["round"])
    numbers = uint64(0)
    for n in range(1, 5):
        numbers |= _packed(_number_step(rules, board, horizon, n), n)
    centre = uint64(0)
    best = 0.0
    for n in range(1, POSITIONS + 1):
        if not (_filled(board, CENTRE_STAR) >> (n - 1)) & 1:
            worth = _placement(rules, board, horizon, numbers, int64(CENTRE_STAR), n)
            best = max(best, worth - PRICE[horizon] * n)
        centre |= _packed(best, n)
    return View(
        board,
        int64(game["centre_used"][seat]),
        horizon,
        int64(game["phase"]) == ACQUIRE,
        int64(game["wild"]),
        WILD_BY_ROUND[number] if number < ROUNDS else int64(-1),
        numbers,
        centre,
    )


# --- Tiles -----------------------------------------------------------------------------------------------------------


@helper
def _planned(horizon: Any, filled: Any, tiles: Any) -> Any:
    """How many of the tiles the star's plan spends."""
    return MISSING[filled] - MISSING[PLAN[horizon, filled, min(tiles, int64(STAR_COST))]]


@routine
def _profit(rules: Any, view: Any, star: Any, filled: Any, tiles: Any) -> Any:
    """What the star's plan brings beyond the price of its tiles."""
    horizon = view.horizon
    after = int64(PLAN[horizon, filled, min(tiles, int64(STAR_COST))])
    if after == filled:
        return 0.0
    worth = GROWTH[filled, after] + _promise(rules, horizon, star, after) - _promise(rules, horizon, star, filled)
    added = after & ~filled
    for k in range(4):
        worth += _unpacked(view.numbers, k + 1) * ((added >> k) & 1)
    return worth - PRICE[horizon] * (MISSING[filled] - MISSING[after])


@routine
def _with_centre(rules: Any, view: Any, star: Any, filled: Any, free: Any, tiles: Any) -> Any:
    """The plan's profit, and what tiles that it leaves bring on the centre star if the colour is ``free`` there."""
    worth = _profit(rules, view, star, filled, tiles)
    if free:
        rest = tiles - _planned(view.horizon, filled, tiles)
        worth += CENTRE_PART * _unpacked(view.centre, min(rest, int64(POSITIONS)))
    return worth


@routine
def _purse(rules: Any, view: Any, colour: Any, filled: Any, free: Any, own: Any, wilds: Any) -> Any:
    """What the tiles of a colour bring with the wild ones, beyond their prices, if its star is ``filled``."""
    each = WILD_PRICE[view.horizon]
    worth = _with_centre(rules, view, colour, filled, free, own) + each * wilds
    if own > 0:
        for spent in range(1, min(wilds, int64(WILDS_SPENT)) + 1):
            joint = _with_centre(rules, view, colour, filled, free, own + spent) + each * (wilds - spent)
            worth = max(worth, joint)
    if view.drafting:
        worth += LOOK * _profit(rules, view, colour, filled, own + wilds + LOOK_TILES)
    return worth


@helper
def _purse_now(rules: Any, view: Any, colour: Any, own: Any, wilds: Any) -> Any:
    """The same on the board as it is."""
    free = not (view.used >> colour) & 1
    return _purse(rules, view, colour, _filled(view.board, colour), free, own, wilds)


@routine
def _tile(view: Any, colour: Any) -> Any:
    """The price of a tile, by what its colour is good for later."""
    horizon = view.horizon
    price = PRICE[horizon]
    if horizon == 0:
        return price
    filled = _filled(view.board, colour)
    price += -DEAD if filled == FULL else FIT * SHARE[horizon, MISSING[filled]]
    if colour == view.next_wild:
        price += NEXT_WILD
    return price


# --- Phase 1 ---------------------------------------------------------------------------------------------------------


@routine
def _gain(rules: Any, game: Any, view: Any, seat: Any, colour: Any, taken: Any, wilds_taken: Any) -> Any:
    """What drafted tiles are worth to a seat."""
    own = _own(game, seat, colour)
    wilds = int64(0) if colour == view.wild else _own(game, seat, view.wild)
    gain = _purse_now(rules, view, colour, own + taken, wilds + wilds_taken) - _purse_now(
        rules, view, colour, own, wilds
    )
    drafted = DRAFTED[view.horizon]
    gain += taken * (_tile(view, colour) + drafted)
    if colour == view.wild:
        gain += WILD_PRICE[view.horizon]
    elif wilds_taken > 0:
        gain += _tile(view, view.wild) + drafted
    return gain


@routine
def _draft(rules: Any, game: Any, view: Any, rivals: Any, player: Any, rival: Any, source: Any, colour: Any) -> Any:
    """The worth of a draft (B2, B3): its tiles, the start marker (B5), what the next player has not."""
    tiles = game["displays"][source]
    taken = int64(1) if colour == view.wild else int64(tiles[colour])
    wilds_taken = int64(colour != view.wild and tiles[view.wild] > 0)
    worth = _gain(rules, game, view, player, colour, taken, wilds_taken)
    if source == CENTRE and int64(game["marker"]) < 0:
        worth -= min(min(taken + wilds_taken, int64(rules["marker_cap"])), int64(game["score"][player]) - FLOOR)
        if view.horizon > LAST_ROUND:
            worth += FIRST
    return worth + DENY * _gain(rules, game, rivals, rival, colour, taken, wilds_taken)


# --- Phase 2 ---------------------------------------------------------------------------------------------------------


@routine
def _place(rules: Any, game: Any, view: Any, player: Any, surplus: Any, action: Any) -> Any:
    """The worth of a placement: points, promises, and what it leaves in the purses."""
    if action < PLAY_CENTRE:
        star = (action - PLAY_OUTER) // PLAYS_PER_STAR
        pair = (action - PLAY_OUTER) % PLAYS_PER_STAR
        n = PAIR_SPACE[pair]
        wilds = PAIR_WILDS[pair]
        colour = star
    else:
        star = int64(CENTRE_STAR)
        n = CENTRE_SPACE[action - PLAY_CENTRE]
        colour = (action - PLAY_CENTRE - 3 * n * (n - 1)) // n
        wilds = (action - PLAY_CENTRE) % n
    worth = _placement(rules, view.board, view.horizon, view.numbers, star, n)
    own = _own(game, player, colour)
    purse = int64(0) if colour == view.wild else _own(game, player, view.wild)
    before = _filled(view.board, colour)
    after = before | int64(1) << (n - 1) if star == colour else before
    free = not (view.used >> colour) & 1
    left = own - (n - wilds)
    worth += _purse(rules, view, colour, after, free and star == colour, left, purse - wilds)
    worth -= _purse(rules, view, colour, before, free, own, purse)
    worth -= (n - wilds) * _tile(view, colour) + wilds * _tile(view, view.wild)
    if view.horizon > 0:
        covered = n + _planned(view.horizon, after, left) - _planned(view.horizon, before, own)
        worth += SURPLUS * (max(surplus, int64(0)) - max(surplus - covered, int64(0)))
    return worth


@routine
def _pick(rules: Any, game: Any, view: Any, player: Any, colour: Any) -> Any:
    """The worth of a tile from the supply."""
    own = _own(game, player, colour)
    wilds = int64(0) if colour == view.wild else _own(game, player, view.wild)
    worth = _tile(view, colour) + _purse_now(rules, view, colour, own + 1, wilds)
    if colour == view.wild:
        worth += WILD_PRICE[view.horizon]
    return worth - _purse_now(rules, view, colour, own, wilds)


@routine
def _holdings(rules: Any, game: Any, view: Any, player: Any) -> Any:
    """(Tiles in hand, tiles without a plan or room to be kept, what passing forgoes)."""
    wilds = _own(game, player, view.wild)
    each = WILD_PRICE[view.horizon]
    in_hand = int64(0)
    planned = int64(0)
    forgone = each * wilds
    for colour in range(6):
        own = _own(game, player, colour)
        filled = _filled(view.board, colour)
        in_hand += own
        planned += _planned(view.horizon, filled, own)
        helped = int64(0) if colour == view.wild else wilds
        forgone += _purse_now(rules, view, colour, own, helped) - each * helped
    return in_hand, in_hand - KEPT_TILES - planned, forgone


@helper
def _give_up(view: Any, in_hand: Any, surplus: Any, forgone: Any, colour: Any) -> Any:
    """The worth of giving up a tile, and the others that then can't be kept (D2, G1)."""
    worth = -forgone - _tile(view, colour) - 1
    if in_hand <= KEPT_TILES:
        return worth - NEVER
    return worth + SURPLUS * max(surplus, int64(0)) - (in_hand - KEPT_TILES)


@routine
def heuristic(params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:
    """The legal action of most worth; see the module's docstring."""
    game = states[index]
    rules = params[0]
    player = int64(game["player"])
    rival = player + 1 if player + 1 < int64(game["players"]) else int64(0)
    view = _view(rules, game, player)
    if view.drafting:
        rivals = _view(rules, game, rival)
        in_hand, surplus, forgone = int64(0), int64(0), 0.0
    else:
        rivals = view
        in_hand, surplus, forgone = _holdings(rules, game, view, player)
    best = int64(-1)
    best_worth = 0.0
    for k in range(words.size):
        word = words[k]
        while word != uint64(0):
            action = 64 * k + lowest(word)
            word &= word - uint64(1)
            if action < PLAY_OUTER:
                worth = _draft(rules, game, view, rivals, player, rival, action // 6, action % 6)
            elif action < PICK:
                worth = _place(rules, game, view, player, surplus, action)
            elif action < GIVE_UP:
                worth = _pick(rules, game, view, player, action - PICK)
            elif action < PASS:
                worth = _give_up(view, in_hand, surplus, forgone, action - GIVE_UP)
            else:
                worth = -forgone
            if best < 0 or worth > best_worth:
                best = action
                best_worth = worth
    return best
