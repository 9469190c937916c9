"""Self-play training: from a configuration to a run folder with model, curve and evaluation."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import torch
from rich.console import Console
from rich.progress import Progress, TaskID

from manjerico.core import drawing
from manjerico.core.errors import InputError
from manjerico.core.files import replaced_file
from manjerico.core.game import Game, find
from manjerico.core.rules import Rules
from manjerico.experiments import checkpoint, curve, runs
from manjerico.experiments.alphazero import AlphaZero, start_model
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.evaluation import Evaluation, evaluate, table
from manjerico.experiments.learner import Learner
from manjerico.experiments.maskable_ppo import MaskablePPOLearner
from manjerico.experiments.ppo import PPO
from manjerico.experiments.progress import bar
from manjerico.experiments.selfplay import SelfPlay

LEARNERS: dict[str, type[MaskablePPOLearner | PPO | AlphaZero]] = {
    "maskable_ppo": MaskablePPOLearner,
    "ppo": PPO,
    "alphazero": AlphaZero,
}
"""By the setting ``learner``."""


class Stopped(Exception):  # noqa: N818  # it is no error
    """Training was interrupted; everything is saved."""


def train(settings: TrainConfig, folder: Path, resume: bool, console: Console) -> None:
    """Trains, evaluates and writes everything to ``folder``.

    Raises:
        InputError: the folder can't be used.
        Stopped: after Ctrl-C, with a checkpoint of all that was done.
    """
    game = find(settings.game)
    rules = game.presets[settings.rules]
    if not resume:
        start_model(settings, game, rules)  # rather now than in a new folder, which would then be in the way
        runs.create(folder)
    with runs.locked(folder):
        if not resume:
            runs.write_json(folder / "config.json", settings.model_dump(mode="json"))
            runs.write_json(folder / "meta.json", runs.meta(settings.seed, rules.as_dict()))
        _train(settings, folder, game, rules, resume, console)


def _train(settings: TrainConfig, folder: Path, game: Game, rules: Rules, resume: bool, console: Console) -> None:
    console.print(f"Training {game.title}; everything is kept in {folder}", soft_wrap=True)
    console.print(", ".join(f"{name}={value}" for name, value in settings.model_dump(mode="json").items()))
    torch.set_num_threads(settings.threads)
    with _enough_memory(settings):
        learner, self_play, marks = _begin(settings, folder, game, rules, resume)
    if learner.steps:
        console.print(f"Going on after step {learner.steps:,}")
    with bar(console) as progress, _interruptible(console) as interruption:
        conductor = Conductor(settings, folder, game, rules, learner, self_play, progress, interruption, marks)
        conductor.tell(learner.steps)
        if learner.steps < settings.steps:
            with _converging(learner, folder):
                learner.learn(settings.steps, conductor.between_updates, conductor.tell)
            conductor.between_updates(finished=True)
    model = _save_model(learner, folder)
    with bar(console) as progress:
        evaluations = _evaluate_finally(learner, settings, game, rules, progress)
    _show(evaluations, settings, folder, console)
    console.print(f"Model: {model}", soft_wrap=True)


def _save_model(learner: Learner, folder: Path) -> Path:
    model = folder / learner.MODEL
    with replaced_file(model) as part:
        learner.save_model(part)
    return model


def _begin(
    settings: TrainConfig, folder: Path, game: Game, rules: Rules, resume: bool
) -> tuple[Learner, SelfPlay, dict[str, int]]:
    """The learner, its games and the marks of a new run, or of the checkpoint if there is one to go on with."""
    self_play = SelfPlay(
        game,
        settings.envs,
        settings.players,
        rules,
        settings.opponents,
        settings.pool_size,
        settings.reward,
        settings.reward_scale,
        copy=settings.learner == "maskable_ppo",
    )
    learner = LEARNERS[settings.learner](settings, self_play.batch, folder / "tensorboard")
    if resume and runs.whole_folder(folder / "checkpoint"):
        marks = checkpoint.load(folder / "checkpoint", learner, self_play, settings.model_dump(mode="json"))
        return learner, self_play, marks
    if isinstance(learner, AlphaZero) and (model := start_model(settings, game, rules)):
        learner.start_from(model)
    if self_play.keeps_past:
        self_play.add_past(learner.agent(seed=settings.seed))
    return learner, self_play, {"snapshot": 1}


@contextmanager
def _enough_memory(settings: TrainConfig) -> Iterator[None]:
    """Says which settings need the memory that there is not."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate" not in str(error):
            raise
        sizes = f"envs={settings.envs}, rollout={settings.rollout}, layers={list(settings.layers)}"
        raise InputError(f"there is not enough memory for {sizes}") from error


