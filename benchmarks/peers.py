"""Our games beside those of other suites, in one run: AEC loops, single games in Python, batches, and the first call.

``pip install '.[peers]'`` brings pgx with JAX on the CPU, and OpenSpiel. A decision is a player's choice; every loop
chooses uniformly among the legal actions, and has the observation and the legal actions of each decision computed as
the suite does it for a learner.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arraial_env import arraial_v0
from azul_env import azul_v0
from benchmarks import aec, batch
from benchmarks.measure import TIMES, Findings, Rates, Seconds, interleave, per_second, ratio
from manjerico.core.errors import InputError
from manjerico.core.game import names

AEC: dict[str, dict[str, Any]] = {"connect_four_v3": {}, "tictactoe_v3": {}, "go_v5": {"board_size": 9}}
"""PettingZoo's classic games that need nothing but it."""

PGX = ("connect_four", "tic_tac_toe", "othello", "backgammon", "go_9x9", "sparrow_mahjong", "2048")
OPENSPIEL = ("connect_four", "tic_tac_toe", "othello", "backgammon", "go(board_size=9)")
ONE_LOOP = "pgx connect_four in one compiled loop"
"""Twenty steps that no learner comes between."""

SIZES = (1, 64, 1024, 8192)

PLACES = ("1024 games, 1 core", "1024 games, 2 cores")
"""Where batches are compared."""

LARGEST = {"go_9x9": 1024, "backgammon": 1024, "othello": 1024}
"""Games at once that take seconds for a step, and gigabytes, beyond this."""


def check_installed() -> None:
    """That the other suites are there.

    Raises:
        InputError: one is missing.
    """
    missing = [module for module in ("pgx", "jax", "pyspiel") if importlib.util.find_spec(module) is None]
    if missing:
        raise InputError(f"peers: {', '.join(missing)} must be installed first: pip install '.[peers]'")


# --- Single games in Python ------------------------------------------------------------------------------------------


def our_game(new_game: Callable[..., Any]) -> Callable[[], int]:
    """Plays one of our games; returns the number of decisions."""
    seeds = itertools.count()

    def play() -> int:
        game = new_game(next(seeds))
        while not game.is_over:
            game.observation()
            game.apply(random.choice(game.legal_actions()))  # noqa: S311  # no cryptography
        return len(game.actions)

    return play


def openspiel_game(name: str) -> Callable[[], int]:
    """The same with OpenSpiel; draws of chance are no decisions."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])  # noqa: S311  # no cryptography
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))  # noqa: S311  # no cryptography
            decisions += 1
        return decisions

    return play


# --- Batches ---------------------------------------------------------------------------------------------------------


def pgx_decisions(name: str, games: int, inside: int = 1) -> Callable[[], int]:
    """Plays some steps of pgx's environment; a game that ends begins anew in the same step.

    Python calls each step, as it calls each of ours, unless more of them are compiled as one loop (``inside``).
    """
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(_: int, carry: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        actions = jax.random.categorical(choice, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return step(state, actions, jax.random.split(chance, games)), key

    loop = jax.jit(lambda carry: jax.lax.fori_loop(0, inside, turn, carry))
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games)), jax.random.PRNGKey(1)

    def play() -> int:
        nonlocal carry
        for _ in range(batch.STEPS_AT_ONCE // inside):
            carry = jax.block_until_ready(loop(carry))
        return batch.STEPS_AT_ONCE * games

    return play


def _first_call(make: Callable[[], Callable[[], int]]) -> tuple[Callable[[], int], float]:
    """What was made, and the seconds until its first call was done."""
    began = time.perf_counter()
    play = make()
    play()
    return play, time.perf_counter() - began


def _batches(slices: int, seconds: float) -> tuple[list[Rates], list[Seconds]]:
    """Batches of all sizes on one core and on two, and how long their first calls took; sizes one after the other, so
    that memory is enough."""
    figures: list[Rates] = []
    first: list[Seconds] = []
    for games in SIZES:
        theirs = {}
        makers = {
            f"pgx {name}": partial(pgx_decisions, name, games) for name in PGX if games <= LARGEST.get(name, games)
        }
        makers[ONE_LOOP] = partial(pgx_decisions, "connect_four", games, batch.STEPS_AT_ONCE)
        for name, make in makers.items():
            theirs[f"{name}, {games} games"], taken = _first_call(make)
            first.append(Seconds(f"{name}, {games} games, first call", [taken]))
        for cores in (1, 2):
            plays = {f"{name}, {games} games": batch.decisions(name, games, cores) for name in names()} | theirs
            where = f"{cores} core{'s' if cores > 1 else ''}"
            with batch.pinned(cores):
                subjects = {f"{name}, {where}": per_second(play) for name, play in plays.items()}
                figures += interleave(subjects, "decisions/s", slices, seconds)
    return figures, first


def run(slices: int, seconds: float) -> Findings:
    """All figures, our multiples of theirs, and the seconds of the first calls of batches."""
    aecs = {"azul_v0": azul_v0.env(), "arraial_v0": arraial_v0.env()}
    for name, options in AEC.items():
        aecs[f"PettingZoo {name}"] = importlib.import_module(f"pettingzoo.classic.{name}").env(**options)
    loops = {f"{name}, AEC": per_second(aec.episode(env, aec.cheap_sampler)) for name, env in aecs.items()}
    steps = interleave(loops, "steps/s", slices, seconds)
    subjects = {
        "azul, single game": per_second(our_game(azul_v0.new_game)),
        "arraial, single game": per_second(our_game(arraial_v0.new_game)),
        **{f"OpenSpiel {name}, single game": per_second(openspiel_game(name)) for name in OPENSPIEL},
    }
    singles = interleave(subjects, "decisions/s", slices, seconds)
    batches, first = _batches(slices, seconds)
    figures = steps + singles + batches
    by_name = {figure.name: figure for figure in figures}
    others = [*(f"pgx {name}" for name in PGX), ONE_LOOP]
    pairs = [(f"{ours}, {where}", f"{theirs}, {where}") for where in PLACES for ours in names() for theirs in others]
    pairs += [(f"{ours}, single game", f"OpenSpiel {theirs}, single game") for ours in names() for theirs in OPENSPIEL]
    pairs += [(f"{ours}_v0, AEC", f"PettingZoo {theirs}, AEC") for ours in names() for theirs in AEC]
    multiples = {f"{ours} / {theirs}": (ratio(by_name[ours], by_name[theirs]), TIMES) for ours, theirs in pairs}
    return Findings([*figures, *first], multiples)


def draw(figures: Sequence[Rates | Seconds], path: Path) -> None:
    """Throughput of batches on two cores over their size, on logarithmic scales."""
    import matplotlib.pyplot as plt

    plotted, axes = plt.subplots(figsize=(9, 6), layout="constrained")
    lines: dict[str, dict[int, float]] = {}
    for figure in figures:
        name, *where = figure.name.split(", ")
        if where[-1] == "2 cores":
            lines.setdefault(name, {})[int(where[0].split()[0])] = figure.median
    for name, values in sorted(lines.items(), key=lambda line: -max(line[1].values())):
        ours = not name.startswith("pgx")
        style = {"linewidth": 3, "marker": "o"} if ours else {"linewidth": 1.2, "marker": ".", "linestyle": "--"}
        axes.plot(list(values), list(values.values()), label=name, **style)
    axes.set(xscale="log", yscale="log", xlabel="games at once", ylabel="decisions per second, two cores")
    axes.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
    axes.grid(alpha=0.3, which="both")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    plotted.savefig(path, dpi=120)
    plt.close(plotted)
