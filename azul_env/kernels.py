"""The rules of Azul: Summer Pavilion, compiled.

The five entry points are what a ``manjerico.core.game.Game`` asks for. All take (params, states, index), the rule set's
record array of one, an array of states and the index of one of them. They assume what their callers have checked: a
valid number of players, a legal action.

Two sets are computed with tables instead of loops: what a colour's tiles can pay (``PAYABLE``: at most six own tiles
and five wilds matter) and what is still open on a star (``OPEN``: 64 ways to be filled). Their intersection is the set
of legal plays, in the order of the action ids.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
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
from azul_env.geometry import (
    CENTRE,
    CENTRE_STAR,
    CENTRE_STAR_POINTS,
    DISPLAY_TILES,
    FLOOR,
    KEPT_TILES,
    NUMBER_POINTS,
    POSITIONS,
    ROUNDS,
    STAR_POINTS,
    START_SCORE,
    STRUCTURES_PER_SPACE,
    SUPPLY_SPACES,
    TILES_PER_COLOUR,
    WILD_BY_ROUND,
    chain_table,
    star_masks,
)
from azul_env.state import ACQUIRE, LOSSES, NUMBERS, OVER, PARAMS_TYPE, PLACEMENTS, PLAY, STARS, STATES_TYPE
from manjerico.core import rng
from manjerico.core.bits import popcount
from manjerico.core.compile import I64, TAPE, U64, VOID, WORDS, helper, kernel
from manjerico.core.tape import given, note

COLOUR_BITS = uint64(0b111111)
FIRST_COLOUR = uint64(sum(1 << (6 * source) for source in range(10)))
"""The bit of colour 0 of every source."""
DISPLAY_BITS = uint64((1 << (6 * CENTRE)) - 1)

CHAIN = chain_table()
STAR_MASK = star_masks()
STAR_BONUS = np.array([*STAR_POINTS, CENTRE_STAR_POINTS], np.int64)
NUMBER_BONUS = np.array(NUMBER_POINTS, np.int64)


def _payable() -> npt.NDArray[np.uint64]:
    """Payable pairs (space n, wilds k) by own tiles (at most 6) and wilds held (at most 5), as 21 bits (C3)."""
    table = np.zeros((7, 6), np.uint64)
    for own in range(7):
        for wilds in range(6):
            pairs = zip(PAIR_SPACE.tolist(), PAIR_WILDS.tolist(), strict=True)
            payable = [max(0, n - own) <= k <= min(n - 1, wilds) for n, k in pairs]
            table[own, wilds] = sum(1 << index for index, legal in enumerate(payable) if legal)
    return table


def _open() -> npt.NDArray[np.uint64]:
    """The pairs whose space is empty, by the star's filled positions, as 21 bits."""
    table = np.zeros(2**POSITIONS, np.uint64)
    for filled in range(2**POSITIONS):
        table[filled] = sum(1 << index for index, n in enumerate(PAIR_SPACE.tolist()) if not filled >> (n - 1) & 1)
    return table


def _spread(pairs: int, colour: int) -> list[int]:
    """21 pair bits of a colour at their places among the 126 plays on the centre star, as two words."""
    spread = 0
    for index, (n, k) in enumerate(zip(PAIR_SPACE.tolist(), PAIR_WILDS.tolist(), strict=True)):
        if pairs >> index & 1:
            spread |= 1 << (3 * n * (n - 1) + n * colour + k)
    return [spread & (2**64 - 1), spread >> 64]


@helper
def _colours_held(counts: Any) -> Any:
    """The colours of which ``counts`` (uint8[6]) holds a tile, a bit each."""
    held = uint64(0)
    for colour in range(6):
        held |= uint64(counts[colour] != 0) << uint64(colour)
    return held


PAYABLE = _payable()
OPEN = _open()
CENTRE_PAYABLE = np.array([[[_spread(int(pairs), c) for pairs in row] for row in PAYABLE] for c in range(6)], np.uint64)
"""``PAYABLE`` spread to the centre star, uint64 [colour, own, wilds, 2]."""
CENTRE_OPEN = np.bitwise_or.reduce(
    np.array([[_spread(int(pairs), c) for c in range(6)] for pairs in OPEN], np.uint64), axis=1
)
"""``OPEN`` spread to the centre star for all colours, uint64 [filled, 2]."""


