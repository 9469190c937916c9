"""Training sets what is torch's for the whole process; leagues have agents that another distribution offers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import league_agents
import pytest
import torch


@pytest.fixture(autouse=True)
def _keep_global_settings() -> Iterator[None]:
    threads, validate = torch.get_num_threads(), torch.distributions.Distribution._validate_args
    yield
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(validate)


@pytest.fixture(scope="session")
def agents_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The agents of ``tests/toys/league_agents.py`` are installed; PYTHONPATH for processes that need them, too."""
    folder = str(league_agents.offer(tmp_path_factory.mktemp("installed")))
    sys.path.append(folder)
    yield f"{folder}:{Path(league_agents.__file__).parent}"
    sys.path.remove(folder)
