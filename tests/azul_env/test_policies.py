"""The scripted policies: greedy's documented order on spelt positions, and how well they play."""

from __future__ import annotations

import pytest
from azul_positions import FULL, G, O, P, R, phase_1, phase_2, spaces
from players import greedy, scores_of, scripted, stream

from azul_env import AzulRules, azul_v0
from azul_env.actions import Draft, GiveUp, Pass, Pick, Play, decode
from azul_env.game import GAME
from azul_env.geometry import CENTRE

# --- Greedy drafts ---------------------------------------------------------------------------------------------------


def test_greedy_avoids_the_loss() -> None:
    """The best immediate change of the score: tiles from the centre cost a point each, unless at the floor."""
    assert decode(greedy(phase_1("OBYG", centre="RRRRR"))) == Draft(0, O)
    assert decode(greedy(phase_1("OBYG", centre="RRRRR", score=1))) == Draft(CENTRE, R)


def test_greedy_drafts_for_the_best_placement() -> None:
    """Space 3 next to 1 and 2 is worth three points, so three orange are worth more than four red."""
    assert decode(greedy(phase_1("RRRR", "OOOB", board=spaces((O, 1), (O, 2))))) == Draft(1, O)


def test_greedy_counts_all_its_tiles() -> None:
    """In hand and kept, the wild ones and the one that comes along too."""
    board = spaces((O, 1), (O, 2))
    assert decode(greedy(phase_1("RRRR", "OBBB", board=board))) == Draft(0, R)
    assert decode(greedy(phase_1("RRRR", "OBBB", board=board, hand="OO"))) == Draft(1, O)
    assert decode(greedy(phase_1("RRRR", "OBBB", board=board, kept="OP"))) == Draft(1, O)
    assert decode(greedy(phase_1("RRRR", "OBBP", board=board, hand="O"))) == Draft(1, O)


def test_greedy_then_drafts_the_most_tiles() -> None:
    assert decode(greedy(phase_1("OOBG", "RRRG"))) == Draft(1, R)
    assert decode(greedy(phase_1("OOBG", "RRGP"))) == Draft(1, R)  # a wild one comes along
    assert decode(greedy(phase_1("OOGP", "RRBB", "YYYB"))) == Draft(0, O)  # three each: the lowest id


def test_greedy_drafts_a_wild_tile_where_there_is_nothing_else() -> None:
    assert decode(greedy(phase_1("PPPP"))) == Draft(0, P)


# --- Greedy plays ----------------------------------------------------------------------------------------------------


def test_greedy_places_for_most_points() -> None:
    assert decode(greedy(phase_2("OOOR", spaces((O, 1), (O, 2))))) == Play(O, 3, O, 0)


def test_greedy_then_earns_supply_tiles() -> None:
    """Two points on 2 next to 1 or on 6 next to 5: the latter closes the window."""
    board = spaces((O, 1), (R, 5))
    assert decode(greedy(phase_2("OORRRRRR", board))) == Play(R, 6, R, 0)


def test_greedy_then_pays_less() -> None:
    """Two points on 4 or on 2, next to 3."""
    assert decode(greedy(phase_2("OOOO", spaces((O, 3))))) == Play(O, 2, O, 0)


def test_greedy_then_saves_wild_tiles() -> None:
    assert decode(greedy(phase_2("OOPP", spaces((O, 3))))) == Play(O, 2, O, 0)
    assert decode(greedy(phase_2("OPPP", spaces((O, 3))))) == Play(O, 2, O, 1)


def test_greedy_then_takes_the_lowest_id() -> None:
    assert decode(greedy(phase_2("RG"))) == Play(R, 1, R, 0)


def test_greedy_picks_wild_tiles_first() -> None:
    assert decode(greedy(phase_2("GGGR", picks=2))) == Pick(P)


def test_greedy_then_picks_what_it_has_most_of() -> None:
    assert decode(greedy(phase_2("GGRRRB", picks=2, supply="OORRBBYYGG"))) == Pick(R)
    assert decode(greedy(phase_2("GG", picks=2, supply="OORRBBYY"))) == Pick(O)  # none of any: the lowest id


def test_greedy_gives_up_only_to_be_able_to_pass() -> None:
    """On a full board nothing scores."""
    assert decode(greedy(phase_2("OOORRGP", FULL))) == GiveUp(P)  # purple is the last to be wild again
    assert decode(greedy(phase_2("OOORRG", FULL))) == GiveUp(G)  # then what it has fewest of
    assert decode(greedy(phase_2("OOORRR", FULL))) == GiveUp(O)  # then the lowest id
    assert decode(greedy(phase_2("OOOR", FULL))) == Pass()
    assert decode(greedy(phase_2("OOORG", spaces((O, 1))))) == Play(O, 2, O, 0)


# --- How well they play ----------------------------------------------------------------------------------------------


def test_greedy_plays_well() -> None:
    """At least 65 points in the mean of 500 games for two, and fewer the more players share the tiles."""
    means = [scores_of(GAME, "greedy", players, 500).mean() for players in (2, 3, 4)]
    assert means[0] >= 65
    assert means[0] > means[1] > means[2] > 40


def test_random_play() -> None:
    """It gives up all it has, and stays near the five points of the start."""
    assert scores_of(GAME, "random", 2, 1000).mean() == pytest.approx(5, abs=1)
    forbidden = AzulRules(voluntary_give_ups=False)
    assert scores_of(GAME, "random", 2, 1000, forbidden).mean() == pytest.approx(9, abs=1)


def test_greedy_beats_random() -> None:
    """From either seat, in every one of 100 games."""
    for seed in range(100):
        match, choices = azul_v0.new_game(seed), stream(seed)
        while (player := match.current_player) is not None:
            match.apply(scripted(match, "greedy" if player == seed % 2 else "random", choices))
        assert match.returns()[seed % 2] == 1
