"""The rules, number by number, as worked examples: the position spelt, the move, the result.

Tiles are spelt by their letters: ``"OORP"`` is two orange tiles, a red and a purple one. A space is its star's letter
and its number, ``"B3"``; the centre star's letter is ``*``, and the colour of a tile on it follows: ``"*3R"``
(left out it is the colour that comes at the space's number in the order of the table: ``"*1"`` is ``"*1O"``).

Every position holds all 132 tiles: what isn't spelt lies in the bag, or in the tower where the bag is spelt. After
every move of an example the invariants of :func:`check` are tested. What each number says: ``docs/rules-azul.md``.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pytest
from fairness import chi_square
from hypothesis import given, settings
from hypothesis import strategies as st

from azul_env import AzulRules, azul_v0
from azul_env.actions import NUM_ACTIONS, Action, Draft, GiveUp, Pass, Pick, Play, decode, describe, encode
from azul_env.geometry import CENTRE, CENTRE_STAR, COLOURS, SIDES, display_count
from azul_env.state import ACQUIRE, OVER, PLAY
from manjerico.core import results
from manjerico.core.errors import InputError
from manjerico.core.match import IllegalActionError, Match

RULEBOOK = AzulRules.rulebook()
DIGEST = AzulRules.digest()
NO_GIFTS = AzulRules(voluntary_give_ups=False)

both = pytest.mark.parametrize("rules", [RULEBOOK, DIGEST], ids=["rulebook", "digest"])
each_colour = pytest.mark.parametrize("colour", range(6), ids=COLOURS)

LETTERS = "ORBYGP"
ORANGE, RED, BLUE, YELLOW, GREEN, PURPLE = range(6)
STARS = LETTERS + "*"
WILD = {1: PURPLE, 2: GREEN, 3: ORANGE, 4: YELLOW, 5: BLUE, 6: RED}
"""A5, copied from the rules."""

PLAIN_SUPPLY = "OORRBBYYGP"
"""Ten tiles: with them nothing is drawn at the end of a turn."""


# --- Spelling positions ----------------------------------------------------------------------------------------------


class Seat(NamedTuple):
    """What one player has."""

    hand: str = ""
    board: str = ""
    score: int = 5
    kept: str = ""
    paid: tuple[int, ...] = ()
    """Numbers whose bonus was paid (E2)."""


def spaces(*letters: str) -> str:
    """All spaces of the stars with these letters."""
    return " ".join(f"{star}{n}" for star in letters for n in range(1, 7))


FULL = spaces(*STARS)


def counts(tiles: str) -> list[int]:
    """Spelt tiles as counts by colour."""
    assert set(tiles) <= set(LETTERS)
    return [tiles.count(letter) for letter in LETTERS]


def spell(numbers: Iterable[int]) -> str:
    """Counts by colour as spelt tiles."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, numbers, strict=True))


def parse(space: str) -> tuple[int, int, int]:
    """Star, number and colour of a spelt space."""
    star, n = STARS.index(space[0]), int(space[1])
    if star < CENTRE_STAR:
        return star, n, star
    return star, n, LETTERS.index(space[2]) if len(space) == 3 else n - 1


def position(
    *seats: Seat,
    rules: AzulRules = RULEBOOK,
    round_number: int = 1,
    displays: Sequence[str] = (),
    centre: str = "",
    supply: str = PLAIN_SUPPLY,
    bag: str | None = None,
    tower: str | None = None,
    starter: int = 0,
    marker: int | None = None,
    player: int | None = None,
    passed: Sequence[int] = (),
    seed: int = 0,
) -> Match:
    """A game in the middle of a round: in phase 1 if there is something to draft, otherwise in phase 2.

    Two seats at least; the others have nothing and 5 points. The marker lies in the centre in phase 1 and with the
    starter in phase 2, if nothing else is said; the starter is to act.
    """
    seats += (Seat(),) * (2 - len(seats))
    match = azul_v0.new_game(seed, len(seats), rules)
    state = match.state.copy()
    acquire = bool(displays or centre)
    for name in ("hand", "kept", "displays", "board", "offers", "bag", "tower", "sources"):
        state[name] = 0
    state["round"], state["wild"] = round_number, WILD[round_number]
    state["phase"] = ACQUIRE if acquire else PLAY
    state["starter"] = starter
    state["marker"] = marker if marker is not None else -1 if acquire else starter
    state["player"] = starter if player is None else player
    state["passed"] = sum(1 << seat for seat in passed)
    for source, tiles in [*enumerate(displays), (CENTRE, centre)]:
        state["displays"][source] = counts(tiles)
        state["offers"] |= np.uint64(sum(1 << (6 * source + c) for c in range(6) if counts(tiles)[c]))
    for seat, (hand, board, score, kept, paid) in enumerate(seats):
        state["hand"][seat], state["kept"][seat], state["score"][seat] = counts(hand), counts(kept), score
        state["numbers_paid"][seat] = sum(1 << (n - 1) for n in paid)
        numbers = 4 * sum(paid)
        state["sources"][seat] = max(score - 5 - numbers, 0), 0, numbers, max(5 + numbers - score, 0)
        for star, n, colour in map(parse, board.split()):
            state["board"][seat] |= np.uint64(1 << (6 * star + n - 1))
            if star == CENTRE_STAR:
                state["centre"][seat][n - 1] = colour
                state["centre_used"][seat] |= 1 << colour
    state["supply"], state["supply_size"] = counts(supply), len(supply)
    rest = [22 - total for total in totals(state)]
    if bag is None:
        bag = spell(n - t for n, t in zip(rest, counts(tower or ""), strict=True))
    if tower is None:
        tower = spell(n - b for n, b in zip(rest, counts(bag), strict=True))
    state["bag"], state["bag_size"] = counts(bag), len(bag)
    state["tower"], state["tower_size"] = counts(tower), len(tower)
    match.set_state(state.tobytes())
    check(match)
    return match


PILES = ("displays", "supply", "bag", "tower", "hand", "kept")


def totals(state: Any) -> list[int]:
    """All tiles by colour, wherever they lie."""
    total = sum(state[pile].reshape(-1, 6).astype(int).sum(0) for pile in PILES)
    for seat in range(int(state["players"])):
        total[:] += [(int(state["board"][seat]) >> 6 * star & 0b111111).bit_count() for star in range(6)]
        total[:] += np.bincount(state["centre"][seat][state["centre"][seat] >= 0], minlength=6)
    return [int(n) for n in total]


def check(match: Match) -> None:
    """What holds in every state, whatever was played."""
    state = match.state
    assert totals(state) == [22] * 6
    for pile, size in (("supply", "supply_size"), ("bag", "bag_size"), ("tower", "tower_size")):
        assert state[pile].sum() == state[size]
    assert state["supply_size"] <= 10
    assert (state["displays"][:CENTRE].sum(1) <= 4).all()
    assert (state["kept"].sum(1) <= 4).all()
    for seat in range(match.players):
        assert match.scores[seat] >= 1
        points = match.breakdown(seat)
        assert min(points.values()) >= 0
        gained = points["placements"] + points["stars"] + points["numbers"]
        assert match.scores[seat] == 5 + gained - points["losses"]
        centre = [int(c) for c in state["centre"][seat] if c >= 0]
        assert len(set(centre)) == len(centre) == (int(state["board"][seat]) >> 36).bit_count()
    player = match.current_player
    assert (player is None) == (match.legal_actions() == [])
    if player is not None:
        assert (state["phase"] == ACQUIRE) == bool(state["displays"].any())
        assert not int(state["passed"]) >> player & 1


def do(match: Match, *moves: Action) -> None:
    """Makes the moves, one after the other; each must be legal."""
    for move in moves:
        match.apply(encode(move))
        check(match)


def draws(match: Match, tiles: str) -> None:
    """The tiles that will be drawn from the bag next, in this order."""
    match.give_chance([LETTERS.index(tile) for tile in tiles])


def place(space: str, wilds: int = 0) -> Play:
    """Place a tile on a spelt space, paid with so many wild tiles."""
    return Play(*parse(space), wilds)


def give_everything_up_and_pass(match: Match) -> None:
    """The player keeps nothing."""
    tiles = hand(match, match.current_player or 0)
    do(match, *(GiveUp(LETTERS.index(tile)) for tile in tiles), Pass())


def draft_all(match: Match) -> None:
    """Plays phase 1 to its end, each player taking the first that is legal."""
    while match.state["phase"] == ACQUIRE:
        do(match, legal(match)[0])


def swap_hand(match: Match, tiles: str) -> None:
    """Puts the hand of seat 0 into the bag and deals it these tiles from bag and tower."""
    state = match.state.copy()
    state["bag"] += state["hand"][0] + state["tower"]
    state["tower"] = 0
    assert all(there >= wanted for there, wanted in zip(state["bag"], counts(tiles), strict=True))
    state["hand"][0] = counts(tiles)
    state["bag"] -= state["hand"][0]
    state["bag_size"], state["tower_size"] = state["bag"].sum(), 0
    match.set_state(state.tobytes())
    check(match)


# --- Reading positions -----------------------------------------------------------------------------------------------


def pile(match: Match, name: str) -> str:
    """The supply, the bag or the tower."""
    return spell(match.state[name])


def source(match: Match, number: int) -> str:
    """The tiles on a display or in the centre."""
    return spell(match.state["displays"][number])


def hand(match: Match, seat: int) -> str:
    return spell(match.state["hand"][seat])


def kept(match: Match, seat: int) -> str:
    return spell(match.state["kept"][seat])


