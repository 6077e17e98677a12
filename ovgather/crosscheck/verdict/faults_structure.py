"""Faults in which dims a runtime takes for which: the axis, the batch dims, the order of the dims."""

from collections.abc import Iterator
from itertools import permutations

from ovgather.crosscheck.verdict.fault import Fault
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.shape import PartialShape

_RANK = 5  # of tensors whose every order of dims is tried


def faults(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would give an output of the shape that came out, the likeliest first."""
    for fault in (*_axes(evidence), *_batches(evidence), *_orders(evidence)):
        if _fits(fault.seen):
            outside = fault.seen.out_of_range
            yield fault
            if outside.any():
                yield fault._replace(zeros=outside)


def _axes(evidence: Evidence) -> Iterator[Fault]:
    if evidence.operation.indexes_by_tuples:
        return
    rank = evidence.data.ndim
    for axis in range(rank):
        if axis != evidence.axis % rank:
            words = f"it is gathered along axis {axis}, not {evidence.axis % rank}"
            yield Fault("other-axis", words, evidence._replace(axis=axis))


def _batches(evidence: Evidence) -> Iterator[Fault]:
    if not evidence.operation.has_batch_dims:
        return
    most = min(evidence.data.ndim, evidence.indices.ndim)
    now = evidence.batch_dims + evidence.indices.ndim if evidence.batch_dims < 0 else evidence.batch_dims
    for batch_dims in range(most + 1):
        if batch_dims != now:
            words = f"batch_dims is taken for {batch_dims}, not {now}"
            yield Fault("other-batch-dims", words, evidence._replace(batch_dims=batch_dims))


def _orders(evidence: Evidence) -> Iterator[Fault]:
    """Data or indices whose dims come in another order, where the shape stays the same."""
    for name, array in (("data", evidence.data), ("indices", evidence.indices)):
        if not 2 <= array.ndim <= _RANK or array.size < 2:
            continue
        for order in list(permutations(range(array.ndim)))[1:]:
            turned = array.transpose(order)
            for changed in (turned, turned.reshape(array.shape)):
                if changed.shape == array.shape:
                    words = f"the dims of {name} are taken in the order {list(order)}"
                    yield Fault("transposed", words, evidence._replace(**{name: changed}))
                    break


def _fits(seen: Evidence) -> bool:
    operation = seen.operation
    shapes = [PartialShape.of(list(array.shape)) for array in (seen.data, seen.indices)]
    axis = seen.axis if operation.has_axis else None
    if operation.check(shapes, axis=axis, batch_dims=seen.batch_dims):
        return False
    shape = operation.infer(shapes, axis=axis, batch_dims=seen.batch_dims).shape
    return shape.compatible(PartialShape.of(list(seen.got.shape)))