# --- Legal actions ---------------------------------------------------------------------------------------------------


@helper
def _drafts(rules: Any, game: Any) -> Any:
    """The legal drafts as one word (B2, B3; the digest's part of B5)."""
    offers = uint64(game["offers"])
    wild = uint64(game["wild"])
    wilds = FIRST_COLOUR << wild
    tame = offers & ~wilds
    holds_tame = tame
    for shift in range(1, 6):  # gather each source's six bits in its first
        holds_tame |= tame >> uint64(shift)
    wild_only = ((offers & wilds) >> wild) & ~holds_tame & FIRST_COLOUR
    drafts = tame | (wild_only << wild)
    at_floor = int64(game["score"][game["player"]]) == FLOOR
    if rules["centre_closed"] and at_floor and int64(game["marker"]) < 0 and offers & DISPLAY_BITS:
        drafts &= DISPLAY_BITS
    return drafts


@helper
def _purse(game: Any, hand: Any, colour: Any) -> Any:
    """(own tiles, wilds) that can pay for a tile of ``colour``, capped at what can matter (C3, C4)."""
    wild = int64(game["wild"])
    own = min(int64(hand[colour]), int64(6))
    wilds = int64(0) if colour == wild else min(int64(hand[wild]), int64(5))
    return own, wilds


@helper
def _outer_plays(game: Any, hand: Any, words: Any) -> None:
    """The plays on the outer stars, ids 60..185, as two halves of three stars."""
    board = uint64(game["board"][game["player"]])
    low = uint64(0)
    high = uint64(0)
    for star in range(6):
        own, wilds = _purse(game, hand, star)
        filled = int64((board >> uint64(POSITIONS * star)) & COLOUR_BITS)
        plays = PAYABLE[own, wilds] & OPEN[filled]
        if star < 3:
            low |= plays << uint64(PLAYS_PER_STAR * star)
        else:
            high |= plays << uint64(PLAYS_PER_STAR * (star - 3))
    words[0] |= low << uint64(60)
    words[1] |= (low >> uint64(4)) | (high << uint64(59))
    words[2] |= high >> uint64(5)


@helper
def _centre_plays(game: Any, hand: Any, words: Any) -> None:
    """The plays on the centre star, ids 186..311 (C5)."""
    player = int64(game["player"])
    used = uint64(game["centre_used"][player])
    low = uint64(0)
    high = uint64(0)
    for colour in range(6):
        if not (used >> uint64(colour)) & uint64(1):
            own, wilds = _purse(game, hand, colour)
            low |= CENTRE_PAYABLE[colour, own, wilds, 0]
            high |= CENTRE_PAYABLE[colour, own, wilds, 1]
    filled = int64((uint64(game["board"][player]) >> uint64(POSITIONS * CENTRE_STAR)) & COLOUR_BITS)
    low &= CENTRE_OPEN[filled, 0]
    high &= CENTRE_OPEN[filled, 1]
    words[2] |= low << uint64(58)
    words[3] |= (low >> uint64(6)) | (high << uint64(58))
    words[4] |= high >> uint64(6)


@helper
def _phase_two_actions(rules: Any, game: Any, words: Any) -> Any:
    """Plays (C2-C5), tiles to give up and the pass (D1, D2, G1)."""
    hand = game["hand"][game["player"]]
    in_hand = int64(0)
    for colour in range(6):
        in_hand += int64(hand[colour])
    if int64(game["giving_up"]) == 0 and in_hand > 0:
        _outer_plays(game, hand, words)
        _centre_plays(game, hand, words)
    if in_hand > KEPT_TILES or rules["voluntary"]:
        gifts = _colours_held(hand)
        words[4] |= gifts << uint64(GIVE_UP - 256)
        words[5] |= gifts >> uint64(320 - GIVE_UP)
    if in_hand <= KEPT_TILES:
        words[5] |= uint64(1) << uint64(PASS - 320)
    total = int64(0)
    for k in range(6):
        total += popcount(words[k])
    return total