def drawn(match: Match) -> str:
    """All tiles drawn from the bag so far, in order."""
    return "".join(LETTERS[colour] for colour in match.chance)


def legal(match: Match) -> list[Action]:
    return [decode(action) for action in match.legal_actions()]


def legal_plays(match: Match) -> list[Play]:
    return [move for move in legal(match) if isinstance(move, Play)]


def wilds_for(match: Match, space: str) -> list[int]:
    """With how many wild tiles a space can be paid."""
    return [play.wilds for play in legal_plays(match) if play[:3] == parse(space)]


def in_phase(match: Match) -> tuple[int, int]:
    return int(match.state["round"]), int(match.state["phase"])


def drafts(displays: str, centre: str = "") -> list[Action]:
    """These colours from display 0, 1, ..., then these from the centre."""
    sources = [*range(len(displays)), *[CENTRE] * len(centre)]
    return [Draft(number, LETTERS.index(c)) for number, c in zip(sources, displays + centre, strict=True)]


def fields(match: Match) -> dict[str, Any]:
    """The state field by field, so that a difference can be read."""
    return {name: match.state[name].tolist() for name in match.game.state.names or ()}


# --- A. Material and set-up ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_material(players: int) -> None:
    """A1: 132 tiles, six colours of 22; in the order orange, red, blue, yellow, green, purple."""
    match = azul_v0.new_game(seed=1, num_players=players)
    assert COLOURS == ("orange", "red", "blue", "yellow", "green", "purple")
    assert totals(match.state) == [22] * 6
    assert len(match.scores) == players


@pytest.mark.parametrize("players", [0, 1, 5])
def test_number_of_players(players: int) -> None:
    """A1: 2, 3 or 4 players and no others."""
    with pytest.raises(InputError, match="num_players must be one of 2, 3, 4"):
        azul_v0.new_game(num_players=players)


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_displays(players: int, displays: int) -> None:
    """A2: 5, 7 or 9 displays with four tiles each; the centre is empty."""
    state = azul_v0.new_game(seed=2, num_players=players).state
    assert state["displays"].sum(1).tolist() == [4] * displays + [0] * (10 - displays)
    assert display_count(players) == displays


def test_supply_is_filled_before_the_displays() -> None:
    """A3: the first ten tiles go to the supply, the next four to the first display."""
    match = azul_v0.new_game(seed=0, chance=[BLUE] * 10 + [RED] * 4 + [GREEN] * 3 + [BLUE])
    assert pile(match, "supply") == "BBBBBBBBBB"
    assert [source(match, 0), source(match, 1)] == ["RRRR", "BGGG"]
    assert len(match.chance) == 30


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_five_points(players: int) -> None:
    """A4: 5 points each."""
    assert azul_v0.new_game(seed=3, num_players=players).scores == [5] * players


def test_a_loss_stops_at_one_point() -> None:
    """A4: the marker (B5), tiles given up (D2) and kept tiles (F3) take nobody below 1."""
    match = position(Seat(score=3), centre="RRRRR")
    do(match, Draft(CENTRE, RED))
    assert match.scores[0] == 1
    assert match.breakdown(0)["losses"] == 2 + 2  # two to come to 3 points, then two of the five

    match = position(Seat("OOO", score=2))
    do(match, GiveUp(ORANGE), GiveUp(ORANGE))
    assert match.scores[0] == 1

    match = position(Seat("OOOO", score=3), round_number=6)
    do(match, Pass(), Pass())
    assert match.scores[0] == 1


def test_scores_have_no_upper_bound() -> None:
    """A4: past 80, and past a full board's 304."""
    match = position(Seat("O", score=80), Seat("RRRR", board="R5 R6 R1 R2 R3", score=400))
    do(match, place("O1"), place("R4"))
    assert match.scores == [81, 406]


def test_six_rounds_and_their_wild_colours() -> None:
    """A5: six rounds; purple, green, orange, yellow, blue, red are wild in turn."""
    match = azul_v0.new_game(seed=4)
    wild = []
    while not match.is_over:
        wild.append(int(match.state["wild"]))
        assert in_phase(match) == (len(wild), ACQUIRE)
        draft_all(match)
        assert in_phase(match) == (len(wild), PLAY)
        give_everything_up_and_pass(match)
        give_everything_up_and_pass(match)
    assert wild == [PURPLE, GREEN, ORANGE, YELLOW, BLUE, RED]


@pytest.mark.parametrize(("round_number", "wild"), WILD.items())
def test_only_the_rounds_colour_is_wild(round_number: int, wild: int) -> None:
    """A5, C3: with one tile of each colour a space 2 can be paid with this round's colour only."""
    match = position(Seat("ORBYGP"), round_number=round_number)
    twos = [play for play in legal_plays(match) if play.space == 2]
    others = [colour for colour in range(6) if colour != wild]
    expected = [Play(colour, 2, colour, 1) for colour in others]
    expected += [Play(CENTRE_STAR, 2, colour, 1) for colour in others]
    assert twos == expected
    do(match, twos[0])
    assert hand(match, 0) == spell(int(colour not in (wild, twos[0].colour)) for colour in range(6))


@pytest.mark.parametrize(("players", "start"), [(2, 0), (2, 1), (3, 2), (4, 3)])
def test_starting_player(players: int, start: int) -> None:
    """A6: the start is a parameter; seats follow in ascending order."""
    match = azul_v0.new_game(seed=5, num_players=players, start=start)
    order = []
    for _ in range(players + 1):
        order.append(match.current_player)
        do(match, legal(match)[0])
    assert order == [(start + k) % players for k in range(players + 1)]


def test_seat_0_starts_by_default() -> None:
    """A6: and a seat that isn't there can't start."""
    assert azul_v0.new_game(seed=6, num_players=4).current_player == 0
    with pytest.raises(InputError, match="start must be an integer from 0 to 1"):
        azul_v0.new_game(num_players=2, start=2)


def test_bag_is_refilled_when_a_tile_is_to_be_drawn() -> None:
    """A7: the last tile leaves the bag and the tower keeps its tiles; the next draw takes them all to the bag."""
    match = position(Seat("R", "O5"), Seat("G"), supply="OOOOOOOO", bag="BB")
    tower = pile(match, "tower")
    do(match, place("R1"))
    assert (drawn(match), pile(match, "supply")) == ("BB", "OOOOOOOOBB")
    assert (pile(match, "bag"), pile(match, "tower")) == ("", tower)

    do(match, place("G1"))  # nothing is to be drawn
    assert (pile(match, "bag"), pile(match, "tower")) == ("", tower)

    do(match, Pass(), Pass())  # five displays: twenty tiles
    assert match.state["bag_size"] == len(tower) - 20
    assert pile(match, "tower") == ""


def test_bag_is_refilled_in_the_middle_of_a_fill() -> None:
    """A7: the bag's own tiles come first, then a tile from what was in the tower."""
    match = position(supply="OOOOOOOO", bag="B")
    tower = pile(match, "tower")
    draws(match, "BY")
    do(match, Pass())
    assert pile(match, "supply") == "OOOOOOOOBY"
    assert (pile(match, "bag"), pile(match, "tower")) == (tower.replace("Y", "", 1), "")


def short_of_tiles(*seats: Seat, supply: str, tower: str) -> Match:
    """Four players whose outer stars hold 108 of the tiles; the bag is empty."""
    others = [Seat(board=spaces(*LETTERS))] * (4 - len(seats))
    return position(*seats, *others, supply=supply, bag="", tower=tower)


def test_displays_run_short() -> None:
    """A7: displays are filled in order, the last one partly, the others not; the round is played with that."""
    match = short_of_tiles(Seat(), supply=PLAIN_SUPPLY, tower="OORRBBYYGGGPPP")
    assert totals(match.state) == [22] * 6
    do(match, Pass(), Pass(), Pass(), Pass())
    assert match.state["displays"].sum(1).tolist() == [4, 4, 4, 2, 0, 0, 0, 0, 0, 0]
    assert (pile(match, "bag"), pile(match, "tower"), in_phase(match)) == ("", "", (2, ACQUIRE))
    draft_all(match)
    assert in_phase(match) == (2, PLAY)
    assert sum(len(hand(match, seat)) for seat in range(4)) == 14


def test_supply_runs_short() -> None:
    """A7: with bag and tower empty the supply stays as it is, and is filled as soon as tiles are there."""
    match = short_of_tiles(Seat("OORRBBYYGGGGPPPP"), supply="OORRBBYY", tower="")
    do(match, place("G1"))
    assert (pile(match, "supply"), drawn(match)) == ("OORRBBYY", "")
    do(match, Pass(), Pass(), Pass())
    do(match, place("P2"))
    assert (pile(match, "supply"), drawn(match)) == ("OORRBBYYP", "P")


def test_nothing_to_draft() -> None:
    """A7, B6: phase 2 of the next round follows in the same step; the marker's last holder has it back and begins."""
    match = position(
        Seat("OR"), Seat("B", FULL), Seat(board=FULL), Seat(board=FULL), supply="YGP", bag="", tower="", marker=2
    )
    do(match, Pass(), Pass(), Pass())
    assert in_phase(match) == (1, PLAY)
    do(match, Pass())
    assert in_phase(match) == (2, PLAY)
    assert match.state["wild"] == GREEN
    assert (match.state["starter"], match.state["marker"], match.current_player) == (2, 2, 2)
    assert match.scores == [5, 5, 5, 5]  # at no loss
    assert [hand(match, seat) for seat in range(4)] == ["OR", "B", "", ""]  # D4
    assert [kept(match, seat) for seat in range(4)] == ["", "", "", ""]


