"""The rules, number by number, as worked examples: the position drawn, the move, the result.

A street is drawn row by row, the top row first; rows above the drawing are empty. A square is the letter of its
colour, ``y b g r``: in lower case where a piece lies alone, in upper case where it belongs to a zone. A card is its
colour and the name of its piece, ``"yO bL rT"``, and ``-`` is an empty slot. Shapes are drawn too: ``["..#", "###"]``.

Every position holds all cards: what isn't spelt lies in the pile, or in the discards where the pile is spelt. After
every move of an example the invariants of :func:`check` are tested. What each number says: ``docs/rules-arraial.md``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from fairness import chi_square
from hypothesis import given, settings
from hypothesis import strategies as st

from arraial_env import ArraialRules, arraial_v0
from arraial_env.actions import Action, Discard, EndTurn, Place, Refill, Rotate, decode, describe, encode
from arraial_env.geometry import COLOURS, DEFAULT_SHAPES, Cell, lanes, squares_of, turns_of
from arraial_env.state import NONE
from manjerico.core import results
from manjerico.core.errors import InputError
from manjerico.core.match import IllegalActionError, Match

DEFAULT = ArraialRules.rulebook()

LETTERS = "ybgr"
CARDS = ("yO", "yI", "bL", "bJ", "gS", "gZ", "rT", "rL")
"""By type; with other shapes the names only number the types."""

PER_TYPE = {1: 1, 2: 2, 3: 3, 4: 3}
"""A3, copied from the rules: cards of each type."""

SIDES = {1: [0], 2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}
"""A6, copied from the rules."""

NO_BAR = -1

every_table = pytest.mark.parametrize("players", [1, 2, 3, 4])


# --- Drawing positions -----------------------------------------------------------------------------------------------


class Seat(NamedTuple):
    """What one player has."""

    street: str = ""
    bar: int | None = None
    """The level bar's height: by default that of the start; ``NO_BAR`` for none."""
    waiting: int = 0
    """White visitors on the level bar."""
    white: int = 0
    """White visitors in the street."""
    visitors: str | None = None
    """Letters of the visitors in zones; by default one for each zone."""
    couples: str = ""
    """Letters of the couples."""


def cells(drawing: Sequence[str]) -> tuple[Cell, ...]:
    """A drawn shape, its top row first, as cells (x, y)."""
    return tuple((x, y) for y, row in enumerate(reversed(drawing)) for x, square in enumerate(row) if square == "#")


def with_pieces(rules: ArraialRules = DEFAULT, **drawings: Sequence[str]) -> ArraialRules:
    """The rules with other shapes for the cards that are named."""
    shapes = [cells(drawings[card]) if card in drawings else rules.shapes[k] for k, card in enumerate(CARDS)]
    return replace(rules, shapes=tuple(shapes))


def sized(width: int, height: int, **fields: Any) -> ArraialRules:
    """Rules for another board, the level bars at its top if nothing else is said."""
    return ArraialRules(**{"width": width, "height": height, "bar_start": (height,) * 4, **fields})


def squares(rules: ArraialRules, street: str) -> dict[Cell, str]:
    """The letters of a drawn street by (column, row)."""
    drawing = street.split()
    assert len(drawing) <= rules.height
    assert all(len(row) == rules.width and set(row) <= set(LETTERS + LETTERS.upper() + ".") for row in drawing)
    rows = enumerate(reversed(drawing))
    return {(x, y): letter for y, row in rows for x, letter in enumerate(row) if letter != "."}


def parts(area: Iterable[Cell]) -> list[set[Cell]]:
    """Squares as sets of those that are connected edge to edge."""
    rest, found = set(area), []
    while rest:
        part: set[Cell] = set()
        edge = {rest.pop()}
        while edge:
            part |= edge
            edge = {(x + dx, y + dy) for x, y in edge for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} & rest
            rest -= edge
        found.append(part)
    return found


def spelt(cards: str) -> list[int]:
    """Spelt cards as types."""
    return [NONE if card == "-" else CARDS.index(card) for card in cards.split()]


def count(cards: str) -> list[int]:
    """Spelt cards as numbers by type."""
    return [spelt(cards).count(kind) for kind in range(len(CARDS))]


def spell(kinds: Iterable[int]) -> str:
    return " ".join("-" if kind == NONE else CARDS[kind] for kind in kinds)


def spell_counts(numbers: Iterable[int]) -> str:
    """Numbers by type as spelt cards."""
    return spell(kind for kind, number in enumerate(numbers) for _ in range(int(number)))


def position(
    *seats: Seat,
    rules: ArraialRules = DEFAULT,
    solo: bool = False,
    slots: str = "yO yI bL",
    row: str | None = None,
    pile: str | None = None,
    phase: int = 1,
    rotation: int = 0,
    player: int = 0,
    points: int = 3,
    owed: int | None = None,
    seed: int = 0,
) -> Match:
    """A game in the middle of a turn: at its beginning, if nothing else is said.

    Two seats at least, unless it is a solo game; the others have empty streets. Slots that aren't spelt are empty. If
    the row isn't spelt, three cards of the highest types that are left lie there.
    """
    seats += (Seat(),) * (1 if solo and not seats else 0 if solo else 2 - len(seats))
    match = arraial_v0.new_game(seed, len(seats), rules)
    state = match.state.copy()
    for name in ("squares", "occupied", "zoned", "largest", "visitors", "sources", "score"):
        state[name] = 0
    state["couples"] = NONE
    for seat, has in enumerate(seats):
        set_seat(state, rules, seat, has)
    left = np.full(8, rules.cards_per_type[len(seats) - 1])
    state["slots"] = (spelt(slots) + [NONE] * 3)[:3]
    left -= count(slots)
    if row is None:
        row = " ".join(reversed(spell_counts(left).split()[-3:]))
    state["row"] = (spelt(row) + [NONE] * 3)[:3]
    left -= count(row)
    assert (left >= 0).all()
    state["pile"] = left if pile is None else count(pile)
    state["pile_size"] = state["pile"].sum()
    state["discards"] = left - state["pile"]
    filled = int((state["slots"] != NONE).sum())
    state["phase"], state["rotation"], state["player"], state["points"] = phase, rotation, player, points
    state["owed"] = min(rules.min_pieces[phase - 1], points, filled) if owed is None else owed
    state["refilling"] = 0
    match.set_state(state.tobytes())
    check(match)
    return match


def set_seat(state: Any, rules: ArraialRules, seat: int, has: Seat) -> None:
    """Writes what a player has to a state."""
    area = squares(rules, has.street)
    visitors = ""
    for colour, letter in enumerate(LETTERS):
        same = {square for square, there in area.items() if there.lower() == letter}
        zones = [part for part in parts(same) if any(area[square] != letter for square in part)]
        assert all(area[square] != letter for zone in zones for square in zone)
        state["squares"][seat, colour] = board(rules, same)
        state["zoned"][seat] |= board(rules, set().union(*zones))
        state["largest"][seat, colour] = max(map(len, zones), default=0)
        visitors += letter * len(zones)
    state["occupied"][seat] = board(rules, area)
    visitors = visitors if has.visitors is None else has.visitors
    state["visitors"][seat] = [visitors.count(letter) for letter in LETTERS]
    for letter in has.couples:
        assert state["couples"][LETTERS.index(letter)] == NONE
        state["couples"][LETTERS.index(letter)] = seat
    state["waiting"][seat], state["street"][seat] = has.waiting, has.white
    state["sources"][seat] = len(visitors), has.white, rules.couple_points * len(has.couples)
    state["score"][seat] = state["sources"][seat].sum()
    if has.bar is not None:
        state["bar"][seat] = has.bar


def board(rules: ArraialRules, area: Iterable[Cell]) -> Any:
    """Squares as two lanes."""
    return lanes(y * rules.width + x for x, y in area)


def rules_of(match: Match) -> ArraialRules:
    assert isinstance(match.rules, ArraialRules)
    return match.rules


def check(match: Match) -> None:
    """What holds in every state, whatever was played."""
    state, rules = match.state, rules_of(match)
    assert match.game.fault(rules, match.players, state) == ""
    for kind in range(8):
        lying = [*state["slots"].tolist(), *state["row"].tolist()].count(kind)
        assert lying + state["pile"][kind] + state["discards"][kind] == rules.cards_per_type[match.players - 1]
    for seat in range(match.players):
        check_seat(match, seat)
    for colour in range(4):
        owner, largest = int(state["couples"][colour]), state["largest"][:, colour].max()
        assert (owner == NONE) == (largest == 0)
        assert owner == NONE or state["largest"][owner, colour] == largest
    assert (match.current_player is None) == (match.legal_actions() == [])


def check_seat(match: Match, seat: int) -> None:
    state, rules = match.state, rules_of(match)
    by_colour = [area_of(rules, state["squares"][seat, colour]) for colour in range(4)]
    area, zoned = area_of(rules, state["occupied"][seat]), area_of(rules, state["zoned"][seat])
    assert sum(map(len, by_colour)) == len(area) == len(set().union(*by_colour))
    zones = 0
    for colour, same in enumerate(by_colour):
        sizes = [len(part) for part in parts(same & zoned)]
        assert all(part <= zoned or not part & zoned for part in parts(same))
        assert state["largest"][seat, colour] == max(sizes, default=0)
        assert state["visitors"][seat, colour] >= len(sizes)
        assert (state["visitors"][seat, colour] > 0) == bool(sizes)
        zones += len(sizes)
    bar = int(state["bar"][seat])
    assert bar == NO_BAR or all(y < bar for _, y in area)
    assert bar != NO_BAR or state["waiting"][seat] == 0
    points = match.breakdown(seat)
    counted = int(state["waiting"][seat]) if match.is_over and rules.bar_visitors_score_at_end else 0
    assert points["coloured"] == state["visitors"][seat].sum() >= zones
    assert points["white"] == state["street"][seat] + counted
    assert points["couples"] == rules.couple_points * (state["couples"] == seat).sum()
    assert match.scores[seat] == sum(points.values())


