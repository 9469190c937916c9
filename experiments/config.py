"""The configuration of a training run: one typed object that is checked, printed and saved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ConfigDict, ValidationError

from manjerico.core.errors import InputError, choice, shown
from manjerico.core.game import find

PAST = "past"
"""The opponent's name that stands for a past self."""

Count = Annotated[int, Ge(1), Le(2**40)]
Positive = Annotated[float, Gt(0), Le(1e6)]
Fraction = Annotated[float, Gt(0), Le(1)]


MOST_GAMES = 2**20


class TrainConfig(BaseModel):
    """Self-play training with PPO. A *step* is one decision of the learner."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    game: str
    players: Count = 2
    rules: str = "rulebook"
    """A preset of the game's rules."""
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0

    learner: Literal["maskable_ppo", "ppo", "alphazero"] = "maskable_ppo"
    """Stable-Baselines3's, the lean one of ``experiments/ppo.py``, which is faster, or ``experiments/alphazero.py``,
    which plays all seats and searches."""
    precision: Literal["float32", "bfloat16"] | None = None
    """Of the matrix products of ``ppo``; None: bfloat16 where the processor has it. MaskablePPO takes float32."""
    steps: Count = 400_000
    """The length of the training; it ends with the rollout in which so many are done."""
    envs: Count = 256
    """Games played side by side."""
    opponents: dict[str, Annotated[float, Ge(0), Le(1e6)]] = {"random": 0.1, "greedy": 0.4, PAST: 0.5}
    """Weights of the opponents' pool: the game's scripted policies, and ``past`` for past selves."""
    pool_size: Count = 8
    """Past selves in the pool."""
    snapshot_every: Count = 150_000
    """Steps between two snapshots for the pool, of which the first is the untrained network."""
    reward: Literal["place", "margin", "dense", "lead"] = "dense"
    """As the environments have it (``core/results.py``)."""
    reward_scale: Positive | None = None
    """What rewards are multiplied with, None for the environments' default; learning is best if a whole game is worth
    about 1."""

    rollout: Count = 64
    """Steps of each game between two updates."""
    minibatch: Count = 2048
    epochs: Count = 3
    learning_rate: Positive = 7e-4
    final_learning_rate: Positive = 1e-4
    """The learning rate goes down linearly over the training."""
    gamma: Fraction = 0.995
    gae_lambda: Fraction = 0.95
    clip_range: Positive = 0.2
    entropy_weight: Annotated[float, Ge(0), Le(1e6)] = 0.01
    layers: tuple[Annotated[int, Ge(1), Le(2**14)], ...] = (256, 256)
    """Hidden layers of the actor, and of the critic."""
    start_model: str | None = None
    """The file of a model of ``alphazero`` that training goes on from; None: a fresh network."""
    simulations: Annotated[int, Ge(1), Le(2**16)] = 32
    """Of ``alphazero``, for each decision."""
    imitation: Annotated[int, Ge(0)] = 0
    """Steps at the beginning in which ``alphazero`` learns to play like the game's strongest scripted policy, without
    search."""
    considered: Annotated[int, Ge(1), Le(2**10)] = 16
    """Actions that take part in the search's choice at the root."""
    value_scale: Positive = 1.0
    """How much the search's values weigh against the network's logits, the less the more depends on chance."""
    guide: Annotated[float, Ge(0), Le(1e3)] = 0.0
    """What ``alphazero``'s search adds to the logit of what the game's strongest scripted policy would choose."""
    replay: Count = 2**18
    """Positions that ``alphazero`` learns from; it learns ``epochs`` times from each."""
    outcome_share: Fraction = 0.5
    """The share of the game's end in the value to be learnt; the rest is what the search expected."""
    place_share: Annotated[float, Ge(0), Le(1)] = 0.5
    """The share of the place in what a game is worth, the rest is the lead."""
    spread: Positive = 20.0
    """The lead in points that is worth much: tanh(1)."""

    threads: Annotated[int, Ge(1), Le(1024)] = 1
    """Threads for torch. The networks are small: on a busy machine two threads that wait for each other lose half."""

    evaluate_every: Count = 100_000
    """Steps between two points of the learning curve."""
    curve_deals: Count = 100
    """Deals for a point of the curve; each is played once from every seat."""
    final_deals: Count = 1_000
    """Deals for the evaluation at the end."""
    save_every: Count = 200_000
    """Steps between two checkpoints."""

    @property
    def seats(self) -> str:
        """The number of players in words."""
        return f"{self.players} player{'s' if self.players > 1 else ''}"


