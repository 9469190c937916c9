"""Evaluation and its statistics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from azul_env import AzulRules
from azul_env.game import GAME
from manjerico.core.game import find
from manjerico.core.games import Batch
from manjerico.experiments.evaluation import FIRST_SEED, evaluate, mean_interval, table, win_rate


class FirstLegal:
    """The lowest legal action."""

    def act(self, _observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        actions: npt.NDArray[np.int64] = masks.argmax(axis=1)
        return actions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_deal_is_played_from_every_seat(players: int) -> None:
    told: list[int] = []
    result = evaluate(FirstLegal(), GAME, players, AzulRules(), "greedy", 6, told.append)
    assert result.games == 6 * players
    assert told[-1] == 6 * players
    assert told == sorted(told)
    assert result.win_rate.value < 0.2
    assert result.difference.low <= result.difference.value <= result.difference.high
    assert result.score < result.opponents_score
    again = evaluate(FirstLegal(), GAME, players, AzulRules(), "greedy", 6)
    assert again == result


def test_wilson_interval() -> None:
    """Known values (Wilson 1927, as in Agresti and Coull 1998): 0 of 20, 10 of 20."""
    none = win_rate(0, 20)
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(0.1611, abs=1e-4)
    half = win_rate(10, 20)
    assert (half.low, half.high) == (pytest.approx(0.2993, abs=1e-4), pytest.approx(0.7007, abs=1e-4))
    tied = win_rate(9.5, 20)
    assert tied.low == win_rate(9, 20).low
    assert tied.high == half.high


def test_mean_interval() -> None:
    interval = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    assert interval.value == 2.5
    assert interval.high - 2.5 == pytest.approx(3.182446 * np.sqrt(5 / 3) / 2, abs=1e-5)


def test_table_fits_a_narrow_terminal() -> None:
    from manjerico.core import drawing

    result = evaluate(FirstLegal(), GAME, 2, AzulRules(), "random", 100)
    text = drawing.to_text(table([result], "azul"), colour=False)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert "random" in text


def test_alone_both_play_the_same_deals() -> None:
    game = find("arraial")
    played = evaluate(FirstLegal(), game, 1, game.rules(), "greedy", 30)
    again = evaluate(FirstLegal(), game, 1, game.rules(), "random", 30)
    batch = Batch(game, 30, 1)
    batch.controllers[:] = batch.policy("greedy")
    batch.start(batch.all, [FIRST_SEED + k for k in range(30)], [0] * 30)
    batch.advance(batch.all)
    assert played.opponents_score == pytest.approx(batch.scores().mean())
    assert played.score == again.score
    assert played.difference.value == pytest.approx(played.score - played.opponents_score)
    assert played.win_rate.value < 0.1 < again.opponents_score < played.opponents_score