def area_of(rules: ArraialRules, lanes_: Any) -> set[Cell]:
    return {(square % rules.width, square // rules.width) for square in squares_of(lanes_)}


def do(match: Match, *moves: Action) -> None:
    """Makes the moves, one after the other; each must be legal."""
    rules = rules_of(match)
    for move in moves:
        match.apply(encode(move, rules.width, rules.height))
        check(match)


def draws(match: Match, cards: str) -> None:
    """The cards that will be drawn from the pile next, in this order."""
    match.give_chance(spelt(cards))


# --- Reading positions -----------------------------------------------------------------------------------------------


def looks(match: Match, street: str, seat: int = 0) -> bool:
    """Whether a street looks as it is drawn."""
    state, rules = match.state, rules_of(match)
    zoned = area_of(rules, state["zoned"][seat])
    found = {}
    for colour, letter in enumerate(LETTERS):
        for square in area_of(rules, state["squares"][seat, colour]):
            found[square] = letter.upper() if square in zoned else letter
    return found == squares(rules, street)


def legal(match: Match) -> list[Action]:
    rules = rules_of(match)
    return [decode(action, rules.width, rules.height) for action in match.legal_actions()]


def places(match: Match, slot: int = 0) -> list[Cell]:
    """Where the piece of a slot may come to rest: column and row of its left bottom corner, the lowest rows first."""
    return [(move.x, move.y) for move in legal(match) if isinstance(move, Place) and move.slot == slot]


def others(match: Match) -> str:
    """The legal actions that are no placements, in words: ``"rotate, end turn, refill 0, discard 2"``."""
    words = {Rotate: "rotate", EndTurn: "end turn", Refill: "refill", Discard: "discard"}
    there = [move for move in legal(match) if not isinstance(move, Place)]
    return ", ".join(" ".join([words[type(move)], *map(str, move)]) for move in there)


def slots(match: Match) -> str:
    return spell(match.state["slots"].tolist())


def row(match: Match) -> str:
    return spell(kind for kind in match.state["row"].tolist() if kind != NONE)


def pile(match: Match) -> str:
    return spell_counts(match.state["pile"])


def discards(match: Match) -> str:
    return spell_counts(match.state["discards"])


def bar(match: Match, seat: int = 0) -> tuple[int, int]:
    """Height of the level bar and white visitors on it."""
    return int(match.state["bar"][seat]), int(match.state["waiting"][seat])


def visitors(match: Match, seat: int = 0) -> str:
    """The visitors in zones."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, match.state["visitors"][seat], strict=True))


def couples(match: Match, seat: int = 0) -> str:
    return "".join(letter for letter, owner in zip(LETTERS, match.state["couples"], strict=True) if owner == seat)


def turn(match: Match) -> tuple[int | None, int, int]:
    """Who is to act, action points left, pieces still owed."""
    return match.current_player, int(match.state["points"]), int(match.state["owed"])


def fields(match: Match) -> dict[str, Any]:
    """The state field by field, so that a difference can be read."""
    return {name: match.state[name].tolist() for name in match.game.state.names or ()}


# --- A. Material and set-up ------------------------------------------------------------------------------------------


@every_table
def test_material(players: int) -> None:
    """A1: a street of 8 columns and 14 rows and a level bar for each player."""
    match = arraial_v0.new_game(seed=1, num_players=players)
    assert (DEFAULT.width, DEFAULT.height) == (8, 14)
    assert len(match.scores) == players
    for seat in range(players):
        assert looks(match, "", seat)
        assert bar(match, seat)[0] > 0


@pytest.mark.parametrize("players", [0, 5])
def test_number_of_players(players: int) -> None:
    """A1: 1 to 4 players and no others; 2 if nothing is said in the environment."""
    with pytest.raises(InputError, match="num_players must be one of 1, 2, 3, 4"):
        arraial_v0.new_game(num_players=players)


def test_rows_count_from_the_bottom_columns_from_the_left() -> None:
    """A1: row 0 is the bottom, column 0 the left as the owner sees it."""
    match = position()
    do(match, Place(2, 0, 0))
    assert looks(match, "..b..... bbb.....")
    match = position(Seat(), Seat(), player=1, rotation=2)  # opposite seats see their own streets alike
    do(match, Place(2, 5, 0))
    assert looks(match, ".......b .....bbb", seat=1)


ODD_BOARDS = [(4, 4), (16, 8), (8, 16), (5, 25), (4, 32)]


@pytest.mark.parametrize(("width", "height"), [*ODD_BOARDS, (8, 14), (7, 18), (16, 1), (4, 1), (11, 11)])
def test_boards_of_other_sizes(width: int, height: int) -> None:
    """A1, section I: in every column a square falls to the bottom, and onto a tower up to the top row."""
    rules = with_pieces(sized(width, height), yO=["#"])
    assert places(position(rules=rules)) == [(x, 0) for x in range(width)]
    for x in {0, 1, width // 2, width - 1}:
        tower = " ".join(["." * x + "r" + "." * (width - x - 1)] * (height - 1))
        match = position(Seat(tower), rules=rules)
        if height > 1:
            assert places(match) == [*[(k, 0) for k in range(width) if k != x], (x, height - 1)]
        do(match, Place(0, x, height - 1))
        assert squares_of(match.state["squares"][0, 0]) == [(height - 1) * width + x]
        match = position(Seat(tower + " " + "." * x + "r" + "." * (width - x - 1)), rules=rules)
        assert places(match) == [(k, 0) for k in range(width) if k != x]


@pytest.mark.parametrize("size", [(3, 8), (17, 4), (8, 17), (16, 9), (5, 26), (4, 33), (8, 0)])
def test_boards_that_are_refused(size: tuple[int, int]) -> None:
    """A1: 4 to 16 columns, at most 128 squares."""
    with pytest.raises(InputError, match=r"width|height"):
        ArraialRules(width=size[0], height=size[1], bar_start=(0, 0, 0, 0))


TABLE = {
    "yO": ["##", "##"],
    "yI": ["####"],
    "bL": ["..#", "###"],
    "bJ": ["#..", "###"],
    "gS": [".##", "##."],
    "gZ": ["##.", ".##"],
    "rT": [".#.", "###"],
    "rL": ["..#", "###"],
}
"""A2, drawn from the table of the rules."""


@pytest.mark.parametrize("card", CARDS)
def test_eight_types(card: str) -> None:
    """A2: two types of each of the colours yellow, blue, green, red; each lies as the table draws it."""
    assert COLOURS == ("yellow", "blue", "green", "red")
    match = position(slots=card)
    assert set(DEFAULT.shapes[CARDS.index(card)]) == set(cells(TABLE[card]))
    do(match, Place(0, 0, 0))
    rows = [drawn.replace("#", card[0]).ljust(8, ".") for drawn in TABLE[card]]
    assert looks(match, " ".join(rows))


@pytest.mark.parametrize(
    ("rotation", "drawing"),
    [(0, ["..#", "###"]), (1, ["#.", "#.", "##"]), (2, ["###", "#.."]), (3, ["##", ".#", ".#"])],
)
def test_quarter_turns(rotation: int, drawing: list[str]) -> None:
    """A2: clockwise, back into the corner; turned, but never flipped."""
    assert set(turns_of(DEFAULT_SHAPES[2])[rotation]) == set(cells(drawing))
    assert all(set(cells(drawing)) != set(flipped) for flipped in turns_of(DEFAULT_SHAPES[3]))
    match = position(slots="bL", rotation=rotation)
    assert len(places(match)) == 8 - len(drawing[0]) + 1
    do(match, Place(0, 0, 0))
    assert looks(match, " ".join(line.replace("#", "b").ljust(8, ".") for line in drawing))


PENTOMINOES = {
    "F": [".##", "##.", ".#."],
    "I": ["#####"],
    "P": ["##", "##", "#."],
    "U": ["#.#", "###"],
    "V": ["#..", "#..", "###"],
    "W": ["#..", "##.", ".##"],
    "X": [".#.", "###", ".#."],
    "Y": ["..#.", "####"],
}


@pytest.mark.parametrize("rotation", range(4))
@pytest.mark.parametrize("name", PENTOMINOES)
def test_pentominoes(name: str, rotation: int) -> None:
    """A2: other polyominoes lie on the bottom row in all columns that their width allows, drawn turned."""
    drawing = [list(line) for line in PENTOMINOES[name]]
    for _ in range(rotation):
        drawing = [list(line) for line in zip(*reversed(drawing), strict=True)]  # a quarter turn clockwise
    match = position(slots="gS", rotation=rotation, rules=with_pieces(gS=PENTOMINOES[name]))
    assert places(match) == [(x, 0) for x in range(8 - len(drawing[0]) + 1)]
    do(match, Place(0, 1, 0))
    rows = ["".join(line).replace("#", "g").rjust(len(line) + 1, ".").ljust(8, ".") for line in drawing]
    assert looks(match, " ".join(rows).replace("#", "."))


def test_the_largest_piece() -> None:
    """A2: up to five by five squares, all 25 of them or a ring of them."""
    rules = with_pieces(sized(5, 25), rT=["#####"] * 5, rL=["#####", "#...#", "#...#", "#...#", "#####"])
    match = position(slots="rT rL", rules=rules)
    assert (places(match, 0), places(match, 1)) == ([(0, 0)], [(0, 0)])
    do(match, Place(0, 0, 0), Place(1, 0, 5))
    assert looks(match, "RRRRR R...R R...R R...R RRRRR" + " RRRRR" * 5)
    assert bar(match) == (25, 7)  # five lines and two


@pytest.mark.parametrize(
    "shape",
    [
        [],
        [(0, 0), (1, 1)],
        [(0, 0), (0, 0)],
        [(1, 0), (1, 1)],
        [(0, 1), (1, 1)],
        [(x, 0) for x in range(6)],
        [(0, 0), (0, -1)],
    ],
)
def test_shapes_that_are_refused(shape: list[Cell]) -> None:
    """A2, rules fields: connected cells that touch x = 0 and y = 0, five by five at most, none twice."""
    with pytest.raises(InputError, match="shapes"):
        ArraialRules(shapes=(*DEFAULT_SHAPES[:7], tuple(shape)))


@every_table
def test_cards(players: int) -> None:
    """A3: each type three times, twice with two players, once alone."""
    state = arraial_v0.new_game(seed=2, num_players=players).state
    lying = [*state["slots"].tolist(), *state["row"].tolist()]
    assert [lying.count(kind) + int(state["pile"][kind]) for kind in range(8)] == [PER_TYPE[players]] * 8
    assert len(lying) + state["pile_size"] == {1: 8, 2: 16, 3: 24, 4: 24}[players]
    assert not state["discards"].any()


def test_the_two_kinds_of_l_are_different_cards() -> None:
    """A3: types 2 and 7 have the same cells, one is blue and one red."""
    match = position(slots="bL rL")
    assert DEFAULT.shapes[2] == DEFAULT.shapes[7]
    do(match, Place(0, 0, 0), Place(1, 3, 0))
    assert looks(match, "..b..r.. bbbrrr..")
    assert discards(match) == "bL rL"


@pytest.mark.parametrize(("players", "height"), [(1, 8), (2, 8), (3, 8), (4, 7)])
def test_level_bars(players: int, height: int) -> None:
    """A4: rows 0 to 7 are below the bar, with four players 0 to 6; another height is a parameter."""
    match = arraial_v0.new_game(seed=3, num_players=players)
    assert [bar(match, seat) for seat in range(players)] == [(height, 0)] * players
    seats = [Seat(" ".join(["rr......"] * (height - 2)))] + [Seat()] * (players - 1)
    assert (0, height - 2) in places(position(*seats, solo=players == 1))
    seats[0] = Seat(" ".join(["rr......"] * (height - 1)))
    assert (0, height - 1) not in places(position(*seats, solo=players == 1))
    rules = ArraialRules(bar_start=(1, 2, 0, 14))
    assert bar(arraial_v0.new_game(seed=3, num_players=players, rules=rules)) == (rules.bar_start[players - 1], 0)


def test_set_up() -> None:
    """A5: the first three cards go into slots 0 to 2, the next three into the row; the rest is the pile."""
    match = arraial_v0.new_game(seed=4, chance=spelt("rT yO yO gZ bL bJ"))
    assert (slots(match), row(match)) == ("rT yO yO", "gZ bL bJ")
    assert pile(match) == "yI yI bL bJ gS gS gZ rT rL rL"
    assert (match.state["phase"], match.state["rotation"]) == (1, 0)
    assert turn(match) == (0, 3, 1)
    assert len(match.chance) == 6


def test_pools_never_limit_anybody() -> None:
    """A5: there are nine pieces of a type in the box and 14 white visitors for each player; more may be earned."""
    match = position(Seat("YYYYYYrr YYYYYYrr YYYYYYYY YYYYYYYY YYYYYYYY YYYYYYYY", couples="y"))
    do(match, Place(0, 0, 6))  # a twelfth O
    match = position(Seat("rrrr....", waiting=60))
    do(match, Place(1, 4, 0))
    assert bar(match) == (9, 61)


SEEN = [["..#", "###"], ["#.", "#.", "##"], ["###", "#.."], ["##", ".#", ".#"]]
"""The blue L after 0 to 3 quarter turns clockwise."""


@pytest.mark.parametrize("rotation", range(4))
@pytest.mark.parametrize(("players", "seat"), [(n, seat) for n in SIDES for seat in range(n)])
def test_what_a_seat_sees(players: int, seat: int, rotation: int) -> None:
    """A6: on side s with rotation r a piece is turned by (r - s) mod 4 quarter turns."""
    match = position(*[Seat()] * players, solo=players == 1, slots="bL", rotation=rotation, player=seat)
    drawing = SEEN[(rotation - SIDES[players][seat]) % 4]
    assert places(match) == [(x, 0) for x in range(8 - len(drawing[0]) + 1)]
    do(match, Place(0, 2, 0))
    assert looks(match, " ".join(f"..{line.replace('#', 'b')}".ljust(8, ".") for line in drawing), seat)


def test_a_new_card_turns_with_the_octagon() -> None:
    """A6: it enters in its table orientation relative to the octagon, whatever the rotation is then."""
    match = position(slots="yO yI gS", row="bL rT gZ")
    do(match, Rotate(), Rotate(), Place(0, 0, 0), Refill(0))
    assert (slots(match), match.state["rotation"]) == ("bL yI gS", 2)
    assert match.current_player == 1  # on side 2: (2 - 2) mod 4 = 0 quarter turns
    do(match, Place(0, 0, 0))
    assert looks(match, "..b..... bbb.....", seat=1)


@pytest.mark.parametrize(("players", "start"), [(1, 0), (2, 1), (3, 2), (4, 1)])
def test_starting_player(players: int, start: int) -> None:
    """A7: the start is a parameter; turns go by seat, ascending."""
    match = arraial_v0.new_game(seed=5, num_players=players, start=start)
    for k in range(2 * players):
        if k == 5:
            break  # the phase may end
        assert match.current_player == (start + k) % players
        do(match, legal(match)[0], EndTurn(), Refill(0))


def test_seat_0_starts_by_default() -> None:
    """A7: and a seat that isn't there can't start."""
    assert arraial_v0.new_game(seed=6, num_players=3).current_player == 0
    with pytest.raises(InputError, match="start"):
        arraial_v0.new_game(seed=6, num_players=3, start=3)


# --- B. A turn -------------------------------------------------------------------------------------------------------


def test_three_action_points() -> None:
    """B1: a rotation and a placement cost one each, in any order."""
    match = position()
    assert turn(match) == (0, 3, 1)
    do(match, Rotate())
    assert turn(match) == (0, 2, 1)
    do(match, Place(0, 0, 0))
    assert turn(match) == (0, 1, 0)
    do(match, Rotate())
    assert (match.current_player, match.state["refilling"], match.state["rotation"]) == (0, 1, 2)
    match = position()
    do(match, Place(0, 0, 0), Rotate(), Place(1, 4, 0))  # turned by now: upright
    assert looks(match, "....y... ....y... yy..y... yy..y...")


def test_actions_may_be_repeated() -> None:
    """B1: two rotations and a placement, or three placements."""
    match = position()
    do(match, Rotate(), Rotate(), Place(2, 0, 0))
    assert looks(match, "bbb..... b.......")
    match = position()
    do(match, Place(0, 0, 0), Place(1, 2, 0), Place(2, 5, 1))
    assert match.current_player == 1


def test_the_octagon_turns_clockwise() -> None:
    """B1: r becomes r + 1, and 0 after 3, for all players."""
    match = position(slots="bL", rotation=3)
    assert len(places(match)) == 7
    do(match, Rotate())
    assert match.state["rotation"] == 0
    assert len(places(match)) == 6


@pytest.mark.parametrize(("phase", "rotations"), [(1, 2), (2, 2), (3, 1)])
def test_pieces_owed(phase: int, rotations: int) -> None:
    """B2: one piece a turn in phases 1 and 2, two in phase 3; a rotation must leave points for what is owed."""
    match = position(phase=phase)
    assert match.state["owed"] == (1, 1, 2)[phase - 1]
    for _ in range(rotations):
        assert others(match) == "rotate"
        do(match, Rotate())
    assert others(match) == ""
    do(match, Place(0, 0, 0))
    if phase == 3:
        assert others(match) == ""
        do(match, Place(1, 0, 2))
    assert match.state["refilling"] == 1


@pytest.mark.parametrize("minimum", [1, 2, 3])
def test_another_number_of_pieces_owed(minimum: int) -> None:
    """B2: the minimum of each phase is a parameter, from 1 to 3."""
    match = position(rules=ArraialRules(min_pieces=(minimum, 1, 1)))
    assert turn(match) == (0, 3, minimum)
    assert others(match) == {1: "rotate", 2: "rotate", 3: ""}[minimum]
    do(match, Place(0, 0, 0))
    assert others(match) == {1: "rotate, end turn", 2: "rotate", 3: ""}[minimum]
    do(match, Place(1, 2, 0))
    assert others(match) == {1: "rotate, end turn", 2: "rotate, end turn", 3: ""}[minimum]


def test_a_slot_is_used_once() -> None:
    """B3: any filled slot; its card is discarded and it stays empty until the turn ends, so three pieces at most."""
    match = position()
    assert {move.slot for move in legal(match) if isinstance(move, Place)} == {0, 1, 2}
    do(match, Place(1, 0, 0))
    assert (slots(match), discards(match)) == ("yO - bL", "yI")
    assert {move.slot for move in legal(match) if isinstance(move, Place)} == {0, 2}
    do(match, Place(2, 4, 0))
    assert (slots(match), discards(match)) == ("yO - -", "yI bL")
    do(match, Place(0, 0, 1))
    assert discards(match) == "yO yI bL"
    assert match.current_player == 1
    assert NONE not in match.state["slots"]


def test_ending_the_turn() -> None:
    """B4: legal when no piece is owed any more; without action points the turn ends by itself."""
    match = position(row="rT")
    assert others(match) == "rotate"
    do(match, Place(0, 0, 0))
    assert others(match) == "rotate, end turn"
    early = match.clone()
    do(early, EndTurn())
    assert turn(early) == (1, 3, 1)
    do(match, Rotate(), Rotate())
    assert turn(match) == (1, 3, 1)


def test_one_gap() -> None:
    """B5: the active player chooses one of the three cards of the row; the row closes up and is filled at its end."""
    match = position(row="rT gS gZ")
    do(match, Place(1, 0, 0), EndTurn())
    assert (places(match), others(match)) == ([], "refill 0, refill 1, refill 2")
    assert match.current_player == 0
    draws(match, "rL")
    do(match, Refill(1))
    assert (slots(match), row(match)) == ("yO gS bL", "rT gZ rL")
    assert match.current_player == 1


def test_two_gaps() -> None:
    """B5: the lowest empty slot first, with one card of three, then the other with one of two."""
    match = position(row="rT gS gZ")
    do(match, Place(2, 0, 0), Place(0, 3, 0), EndTurn())
    assert (places(match), others(match)) == ([], "refill 0, refill 1, refill 2")
    do(match, Refill(2))
    assert (slots(match), row(match)) == ("gZ yI -", "rT gS")
    assert (places(match), others(match)) == ([], "refill 0, refill 1")
    draws(match, "bJ rL")
    do(match, Refill(0))
    assert (slots(match), row(match)) == ("gZ yI rT", "gS bJ rL")
    assert match.current_player == 1


def test_three_gaps() -> None:
    """B5: nothing to choose: the row's cards go into the slots in order."""
    match = position(row="rT gS gZ")
    draws(match, "bJ rL yO")
    do(match, Place(2, 0, 0), Place(0, 3, 0), Place(1, 0, 2))
    assert (slots(match), row(match)) == ("rT gS gZ", "bJ rL yO")
    assert turn(match) == (1, 3, 1)


@pytest.mark.parametrize(
    ("cards", "gaps", "choices"),
    [("rT gS", 1, 2), ("rT gS", 2, 0), ("rT", 1, 0), ("rT rT gS", 2, 3), ("rT rT", 1, 2), ("rL rL yO", 1, 3)],
)
def test_when_there_is_a_choice(cards: str, gaps: int, choices: int) -> None:
    """B5: if more cards lie in the row than slots are empty, alike or not."""
    match = position(slots="yO yI bL", row=cards, pile="")
    do(match, *[Place(0, 0, 0), Place(1, 2, 0)][:gaps], EndTurn())
    assert others(match) == (", ".join(f"refill {k}" for k in range(choices)) or "rotate")
    assert match.current_player == (0 if choices else 1)
    if not choices:
        assert slots(match).split()[:gaps] == cards.split()
        assert row(match) == ""


def test_the_row_is_filled_before_the_next_turn() -> None:
    """B6: up to three, as far as the pile goes."""
    match = position(row="rT gS gZ", pile="rL bJ")
    do(match, Place(0, 0, 0), EndTurn())
    draws(match, "bJ")
    do(match, Refill(0))
    assert (row(match), pile(match)) == ("gS gZ bJ", "rL")
    do(match, Place(0, 0, 0), Place(1, 0, 2), EndTurn(), Refill(0), Refill(0))
    assert (slots(match), row(match), pile(match)) == ("gS gZ bL", "bJ rL", "")
    do(match, Place(0, 0, 2), EndTurn(), Refill(0))
    assert (slots(match), row(match), match.state["phase"]) == ("bJ gZ bL", "rL", 1)


def test_a_row_used_up_does_not_end_the_phase() -> None:
    """B6: as long as every slot is filled; the next turn, whatever it places, ends it."""
    match = position(row="rT", pile="")
    do(match, Place(0, 0, 0), EndTurn())
    assert (slots(match), row(match), pile(match)) == ("rT yI bL", "", "")
    assert (match.current_player, match.state["phase"]) == (1, 1)
    do(match, Place(1, 0, 0), EndTurn())
    assert match.state["phase"] == 2


def test_a_slot_that_stays_empty_ends_the_phase() -> None:
    """B6: at once, after all cards of the row were placed, in row order into ascending slots."""
    match = position(row="rT gS", pile="")
    draws(match, "yO yI bL bJ")
    do(match, Place(0, 0, 0), Place(2, 2, 0), Place(1, 0, 2))
    assert slots(match) == "rT gS yO"
    assert (match.state["phase"], match.current_player, row(match)) == (2, 1, "yI bL bJ")


# --- C. Placing a piece ----------------------------------------------------------------------------------------------


def test_a_piece_falls_until_it_rests() -> None:
    """C1: straight down onto the bottom row or another piece, in every column that its width allows."""
    match = position(Seat("...r.... ...r.... ...r..gg"))
    assert places(match) == [(0, 0), (1, 0), (4, 0), (5, 1), (6, 1), (2, 3), (3, 3)]
    do(match, Place(0, 5, 1))
    assert looks(match, "...r.yy. ...r.yy. ...r..gg")


def test_a_piece_does_not_pass_through_others() -> None:
    """C1: it rests on an overhang, at the first position from which it can't fall on; what is below is out of reach."""
    match = position(Seat(".ggg.... .g......"))
    assert places(match) == [(4, 0), (5, 0), (6, 0), (0, 2), (1, 2), (2, 2), (3, 2)]


def test_a_fork_falls_over_a_tower() -> None:
    """C1: every square of the piece falls: a U upside down rests on a tower between its legs, or on both legs."""
    rules = with_pieces(gS=["###", "#.#"])
    match = position(Seat(".r...... .r...r.."), slots="gS", rules=rules)
    assert places(match) == [(2, 0), (4, 0), (0, 1), (3, 1), (5, 1), (1, 2)]
    do(match, Place(0, 0, 1))
    assert looks(match, "ggg..... grg..... .r...r..")


def test_the_way_in_counts_above_the_top_row() -> None:
    """C1: a foot of the piece would have to pass the top row's overhang while the piece still sticks out."""
    rules = with_pieces(sized(4, 5), bL=["#.", "#.", "##"], yI=["#", "#", "#", "#"])
    street = ".rr. ..r. ..r. ..r. ..r."
    match = position(Seat(street, bar=NO_BAR), rules=rules, slots="bL yI")
    assert places(match, 0) == []  # at rest in the corner it would fit
    assert places(match, 1) == [(0, 0), (1, 0), (3, 0)]  # the straight one slides there


def test_no_square_sticks_out_at_rest() -> None:
    """C1, C2: a piece may rest in the top row, but not above; no slide starts from there."""
    rules = sized(4, 5)
    match = position(Seat("rr.. rr.. rr..", bar=NO_BAR), rules=rules)
    assert places(match) == [(2, 0), (0, 3), (1, 3)]
    match = position(Seat("rr.. rr.. rr.. rr..", bar=NO_BAR), rules=rules)
    assert places(match) == [(2, 0)]
    match = position(Seat("rrrr rrrr rrrr rrrr", bar=NO_BAR), rules=rules)
    assert (places(match, 0), places(match, 1)) == ([], [(0, 4)])


@pytest.mark.parametrize(("max_slide", "hidden"), [(None, [2, 3]), (2, [2, 3]), (1, [3]), (0, [])])
def test_slides_under_an_overhang(max_slide: int | None, hidden: list[int]) -> None:
    """C2: left or right in the row where it landed, as many columns as allowed."""
    rules = ArraialRules(max_slide=max_slide)
    match = position(Seat(".rrr.... .r......"), slots="yI", rules=rules)
    assert places(match) == [*[(x, 0) for x in hidden], (4, 0), (0, 2), (1, 2), (2, 2), (3, 2)]
    mirrored = position(Seat("....rrr. ......r."), slots="yI", rules=rules)
    assert places(mirrored) == [*[(4 - x, 0) for x in [4, *hidden[::-1]]], (1, 2), (2, 2), (3, 2), (4, 2)]
    if hidden:
        do(match, Place(0, hidden[0], 0))
        assert looks(match, ".rrr.... " + (".r" + "." * (hidden[0] - 2) + "yyyy").ljust(8, "."))


SQUARES = with_pieces(yO=["#"])
"""With a piece of a single square."""


@pytest.mark.parametrize(("max_slide", "hidden"), [(None, [5, 6]), (5, [5, 6]), (4, [5]), (3, [])])
def test_slides_over_a_gap(max_slide: int | None, hidden: list[int]) -> None:
    """C2: on its way it need not be supported; where it stops it must be."""
    match = position(Seat(".....rrr .......r rr...rrr"), rules=replace(SQUARES, max_slide=max_slide))
    expected = [(2, 0), (3, 0), (4, 0), (0, 1), (1, 1), *[(x, 1) for x in hidden], (5, 3), (6, 3), (7, 3)]
    assert places(match) == expected


def test_no_second_fall() -> None:
    """C2: a piece slides across a pit and not into it."""
    match = position(Seat("...rrrrr .......r rrr..rrr"), rules=SQUARES)
    assert places(match) == [(0, 1), (1, 1), (2, 1), (5, 1), (6, 1), *[(x, 3) for x in range(3, 8)]]


def test_a_wall_stops_a_slide() -> None:
    """C2: it can't pass through what it doesn't fit through."""
    match = position(Seat(".....rrr ...r...r rr.r.rrr"), rules=SQUARES)
    assert places(match) == [(2, 0), (4, 0), (0, 1), (1, 1), (3, 2), (5, 3), (6, 3), (7, 3)]


def test_a_tunnel_must_be_as_high_as_the_piece() -> None:
    """C2: an O slides into a tunnel of two rows and not into one of one."""
    match = position(Seat("....rrrr .......r .......r"))
    assert places(match)[:5] == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    assert (5, 0) in places(match)
    assert (6, 0) not in places(match)
    match = position(Seat("....rrrr .......r"))
    assert [place for place in places(match) if place[1] == 0] == [(0, 0), (1, 0), (2, 0)]


def test_below_the_level_bar() -> None:
    """C3: the whole piece must lie below the bar."""
    street = "r....... r....... r....... r.rr.... r.rr.... r.rr.... r.rr...."
    for height, above in ((8, []), (9, [(0, 7)]), (14, [(0, 7)])):
        match = position(Seat(street, bar=height))
        assert places(match) == [(4, 0), (5, 0), (6, 0), (1, 4), (2, 4), (3, 4), *above]
    for height, there in ((6, [(1, 4), (2, 4), (3, 4)]), (5, [])):
        match = position(Seat(" ".join(["..rr...."] * 4), bar=height))
        assert places(match) == [(0, 0), (4, 0), (5, 0), (6, 0), *there]


def test_the_board_above_the_bar_is_free() -> None:
    """C3: a piece falls through the bar, however low it is."""
    match = position(Seat(bar=2))
    assert places(match) == [(x, 0) for x in range(7)]
    do(match, Place(0, 3, 0))
    assert looks(match, "...yy... ...yy...")
    assert bar(match) == (2, 0)


def test_the_bar_is_lost() -> None:
    """C4: no place below the bar, but some on the board: bar and the visitors on it go, the street's stay."""
    match = position(Seat("rrrrrrr.", bar=2, waiting=3, white=1))
    assert places(match) == [(x, 1) for x in range(7)]
    do(match, Place(0, 2, 1))
    assert looks(match, "..yy.... ..yy.... rrrrrrr.")
    assert bar(match) == (NO_BAR, 0)
    assert match.scores == [1, 0]
    assert bar(match, 1) == (8, 0)


def test_the_bar_is_not_lost_while_a_place_below_exists() -> None:
    """C4: then only places below it are legal."""
    match = position(Seat("rrrrrr..", bar=2, waiting=3))
    assert places(match) == [(6, 0)]
    do(match, Place(0, 6, 0))
    assert bar(match) == (3, 4)  # and completes a line


def test_a_player_may_choose_to_lose_the_bar() -> None:
    """C4: other cards or rotations that would fit below don't matter."""
    match = position(Seat("rrrrr...", bar=1), slots="yO gS bL", rotation=2)
    assert places(match, 0) == [*[(x, 0) for x in (5, 6)], *[(x, 1) for x in range(5)]]
    match = position(Seat(bar=1), slots="yO yI bL")
    assert places(match, 1) == [(x, 0) for x in range(5)]  # fits below
    assert places(match, 0) == [(x, 0) for x in range(7)]  # doesn't, and may be chosen
    do(match, Place(0, 0, 0))
    assert bar(match) == (NO_BAR, 0)


def test_the_bar_goes_before_lines_count() -> None:
    """C4: a row completed by the piece that takes the bar away earns nothing; a zone does."""
    match = position(Seat("rrrrrry.", bar=1, waiting=2), slots="yI", rotation=1)
    assert places(match) == [(7, 0), *[(x, 1) for x in range(7)]]
    do(match, Place(0, 7, 0))
    assert looks(match, ".......Y .......Y .......Y rrrrrrYY")
    assert bar(match) == (NO_BAR, 0)
    assert match.breakdown(0) == {"coloured": 1, "white": 0, "couples": 2}


def test_without_a_bar_all_of_the_board_is_free() -> None:
    """C4: for the rest of the game, in later phases too; lines earn nothing any more (C8)."""
    match = position(Seat("rrrr....", bar=NO_BAR), row="", pile="")
    draws(match, "gS gZ bJ rL")
    do(match, Place(1, 4, 0), EndTurn())
    assert (match.state["phase"], bar(match)) == (2, (NO_BAR, 0))
    match = position(Seat(" ".join(["rr......"] * 12), bar=NO_BAR), phase=3)
    assert (0, 12) in places(match)
    do(match, Place(0, 0, 12))
    assert bar(match) == (NO_BAR, 0)


FULL = "rrrr rrrr rrrr rrrr"
"""On a board of four by four."""


def test_a_discard() -> None:
    """C5: no card fits anywhere: rotate or discard one, which costs a point and counts as a piece; the bar stays."""
    match = position(Seat(FULL, bar=4, waiting=2), rules=sized(4, 4))
    assert others(match) == "rotate, discard 0, discard 1, discard 2"
    assert len(legal(match)) == 4
    do(match, Discard(1))
    assert turn(match) == (0, 2, 0)
    assert (slots(match), discards(match)) == ("yO - bL", "yI")
    assert bar(match) == (4, 2)
    assert looks(match, FULL)
    assert others(match) == "rotate, end turn"  # nothing is owed, nothing may be discarded
    do(match, EndTurn(), Refill(0))
    assert match.current_player == 1


@pytest.mark.parametrize(("points", "rotate"), [(3, "rotate, "), (2, "")])
def test_discards_count_towards_what_is_owed(points: int, rotate: str) -> None:
    """C5: two in phase 3; rotations as B2 allows."""
    match = position(Seat(FULL, bar=4), rules=sized(4, 4), phase=3, points=points)
    assert others(match) == rotate + "discard 0, discard 1, discard 2"
    do(match, Discard(2))
    assert others(match) == rotate + "discard 0, discard 1"
    do(match, Discard(0))
    assert match.state["owed"] == 0
    assert match.state["refilling"] == (points == 2)


def test_three_discards() -> None:
    """C5: where three pieces are owed; the turn ends with the last action point."""
    rules = sized(4, 4, min_pieces=(3, 1, 1))
    match = position(Seat(FULL, bar=4), rules=rules)
    do(match, Discard(0), Discard(1), Discard(2))
    assert match.current_player == 1
    assert discards(match) == "yO yI bL"


def test_no_discard_while_a_card_can_be_chosen() -> None:
    """C5: a card that fits nowhere can't be chosen, and one that fits must be; without the bar counts as fitting."""
    match = position(Seat("rrrr rrrr rrrr", bar=4), rules=sized(4, 4))
    assert [places(match, slot) for slot in range(3)] == [[], [(0, 3)], []]
    assert others(match) == "rotate"
    match = position(Seat("rrrr rrrr rrrr", bar=3, waiting=1), rules=sized(4, 4))
    assert [places(match, slot) for slot in range(3)] == [[], [(0, 3)], []]
    assert others(match) == "rotate"
    do(match, Place(1, 0, 3))
    assert bar(match) == (NO_BAR, 0)
    assert (legal(match)[0], others(match)) == (Rotate(), "rotate, end turn")


def test_a_card_that_fits_in_another_rotation() -> None:
    """C5: the present orientation decides; a rotation may make the card fit, and then it can't be discarded."""
    match = position(Seat("rrr. rrr. rrr. rrr.", bar=4), rules=sized(4, 4), slots="yI")
    assert (places(match), others(match)) == ([], "rotate, discard 0")
    do(match, Rotate())
    assert (places(match), others(match)) == ([(3, 0)], "rotate")
    do(match, Place(0, 3, 0))
    assert bar(match) == (4, 4)


def test_a_piece_wider_than_the_board() -> None:
    """C5, rules fields: shapes that fit in no turn are allowed, and discarded if no other card fits."""
    rules = with_pieces(sized(4, 32), yO=["#####"] * 5, yI=["#####"])
    match = position(rules=rules, slots="yO yI")
    assert (legal(match), others(match)) == ([Rotate(), Discard(0), Discard(1)], "rotate, discard 0, discard 1")
    do(match, Rotate())
    assert (places(match, 0), places(match, 1)) == ([], [(x, 0) for x in range(4)])


def test_a_single_piece_is_no_zone() -> None:
    """C6: although it covers several squares."""
    match = position()
    do(match, Place(0, 0, 0))
    assert looks(match, "yy...... yy......")
    assert (visitors(match), couples(match), match.scores) == ("", "", [0, 0])


def test_two_pieces_are_a_zone() -> None:
    """C6: edge to edge and of one colour; a visitor of the colour moves in."""
    match = position(Seat("yy...... yy......"), slots="yO gS", rotation=0)
    do(match, Place(1, 2, 0))
    assert visitors(match) == ""  # green beside yellow
    match = position(Seat("yy...... yy......"))
    do(match, Place(0, 2, 0))
    assert looks(match, "YYYY.... YYYY....")
    assert (visitors(match), match.breakdown(0)["coloured"]) == ("y", 1)


@pytest.mark.parametrize("street", ["yy...... yy......", "r.yy.... r.yy...."])
def test_zones_above_each_other(street: str) -> None:
    """C6: edges above and below count like those beside."""
    match = position(Seat(street))
    x = street.index("y")
    do(match, Place(0, x, 2))
    assert visitors(match) == "y"


def test_corners_do_not_connect() -> None:
    """C6: squares touching only at corners are not connected."""
    match = position(Seat("yyrr.... yyrr...."))
    do(match, Place(0, 2, 2))
    assert looks(match, "..yy.... ..yy.... yyrr.... yyrr....")
    assert visitors(match) == ""
    do(match, Place(1, 0, 4))  # on top of it: a zone now, still without the piece in the corner
    assert looks(match, "YYYY.... ..YY.... ..YY.... yyrr.... yyrr....")
    assert visitors(match) == "y"


def test_types_of_one_colour_make_a_zone() -> None:
    """C6: colour counts, not the type."""
    match = position(Seat("..b..... bbb....."), slots="bJ rL")
    do(match, Place(1, 5, 0))
    assert visitors(match) == ""
    match = position(Seat("..b..... bbb....."), slots="bJ rL")
    do(match, Place(0, 3, 0))
    assert looks(match, "..BB.... BBBBBB..")
    assert visitors(match) == "b"


def test_a_zone_with_a_visitor_earns_no_other() -> None:
    """C6: adding a piece to it brings nothing; a second zone of the colour has its own visitor."""
    match = position(Seat("YYYY.... YYYY....", couples="y"))
    do(match, Place(0, 4, 0))
    assert looks(match, "YYYYYY.. YYYYYY..")
    assert visitors(match) == "y"
    match = position(Seat("YYYY..yy YYYY..yy", couples="y"))
    do(match, Place(0, 6, 2))
    assert looks(match, "......YY ......YY YYYY..YY YYYY..YY")
    assert visitors(match) == "yy"


@pytest.mark.parametrize(
    ("street", "before", "after"),
    [
        ("yy..yy.. yy..yy..", "", "y"),
        ("YYYY..yy YYYY..yy", "y", "y"),
        ("YY..yy.. YY..yy.. YY..rr.. YY..rr..", "y", "y"),
        ("YY..YY.. YY..YY.. YY..YY.. YY..YY..", "yy", "yy"),
        ("YY..YYY. YY..YYY. YY..Yrr. YY..Yrr.", "yyy", "yyy"),
    ],
    ids=["no visitor", "one visitor", "one visitor, higher", "two visitors", "three visitors"],
)
def test_merging(street: str, before: str, after: str) -> None:
    """C6: zones that have visitors keep them all and earn no other; two single pieces get one."""
    x = street.index(".")
    rules = with_pieces(yO=["##"] * 4) if len(street.split()) == 4 else DEFAULT
    match = position(Seat(street, visitors=before, couples="y" if before else ""), rules=rules)
    do(match, Place(0, x, 0))
    assert len(parts(area_of(DEFAULT, match.state["squares"][0, 0]))) == 1
    assert visitors(match) == after


def test_the_first_zone_brings_the_couple() -> None:
    """C7: on any board, and each colour has its own."""
    match = position(Seat("yy...... yy......"), Seat("BBB.BBB. B.BBB...", couples="b"))
    do(match, Place(0, 2, 0))
    assert (couples(match, 0), couples(match, 1)) == ("y", "b")
    assert match.breakdown(0) == {"coloured": 1, "white": 0, "couples": 2}


@pytest.mark.parametrize(
    ("theirs", "owner"),
    [
        ("YYYY.... YYYY....", 1),  # eight squares against eight
        ("YYYYYY.. YYYYYY..", 1),
        ("YYYYY... YY......", 0),  # seven: fewer, although it may be more pieces
        ("YYYYY..Y YY.....Y YY.....Y", 1),  # nine in their largest
        ("YYYY..Y. YY...YY. ......Y.", 0),  # ten in two zones, six in the largest
    ],
)
def test_taking_the_couple_over(theirs: str, owner: int) -> None:
    """C7: with strictly more squares than the owner's largest zone; equality changes nothing."""
    match = position(Seat("yy...... yy......"), Seat(theirs, couples="y"))
    before = match.scores
    do(match, Place(0, 2, 0))
    assert couples(match, owner) == "y"
    assert match.scores == [1 + 2 * (owner == 0), before[1] - 2 * (owner == 0)]


def test_the_owners_zone_may_grow() -> None:
    """C7: what counts is its size when it is challenged; merging zones is a way to take the couple."""
    match = position(Seat("YY..YY.. YY..YY.. YY..YY.. YY..YY..", visitors="yy"), Seat("YYYY.yyy YYYY...y", couples="y"))
    do(match, Place(0, 2, 0), EndTurn(), Refill(0))  # 20 squares
    assert (couples(match, 0), couples(match, 1)) == ("y", "")
    assert match.scores == [4, 1]
    match = position(Seat(), Seat("YYYY.... YYYY....", couples="y"), player=1, rotation=2)
    do(match, Place(0, 4, 0), EndTurn(), Refill(0))  # twelve squares now
    assert match.current_player == 0
    assert couples(match, 1) == "y"
    assert match.scores[1] == 3


def test_a_smaller_zone_of_the_owner_does_not_matter() -> None:
    """C7: nor does a second zone that the owner makes."""
    match = position(Seat("YYYY..yy YYYY..yy", couples="y"))
    do(match, Place(0, 6, 2))
    assert (couples(match), match.scores) == ("y", [4, 0])
    match = position(Seat("YYYY..yy YYYY..yy"), Seat("YYYYYYYY YY......", couples="y"))
    do(match, Place(0, 6, 2))  # eight squares beside its own eight, against ten
    assert couples(match, 1) == "y"
    assert match.scores == [2, 3]


def test_squares_count_not_pieces() -> None:
    """C7: two large pieces beat three small ones."""
    rules = with_pieces(yO=["###", "###"])
    match = position(Seat("yyy..... yyy....."), Seat("YYYYYYYY YYY.....", couples="y"), rules=rules)
    do(match, Place(0, 3, 0))
    assert couples(match, 0) == "y"


def test_a_couples_worth_is_a_parameter() -> None:
    """C7, E1: it moves with the couple."""
    rules = ArraialRules(couple_points=5)
    match = position(Seat("yyyy.... yyyy...."), Seat("YYYY.... YYYY....", couples="y"), rules=rules)
    assert match.scores == [0, 6]
    do(match, Place(0, 4, 0))
    assert match.scores == [6, 1]


@pytest.mark.parametrize(
    ("street", "card", "rotation", "x", "lines"),
    [
        ("rrrr....", "yI", 0, 4, 1),
        ("rrr.....", "yI", 0, 4, 0),
        ("yybgrr..", "yO", 0, 6, 1),
        ("rrrrrr.. rrrrrr..", "yO", 0, 6, 2),
        ("rrrrrrr. rrrrrrr. rrrrrrr. rrrrrrr.", "yI", 1, 7, 4),
        ("rrrrrrr. rrrrrr.. rrrrrrr. rrrrrrr.", "yI", 1, 7, 3),
        ("rrrrrrr. .rrrrrr. rrrrrrr. .rrrrrr.", "yI", 1, 7, 2),
    ],
)
def test_lines(street: str, card: str, rotation: int, x: int, lines: int) -> None:
    """C8: each row that is filled, of any colours, raises the bar by a row and puts a white visitor on it."""
    match = position(Seat(street), slots=card, rotation=rotation)
    do(match, Place(0, x, 0))
    assert bar(match) == (8 + lines, lines)
    assert match.scores == [0, 0]  # they are not in the street yet
    full = [y for y in range(14) if all((k, y) in area_of(DEFAULT, match.state["occupied"][0]) for k in range(8))]
    assert len(full) == lines  # completed rows stay


def test_a_row_counts_once() -> None:
    """C8: rows completed before don't count again, also where the piece lies beside them."""
    match = position(Seat("rrrrrrrr rrrrrrrr"))
    do(match, Place(0, 0, 2))
    assert bar(match) == (8, 0)
    match = position(Seat("rrrr.... rrrrrrrr", bar=9, waiting=1))
    do(match, Place(1, 4, 1))
    assert bar(match) == (10, 2)


@pytest.mark.parametrize(("before", "after"), [(12, 14), (13, 14), (14, 14)])
def test_the_bar_stops_at_the_top(before: int, after: int) -> None:
    """C8: it stays there, and the visitors are still earned."""
    match = position(Seat("rrrrrr.. rrrrrr..", bar=before, waiting=1))
    do(match, Place(0, 6, 0))
    assert bar(match) == (after, 3)


def test_no_lines_without_a_bar() -> None:
    """C8: nothing is earned then."""
    match = position(Seat("rrrrrr.. rrrrrr..", bar=NO_BAR))
    do(match, Place(0, 6, 0))
    assert (bar(match), match.scores) == ((NO_BAR, 0), [0, 0])


def test_everything_at_once() -> None:
    """C6, C7, C8: a zone, its couple and two lines by one piece."""
    match = position(Seat("rrrryy.. rrrryy.."))
    do(match, Place(0, 6, 0))
    assert looks(match, "rrrrYYYY rrrrYYYY")
    assert (bar(match), visitors(match), couples(match), match.scores) == ((10, 2), "y", "y", [3, 0])


# --- D. End of a phase -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", [1, 2])
def test_the_next_phase(phase: int) -> None:
    """D1: discards are the new pile, cards of the octagon stay, empty slots are filled before the row."""
    match = position(row="rT", pile="", phase=phase)
    draws(match, "gS gZ bJ rL")
    do(match, Place(0, 0, 0), Place(1, 2, 0), EndTurn())
    assert match.state["phase"] == phase + 1
    assert (slots(match), row(match)) == ("rT gS bL", "gZ bJ rL")
    assert pile(match) == "yO yO yI yI bL bJ gS gZ rT rL"
    assert discards(match) == ""
    assert turn(match) == (1, 3, (1, 2)[phase - 1])


def test_all_slots_may_be_filled_from_the_pile() -> None:
    """D1: with an empty row all three, in ascending order."""
    match = position(row="", pile="")
    draws(match, "gS gZ bJ rL yO yO")
    do(match, Place(0, 0, 0), Place(1, 2, 0), Place(2, 0, 2))
    assert (slots(match), row(match)) == ("gS gZ bJ", "rL yO yO")


def end_phase(*seats: Seat, phase: int = 1, player: int = 0, rotation: int = 0, **options: Any) -> Match:
    """The end of a phase, by a player who has placed what is owed; no street has changed."""
    match = position(
        *seats,
        slots="bL gS",
        row="",
        pile="",
        phase=phase,
        points=1,
        owed=0,
        player=player,
        rotation=rotation,
        **options,
    )
    do(match, EndTurn())
    return match


def test_bars_drop_by_two_rows() -> None:
    """D2: in the street below the bar white visitors are safe."""
    match = end_phase(Seat("r....... r.......", bar=9, waiting=2, white=1), Seat("g.......", bar=10))
    assert (bar(match, 0), bar(match, 1)) == ((7, 0), (8, 0))
    assert match.state["street"].tolist() == [3, 0, 0, 0]
    assert match.breakdown(0) == {"coloured": 0, "white": 3, "couples": 0}


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize(("rows", "safe"), [(5, True), (6, True), (7, False), (8, False)])
def test_a_bar_that_overlaps_is_removed(rows: int, safe: bool, phase: int) -> None:
    """D2: with a square in a row at or above its new height, 6; visitors in zones and in the street stay."""
    street = " ".join(["r......."] * (rows - 2) + ["rYY.....", "rYY....."])
    match = end_phase(Seat(street, bar=8, waiting=3, white=2, visitors="y", couples="y"), phase=phase)
    assert bar(match) == ((6, 0) if safe else (NO_BAR, 0))
    assert match.breakdown(0) == {"coloured": 1, "white": 5 if safe else 2, "couples": 2}
    assert looks(match, street)


@pytest.mark.parametrize(
    ("before", "street", "after"),
    [(2, "", (0, 1)), (1, "", (0, 1)), (0, "", (0, 1)), (1, "r.......", (NO_BAR, 0)), (3, "r.......", (1, 1))],
)
def test_bars_do_not_drop_below_the_bottom(before: int, street: str, after: tuple[int, int]) -> None:
    """D2: height 0 at least, where any square overlaps it."""
    match = end_phase(Seat(street, bar=before, waiting=1))
    assert (bar(match)[0], match.scores[0]) == after


def test_a_bar_at_the_bottom() -> None:
    """D2, C4: no piece fits below it; the next one takes it away."""
    match = position(Seat(bar=0))
    assert places(match) == [(x, 0) for x in range(7)]
    do(match, Place(0, 0, 0))
    assert bar(match) == (NO_BAR, 0)


@pytest.mark.parametrize(("drop", "after"), [(0, (8, 4)), (1, (7, 4)), (2, (NO_BAR, 0)), (32, (NO_BAR, 0))])
def test_another_drop(drop: int, after: tuple[int, int]) -> None:
    """D2: the number of rows is a parameter."""
    street = " ".join(["r......."] * 7)
    match = end_phase(Seat(street, bar=8, waiting=4), rules=ArraialRules(bar_drop=drop))
    assert (bar(match)[0], match.scores[0]) == after


def test_who_has_no_bar_at_the_end_of_a_phase() -> None:
    """D2: nothing happens to that player."""
    match = end_phase(Seat("r.......", bar=NO_BAR, white=2))
    assert (bar(match), match.scores[0]) == ((NO_BAR, 0), 2)


@pytest.mark.parametrize(("players", "ends", "begins"), [(2, 0, 1), (2, 1, 0), (3, 1, 2), (4, 3, 0), (1, 0, 0)])
def test_who_begins_the_next_phase(players: int, ends: int, begins: int) -> None:
    """D3: the player after the one who ended the phase; the octagon stays as it is."""
    match = end_phase(*[Seat()] * players, solo=players == 1, player=ends, rotation=3, phase=2)
    assert turn(match) == (begins, 3, 2)
    assert match.state["rotation"] == 3


@pytest.mark.parametrize(("counts", "points"), [(True, [4, 2]), (False, [1, 2])])
def test_the_end_of_the_game(counts: bool, points: list[int]) -> None:
    """D4: at the end of phase 3 bars don't drop, and visitors on them count unless a parameter says otherwise."""
    rules = ArraialRules(bar_visitors_score_at_end=counts)
    seats = [Seat(" ".join(["r......."] * 8), bar=8, waiting=3, white=1), Seat(bar=NO_BAR, white=2)]
    match = end_phase(*seats, phase=3, rules=rules)
    assert match.is_over
    assert match.scores == points
    assert bar(match) == (8, 3)  # they stay on the bar
    assert match.breakdown(0) == {"coloured": 0, "white": points[0], "couples": 0}
    assert match.state["phase"] == 3


def test_visitors_on_a_bar_count_for_nobody_before_the_end() -> None:
    """D4: neither when they are earned nor in the turns that follow."""
    match = position(Seat("rrrr....", waiting=2))
    do(match, Place(1, 4, 0))
    assert (bar(match), match.scores) == ((9, 3), [0, 0])


# --- E. Result -------------------------------------------------------------------------------------------------------


def test_points() -> None:
    """E1: one for each visitor in the street, white or of a colour, two for a couple."""
    seats = [
        Seat("YYYY.... YYYY....", white=3, couples="y"),
        Seat("RRRRRR.. RRBBBBBB", waiting=2, couples="rb"),
    ]
    match = position(*seats)
    assert match.scores == [1 + 3 + 2, 1 + 1 + 2 + 2]
    match = end_phase(*seats, phase=3)
    assert match.scores == [6, 8]
    assert match.breakdown(1) == {"coloured": 2, "white": 2, "couples": 4}


def final(*points: int) -> Match:
    """The end of a game with these points."""
    return end_phase(*[Seat(white=n) for n in points], phase=3, solo=len(points) == 1)


def test_highest_total_wins() -> None:
    """E2: a tie is a shared victory."""
    match = final(4, 7, 7)
    assert results.places(np.array([match.scores])).tolist() == [[3, 1, 1]]
    assert match.returns() == [-1, 0.5, 0.5]


def test_solo_is_a_score_attack() -> None:
    """E3: the result is the score."""
    match = final(9)
    assert match.scores == [9]
    assert match.returns() == [9]


# --- F. Actions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(8, 14), *ODD_BOARDS])
def test_action_table(width: int, height: int) -> None:
    """The action table: 3 W H + 8 ids, each formula as the table says, none twice."""
    area = width * height
    table: dict[int, Action] = {
        slot * area + y * width + x: Place(slot, x, y) for slot in range(3) for y in range(height) for x in range(width)
    }
    table |= {3 * area: Rotate(), 3 * area + 1: EndTurn()}
    table |= {3 * area + 2 + k: Refill(k) for k in range(3)}
    table |= {3 * area + 5 + k: Discard(k) for k in range(3)}
    assert sorted(table) == list(range(3 * area + 8))
    for action, move in table.items():
        assert decode(action, width, height) == move
        assert type(decode(action, width, height)) is type(move)  # tuples of different types may be equal
    assert [encode(table[k], width, height) for k in sorted(table)] == sorted(table)


@every_table
def test_one_numbering_for_all(players: int) -> None:
    """The action table: 344 ids on the default board for all numbers of players; others are refused."""
    match = arraial_v0.new_game(seed=7, num_players=players)
    assert match.num_actions == 344
    for action in (-1, 344):
        with pytest.raises(InputError, match="must be an integer from 0 to 343"):
            match.apply(action)


def test_a_place_is_named_by_its_left_bottom_corner() -> None:
    """The action table: that of the bounding box, although no square of the piece may lie there."""
    match = position(slots="gZ")
    match.apply(3)
    assert looks(match, "...gg... ....gg..")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Place(0, 3, 2), "place the yellow O from slot 0, column 3, row 2"),
        (Rotate(), "rotate the octagon"),
        (EndTurn(), "end the turn"),
        (Refill(1), "refill with the green S, card 1 of the row"),
        (Discard(2), "discard the blue L from slot 2"),
    ],
)
def test_actions_in_words(move: Action, words: str) -> None:
    """The action table: an id says what it means."""
    assert describe(move, ["yellow O", "yellow I", "blue L"], ["red T", "green S", ""]) == words
    match = position(row="rT gS")
    assert match.describe(encode(move, 8, 14)) == words