def test_the_supply_takes_the_last_tiles() -> None:
    """A7, C9: one tile is given up and goes to the supply, so that nothing is left to draft."""
    match = position(
        Seat("OR"), Seat("B", FULL), Seat(board=FULL), Seat(board=FULL), supply="YGP", bag="", tower="", marker=1
    )
    do(match, GiveUp(RED), Pass(), Pass(), Pass(), Pass())
    assert (pile(match, "supply"), in_phase(match), match.current_player) == ("RYGP", (2, PLAY), 1)


# --- B. Phase 1: acquire tiles ---------------------------------------------------------------------------------------


def test_one_turn_each_until_nothing_is_left() -> None:
    """B1: from the starting player in seat order; when displays and centre are empty, phase 2 begins."""
    match = position(Seat(), Seat(), Seat(), displays=["RRRR", "GGGG", "OOBB", "YYYY"], starter=2)
    order = []
    for move in drafts("RGOY", "B"):
        assert in_phase(match) == (1, ACQUIRE)
        order.append(match.current_player)
        do(match, move)
    assert order == [2, 0, 1, 2, 0]
    assert in_phase(match) == (1, PLAY)
    assert [hand(match, seat) for seat in range(3)] == ["BBGGGG", "OO", "RRRRYYYY"]


def test_what_can_be_drafted() -> None:
    """B2, B3: a colour that is there and isn't wild, or the wild colour where there is no other."""
    match = position(displays=["OORP", "PPPP", "YYYY"], centre="BPP")  # purple is wild
    assert legal(match) == [
        Draft(0, ORANGE),
        Draft(0, RED),
        Draft(1, PURPLE),
        Draft(2, YELLOW),
        Draft(CENTRE, BLUE),
    ]


def test_a_wild_tile_is_taken_along() -> None:
    """B2: all tiles of the colour and exactly one wild tile, from a display and from the centre."""
    match = position(displays=["RRPP", "YYYY"], centre="BBBPPP", marker=0)
    do(match, Draft(0, RED))
    assert hand(match, 0) == "RRP"
    do(match, Draft(CENTRE, BLUE))
    assert hand(match, 1) == "BBBP"


def test_no_wild_tile_to_take_along() -> None:
    """B2: a source without the wild colour gives the colour only."""
    match = position(displays=["RRGG"], centre="P")
    do(match, Draft(0, RED))
    assert (hand(match, 0), source(match, CENTRE)) == ("RR", "GGP")


@pytest.mark.parametrize(("round_number", "wild"), WILD.items())
def test_the_rounds_wild_is_taken_along(round_number: int, wild: int) -> None:
    """B2, A5: of a display with two red or orange tiles and two wild ones."""
    colour = RED if wild != RED else ORANGE
    tame, wilds = LETTERS[colour], LETTERS[wild]
    match = position(displays=[2 * tame + 2 * wilds], round_number=round_number)
    assert legal(match) == [Draft(0, colour)]
    do(match, Draft(0, colour))
    assert sorted(hand(match, 0)) == sorted(2 * tame + wilds)
    assert source(match, CENTRE) == wilds


def test_a_source_with_wild_tiles_only() -> None:
    """B3: exactly one wild tile is taken."""
    match = position(displays=["PPPP", "RRRR"])
    do(match, Draft(0, PURPLE))
    assert (hand(match, 0), source(match, CENTRE)) == ("P", "PPP")
    do(match, Draft(CENTRE, PURPLE))
    assert (hand(match, 1), source(match, CENTRE)) == ("P", "PP")


def test_what_is_left_of_a_source() -> None:
    """B4: the rest of a display moves to the centre, the rest of the centre stays."""
    match = position(displays=["RGBP", "YYYY"], centre="BB")
    do(match, Draft(0, GREEN))
    assert (source(match, 0), source(match, CENTRE)) == ("", "RBBB")
    do(match, Draft(CENTRE, BLUE))
    assert (source(match, 1), source(match, CENTRE)) == ("YYYY", "R")


@both
def test_first_from_the_centre(rules: AzulRules) -> None:
    """B5: takes the marker and loses a point for each tile, the wild among them; the next one loses nothing."""
    match = position(Seat(score=10), Seat(score=10), centre="RRGGGP", displays=["YYYY"], rules=rules)
    do(match, Draft(CENTRE, RED))
    assert (hand(match, 0), match.state["marker"], match.scores) == ("RRP", 0, [7, 10])
    do(match, Draft(CENTRE, GREEN))
    assert (match.state["marker"], match.scores) == (0, [7, 10])


@both
def test_the_marker_decides_who_begins(rules: AzulRules) -> None:
    """B5: its holder begins phase 2 and the next round."""
    match = position(Seat(), Seat(), Seat(), displays=["RRRR", "GGGB"], rules=rules)
    do(match, *drafts("RG", "B"))
    assert (in_phase(match), match.state["marker"], match.current_player) == ((1, PLAY), 2, 2)
    for _ in range(3):
        give_everything_up_and_pass(match)
    assert (in_phase(match), match.state["starter"], match.current_player) == ((2, ACQUIRE), 2, 2)


@pytest.mark.parametrize(
    ("rules", "score", "tiles", "left"),
    [
        (RULEBOOK, 10, "RRRRRRP", 3),
        (DIGEST, 10, "RRRRRRP", 6),
        (RULEBOOK, 10, "RRRR", 6),
        (DIGEST, 10, "RRRR", 6),
        (DIGEST, 10, "RRR", 7),
        (RULEBOOK, 6, "RRRRRRP", 1),
        (DIGEST, 6, "RRRRRRP", 2),
        (RULEBOOK, 3, "RRRRRRP", 1),
        (DIGEST, 3, "RRRRRRP", 1),
    ],
)
def test_what_the_marker_costs(rules: AzulRules, score: int, tiles: str, left: int) -> None:
    """B5, A4: a point for each tile, in the digest four at most, never below 1."""
    match = position(Seat(score=score), centre=tiles, rules=rules)
    do(match, Draft(CENTRE, RED))
    assert (match.scores[0], match.breakdown(0)["losses"]) == (left, max(5 - score, 0) + score - left)


@both
def test_a_wild_only_centre_taken_first(rules: AzulRules) -> None:
    """B3, B5: one wild tile, the marker, one point lost."""
    match = position(centre="PPP", rules=rules)
    do(match, Draft(CENTRE, PURPLE))
    assert (hand(match, 0), match.state["marker"], match.scores[0]) == ("P", 0, 4)
    do(match, Draft(CENTRE, PURPLE))
    assert match.scores == [4, 5]


def test_first_from_the_centre_with_one_point() -> None:
    """B5: allowed in the rulebook, and nothing is lost."""
    match = position(Seat(score=1), displays=["YYYY"], centre="RRR")
    do(match, Draft(CENTRE, RED))
    assert (match.state["marker"], match.scores[0], match.breakdown(0)["losses"]) == (0, 1, 4)


def test_the_centre_is_closed_at_one_point() -> None:
    """B5 in the digest: while a display holds tiles and nobody has taken from the centre."""
    seats = Seat(score=1), Seat(score=2)
    match = position(*seats, displays=["YYYY", "GGGG", "BBBB"], centre="RRO", rules=DIGEST)
    assert legal(match) == drafts("YGB")
    do(match, Draft(0, YELLOW))
    assert legal(match) == [Draft(1, GREEN), Draft(2, BLUE), Draft(CENTRE, ORANGE), Draft(CENTRE, RED)]
    do(match, Draft(CENTRE, RED))  # seat 1, who has two points, opens the centre
    assert match.scores == [1, 1]
    assert legal(match) == [Draft(1, GREEN), Draft(2, BLUE), Draft(CENTRE, ORANGE)]


def test_the_centre_opens_when_the_displays_are_empty() -> None:
    """B5 in the digest: a player with one point then takes from the centre and loses nothing."""
    match = position(Seat(score=1), Seat(score=1), displays=["YYYY"], centre="RRP", rules=DIGEST)
    assert legal(match) == [Draft(0, YELLOW)]
    do(match, Draft(0, YELLOW))
    assert legal(match) == [Draft(CENTRE, RED)]
    do(match, Draft(CENTRE, RED))
    assert (hand(match, 1), match.state["marker"], match.scores) == ("RRP", 1, [1, 1])


@both
def test_a_marker_that_nobody_takes(rules: AzulRules) -> None:
    """B6: this round's starting player gets it when phase 2 begins, at no loss, and so starts again."""
    match = position(Seat(), Seat(), Seat(), displays=["RRRR", "GGGG"], starter=1, rules=rules)
    do(match, Draft(0, RED))
    assert match.state["marker"] == -1
    do(match, Draft(1, GREEN))
    assert (in_phase(match), match.state["marker"], match.current_player) == ((1, PLAY), 1, 1)
    assert match.scores == [5, 5, 5]
    do(match, Pass(), Pass(), Pass())
    assert (in_phase(match), match.state["starter"], match.current_player) == ((2, ACQUIRE), 1, 1)


# --- C. Phase 2: play tiles and score --------------------------------------------------------------------------------


def test_one_placement_each_until_all_have_passed() -> None:
    """C1: in seat order from the starting player; the last one who has not passed acts turn after turn."""
    match = position(Seat("OOOO"), Seat("RR"), Seat("BB"), starter=1)
    moves: list[tuple[int, Action]] = [
        (1, place("R1")),
        (2, place("B1")),
        (0, place("O1")),
        (1, Pass()),
        (2, place("*1B")),
        (0, place("*1O")),
        (2, Pass()),
        (0, place("O2")),
        (0, Pass()),
    ]
    for seat, move in moves:
        assert (match.current_player, in_phase(match)) == (seat, (1, PLAY))
        do(match, move)
    assert in_phase(match) == (2, ACQUIRE)


