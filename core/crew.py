"""The process's worker threads: compiled functions over ranges, shared out in chunks.

Each worker begins with the same part of a range every time, whose data its core has still in its caches.

To wake a sleeping thread takes 100 to 300 us on a virtual machine, as long as a thousand decisions. So a worker that
has nothing to do first waits inside compiled code for a while, and a job never waits for a worker: whoever
comes takes the next chunk, the caller included, and one that comes too late finds none left
(``docs/decisions/008-workers-that-wait-awake.md``).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy import int64, uint64

from manjerico.core.compile import I64, VOID, WORDS, address, direct, helper, kernel
from manjerico.core.memory import add, call, load, relax, replace, store

DONE, CLOSED, LEADING, JOB, TICKETS = 0, 8, 16, 24, 32
"""Cells, in cache lines of their own: chunks done; whether to end; whether some thread leads; what the job is, from
here on; and for each worker, ``LINE`` cells apart, the number of the job (upper half) with what is left of its part in
chunks (lower half)."""

LINE = 8

FUNCTION, ARGUMENT, SIZE, CHUNK, WORKERS = range(JOB, JOB + 5)

MOST = 1024
"""Threads, the caller included."""

LEFT = uint64(2**32 - 1)

GRAIN = 64
"""The size of a chunk: what so many games need stays in a thread's inner caches from stage to stage."""

PATIENCE = 20_000
"""How often a worker looks for a job before it goes to sleep; some 0.3 ms."""

TOO_LONG = 10_000
"""How often the caller looks, after its own part, for the end of a job. A chunk takes a tenth of that: others want the
worker's core, and it was put to rest in the middle of one."""

ALONE = 200
"""So many jobs the caller then does alone, before it tries again with others."""


@helper
def _parts_begin(cells: Any, part: Any) -> Any:
    """The first chunk of a worker's part."""
    chunks = (int64(cells[SIZE]) + int64(cells[CHUNK]) - 1) // int64(cells[CHUNK])
    return part * chunks // int64(cells[WORKERS])


@helper
def _take_chunk(cells: Any, part: Any) -> Any:
    """Does a chunk of a worker's part, if one is left; returns whether."""
    ticket = load(cells, TICKETS + LINE * part)
    left = ticket & LEFT
    # The job can't change once a chunk is taken: it ends after its last chunk, and its tickets with it.
    if left == uint64(0) or not replace(cells, TICKETS + LINE * part, ticket, ticket - uint64(1)):
        return False
    begin = (_parts_begin(cells, part) + int64(left) - 1) * int64(cells[CHUNK])
    call(
        int64(cells[FUNCTION]),
        int64(cells[ARGUMENT]),
        begin,
        min(begin + int64(cells[CHUNK]), int64(cells[SIZE])),
    )
    add(cells, DONE, uint64(1))
    return True


@helper
def _take_chunks(cells: Any, worker: Any) -> Any:
    """Does chunks, of this worker's own part first, until none is left; returns how many. Worker 0 is the caller."""
    taken, part = int64(0), worker
    workers = int64(cells[WORKERS])
    if worker < workers:
        for _ in range(workers):
            while _take_chunk(cells, part):
                taken += 1
            part = part + 1 if part + 1 < workers else 0
    return taken


@kernel(I64(WORDS, I64, I64, I64, I64, I64))
def _lead(cells: Any, function: int, argument: int, size: int, chunk: int, workers: int) -> Any:
    """The caller's part of a job: makes it known, and returns when all is done, with how often it looked for that.

    Returns -1 at once if another thread leads; in compiled code no Ctrl-C can come between.
    """
    if not replace(cells, LEADING, uint64(0), uint64(1)):
        return int64(-1)
    cells[FUNCTION] = uint64(function)
    cells[ARGUMENT] = uint64(argument)
    cells[SIZE] = uint64(size)
    cells[CHUNK] = uint64(chunk)
    cells[WORKERS] = uint64(workers)
    store(cells, DONE, uint64(0))
    for part in range(workers):
        number = (load(cells, TICKETS + LINE * part) >> uint64(32)) + uint64(1)
        left = uint64(_parts_begin(cells, part + 1) - _parts_begin(cells, part))
        store(cells, TICKETS + LINE * part, number << uint64(32) | left)
    _take_chunks(cells, int64(0))
    looked = int64(0)
    while load(cells, DONE) < uint64(_parts_begin(cells, workers)):
        relax()
        looked += 1
    store(cells, LEADING, uint64(0))
    return looked


@kernel(VOID(WORDS, I64))
def _serve(cells: Any, worker: int) -> None:
    """A worker's part: returns when there was nothing to do for a while, or nothing will be any more."""
    idle = int64(0)
    while idle < PATIENCE and load(cells, CLOSED) == uint64(0):
        if _take_chunks(cells, worker) > 0:
            idle = int64(0)
        idle += 1
        relax()


class Work:
    """A kernel ``work(argument, begin, end)`` whose ranges can be done in any order, and at the same time.

    Args:
        compiled: the kernel.
        least: the part of a range that is worth a thread.
    """

    def __init__(self, compiled: Callable[..., Any], least: int) -> None:
        self.call = direct(compiled)
        self.least = least
        self.address = address(compiled)


class Crew:
    """Worker threads, begun when they are first needed."""

    def __init__(self) -> None:
        self._begin()
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)  # a forked process has none of its parent's threads

    def _begin(self) -> None:
        self._cells = np.zeros(TICKETS + LINE * MOST, np.uint64)
        self._threads: list[threading.Thread] = []
        self._asleep: list[bool] = []
        self._calls: list[SimpleQueue[None]] = []  # to wake the sleeping; their operations can't be interrupted
        self._most = MOST
        self._alone = 0

    def do(self, work: Work, argument: int, size: int, threads: int) -> None:
        """Does ``work`` for the range from 0 to ``size`` on up to so many threads, this one included.

        If another thread leads the crew just now, this one works alone.
        """
        threads = min(threads, size // work.least, self._most)
        if threads <= 1 or not work.address or self._alone > 0:
            self._alone = max(self._alone - 1, 0)
            work.call(argument, 0, size)
            return
        self._hire(threads - 1)
        self._wake(threads - 1)
        looked = _lead(self._cells, work.address, argument, size, GRAIN, threads)
        if looked < 0:
            work.call(argument, 0, size)
        elif looked > TOO_LONG:
            self._alone = ALONE

    def _hire(self, workers: int) -> None:
        for k in range(len(self._threads), workers):
            thread = threading.Thread(target=self._work, args=(k,), name=f"manjerico-{k + 1}", daemon=True)
            self._calls.append(SimpleQueue())
            self._asleep.append(False)
            self._threads.append(thread)
            try:
                thread.start()
            except RuntimeError:  # the system has none left; a job needs no worker
                self._most = k + 1
                return

    def _wake(self, workers: int) -> None:
        for k in range(min(workers, len(self._threads))):
            if self._asleep[k]:
                self._asleep[k] = False
                self._calls[k].put(None)

    def _work(self, k: int) -> None:
        while not self._cells[CLOSED]:
            _serve(self._cells, k + 1)
            self._asleep[k] = True
            self._calls[k].get()

    def close(self) -> None:
        """Ends the threads; they must not be inside compiled code when the interpreter is taken down."""
        self._cells[CLOSED] = 1
        for thread, call_ in zip(self._threads, self._calls, strict=True):
            call_.put(None)
            if thread.ident is not None:  # it was started
                thread.join()


crew = Crew()