def test_only_refills_without_choice_happen_by_themselves() -> None:
    """F1: any other decision is asked even if one action is legal."""
    match = position(Seat("rrrrrr..", bar=2), slots="yO", points=1)
    assert (places(match), others(match)) == ([(6, 0)], "")
    match = position(row="rT gS", pile="")
    do(match, Place(0, 0, 0), EndTurn())
    assert (places(match), others(match)) == ([], "refill 0, refill 1")


def test_a_refill_leaves_player_and_points() -> None:
    """F1: while the choice is open, whether points were left or not."""
    match = position()
    do(match, Place(0, 0, 0), Place(1, 2, 0), EndTurn())
    assert turn(match) == (0, 1, 0)
    do(match, Refill(0))
    assert turn(match) == (0, 1, 0)
    do(match, Refill(0))
    assert turn(match) == (1, 3, 1)
    match = position()
    do(match, Place(0, 0, 0), Rotate(), Rotate())
    assert turn(match) == (0, 0, 0)
    assert match.state["refilling"] == 1


def test_after_the_end_nothing_is_legal() -> None:
    """F1: no action, no seat to act."""
    match = final(1, 2)
    assert (match.legal_actions(), match.current_player, int(match.action_mask().sum())) == ([], None, 0)
    with pytest.raises(IllegalActionError, match="after the end"):
        match.apply(0)