@pytest.mark.parametrize("n", range(1, 7))
def test_a_space_costs_its_number(n: int) -> None:
    """C2: of n tiles one is placed, the others go to the tower."""
    for star, space in (("G", f"G{n}"), ("*", f"*{n}G")):
        match = position(Seat("GGGGGG"))
        do(match, place(space))
        assert hand(match, 0) == "G" * (6 - n)
        assert pile(match, "tower") == "G" * (n - 1)
        assert match.state["board"][0] == 1 << (6 * STARS.index(star) + n - 1)


@pytest.mark.parametrize(
    ("tiles", "space", "wilds"),
    [
        ("BBB", "B4", []),
        ("BBBP", "B4", [1]),
        ("BBBPP", "B4", [1, 2]),
        ("BBBPPPPP", "B4", [1, 2, 3]),
        ("BBBB", "B4", [0]),
        ("BBBBBB", "B4", [0]),
        ("BBBBBBPPPPPP", "B4", [0, 1, 2, 3]),
        ("PPPPPP", "B4", []),
        ("BPPPPPP", "B1", [0]),
        ("BPPPPP", "B6", [5]),
        ("BPPPP", "B6", []),
        ("BBPPPPPPP", "B6", [4, 5]),
        ("BBBBBBBPPPPPPP", "B6", [0, 1, 2, 3, 4, 5]),
        ("BBBRRR", "B4", []),
    ],
)
def test_how_many_wild_tiles_can_pay(tiles: str, space: str, wilds: list[int]) -> None:
    """C3: max(0, n - own) to min(n - 1, wilds); the same on the centre star (C5)."""
    match = position(Seat(tiles))
    assert wilds_for(match, space) == wilds
    assert wilds_for(match, f"*{space[1]}B") == wilds


@pytest.mark.parametrize(("k", "left", "tower"), [(1, "P", "BBBP"), (2, "B", "BBPP")])
def test_paying_with_wild_tiles(k: int, left: str, tower: str) -> None:
    """C3: n - k own tiles and k wild ones are spent; the tile placed is of the colour itself."""
    match = position(Seat("BBBBPP"))
    do(match, place("*5B", wilds=k))
    assert hand(match, 0) == left
    assert pile(match, "tower") == tower
    assert match.state["centre"][0].tolist() == [-1, -1, -1, -1, BLUE, -1]


def test_the_wild_colours_own_star() -> None:
    """C4: is paid with its own tiles, k = 0."""
    match = position(Seat("PPP", board="*1O"))
    expected = [Play(PURPLE, n, PURPLE, 0) for n in (1, 2, 3)]
    expected += [Play(CENTRE_STAR, n, PURPLE, 0) for n in (2, 3)]
    assert legal_plays(match) == expected
    do(match, place("P3"))
    assert (hand(match, 0), pile(match, "tower")) == ("", "PP")


def test_the_centre_star_takes_each_colour_once() -> None:
    """C5: in any position, a colour that isn't there yet; an outer star takes its own only."""
    match = position(Seat("OORRB", board="*2O *5Y"), round_number=2)
    assert legal_plays(match) == [
        place("O1"),
        place("O2"),
        place("R1"),
        place("R2"),
        place("B1"),
        place("*1R"),
        place("*1B"),
    ]
    do(match, place("*1R"))
    assert match.state["centre"][0].tolist() == [RED, ORANGE, -1, -1, YELLOW, -1]
    assert match.state["centre_used"][0] == 1 << RED | 1 << ORANGE | 1 << YELLOW


def test_the_wild_colour_on_the_centre_star() -> None:
    """C5, C4: the wild colour is placed for its own tiles only; other colours may be paid with it."""
    match = position(Seat("PPPPG"))
    assert wilds_for(match, "*4P") == [0]
    assert wilds_for(match, "*4G") == [3]
    assert wilds_for(match, "*5P") == []
    assert wilds_for(match, "*5G") == [4]
    do(match, place("*4P"))
    assert (hand(match, 0), pile(match, "tower")) == ("G", "PPP")
    assert match.state["centre"][0][3] == PURPLE


def test_a_full_centre_star_is_closed() -> None:
    """C5: with six colours in it nothing can be placed there, and a filled space is never filled again."""
    match = position(Seat("OOOOOO", board=f"{spaces('*')} O1 O4"))
    assert legal_plays(match) == [place("O2"), place("O3"), place("O5"), place("O6")]


@pytest.mark.parametrize(
    ("board", "space", "points"),
    [
        ("", "R3", 1),
        ("R2", "R3", 2),
        ("R4", "R3", 2),
        ("R1 R2", "R3", 3),
        ("R2 R4", "R3", 3),
        ("R1 R5", "R3", 1),
        ("R1 R2 R4 R5", "R3", 5),
        ("R6", "R1", 2),
        ("R1", "R6", 2),
        ("R5 R6 R2", "R1", 4),
        ("R4 R5 R6 R2 R3", "R1", 6),
        ("R1 R2 R3 R5 R6", "R4", 6),
        ("R1 R2 R3 R4", "R5", 5),
        ("R1 R2 R4", "R5", 2),
        ("O1 O2 O3 O4 O5 O6 B1 B2 B3 B4 B5 B6 *1 *2 *4 *5", "R3", 1),
        ("*6O *2R *3B", "*1Y", 4),
    ],
)
def test_points_for_a_tile(board: str, space: str, points: int) -> None:
    """C6: the tile and all that are connected to it along its own star's ring, on both sides, six at most."""
    _, n, colour = parse(space)
    match = position(Seat(LETTERS[colour] * n, board))
    do(match, place(space))
    assert match.scores[0] == 5 + points
    assert match.breakdown(0) == {"placements": points, "stars": 0, "numbers": 0, "losses": 0}


@each_colour
def test_points_are_the_same_on_all_stars(colour: int) -> None:
    """C6: a ring filled in order is worth 1 + 2 + ... + 6."""
    points = []
    for star in (LETTERS[colour], "*"):
        match = position(passed=[1], round_number=2)
        for n in range(1, 7):
            space = f"{star}{n}"
            before = match.scores[0]
            swap_hand(match, LETTERS[parse(space)[2]] * n)
            do(match, place(space))
            points.append(match.scores[0] - before)
            while match.state["picks"]:
                do(match, legal(match)[0])
    assert points == [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]


STRUCTURES = """
pillar O2 O3 *6 *1
pillar R2 R3 *1 *2
pillar B2 B3 *2 *3
pillar Y2 Y3 *3 *4
pillar G2 G3 *4 *5
pillar P2 P3 *5 *6
statue O1 O2 R3 R4
statue R1 R2 B3 B4
statue B1 B2 Y3 Y4
statue Y1 Y2 G3 G4
statue G1 G2 P3 P4
statue P1 P2 O3 O4
window O5 O6
window R5 R6
window B5 B6
window Y5 Y6
window G5 G6
window P5 P6
"""
"""The table of side A, written out."""
EARNED = {RULEBOOK: {"pillar": 1, "statue": 2, "window": 3}, DIGEST: {"pillar": 2, "statue": 2, "window": 3}}


@both
@pytest.mark.parametrize("structure", STRUCTURES.strip().splitlines())
def test_enclosing_a_structure(structure: str, rules: AzulRules) -> None:
    """C7, side A: whichever of its spaces is filled last earns the tiles; none of those before does."""
    kind, *ring = structure.split()
    for last in ring:
        _, n, colour = parse(last)
        others = [space for space in ring if space != last]
        match = position(Seat(LETTERS[colour] * n, " ".join(others)), rules=rules)
        do(match, place(last))
        assert match.state["picks"] == EARNED[rules][kind]
        if len(others) > 1:
            match = position(Seat(LETTERS[colour] * n, " ".join(others[1:])), rules=rules)
            do(match, place(last))
            assert (match.state["picks"], match.current_player) == (0, 1)


def test_the_structures_of_side_a() -> None:
    """C7, side A: 18 structures, 60 incidences, no others; every star has the spaces 1..6 once."""
    kinds = ("pillar", "statue", "window")
    expected = set()
    for line in STRUCTURES.strip().splitlines():
        kind, *ring = line.split()
        expected.add((kind, frozenset(6 * star + n - 1 for star, n, _ in map(parse, ring))))
    side = SIDES["A"]
    assert {(kinds[kind], frozenset(ring)) for kind, ring in side.structures} == expected
    assert (len(side.structures), sum(len(ring) for _, ring in side.structures)) == (18, 60)
    assert side.numbers == (1, 2, 3, 4, 5, 6) * 7


