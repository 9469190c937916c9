"""What every saved model has in common, whatever wrote it."""

from __future__ import annotations

from pathlib import Path
from zipfile import is_zipfile

from manjerico.core.errors import InputError


def check_model_file(path: Path) -> None:
    """Checks that a file may hold a model, before a library reads it: whatever saved it, it is a zip file.

    Raises:
        InputError: there is none, or it can't be one.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; a model is model.zip or model.pt of a run folder")
    if not is_zipfile(path):
        raise InputError(f"{path}: no trained model, which would be model.zip or model.pt of a run folder")