def test_illegal_actions_are_refused() -> None:
    """F1: whatever isn't legal raises and changes nothing."""
    match = position(Seat("..rr.... ..r....."))
    before = fields(match)
    for action in set(range(344)) - set(match.legal_actions()):
        with pytest.raises(IllegalActionError):
            match.apply(action)
    assert fields(match) == before


def test_equal_cards_in_two_slots() -> None:
    """F2: both are legal at the same places, and what follows differs in the slots only."""
    match = position(Seat("..rr.... ..r....."), slots="yI yO yO")
    assert places(match, 1) == places(match, 2) != []
    after = []
    for slot in (1, 2):
        twin = match.clone()
        do(twin, Place(slot, 4, 0))
        after.append(fields(twin))
    assert after[0].pop("slots") == [1, NONE, 0]
    assert after[1].pop("slots") == [1, 0, NONE]
    assert after[0] == after[1]


# --- G. Rewards and result -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ([9, 7], [1, -1]),
        ([7, 9], [-1, 1]),
        ([9, 9], [0, 0]),
        ([9, 8, 7], [1, 0, -1]),
        ([9, 9, 7], [0.5, 0.5, -1]),
        ([5, 6, 7, 8], [-1, -1 / 3, 1 / 3, 1]),
        ([8, 8, 8, 9], [-1 / 3, -1 / 3, -1 / 3, 1]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_rewards_by_place(scores: list[int], rewards: list[float]) -> None:
    """Section G: (players you beat - players who beat you) / (players - 1); they sum to 0, and are 0 until the end."""
    assert position(*[Seat(white=n) for n in scores]).returns() == [0] * len(scores)
    match = final(*scores)
    assert match.returns() == pytest.approx(rewards)


def play_env(players: int, **options: Any) -> tuple[Any, dict[str, float]]:
    """A game of an environment to its end, at random; and the sum of each agent's rewards."""
    rng = random.Random(8)
    env = arraial_v0.raw_env(num_players=players, **options)
    env.reset(seed=8)
    total = dict.fromkeys(env.agents, 0.0)
    while not all(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask).tolist()))
        for name, points in env.rewards.items():
            total[name] += points
    return env, total


