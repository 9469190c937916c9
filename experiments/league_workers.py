"""A league's units over several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection

from manjerico.core.errors import InputError
from manjerico.experiments.league_games import League, Played, Unit, play


def play_all(league: League, units: Iterable[Unit], workers: int) -> Iterator[list[Played]]:
    """Plays units, each as soon as a process is free, and yields their games as they are over.

    One worker is this process itself. Whoever stops listening stops the workers at once.

    Raises:
        InputError: an agent failed, or a worker died.
    """
    if workers == 1:
        for unit in units:
            yield play(league, unit)
        return
    waiting = iter(units)
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        with _interrupts_ignored():  # by the processes that begin meanwhile, for good
            running = {pool.submit(play, league, unit) for unit in islice(waiting, 2 * workers)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(play, league, unit) for unit in islice(waiting, len(done))}
            yield from map(Future.result, done)
        pool.shutdown()
    except BrokenProcessPool:
        raise InputError(
            "a worker ended before its games were over, perhaps for want of memory (try fewer --workers); what was "
            "over before is saved"
        ) from None
    finally:
        for process in multiprocessing.active_children():
            process.kill()
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal, but only the first one says what becomes of the games."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
