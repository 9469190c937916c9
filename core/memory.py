"""Memory that compiled code shares between threads: arrays at addresses, cells read and written atomically."""

from __future__ import annotations

import ctypes
import math
import platform
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, type_callable

WORD = ir.IntType(64)


def array_at(address: Any, shape: Any, dtype: Any) -> Any:
    """The C-contiguous array of that shape and dtype at an address."""
    items = math.prod(int(size) for size in shape)
    raw = (ctypes.c_char * (items * np.dtype(dtype).itemsize)).from_address(int(address))
    return np.ndarray(shape, dtype, raw)


@type_callable(array_at)
def _type_of_array_at(context: Any) -> Callable[[Any, Any, Any], Any]:
    def typer(address: Any, shape: Any, dtype: Any) -> Any:
        return types.Array(dtype.dtype, shape.count, "C")

    return typer


@lower_builtin(array_at, types.Integer, types.BaseTuple, types.DTypeSpec)
def _compiled_array_at(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """As ``numba.carray``, which functions without numba's runtime may not call: arrays would be returned."""
    from numba.np.arrayobj import make_array, populate_array  # a fifth of a second that only compiling needs

    kind = signature.return_type
    item = context.get_data_type(kind.dtype)
    sizes = [
        context.cast(builder, size, of, types.intp)
        for size, of in zip(cgutils.unpack_tuple(builder, arguments[1]), signature.args[1].types, strict=True)
    ]
    bytes_apart = [context.get_constant(types.intp, context.get_abi_sizeof(item))]
    for size in sizes[:0:-1]:
        bytes_apart.insert(0, builder.mul(bytes_apart[0], size))
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.inttoptr(arguments[0], item.as_pointer()),
        shape=sizes,
        strides=bytes_apart,
        itemsize=bytes_apart[-1],
        meminfo=None,
    )
    return array._getvalue()


# --- For compiled code only: cells are a uint64 array ----------------------------------------------------------------


def _cell(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """A pointer to the cell that the first two arguments name."""
    cells = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(cells.data, [arguments[1]])


@intrinsic
def load(typing_context: Any, cells: Any, k: Any) -> Any:
    """A cell's value; what its writer wrote before is to be seen after."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_cell(context, builder, signature, arguments), "acquire", 8)

    return types.uint64(cells, types.int64), generate


@intrinsic
def store(typing_context: Any, cells: Any, k: Any, value: Any) -> Any:
    """Writes a cell, after all that was written before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], _cell(context, builder, signature, arguments), "release", 8)
        return context.get_dummy_value()

    return types.void(cells, types.int64, types.uint64), generate


@intrinsic
def add(typing_context: Any, cells: Any, k: Any, value: Any) -> Any:
    """Adds to a cell, after all that was written before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.atomic_rmw("add", _cell(context, builder, signature, arguments), arguments[2], "acq_rel")
        return context.get_dummy_value()

    return types.void(cells, types.int64, types.uint64), generate


@intrinsic
def replace(typing_context: Any, cells: Any, k: Any, old: Any, new: Any) -> Any:
    """Writes a cell if it still holds ``old``; whether it did."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cell = _cell(context, builder, signature, arguments)
        return builder.extract_value(builder.cmpxchg(cell, *arguments[2:], "acq_rel", "acquire"), 1)

    return types.boolean(cells, types.int64, types.uint64, types.uint64), generate


@intrinsic
def relax(typing_context: Any) -> Any:
    """Tells the processor that this thread waits for another."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if platform.machine() in ("x86_64", "AMD64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def call(typing_context: Any, function: Any, job: Any, begin: Any, end: Any) -> Any:
    """Calls ``void function(int64, int64, int64)``, which lies at an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [WORD, WORD, WORD]).as_pointer()
        builder.call(builder.inttoptr(arguments[0], kind), arguments[1:])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64, types.int64), generate