@pytest.mark.parametrize("players", [2, 3, 4])
def test_other_rewards(players: int) -> None:
    """Section G: the margin to the best opponent, or each change of the own score, times 1/50."""
    env, total = play_env(players, reward="margin")
    scores = {agent: info["score"] for agent, info in env.infos.items()}
    for agent, points in total.items():
        ahead = scores[agent] - max(score for other, score in scores.items() if other != agent)
        assert points == pytest.approx(ahead / 50)
    env, total = play_env(players, reward="dense", reward_scale=1)
    assert total == {agent: info["score"] for agent, info in env.infos.items()}


def test_rewards_alone() -> None:
    """Section G, E3: the score, times the reward scale, by default 1/50."""
    env, total = play_env(1)
    score = env.infos["player_0"]["score"]
    assert score > 0
    assert total["player_0"] == pytest.approx(score / 50)
    for reward in ("place", "margin", "dense"):
        assert play_env(1, reward=reward, reward_scale=2)[1] == {"player_0": 2 * score}


def test_reward_for_an_illegal_action() -> None:
    """Section G: -1 for the one who plays it, 0 for the others."""
    env = arraial_v0.raw_env(num_players=3)
    env.reset(seed=9)
    env.step(encode(EndTurn(), 8, 14))
    assert env.rewards == {"player_0": -1, "player_1": 0, "player_2": 0}


