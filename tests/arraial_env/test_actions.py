"""The numbering of actions against the table of section F, and the words for them."""

from __future__ import annotations

import itertools

import pytest

from arraial_env import ArraialRules, arraial_v0
from arraial_env.actions import (
    Action,
    Discard,
    EndTurn,
    Place,
    Refill,
    Rotate,
    decode,
    describe,
    encode,
    num_actions,
)

BOARDS = [(8, 14), (4, 4), (16, 8), (5, 25), (4, 32), (7, 1)]
"""Width and height."""
SLOTS = ["yellow O", "blue J", ""]
ROW = ["red T", "", ""]


def table(width: int, height: int) -> dict[int, Action]:
    """All ids by the formulas of section F."""
    squares = width * height
    ids: dict[int, Action] = {
        slot * squares + y * width + x: Place(slot, x, y)
        for slot, x, y in itertools.product(range(3), range(width), range(height))
    }
    ids[3 * squares] = Rotate()
    ids[3 * squares + 1] = EndTurn()
    for k in range(3):
        ids[3 * squares + 2 + k] = Refill(k)
        ids[3 * squares + 5 + k] = Discard(k)
    return ids


@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_every_id_has_one_meaning(width: int, height: int) -> None:
    count = 3 * width * height + 8
    assert sorted(table(width, height)) == list(range(count))
    assert num_actions(width * height) == count
    rules = ArraialRules(width=width, height=height, bar_start=(1, 1, 1, 1))
    assert arraial_v0.new_game(rules=rules).num_actions == count


def test_default_board() -> None:
    assert arraial_v0.new_game().num_actions == 344


@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_decode(width: int, height: int) -> None:
    for action, meaning in table(width, height).items():
        assert decode(action, width, height) == meaning
        assert type(decode(action, width, height)) is type(meaning)


@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_encode(width: int, height: int) -> None:
    for action, meaning in table(width, height).items():
        assert encode(meaning, width, height) == action


@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_words_are_unambiguous(width: int, height: int) -> None:
    """Even where all cards are alike."""
    ids = table(width, height)
    cards = ["red T"] * 3
    assert len({describe(decode(action, width, height), cards, cards) for action in ids}) == len(ids)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (0, "place the yellow O from slot 0, column 0, row 0"),
        (112 + 8 * 3 + 5, "place the blue J from slot 1, column 5, row 3"),
        (335, "place the missing piece from slot 2, column 7, row 13"),
        (336, "rotate the octagon"),
        (337, "end the turn"),
        (338, "refill with the red T, card 0 of the row"),
        (340, "refill with the missing card, card 2 of the row"),
        (341, "discard the yellow O from slot 0"),
        (343, "discard the missing piece from slot 2"),
    ],
)
def test_words(action: int, words: str) -> None:
    assert describe(decode(action, 8, 14), SLOTS, ROW) == words


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (0, "yellow O"),
        (1, "yellow I"),
        (2, "blue L"),
        (3, "blue J"),
        (4, "green S"),
        (5, "green Z"),
        (6, "red T"),
        (7, "red L"),
    ],
)
def test_names_of_the_default_pieces(kind: int, name: str) -> None:
    """A2."""
    match = arraial_v0.new_game(chance=[kind])
    assert match.describe(0) == f"place the {name} from slot 0, column 0, row 0"


def test_names_of_other_pieces() -> None:
    """By their shape in any orientation; those without a letter by the number of their type."""
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    shapes = [
        [(0, 0)],
        [(0, 0), (0, 1)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 1), (1, 1), (1, 0)],
        ring,
        [(0, 0), (0, 1), (1, 1), (1, 2)],  # the Z, upright
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(0, 1), (1, 1), (2, 1), (1, 0)],
    ]
    rules = ArraialRules(shapes=shapes)  # type: ignore[arg-type]  # lists become tuples
    names = ["square", "domino", "tromino I", "tromino L", "piece 4", "Z", "I", "T"]
    colours = ["yellow"] * 2 + ["blue"] * 2 + ["green"] * 2 + ["red"] * 2
    for kind in range(8):
        match = arraial_v0.new_game(rules=rules, chance=[kind])
        assert match.describe(341) == f"discard the {colours[kind]} {names[kind]} from slot 0"


def test_legal_actions_have_all_their_cards() -> None:
    """Nothing that can be done speaks of a missing card."""
    match = arraial_v0.new_game(3)
    while not match.is_over:
        assert not [action for action in match.legal_actions() if "missing" in match.describe(action)]
        match.apply(match.choose("random"))


@pytest.mark.parametrize(
    ("action", "heading", "words"),
    [
        (112 + 8 * 2 + 3, "place from slot 1: blue L", "column 3, row 2"),
        (336, "without a piece", "rotate the octagon"),
        (337, "without a piece", "end the turn"),
        (340, "refill from the row", "card 2: red L"),
        (341, "discard unplaced", "slot 0: yellow O"),
    ],
)
def test_listing(action: int, heading: str, words: str) -> None:
    match = arraial_v0.new_game(chance=[0, 2, 4, 6, 6, 7])
    listing = match.game.listing
    assert listing is not None
    assert listing(match.rules, match.state, action) == (heading, words)
