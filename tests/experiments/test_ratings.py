"""Ratings: cases that are known, and tournaments that are simulated."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from manjerico.experiments.ratings import ELO, PRIOR, Ratings, comparisons, fit, groups


def test_every_two_seats_are_compared() -> None:
    """Seat 0 has agent 2, seat 1 agent 0, seat 2 agent 1; the last two tie."""
    wins = comparisons([2, 0, 1], [9, 4, 4], 3)
    assert wins.tolist() == [[0, 0.5, 0], [0.5, 0, 0], [1, 1, 0]]


def test_an_agent_is_not_compared_with_itself() -> None:
    """Agent 0 sits twice, once before and once behind agent 1."""
    assert comparisons([0, 1, 0], [5, 4, 3], 2).tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(("won", "lost"), [(10, 1), (3, 1), (1, 1)])
def test_two_agents_differ_by_their_odds(won: float, lost: float) -> None:
    """The likelihood of two agents is greatest where the odds are those of the counts: ten to one are 400 points."""
    first, second = fit(np.array([[0, won], [lost, 0]]), prior=0.0)
    assert first - second == pytest.approx(400 * np.log10(won / lost))
    assert first + second == pytest.approx(0)


def test_the_prior_is_half_a_win_each_way() -> None:
    first, second = fit(np.array([[0.0, 20.0], [0.0, 0.0]]))
    assert first - second == pytest.approx(400 * np.log10(20.5 / 0.5))


def test_three_agents_whose_results_fit_the_model_exactly() -> None:
    """Strengths 4, 2 and 1: each pair shares its games in that ratio, so the fit is exact."""
    strengths = np.array([4.0, 2.0, 1.0])
    wins = 60 * strengths[:, None] / (strengths[:, None] + strengths)
    np.fill_diagonal(wins, 0)
    expected = ELO * (np.log(strengths) - np.log(strengths).mean())
    assert fit(wins, prior=0.0) == pytest.approx(expected)


def simulated(truth: npt.NDArray[np.float64], deals: int, seed: int) -> npt.NDArray[np.float64]:
    """Two games of every two agents on each deal, as the model says."""
    generator = np.random.default_rng(seed)
    chances = 1 / (1 + 10 ** ((truth - truth[:, None]) / 400))
    won = np.triu(generator.binomial(2, chances, (deals, len(truth), len(truth))), 1)
    lost = np.triu(2 - won, 1)
    return (won + lost.transpose(0, 2, 1)).astype(np.float64)


def test_a_simulated_tournament() -> None:
    """Of ten tournaments with four agents, about 95 % of the intervals hold the truth."""
    truth = np.array([300.0, 80.0, 20.0, -400.0])
    inside = []
    for seed in range(10):
        found = Ratings.of(simulated(truth, 150, seed), seed)
        assert abs(found.values - truth).max() < 90
        intervals = [found.rating(k) for k in range(4)]
        inside += [i.low <= t <= i.high for i, t in zip(intervals, truth, strict=True)]
        lead = found.lead(1, 2)
        inside.append(lead.low <= 60 <= lead.high)
        assert lead.value == pytest.approx(found.values[1] - found.values[2])
    assert np.mean(inside) >= 0.86


def test_the_same_seed_gives_the_same_intervals() -> None:
    wins = simulated(np.array([50.0, -50.0]), 40, 0)
    assert Ratings.of(wins, 3).rating(0) == Ratings.of(wins, 3).rating(0)


def test_games_of_a_deal_are_no_independent_games() -> None:
    """Each result twice in the same deal makes the interval as wide as once; as other deals it makes it narrower."""
    once = simulated(np.array([50.0, -50.0]), 400, 1)
    widths = [
        interval.high - interval.low
        for interval in (Ratings.of(wins).rating(0) for wins in (once, 2 * once, np.concatenate([once, once])))
    ]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)
    assert widths[2] == pytest.approx(widths[0] / np.sqrt(2), rel=0.1)


def test_who_always_wins_has_an_interval_that_is_wide_upwards() -> None:
    """As the posterior of a Beta(1/2, 1/2) prior: 400 losses in 400 games leave a chance below 0.6 %."""
    wins = np.zeros((200, 2, 2))
    wins[:, 0, 1] = 2
    lead = Ratings.of(wins).lead(0, 1)
    assert lead.value == pytest.approx(400 * np.log10((400 + PRIOR) / PRIOR))
    chance = 1 / (1 + 10 ** (lead.low / 400))
    assert 0.004 < chance < 0.009
    assert lead.high - lead.value > 2 * (lead.value - lead.low)
    assert np.isfinite(lead.high)


def test_groups_between_which_one_side_won_everything() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = 5  # 0 and 1 beat each other
    wins[:2, 2:] = 9
    wins[2, 3] = 4
    assert groups(wins) == [[0, 1], [2], [3]]
    wins[3, 0] = 1
    assert len(groups(wins)) == 1
