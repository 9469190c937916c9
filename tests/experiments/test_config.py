"""The training configuration: every mistake gets one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from manjerico.core.errors import InputError
from manjerico.experiments import config


def test_round_trip(tmp_path: Path) -> None:
    built = config.build(config.preset("azul", "long"), ["players=3", "layers=[64,64]", "rules=digest"])
    assert (built.players, built.layers, built.rules) == (3, (64, 64), "digest")
    path = tmp_path / "config.json"
    path.write_text(built.model_dump_json())
    assert config.load(path) == built


@pytest.mark.parametrize("name", config.PRESETS)
@pytest.mark.parametrize("game", ["arraial", "azul"])
def test_presets(game: str, name: str) -> None:
    """They are whole configurations, and a game's own settings win over those for all games."""
    built = config.build(config.preset(game, name))
    own = config.GAME_PRESETS.get(game, {}).get(name, {})
    for field, value in (config.PRESETS[name] | own).items():
        assert getattr(built, field) == value


def test_unknown_preset() -> None:
    with pytest.raises(InputError, match=r"alphazero, demo, long, not 'lang' \(did you mean 'long'\?\)"):
        config.preset("azul", "lang")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("players=5", "num_players must be one of 2, 3, 4, not 5"),
        ("rules=rulebok", "rules must be one of digest, rulebook, not 'rulebok' \\(did you mean 'rulebook'\\?\\)"),
        ("learningrate=1", "--set must be one of .* \\(did you mean 'learning_rate'\\?\\)"),
        ("learning_rate=-1", "learning_rate: Input should be greater than 0, not -1"),
        ("steps=many", "steps: Input should be a valid integer.*, not 'many'"),
        ("steps", "--set takes name=value, not 'steps'"),
        ('opponents={"gredy":1}', "opponents must be one of greedy, heuristic, past, random, not 'gredy'"),
        ('opponents={"past":0}', "at least one weight must be above 0"),
        ("seed=-1", "seed: Input should be greater than or equal to 0, not -1"),
        ("minibatch=1", "a minibatch of 1 leaves one with a single step"),
        ("minibatch=5461", "leaves one with a single step of the 16384 steps of a rollout"),
        ("final_deals=10000000", "final_deals: 20000000 games side by side are more than the 1048576"),
        ("learning_rate=Infinity", "learning_rate: Input should be .*finite"),
        ('opponents={"past":1e400}', "opponents.past: Input should be .*finite"),
        ("start_model=model.pt", "start_model: is for learner=alphazero, not for maskable_ppo"),
        ("precision=bfloat16", "precision: bfloat16 is for learner=ppo; maskable_ppo takes float32"),
        ("learner=dqn", "learner: Input should be 'maskable_ppo', 'ppo' or 'alphazero', not 'dqn'"),
        ("minibatch=100000", "minibatch of 100000 is more than the 16384 steps of a rollout"),
    ],
)
def test_wrong_settings(change: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        config.build({"game": "azul"}, [change])


def test_unknown_game() -> None:
    with pytest.raises(InputError, match=r"game must be one of arraial, azul.*, not 'azool' .*'azul'"):
        config.build({"game": "azool"})


def test_damaged_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        config.load(tmp_path / "config.json")
    path = tmp_path / "config.json"
    path.write_text("{")
    with pytest.raises(InputError, match="not a configuration"):
        config.load(path)
    path.write_text('{"game": "azul", "stepps": 3}')
    with pytest.raises(InputError, match="stepps: Extra inputs are not permitted, not 3"):
        config.load(path)
