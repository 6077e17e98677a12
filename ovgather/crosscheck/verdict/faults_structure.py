"""Faults in which dims a runtime takes for which: the axis, the batch dims, the order of the dims; and what is wrong
with outputs themselves, whatever the inputs are."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from ovgather.crosscheck.verdict.compare import Fault, batch_dims_of, equal, wrong_marks
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.shape import PartialShape

FACTS = ("other-shape", "other-type")
"""What is plain to see in a single element."""
DESCRIBED = ("zeros", "constant")
"""Words for what comes out, whatever the cause."""
_LANES = (2, 4, 8, 16)
_SWEPT = 3  # sizes that a pattern needs
_RANK = 5  # of tensors whose every order of dims is tried


def faults(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would give an output of the shape that came out, the likeliest first."""
    for key, words, change in _changes(evidence):
        seen = evidence._replace(**change)
        operation, shapes = seen.operation, [PartialShape.of(array.shape) for array in (seen.data, seen.indices)]
        axis = seen.axis if operation.has_axis else None
        problems, inference = operation.check_and_infer(shapes, axis, seen.batch_dims)
        if problems or inference is None or not inference.shape.compatible(PartialShape.of(seen.got.shape)):
            continue
        yield Fault(key, words, seen)
        if (outside := seen.out_of_range).any():
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
        for order, turned in _turns(array) if array.size >= 2 else ():
            yield "transposed", f"the dims of {name} are taken in the order {list(order)}", {name: turned}


def _turns(array: Array) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Every other order of the dims of ``array``, with the array in that order, in its own shape."""
    for order in list(permutations(range(array.ndim)))[1:] if 2 <= array.ndim <= _RANK else ():
        yield order, array.transpose(order).reshape(array.shape)


def of_outputs(runs: Sequence[Evidence], healthy: Sequence[Evidence]) -> tuple[str, str] | None:
    """What all outputs have in common, as key and words, and no healthy run refutes; None where that is nothing."""
    shapes = [(list(run.got.shape), list(run.want.shape)) for run in runs if run.want is not None]
    others = [(got, want) for got, want in shapes if got != want]
    if others:
        got, want = others[-1]
        return ("other-shape", f"the output has shape {got}, not {want}") if len(others) == len(runs) else None
    if (rests := _rests(runs, healthy)) is not None:
        return "tail-not-written", f"the last elements are wrong where the size of the output is {rests}"
    values = [bits(run.got)[wrong_marks(run)] for run in runs]
    if not any(each.dtype.hasobject or each.any() for each in values):
        return "zeros", "elements are zero that should not be"
    for key, words, moved in (
        ("transposed", "the dims of the output come in another order", lambda array: [*dict(_turns(array)).values()]),
        ("reversed", "the output comes in reverse order", lambda array: [np.flip(array)]),
    ):
        shows = all(any(equal(run.got, each) for each in moved(run.expected())) for run in runs)
        # A healthy output that would be another one with this fault refutes it.
        if shows and all(any(equal(run.got, each) for each in moved(run.got) or [run.got]) for run in healthy):
            return key, words
    is_constant = all(each.size > 1 and (each == each.flat[0]).all() for each in values)
    return ("constant", "every wrong element is the same") if is_constant else None


def _rests(runs: Sequence[Evidence], healthy: Sequence[Evidence]) -> str | None:
    """At which sizes of the output elements behind the last whole vector are wrong, where they are at no other."""
    for lanes in _LANES:
        sizes = {run.got.size for run in runs}
        rests = {size % lanes for size in sizes}
        if len(sizes) < _SWEPT or len(rests) == len(sizes):
            continue
        ends = all(not wrong_marks(run).ravel()[: run.got.size // lanes * lanes].any() for run in runs)
        longer = [run.got for run in healthy if run.got.size > lanes]
        right = {got.size % lanes for got in longer if (bits(got).ravel()[got.size // lanes * lanes :] != 0).any()}
        if ends and 0 not in rests and not rests & right:
            return f"{', '.join(map(str, sorted(rests)))} modulo {lanes}"
    return None
