"""Agents by name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from manjerico.agents import registry
from manjerico.core.errors import InputError
from manjerico.core.game import Game, find
from manjerico.core.match import Match
from manjerico.core.rules import Rules


class Last:
    """Takes the last legal action; its parameters are only looked at."""

    def __init__(
        self,
        game: Game,
        players: int,
        rules: Rules,
        seed: int,
        *,
        file: str,
        count: int = 3,
        share: float | None = None,
        loud: bool = False,
    ) -> None:
        self.given = (game.name, players, rules, seed, file, count, share, loud)

    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._factories, "last", Last)


def test_parameters_have_the_types_of_the_factory() -> None:
    azul = find("azul")
    rules = azul.presets["digest"]
    agent = registry.make("last:file=a=b/c.zip,count=5,share=0.5,loud=True", azul, 3, rules, seed=9)
    assert agent.given == ("azul", 3, rules, 9, "a=b/c.zip", 5, 0.5, True)  # type: ignore[attr-defined]
    agent = registry.make("last:file=x", "azul")
    assert agent.given == ("azul", 2, azul.default_rules, 0, "x", 3, None, False)  # type: ignore[attr-defined]
    assert agent.name == "last:file=x"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gredy", "agent of azul must be one of .*, not 'gredy' .did you mean 'greedy'?"),
        ("greedy:3", "greedy takes no parameters"),
        ("last", "file is missing: last:file=..."),
        ("last:x,cuont=3", "parameter must be one of count, file, loud, share, not 'cuont' .did you mean 'count'?"),
        ("last:x,count=many", "count must be an integer, not 'many'"),
        ("last:x,share=much", "share must be a number, not 'much'"),
        ("last:x,loud=perhaps", "loud must be one of false, true, not 'perhaps'"),
        ("last:x,count=1,count=2", "count is given twice"),
        ("last:x,7", "parameters are key=value, separated by commas, not '7'"),
        ("", "agent of azul must be one of"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        registry.make(spec, "azul")


def test_an_agent_decides_in_a_match() -> None:
    match = Match(find("azul"), seed=1)
    assert match.choose(registry.make("last:x", "azul")) == match.legal_actions()[-1]


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_scripted_agents_choose_as_the_policies(game: str) -> None:
    match = Match(find(game), seed=5)
    agent = registry.make("greedy", game)
    while not match.is_over:
        action = match.choose("greedy")
        assert match.choose(agent, seed=len(match.actions)) == action
        match.apply(action)
