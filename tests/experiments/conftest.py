"""Training sets what is torch's for the whole process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def _keep_global_settings() -> Iterator[None]:
    threads, validate = torch.get_num_threads(), torch.distributions.Distribution._validate_args
    yield
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(validate)
