"""The numbering of actions against the table of section G, and the words for them."""

from __future__ import annotations

import itertools

import pytest

from azul_env.actions import (
    GIVE_UP,
    NUM_ACTIONS,
    PASS,
    PICK,
    PLAY_CENTRE,
    PLAY_OUTER,
    Action,
    Draft,
    GiveUp,
    Pass,
    Pick,
    Play,
    decode,
    describe,
    encode,
    listing,
)

PAIRS = [(n, k) for n in range(1, 7) for k in range(n)]
"""A space n and the wilds k that may pay for it."""


def table() -> dict[int, Action]:
    """All ids by the formulas of section G."""
    ids: dict[int, Action] = {6 * source + colour: Draft(source, colour) for source in range(10) for colour in range(6)}
    for star, (n, k) in itertools.product(range(6), PAIRS):
        ids[60 + 21 * star + n * (n - 1) // 2 + k] = Play(star, n, star, k)
    for colour, (n, k) in itertools.product(range(6), PAIRS):
        ids[186 + 6 * n * (n - 1) // 2 + n * colour + k] = Play(6, n, colour, k)
    for colour in range(6):
        ids[312 + colour] = Pick(colour)
        ids[318 + colour] = GiveUp(colour)
    ids[324] = Pass()
    return ids


def test_every_id_has_one_meaning() -> None:
    assert sorted(table()) == list(range(325))
    assert NUM_ACTIONS == 325
    assert (PLAY_OUTER, PLAY_CENTRE, PICK, GIVE_UP, PASS) == (60, 186, 312, 318, 324)


def test_decode() -> None:
    for action, meaning in table().items():
        assert decode(action) == meaning
        assert type(decode(action)) is type(meaning)


def test_encode() -> None:
    for action, meaning in table().items():
        assert encode(meaning) == action


def test_words_are_unambiguous() -> None:
    assert len({describe(action) for action in range(325)}) == 325


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (0, "take orange from display 1"),
        (13, "take red from display 3"),
        (59, "take purple from the centre"),
        (60, "place on space 1 of the orange star for 1 orange"),
        (60 + 21 * 2 + 15 + 2, "place on space 6 of the blue star for 4 blue and 2 wild"),
        (186, "place an orange tile on space 1 of the centre star for 1 orange"),
        (186 + 6 * 3 + 3 * 4 + 1, "place a green tile on space 3 of the centre star for 2 green and 1 wild"),
        (312, "pick orange from the supply"),
        (323, "give up a purple tile"),
        (318, "give up an orange tile"),
        (324, "pass"),
    ],
)
def test_words(action: int, words: str) -> None:
    assert describe(action) == words


@pytest.mark.parametrize(
    ("action", "heading", "words"),
    [
        (13, "display 3", "2 red and 1 green"),
        (16, "display 3", "1 green"),
        (54, "centre", "3 orange"),
        (60 + 21 * 2 + 15 + 2, "blue star", "space 6 for 4 blue and 2 wild"),
        (186 + 6 * 3 + 3 * 4, "centre star", "space 3 for 3 green"),
        (312, "pick from the supply", "orange"),
        (318, "give up", "an orange tile"),
        (324, "pass", "end your part in this round"),
    ],
)
def test_listing(action: int, heading: str, words: str) -> None:
    """A draft tells what it takes, the one wild tile included (B2, B3)."""
    displays = [[0] * 6 for _ in range(10)]
    displays[2][1], displays[2][4], displays[9][0] = 2, 2, 3
    assert listing(action, displays, wild=4) == (heading, words)