@kernel(I64(PARAMS_TYPE, STATES_TYPE, I64, WORDS))
def legal_actions(params: Any, states: Any, index: int, words: Any) -> Any:
    """Writes the legal actions as a set to ``words`` (uint64[6]); returns how many there are, 0 after the end (G)."""
    game = states[index]
    words[:] = uint64(0)
    phase = int64(game["phase"])
    if phase == ACQUIRE:
        words[0] = _drafts(params[0], game)
        return popcount(words[0])
    if phase == OVER:
        return int64(0)
    if int64(game["picks"]) > 0:
        picks = _colours_held(game["supply"])
        words[4] = picks << uint64(PICK - 256)
        return popcount(picks)
    return _phase_two_actions(params[0], game, words)


# --- Set-up and chance -----------------------------------------------------------------------------------------------


@helper
def _draw(game: Any, tape: Any) -> Any:
    """Takes a tile out of the bag and returns its colour, -1 if bag and tower are empty (A7, I1)."""
    size = int64(game["bag_size"])
    if size == 0:
        size = int64(game["tower_size"])
        if size == 0:
            return int64(-1)
        for colour in range(6):
            game["bag"][colour] = game["tower"][colour]
            game["tower"][colour] = 0
        game["tower_size"] = 0
    colour = given(tape)
    if colour < 0 or colour > 5 or game["bag"][colour] == 0:
        rank = rng.below(game["rng"], size)
        colour = 0
        while rank >= int64(game["bag"][colour]):
            rank -= int64(game["bag"][colour])
            colour += 1
    note(tape, colour)
    game["bag"][colour] -= 1
    game["bag_size"] = size - 1
    return colour


@helper
def _fill_supply(game: Any, tape: Any) -> None:
    """Fills the supply to ten (A3, C9), as far as the tiles go (A7)."""
    while int64(game["supply_size"]) < SUPPLY_SPACES:
        colour = _draw(game, tape)
        if colour < 0:
            return
        game["supply"][colour] += 1
        game["supply_size"] += 1


@helper
def _fill_displays(game: Any, tape: Any) -> None:
    """Fills the displays in order (A2), as far as the tiles go (A7)."""
    offers = uint64(0)
    for display in range(2 * int64(game["players"]) + 1):
        for _ in range(DISPLAY_TILES):
            colour = _draw(game, tape)
            if colour < 0:
                game["offers"] = offers
                return
            game["displays"][display, colour] += 1
            offers |= uint64(1) << uint64(6 * display + colour)
    game["offers"] = offers


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, U64, I64, I64, TAPE))
def new_game(params: Any, states: Any, index: int, seed: int, players: int, start: int, tape: Any) -> None:
    """Sets a state up (A1-A6): the supply first, then the displays (A3)."""
    game = states[index]
    rng.start(game["rng"], seed)
    game["players"] = players
    game["start"] = start
    game["player"] = start
    game["starter"] = start
    for seat in range(4):
        present = seat < players
        game["score"][seat] = START_SCORE if present else 0
        game["board"][seat] = uint64(0)
        game["centre_used"][seat] = 0
        game["numbers_paid"][seat] = 0
        game["sources"][seat, :] = 0
        game["hand"][seat, :] = 0
        game["kept"][seat, :] = 0
        game["centre"][seat, :] = -1 if present else 0
    game["bag"][:] = TILES_PER_COLOUR
    game["tower"][:] = 0
    game["supply"][:] = 0
    game["displays"][:] = 0
    game["bag_size"] = 6 * TILES_PER_COLOUR
    game["tower_size"] = 0
    game["supply_size"] = 0
    game["offers"] = uint64(0)
    game["round"] = 1
    game["wild"] = WILD_BY_ROUND[0]
    game["phase"] = ACQUIRE
    game["marker"] = -1
    game["passed"] = 0
    game["picks"] = 0
    game["giving_up"] = 0
    _fill_supply(game, tape)
    _fill_displays(game, tape)


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, U64))
def redeterminise(params: Any, states: Any, index: int, seed: int) -> None:
    """The order of the bag is all that is hidden (I2), and it is not fixed before a draw: a new stream will do."""
    rng.start(states[index]["rng"], seed)


# --- Playing ---------------------------------------------------------------------------------------------------------


@helper
def _next_seat(game: Any, seat: Any) -> Any:
    seat += 1
    return int64(0) if seat == int64(game["players"]) else seat


@helper
def _lose(game: Any, seat: Any, points: Any) -> None:
    """A loss stops at the floor (A4)."""
    lost = min(int64(points), int64(game["score"][seat]) - FLOOR)
    game["score"][seat] -= lost
    game["sources"][seat, LOSSES] += lost


