"""Policies made of a network: from an observation and a mask to an action, for many games at once."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO


class NetworkAgent:
    """The actor of a MaskablePPO policy: the most likely legal action, or a sampled one.

    Args:
        model: a model with an ``MlpPolicy`` on flat observations. Its weights are copied.
        seed: of the sampling; None: always the most likely action.
    """

    def __init__(self, model: MaskablePPO, seed: int | None = None) -> None:
        policy: Any = model.policy
        self.actor = torch.nn.Sequential(
            copy.deepcopy(policy.mlp_extractor.policy_net), copy.deepcopy(policy.action_net)
        ).eval()
        self.generator = None if seed is None else torch.Generator().manual_seed(seed)

    @torch.no_grad()
    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """One legal action for each row of ``observations`` (float32) and ``masks`` (int8)."""
        logits = self.actor(torch.from_numpy(observations))
        if self.generator is not None:  # the maximum of logits with Gumbel noise is a sample of their softmax
            noise = torch.empty_like(logits).exponential_(generator=self.generator)
            logits = logits - noise.log()
        actions: npt.NDArray[np.int64] = logits.masked_fill(torch.from_numpy(masks) == 0, -torch.inf).argmax(1).numpy()
        return actions
