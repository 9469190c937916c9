"""Training end to end, on a small scale: the run folder, and stopping and resuming without any difference."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
import tictactoe
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO

from azul_env.game import GAME
from manjerico.agents.network import ActorCritic
from manjerico.core.errors import InputError
from manjerico.experiments import config, runs
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.selfplay import SelfPlay
from manjerico.experiments.train import Interruption, Stopped, train
from manjerico.experiments.vec_env import BatchVecEnv

SMALL = {
    "game": "azul",
    "steps": 1536,
    "envs": 16,
    "rollout": 16,
    "minibatch": 128,
    "layers": [32],
    "snapshot_every": 300,
    "pool_size": 2,
    "evaluate_every": 512,
    "curve_deals": 2,
    "final_deals": 5,
    "save_every": 512,
    "threads": 1,
}


def settings(**changes: object) -> TrainConfig:
    return config.build({**SMALL, **changes})


def quiet() -> Console:
    return Console(quiet=True)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    if (folder / "model.pt").exists():
        return ActorCritic.load(folder / "model.pt").state_dict()
    state: dict[str, torch.Tensor] = MaskablePPO.load(folder / "model.zip", device="cpu").policy.state_dict()
    return state


def test_a_run_leaves_everything_in_its_folder(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(settings(), run, resume=False, console=quiet())
    assert config.load(run / "config.json") == settings()
    meta = json.loads((run / "meta.json").read_text())
    assert meta["seed"] == 0
    assert meta["rules"]["window_tiles"] == 3
    assert {"torch", "numpy", "python"} <= meta["versions"].keys()
    curve = (run / "curve.csv").read_text().splitlines()
    assert [line.split(",")[:2] for line in curve[1:4]] == [["0", name] for name in ("random", "greedy", "heuristic")]
    assert curve[-1].startswith("1536,heuristic,4,")
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    evaluation = json.loads((run / "evaluation.json").read_text())
    assert [(e["opponent"], e["games"]) for e in evaluation] == [("random", 10), ("greedy", 10), ("heuristic", 10)]
    assert "greedy" in (run / "evaluation.txt").read_text()
    assert list((run / "tensorboard").iterdir())


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_and_other_rules(tmp_path: Path, players: int) -> None:
    small = settings(players=players, rules="digest", steps=512, reward="place", opponents={"past": 1})
    train(small, tmp_path / "run", resume=False, console=quiet())
    evaluation = json.loads((tmp_path / "run" / "evaluation.json").read_text())
    assert evaluation[0]["games"] == 5 * players


@pytest.mark.parametrize("players", [1, 4])
def test_arraial(tmp_path: Path, players: int) -> None:
    """Alone it is trained for the score, and compared with what others reach alone on the same deals."""
    small = settings(game="arraial", players=players, steps=512)
    train(small, tmp_path / "run", resume=False, console=quiet())
    evaluation = json.loads((tmp_path / "run" / "evaluation.json").read_text())
    opponents = ["random", "greedy", "heuristic"]
    assert [(e["opponent"], e["games"]) for e in evaluation] == [(opponent, 5 * players) for opponent in opponents]


def test_a_game_of_which_nothing_here_knows(tmp_path: Path) -> None:
    """Tic-tac-toe (``tests/toys``), registered in this process, trains and is evaluated like any other."""
    run = tmp_path / "run"
    toy = settings(game=tictactoe.GAME.name, rules="misere", opponents={"random": 1, "past": 1}, reward="lead")
    train(toy, run, resume=False, console=quiet())
    assert config.load(run / "config.json") == toy
    assert json.loads((run / "meta.json").read_text())["rules"] == {"misere": True}
    (evaluation,) = json.loads((run / "evaluation.json").read_text())
    assert (evaluation["opponent"], evaluation["games"]) == ("random", 10)
    assert weights(run)["action_net.weight"].shape[0] == tictactoe.SQUARES
    train(toy, run, resume=True, console=quiet())


def interrupt_once_there_is(file: Path) -> None:
    while not file.exists():
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("learner", ["maskable_ppo", "ppo"])
def test_ctrl_c_saves_and_resume_makes_no_difference(learner: str, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    chosen = settings(learner=learner, steps=3072)
    train(chosen, whole, resume=False, console=quiet())

    timer = threading.Thread(target=interrupt_once_there_is, args=(parts / "curve.csv",))
    timer.start()
    stops = 0
    resume = False
    while True:
        try:
            train(chosen, parts, resume=resume, console=quiet())
            break
        except Stopped:
            stops, resume = stops + 1, True
            weights(parts)  # Ctrl-C leaves the model as it is by then
    timer.join()
    assert stops == 1, "the run was over before it could be interrupted"
    theirs = weights(parts)
    for name, tensor in weights(whole).items():
        assert torch.equal(tensor, theirs[name]), name
    for file in ("curve.csv", "evaluation.json"):
        assert (parts / file).read_text() == (whole / file).read_text()


@pytest.mark.parametrize("learner", ["maskable_ppo", "ppo", "alphazero"])
def test_a_stop_before_the_first_step_makes_no_difference(learner: str, tmp_path: Path) -> None:
    """Past selves have drawn random numbers by then, for the seats that move before the learner's."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    pool = {"opponents": {}} if learner == "alphazero" else {}
    chosen = settings(learner=learner, steps=512, simulations=4, **pool)
    train(chosen, whole, resume=False, console=quiet())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Interruption, "wanted", True)
        with pytest.raises(Stopped):
            train(chosen, parts, resume=False, console=quiet())
    train(chosen, parts, resume=True, console=quiet())
    for file in ("curve.csv", "evaluation.json"):
        assert (parts / file).read_text() == (whole / file).read_text()