@helper
def _gain(game: Any, seat: Any, source: Any, points: Any) -> None:
    game["score"][seat] += points
    game["sources"][seat, source] += points


@helper
def _draft(rules: Any, game: Any, source: Any, colour: Any) -> None:
    """Takes tiles from a source (B2, B3) and the start marker with the first from the centre (B4, B5)."""
    player = int64(game["player"])
    wild = int64(game["wild"])
    hand = game["hand"][player]
    tiles = game["displays"][source]
    taken = int64(0)
    if colour != wild:
        taken = int64(tiles[colour])
        hand[colour] += taken
        tiles[colour] = 0
    if tiles[wild] > 0:
        taken += 1
        hand[wild] += 1
        tiles[wild] -= 1
    if source != CENTRE:
        for c in range(6):
            game["displays"][CENTRE, c] += tiles[c]
            tiles[c] = 0
    elif int64(game["marker"]) < 0:
        game["marker"] = player
        _lose(game, player, min(taken, int64(rules["marker_cap"])))
    others = uint64(game["offers"]) & ~(COLOUR_BITS << uint64(6 * source)) & DISPLAY_BITS
    game["offers"] = others | (_colours_held(game["displays"][CENTRE]) << uint64(6 * CENTRE))


@helper
def _begin_phase_two(game: Any) -> None:
    """Nobody took the marker: the round's starter gets it (B6). Kept tiles join the others (D4). C1."""
    if int64(game["marker"]) < 0:
        game["marker"] = game["starter"]
    for seat in range(int64(game["players"])):
        for colour in range(6):
            game["hand"][seat, colour] += game["kept"][seat, colour]
            game["kept"][seat, colour] = 0
    game["phase"] = PLAY
    game["passed"] = 0
    game["player"] = game["marker"]


@helper
def _place(rules: Any, game: Any, action: Any) -> None:
    """Pays for a space and fills it (C2-C5), scores the tile (C6) and what it encloses (C7, C8)."""
    player = int64(game["player"])
    if action < PLAY_CENTRE:
        star = (action - PLAY_OUTER) // PLAYS_PER_STAR
        pair = (action - PLAY_OUTER) % PLAYS_PER_STAR
        n = PAIR_SPACE[pair]
        colour = star
        wilds = PAIR_WILDS[pair]
    else:
        star = int64(CENTRE_STAR)
        n = CENTRE_SPACE[action - PLAY_CENTRE]
        offset = action - PLAY_CENTRE - 3 * n * (n - 1)
        colour = offset // n
        wilds = offset % n
        game["centre"][player, n - 1] = colour
        game["centre_used"][player] |= uint64(1) << uint64(colour)
    _pay(game, player, colour, n, wilds)
    board = uint64(game["board"][player])
    filled = int64((board >> uint64(POSITIONS * star)) & COLOUR_BITS)
    _gain(game, player, PLACEMENTS, int64(CHAIN[filled, n - 1]))
    space = POSITIONS * star + n - 1
    board |= uint64(1) << uint64(space)
    game["board"][player] = board
    game["picks"] = min(enclosed_tiles(rules, board, space), int64(game["supply_size"]))


@helper
def _pay(game: Any, player: Any, colour: Any, n: Any, wilds: Any) -> None:
    """One tile of the colour goes to the board, the others of the n to the tower (C2)."""
    wild = int64(game["wild"])
    own = n - wilds
    game["hand"][player, colour] -= own
    game["hand"][player, wild] -= wilds
    game["tower"][colour] += own - 1
    game["tower"][wild] += wilds
    game["tower_size"] += n - 1


@helper
def enclosed_tiles(rules: Any, board: Any, space: Any) -> Any:
    """Supply tiles for the structures that the tile on ``space``, just added to ``board``, has closed (C7)."""
    tiles = int64(0)
    for k in range(STRUCTURES_PER_SPACE):
        mask = uint64(rules["bordering_mask"][space, k])
        if board & mask == mask:
            tiles += int64(rules["bordering_tiles"][space, k])
    return tiles


@helper
def _pick(game: Any, colour: Any) -> None:
    """Takes a tile from the supply (C8)."""
    game["supply"][colour] -= 1
    game["supply_size"] -= 1
    game["hand"][game["player"], colour] += 1
    game["picks"] -= 1


