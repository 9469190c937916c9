"""The network of tree search: logits of actions, and what everybody can expect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import torch
from torch import Tensor

from manjerico.agents.layers import Beside, ViewingHead, from_listed, hidden_layers, listed
from manjerico.agents.model_file import check_model_file
from manjerico.agents.worth import Worth
from manjerico.core.errors import InputError, first_line
from manjerico.core.game import Game
from manjerico.core.layout import ActionViews
from manjerico.core.rules import Rules, differences

VALUE_UNITS = 64
"""Hidden units between the last layer and the values."""


class SearchStyle(NamedTuple):
    """How the search by a network weighs what it knows, in training and after it."""

    value_scale: float = 1.0
    """How much values weigh against logits at the root. The more a game's results depend on chance, the less."""
    guide: float = 0.0
    """What is added to the logit of the choice of the game's strongest scripted policy."""


class PolicyValue(torch.nn.Module):
    """One trunk, from which a policy and the values of all players are read.

    Args:
        inputs: size of an observation.
        actions: how many there are.
        players: how many values: of the observing player first, then in turn order.
        layers: outputs of the trunk's layers.
        worth: what a finished game is worth, whose expectation the values are.
        style: of the search that trains it.
        views: of the actions, for a :class:`ViewingHead`.
        seed: of the weights.
    """

    def __init__(
        self,
        inputs: int,
        actions: int,
        players: int,
        layers: Sequence[int],
        worth: Worth,
        style: SearchStyle,
        views: ActionViews | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self.inputs, self.worth, self.style = inputs, worth, style
        self.shape: dict[str, Any] = {"inputs": inputs, "actions": actions, "players": players, "layers": tuple(layers)}
        self.views = views
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            hidden = hidden_layers(inputs, layers)
            last = layers[-1] if layers else inputs
            if views is None:
                self.trunk: torch.nn.Sequential = torch.nn.Sequential(*hidden)
                self.policy: torch.nn.Module = torch.nn.Linear(last, actions)
            else:
                self.trunk = Beside(*hidden)
                self.policy = ViewingHead(last, views)
            self.value = torch.nn.Sequential(
                torch.nn.Linear(last, VALUE_UNITS), torch.nn.ReLU(), torch.nn.Linear(VALUE_UNITS, players)
            )
        self.last = last

    @classmethod
    def fresh(
        cls,
        game: Game,
        players: int,
        rules: Rules,
        layers: Sequence[int],
        worth: Worth,
        style: SearchStyle,
        seed: int = 0,
    ) -> Self:
        """An untrained network for a game, which sees what ``BatchEnv`` shows with lookahead where the game has it."""
        inputs = game.observation(rules, players, game.lookahead is not None).size
        views = None if game.action_views is None else game.action_views(rules, players)
        return cls(inputs, game.num_actions(rules), players, layers, worth, style, views, seed)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [batch, actions] and values [batch, players] between -1 and 1, for observations [batch, inputs]."""
        features = self.trunk(observations)
        return self.policy(features), torch.tanh(self.value(features[:, : self.last]))

    def save(self, file: IO[bytes] | Path, game: Game, rules: Rules) -> None:
        """Writes the weights, and what they were trained for."""
        purpose = {"game": game.name, "version": game.version, "rules": rules.as_dict()}
        saved = {
            "purpose": purpose,
            "worth": tuple(self.worth),
            "style": tuple(self.style),
            "shape": self.shape,
            "views": listed(self.views),
            "weights": self.state_dict(),
        }
        torch.save(saved, file)

    @classmethod
    def load(cls, file: IO[bytes] | Path, game: Game, players: int, rules: Rules) -> Self:
        """What :meth:`save` wrote.

        Raises:
            InputError: it is no such file, or was trained for another game, number of players or rules.
        """
        saved = _read(file)
        trained = {**saved["purpose"], "players": saved["shape"]["players"]}
        for name, value in {"game": game.name, "version": game.version, "players": players}.items():
            if trained[name] != value:
                raise InputError(f"{file}: was trained for {name} {trained[name]}, not for {value}")
        if differing := differences(trained["rules"], rules):
            raise InputError(f"{file}: was trained under other rules: {differing}")
        return cls._made_of(saved)

    @classmethod
    def load_whatever(cls, file: IO[bytes] | Path) -> Self:
        """As :meth:`load`, whatever it was trained for."""
        return cls._made_of(_read(file))

    @classmethod
    def _made_of(cls, saved: dict[str, Any]) -> Self:
        worth, style = Worth(*saved["worth"]), SearchStyle(*saved["style"])
        model = cls(**saved["shape"], worth=worth, style=style, views=from_listed(saved["views"]))
        model.load_state_dict(saved["weights"])
        return model.eval()


def _read(file: IO[bytes] | Path) -> dict[str, Any]:
    if isinstance(file, Path):
        check_model_file(file)
    try:
        saved = torch.load(file, weights_only=True)
    except Exception as error:  # whatever the readers of zip files and pickles raise
        raise InputError(f"{file}: no saved network ({first_line(error):.100})") from None
    if not isinstance(saved, dict) or not {"purpose", "worth", "style", "shape", "views", "weights"} <= saved.keys():
        raise InputError(f"{file}: no saved network for tree search")
    return saved