def test_side_a_on_the_plane() -> None:
    """Side A, for drawing: a structure's spaces are those nearest to where it lies (angles clockwise from the top)."""

    def towards(degrees: float, distance: float, start: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
        angle = math.radians(degrees)
        return start[0] + distance * math.sin(angle), start[1] + distance * math.cos(angle)

    star_angles = (330, 30, 90, 150, 210, 270)
    where: dict[int, tuple[float, float]] = {}
    for k, turn in enumerate((90, 150, 210, 270, 330, 30)):
        for star, angle in enumerate(star_angles):
            where[6 * star + k] = towards(angle + turn, 1.0, towards(angle, 3.0))
        where[6 * CENTRE_STAR + k] = towards(60 * k, 1.0)
    middles = [(0, 1.5), (30, 1.5 * math.sqrt(3)), (0, 4.5)]  # pillar, statue, window of the star at 0 degrees
    for kind, ring in SIDES["A"].structures:
        star = min(ring) // 6 if kind != 1 else next(space // 6 for space in ring if space % 6 == 0)
        turn, distance = middles[kind]
        middle = towards(star_angles[star] + turn, distance)
        near_first = sorted(where, key=lambda space: math.dist(where[space], middle))
        assert set(near_first[: len(ring)]) == set(ring)


def test_side_a_after_a_turn_by_60_degrees() -> None:
    """Side A: turned by one star, centre spaces with it, the structures are the same."""

    def turned(space: int) -> int:
        star, k = divmod(space, 6)
        return 6 * ((star + 1) % 6) + k if star < CENTRE_STAR else 6 * CENTRE_STAR + (k + 1) % 6

    structures = {(kind, frozenset(ring)) for kind, ring in SIDES["A"].structures}
    assert {(kind, frozenset(map(turned, ring))) for kind, ring in structures} == structures


@pytest.mark.parametrize(
    ("board", "space", "rulebook", "digest"),
    [
        ("O3 *6 *1 O1 R3 R4", "O2", 3, 4),  # a pillar and a statue
        ("O2 *6 *1 P1 P2 O4", "O3", 3, 4),  # a pillar and a statue
        ("O2 O3 *6 R2 R3 *2", "*1O", 2, 4),  # two pillars
        ("O2 O3 *6 *1 R3 R4", "O1", 2, 2),  # the pillar paid before
    ],
)
def test_two_structures_at_once(board: str, space: str, rulebook: int, digest: int) -> None:
    """C8: the picks add up."""
    _, n, colour = parse(space)
    for rules, earned in ((RULEBOOK, rulebook), (DIGEST, digest)):
        match = position(Seat(LETTERS[colour] * n, board), rules=rules)
        do(match, place(space))
        assert match.state["picks"] == earned


def test_picks() -> None:
    """C8: at once, one by one, compulsory, of any colour that is there, wild included; they join the hand."""
    match = position(Seat("OOOOOO", "O5"), supply="ORRBBBYGPP")
    do(match, place("O6"))  # a window: three tiles
    assert (match.current_player, match.state["picks"]) == (0, 3)
    assert legal(match) == [Pick(colour) for colour in range(6)]
    do(match, Pick(ORANGE))
    assert (match.current_player, hand(match, 0), pile(match, "supply")) == (0, "O", "RRBBBYGPP")
    assert legal(match) == [Pick(colour) for colour in range(1, 6)]
    do(match, Pick(PURPLE))
    assert (match.current_player, hand(match, 0), pile(match, "supply")) == (0, "OP", "RRBBBYGP")
    do(match, Pick(PURPLE))
    assert (match.current_player, hand(match, 0), match.state["picks"]) == (1, "OPP", 0)
    assert len(pile(match, "supply")) == 10
    assert match.scores == [7, 5]  # picks earn no points


def test_picks_are_for_the_next_turn() -> None:
    """C8: the turn ends with the last pick; the tiles can be placed in the next one."""
    match = position(Seat("OOOOOO", "O5"), Seat("R"), supply="ORRBBBYGPP")
    do(match, place("O6"), Pick(BLUE), Pick(BLUE), Pick(PURPLE))
    assert match.current_player == 1
    do(match, place("R1"))
    assert (match.current_player, wilds_for(match, "B3")) == (0, [1])
    do(match, place("B3", wilds=1))
    assert hand(match, 0) == ""


@pytest.mark.parametrize(("supply", "owed"), [("", 0), ("G", 1), ("GP", 2), ("GGP", 3), ("GGGGPP", 3)])
def test_picks_lapse_when_the_supply_is_short(supply: str, owed: int) -> None:
    """C8: owed are the smaller of earned and present; the rest lapses, with an empty supply the turn ends at once."""
    match = position(Seat("OOOOOO", "O5"), supply=supply)
    do(match, place("O6"))  # a window: three tiles
    for left in range(owed, 0, -1):
        assert (match.current_player, match.state["picks"]) == (0, left)
        assert drawn(match) == ""
        do(match, legal(match)[0])
    assert (match.current_player, match.state["picks"], len(hand(match, 0))) == (1, 0, owed)
    assert len(pile(match, "supply")) == 10  # C9


def test_picks_of_two_structures_lapse_together() -> None:
    """C8: the sum that is earned is compared once with the supply."""
    match = position(Seat("OO", "O3 *6 *1 O1 R3 R4"), supply="GG")
    do(match, place("O2"))  # three tiles
    assert match.state["picks"] == 2


def test_a_structure_pays_once() -> None:
    """C8: with its window closed the star's other spaces earn nothing."""
    match = position(Seat("OOOO", "O5 O6"))
    do(match, place("O4"))
    assert (match.state["picks"], match.current_player) == (0, 1)


def test_supply_is_filled_after_every_turn() -> None:
    """C9: after a placement, after the picks and after a pass, before the next player."""
    match = position(Seat("OOOOOO", "O5"), Seat("RR"), supply="OORRBBYYG")
    draws(match, "PYGBR")
    do(match, place("O6"))
    assert pile(match, "supply") == "OORRBBYYG"  # not before the picks
    do(match, Pick(ORANGE))
    assert pile(match, "supply") == "ORRBBYYG"  # nor between them
    do(match, Pick(ORANGE), Pick(RED))
    assert (pile(match, "supply"), match.current_player) == ("RBBBYYYGGP", 1)
    assert match.pending_chance == 1

    match = position(Seat("R"), Seat("RR"), supply="OORRBBYYG")
    draws(match, "P")
    do(match, place("R1"))
    assert pile(match, "supply") == "OORRBBYYGP"

    match = position(Seat("R"), Seat("RR"), supply="OORRBBYYG")
    draws(match, "P")
    do(match, Pass())
    assert (pile(match, "supply"), match.current_player) == ("OORRBBYYGP", 1)


def test_supply_is_filled_from_the_tower() -> None:
    """C9, A7: tiles just paid may come straight back."""
    match = short_of_tiles(Seat("OOOORRRRBBBBYYYYGGGG"), supply="PPPP", tower="")
    do(match, place("R4"))
    assert (pile(match, "supply"), pile(match, "tower"), match.current_player) == ("RRRPPPP", "", 1)


def test_supply_before_displays() -> None:
    """C9, E1: after the last pass of a round the supply comes first."""
    match = position(Seat(), Seat(), passed=[0], player=1, supply="OOOOOOOO")
    draws(match, "BBRRRRGGGG")
    do(match, Pass())
    assert pile(match, "supply") == "OOOOOOOOBB"
    assert [source(match, 0), source(match, 1)] == ["RRRR", "GGGG"]
    assert len(drawn(match)) == 22


def test_nothing_is_drawn_after_the_last_pass() -> None:
    """C9: of round 6; after the passes before it the supply is still filled."""
    match = position(Seat(), Seat(), round_number=6, supply="OOOOOOOO")
    do(match, Pass())
    assert len(drawn(match)) == 2
    match = position(Seat(), Seat(), passed=[0], player=1, round_number=6, supply="OOOOOOOO")
    do(match, Pass())
    assert match.is_over
    assert (drawn(match), pile(match, "supply")) == ("", "OOOOOOOO")
    assert not match.state["displays"].any()


# --- D. Passing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [RULEBOOK, DIGEST, NO_GIFTS], ids=["rulebook", "digest", "no gifts"])
def test_passing_is_always_allowed(rules: AzulRules) -> None:
    """D1: with a placement possible and without; who has passed has no more turns in the round."""
    match = position(Seat("OORR"), Seat("GGG", "G1 G2 G3 *1Y *2O *3R"), rules=rules)
    assert place("O1") in legal(match)
    do(match, Pass())
    assert (kept(match, 0), match.current_player, legal_plays(match)) == ("OORR", 1, [])
    do(match, Pass())
    assert in_phase(match) == (2, ACQUIRE)
    assert match.scores == [5, 5]


def test_up_to_four_tiles_are_kept() -> None:
    """D2, G1: with more, tiles are given up to the tower first, at a point each."""
    match = position(Seat("OOORRP", score=9))
    assert Pass() not in legal(match)
    do(match, GiveUp(RED))
    assert Pass() not in legal(match)
    do(match, GiveUp(PURPLE), Pass())
    assert (kept(match, 0), hand(match, 0), pile(match, "tower")) == ("OOOR", "", "RP")
    assert (match.scores[0], match.breakdown(0)["losses"]) == (7, 2)


def test_what_is_given_up_costs_nothing_at_one_point() -> None:
    """D2, A4: three tiles given up with two points cost one."""
    match = position(Seat("OOORRRR", score=2))
    do(match, GiveUp(RED), GiveUp(RED), GiveUp(RED), Pass())
    assert (match.scores[0], match.breakdown(0)["losses"]) == (1, 3 + 1)


def test_fewer_than_four_may_be_kept() -> None:
    """D2: at a point for each tile given up; by default."""
    match = position(Seat("OOR", score=9))
    do(match, GiveUp(ORANGE), GiveUp(RED))
    assert legal(match) == [GiveUp(ORANGE), Pass()]
    do(match, Pass())
    assert (kept(match, 0), match.scores[0]) == ("O", 7)


def test_fewer_than_four_may_not_be_kept_without_voluntary_give_ups() -> None:
    """D2, G1: with ``voluntary_give_ups`` off tiles are given up only while more than four are in hand."""
    match = position(Seat("OORP"), rules=NO_GIFTS)
    assert [move for move in legal(match) if isinstance(move, GiveUp)] == []
    assert Pass() in legal(match)

    match = position(Seat("OORPPP"), rules=NO_GIFTS)
    assert [move for move in legal(match) if isinstance(move, GiveUp)] == [GiveUp(ORANGE), GiveUp(RED), GiveUp(PURPLE)]
    assert place("O2") in legal(match)
    do(match, GiveUp(PURPLE))
    assert legal(match) == [GiveUp(ORANGE), GiveUp(RED), GiveUp(PURPLE)]
    do(match, GiveUp(PURPLE))
    assert legal(match) == [Pass()]
    do(match, Pass())
    assert (kept(match, 0), match.scores[0]) == ("OORP", 3)


@pytest.mark.parametrize("rules", [RULEBOOK, DIGEST, NO_GIFTS], ids=["rulebook", "digest", "no gifts"])
def test_with_no_tiles_the_pass_is_all(rules: AzulRules) -> None:
    """D3: an explicit action, also after the last tile was placed or given up."""
    match = position(Seat(), Seat("R"), rules=rules)
    assert legal(match) == [Pass()]
    do(match, Pass(), place("R1"))
    assert (match.current_player, legal(match)) == (1, [Pass()])

    match = position(Seat("R"))
    do(match, GiveUp(RED))
    assert (match.current_player, legal(match)) == (0, [Pass()])


def test_kept_tiles_lie_apart() -> None:
    """D4: until the next phase 2 begins, when they join the tiles drafted meanwhile."""
    match = position(Seat("OORP"), Seat())
    do(match, Pass(), Pass())
    assert (in_phase(match), kept(match, 0), hand(match, 0)) == ((2, ACQUIRE), "OORP", "")

    match = position(Seat(kept="OORP"), Seat(kept="G"), round_number=2, displays=["RRRB"])
    do(match, Draft(0, RED))
    assert (kept(match, 0), hand(match, 0)) == ("OORP", "RRR")
    do(match, Draft(CENTRE, BLUE))
    assert [hand(match, 0), hand(match, 1)] == ["OORRRRP", "BG"]
    assert [kept(match, 0), kept(match, 1)] == ["", ""]


def test_round_6_is_passed_like_any_other() -> None:
    """D5, F3: up to four tiles are kept, and cost points after the bonuses; they stay in the corners."""
    match = position(Seat("OOORR", score=20), Seat(score=20), round_number=6)
    assert Pass() not in legal(match)
    do(match, GiveUp(RED), Pass())
    assert (match.scores[0], kept(match, 0)) == (19, "OOOR")
    do(match, Pass())
    assert (match.is_over, match.scores[0], kept(match, 0)) == (True, 15, "OOOR")


# --- E. Round end ----------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("round_number", range(1, 6))
def test_the_next_round(round_number: int, rules: AzulRules) -> None:
    """E1: next wild colour, full displays, marker in the centre, its holder begins."""
    match = position(Seat("OO"), Seat(), Seat(), round_number=round_number, marker=1, starter=0, rules=rules)
    do(match, Pass(), Pass(), Pass())
    state = match.state
    assert in_phase(match) == (round_number + 1, ACQUIRE)
    assert state["wild"] == WILD[round_number + 1]
    assert state["displays"].sum(1).tolist() == [4] * 7 + [0] * 3
    assert (state["marker"], state["starter"], match.current_player) == (-1, 1, 1)
    assert (state["passed"], kept(match, 0), match.scores) == (0, "OO", [5, 5, 5])


def all_of(*numbers: int) -> str:
    """The spaces of these numbers on all seven stars; on the centre star in the colours of its numbers."""
    return " ".join(f"{star}{n}" for star in STARS for n in numbers)


@both
def test_numbers_pay_each_round_in_the_digest(rules: AzulRules) -> None:
    """E2: at the end of the round of their completion, once; in the rulebook they pay at the end of the game (F2)."""
    at_once = rules is DIGEST
    board = all_of(1, 2).replace("O2", "").strip()
    match = position(Seat("OO", board), Seat(), rules=rules, supply="")
    do(match, place("O2"))
    while match.state["picks"]:
        do(match, legal(match)[0])
    before = match.scores[0]
    do(match, Pass())
    assert (match.scores[0], match.breakdown(0)["numbers"]) == (before, 0)  # not yet: seat 0 may go on
    give_everything_up_and_pass(match)
    numbers = []
    while not match.is_over:
        numbers.append(match.breakdown(0)["numbers"])
        draft_all(match)
        give_everything_up_and_pass(match)
        give_everything_up_and_pass(match)
    assert numbers == [12 if at_once else 0] * 5
    assert match.breakdown(0)["numbers"] == 12


def test_numbers_completed_in_the_last_round() -> None:
    """E2 in the digest: pay at the end of the game; those that were paid before don't pay again."""
    match = position(Seat(board=all_of(1, 2), score=9, paid=(1,)), rules=DIGEST, round_number=6)
    do(match, Pass(), Pass())
    assert (match.breakdown(0)["numbers"], match.scores[0]) == (4 + 8, 9 + 8)


# --- F. Game end -----------------------------------------------------------------------------------------------------


def final(*seats: Seat, rules: AzulRules = RULEBOOK) -> Match:
    """The game's end, when all have passed in round 6."""
    match = position(*seats, rules=rules, round_number=6)
    for _ in range(match.players):
        do(match, Pass())
    assert match.is_over
    assert in_phase(match) == (6, OVER)
    return match


@both
@pytest.mark.parametrize(
    ("star", "points"), [("*", 12), ("R", 14), ("B", 15), ("Y", 16), ("O", 17), ("G", 18), ("P", 20)]
)
def test_complete_stars(star: str, points: int, rules: AzulRules) -> None:
    """F1: all six spaces of a star; with one missing there is nothing."""
    match = final(Seat(board=spaces(star)), Seat(board=spaces(star)[:-3]), rules=rules)
    assert match.scores == [5 + points, 5]
    assert match.breakdown(0) == {"placements": 0, "stars": points, "numbers": 0, "losses": 0}


@both
@pytest.mark.parametrize(("n", "points"), [(1, 4), (2, 8), (3, 12), (4, 16), (5, 0), (6, 0)])
def test_complete_numbers(n: int, points: int, rules: AzulRules) -> None:
    """F2: all seven spaces of a number, the centre star's among them; 5 and 6 give nothing."""
    match = final(Seat(board=all_of(n)), Seat(board=all_of(n)[:-3]), rules=rules)
    assert match.scores == [5 + points, 5]
    assert match.breakdown(0)["numbers"] == points


@both
def test_stars_and_numbers_add_up(rules: AzulRules) -> None:
    """F1, F2: a full board has 112 for its stars and 40 for its numbers."""
    match = final(Seat(board=FULL), rules=rules)
    assert match.breakdown(0) == {"placements": 0, "stars": 112, "numbers": 40, "losses": 0}
    assert match.scores == [157, 5]


@both
@pytest.mark.parametrize(
    ("seat", "score"),
    [
        (Seat("OOOO", score=20), 16),
        (Seat("OP", score=20), 18),
        (Seat("OOOO", score=3), 1),
        (Seat("OOOO", spaces("R"), score=1), 1 + 14 - 4),
        (Seat("OOOO", all_of(1), score=2), 2 + 4 - 4),
        (Seat("OOOO", all_of(1), score=1), 1),
    ],
)
def test_tiles_still_kept(seat: Seat, score: int, rules: AzulRules) -> None:
    """F3: cost a point each, after the bonuses, with the floor at 1."""
    match = final(seat, rules=rules)
    assert match.scores[0] == score


def test_highest_score_wins() -> None:
    """F4, H2: a tie is a shared victory; places are 1 + the number of players with a higher score."""
    match = final(Seat(score=30), Seat(board=spaces("P"), score=10), Seat(score=29), Seat(score=31))
    assert match.scores == [30, 30, 29, 31]
    assert results.places(np.array([match.scores])).tolist() == [[2, 2, 4, 1]]
    match = final(Seat(score=30), Seat(score=12), Seat(board=spaces("P"), score=10))
    assert results.places(np.array([match.scores])).tolist() == [[1, 3, 1]]
    assert match.returns() == [0.5, -1.0, 0.5]


@both
def test_a_full_board_is_worth_304_points(rules: AzulRules) -> None:
    """C2, C6, C7, F1, F2, side A: 5 + 147 + 112 + 40; it costs 147 tiles and earns 36, in the digest 42."""

    def points(order: tuple[int, ...]) -> int:
        """C6, for a star that is filled in this order."""
        total = 0
        for k, n in enumerate(order):
            chain, waiting = {n}, set(order[:k])
            while joined := {m for m in waiting if any((m - c) % 6 in (1, 5) for c in chain)}:
                chain |= joined
                waiting -= joined
            total += len(chain)
        return total

    order = max(permutations(range(1, 7)), key=points)
    match = position(passed=[1], round_number=6, rules=rules)
    paid = picked = 0
    for star in STARS:
        for n in order:
            tiles = LETTERS[parse(f"{star}{n}")[2]] * n
            swap_hand(match, tiles)
            do(match, place(f"{star}{n}"))
            paid += len(tiles) - len(hand(match, 0))
            while match.state["picks"]:
                do(match, Pick(int(match.state["supply"].argmax())))
                picked += 1
    swap_hand(match, "")
    do(match, Pass())
    assert match.is_over
    assert (paid, picked) == (147, 36 if rules is RULEBOOK else 42)
    assert match.breakdown(0) == {"placements": 147, "stars": 112, "numbers": 40, "losses": 0}
    assert match.scores == [304, 5]


# --- G. Actions ------------------------------------------------------------------------------------------------------


def test_action_table() -> None:
    """The action table: 325 ids, each formula as the table says, none twice."""
    table: dict[int, Action] = {}
    for origin in range(10):
        for colour in range(6):
            table[origin * 6 + colour] = Draft(origin, colour)
    for n in range(1, 7):
        for k in range(n):
            for colour in range(6):
                table[60 + 21 * colour + n * (n - 1) // 2 + k] = Play(colour, n, colour, k)
                table[186 + 6 * (n * (n - 1) // 2) + n * colour + k] = Play(CENTRE_STAR, n, colour, k)
    for colour in range(6):
        table[312 + colour] = Pick(colour)
        table[318 + colour] = GiveUp(colour)
    table[324] = Pass()
    assert NUM_ACTIONS == 325
    assert sorted(table) == list(range(325))
    assert [decode(action) for action in range(325)] == [table[action] for action in range(325)]
    assert [encode(table[action]) for action in range(325)] == list(range(325))
    kinds = Counter(type(move).__name__ for move in table.values())
    assert kinds == {"Draft": 60, "Play": 252, "Pick": 6, "GiveUp": 6, "Pass": 1}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_numbering_for_all(players: int) -> None:
    """The action table: the centre is source 9 whatever the number of players; ids out of range are refused."""
    match = azul_v0.new_game(seed=7, num_players=players)
    assert match.num_actions == 325
    do(match, legal(match)[0])
    sources = {move.source for move in legal(match) if isinstance(move, Draft)}
    assert sources == {*range(1, 2 * players + 1), 9}
    for action in (-1, 325):
        with pytest.raises(InputError, match="must be an integer from 0 to 324"):
            match.apply(action)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Draft(2, RED), "take red from display 3"),
        (Draft(CENTRE, PURPLE), "take purple from the centre"),
        (place("B3"), "place on space 3 of the blue star for 3 blue"),
        (place("*4R", wilds=1), "place a red tile on space 4 of the centre star for 3 red and 1 wild"),
        (Pick(GREEN), "pick green from the supply"),
        (GiveUp(YELLOW), "give up a yellow tile"),
        (Pass(), "pass"),
    ],
)
def test_actions_in_words(move: Action, words: str) -> None:
    """The action table: an id says what it means."""
    assert describe(encode(move)) == words


def test_after_a_give_up_only_give_ups_and_the_pass() -> None:
    """G1: the turn goes on and ends with the pass; meanwhile the supply isn't filled and nothing can be placed."""
    match = position(Seat("OOORRP"), Seat("BB"), supply="OORRBBYYG")
    assert place("O1") in legal(match)
    do(match, GiveUp(ORANGE))
    assert legal(match) == [GiveUp(ORANGE), GiveUp(RED), GiveUp(PURPLE)]
    do(match, GiveUp(PURPLE))
    assert legal(match) == [GiveUp(ORANGE), GiveUp(RED), Pass()]
    assert (match.current_player, pile(match, "supply"), pile(match, "tower")) == (0, "OORRBBYYG", "OP")
    do(match, Pass())
    assert (match.current_player, len(pile(match, "supply"))) == (1, 10)
    assert place("B1") in legal(match)  # the next player's turn is free


def test_give_ups_are_legal_at_any_turn() -> None:
    """G1: also with four tiles or fewer, but not in phase 1 and not while picks are owed."""
    match = position(Seat("OOOOOOR", "O5"), Seat("G"))
    assert GiveUp(RED) in legal(match)
    do(match, place("O6"))
    assert [move for move in legal(match) if not isinstance(move, Pick)] == []
    do(match, Pick(RED), Pick(RED), Pick(BLUE))
    assert GiveUp(GREEN) in legal(match)
    match = position(Seat("OOOOOO"), displays=["RRRR"])
    assert legal(match) == [Draft(0, RED)]


def test_after_the_end_nothing_is_legal() -> None:
    """G2: no action, no seat to act."""
    match = final(Seat(), Seat())
    assert (match.legal_actions(), match.current_player, int(match.action_mask().sum())) == ([], None, 0)
    with pytest.raises(IllegalActionError, match="after the end"):
        match.apply(encode(Pass()))


def test_illegal_actions_are_refused() -> None:
    """G2: whatever isn't legal raises and changes nothing."""
    match = position(Seat("OORP"), Seat("B"))
    before = fields(match)
    for action in set(range(NUM_ACTIONS)) - set(match.legal_actions()):
        with pytest.raises(IllegalActionError):
            match.apply(action)
    assert fields(match) == before


# --- H. Rewards and result -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ([9, 7], [1, -1]),
        ([7, 9], [-1, 1]),
        ([9, 9], [0, 0]),
        ([9, 8, 7], [1, 0, -1]),
        ([9, 9, 7], [0.5, 0.5, -1]),
        ([7, 9, 7], [-0.5, 1, -0.5]),
        ([5, 6, 7, 8], [-1, -1 / 3, 1 / 3, 1]),
        ([8, 8, 8, 9], [-1 / 3, -1 / 3, -1 / 3, 1]),
        ([8, 8, 8, 8], [0, 0, 0, 0]),
    ],
)
def test_rewards_by_place(scores: list[int], rewards: list[float]) -> None:
    """H1: (players you beat - players who beat you) / (players - 1); they sum to 0, and are 0 until the end."""
    seats = [Seat(score=score) for score in scores]
    assert position(*seats).returns() == [0] * len(seats)
    match = final(*seats)
    assert match.returns() == pytest.approx(rewards)
    assert sum(match.returns()) == pytest.approx(0)


