"""The network agent chooses as its model does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from arraial_env import arraial_v0
from manjerico.agents.network import NetworkAgent, ViewingHead, ViewingPolicy
from manjerico.core.errors import InputError
from manjerico.core.game import Game, find
from manjerico.core.games import Batch
from manjerico.core.layout import ActionViews
from manjerico.experiments.selfplay import SelfPlay
from manjerico.experiments.vec_env import BatchVecEnv


def positions(game: Game) -> tuple[np.ndarray, np.ndarray]:
    batch = Batch(game, 200, 2, seed=1, lookahead=game.lookahead is not None)
    batch.controllers[:, 1] = batch.policy("greedy")
    batch.start(batch.all, range(200), [0] * 200)
    batch.advance(batch.all)
    return batch.observe(batch.all)


def fresh(name: str) -> MaskablePPO:
    """An untrained model, whose logits differ all the same."""
    game = find(name)
    env = BatchVecEnv(SelfPlay(game, 2, 2, None, {"random": 1}, 1, "dense", None).batch)
    if game.action_views is None:
        model = MaskablePPO("MlpPolicy", env, seed=4, device="cpu")
    else:
        views = {"views": game.action_views(game.rules(), 2)}
        model = MaskablePPO(ViewingPolicy, env, seed=4, device="cpu", policy_kwargs=views)
    with torch.no_grad():
        for weights in model.policy.action_net.parameters():
            weights.mul_(30)
    return model


@pytest.mark.parametrize("name", ["azul", "arraial"])
def test_most_likely_action_is_the_models(name: str) -> None:
    model = fresh(name)
    observations, masks = positions(find(name))
    expected, _ = model.predict(observations, action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(NetworkAgent(model).act(observations, masks), expected)


def test_models_without_lookahead_see_the_rest() -> None:
    shorter, longer = (Batch(find("arraial"), 200, 1, seed=1, lookahead=lookahead) for lookahead in (False, True))
    model = MaskablePPO("MlpPolicy", arraial_v0.single_env(), seed=4, device="cpu")
    for batch in (shorter, longer):
        batch.start(batch.all, range(200), [0] * 200)
    observations, masks = shorter.observe(shorter.all)
    expected, _ = model.predict(observations, action_masks=masks, deterministic=True)
    agent = NetworkAgent(model, skip_lookahead=True)
    np.testing.assert_array_equal(agent.act(*longer.observe(longer.all)), expected)
    with pytest.raises(InputError, match=r"was trained on observations of 769 numbers and 344 actions, not on "):
        NetworkAgent(model).act(*longer.observe(longer.all))
    with pytest.raises(InputError, match="and 344 actions, not on 769 and 343"):
        agent.act(observations, masks[:, 1:])


@pytest.mark.parametrize("name", ["azul", "arraial"])
def test_models_survive_saving(name: str, tmp_path: Path) -> None:
    model = fresh(name)
    observations, masks = positions(find(name))
    model.save(tmp_path / "model.zip")
    loaded = MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    np.testing.assert_array_equal(
        NetworkAgent(loaded).act(observations, masks), NetworkAgent(model).act(observations, masks)
    )


def test_groups_share_weights() -> None:
    """One number that an action's own logit, its group's and its view add up to, by hand."""
    views = ActionViews(groups=np.array([0, 0, 1]), entries=np.array([[1, -1], [0, 2]]))
    head = ViewingHead(2, views)
    hidden, seen = np.array([0.5, -1.0], np.float32), np.array([0.1, 0.2, 0.3], np.float32)
    with torch.no_grad():
        logits = head(torch.tensor(np.concatenate([hidden, seen])[None]))[0].numpy()
        own, by_group, context = (
            part(torch.tensor(hidden)).numpy() for part in (head.own, head.by_group, head.context)
        )
        view, judge, bias = head.view.weight.numpy(), head.judge.weight.numpy()[0], head.judge.bias.numpy()[0]
    for action, (group, features) in enumerate([(0, [0.2, 0.0]), (0, [0.2, 0.0]), (1, [0.1, 0.3])]):
        judged = np.maximum(view @ np.array(features, np.float32) + context, 0) @ judge + bias
        assert logits[action] == pytest.approx(own[action] + by_group[group] + judged, abs=1e-5)


def test_samples_follow_the_models_probabilities() -> None:
    model = fresh("azul")
    observations, masks = (array[:1] for array in positions(find("azul")))
    tensor = torch.from_numpy(observations)
    probabilities = model.policy.get_distribution(tensor, action_masks=masks).distribution.probs[0].detach().numpy()
    draws = 20_000
    actions = NetworkAgent(model, seed=2).act(np.repeat(observations, draws, 0), np.repeat(masks, draws, 0))
    counts = np.bincount(actions, minlength=masks.shape[1])
    assert counts[masks[0] == 0].sum() == 0
    np.testing.assert_allclose(counts / draws, probabilities, atol=5 * np.sqrt(0.25 / draws))
