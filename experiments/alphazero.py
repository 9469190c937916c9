"""AlphaZero in plain torch on a batch of games: search makes a better policy, the network learns to have it at once.

Silver et al., "Mastering the game of Go without human knowledge", 2017, with the root of Gumbel AlphaZero (Danihelka et
al., 2022; see ``agents/puct.py``). All seats are played by the newest network. What is learnt from is the search's
policy, and as value a mixture of how the game ended and what the search expected: games of chance end
otherwise than they were played, and the mixture has less noise.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter

from manjerico.agents.alphazero import NetworkSearch, Searched
from manjerico.agents.network import NetworkAgent, sample
from manjerico.agents.policy_value import PolicyValue, SearchStyle
from manjerico.agents.scripted import ScriptedAgent
from manjerico.agents.worth import Worth
from manjerico.core.agent import concealed
from manjerico.core.batch import BatchEnv
from manjerico.core.errors import InputError
from manjerico.core.game import Game, Records
from manjerico.core.rules import Rules
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.learner import learning_rate
from manjerico.experiments.ppo import ILLEGAL, LARGEST_GRADIENT, computes_bfloat16

WEIGHT_DECAY = 1e-4


class Replay:
    """The last positions of every game: a ring of steps, each with a row of all games.

    Tensors [steps, games, ...]; a position may be learnt from once its game has ended and its results are known.
    """

    def __init__(self, steps: int, batch: BatchEnv) -> None:
        size = steps, batch.num_envs
        self.columns = {
            "observation": torch.zeros(*size, batch.layout.size, dtype=torch.float16),
            "policy": torch.zeros(*size, batch.num_actions, dtype=torch.float16),
            "mask": torch.zeros(*size, batch.num_actions, dtype=torch.bool),
            "value": torch.zeros(*size, batch.num_players),
            "player": torch.zeros(size, dtype=torch.int64),
            "known": torch.zeros(size, dtype=torch.bool),
        }
        self.written = torch.zeros((), dtype=torch.int64)
        self.begun = torch.zeros(batch.num_envs, dtype=torch.int64)

    @property
    def steps(self) -> int:
        """How many steps there is room for."""
        return len(self.columns["known"])

    def add(self, **row: Tensor) -> None:
        """One step of all games."""
        at = int(self.written) % self.steps
        for name, values in row.items():
            self.columns[name][at] = values
        self.columns["known"][at] = False
        self.written += 1

    def finish(self, game: int, results_by_seat: Tensor, share: float) -> None:
        """A game has ended with the step added last: its positions get ``share`` of its results."""
        first = max(int(self.begun[game]), int(self.written) - self.steps)
        rows = torch.arange(first, int(self.written)) % self.steps
        players = len(results_by_seat)
        seats = (self.columns["player"][rows, game][:, None] + torch.arange(players)) % players
        expected = self.columns["value"][rows, game]
        target = results_by_seat[seats]
        target[:, 0] += (1 - share) * (expected[:, 0] - target[:, 0])
        self.columns["value"][rows, game] = target
        self.columns["known"][rows, game] = True
        self.begun[game] = self.written

    def sample(self, count: int, generator: torch.Generator) -> list[Tensor]:
        """Observations, policies, masks and values of so many known positions."""
        known = self.columns["known"].flatten().nonzero()[:, 0]
        rows = known[torch.randint(len(known), (count,), generator=generator)]
        return [self.columns[name].flatten(0, 1)[rows] for name in ("observation", "policy", "mask", "value")]


def start_model(settings: TrainConfig, game: Game, rules: Rules) -> PolicyValue | None:
    """The model that training goes on from; None: it begins with a fresh network.

    Raises:
        InputError: the setting names no model for these games, or one with other layers.
    """
    if settings.start_model is None:
        return None
    model = PolicyValue.load(Path(settings.start_model), game, settings.players, rules)
    layers, wanted = list(model.shape["layers"]), list(settings.layers)
    if layers != wanted:
        raise InputError(f"{settings.start_model}: has layers={layers}, the settings have {wanted}")
    return model


class AlphaZero:
    """A fresh network that plays all seats of a batch; see :class:`~manjerico.experiments.learner.Learner`.

    Args:
        settings: of the run.
        batch: what it plays: without opponents, with ``autoreset="same_step"``.
        logs: folder for TensorBoard.
    """

    MODEL: ClassVar[str] = "model.pt"

    def __init__(self, settings: TrainConfig, batch: BatchEnv, logs: Path) -> None:
        self.settings, self.games, self.steps = settings, batch, 0
        game, players = batch.game, batch.num_players
        self.network = PolicyValue.fresh(
            game,
            players,
            batch.rules,
            settings.layers,
            Worth(settings.place_share, settings.spread),
            SearchStyle(settings.value_scale, settings.guide),
            settings.seed,
        )
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), settings.learning_rate, weight_decay=WEIGHT_DECAY, fused=True
        )
        self.half = settings.precision == "bfloat16" or (settings.precision is None and computes_bfloat16())
        self.search = NetworkSearch(
            game,
            players,
            batch.rules,
            self.network,
            settings.envs,
            settings.simulations,
            settings.considered,
            self.half,
        )
        self.teacher = ScriptedAgent(game, game.strongest, batch.rules) if settings.imitation else None
        self.replay = Replay(max(settings.replay // settings.envs, 1), batch)
        self.streams = np.zeros((settings.envs, 2), np.uint64)
        self.streams[:, 0] = np.random.SeedSequence(settings.seed).generate_state(settings.envs, np.uint64)
        self.generator = torch.Generator().manual_seed(settings.seed)
        self.writer = SummaryWriter(str(logs))

    def start_from(self, model: PolicyValue) -> None:
        """Takes over a model's weights, before anything is learnt."""
        self.network.load_state_dict(model.state_dict())

    def learn(self, until: int, between_updates: Callable[[], None], tell: Callable[[int], None]) -> None:
        if not self.games.begun:
            self.games.reset(self.settings.seed)
        while self.steps < until:
            between_updates()
            for _ in range(self.settings.rollout):
                self._play()
                tell(self.steps)
            if bool(self.replay.columns["known"].any()):
                self._update()

    def _play(self) -> None:
        """One decision in every game."""
        seen = self.games.last
        roots = concealed(self.games.game, self.search.params, self.games.states, self.streams)
        if self.teacher is not None and self.steps < self.settings.imitation:
            actions, found = self._imitate(self.teacher, roots)
        else:
            found = self.search.search(roots, noisy=True)
            actions = found.actions
        values = torch.zeros(len(roots), self.games.num_players)
        values[:, 0] = torch.from_numpy(found.values)
        self.replay.add(
            observation=torch.from_numpy(seen.observation),
            policy=torch.from_numpy(found.policies),
            mask=torch.from_numpy(seen.mask),
            value=values,
            player=torch.from_numpy(seen.player),
        )
        after = self.games.step(actions)
        ended = np.flatnonzero(after.done)
        if ended.size:
            worth = torch.from_numpy(self.network.worth.of(self.games.final_scores()[ended]))
            for row, game in enumerate(ended.tolist()):
                self.replay.finish(game, worth[row], self.settings.outcome_share)
        self.steps += len(roots)

    @torch.no_grad()
    def _imitate(self, teacher: ScriptedAgent, roots: Records) -> tuple[npt.NDArray[np.int64], Searched]:
        """What to do, and what the teacher does, as if a search had found it.

        In every other game the network plays itself, to be taught where its own play leads (Ross, Gordon, Bagnell, "A
        reduction of imitation learning and structured prediction to no-regret online learning", 2011).
        """
        seen = self.games.last
        taught = teacher.act(seen.observation, seen.mask, roots)
        policies = np.zeros(seen.mask.shape, np.float32)
        policies[np.arange(len(taught)), taught] = 1
        logits, values = self.network(torch.from_numpy(seen.observation))
        own = sample(logits.masked_fill(torch.from_numpy(seen.mask) == 0, -torch.inf), self.generator)
        actions = np.where(np.arange(len(taught)) % 2, own.numpy(), taught)
        return actions, Searched(taught, policies, values[:, 0].numpy())

    def _update(self) -> None:
        """As many minibatches as learn from every position ``epochs`` times before it leaves."""
        settings = self.settings
        self.optimizer.param_groups[0]["lr"] = learning_rate(self.settings, self.steps)
        count = max(settings.epochs * settings.rollout * settings.envs // settings.minibatch, 1)
        losses = [self._learn_from(*self.replay.sample(settings.minibatch, self.generator)) for _ in range(count)]
        means = torch.stack(losses).mean(0)
        for name, mean in zip(("policy_loss", "policy_excess", "value_loss"), means.tolist(), strict=True):
            self.writer.add_scalar(f"train/{name}", mean, self.steps)

    def _learn_from(self, observations: Tensor, policies: Tensor, masks: Tensor, values: Tensor) -> Tensor:
        """One step of the optimiser; returns the losses."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
            logits, expected = self.network(observations.float())
        log_probs = logits.float().masked_fill(~masks, ILLEGAL).log_softmax(1)
        targets = policies.float()
        policy_loss = -(targets * log_probs).sum(1).mean()
        value_loss = torch.nn.functional.mse_loss(expected.float(), values)
        self.optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self.optimizer.step()
        entropy = -torch.special.xlogy(targets, targets).sum(1).mean()
        return torch.stack([policy_loss, policy_loss - entropy, value_loss]).detach()

    def agent(self, seed: int | None = None) -> NetworkAgent:
        return NetworkAgent(self.network, seed)

    def save_model(self, file: Path) -> None:
        self.network.save(file, self.games.game, self.games.rules)

    def save(self, folder: Path) -> None:
        state: dict[str, Any] = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "streams": torch.from_numpy(self.streams.view(np.int64)),
            "replay": {**self.replay.columns, "written": self.replay.written, "begun": self.replay.begun},
            "steps": self.steps,
        }
        torch.save(state, folder / "learner.pt")

    def load(self, folder: Path) -> None:
        state = torch.load(folder / "learner.pt", weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.streams = state["streams"].numpy().view(np.uint64)
        replay = state["replay"]
        self.replay.written, self.replay.begun = replay.pop("written"), replay.pop("begun")
        self.replay.columns = replay
        self.steps = state["steps"]