def play_env(reward: str, players: int) -> tuple[Any, dict[str, float]]:
    """A game of an environment to its end, at random; and the sum of each agent's rewards."""
    rng = random.Random(8)
    env = azul_v0.raw_env(num_players=players, reward=reward, reward_scale=1)
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
    """H1: the margin to the best opponent, or each change of the own score, end bonuses included."""
    env, total = play_env("margin", players)
    scores = {agent: info["score"] for agent, info in env.infos.items()}
    for agent, points in total.items():
        assert points == scores[agent] - max(score for other, score in scores.items() if other != agent)
    env, total = play_env("dense", players)
    assert total == {agent: info["score"] - 5 for agent, info in env.infos.items()}


def test_reward_for_an_illegal_action() -> None:
    """H1: -1 for the one who plays it, 0 for the others."""
    env = azul_v0.raw_env(num_players=3)
    env.reset(seed=9)
    env.step(encode(Pass()))
    assert env.rewards == {"player_0": -1, "player_1": 0, "player_2": 0}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_result_in_info(players: int) -> None:
    """H2: final scores, places, and the breakdown, which adds up."""
    env, _ = play_env("place", players)
    scores = [info["score"] for info in env.infos.values()]
    assert len(scores) == players
    for info in env.infos.values():
        assert info["place"] == 1 + sum(score > info["score"] for score in scores)
        assert info["score"] == 5 + info["placements"] + info["stars"] + info["numbers"] - info["losses"]


