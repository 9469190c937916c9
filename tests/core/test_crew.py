"""Every chunk of a job is done once, whoever does it, before the caller goes on."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from visits import LEAST, SIZE, visit, visits_of

from manjerico.core import crew as crew_module
from manjerico.core.crew import GRAIN, Crew, Work, crew

TOYS = Path(__file__).parents[1] / "toys"


@pytest.mark.parametrize("size", [0, 1, GRAIN, LEAST - 1, 2 * LEAST, 2 * LEAST + 1, SIZE])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_everything_is_done_once(size: int, threads: int) -> None:
    if size == 0:
        crew.do(Work(visit, LEAST), 0, 0, threads)
        return
    visits = visits_of(crew, 300, size, threads)
    assert (visits[:size] == sum(range(300))).all()
    assert (visits[size:] == 0).all()


def test_workers_do_their_part() -> None:
    """With a job large enough another thread takes chunks, and goes to sleep when there is nothing to do."""
    led = Crew()
    visits_of(led, 2000, SIZE, 3)
    assert [thread.name for thread in led._threads] == ["manjerico-1", "manjerico-2"]
    led.close()
    assert not any(thread.is_alive() for thread in led._threads)


def test_where_others_want_the_cores_the_caller_works_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a while, after it had to wait long for a worker; here any time is long."""
    monkeypatch.setattr(crew_module, "TOO_LONG", -1)
    monkeypatch.setattr(crew_module, "ALONE", 3)
    led = Crew()
    left = []
    for _ in range(6):
        visits_of(led, 1, SIZE, 2)
        left.append(led._alone)
    assert left == [3, 2, 1, 0, 3, 2]
    led.close()


def test_several_leaders_at_once() -> None:
    """One leads the crew, the others work alone meanwhile."""
    found: list[Any] = []
    leaders = [threading.Thread(target=lambda: found.append(visits_of(crew, 1500, SIZE, 2))) for _ in range(4)]
    for leader in leaders:
        leader.start()
    for leader in leaders:
        leader.join()
    assert len(found) == 4
    assert all((visits == sum(range(1500))).all() for visits in found)


def _forked(queue: Any) -> None:
    queue.put(int(visits_of(crew, 10, SIZE, 2).sum()))


def test_a_forked_process_has_its_own_crew() -> None:
    visits_of(crew, 10, SIZE, 2)
    context = multiprocessing.get_context("fork")
    queue: Any = context.Queue()
    process = context.Process(target=_forked, args=(queue,))
    process.start()
    assert queue.get(timeout=60) == 45 * SIZE
    process.join(60)
    assert process.exitcode == 0


def test_the_interpreter_ends_with_workers_awake() -> None:
    """They were stopped inside compiled code otherwise, at a place where Python can't be left."""
    code = "from visits import *; from manjerico.core.crew import crew; visits_of(crew, 100, SIZE, 3)"
    for _ in range(3):
        subprocess.run([sys.executable, "-c", code], check=True, timeout=120, cwd=TOYS)  # noqa: S603  # our own
