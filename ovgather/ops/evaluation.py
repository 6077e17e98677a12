"""Evaluation of an operation: what is done with the arrays around the data movement. It needs NumPy."""

from typing import Any

import numpy

from ovgather.errors import InvalidModelError
from ovgather.files.arrays import is_possible
from ovgather.ops import kernels
from ovgather.ops.call import Call
from ovgather.ops.kernels.bounds import SMALL
from ovgather.ops.kernels.compiled import require
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import of_dtype
from ovgather.tensor.foreign import array_of
from ovgather.tensor.shape import PartialShape

Array = numpy.ndarray
_Key = tuple[Any, ...]  # see ``evaluate``

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
        data = numpy.asarray(array_of(data))
    if type(indices) is not numpy.ndarray:
        indices = array_of(indices)
        is_array = isinstance(indices, numpy.ndarray)
        indices = numpy.asarray(indices)
        if not is_array and not indices.size:  # an empty list says nothing of its type
            indices = indices.astype(numpy.int64)
    key = (
        operation,
        data.shape,
        data.dtype,
        indices.shape,
        indices.dtype,
        axis,
        batch_dims,
    )
    methods = _methods.get(key) or _prepare(key)
    plan = methods.plan
    if plan.part is not None:
        data = data[plan.part]
    if plan.batches is not None:
        data = numpy.broadcast_to(data, plan.batches + data.shape[len(plan.batches) :])
    if out is not None:
        _require_fit(out, plan, key)
    if strict:
        _require_inside(
            indices, plan, data.shape, operation.negative_indices == "counted", key
        )
    target = None
    if out is not None:
        target = _without_overlap(out, data, indices, key)
    output = kernels.move(methods, data, indices, target, threads, engine)
    if output is None:
        _require_inside(indices, plan, data.shape, True, key)
        output = plan.output(data, target)  # without elements
    if out is None or output is out:
        return output
    numpy.copyto(out, output)
    return out


def named_slices(data: Any, indices: Any, axis: int) -> tuple[Array, Any]:
    """The slices of zarr or dask ``data`` that ``indices`` name, each read once, and the indices of these slices in it.

    An index outside becomes one outside. Where the arguments do not fit together, nothing is read.
    """
    rank = len(data.shape)
    positions = numpy.asarray(indices)
    if not -rank <= axis < rank or positions.dtype.kind not in "iu":
        return numpy.broadcast_to(numpy.zeros((), data.dtype), data.shape), indices
    length = data.shape[axis]
    is_inside = (positions >= -length) & (positions < length)
    names, places = numpy.unique(
        positions[is_inside].astype(numpy.int64) % max(1, length), return_inverse=True
    )
    key = (*(slice(None),) * (axis % rank), names)
    if hasattr(data, "oindex"):
        slices = data.oindex[key]
    else:
        slices = data[key].compute()
    sources = numpy.full(positions.shape, len(names), dtype=numpy.int64)
    sources[is_inside] = places.reshape(-1)
    return numpy.asarray(slices), sources


def _prepare(key: _Key) -> kernels.Methods:
    """Check everything that shapes and types tell, and keep what follows from them."""
    operation, data, data_type, indices, dtype, _, batch_dims = key
    call = _call(key)
    index_type = of_dtype(dtype)
    if index_type is None or not index_type.is_integral:
        raise call.error(
            "element_type",
            "indices",
            f"indices must be integers, not {index_type or dtype}",
        )
    types = (operation.type_of(data_type), index_type)
    shape = operation.infer(
        call.shapes, axis=call.axis, batch_dims=batch_dims, element_types=types
    ).shape
    dims = tuple([dim.min for dim in shape])
    if not is_possible(dims, data_type.itemsize):
        raise InvalidModelError(
            f"the output has shape {list(dims)}, and no array of {data_type} has: {call}"
        )
    plan = operation.plan(dims, data, indices, call.axis, batch_dims)
    if len(_methods) >= _MOST_METHODS:
        _methods.clear()
    methods = _methods[key] = kernels.Methods(plan, data_type, dtype)
    return methods


def _call(key: _Key) -> Call:
    operation, data, _, indices, _, axis, batch_dims = key
    shapes = PartialShape.of(data), PartialShape.of(indices)
    return Call(
        shapes, axis if operation.has_axis else None, batch_dims, operation.has_axis
    )


def _require_inside(
    indices: Array,
    plan: kernels.KernelPlan,
    data: tuple[int, ...],
    negative: bool,
    key: _Key,
) -> None:
    ranges = [(-data[dim] if negative else 0, data[dim] - 1) for dim in plan.indexed]
    kernels.require_inside(indices, ranges, str(_call(key)))


def _require_fit(out: Any, plan: kernels.KernelPlan, key: _Key) -> None:
    dtype = key[2]
    if (
        isinstance(out, numpy.ndarray)
        and out.shape == plan.shape
        and (out.dtype is dtype or out.dtype == dtype)
    ):
        if not out.flags.writeable:
            raise InvalidModelError(f"out is read-only: {_call(key)}")
        return
    if isinstance(out, numpy.ndarray):
        actual = f"{out.dtype} {list(out.shape)}"
    else:
        actual = type(out).__name__
    raise InvalidModelError(
        f"out must be an array of {dtype} {list(plan.shape)}, not {actual}: {_call(key)}"
    )


def _without_overlap(out: Array, data: Array, indices: Array, key: _Key) -> Array:
    """``out``, or an array to fill in its place where it overlaps an input."""
    if (
        out.base is data.base is indices.base is None
        and out is not data
        and out is not indices
    ):
        return out  # each has memory of its own
    for name, array in (("data", data), ("indices", indices)):
        if not numpy.may_share_memory(out, array):
            continue
        if out.nbytes <= SMALL:
            return numpy.empty(out.shape, dtype=out.dtype)
        try:
            overlap = numpy.shares_memory(out, array, max_work=_OVERLAP_EFFORT)  # type: ignore[arg-type]
        except RuntimeError:  # too hard to tell
            overlap = True
        if overlap:
            limit = f"{SMALL >> 20} MiB"
            raise InvalidModelError(
                f"out shares memory with {name}, and above {limit} it must not: {_call(key)}"
            )
    return out
