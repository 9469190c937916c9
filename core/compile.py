"""The compiler's options and its cache: the only place that says ``njit``.

Two decorators. :func:`helper` marks a small function that is compiled into its callers. :func:`kernel` marks
an entry point with an explicit signature: it is compiled when its module is imported, or loaded from the cache
on disk if these very sources were compiled on this machine before.

Numba's own cache is replaced in four respects, all in :class:`KernelCache`:

* It never finds functions again that close over other compiled functions, since it hashes their pickled form.
  Our generic drivers (``core/drivers.py``) are such closures, which lets LLVM inline a game's kernels into
  them. Here the key names the functions, and the folder's name holds a hash of all sources involved, so
  that an edit in a helper never leaves a stale kernel (numba looks at the function's own file only).
* A truncated or foreign file is recompiled instead of raising.
* A folder that can't be written costs one warning, not the run.
* Loading compiled code doesn't import what only compiling needs, two thirds of a second; the compiler imports it
  itself when there is something to compile.

Set ``MANJERICO_CACHE_DIR`` to move the cache, ``NUMBA_DISABLE_JIT=1`` to run everything as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba import types
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {
    "_nrt": False,  # kernels allocate nothing; and arrays that are passed on have no references to be counted
    "nogil": True,  # a batch is stepped by several Python threads
    "error_model": "numpy",  # no test for division by zero: kernels raise nothing
}

I64 = types.int64
U64 = types.uint64
F64 = types.float64
VOID = types.void
BYTES = types.int8[::1]
TAPE = types.int16[::1]
INTS = types.int64[::1]
WORDS = types.uint64[::1]
FLOATS = types.float32[::1]
DOUBLES = types.float64[::1]
BYTE_ROWS = types.int8[:, ::1]
INT_ROWS = types.int64[:, ::1]
DOUBLE_ROWS = types.float64[:, ::1]
WORD_ROWS = types.uint64[:, ::1]
FLOAT_ROWS = types.float32[:, ::1]


DAMAGED = "kernel cache: damaged files are compiled again ({})"
UNWRITABLE = "kernel cache: {}; set MANJERICO_CACHE_DIR to a writable folder to avoid compiling at every start"


def record_array(dtype: np.dtype[Any]) -> Any:
    """The numba type of a contiguous one-dimensional array of records of ``dtype``."""
    return numba.from_dtype(dtype)[::1]


class KernelCache(FunctionCache):
    """Numba's cache of one function, keyed by names and sources (see the module's docstring)."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        # Numba picks the folder while the cache object is made; put the setting back for other users of numba.
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = before
        self._closed_over = _closed_over(function)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._closed_over

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            rtsys.initialize(target_context)  # what compiled code needs to take arrays
            return self._load_overload(sig, target_context)
        except Exception as error:  # unpickling a damaged file may raise anything
            _warn_once(DAMAGED, f"{self._name}: {error}")
            self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(UNWRITABLE, error)


def kernel(signature: Any) -> Callable[[F], F]:
    """Compiles an entry point for ``signature`` (a numba signature), or loads it from the cache."""

    def decorate(function: F) -> F:
        if config.DISABLE_JIT:
            return np.errstate(over="ignore")(function)  # the generator counts on integers that wrap around
        dispatcher = numba.njit(**OPTIONS)(function)
        folder = _cache_folder(_sources(function))
        if folder is not None:
            dispatcher._cache = KernelCache(dispatcher.py_func, folder)
        dispatcher.compile(signature)
        dispatcher.disable_compile()
        compiled: F = dispatcher
        return compiled

    return decorate


def helper(function: F) -> F:
    """Marks a function that is compiled into the kernels that call it, for whatever types they pass."""
    return function if config.DISABLE_JIT else numba.njit(**OPTIONS, forceinline=True)(function)


def routine(function: F) -> F:
    """Marks a helper that is called, not inlined: a large one, of which copies would cost time to compile.

    Numba hands a caller's options down to what it calls, so that a helper's must be revoked.
    """
    return function if config.DISABLE_JIT else numba.njit(**OPTIONS, forceinline=False)(function)


def direct(compiled: F) -> F:
    """A kernel without numba's look-up of the arguments' types: half a microsecond less for each call from Python.

    For callers who pass exactly the types of the signature; nobody checks them any more.
    """
    overloads = getattr(compiled, "overloads", None)
    if overloads is None:  # plain Python, without the compiler
        return compiled
    _called_directly.append(compiled)  # the code is freed with its dispatcher
    (only,) = overloads.values()
    entry: F = only.entry_point
    return entry


def address(compiled: Any) -> int:
    """Where a kernel lies as a C function, for :func:`manjerico.core.memory.call`; 0 in plain Python."""
    if config.DISABLE_JIT:
        return 0
    (only,) = compiled.overloads.values()
    place: int = only.library.get_pointer_to_function(only.fndesc.llvm_cfunc_wrapper_name)
    return place


_called_directly: list[Any] = []


def _closed_over(function: FunctionType) -> tuple[Any, ...]:
    """The names of the functions that ``function`` closes over and what those close over in turn, and other values."""
    return tuple(_named(cell.cell_contents) for cell in function.__closure__ or ())


def _named(value: Any) -> Any:
    function = getattr(value, "py_func", value)
    if not isinstance(function, FunctionType):
        return repr(value)
    return function.__module__, function.__qualname__, _closed_over(function)


def _functions(function: Any) -> Iterator[FunctionType]:
    """``function`` and all the functions that it closes over."""
    function = getattr(function, "py_func", function)
    if isinstance(function, FunctionType):
        yield function
        for cell in function.__closure__ or ():
            yield from _functions(cell.cell_contents)


def _sources(function: Any) -> tuple[Path, ...]:
    """The folders whose files may decide what ``function`` compiles to."""
    folders = {Path(f.__code__.co_filename).resolve().parent for f in _functions(function)}
    return tuple(sorted(folders | {Path(__file__).resolve().parent}))


@functools.cache
def _cache_folder(sources: tuple[Path, ...]) -> Path | None:
    """A folder for the kernels made of these sources; None, after one warning, if it can't be written."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for file in sorted(file for folder in sources for file in folder.glob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    root = os.environ.get("MANJERICO_CACHE_DIR") or platformdirs.user_cache_path("manjerico")
    folder = Path(root) / digest.hexdigest()[:16]
    if not folder.exists():
        _announce_compilation()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _warn_once(UNWRITABLE, error)
        return None
    if not os.access(folder, os.W_OK):
        _warn_once(UNWRITABLE, f"{folder} is read-only")
        return None
    return folder


@functools.cache
def _announce_compilation() -> None:
    print("manjerico: compiling the kernels for this machine, once (about 20 s) ...", file=sys.stderr, flush=True)


def _warn_once(problem: str, detail: object) -> None:
    """One warning for each kind of problem, however many kernels have it."""
    if problem not in _warned:
        _warned.add(problem)
        warnings.warn(problem.format(detail), stacklevel=2)


_warned: set[str] = set()