PRESETS: dict[str, dict[str, Any]] = {
    "demo": {},
    "long": {
        "steps": 4_000_000,
        "reward": "lead",
        "opponents": {"greedy": 0.5, PAST: 0.5},
        "snapshot_every": 300_000,
        "evaluate_every": 250_000,
    },
    "alphazero": {
        "learner": "alphazero",
        "steps": 20_000_000,
        "opponents": {},
        "rollout": 32,
        "minibatch": 1024,
        "epochs": 2,
        "learning_rate": 1e-3,
        "evaluate_every": 250_000,
        "save_every": 1_000_000,
    },
}
"""Settings by name: ``demo`` takes a few minutes on two cores, ``long`` at most 40, ``alphazero`` hours."""

GAME_PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "arraial": {
        "demo": {
            "steps": 900_000,
            "layers": (128, 128),
            "reward": "lead",
            "reward_scale": 0.1,
            "opponents": {"random": 0.2, "greedy": 0.5, PAST: 0.3},
        },
        "long": {"steps": 3_000_000, "reward_scale": 0.1},
        "alphazero": {
            "steps": 4_000_000,
            "imitation": 2_000_000,
            "layers": (256, 128),
            "spread": 5.0,
            "value_scale": 0.3,
            "guide": 2.0,
        },
    },
}
"""What a game's presets have otherwise. A game of Arraial is worth some 13 points, one of Azul some 80."""


def preset(game: str, name: str) -> dict[str, Any]:
    """The settings of a preset for a game.

    Raises:
        InputError: there is no such preset.
    """
    choice(name, "--preset", PRESETS)
    return {"game": game, **PRESETS[name], **GAME_PRESETS.get(game, {}).get(name, {})}


def build(fields: Mapping[str, Any], changes: Sequence[str] = ()) -> TrainConfig:
    """The configuration of these fields, with changes of the form ``name=value``.

    Raises:
        InputError: one sentence for the first field that is wrong.
    """
    merged = dict(fields)
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            raise InputError(f"--set takes name=value, not {change!r}")
        choice(name, "--set", TrainConfig.model_fields)
        merged[name] = _parse(value)
    try:
        return _check(TrainConfig.model_validate(merged))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"configuration: {where}: {first['msg']}, not {shown(first['input'])}") from None


def _check(settings: TrainConfig) -> TrainConfig:
    """Checks what depends on the game or on several settings."""
    game = find(settings.game)
    game.check_players(settings.players)
    choice(settings.rules, "rules", game.presets)
    for name in settings.opponents:
        choice(name, "opponents", [*game.policies, PAST])
    if settings.learner == "alphazero" and settings.opponents:
        raise InputError("opponents: alphazero plays all seats itself: opponents={}, or --preset alphazero")
    if settings.learner != "alphazero" and sum(settings.opponents.values()) <= 0:
        raise InputError("opponents: at least one weight must be above 0")
    if settings.learner != "alphazero" and settings.start_model is not None:
        raise InputError(f"start_model: is for learner=alphazero, not for {settings.learner}")
    if settings.learner == "maskable_ppo" and settings.precision == "bfloat16":
        raise InputError("precision: bfloat16 is for learner=ppo; maskable_ppo takes float32")
    steps = settings.envs * settings.rollout
    if settings.minibatch > steps:
        raise InputError(f"a minibatch of {settings.minibatch} is more than the {steps} steps of a rollout")
    if settings.minibatch == 1 or steps % settings.minibatch == 1:
        raise InputError(
            f"a minibatch of {settings.minibatch} leaves one with a single step of the {steps} steps of a rollout, "
            "whose advantages can't be normalised"
        )
    for name, games in (
        ("envs", settings.envs),
        ("curve_deals", settings.curve_deals * settings.players),
        ("final_deals", settings.final_deals * settings.players),
    ):
        if games > MOST_GAMES:
            raise InputError(f"{name}: {games} games side by side are more than the {MOST_GAMES} that are possible")
    return settings


def _parse(text: str) -> Any:
    """JSON where it is JSON (numbers, lists, objects), else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def load(path: Path) -> TrainConfig:
    """A saved configuration.

    Raises:
        InputError: there is none, or it isn't valid.
    """
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(fields, dict):
            raise InputError(f"{path}: not a configuration: an object of settings is expected")
        return build(fields)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; a run folder holds its configuration") from None
    except InputError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a configuration: {error}") from None
