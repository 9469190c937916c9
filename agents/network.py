"""Policies made of a network: from an observation and a mask to an action, for many games at once."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from manjerico.core.layout import ActionViews

SHARED = 32
"""Hidden units by which a group of actions is judged."""


class Beside(torch.nn.Sequential):
    """Layers whose input is kept beside their output."""

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """[batch, outputs + inputs] for [batch, inputs]."""
        outputs = super().forward(features)  # type: ignore[no-untyped-call]
        return torch.cat([outputs, features], dim=1)


class ViewingHead(torch.nn.Module):
    """Logits of actions: each action's own, and its group's by what the observation tells of it, with shared weights.

    Args:
        hidden: outputs of the network below, which lie before the observation in the input.
        views: of the actions.
    """

    members: torch.Tensor
    entries: torch.Tensor

    def __init__(self, hidden: int, views: ActionViews) -> None:
        super().__init__()
        groups, entries = views.entries.shape
        self.hidden = hidden
        self.own = torch.nn.Linear(hidden, len(views.groups))
        self.by_group = torch.nn.Linear(hidden, groups)
        self.context = torch.nn.Linear(hidden, SHARED)
        self.view = torch.nn.Linear(entries, SHARED, bias=False)
        self.judge = torch.nn.Linear(SHARED, 1)
        # As a matrix: the gradient of a product takes a small part of the time that the one of an index takes.
        self.register_buffer("members", torch.eye(groups)[views.groups].T.contiguous())
        self.register_buffer("entries", torch.from_numpy(views.entries.reshape(-1)))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Logits [batch, actions] of features [batch, hidden + observation]."""
        hidden = features[:, : self.hidden]
        observation = torch.nn.functional.pad(features[:, self.hidden :].detach(), (0, 1))  # entry -1 is 0
        views = observation[:, self.entries].view(len(features), -1, self.view.in_features)
        judged = torch.relu(self.view(views) + self.context(hidden)[:, None])
        by_group = self.by_group(hidden) + self.judge(judged)[..., 0]
        logits: torch.Tensor = self.own(hidden) + by_group @ self.members
        return logits


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


class NetworkAgent:
    """The actor of a MaskablePPO policy: the most likely legal action, or a sampled one.

    Args:
        model: a model with an ``MlpPolicy`` on flat observations, with or without lookahead. Its weights are copied.
        seed: of the sampling; None: always the most likely action.
    """

    def __init__(self, model: MaskablePPO, seed: int | None = None) -> None:
        policy: Any = model.policy
        (self.inputs,) = policy.observation_space.shape
        self.actor = torch.nn.Sequential(
            copy.deepcopy(policy.mlp_extractor.policy_net), copy.deepcopy(policy.action_net)
        ).eval()
        self.generator = None if seed is None else torch.Generator().manual_seed(seed)

    @torch.no_grad()
    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """One legal action for each row of ``observations`` (float32) and ``masks`` (int8).

        Observations may be longer than the model's: a lookahead lies behind the rest.
        """
        logits = self.actor(torch.from_numpy(observations[:, : self.inputs]))
        if self.generator is not None:  # the maximum of logits with Gumbel noise is a sample of their softmax
            noise = torch.empty_like(logits).exponential_(generator=self.generator)
            logits = logits - noise.log()
        actions: npt.NDArray[np.int64] = logits.masked_fill(torch.from_numpy(masks) == 0, -torch.inf).argmax(1).numpy()
        return actions
