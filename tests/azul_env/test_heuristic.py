"""The policy ``heuristic`` on positions in which a good player's choice is evident, and how well it plays."""

from __future__ import annotations

import numpy as np
import pytest
from azul_positions import B, G, O, P, R, Y, phase_1, phase_2, spaces
from players import params_of, scores_of, scripted, states_of, stream, words_of

from azul_env import AzulRules, azul_v0
from azul_env.actions import Action, Draft, GiveUp, Pass, Pick, Play, decode
from azul_env.game import GAME
from azul_env.geometry import CENTRE
from manjerico.core.games import Batch
from manjerico.core.match import Match

ODD_RULES = AzulRules(pillar_tiles=0, statue_tiles=7, window_tiles=0, token_penalty_cap=0, voluntary_give_ups=False)


def choice(match: Match) -> Action:
    return decode(scripted(match, "heuristic", stream(0)))


def all_but(star: int, *numbers: int) -> int:
    """A star covered but for these spaces."""
    return spaces(*((star, n) for n in range(1, 7) if n not in numbers))


# --- Drafts ----------------------------------------------------------------------------------------------------------


def test_drafts_what_completes_a_star() -> None:
    """Two blue tiles make the six for the last space; two orange ones are only two tiles."""
    board = all_but(B, 6)
    assert choice(phase_1("OOYG", "BBYG", kept="BBBB", board=board, number=6)) == Draft(1, B)


def test_drafts_more_tiles_if_they_fit_as_well() -> None:
    assert choice(phase_1("RGGG", "OOBB")) == Draft(0, G)
    assert choice(phase_1("OOGG", "OOGP")) == Draft(1, O)  # a wild one comes along


def test_does_not_take_the_marker_for_tiles_that_it_cannot_use() -> None:
    """In the last round, six blue tiles cost six points and bring none: the star is complete, the centre has blue."""
    match = phase_1("OOOG", centre="BBBBBB", score=50, number=6)
    state = match.state
    state["board"][0] = all_but(B) | spaces((O, 1), (O, 2), (6, 1))
    state["centre"][0, 0], state["centre_used"][0] = B, 1 << B
    assert choice(match) == Draft(0, O)


def test_takes_the_marker_early_while_it_is_cheap() -> None:
    """To be first in the next round for a point; later the centre would cost more."""
    assert choice(phase_1("OORB", "YYRB", centre="GP", score=30, number=2)) == Draft(CENTRE, P)


def test_takes_what_the_next_player_needs() -> None:
    """Both colours are worth the same to it, and the rival has a use for one of them only."""

    def beside(needs: int) -> Match:
        match = phase_1("OOYY", number=6)
        match.state["board"][1] = spaces((needs, 1), (needs, 3), (needs, 4))
        return match

    assert choice(beside(O)) == Draft(0, O)
    assert choice(beside(Y)) == Draft(0, Y)


# --- Placements ------------------------------------------------------------------------------------------------------


def test_completes_a_star() -> None:
    """Six points and a bonus of 14 for all red tiles, rather than cheap spaces with other tiles first."""
    assert choice(phase_2("RRRRRR", all_but(R, 6), number=6)) == Play(R, 6, R, 0)


def test_makes_runs_grow() -> None:
    """Space 3 next to 1 and 2 is worth three points, space 4 alone one, though it costs the fourth tile too."""
    assert choice(phase_2("OOOO", spaces((O, 1), (O, 2)), number=6, centre="O")) == Play(O, 3, O, 0)


def test_pays_with_its_own_tiles_before_wild_ones() -> None:
    """Wild tiles may help any colour later."""
    played = choice(phase_2("OOPP", spaces((O, 1), (P, 1))))
    assert isinstance(played, Play)
    assert (played.colour, played.wilds) == (O, 0)


def test_spends_every_tile_in_the_last_round() -> None:
    """A point for a poor placement is better than the loss of one for a tile kept."""
    assert choice(phase_2("G", spaces((P, 1)), number=6)) in (Play(G, 1, G, 0), Play(6, 1, G, 0))


