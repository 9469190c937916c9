"""The lean PPO does what MaskablePPO does, and it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tictactoe
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from manjerico.agents.network import ActorCritic
from manjerico.core.batch import BatchEnv
from manjerico.core.game import find
from manjerico.experiments import config
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.evaluation import evaluate
from manjerico.experiments.maskable_ppo import MaskablePPOLearner
from manjerico.experiments.ppo import PPO, Rollout, advantages

GAMES, STEPS = 8, 16


def settings(**changes: Any) -> TrainConfig:
    small = {"envs": GAMES, "rollout": STEPS, "minibatch": GAMES * STEPS, "epochs": 1, "layers": [32, 16]}
    return config.build({"game": "azul", "learner": "ppo", "precision": "float32", **small, **changes})


def batch(chosen: TrainConfig, copy: bool = False) -> BatchEnv:
    game = find(chosen.game)
    return BatchEnv(
        game,
        chosen.envs,
        chosen.players,
        opponents="random",
        seat="random",
        reward=chosen.reward,
        autoreset="same_step",
        lookahead=game.lookahead is not None,
        copy=copy,
    )


def do_nothing(_: object = None) -> None:
    pass


def networks_weights(learner: MaskablePPOLearner) -> dict[str, torch.Tensor]:
    """SB3's weights by the names that ActorCritic has for them."""
    policy = learner.model.policy
    actor = torch.nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net)
    critic = torch.nn.Sequential(*policy.mlp_extractor.value_net, policy.value_net)
    return {
        f"{name}.{key}": w
        for name, part in (("actor", actor), ("critic", critic))
        for key, w in part.state_dict().items()
    }


def fill_sb3s_buffer(theirs: MaskablePPOLearner, rollout: Rollout, next_values: torch.Tensor) -> None:
    buffer: Any = theirs.model.rollout_buffer
    buffer.reset()
    starts = np.ones(GAMES, np.float32)
    for step in range(STEPS):
        buffer.add(
            rollout.observations[step].numpy(),
            rollout.actions[step].numpy()[:, None],
            rollout.rewards[step].numpy(),
            starts,
            rollout.values[step],
            rollout.log_probs[step],
            action_masks=rollout.masks[step].numpy(),
        )
        starts = rollout.done[step].numpy()
    buffer.compute_returns_and_advantage(next_values, starts)


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_an_update_is_maskable_ppos(game: str, tmp_path: Path) -> None:
    """With the same weights and the same rollout, both have the same weights afterwards."""
    chosen = settings(game=game, gae_lambda=0.9, gamma=0.97)
    ours = PPO(chosen, batch(chosen), tmp_path)
    theirs = MaskablePPOLearner(chosen, batch(chosen, copy=True), tmp_path)
    assert {k: v.shape for k, v in ours.network.state_dict().items()} == {
        k: v.shape for k, v in networks_weights(theirs).items()
    }
    ours.network.load_state_dict(networks_weights(theirs))
    before = {name: weights.clone() for name, weights in ours.network.state_dict().items()}
    ours.games.reset(1)
    for step in range(STEPS):
        ours._play(step)
    seen = ours.games.last
    with torch.no_grad():
        _, next_values = ours._policy_and_value(torch.from_numpy(seen.observation), torch.from_numpy(seen.mask) != 0)
    fill_sb3s_buffer(theirs, ours.rollout, next_values)
    theirs.model.num_timesteps = ours.steps
    theirs.model._current_progress_remaining = 1 - ours.steps / chosen.steps
    theirs.model._setup_learn(1, None, reset_num_timesteps=False, tb_log_name="x")
    ours._update()
    theirs.model.train()
    for name, expected in networks_weights(theirs).items():
        torch.testing.assert_close(ours.network.state_dict()[name], expected, atol=2e-6, rtol=1e-3)
    moved = [name for name, weights in before.items() if not torch.equal(weights, ours.network.state_dict()[name])]
    assert len(moved) > len(before) / 2


def test_advantages_by_hand() -> None:
    """Two games, of which one ends after its second step."""
    rollout = Rollout.empty(3, batch(settings(envs=2, minibatch=32)), torch.float32)
    rollout.values[:] = torch.tensor([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])
    rollout.rewards[:] = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 0.0]])
    rollout.done[:] = torch.tensor([[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    found = advantages(rollout, torch.tensor([10.0, 20.0]), gamma=0.5, gae_lambda=0.5)
    third = 1 + 0.5 * 10 - 3
    second = 0.5 * 3 - 2 + 0.25 * third
    first = 1 + 0.5 * 2 - 1 + 0.25 * second
    over = 2 - 5
    torch.testing.assert_close(
        found, torch.tensor([[first, 0.5 * 5 - 4 + 0.25 * over], [second, over], [third, 0.5 * 20 - 6]])
    )


def test_actions_are_legal_and_their_probabilities_true(tmp_path: Path) -> None:
    chosen = settings()
    learner = PPO(chosen, batch(chosen), tmp_path)
    learner.learn(1, do_nothing, do_nothing)
    learner._play(0)
    rollout = learner.rollout
    assert rollout.masks[0].gather(1, rollout.actions[0][:, None]).all()
    with torch.no_grad():
        logits = learner.network.actor(rollout.observations[0])
    expected = MaskableCategorical(logits=logits, masks=rollout.masks[0]).log_prob(rollout.actions[0])
    torch.testing.assert_close(rollout.log_probs[0], expected)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_it_learns(precision: str, tmp_path: Path) -> None:
    """Tic-tac-toe, where a random player wins half of the points against another."""
    game = tictactoe.GAME
    toy = settings(
        game=game.name,
        rules="normal",
        opponents={"random": 1},
        precision=precision,
        envs=64,
        minibatch=256,
        epochs=4,
        reward="place",
        steps=40_000,
        layers=[64, 64],
        learning_rate=2e-3,
    )
    learner = PPO(toy, batch(toy), tmp_path)
    before = evaluate(learner.agent(), game, 2, game.rules(), "random", 250).win_rate
    learner.learn(toy.steps, do_nothing, do_nothing)
    after = evaluate(learner.agent(), game, 2, game.rules(), "random", 250).win_rate
    assert after.low > before.high
    assert after.low > 0.85


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_models_survive_saving(game: str, tmp_path: Path) -> None:
    chosen = settings(game=game)
    learner = PPO(chosen, batch(chosen), tmp_path / "logs")
    learner.save_model(tmp_path / "model.pt")
    loaded = ActorCritic.load(tmp_path / "model.pt")
    step = learner.games.reset(3)
    observations = torch.from_numpy(step.observation)
    for ours, theirs in ((loaded.actor, learner.network.actor), (loaded.critic, learner.network.critic)):
        assert torch.equal(ours(observations), theirs(observations))
    np.testing.assert_array_equal(
        learner.agent().act(step.observation, step.mask), learner.agent().act(step.observation, step.mask)
    )