@helper
def _give_up(game: Any, colour: Any) -> None:
    """A tile goes to the tower and costs a point (D2, G1)."""
    player = int64(game["player"])
    game["hand"][player, colour] -= 1
    game["tower"][colour] += 1
    game["tower_size"] += 1
    _lose(game, player, int64(1))
    game["giving_up"] = 1


@helper
def _pass(game: Any) -> None:
    """The tiles left move to the corners (D2, D4)."""
    player = int64(game["player"])
    for colour in range(6):
        game["kept"][player, colour] = game["hand"][player, colour]
        game["hand"][player, colour] = 0
    game["passed"] |= uint64(1) << uint64(player)
    game["giving_up"] = 0


@helper
def _end_turn(rules: Any, game: Any, tape: Any) -> None:
    """Fills the supply (C9) and finds the next player who has not passed, or ends the round (C1)."""
    passed = uint64(game["passed"])
    everybody = (uint64(1) << uint64(game["players"])) - uint64(1)
    if passed == everybody:
        _end_round(rules, game, tape)
        return
    _fill_supply(game, tape)
    seat = _next_seat(game, int64(game["player"]))
    while (passed >> uint64(seat)) & uint64(1):
        seat = _next_seat(game, seat)
    game["player"] = seat


@helper
def _end_round(rules: Any, game: Any, tape: Any) -> None:
    """Supply, then displays for the next round (C9, E1), or the end of the game (F)."""
    if int64(game["round"]) == ROUNDS:
        _end_game(rules, game)
        return
    if rules["numbers_each_round"]:
        _pay_numbers(rules, game)
    _fill_supply(game, tape)
    game["round"] += 1
    game["wild"] = WILD_BY_ROUND[int64(game["round"]) - 1]
    game["phase"] = ACQUIRE
    game["passed"] = 0
    game["starter"] = game["marker"]
    game["player"] = game["marker"]
    game["marker"] = -1
    _fill_displays(game, tape)
    if uint64(game["offers"]) == uint64(0):  # nothing to draft at all (A7)
        _begin_phase_two(game)


@helper
def _pay_numbers(rules: Any, game: Any) -> None:
    """The bonus for all spaces of a number, once per player and number (F2, E2)."""
    for seat in range(int64(game["players"])):
        board = uint64(game["board"][seat])
        paid = uint64(game["numbers_paid"][seat])
        for k in range(4):
            mask = uint64(rules["number_mask"][k])
            if board & mask == mask and not (paid >> uint64(k)) & uint64(1):
                _gain(game, seat, NUMBERS, NUMBER_BONUS[k])
                paid |= uint64(1) << uint64(k)
        game["numbers_paid"][seat] = paid


@helper
def _end_game(rules: Any, game: Any) -> None:
    """Complete stars (F1), numbers (F2), then the tiles still kept (F3)."""
    _pay_numbers(rules, game)
    for seat in range(int64(game["players"])):
        board = uint64(game["board"][seat])
        for star in range(7):
            if board & STAR_MASK[star] == STAR_MASK[star]:
                _gain(game, seat, STARS, STAR_BONUS[star])
        left = int64(0)
        for colour in range(6):
            left += int64(game["kept"][seat, colour])
        _lose(game, seat, left)
    game["phase"] = OVER
    game["player"] = -1


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, TAPE))
def apply(params: Any, states: Any, index: int, action: int, tape: Any) -> None:
    """Carries out a legal action and all that follows from it up to the next decision."""
    game = states[index]
    rules = params[0]
    if action < PLAY_OUTER:
        _draft(rules, game, action // 6, action % 6)
        if uint64(game["offers"]) == uint64(0):
            _begin_phase_two(game)
        else:
            game["player"] = _next_seat(game, int64(game["player"]))
    elif action < PICK:
        _place(rules, game, action)
        if int64(game["picks"]) == 0:
            _end_turn(rules, game, tape)
    elif action < GIVE_UP:
        _pick(game, action - PICK)
        if int64(game["picks"]) == 0:
            _end_turn(rules, game, tape)
    elif action < PASS:
        _give_up(game, action - GIVE_UP)
    else:
        _pass(game)
        _end_turn(rules, game, tape)