@every_table
def test_result_in_info(players: int) -> None:
    """Section G: final scores, places, and the points by source, which add up."""
    env, _ = play_env(players)
    scores = [info["score"] for info in env.infos.values()]
    assert len(scores) == players
    for info in env.infos.values():
        assert info["place"] == 1 + sum(score > info["score"] for score in scores)
        assert info["score"] == info["coloured"] + info["white"] + info["couples"]


# --- Rules fields ----------------------------------------------------------------------------------------------------


def test_default_rules() -> None:
    """Rules fields: the defaults, and the only preset."""
    assert ArraialRules() == DEFAULT
    assert arraial_v0.new_game(seed=0).rules == DEFAULT
    values = DEFAULT.as_dict()
    assert [set(map(tuple, shape)) for shape in values.pop("shapes")] == [set(cells(TABLE[card])) for card in CARDS]
    assert values == {
        "width": 8,
        "height": 14,
        "cards_per_type": [1, 2, 3, 3],
        "bar_start": [8, 8, 8, 7],
        "min_pieces": [1, 1, 2],
        "max_slide": None,
        "bar_drop": 2,
        "bar_visitors_score_at_end": True,
        "couple_points": 2,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("width", 7.5),
        ("height", True),
        ("shapes", DEFAULT_SHAPES[:7]),
        ("cards_per_type", (1, 2, 3)),
        ("cards_per_type", (0, 2, 3, 3)),
        ("bar_start", (8, 8, 8, 15)),
        ("bar_start", (-1, 8, 8, 8)),
        ("min_pieces", (0, 1, 2)),
        ("min_pieces", (1, 1, 4)),
        ("max_slide", -1),
        ("bar_drop", -1),
        ("bar_visitors_score_at_end", 1),
        ("couple_points", -1),
    ],
)
def test_fields_are_checked(field: str, value: Any) -> None:
    """Rules fields: a value that isn't allowed is refused."""
    with pytest.raises(InputError, match=field):
        ArraialRules(**{field: value})