@contextmanager
def _converging(learner: Learner, folder: Path) -> Iterator[None]:
    """Says that a training has gone astray, whatever fails first: torch's sampling, an illegal action, a checkpoint."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        if checkpoint.is_sound(learner.network):
            raise
        kept = f"{folder} holds the last good checkpoint, if one was written"
        raise InputError(
            f"after {learner.steps:,} steps the network's weights have gone astray: not all are numbers up to "
            f"{checkpoint.LARGEST_WEIGHT:,.0f}; {kept}; a lower learning_rate may help"
        ) from error


LEGEND = "Ties count as half a win; theirs: mean of the opponents; difference: to the best of them."
LEGEND_ALONE = "The opponent plays the same deals alone; the better score wins, ties count as half a win."


class Interruption:
    """Whether the user has asked to stop."""

    wanted = False


@contextmanager
def _interruptible(console: Console) -> Iterator[Interruption]:
    """The first Ctrl-C asks to stop after the update under way, the second stops at once."""
    interruption = Interruption()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        interruption.wanted = True
        signal.signal(signal.SIGINT, before)
        console.print("Stopping after this update, to lose nothing; Ctrl-C again stops at once.")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)


class Conductor:
    """What happens between two updates: snapshots for the pool, points of the curve, checkpoints, the progress bar.

    ``marks`` counts what was done, by kind, so that a resumed run does nothing twice.
    """

    def __init__(
        self,
        settings: TrainConfig,
        folder: Path,
        game: Game,
        rules: Rules,
        learner: Learner,
        self_play: SelfPlay,
        progress: Progress,
        interruption: Interruption,
        marks: dict[str, int],
    ) -> None:
        self.settings, self.folder, self.game, self.rules = settings, folder, game, rules
        self.learner, self.self_play = learner, self_play
        self.progress, self.interruption, self.marks = progress, interruption, marks
        self.task: TaskID = progress.add_task("training", total=settings.steps)

    def tell(self, steps: int) -> None:
        """Moves the progress bar."""
        self.progress.update(self.task, completed=steps)

    def between_updates(self, finished: bool = False) -> None:
        """Does what is due; the only place where a run can be left and resumed.

        Raises:
            Stopped: the user wants it; checkpoint and model were written.
        """
        if speed := self.progress.tasks[self.task].speed:
            self.progress.update(self.task, description=f"training, {speed:,.0f} steps/s")
        if self._due("snapshot", self.settings.snapshot_every) and self.self_play.keeps_past:
            self.self_play.add_past(self.learner.agent(seed=self.settings.seed + self.self_play.snapshots))
        if self._due("evaluate", self.settings.evaluate_every) or finished:
            self._add_to_curve()
        stop = self.interruption.wanted and not finished
        if self._due("save", self.settings.save_every) or finished or stop:
            fields = self.settings.model_dump(mode="json")
            checkpoint.save(self.folder / "checkpoint", self.learner, self.self_play, self.marks, fields)
        if stop:
            _save_model(self.learner, self.folder)
            raise Stopped
        if self.self_play.keeps_past:
            self.self_play.change_past()

    def _due(self, kind: str, every: int) -> bool:
        """Whether a multiple of ``every`` steps was passed since this was last done; the first time is at the start."""
        reached = 1 + self.learner.steps // every
        due = reached > self.marks.get(kind, 0)
        self.marks[kind] = reached
        return due

    def _add_to_curve(self) -> None:
        evaluations = [
            evaluate(
                self.learner.agent(),
                self.game,
                self.settings.players,
                self.rules,
                opponent,
                self.settings.curve_deals,
            )
            for opponent in self.game.policies
        ]
        curve.append(self.folder / "curve.csv", self.learner.steps, evaluations)
        title = f"{self.game.title}, {self.settings.seats}: {self.folder.name}"
        curve.draw(self.folder / "curve.csv", self.folder / "curve.png", title, self.settings.players)
        against = "games against" if self.settings.players > 1 else "deals beside"
        wins = ", ".join(f"{e.win_rate.value:.0%} of {against} {e.opponent}" for e in evaluations)
        self.progress.console.print(f"{self.learner.steps:>9,} steps: wins {wins}")


def _evaluate_finally(
    learner: Learner, settings: TrainConfig, game: Game, rules: Rules, progress: Progress
) -> list[Evaluation]:
    evaluations = []
    for opponent in game.policies:
        task = progress.add_task(f"playing {opponent}", total=settings.final_deals * settings.players)

        def tell(done: int, task: TaskID = task) -> None:
            progress.update(task, completed=done)

        evaluations.append(
            evaluate(learner.agent(), game, settings.players, rules, opponent, settings.final_deals, tell)
        )
    return evaluations


def _show(evaluations: list[Evaluation], settings: TrainConfig, folder: Path, console: Console) -> None:
    drawn = table(evaluations, f"{settings.game}, {settings.seats}, {settings.rules} rules")
    runs.write_json(folder / "evaluation.json", [e.as_dict() for e in evaluations])
    runs.write_text(folder / "evaluation.txt", drawing.to_text(drawn, colour=False))
    console.print(drawn)
    console.print(LEGEND if settings.players > 1 else LEGEND_ALONE)
    console.print(f"Learning curve: {folder / 'curve.png'}", soft_wrap=True)
