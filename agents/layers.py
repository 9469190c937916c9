"""Layers of which several networks are made."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import torch

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


def hidden_layers(inputs: int, outputs: Sequence[int]) -> list[torch.nn.Module]:
    """Linear layers with so many outputs, one after the other, each followed by a ReLU."""
    sizes = itertools.pairwise((inputs, *outputs))
    return [module for size in sizes for module in (torch.nn.Linear(*size), torch.nn.ReLU())]


def listed(views: ActionViews | None) -> dict[str, list[int]] | None:
    """Views as a file of a network holds them."""
    return None if views is None else {"groups": views.groups.tolist(), "entries": views.entries.tolist()}


def from_listed(lists: dict[str, list[int]] | None) -> ActionViews | None:
    """What :func:`listed` made of views."""
    return None if lists is None else ActionViews(np.array(lists["groups"]), np.array(lists["entries"]))
