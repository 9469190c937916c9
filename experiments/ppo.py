"""PPO in plain torch on a batch of games: the whole algorithm, to be read from top to bottom.

The algorithm is Schulman and others' (2017, arXiv:1707.06347) with masked actions (Huang and Ontañón 2020,
arXiv:2006.14171) and the details of MaskablePPO: separate actor and critic, generalised advantages (arXiv:1506.02438)
normalised in each minibatch, clipped ratios, Adam, gradients of at most norm 0.5. What makes it lean:

* A step's observations, masks and rewards are torch tensors at the same memory as the batch's arrays; the only copy is
  the one into the rollout.
* Matrix products take bfloat16 where the processor has them, which doubles their speed; weights, optimiser, the
  critic's last layer, softmax and losses stay in float32.
* The masked softmax is computed once or twice, not anew for each question to a distribution; sampling cumulates it.

Left out, as in MaskablePPO by default: clipping of values, a target for the KL divergence, layers that actor and critic
share, normalised observations and rewards. Episodes are never truncated, so an end needs no bootstrapping. All runs on
the CPU. ``experiments/train.py`` calls :meth:`PPO.learn`; on its own it takes five lines::

    settings = config.build({"game": "azul", "learner": "ppo"})
    batch = BatchEnv("azul", settings.envs, opponents="greedy", seat="random", reward="lead", autoreset="same_step",
                     copy=False)
    learner = PPO(settings, batch, Path("logs"))
    learner.learn(settings.steps, between_updates=lambda: None, tell=print)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter

from manjerico.agents.network import ActorCritic, NetworkAgent, sample
from manjerico.core.batch import BatchEnv
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.learner import learning_rate

VALUE_WEIGHT = 0.5
LARGEST_GRADIENT = 0.5

ILLEGAL = -1e8
"""The logit of an illegal action: so low that its probability is exactly 0, and 0 times its logarithm too, as it would
not be for -inf."""


class Rollout(NamedTuple):
    """What was seen, done and paid, in ``rollout`` steps of every game: tensors [steps, games, ...]."""

    observations: Tensor
    masks: Tensor  # bool
    actions: Tensor
    log_probs: Tensor  # of the actions that were taken
    values: Tensor
    rewards: Tensor
    done: Tensor  # 1 where the episode ended with the action

    @classmethod
    def empty(cls, steps: int, batch: BatchEnv, dtype: torch.dtype) -> Rollout:
        """Room for a rollout."""
        size = (steps, batch.num_envs)
        return cls(
            torch.empty(*size, batch.layout.size, dtype=dtype),
            torch.empty(*size, batch.num_actions, dtype=torch.bool),
            torch.empty(size, dtype=torch.int64),
            *(torch.empty(size) for _ in range(4)),
        )


def advantages(rollout: Rollout, next_values: Tensor, gamma: float, gae_lambda: float) -> Tensor:
    """How much better than expected each action turned out, float32 [steps, games]; ``next_values`` [games] are those
    after the last step."""
    values = torch.cat([rollout.values, next_values[None]])
    found = torch.empty_like(rollout.values)
    later = torch.zeros_like(next_values)
    for step in range(len(found) - 1, -1, -1):
        not_done = 1 - rollout.done[step]
        delta = rollout.rewards[step] + gamma * not_done * values[step + 1] - values[step]
        found[step] = later = delta + gamma * gae_lambda * not_done * later
    return found


class PPO:
    """A fresh PPO on a batch; see :class:`~manjerico.experiments.learner.Learner`.

    Args:
        settings: of the run.
        batch: what it plays: one seat of each game, with ``autoreset="same_step"``.
        logs: folder for TensorBoard.
    """

    MODEL: ClassVar[str] = "model.pt"

    def __init__(self, settings: TrainConfig, batch: BatchEnv, logs: Path) -> None:
        self.settings, self.games, self.steps = settings, batch, 0
        views = None
        if batch.game.action_views is not None:
            views = batch.game.action_views(batch.rules, batch.num_players)
        self.network = ActorCritic(batch.layout.size, batch.num_actions, settings.layers, views, settings.seed)
        self.optimizer = torch.optim.Adam(self.network.parameters(), settings.learning_rate, eps=1e-5, fused=True)
        self.generator = torch.Generator().manual_seed(settings.seed)
        half = settings.precision == "bfloat16" or (settings.precision is None and computes_bfloat16())
        self.dtype = torch.bfloat16 if half else torch.float32
        self.rollout = Rollout.empty(settings.rollout, batch, self.dtype)
        self.writer = SummaryWriter(str(logs))

    def learn(self, until: int, between_updates: Callable[[], None], tell: Callable[[int], None]) -> None:
        if not self.games.begun:
            self.games.reset(self.settings.seed)
        while self.steps < until:
            between_updates()
            for step in range(self.settings.rollout):
                self._play(step)
                tell(self.steps)
            self._update()

    @torch.no_grad()
    def _play(self, step: int) -> None:
        """One decision in every game, with what it brings, into the rollout's row of that number."""
        rollout, seen = self.rollout, self.games.last
        rollout.observations[step] = torch.from_numpy(seen.observation)
        rollout.masks[step] = torch.from_numpy(seen.mask)
        logits, rollout.values[step] = self._policy_and_value(rollout.observations[step], rollout.masks[step])
        actions = sample(logits, self.generator)
        rollout.actions[step] = actions
        rollout.log_probs[step] = logits.log_softmax(1).gather(1, actions[:, None])[:, 0]
        after = self.games.step(actions.numpy())
        # The seat is that of the episode which is paid; a game that has ended shows the next one already.
        rollout.rewards[step] = torch.from_numpy(after.reward[np.arange(len(actions)), after.seat])
        rollout.done[step] = torch.from_numpy(after.done)
        self.steps += len(actions)

    def _policy_and_value(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the actions [batch, actions] and values [batch]."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.dtype == torch.bfloat16):
            logits, hidden = self.network.actor(observations), self.network.critic[:-1](observations)
        values = self.network.critic[-1](hidden.float())[:, 0]  # in full precision: returns are told apart by it
        return logits.float().masked_fill(~masks, ILLEGAL), values

    def _update(self) -> None:
        """Some epochs over the rollout, in shuffled minibatches."""
        settings, rollout = self.settings, self.rollout
        seen = self.games.last
        with torch.no_grad():
            _, last = self._policy_and_value(torch.from_numpy(seen.observation), torch.from_numpy(seen.mask) != 0)
        advantage = advantages(rollout, last, settings.gamma, settings.gae_lambda)
        columns = [  # as _learn_from takes them
            column.flatten(0, 1)
            for column in (
                rollout.observations,
                rollout.masks,
                rollout.actions,
                rollout.log_probs,
                advantage,
                advantage + rollout.values,
            )
        ]
        self.optimizer.param_groups[0]["lr"] = learning_rate(self.settings, self.steps)
        losses = []
        for _ in range(settings.epochs):
            order = torch.randperm(len(columns[0]), generator=self.generator)
            for rows in torch.split(order, settings.minibatch):
                losses.append(self._learn_from(*(column[rows] for column in columns)))
        self._log(torch.stack(losses).mean(0))

    def _learn_from(
        self,
        observations: Tensor,
        masks: Tensor,
        actions: Tensor,
        old_log_probs: Tensor,
        advantage: Tensor,
        returns: Tensor,
    ) -> Tensor:
        """One step of the optimiser; returns the losses and what tells of the step's size."""
        logits, values = self._policy_and_value(observations, masks)
        log_probs = logits.log_softmax(1)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        log_ratio = log_probs.gather(1, actions[:, None])[:, 0] - old_log_probs
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - self.settings.clip_range, 1 + self.settings.clip_range)
        policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
        value_loss = torch.nn.functional.mse_loss(values, returns)
        entropy = -(logits.softmax(1) * log_probs).sum(1).mean()  # not log_probs.exp(), slow so far below 0
        loss = policy_loss + VALUE_WEIGHT * value_loss - self.settings.entropy_weight * entropy
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self.optimizer.step()
        kl = (ratio - 1 - log_ratio).mean()  # Schulman's estimate of low variance, joschu.net/blog/kl-approx.html
        outside = (ratio != clipped).float().mean()
        return torch.stack([policy_loss, value_loss, entropy, kl, outside]).detach()

    def _log(self, means: Tensor) -> None:
        names = ("policy_gradient_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
        scalars = {f"train/{name}": float(mean) for name, mean in zip(names, means, strict=True)}
        scalars["train/learning_rate"] = self.optimizer.param_groups[0]["lr"]
        scalars["rollout/reward_per_episode"] = float(self.rollout.rewards.sum() / self.rollout.done.sum().clamp(1))
        for name, value in scalars.items():
            self.writer.add_scalar(name, value, self.steps)

    def agent(self, seed: int | None = None) -> NetworkAgent:
        return NetworkAgent(self.network, seed)

    def save_model(self, file: Path) -> None:
        self.network.save(file)

    def save(self, folder: Path) -> None:
        self.save_model(folder / self.MODEL)
        state: dict[str, Any] = {
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "steps": self.steps,
        }
        torch.save(state, folder / "learner.pt")

    def load(self, folder: Path) -> None:
        self.network.load_state_dict(ActorCritic.load(folder / self.MODEL).state_dict())
        state = torch.load(folder / "learner.pt", weights_only=True)
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.steps = state["steps"]


def computes_bfloat16() -> bool:
    """Whether the processor has instructions for matrix products of bfloat16."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16") or able.get("bf16"))
