"""Trained models without search as agents: ``ppo:FILE``, whatever trained them."""

from __future__ import annotations

from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from manjerico.agents.model_file import check_model_file
from manjerico.agents.network import ActorCritic, NetworkAgent
from manjerico.agents.policy_value import PolicyValue
from manjerico.core.errors import InputError, first_line
from manjerico.core.game import Game
from manjerico.core.rules import Rules


def trained(
    game: Game, players: int, rules: Rules, seed: int = 0, *, checkpoint: str, sample: bool = False
) -> NetworkAgent:
    """The policy of a model that ``manjerico train`` wrote: MaskablePPO's ``model.zip``, or ``model.pt``.

    Args:
        game, players, rules: what it plays.
        seed: of the sampling.
        checkpoint: the file.
        sample: whether actions are drawn by their probabilities; else the most likely one is taken.

    Raises:
        InputError: the file holds no such model, or one for observations or actions of other sizes.
    """
    path = Path(checkpoint)
    check_model_file(path)
    try:
        model = MaskablePPO.load(path, device="cpu") if path.suffix == ".zip" else _network(path)
        agent = NetworkAgent(model, seed if sample else None, skip_lookahead=True)
    except Exception as error:  # whatever the readers of zip files, JSON, pickles and tensors raise
        raise InputError(f"{checkpoint}: no trained model ({first_line(error):.200})") from None
    sizes = [game.observation(rules, players, lookahead).size for lookahead in _lookaheads(game)]
    try:
        agent.check_sizes(sizes[-1], game.num_actions(rules))
    except InputError as error:
        raise InputError(f"{checkpoint}: {error}") from None
    if agent.inputs not in sizes:
        raise InputError(
            f"{checkpoint}: was trained on observations of {agent.inputs} numbers; those of {game.name} with "
            f"{players} players have {' or '.join(map(str, sizes))}"
        )
    return agent


def _lookaheads(game: Game) -> list[bool]:
    return [False] if game.lookahead is None else [False, True]


def _network(path: Path) -> ActorCritic | PolicyValue:
    of_search = "purpose" in torch.load(path, weights_only=True)
    return PolicyValue.load_whatever(path) if of_search else ActorCritic.load(path)
