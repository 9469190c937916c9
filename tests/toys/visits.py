"""A job for a crew that counts how often each place was visited."""

from __future__ import annotations

from typing import Any

import numpy as np

from manjerico.core.compile import I64, VOID, kernel
from manjerico.core.crew import GRAIN, Crew, Work
from manjerico.core.memory import array_at

SIZE = 20 * GRAIN + 7
LEAST = 2 * GRAIN
JOB = np.dtype([("visits", np.int64), ("value", np.int64)])


@kernel(VOID(I64, I64, I64))
def visit(address: int, begin: int, end: int) -> None:
    job = array_at(address, (1,), JOB)[0]
    visits = array_at(job["visits"], (SIZE,), np.int64)
    for k in range(begin, end):
        visits[k] += job["value"]


def visits_of(led: Crew, times: int, size: int, threads: int) -> Any:
    """How often each place was visited after so many jobs, of which the n-th counts n."""
    visits, job, work = np.zeros(SIZE, np.int64), np.zeros(1, JOB), Work(visit, LEAST)
    job["visits"] = visits.ctypes.data
    for n in range(times):
        job["value"] = n
        before = visits[size - 1]
        led.do(work, job.ctypes.data, size, threads)
        assert visits[0] == visits[size - 1] == before + n
    return visits
