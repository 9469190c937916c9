"""AlphaZero's learner: what it remembers, and that it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from manjerico.agents.network import NetworkAgent
from manjerico.agents.policy_value import PolicyValue
from manjerico.core.batch import BatchEnv
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.experiments import config
from manjerico.experiments.alphazero import AlphaZero, Replay
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.evaluation import evaluate
from manjerico.experiments.train import train

SMALL = {
    "envs": 16,
    "rollout": 16,
    "minibatch": 128,
    "layers": [32],
    "simulations": 8,
    "considered": 4,
    "replay": 4096,
    "steps": 1024,
}


def settings(**changes: Any) -> TrainConfig:
    return config.build({**config.preset(changes.get("game", "azul"), "alphazero"), **SMALL, **changes})


def batch(chosen: TrainConfig) -> BatchEnv:
    game = find(chosen.game)
    return BatchEnv(
        game,
        chosen.envs,
        chosen.players,
        autoreset="same_step",
        lookahead=game.lookahead is not None,
        copy=False,
    )


def learner(folder: Path, **changes: Any) -> AlphaZero:
    chosen = settings(**changes)
    return AlphaZero(chosen, batch(chosen), folder)


def test_training_goes_on_from_a_model(tmp_path: Path) -> None:
    first = learner(tmp_path, seed=3, spread=9.0)
    first.save_model(tmp_path / "model.pt")
    chosen = settings(seed=4, start_model=str(tmp_path / "model.pt"), spread=30.0, guide=2.0, steps=1, final_deals=10)
    train(chosen, tmp_path / "run", resume=False, console=Console())
    (tmp_path / "model.pt").unlink()  # a run needs it at its beginning only
    train(chosen, tmp_path / "run", resume=True, console=Console())
    second = PolicyValue.load(tmp_path / "run" / "model.pt", find("azul"), 2, find("azul").default_rules)
    assert (second.worth.spread, second.style.guide) == (30.0, 2.0)
    before, after = (network.trunk[0].weight.detach() for network in (first.network, second))
    assert (before - after).abs().max() < 0.1 < before.std() * 10


def test_training_goes_on_from_a_model_of_its_shape_only(tmp_path: Path) -> None:
    learner(tmp_path).save_model(tmp_path / "model.pt")
    for changes, message in (
        ({"layers": [16, 16]}, r"model\.pt: has layers=\[32\], the settings have \[16, 16\]"),
        ({"players": 3}, r"model\.pt: was trained for players 2, not for 3"),
    ):
        chosen = settings(start_model=str(tmp_path / "model.pt"), **changes)
        with pytest.raises(InputError, match=message):
            train(chosen, tmp_path / "run", resume=False, console=Console())
    assert not (tmp_path / "run").exists()


def do_nothing(_: object = None) -> None:
    pass


def row(players: list[int], expected: list[float], values: int = 2) -> dict[str, torch.Tensor]:
    """A step of as many games, by its players and what the search expected for them."""
    games = len(players)
    value = torch.zeros(games, values)
    value[:, 0] = torch.tensor(expected)
    return {"player": torch.tensor(players), "value": value}


def test_results_by_hand() -> None:
    """Three steps of two games, of which one ends; the players' own results come first, then the others' in turn."""
    replay = Replay(4, batch(settings(envs=2, minibatch=2)))
    replay.add(**row([0, 1], [0.5, 0.1]))
    replay.add(**row([1, 0], [-0.25, 0.2]))
    replay.finish(0, torch.tensor([1.0, -1.0]), share=0.75)
    assert replay.columns["known"][:, 0].tolist() == [True, True, False, False]
    assert not replay.columns["known"][:, 1].any()
    torch.testing.assert_close(replay.columns["value"][:2, 0], torch.tensor([[0.875, -1.0], [-0.8125, 1.0]]))
    replay.add(**row([1, 1], [0.0, 0.3]))
    replay.finish(1, torch.tensor([-1.0, 1.0]), share=1.0)
    torch.testing.assert_close(replay.columns["value"][:3, 1], torch.tensor([[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]]))
    assert replay.columns["known"][:, 0].tolist() == [True, True, False, False]  # the next game is under way


def test_the_oldest_positions_are_overwritten() -> None:
    replay = Replay(4, batch(settings(envs=1, minibatch=2)))
    for step in range(6):
        replay.add(**row([step % 2], [0.0]))
    replay.finish(0, torch.tensor([1.0, -1.0]), share=1.0)
    assert replay.columns["known"].all()
    assert replay.columns["value"][:, 0, 0].tolist() == [1, -1, 1, -1]  # the steps 4, 5, 2 and 3
    replay.add(**row([0], [0.0]))
    assert replay.columns["known"][:, 0].tolist() == [True, True, False, True]


@pytest.mark.parametrize(("game", "players"), [("azul", 2), ("azul", 4), ("arraial", 1), ("arraial", 3)])
def test_it_goes_on_from_a_checkpoint_as_if_never_stopped(game: str, players: int, tmp_path: Path) -> None:
    changes = {"game": game, "players": players, "imitation": 300}
    whole = learner(tmp_path / "whole", **changes)
    whole.learn(1024, do_nothing, do_nothing)
    half = learner(tmp_path / "half", **changes)
    half.learn(512, do_nothing, do_nothing)
    half.save(tmp_path)
    again = learner(tmp_path / "again", **changes)
    again.load(tmp_path)
    again.games.set_state(half.games.get_state())
    again.learn(1024, do_nothing, do_nothing)
    assert again.steps == whole.steps == 1024
    for name, weights in whole.network.state_dict().items():
        assert torch.equal(weights, again.network.state_dict()[name]), name


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_it_learns(precision: str, tmp_path: Path) -> None:
    changes = {"envs": 64, "layers": [64], "simulations": 16, "minibatch": 512, "epochs": 4, "precision": precision}
    pupil = learner(tmp_path, steps=40_000, replay=16_384, **changes)
    game = find("azul")
    before = evaluate(pupil.agent(), game, 2, game.default_rules, "random", 100)
    pupil.learn(40_000, do_nothing, do_nothing)
    after = evaluate(pupil.agent(), game, 2, game.default_rules, "random", 100)
    assert after.win_rate.low > max(before.win_rate.high, 0.9)


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_it_learns_from_the_heuristic(game: str, tmp_path: Path) -> None:
    """A network that imitates it does more often what it does than one that doesn't."""
    changes = {"game": game, "envs": 64, "layers": [64], "minibatch": 512, "epochs": 4}
    pupil = learner(tmp_path, steps=60_000, imitation=60_000, **changes)
    assert pupil.teacher is not None

    def agreement() -> float:
        seen = pupil.games.last
        assert pupil.teacher is not None
        taught = pupil.teacher.act(seen.observation, seen.mask, pupil.games.states.copy())
        return float((NetworkAgent(pupil.network).act(seen.observation, seen.mask) == taught).mean())

    pupil.games.reset(0)
    before = agreement()
    pupil.learn(60_000, do_nothing, do_nothing)
    shares = []
    for _ in range(20):
        shares.append(agreement())
        pupil._play()
    assert np.mean(shares) > before + 0.2
