"""Trained models by name, whatever trained them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sb3_contrib import MaskablePPO

from arraial_env import arraial_v0
from manjerico.agents import registry
from manjerico.agents.alphazero import MODELS
from manjerico.agents.network import ActorCritic, NetworkAgent
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.core.match import Match


def saved(folder: Path, kind: str) -> tuple[Path, NetworkAgent]:
    """A model of Arraial for one player, and the agent that it is."""
    if kind == "zip":
        model = MaskablePPO("MlpPolicy", arraial_v0.single_env(), seed=4, device="cpu")
        model.save(folder / "model.zip")
        return folder / "model.zip", NetworkAgent(model, skip_lookahead=True)
    game = find("arraial")
    layout = game.observation(game.default_rules, 1, True)
    network = ActorCritic(layout.size, game.num_actions(game.default_rules), [16], seed=3)
    network.save(folder / "model.pt")
    return folder / "model.pt", NetworkAgent(network)


@pytest.mark.parametrize("kind", ["zip", "pt"])
def test_it_plays_as_the_model(kind: str, tmp_path: Path) -> None:
    file, model = saved(tmp_path, kind)
    agent = registry.make(f"ppo:{file}", "arraial", 1)
    match = Match(find("arraial"), 1, seed=3)
    while not match.is_over:
        chosen = match.choose(agent)
        assert chosen == match.choose(model)
        match.apply(chosen)


def test_sampling_is_by_the_seed(tmp_path: Path) -> None:
    file, _ = saved(tmp_path, "pt")

    def play(seed: int) -> list[int]:
        match = Match(find("arraial"), 1, seed=3)
        agent = registry.make(f"ppo:{file},sample=true", "arraial", 1, seed=seed)
        while not match.is_over:
            match.apply(match.choose(agent))
        return match.actions

    assert play(1) == play(1) != play(2)


def test_the_policy_of_alphazeros_model() -> None:
    model = registry.make(f"ppo:{MODELS / 'azul-2.pt'}", "azul")
    policy = registry.make("alphazero:simulations=0", "azul")
    match = Match(find("azul"), 2, seed=6)
    while not match.is_over:
        assert match.choose(model) == match.choose(policy)
        match.apply(match.choose(model))


def test_models_of_something_else(tmp_path: Path) -> None:
    file, _ = saved(tmp_path, "pt")
    with pytest.raises(InputError, match=r"model\.pt: the model was trained on observations of \d+ numbers"):
        registry.make(f"ppo:{file}", "azul")
    with pytest.raises(InputError, match=r"model\.pt: .* trained on observations of \d+ numbers"):
        registry.make(f"ppo:{file}", "arraial", 3)


def test_files_that_hold_no_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.zip: no such file"):
        registry.make("ppo:absent.zip", "azul")
    for name in ("text.zip", "text.pt"):
        (tmp_path / name).write_text("no model")
        with pytest.raises(InputError, match=rf"{name}: no trained model"):
            registry.make(f"ppo:{tmp_path / name}", "azul")
