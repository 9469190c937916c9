"""The compiled rest of ``BatchEnv``, the same for all games: actions are handed over, checked and drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64, int64, uint64

from manjerico.core import bits, rng
from manjerico.core.batch_driver import JOB, fraction
from manjerico.core.compile import I64, INTS, VOID, WORD_ROWS, direct, helper, kernel, record_array
from manjerico.core.memory import array_at


@direct
@kernel(VOID(record_array(JOB), I64, INTS, INTS))
def point(job: Any, stages: Any, indices: Any, actions: Any) -> None:
    """Sets in a job what changes from call to call; a microsecond for each of them in plain Python."""
    job[0]["stages"] = stages
    job[0]["illegal"] = 0
    job[0]["indices"] = indices.ctypes.data
    job[0]["actions"] = actions.ctypes.data


@helper
def _is_illegal(words: Any, action: Any) -> Any:
    """Whether an action is not in a set that has any."""
    if 0 <= action < 64 * words.size and bits.has(words, action):
        return False
    return bits.count(words) > 0


@direct
@kernel(I64(WORD_ROWS, INTS))
def first_illegal(words: Any, actions: Any) -> Any:
    """The first game whose action is not legal, -1 for none. Games that are over allow everything."""
    for index in range(actions.size):
        if _is_illegal(words[index], actions[index]):
            return int64(index)
    return int64(-1)


@kernel(VOID(I64, I64, I64))
def check(address: int, begin: int, end: int) -> None:
    """Notes in a ``JOB`` whether any of these games' actions is not legal."""
    job = array_at(address, (1,), JOB)[0]
    games = int64(job["games"])
    words = array_at(job["words"], (games, int64(job["words_size"])), np.uint64)
    actions = array_at(job["actions"], (games,), np.int64)
    for index in range(begin, end):
        if _is_illegal(words[index], actions[index]):
            job["illegal"] = 1


@kernel(VOID(I64, I64, I64))
def sample(address: int, begin: int, end: int) -> None:
    """A uniformly random legal action for each game of a ``JOB``, 0 where none is legal."""
    job = array_at(address, (1,), JOB)[0]
    games = int64(job["games"])
    words = array_at(job["words"], (games, int64(job["words_size"])), np.uint64)
    actions = array_at(job["actions"], (games,), np.int64)
    draw = uint64(job["draw"] * 2.0**53)
    for index in range(begin, end):
        count = bits.count(words[index])
        share = fraction(rng.mix(draw + uint64(index) * rng.GOLDEN))
        actions[index] = bits.select(words[index], int64(share * float64(count))) if count > 0 else 0
