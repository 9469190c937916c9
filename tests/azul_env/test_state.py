"""States from outside are checked, since kernels trust them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from azul_env import AzulRules, azul_v0
from azul_env.game import GAME
from azul_env.state import fault
from manjerico.core.errors import InputError
from manjerico.core.games import Batch


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", [AzulRules.rulebook(), AzulRules.digest()])
def test_every_state_of_a_game_is_possible(players: int, rules: AzulRules) -> None:
    rng = random.Random(players)
    for seed in range(3):
        match = azul_v0.new_game(seed, players, rules, start=seed % players)
        while not match.is_over:
            assert fault(players, match.state) == ""
            match.apply(match.choose("greedy") if rng.random() < 0.8 else rng.choice(match.legal_actions()))
        assert fault(players, match.state) == ""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("player", 7),
        ("player", -1),
        ("marker", 100),
        ("starter", -1),
        ("start", 2),
        ("phase", 2),
        ("phase", 5),
        ("round", 100),
        ("wild", -1),
        ("passed", 255),
        ("picks", 100),
        ("giving_up", 2),
        ("offers", 0),
        ("supply", 0),
        ("bag", 0),
        ("bag_size", 200),
        ("hand", 255),
        ("kept", 9),
        ("board", 2**63),
        ("centre", 3),
        ("centre_used", 63),
        ("score", 0),
    ],
)
def test_an_impossible_state_is_refused(field: str, value: Any) -> None:
    match = azul_v0.new_game(seed=3)
    for _ in range(4):
        match.apply(match.legal_actions()[0])
    before = match.get_state()
    states = np.frombuffer(before, GAME.state).copy()
    states[field] = value
    with pytest.raises(InputError, match="that state is impossible: "):
        match.set_state(states.tobytes())
    assert match.get_state() == before
    batch = Batch(GAME, 1, 2)
    batch.start(batch.all, [3], [0])
    arrays = {**batch.get_state(), "states": states.view(np.uint8).reshape(1, -1)}
    with pytest.raises(InputError, match="the state of game 0 is impossible: "):
        batch.set_state(arrays)