def test_validation_may_be_on_at_the_real_width() -> None:
    """All-zero or stale masks break MaskablePPO elsewhere; with torch's checks on, ours train."""
    torch.distributions.Distribution.set_default_validate_args(True)
    env = BatchVecEnv(SelfPlay(GAME, 8, 2, None, {"random": 1, "greedy": 1}, 2, "dense", None).batch)
    MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=128, n_epochs=1, seed=0, device="cpu").learn(1024)


def test_a_used_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "something").touch()
    with pytest.raises(InputError, match="is not empty: go on with --resume"):
        train(settings(), tmp_path, resume=False, console=quiet())


def test_resume_before_the_first_checkpoint(tmp_path: Path) -> None:
    """A run that was killed before it could save begins anew."""
    train(settings(steps=256), tmp_path, resume=True, console=quiet())
    assert (tmp_path / "evaluation.json").exists()


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        runs.locked(tmp_path),
        pytest.raises(InputError, match="another process is at work there"),
    ):
        train(settings(), tmp_path, resume=True, console=quiet())


def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(settings(steps=256), run, resume=False, console=quiet())
    with pytest.raises(InputError, match=r"was made with steps=256, but config\.json says 512"):
        train(settings(steps=512), run, resume=True, console=quiet())


def test_what_a_kill_leaves_behind_is_no_obstacle(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    for name in ("checkpoint", "checkpoint.old", "checkpoint.new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").touch()
    for content in ("one", "two"):
        runs.replace_folder(folder, lambda new, text=content: runs.write_text(new / "file", text))  # type: ignore[misc]
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]
    assert (folder / "file").read_text() == "two"


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(settings(steps=512), run, resume=False, console=quiet())
    (run / "checkpoint" / "games.npz").write_bytes(b"PK")
    with pytest.raises(InputError, match="the checkpoint is damaged"):
        train(settings(steps=512), run, resume=True, console=quiet())


def test_a_training_that_goes_astray(tmp_path: Path) -> None:
    wild = settings(learning_rate=1e6, final_learning_rate=1e6, layers=[8])
    with pytest.raises(InputError, match=r"the network's weights have gone astray.* a lower learning_rate may help"):
        train(wild, tmp_path, resume=False, console=quiet())


def test_settings_that_fit_no_memory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is not enough memory for envs="):
        train(settings(rollout=2**40, minibatch=2), tmp_path, resume=False, console=quiet())


def test_a_lock_that_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    with pytest.raises(InputError, match="lock: can't be written"), runs.locked(tmp_path):
        pass