# --- H. Chance -------------------------------------------------------------------------------------------------------

CHI_SQUARE_BOUND = {7: 40.5, 12: 51.0}
"""By degrees of freedom: what chi-square exceeds once in a million times if the shuffles are fair."""


def test_the_set_up_is_fair() -> None:
    """H1: the first card and the last that lies open, over the games of consecutive seeds."""
    match = arraial_v0.new_game(0)
    games = []
    for seed in range(1200):
        match.begin(seed)
        games.append(match.chance)
    for k in (0, 5):
        observed = Counter(CARDS[game[k]] for game in games)
        assert chi_square(observed, dict.fromkeys(CARDS, 1)) < CHI_SQUARE_BOUND[7]


def test_every_order_of_the_pile_is_equally_likely() -> None:
    """H1: two cards drawn one after the other, without putting back: thirteen pairs of five cards, two alike."""
    cards = ["yO", "yO", "yI", "bL", "rT"]
    weights = Counter(f"{a} {b}" for k, a in enumerate(cards) for m, b in enumerate(cards) if m != k)
    assert len(weights) == 13
    match = position(slots="gS gZ bJ", row="gS", pile=" ".join(cards))
    do(match, Place(0, 0, 0))
    state = match.get_state()
    observed: Counter[str] = Counter()
    for seed in range(2600):
        match.set_state(state)
        match.redeterminise(seed)
        match.apply(encode(EndTurn(), 8, 14))
        observed[spell(match.chance[:2])] += 1
    assert chi_square(observed, weights) < CHI_SQUARE_BOUND[12]


def public(match: Match) -> dict[str, Any]:
    """The state without the generator."""
    return {name: value for name, value in fields(match).items() if name != "rng"}


@every_table
def test_shuffles_are_the_only_chance(players: int) -> None:
    """H1: with the cards drawn and the actions given, another seed makes the same game; no card is drawn otherwise."""
    rng = random.Random(10)
    match = arraial_v0.new_game(seed=10, num_players=players)
    while not match.is_over:
        before = match.clone()
        match.apply(rng.choice(match.legal_actions()))
        cards = [cards_open(before), cards_open(match)]
        if match.state["phase"] == before.state["phase"]:  # every card drawn lies open, and none was before
            assert len(match.chance) - len(before.chance) == before.state["pile_size"] - match.state["pile_size"]
            assert cards[0] - cards[1] == Counter(match_discarded(before, match))
    twin = arraial_v0.new_game(seed=11, num_players=players, chance=match.chance)
    for action in match.actions:
        twin.apply(action)
    assert twin.pending_chance == 0
    assert public(twin) == public(match)


def cards_open(match: Match) -> Counter[int]:
    return Counter(kind for kind in [*match.state["slots"].tolist(), *match.state["row"].tolist()] if kind != NONE)


def match_discarded(before: Match, after: Match) -> list[int]:
    """The types discarded between two states of one phase."""
    difference = after.state["discards"].astype(int) - before.state["discards"]
    drawn = after.chance[len(before.chance) :]
    return [kind for kind in range(8) for _ in range(max(int(difference[kind]) - drawn.count(kind), 0))]


def test_the_order_of_the_pile_is_hidden() -> None:
    """H2: any card of the pile may come next, after redeterminise too; what is public stays."""
    match = position(row="rT", pile="gS gZ gZ rL")
    do(match, Place(0, 0, 0))
    seen = [match.observation(seat).tolist() for seat in range(2)]
    following = set()
    for seed in range(60):
        other = match.clone()
        other.redeterminise(seed)
        assert public(other) == public(match)
        assert [other.observation(seat).tolist() for seat in range(2)] == seen
        again = other.clone()
        do(other, EndTurn())
        do(again, EndTurn())
        assert row(other) == row(again)
        following.add(row(other).split()[0])
    assert following == {"gS", "gZ", "rL"}


@pytest.mark.parametrize(("card", "there"), [("gS", True), ("gZ", True), ("rL", True), ("yO", False), ("rT", False)])
def test_only_cards_of_the_pile_are_drawn(card: str, there: bool) -> None:
    """H2: whichever card of the pile is given, the game goes on with it; another is refused."""
    match = position(row="rT", pile="gS gZ gZ rL")
    do(match, Place(0, 0, 0))
    before = fields(match)
    draws(match, card)
    if there:
        do(match, EndTurn())
        assert row(match).split()[0] == card
    else:
        with pytest.raises(InputError, match="impossible"):
            match.apply(encode(EndTurn(), 8, 14))
        assert fields(match) == before


# --- I. Boards of bits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [*ODD_BOARDS, (8, 14)])
def test_slides_stop_at_the_edges(width: int, height: int) -> None:
    """Section I: a piece of width 1 doesn't come from the last column of a row to the first of the next, nor back."""
    rules = with_pieces(sized(width, height), yO=["#"])
    gap = "." * (width - 2)
    match = position(Seat(f"rr{gap} .r{gap} rr{gap}"), rules=rules)
    assert places(match) == [*[(x, 0) for x in range(2, width)], (0, 3), (1, 3)]
    match = position(Seat(f"{gap}rr r{gap[1:]}r."), rules=rules)
    assert places(match) == [*[(x, 0) for x in range(1, width - 2)], (0, 1), (width - 2, 2), (width - 1, 2)]


@pytest.mark.parametrize("y", [0, 2, 6, 7, 8])
@pytest.mark.parametrize(("width", "height"), [(8, 16), (16, 8), (4, 32), (5, 25), (8, 14)])
def test_zones_do_not_cross_the_edges(width: int, height: int, y: int) -> None:
    """Section I: the last square of a row and the first of the next are no neighbours; those above each other are."""
    if y + 2 > height:
        y = height - 2
    rules = with_pieces(sized(width, height), yO=["#"])
    gap = "." * (width - 2)
    match = position(Seat(" ".join(["r" + gap + "y", *["r" + gap + "r"] * y])), rules=rules)
    do(match, Place(0, 0, y + 1))
    assert visitors(match) == ""
    match = position(Seat(" ".join(["." + gap + "y"] + ["r" + gap + "r"] * y)), rules=rules)
    do(match, Place(0, width - 1, y + 1))
    assert visitors(match) == "y"
    if y:
        match = position(Seat(" ".join(["y" + gap + ".", "r" + gap + ".", *["r" + gap + "r"] * (y - 1)])), rules=rules)
        do(match, Place(0, width - 1, y - 1))
        assert visitors(match) == ""


@pytest.mark.parametrize(("width", "height"), ODD_BOARDS)
def test_lines_in_every_row(width: int, height: int) -> None:
    """Section I, C8: from the bottom row to the top one, also where a row begins in the second lane."""
    rules = with_pieces(sized(width, height), yO=["#"])
    for y in range(height):
        rows = ["r" * (width - 1) + "."] + ["." + "r" * (width - 1)] * y
        match = position(Seat(" ".join(rows), bar=height), rules=rules)
        do(match, Place(0, width - 1, y))
        assert bar(match) == (height, 1)