def test_losses_are_those_after_the_floor() -> None:
    """H2, A4: what the floor saved isn't counted as lost."""
    match = position(Seat("OOOO", score=7), Seat(score=5), round_number=6, displays=[], centre="")
    do(match, GiveUp(ORANGE), Pass(), Pass())
    assert match.breakdown(0) == {"placements": 2, "stars": 0, "numbers": 0, "losses": 4}
    match = final(Seat("OOOO", score=7), Seat("GGGG", score=5))
    assert (match.breakdown(1)["losses"], match.scores[1]) == (4, 1)
    match = final(Seat("OOOO", score=3))
    assert (match.breakdown(0)["losses"], match.scores[0]) == (4, 1)  # 2 before, 2 of the 4


# --- Rules fields ----------------------------------------------------------------------------------------------------


def test_presets() -> None:
    """Rules fields: the rulebook is the default; the digest differs in four places."""
    assert AzulRules() == RULEBOOK
    assert azul_v0.new_game(seed=0).rules == RULEBOOK
    rulebook, digest = RULEBOOK.as_dict(), DIGEST.as_dict()
    assert {name: (rulebook[name], digest[name]) for name in rulebook if rulebook[name] != digest[name]} == {
        "pillar_tiles": (1, 2),
        "token_penalty_cap": (None, 4),
        "centre_closed_at_floor": (False, True),
        "number_bonus_each_round": (False, True),
    }
    assert (RULEBOOK.statue_tiles, RULEBOOK.window_tiles) == (2, 3)
    assert (RULEBOOK.voluntary_give_ups, RULEBOOK.side) == (True, "A")


@pytest.mark.parametrize(
    ("field", "value"),
    [("pillar_tiles", -1), ("token_penalty_cap", 1.5), ("centre_closed_at_floor", 1), ("side", "B"), ("side", "C")],
)
def test_fields_are_checked(field: str, value: Any) -> None:
    """Rules fields: a value that isn't allowed is refused, side B (not implemented) among them."""
    with pytest.raises(InputError, match=field):
        AzulRules(**{field: value})


# --- I. Chance -------------------------------------------------------------------------------------------------------

CHI_SQUARE_BOUND = {5: 35.9, 11: 48.9}
"""By degrees of freedom: what chi-square exceeds once in a million times if the draws are fair."""


def sample(match: Match, games: int) -> Counter[str]:
    """What is drawn when the player passes, counted over so many streams of chance."""
    state = match.get_state()
    observed: Counter[str] = Counter()
    for seed in range(games):
        match.set_state(state)
        match.redeterminise(seed)
        match.apply(encode(Pass()))
        observed[drawn(match)] += 1
    return observed


