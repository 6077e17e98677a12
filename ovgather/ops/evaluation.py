"""Evaluation of an operation: what is done with the arrays before and after the data movement.

Imported only to evaluate: it needs NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ovgather.errors import InvalidModelError
from ovgather.files.array_limits import is_possible
from ovgather.ops import kernels
from ovgather.ops.call import Call
from ovgather.ops.kernels.layout import SMALL
from ovgather.ops.kernels.numba.run import require
from ovgather.tensor.element_type import of_dtype
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from ovgather.ops.operation import Operation
    from ovgather.tensor.element_type import ElementType

    Array = numpy.ndarray

_MOST_METHODS = 512  # of which each may keep tables of some 32 KiB
_OVERLAP_EFFORT = 10_000
_methods: dict[tuple[Any, ...], kernels.Methods] = {}


def evaluate(
    operation: Operation,
    data: Any,
    indices: Any,
    axis: int | None = 0,
    batch_dims: int = 0,
    strict: bool = False,
    out: Array | None = None,
    threads: int | None = None,
    engine: str = "auto",
) -> Array:
    """The output of an operation, by the specification; the arguments and errors are those of ``ovgather.evaluate``."""
    if engine not in ("auto", "numpy"):
        require(engine)
    if type(data) is not numpy.ndarray:
        data = numpy.asarray(data)
    if type(indices) is not numpy.ndarray:
        indices = _as_indices(indices)
    key = (operation, data.shape, data.dtype, indices.shape, indices.dtype, axis, batch_dims)
    methods = _methods.get(key) or _prepare(key)
    plan = methods.plan
    if plan.part is not None:
        data = data[plan.part]
    if plan.batches is not None:
        data = numpy.broadcast_to(data, plan.batches + data.shape[len(plan.batches) :])
    if out is not None:
        _require_fit(out, plan, key)
    if strict:
        kernels.require_inside(
            indices, _ranges(plan, data.shape, operation.negative_indices == "counted"), str(_call(key))
        )
    target = None if out is None else _apart(out, data, indices, key)
    output = kernels.move(methods, data, indices, target, threads, engine)
    if output is None:
        kernels.require_inside(indices, _ranges(plan, data.shape, True), str(_call(key)))
        output = plan.output(data, target)  # without elements
    if out is None or output is out:
        return output
    numpy.copyto(out, output)
    return out


def _prepare(key: tuple[Any, ...]) -> kernels.Methods:
    """Check everything that shapes and types tell, and keep what follows from them."""
    operation, data, data_type, indices, dtype, _, batch_dims = key
    call = _call(key)
    types = (operation.type_of(data_type), _index_type(dtype, call))
    shape = operation.infer(call.shapes, axis=call.axis, batch_dims=batch_dims, element_types=types).shape
    dims = tuple([dim.min for dim in shape])
    if not is_possible(dims, data_type.itemsize):
        raise InvalidModelError(f"the output has shape {list(dims)}, and no array of {data_type} has: {call}")
    plan = operation.plan(dims, data, indices, call.axis, batch_dims)
    if len(_methods) >= _MOST_METHODS:
        _methods.clear()
    methods = _methods[key] = kernels.Methods(plan, data_type, dtype)
    return methods


def _as_indices(values: Any) -> Array:
    indices = numpy.asarray(values)
    # An empty list says nothing of its type.
    return indices if indices.size or isinstance(values, numpy.ndarray) else indices.astype(numpy.int64)


def _call(key: tuple[Any, ...]) -> Call:
    operation, data, _, indices, _, axis, batch_dims = key
    shapes = PartialShape.of(data), PartialShape.of(indices)
    return Call(shapes, axis if operation.has_axis else None, batch_dims, operation.has_axis)


def _index_type(dtype: Any, call: Call) -> ElementType:
    element_type = of_dtype(dtype)
    if element_type is None or not element_type.is_integral:
        raise call.error("element_type", "indices", f"indices must be integers, not {element_type or dtype}")
    return element_type


def _ranges(plan: kernels.Plan, dims: tuple[int, ...], negative: bool) -> list[tuple[int, int]]:
    return [(-dims[dim] if negative else 0, dims[dim] - 1) for dim in plan.indexed]


def _require_fit(out: Any, plan: kernels.Plan, key: tuple[Any, ...]) -> None:
    dtype = key[2]
    if isinstance(out, numpy.ndarray) and out.shape == plan.shape and (out.dtype is dtype or out.dtype == dtype):
        if not out.flags.writeable:
            raise InvalidModelError(f"out is read-only: {_call(key)}")
        return
    actual = f"{out.dtype} {list(out.shape)}" if isinstance(out, numpy.ndarray) else type(out).__name__
    raise InvalidModelError(f"out must be an array of {dtype} {list(plan.shape)}, not {actual}: {_call(key)}")


def _apart(out: Array, data: Array, indices: Array, key: tuple[Any, ...]) -> Array:
    """``out``, or an array to fill in its place where it overlaps an input."""
    if out.base is data.base is indices.base is None and out is not data and out is not indices:
        return out  # each has memory of its own
    for name, array in (("data", data), ("indices", indices)):
        if not numpy.may_share_memory(out, array):
            continue
        if out.nbytes <= SMALL:
            return numpy.empty(out.shape, dtype=out.dtype)
        if _overlap(out, array):
            limit = f"{SMALL >> 20} MiB"
            raise InvalidModelError(f"out shares memory with {name}, and above {limit} it must not: {_call(key)}")
    return out


def _overlap(one: Array, other: Array) -> bool:
    try:
        return numpy.shares_memory(one, other, max_work=_OVERLAP_EFFORT)  # type: ignore[arg-type]
    except RuntimeError:  # too hard to tell
        return True