def test_pieces_across_the_lanes() -> None:
    """Section I: an upright I in rows 6 to 9 of a board of 8 by 16 fills four rows; at the top it fits to the last."""
    rules = sized(8, 16)
    rows = ["rrrrrrr."] * 4 + [".......g"] * 6
    match = position(Seat(" ".join(rows)), rules=rules, slots="yI", rotation=1)
    assert (7, 6) in places(match)
    do(match, Place(0, 7, 6))
    assert bar(match) == (16, 4)
    match = position(Seat(" ".join(["....r..."] * 12)), rules=rules, slots="yI", rotation=1)
    assert (4, 12) in places(match)
    match = position(Seat(" ".join(["....r..."] * 13)), rules=rules, slots="yI", rotation=1)
    assert [place for place in places(match) if place[0] == 4] == []


def polyomino(rng: random.Random, cells_: int, extent: int) -> tuple[Cell, ...]:
    """A random one of at most so many cells, as wide and high as allowed."""
    shape = {(0, 0)}
    for _ in range(cells_ - 1):
        x, y = rng.choice(sorted(shape))
        grown = shape | {rng.choice([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)])}
        left, bottom = min(x for x, _ in grown), min(y for _, y in grown)
        moved = {(x - left, y - bottom) for x, y in grown}
        if max(max(cell) for cell in moved) < extent:
            shape = moved
    return tuple(sorted(shape))


def where_it_rests(shape: Sequence[Cell], area: set[Cell], width: int, height: int, max_slide: int | None) -> set[Cell]:
    """C1 and C2, square by square."""
    wide, high = 1 + max(x for x, _ in shape), 1 + max(y for _, y in shape)

    def fits(x: int, y: int) -> bool:
        return 0 <= x <= width - wide and y >= 0 and not any((x + dx, y + dy) in area for dx, dy in shape)

    found = set()
    for column in range(width - wide + 1):
        y = height  # wholly above the board
        while fits(column, y - 1):
            y -= 1
        if y + high > height:
            continue
        for step in (1, -1):
            x, slid = column, 0
            while fits(x, y):
                if not fits(x, y - 1):
                    found.add((x, y))
                if slid == max_slide:
                    break
                x, slid = x + step, slid + 1
    return found


EXAMPLES = settings(max_examples=60, deadline=None)
GAMES = settings(max_examples=20, deadline=None)

seeds = st.integers(0, 2**32)


def random_street(rng: random.Random, width: int, height: int) -> list[str]:
    """Squares anywhere, also in mid-air."""
    density = rng.choice([0.05, 0.15, 0.3, 0.5])
    top = rng.randint(0, height)
    return ["".join("r" if rng.random() < density else "." for _ in range(width)) for _ in range(top)]


def random_places(seed: int) -> tuple[ArraialRules, list[str]]:
    """A board of any size, eight random shapes and a random street."""
    rng = random.Random(seed)
    width = rng.randint(4, 16)
    height = rng.choice([128 // width, rng.randint(1, 128 // width)])
    shapes = tuple(polyomino(rng, rng.choice([1, 2, 3, 4, 5, 9, 25]), 5) for _ in CARDS)
    slide = rng.choice([None, None, 0, 1, rng.randint(2, 15)])
    return sized(width, height, shapes=shapes, max_slide=slide), random_street(rng, width, height)


@EXAMPLES
@given(seed=seeds, rotation=st.integers(0, 3))
def test_places_on_random_boards(seed: int, rotation: int) -> None:
    """C1, C2, C3, C4, section I: all places of random pieces in random streets, found square by square."""
    rules, street = random_places(seed)
    area = set(squares(rules, " ".join(street)))
    top = max((y for _, y in area), default=-1) + 1
    for height in {NO_BAR, top, (top + rules.height) // 2, rules.height}:
        for three in ("yO yI bL", "bJ gS gZ", "rT rL"):
            match = position(Seat(" ".join(street), bar=height), rules=rules, slots=three, rotation=rotation)
            for slot, kind in enumerate(spelt(three)):
                shape = turns_of(rules.shapes[kind])[rotation]
                resting = where_it_rests(shape, area, rules.width, rules.height, rules.max_slide)
                below = {(x, y) for x, y in resting if y + max(dy for _, dy in shape) < height}
                assert set(places(match, slot)) == (below or resting)


@EXAMPLES
@given(seed=seeds)
def test_left_and_right_are_alike(seed: int) -> None:
    """C1, C2: a mirrored piece in a mirrored street has the mirrored places."""
    rules, street = random_places(seed)
    flipped = tuple(
        tuple((max(x for x, _ in shape) - x, y) for x, y in shape) for shape in (rules.shapes[k] for k in range(8))
    )
    match = position(Seat(" ".join(street)), rules=rules, slots="yO bL gS")
    twin = position(
        Seat(" ".join(line[::-1] for line in street)), rules=replace(rules, shapes=flipped), slots="yO bL gS"
    )
    for slot, kind in enumerate((0, 2, 4)):
        wide = 1 + max(x for x, _ in rules.shapes[kind])
        mirrored = {(rules.width - wide - x, y) for x, y in places(twin, slot)}
        assert mirrored == set(places(match, slot))


# --- What holds in all games -----------------------------------------------------------------------------------------


def random_rules(rng: random.Random) -> ArraialRules:
    """Any rules that are allowed, with few cards."""
    if rng.random() < 0.25:
        return DEFAULT
    width = rng.randint(4, 16)
    height = rng.randint(1, 128 // width)
    other = [polyomino(rng, rng.choice([1, 2, 3, 4, 5, 7, 12]), 5) for _ in CARDS]
    return ArraialRules(
        width=width,
        height=height,
        shapes=rng.choice([DEFAULT_SHAPES, tuple(other), tuple(other)]),
        cards_per_type=tuple(rng.randint(1, 4) for _ in range(4)),
        bar_start=tuple(rng.randint(height // 2, height) for _ in range(4)),
        min_pieces=tuple(rng.randint(1, 3) for _ in range(3)),
        max_slide=rng.choice([None, 0, 1, 2, 15]),
        bar_drop=rng.choice([0, 1, 2, 2, 5]),
        bar_visitors_score_at_end=rng.random() < 0.5,
        couple_points=rng.randint(0, 4),
    )


def choose(match: Match, rng: random.Random) -> int:
    """A legal action: mostly a placement, rather a low one, for random play alone earns little."""
    actions = match.legal_actions()
    rules = rules_of(match)
    area = rules.width * rules.height
    placements = sorted((action % area // rules.width, action) for action in actions if action < 3 * area)
    if placements and rng.random() < 0.8:
        return placements[rng.randrange(1 + len(placements) // 4)][1]
    return rng.choice(actions)


tables = st.integers(1, 4)


@GAMES
@given(seed=seeds, players=tables)
def test_whole_games(seed: int, players: int) -> None:
    """A1, A3, B3, C1, C6, C7, D4, E1, F1: all invariants in all states; visitors and squares never go; an end."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    match = arraial_v0.new_game(seed, players, rules, start=rng.randrange(players))
    check(match)
    longest = 3 * 6 * 8 * rules.cards_per_type[players - 1]  # phases, decisions in a turn, turns
    while not match.is_over:
        before = match.state.copy()
        match.apply(choose(match, rng))
        check(match)
        assert (match.state["visitors"] >= before["visitors"]).all()
        assert (match.state["street"] >= before["street"]).all()
        assert not (before["squares"] & ~match.state["squares"]).any()
        assert not (before["zoned"] & ~match.state["zoned"]).any()
        assert not ((before["bar"] == NONE) & (match.state["bar"] != NONE)).any()
        assert not ((before["couples"] != NONE) & (match.state["couples"] == NONE)).any()
        assert match.state["phase"] - before["phase"] in (0, 1)
        assert len(match.actions) <= longest
    assert match.state["phase"] == 3


@GAMES
@given(seed=seeds, players=tables)
def test_every_piece_lies_as_the_rules_say(seed: int, players: int) -> None:
    """A6, B1, B2, C1, C2, C3, C4: in whole games, whatever is placed was drawn by the rules, square by square."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    match = arraial_v0.new_game(seed, players, rules)
    while not match.is_over:
        action, before, player = choose(match, rng), match.state.copy(), match.current_player or 0
        move = decode(action, rules.width, rules.height)
        match.apply(action)
        if not isinstance(move, Place):
            assert match.state["occupied"].tolist() == before["occupied"].tolist()
            continue
        kind = int(before["slots"][move.slot])
        shape = turns_of(rules.shapes[kind])[(int(before["rotation"]) - SIDES[players][player]) % 4]
        area = area_of(rules, before["occupied"][player])
        piece = {(move.x + dx, move.y + dy) for dx, dy in shape}
        now = area_of(rules, match.state["squares"][player, kind // 2])
        assert now - area_of(rules, before["squares"][player, kind // 2]) == piece
        resting = where_it_rests(shape, area, rules.width, rules.height, rules.max_slide)
        assert (move.x, move.y) in resting
        high = 1 + max(dy for _, dy in shape)
        if before["bar"][player] != NONE and move.y + high > before["bar"][player]:
            assert all(y + high > before["bar"][player] for _, y in resting)
            assert bar(match, player) == (NO_BAR, 0)


@GAMES
@given(seed=seeds, players=st.sampled_from([2, 4]), shift=st.integers(1, 3))
def test_seats_are_alike(seed: int, players: int, shift: int) -> None:
    """A6, A7, D3: with another starting player and the octagon turned to them the same moves make the same game."""
    shift %= players
    rng = random.Random(seed)
    rules = random_rules(rng)
    match = arraial_v0.new_game(seed, players, rules)
    twin = arraial_v0.new_game(seed, players, rules, start=shift)
    state = twin.state.copy()
    state["rotation"] = shift * 4 // players % 4
    twin.set_state(state.tobytes())
    while not match.is_over:
        assert twin.current_player == ((match.current_player or 0) + shift) % players
        assert twin.legal_actions() == match.legal_actions()
        action = choose(match, rng)
        match.apply(action)
        twin.apply(action)
        assert np.roll(match.scores, shift).tolist() == twin.scores
    assert twin.is_over


@GAMES
@given(seed=seeds, players=tables, colours=st.permutations(range(4)))
def test_colours_are_alike(seed: int, players: int, colours: list[int]) -> None:
    """C6, C7, C8, E1: with the shapes of each colour in another the same game is played in other colours."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    other = [2 * colours[kind // 2] + kind % 2 for kind in range(8)]
    shapes = [rules.shapes[other.index(kind)] for kind in range(8)]
    match = arraial_v0.new_game(seed, players, rules)
    chance = [other[kind] for kind in match.chance]
    twin = arraial_v0.new_game(seed, players, replace(rules, shapes=tuple(shapes)), chance=chance)
    while not match.is_over:
        assert twin.legal_actions() == match.legal_actions()
        action, drawn = choose(match, rng), len(match.chance)
        match.apply(action)
        twin.give_chance([other[kind] for kind in match.chance[drawn:]])
        twin.apply(action)
        assert twin.scores == match.scores
        assert (twin.state["visitors"][:, colours] == match.state["visitors"]).all()
        assert (twin.state["couples"][colours] == match.state["couples"]).all()
        assert (twin.state["occupied"] == match.state["occupied"]).all()
    assert twin.is_over