def test_every_tile_in_the_bag_is_equally_likely() -> None:
    """I1: one tile drawn from a bag with 1, 2, ... 6 tiles of the colours."""
    bag = "ORRBBBYYYYGGGGGPPPPPP"
    observed = sample(position(supply="OORRBBYYG", bag=bag), 4200)
    assert chi_square(observed, Counter(bag)) < CHI_SQUARE_BOUND[5]


def test_every_order_of_the_bag_is_equally_likely() -> None:
    """I1: four tiles drawn one after the other, without putting back: twelve orders of OORB."""
    orders = {"".join(order): 1 for order in permutations("OORB")}
    assert len(orders) == 12
    observed = sample(position(supply="RRBBYG", bag="OORB"), 3600)
    assert chi_square(observed, orders) < CHI_SQUARE_BOUND[11]


def test_the_set_up_is_fair() -> None:
    """I1: the first tile and the last over the games of consecutive seeds."""
    games = [drawn(azul_v0.new_game(seed)) for seed in range(1200)]
    for k in (0, 29):
        observed = Counter(game[k] for game in games)
        assert chi_square(observed, dict.fromkeys(LETTERS, 1)) < CHI_SQUARE_BOUND[5]


def public(match: Match) -> dict[str, Any]:
    """The state without the generator."""
    return {name: value for name, value in fields(match).items() if name != "rng"}


def test_draws_are_the_only_chance() -> None:
    """I1: with the tiles drawn and the actions given, another seed makes the same game; each tile drawn counts once."""
    rng = random.Random(10)
    match = azul_v0.new_game(seed=10, num_players=3)
    while not match.is_over:
        match.apply(choose(match, rng))
    twin = azul_v0.new_game(seed=11, num_players=3, chance=match.chance)
    for action in match.actions:
        twin.apply(action)
    assert twin.pending_chance == 0
    assert public(twin) == public(match)


def test_the_order_of_the_bag_is_not_fixed_beforehand() -> None:
    """I2: any tile in the bag may come next, after redeterminise too; what is public stays."""
    match = position(Seat("O"), supply="OORRBBYYG", bag="RBBBG")
    seen = [match.observation(seat).tolist() for seat in range(2)]
    following = set()
    for seed in range(60):
        other = match.clone()
        other.redeterminise(seed)
        assert public(other) == public(match)
        assert [other.observation(seat).tolist() for seat in range(2)] == seen
        again = match.clone()
        again.redeterminise(seed)
        do(other, Pass())
        do(again, Pass())
        assert drawn(other) == drawn(again)
        following.add(drawn(other))
    assert following == {"R", "B", "G"}


@pytest.mark.parametrize(("tile", "there"), [("R", True), ("B", True), ("G", True), ("O", False), ("P", False)])
def test_only_tiles_in_the_bag_are_drawn(tile: str, there: bool) -> None:
    """I2: whichever tile of the bag is given, the game goes on with it; another is refused."""
    match = position(supply="OORRBBYYG", bag="RBBBG")
    before = fields(match)
    draws(match, tile)
    if there:
        do(match, Pass())
        assert (drawn(match), pile(match, "supply")) == (tile, spell(counts("OORRBBYYG" + tile)))
    else:
        with pytest.raises(InputError, match="impossible"):
            match.apply(encode(Pass()))
        assert fields(match) == before


def test_the_order_within_the_supply_does_not_matter() -> None:
    """I3: the same tiles drawn in another order make the same state."""
    states = []
    for order in permutations("RGB"):
        match = position(supply="OORRBBY")
        draws(match, "".join(order))
        do(match, Pass())
        states.append(fields(match))
    assert states == states[:1] * 6


# --- What holds in all games -----------------------------------------------------------------------------------------

RULE_SETS = (RULEBOOK, DIGEST, NO_GIFTS, AzulRules(pillar_tiles=3, statue_tiles=4, window_tiles=5))
EXAMPLES = settings(max_examples=20, deadline=None)

seeds = st.integers(0, 2**32)
tables = st.integers(2, 4)


def choose(match: Match, rng: random.Random) -> int:
    """A legal action: in phase 2 mostly a placement, for random play alone completes nothing."""
    actions = match.legal_actions()
    plays = [action for action in actions if 60 <= action < 312]
    return rng.choice(plays if plays and rng.random() < 0.9 else actions)


LONGEST_GAME = 4 * 42 + 6 * 4 + 2 * (6 * 36 + 4 * 72)
"""Placements, passes; drafts and picks (six structures of each kind a board), and all these tiles given up."""


@EXAMPLES
@given(seed=seeds, players=tables, rules=st.sampled_from(RULE_SETS))
def test_whole_games(seed: int, players: int, rules: AzulRules) -> None:
    """A1, A4, G2, H2: 132 tiles, no score below 1, the breakdown adds up, always a legal action, an end."""
    rng = random.Random(seed)
    match = azul_v0.new_game(seed, players, rules, start=rng.randrange(players))
    check(match)
    while not match.is_over:
        match.apply(choose(match, rng))
        check(match)
        assert len(match.actions) <= LONGEST_GAME
    assert in_phase(match) == (6, OVER)


@EXAMPLES
@given(seed=seeds, players=tables, rules=st.sampled_from(RULE_SETS), shift=st.integers(1, 3))
def test_seats_are_alike(seed: int, players: int, rules: AzulRules, shift: int) -> None:
    """A6, B1, C1: with another starting player the same moves make the same game, some seats further."""
    shift %= players
    rng = random.Random(seed)
    match = azul_v0.new_game(seed, players, rules)
    twin = azul_v0.new_game(seed, players, rules, start=shift)
    while not match.is_over:
        assert twin.current_player == ((match.current_player or 0) + shift) % players
        assert twin.legal_actions() == match.legal_actions()
        action = choose(match, rng)
        match.apply(action)
        twin.apply(action)
        assert np.roll(match.scores, shift).tolist() == twin.scores
    assert twin.is_over


def recoloured(state: Any, colours: Sequence[int]) -> Any:
    """A state with colour c everywhere replaced by ``colours[c]``, outer stars included."""
    twin = state.copy()
    for name in PILES:
        twin[name][..., list(colours)] = state[name]
    twin["wild"] = colours[int(state["wild"])]
    twin["offers"] = 0
    for origin, colour in np.argwhere(twin["displays"]).tolist():
        twin["offers"] |= np.uint64(1 << (6 * origin + colour))
    for seat in range(int(state["players"])):
        board = int(state["board"][seat])
        stars = sum((board >> 6 * star & 0b111111) << 6 * colours[star] for star in range(6))
        twin["board"][seat] = stars | board >> 36 << 36
        centre = state["centre"][seat].tolist()
        twin["centre"][seat] = [colours[c] if c >= 0 else -1 for c in centre]
        twin["centre_used"][seat] = sum(1 << colours[c] for c in centre if c >= 0)
    return twin


def recolour_action(action: int, colours: Sequence[int]) -> int:
    match decode(action):
        case Draft(origin, colour):
            return encode(Draft(origin, colours[colour]))
        case Play(star, n, colour, wilds):
            return encode(Play(star if star == CENTRE_STAR else colours[star], n, colours[colour], wilds))
        case Pick(colour):
            return encode(Pick(colours[colour]))
        case GiveUp(colour):
            return encode(GiveUp(colours[colour]))
        case Pass():
            return action


def assert_colours_are_alike(
    match: Match, colours: Sequence[int], rng: random.Random, while_: Callable[[Match], bool]
) -> None:
    """Plays on, and the same in other colours: the same is legal, and makes the same."""
    twin = match.clone()
    twin.set_state(recoloured(match.state, colours).tobytes())
    while while_(match):
        assert sorted(recolour_action(action, colours) for action in match.legal_actions()) == twin.legal_actions()
        action = choose(match, rng)
        happened = len(match.chance)
        match.apply(action)
        if not while_(match):
            break
        twin.give_chance([colours[c] for c in match.chance[happened:]])
        twin.apply(recolour_action(action, colours))
        expected = match.clone()
        expected.set_state(recoloured(match.state, colours).tobytes())
        assert public(twin) == public(expected)


@EXAMPLES
@given(seed=seeds, players=tables, rules=st.sampled_from(RULE_SETS), colours=st.permutations(range(6)))
def test_colours_are_alike_in_phase_1(seed: int, players: int, rules: AzulRules, colours: list[int]) -> None:
    """B2, B3, B4, B5: in phase 1 nothing tells the colours apart but which one is wild."""
    rng = random.Random(seed)
    match = azul_v0.new_game(seed, players, rules)
    assert_colours_are_alike(match, colours, rng, lambda match: bool(match.state["phase"] == ACQUIRE))


@EXAMPLES
@given(seed=seeds, players=tables, turn=st.integers(1, 5), round_number=st.integers(1, 6))
def test_stars_are_alike_without_pillars(seed: int, players: int, turn: int, round_number: int) -> None:
    """C2, C3, C4, C5, C6, side A: with pillars that earn nothing, a round is the same in colours some stars further."""
    rng = random.Random(seed)
    match = azul_v0.new_game(seed, players, AzulRules(pillar_tiles=0))
    while in_phase(match) != (round_number, PLAY):
        match.apply(choose(match, rng))
    colours = [(colour + turn) % 6 for colour in range(6)]
    assert_colours_are_alike(match, colours, rng, lambda match: in_phase(match) == (round_number, PLAY))
