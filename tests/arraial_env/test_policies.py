"""The scripted policies: greedy's documented order on spelt positions, and how well they play."""

from __future__ import annotations

from typing import Any

import pytest
from players import greedy, scores_of, scripted, stream
from streets import position

from arraial_env import ArraialRules, arraial_v0
from arraial_env.actions import Action, Discard, EndTurn, Place, Refill, Rotate, decode
from arraial_env.game import GAME


def decision(*arguments: Any, **fields: Any) -> Action:
    """What greedy does there."""
    match = position(*arguments, **fields)
    action = greedy(match)
    assert match.is_legal(action)
    return decode(action, 8, 14)


# --- What a placement is worth ---------------------------------------------------------------------------------------

TWO_LINES = ["BBBBBB..", "BBBBBB.."]


def test_greedy_makes_a_zone() -> None:
    """A visitor and a couple, three points, even higher up: a place lower down brings nothing."""
    street = ["RRRRRRy.", "RRRRRRy.", "RRRRRR..", "RRRRRR.."]
    assert decision("- YO -", street, owed=1, points=1) == Place(1, 5, 4)
    assert decision("- GS -", street, owed=1, points=1) != Place(1, 5, 4)


def test_greedy_counts_lines() -> None:
    """Two lines beat a visitor alone, and a visitor with a couple beats two lines."""
    street = ["........", "........", "gg......", "ggBBBB..", "BBBBBB.."]
    assert decision("YO GS -", street, ["GGGGGGGG"], couples="..1.", owed=1, points=1) == Place(0, 6, 0)
    assert decision("YO GS -", street, ["GGGGGGG."], couples="..1.", owed=1, points=1) == Place(1, 2, 2)


def test_greedy_counts_each_line() -> None:
    """Four with the upright I are worth more than a visitor and a couple."""
    street = ["BBBBBBB.", "BBBBBBB.", "BBBBBBB.", "BBBBBBB."]
    assert decision("YI - -", street, rotation=1, owed=1, points=1) == Place(0, 7, 0)
    street = ["yy......", "yy......", *street]
    assert decision("YI - -", street, rotation=1, owed=1, points=1, couples="1...") == Place(0, 7, 0)


def test_greedy_takes_a_couple_with_a_larger_zone_only() -> None:
    """C7: strictly larger; and its own is no gain again."""
    mine, theirs = ["YYYY...."], ["YYYYYYY."]
    assert decision("YO - -", mine, theirs, couples="1...", owed=0, points=1) == Place(0, 4, 0)
    assert decision("YO - -", mine, ["YYYYYYYY"], couples="1...", owed=0, points=1) == EndTurn()
    assert decision("YO - -", mine, theirs, couples="0...", owed=0, points=1) == EndTurn()


def test_greedy_gets_no_second_visitor() -> None:
    """C6: a zone that has one."""
    assert decision("YO - -", ["YYYY...."], couples="0...", owed=0, points=1) == EndTurn()
    assert decision("YO - -", ["yyyy...."], couples="0...", owed=0, points=1) == Place(0, 4, 0)


def test_greedy_spares_visitors_on_the_bar() -> None:
    """An O needs two rows, so that it costs the bar, which lies one row high, and the visitors on it."""
    street = [".....BBB"]
    fields = {"bars": (1, 8), "owed": 1, "points": 1}
    assert decision("YO YI -", street, waiting=0, **fields) == Place(0, 0, 0)
    assert decision("YO YI -", street, waiting=1, **fields) == Place(1, 0, 0)


def test_greedy_gives_visitors_away_for_more_points() -> None:
    """A visitor and a couple are three points."""
    street = ["....yyyy"]
    fields = {"bars": (1, 8), "owed": 0, "points": 1}
    assert decision("YO - -", street, waiting=2, **fields) == Place(0, 2, 0)
    assert decision("YO - -", street, waiting=3, **fields) == EndTurn()


def test_a_line_without_a_bar_is_nothing() -> None:
    """C8; C4: nor is one by the piece that costs the bar."""
    assert decision("YO - -", TWO_LINES, owed=0, points=1) == Place(0, 6, 0)
    assert decision("YO - -", TWO_LINES, bars=(-1, 8), owed=0, points=1) == EndTurn()
    assert decision("YO - -", TWO_LINES, bars=(1, 8), owed=0, points=1) == EndTurn()


@pytest.mark.parametrize(("points", "chosen"), [(0, Place(1, 2, 0)), (1, Place(1, 2, 0)), (2, Place(0, 2, 1))])
def test_couples_are_worth_what_the_rules_say(points: int, chosen: Action) -> None:
    """A visitor and a couple against the two lines of a red T on its head, which lies lower."""
    street = ["yy......", "yy......", "RR...RRR", "RRR.RRRR"]
    rules = ArraialRules(couple_points=points)
    assert decision("YO RT -", street, rules=rules, couples="...0", rotation=2, owed=1, points=1) == chosen


# --- Ties ------------------------------------------------------------------------------------------------------------


def test_first_the_lowest_row() -> None:
    """With a rotation even: the I upright in a gap rather than flat on top."""
    street = ["BBB.BBB.", "BBB.BBB.", "BBB.BBB.", "BBB.BBB."]
    assert decision("YI - -", street, owed=1, points=1) == Place(0, 0, 4)
    assert decision("YI - -", street, owed=1, points=2) == Rotate()
    assert decision("YI - -", street, rotation=1, owed=1, points=1) == Place(0, 3, 0)


