"""Positions of Azul for tests, spelt with the letters of the colours: player 0 of two is to act."""

from __future__ import annotations

import numpy as np

from azul_env import azul_v0
from azul_env.geometry import CENTRE, WILD_BY_ROUND
from azul_env.state import PLAY
from manjerico.core.match import Match

LETTERS = "ORBYGP"
O, R, B, Y, G, P = range(6)  # noqa: E741  # as the rules abbreviate the colours
FULL = 2**42 - 1


def tiles(letters: str) -> list[int]:
    return [letters.count(letter) for letter in LETTERS]


def spaces(*covered: tuple[int, int]) -> int:
    """A board with these spaces covered, each as (star, number)."""
    return sum(1 << (6 * star + number - 1) for star, number in covered)


def position(hand: str, kept: str, board: int, score: int, number: int = 1) -> Match:
    """Player 0 is to act in the round of that number, and no tile is in a display or the supply."""
    match = azul_v0.new_game(seed=0)
    state = match.state
    state["round"], state["wild"] = number, WILD_BY_ROUND[number - 1]
    state["hand"][0], state["kept"][0] = tiles(hand), tiles(kept)
    state["board"][0], state["score"][0] = board, score
    if board == FULL:
        state["centre"][0], state["centre_used"][0] = range(6), 0b111111
    state["displays"][:], state["supply"], state["offers"] = 0, 0, 0
    return match


def possible(match: Match) -> Match:
    """The position with all tiles that lie nowhere else in the bag."""
    state = match.state
    placed = [int(state["board"][0]) >> 6 * colour & 0b111111 for colour in range(6)]
    rest = np.array([22 - space.bit_count() for space in placed]) - state["displays"].sum(axis=0, dtype=int)
    rest -= state["hand"][0] + state["kept"][0] + state["supply"] + (state["centre_used"][0] >> np.arange(6) & 1)
    state["bag"], state["bag_size"], state["supply_size"] = rest, rest.sum(), state["supply"].sum()
    match.set_state(match.get_state())
    return match


def phase_1(
    *displays: str,
    centre: str = "",
    hand: str = "",
    kept: str = "",
    board: int = 0,
    score: int = 5,
    number: int = 1,
) -> Match:
    """What is on offer, in round 1 unless another ``number`` is given: purple is wild."""
    match = position(hand, kept, board, score, number)
    state = match.state
    for source, letters in [*enumerate(displays), (CENTRE, centre)]:
        state["displays"][source] = tiles(letters)
    state["offers"] = sum(1 << (6 * s + c) for s in range(10) for c in range(6) if state["displays"][s, c])
    return possible(match)


def phase_2(
    hand: str,
    board: int = 0,
    score: int = 5,
    picks: int = 0,
    supply: str = "OORRBBYYGP",
    number: int = 1,
    centre: str = "",
) -> Match:
    """Nothing is left to draft. ``centre`` spells the colours on the centre star's first spaces."""
    match = position(hand, "", board, score, number)
    state = match.state
    for space, letter in enumerate(centre):
        state["board"][0] |= np.uint64(1 << 36 + space)
        state["centre"][0, space] = LETTERS.index(letter)
        state["centre_used"][0] |= 1 << LETTERS.index(letter)
    state["phase"], state["marker"], state["picks"], state["supply"] = PLAY, 0, picks, tiles(supply)
    return possible(match)
