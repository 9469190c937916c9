"""Policies made of a network: from an observation and a mask to an action, for many games at once."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from manjerico.agents.layers import Beside, ViewingHead, from_listed, hidden_layers, listed
from manjerico.agents.policy_value import PolicyValue
from manjerico.core.errors import InputError
from manjerico.core.layout import ActionViews


class ViewingPolicy(MaskableActorCriticPolicy):
    """SB3's ``MlpPolicy`` with a :class:`ViewingHead`; ``views`` as there."""

    def __init__(self, *arguments: Any, views: ActionViews, **options: Any) -> None:
        self.views = views
        super().__init__(*arguments, **options)

    def _build_mlp_extractor(self) -> None:
        super()._build_mlp_extractor()
        self.hidden = self.mlp_extractor.latent_dim_pi
        self.mlp_extractor.policy_net = Beside(*self.mlp_extractor.policy_net)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = ViewingHead(self.hidden, self.views)
        self.action_net.apply(partial(self.init_weights, gain=2**0.5))
        for last in (self.action_net.own, self.action_net.by_group, self.action_net.judge):
            self.init_weights(last, gain=0.01)  # as SB3 begins: all actions nearly alike
        self.optimizer = self.optimizer_class(self.parameters(), lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "views": self.views}


class ActorCritic(torch.nn.Module):
    """Networks of the shape and the first weights of SB3's ``MlpPolicy`` and :class:`ViewingPolicy`, on their own.

    Args:
        inputs: size of an observation.
        actions: how many there are.
        layers: outputs of the hidden layers, of the actor and of the critic.
        views: of the actions, for a :class:`ViewingHead`.
        seed: of the weights.

    Attributes:
        actor: logits [batch, actions] of observations [batch, inputs].
        critic: values [batch, 1] of the same.
    """

    def __init__(
        self, inputs: int, actions: int, layers: Sequence[int], views: ActionViews | None = None, seed: int = 0
    ) -> None:
        super().__init__()
        self.inputs, self.actions, self.layers, self.views = inputs, actions, tuple(layers), views
        last = layers[-1] if layers else inputs
        hidden = hidden_layers(inputs, layers)
        if views is None:
            self.actor = torch.nn.Sequential(torch.nn.Sequential(*hidden), torch.nn.Linear(last, actions))
        else:
            self.actor = torch.nn.Sequential(Beside(*hidden), ViewingHead(last, views))
        self.critic = torch.nn.Sequential(*hidden_layers(inputs, layers), torch.nn.Linear(last, 1))
        self._begin(torch.Generator().manual_seed(seed))

    def _begin(self, generator: torch.Generator) -> None:
        """Orthogonal weights; the last ones small, so that at first all actions are nearly alike."""
        head = self.actor[1]
        last = [head.own, head.by_group, head.judge] if isinstance(head, ViewingHead) else [head]
        gains = {**dict.fromkeys(last, 0.01), self.critic[-1]: 1.0}
        for module in self.modules():
            if isinstance(module, torch.nn.Linear):
                torch.nn.init.orthogonal_(module.weight, gains.get(module, 2**0.5), generator=generator)
                if module.bias is not None:
                    torch.nn.init.zeros_(module.bias)

    def save(self, file: IO[bytes] | Path) -> None:
        """Writes the shape and the weights, for :meth:`load`."""
        shape = {"inputs": self.inputs, "actions": self.actions, "layers": self.layers}
        torch.save({"shape": shape, "views": listed(self.views), "weights": self.state_dict()}, file)

    @classmethod
    def load(cls, file: IO[bytes] | Path) -> Self:
        """What :meth:`save` wrote."""
        saved = torch.load(file, weights_only=True)
        model = cls(**saved["shape"], views=from_listed(saved["views"]))
        model.load_state_dict(saved["weights"])
        return model


class NetworkAgent:
    """The actor of a trained model: the most likely legal action, or a sampled one.

    Args:
        model: one of :class:`ActorCritic` or :class:`PolicyValue`, or a MaskablePPO with an ``MlpPolicy`` on flat
            observations. Its weights are copied.
        seed: of the sampling; None: always the most likely action.
        skip_lookahead: whether observations may be longer than the model's, by a lookahead, which lies behind the rest.
        files: that the model is from.
    """

    def __init__(
        self,
        model: MaskablePPO | ActorCritic | PolicyValue,
        seed: int | None = None,
        *,
        skip_lookahead: bool = False,
        files: Sequence[Path] = (),
    ) -> None:
        self.skip_lookahead, self.files = skip_lookahead, files
        if isinstance(model, ActorCritic):
            self.inputs, actor = model.inputs, model.actor
        elif isinstance(model, PolicyValue):
            self.inputs, actor = model.inputs, torch.nn.Sequential(model.trunk, model.policy)
        else:
            policy: Any = model.policy
            (self.inputs,) = policy.observation_space.shape
            actor = torch.nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net)
        self.actor = copy.deepcopy(actor).eval()
        self.generator = None if seed is None else torch.Generator().manual_seed(seed)

    def get_stream(self) -> torch.Tensor | None:
        """Where the sampling is in its random numbers."""
        return None if self.generator is None else self.generator.get_state()

    def set_stream(self, state: torch.Tensor | None) -> None:
        """Goes on from what :meth:`get_stream` returned."""
        self.generator = None if state is None else torch.Generator().set_state(state)

    @torch.no_grad()
    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """One legal action for each row of ``observations`` (float32) and ``masks`` (int8).

        Raises:
            InputError: the model was trained on others.
        """
        self.check_sizes(observations.shape[1], masks.shape[1])
        logits = self.actor(torch.from_numpy(observations[:, : self.inputs]))
        logits = logits.masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
        chosen = logits.argmax(1) if self.generator is None else sample(logits, self.generator)
        actions: npt.NDArray[np.int64] = chosen.numpy()
        return actions

    def check_sizes(self, inputs: int, actions: int) -> None:
        """Checks that the model was trained on observations and actions of these sizes.

        Raises:
            InputError: otherwise.
        """
        head = self.actor[1]
        outputs = (head.own if isinstance(head, ViewingHead) else head).out_features
        if (inputs != self.inputs and not (self.skip_lookahead and inputs > self.inputs)) or actions != outputs:
            raise InputError(
                f"the model was trained on observations of {self.inputs} numbers and {outputs} actions, not on "
                f"{inputs} and {actions}: another game, number of players or rules, or only one with lookahead"
            )


def sample(logits: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """An action for each row of logits [batch, actions], of which those of illegal actions have a softmax of 0.

    By the inverse of the cumulated probabilities, in a fifth of the time that noise for each action takes; an
    action of probability 0 adds nothing to them, so it is never the first to exceed what was drawn.
    """
    until = logits.softmax(1).cumsum(1)
    drawn = torch.rand(len(logits), 1, generator=generator) * until[:, -1:]
    return torch.searchsorted(until, drawn, right=True)[:, 0]