def test_passes_and_keeps_the_next_wild_tiles() -> None:
    """Green is wild in round 2: three such tiles bring more there than two points on the space 2 now."""
    board = spaces(*((star, 1) for star in range(6)))
    assert choice(phase_2("GGG", board, centre="O")) == Pass()
    assert isinstance(choice(phase_2("OOO", board, centre="O")), Play)  # orange is not


def test_does_not_give_up_what_it_can_place() -> None:
    assert isinstance(choice(phase_2("OOOOOO")), Play)


# --- Tiles that come and go ------------------------------------------------------------------------------------------


def test_picks_the_tile_that_completes_something() -> None:
    """The sixth green tile, though it holds none of the others."""
    match = phase_2("GGGGG", all_but(G, 6), picks=1, supply="OORRBBYYGP", number=6)
    assert choice(match) == Pick(G)


def test_keeps_the_next_round_s_wild_tile() -> None:
    """With no space left for any of them, green is wild in round 2 and stays."""
    board = 2**42 - 1
    match = phase_2("OOOOG", board)
    assert choice(match) == GiveUp(O)


def test_keeps_what_still_fits() -> None:
    """Both red and blue have no space for so few tiles, but blue will have one with more of them."""
    board = all_but(B, 6) | all_but(R)
    assert choice(phase_2("BBBRRR", board, number=2, centre="ORBYGP")) == GiveUp(R)


# --- How well it plays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [AzulRules.rulebook(), AzulRules.digest(), ODD_RULES])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_legal_under_all_rules(players: int, rules: AzulRules) -> None:
    """A ``Match`` refuses what isn't legal; the others move at random, so that unusual boards arise."""
    for seed in range(10):
        match, choices = azul_v0.new_game(seed, num_players=players, rules=rules), stream(seed)
        while (player := match.current_player) is not None:
            match.apply(scripted(match, "heuristic" if player == 0 or seed % 2 else "random", choices))


def test_hidden_chance_changes_nothing() -> None:
    """It would choose the same if the bag were in another order, in every position of some games."""
    for seed in range(5):
        match = azul_v0.new_game(seed)
        params = params_of(GAME, match.rules)
        while not match.is_over:
            states, words = states_of(match), words_of(match)
            chosen = {
                int(GAME.choose(2, params, states, 0, words, stream(k)))
                for k in range(3)
                if GAME.redeterminise(params, states, 0, np.uint64(k)) is None
            }
            assert chosen == {scripted(match, "heuristic", stream(9))}
            match.apply(chosen.pop())


def wins(players: int, deals: int, rules: AzulRules) -> float:
    """The share of games that one heuristic player wins among greedy ones, ties as halves, from every seat."""
    batch = Batch(GAME, deals * players, players, rules)
    seats = batch.all % players
    batch.controllers[:] = batch.policy("greedy")
    batch.controllers[batch.all, seats] = batch.policy("heuristic")
    batch.start(batch.all, [k // players for k in range(batch.games)], [0] * batch.games)
    batch.advance(batch.all)
    scores = batch.scores().astype(int)
    own = scores[batch.all, seats]
    others = np.delete(scores.reshape(-1), batch.all * players + seats).reshape(batch.games, -1).max(axis=1)
    return float((own > others).mean() + (own == others).mean() / 2)


@pytest.mark.parametrize(("players", "share"), [(2, 0.9), (3, 0.85), (4, 0.8)])
def test_beats_greedy(players: int, share: float) -> None:
    """In at least these shares of the games on 300 deals."""
    for rules in (AzulRules.rulebook(), AzulRules.digest()):
        assert wins(players, 300, rules) >= share


def test_scores() -> None:
    """In the mean of 300 games for two; greedy has 78."""
    assert scores_of(GAME, "heuristic", 2, 300).mean() >= 84
