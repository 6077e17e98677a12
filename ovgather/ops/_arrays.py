"""What the operations do with arrays before and after the data movement; imported only to evaluate."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather import kernels
from ovgather.element_type import of_dtype
from ovgather.errors import InvalidModelError
from ovgather.kernels import compiled
from ovgather.kernels.compiled_places import places
from ovgather.kernels.layout import SMALL
from ovgather.ops._spec import Call
from ovgather.shape import PartialShape

if TYPE_CHECKING:
    from ovgather.element_type import ElementType
    from ovgather.ops._spec import Operation

    Array = numpy.ndarray

_MOST_PLANS = 512  # of which each may keep tables of some 32 KiB
_OVERLAP_EFFORT = 10_000
_plans: dict[tuple[Any, ...], kernels.Plan] = {}


def evaluate(
    operation: Operation,
    data: Any,
    indices: Any,
    axis: int | None,
    batch_dims: int,
    strict: bool,
    out: Array | None,
    threads: int | None,
    engine: str,
) -> Array:
    """See ``Operation.evaluate``."""
    if engine not in ("auto", "numpy"):
        compiled.require(engine)
    if type(data) is not numpy.ndarray:
        data = numpy.asarray(data)
    if type(indices) is not numpy.ndarray:
        indices = _as_indices(indices)
    key = (operation, data.shape, data.dtype, indices.shape, indices.dtype, axis, batch_dims)
    plan = _plans.get(key) or _plan(key)
    if plan.reached is not None:
        data = data[plan.reached]
    if out is not None:
        _require_fit(out, plan, key)
    if strict:
        kernels.require_inside(indices, _ranges(plan, data.shape, operation.allows_negative), str(_call(key)))
    made = _at_once(plan, data, indices, out, threads, engine)
    if made is not None:
        return made
    target = numpy.empty(plan.shape, dtype=data.dtype) if out is None else _apart(out, data, indices, key)
    done = kernels.move(plan, data, indices, target, threads, engine) if target.size else plan.zeros
    if not done:
        kernels.require_inside(indices, _ranges(plan, data.shape, True), str(_call(key)))
    if out is not None and target is not out:
        numpy.copyto(out, target)
    return target if out is None else out


def _at_once(
    plan: kernels.Plan, data: Array, indices: Array, out: Array | None, threads: int | None, engine: str
) -> Array | None:
    """The output of a small layer in the few calls there are for it; None: there are none, or an index is outside."""
    if out is not None and not _surely_apart(out, data, indices):
        return None
    loop = plan.compiled
    if loop is not None and engine != "numpy" and (loop.function is not None or engine == "numba" or loop.ready()):
        target = numpy.empty(plan.shape, data.dtype) if out is None else out
        if loop(data, indices, target, threads):
            return target
    if plan.quick is None or engine == "numba":
        return None
    flags = data.flags
    return plan.quick(data, indices, out) if flags.c_contiguous and flags.aligned else None


def _as_indices(given: Any) -> Array:
    indices = numpy.asarray(given)
    # An empty list says nothing of its type.
    return indices if indices.size or isinstance(given, numpy.ndarray) else indices.astype(numpy.int64)


def _call(key: tuple[Any, ...]) -> Call:
    operation, data, _, indices, _, axis, batch_dims = key
    return Call((PartialShape.of(data), PartialShape.of(indices)), axis, batch_dims, operation.axis_from)


def _plan(key: tuple[Any, ...]) -> kernels.Plan:
    """Check everything that shapes and types tell, and keep what is found."""
    operation, data, data_type, indices, dtype, axis, batch_dims = key
    call = _call(key)
    types = (operation.type_of(data_type), _index_type(dtype, call))
    shape = operation.infer(call.shapes, axis=axis, batch_dims=batch_dims, element_types=types).shape
    try:
        numpy.broadcast_to(numpy.empty((), data_type), [dim.min for dim in shape])
    except ValueError as error:
        raise InvalidModelError(f"there is no array for the output {shape}: {error}: {call}") from error
    plan: kernels.Plan = operation.plan(tuple([dim.min for dim in shape]), data, indices, axis, batch_dims)
    plan.quick = kernels.quick(plan, data_type, dtype)
    if prod(data) and plan.reached is None:
        plan.compiled = compiled.at_once(plan.kernel, data_type, dtype, prod(plan.shape))
        if plan.compiled is None:
            plan.compiled = places(plan.kernel, data_type, dtype)
    if len(_plans) >= _MOST_PLANS:
        _plans.clear()
    _plans[key] = plan
    return plan


def _index_type(dtype: Any, call: Call) -> ElementType:
    known = of_dtype(dtype)
    if known is None or not known.is_integral:
        raise call.error("element_type", "indices", f"indices must be integers, not {known or dtype}")
    return known


def _ranges(plan: kernels.Plan, dims: tuple[int, ...], negative: bool) -> list[tuple[int, int]]:
    return [(-dims[dim] if negative else 0, dims[dim] - 1) for dim in plan.indexed]


def _require_fit(out: Any, plan: kernels.Plan, key: tuple[Any, ...]) -> None:
    dtype = key[2]
    if isinstance(out, numpy.ndarray) and out.shape == plan.shape and (out.dtype is dtype or out.dtype == dtype):
        if not out.flags.writeable:
            raise InvalidModelError(f"out is read-only: {_call(key)}")
        return
    given = f"{out.dtype} {list(out.shape)}" if isinstance(out, numpy.ndarray) else type(out).__name__
    raise InvalidModelError(f"out must be an array of {dtype} {list(plan.shape)}, not {given}: {_call(key)}")


def _surely_apart(out: Array, data: Array, indices: Array) -> bool:
    """Whether ``out`` shares no memory with the others, as far as can be told at once: each has its own."""
    if out.base is None and data.base is None and indices.base is None:
        return out is not data and out is not indices
    return not numpy.may_share_memory(out, data) and not numpy.may_share_memory(out, indices)


def _apart(out: Array, data: Array, indices: Array, key: tuple[Any, ...]) -> Array:
    """``out``, or an array to fill in its place where it overlaps an input."""
    if _surely_apart(out, data, indices):
        return out
    for name, given in (("data", data), ("indices", indices)):
        if not numpy.may_share_memory(out, given):
            continue
        if out.nbytes <= SMALL:
            return numpy.empty(out.shape, dtype=out.dtype)
        if _overlap(out, given):
            limit = f"{SMALL >> 20} MiB"
            raise InvalidModelError(f"out shares memory with {name}, and above {limit} it must not: {_call(key)}")
    return out


def _overlap(one: Array, other: Array) -> bool:
    try:
        return numpy.shares_memory(one, other, max_work=_OVERLAP_EFFORT)  # type: ignore[arg-type]
    except RuntimeError:  # too hard to tell
        return True