def test_lower_is_the_corner_of_the_box() -> None:
    """In row 0 a piece of three rows lies as low as one of two."""
    assert decision("RT YO -", owed=1, points=1, rotation=1) == Place(0, 0, 0)


def test_then_the_fewest_rotations() -> None:
    """Upright beside the y it would be a zone too."""
    assert decision("- YI -", ["yy......", "yy......"], owed=1, points=3) == Place(1, 2, 0)


def test_then_the_lowest_id() -> None:
    """By slots, then columns."""
    assert decision("- YO YO", owed=1, points=3) == Place(1, 0, 0)
    assert decision("GS GZ -", owed=1, points=3) == Place(0, 0, 0)
    assert decision("YO YI RT", ["BB......", "BBB....."], owed=1, points=1) == Place(0, 3, 0)


# --- What can still be reached ---------------------------------------------------------------------------------------

WELL = ["BBBBBBB.", "BBBBBBB.", "BBBBBBB.", "BBBBBBB."]


def test_greedy_rotates_towards_the_best() -> None:
    """With a point left for the piece afterwards."""
    assert decision("YI - -", WELL, owed=0, points=2) == Rotate()
    assert decision("YI - -", WELL, owed=0, points=1) == EndTurn()
    assert decision("YI - -", WELL, owed=1, points=2) == Rotate()
    assert decision("YI - -", WELL, owed=1, points=1) == Place(0, 0, 4)
    assert decision("YI YI -", WELL, owed=2, points=2) == Place(0, 0, 4)
    assert decision("YI YI -", WELL, owed=2, points=3) == Rotate()


HOOK = ["RRRRR...", "RRRRR.RR"]
"""A blue L fits here after two quarter turns: its foot goes into column 5, its back over columns 5 to 7."""


def test_greedy_looks_two_rotations_ahead() -> None:
    match = position("BL - -", HOOK, owed=0, points=3)
    for expected in (Rotate(), Rotate(), Place(0, 5, 0)):
        assert decode(greedy(match), 8, 14) == expected
        match.apply(greedy(match))
    assert match.state["street"][0] == 2  # both rows; the phase has ended
    assert decision("BL - -", HOOK, owed=0, points=2) == Place(0, 5, 1)  # one row, as the table has it


def test_a_placement_that_brings_nothing_is_made_only_if_owed() -> None:
    assert decision("YO YI RT", owed=1, points=3) == Place(0, 0, 0)
    assert decision("YO YI -", ["........"], owed=0, points=2) == EndTurn()
    assert decision("YO - -", owed=0, points=1) == EndTurn()


def test_greedy_sees_as_its_seat_does() -> None:
    """Player 1 of two sits opposite (A6): the L lies on its back there without a rotation."""
    assert decision("BL - -", [], HOOK, owed=0, points=1, player=1) == Place(0, 5, 0)


# --- Cards -----------------------------------------------------------------------------------------------------------


def test_greedy_refills_with_the_first_card() -> None:
    for row in ("RL YO BJ", "YO RL -"):
        match = position("YI - GS", row=row, refilling=1, owed=0, points=0)
        assert decode(greedy(match), 8, 14) == Refill(0)


FULL = ["BBBBBBBB"] * 14


def test_greedy_discards_the_first_card_if_it_must() -> None:
    for slots, slot in (("YO GS RT", 0), ("- GS RT", 1), ("- - RT", 2)):
        assert decision(slots, FULL, bars=(-1, 8), owed=1, points=1) == Discard(slot)


def test_greedy_rotates_rather_than_discard() -> None:
    """Upright the I fits, though it brings nothing."""
    street = ["BBBBBBB."] * 4 + ["BBBBBBBB"] * 10
    assert decision("YI - -", street, bars=(-1, 8), owed=1, points=2) == Rotate()
    assert decision("YI - -", street, bars=(-1, 8), owed=1, points=1) == Discard(0)
    assert decision("YI - -", street, bars=(-1, 8), owed=0, points=2) == EndTurn()


# --- How well they play ----------------------------------------------------------------------------------------------


def test_greedy_plays_well() -> None:
    """At least 12 points in the mean of 500 games for two."""
    assert scores_of(GAME, "greedy", 2, 500).mean() >= 12


@pytest.mark.parametrize(("players", "mean"), [(1, 8.1), (2, 7.0)])
def test_random_play(players: int, mean: float) -> None:
    assert scores_of(GAME, "random", players, 2000).mean() == pytest.approx(mean, abs=0.3)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_greedy_plays_better_than_random(players: int) -> None:
    means = [scores_of(GAME, policy, players, 300).mean() for policy in ("random", "greedy")]
    assert means[1] > means[0] + 3


def test_greedy_beats_random() -> None:
    """From either seat, in nearly all of 100 games."""
    results = []
    for seed in range(100):
        match, choices = arraial_v0.new_game(seed), stream(seed)
        while (player := match.current_player) is not None:
            match.apply(scripted(match, "greedy" if player == seed % 2 else "random", choices))
        results.append(match.returns()[seed % 2])
    assert results.count(1.0) >= 95
