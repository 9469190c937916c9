"""The network agent chooses as its model does."""

from __future__ import annotations

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from azul_env.game import GAME
from manjerico.agents.network import NetworkAgent
from manjerico.core.batch import Batch
from manjerico.experiments.selfplay import SelfPlayEnv


def positions() -> tuple[np.ndarray, np.ndarray]:
    batch = Batch(GAME, 200, 2, seed=1)
    batch.controllers[:, 1] = batch.policy("greedy")
    batch.start(batch.all, range(200), [0] * 200)
    batch.advance(batch.all)
    return batch.observe(batch.all)


def test_most_likely_action_is_the_models() -> None:
    env = SelfPlayEnv(GAME, 2, 2, None, {"random": 1}, 1, "score", 0)
    model = MaskablePPO("MlpPolicy", env, seed=4, device="cpu")
    observations, masks = positions()
    expected, _ = model.predict(observations, action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(NetworkAgent(model).act(observations, masks), expected)


def test_samples_follow_the_models_probabilities() -> None:
    env = SelfPlayEnv(GAME, 2, 2, None, {"random": 1}, 1, "score", 0)
    model = MaskablePPO("MlpPolicy", env, seed=4, device="cpu")
    observations, masks = (array[:1] for array in positions())
    tensor = torch.from_numpy(observations)
    probabilities = model.policy.get_distribution(tensor, action_masks=masks).distribution.probs[0].detach().numpy()
    draws = 20_000
    actions = NetworkAgent(model, seed=2).act(np.repeat(observations, draws, 0), np.repeat(masks, draws, 0))
    counts = np.bincount(actions, minlength=masks.shape[1])
    assert counts[masks[0] == 0].sum() == 0
    np.testing.assert_allclose(counts / draws, probabilities, atol=5 * np.sqrt(0.25 / draws))
