"""Faults in which dims a runtime takes for which: the axis, the batch dims, the order of the dims."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from ovgather.crosscheck.verdict.fault import Fault, batch_dims_of
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array
from ovgather.tensor.shape import PartialShape

_RANK = 5  # of tensors whose every order of dims is tried


def faults(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would give an output of the shape that came out, the likeliest first."""
    for key, words, change in _changes(evidence):
        seen = evidence._replace(**change)
        if _fits(seen):
            outside = seen.out_of_range
            yield Fault(key, words, seen)
            if outside.any():
                yield Fault(key, words, seen, outside)


def _changes(evidence: Evidence) -> Iterator[tuple[str, str, dict[str, Any]]]:
    operation, data, indices = evidence.operation, evidence.data, evidence.indices
    for axis in range(0 if operation.indexes_by_tuples else data.ndim):
        if axis != (right := evidence.axis % data.ndim):
            yield "other-axis", f"it is gathered along axis {axis}, not {right}", {"axis": axis}
    right = batch_dims_of(evidence)
    for batch_dims in range(min(data.ndim, indices.ndim) + 1 if operation.has_batch_dims else 0):
        if batch_dims != right:
            words = f"batch_dims is taken for {batch_dims}, not {right}"
            yield "other-batch-dims", words, {"batch_dims": batch_dims}
    for name, array in (("data", data), ("indices", indices)):
        for order, turned in turns(array) if array.size >= 2 else ():
            yield "transposed", f"the dims of {name} are taken in the order {list(order)}", {name: turned}


def turns(array: Array) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Every other order of the dims of ``array``, with the array in that order, in its own shape."""
    for order in list(permutations(range(array.ndim)))[1:] if 2 <= array.ndim <= _RANK else ():
        yield order, array.transpose(order).reshape(array.shape)


def _fits(seen: Evidence) -> bool:
    operation = seen.operation
    shapes = [PartialShape.of(list(array.shape)) for array in (seen.data, seen.indices)]
    axis = seen.axis if operation.has_axis else None
    if operation.check(shapes, axis=axis, batch_dims=seen.batch_dims):
        return False
    shape = operation.infer(shapes, axis=axis, batch_dims=seen.batch_dims).shape
    return shape.compatible(PartialShape.of(list(seen.got.shape)))
