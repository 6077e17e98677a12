"""Outputs compared bit by bit, with the reference and with what models of faulty runtimes would give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy

from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence, First
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array, bits

_RELATIVE = 1e-2
_ABSOLUTE = 1e-4


class Difference(NamedTuple):
    """How two tensors differ; ``shapes`` says so when their very shapes or types do."""

    mismatches: int
    elements: int
    first: First | None = None
    shapes: str = ""


def compare(got: Array, want: Array) -> Difference:
    """How ``got`` differs from ``want``, bit by bit."""
    wrong = differing(got, want)
    if wrong is None:
        got_type, want_type = (
            f"{each.dtype.name}[{','.join(map(str, each.shape))}]"
            for each in (got, want)
        )
        return Difference(
            max(got.size, want.size, 1),
            want.size,
            None,
            f"got {got_type}, want {want_type}",
        )
    return Difference(
        int(numpy.count_nonzero(wrong)),
        want.size,
        next(positions(got, want, wrong), None),
    )


def rounding_bound(largest: float, part: float = 1.0) -> float:
    """How far rounding may take the values of a tensor on their way, whose largest is ``largest``; or a part of it."""
    return part * max(_ABSOLUTE, _RELATIVE * largest)


def differing(got: Array, want: Array) -> Array | None:
    """Marks of the elements that differ; None where shapes or types do."""
    if got.shape != want.shape or (
        got.dtype != want.dtype and "O" not in (got.dtype.kind, want.dtype.kind)
    ):
        return None
    return numpy.asarray(bits(got) != bits(want))


def equal(got: Array, want: Array, ignored: Array | None = None) -> bool:
    """Whether ``got`` is ``want``, bit by bit, but for elements that ``ignored`` marks."""
    wrong = differing(got, want)
    return (
        wrong is not None and not (wrong if ignored is None else wrong & ~ignored).any()
    )


def positions(got: Array, want: Array, wrong: Array) -> Iterator[First]:
    """The elements that ``wrong`` marks."""
    for number in numpy.flatnonzero(wrong):
        index = tuple(int(at) for at in numpy.unravel_index(int(number), want.shape))
        yield First(index, _value(got, index), _value(want, index))


def _value(array: Array, index: tuple[int, ...]) -> Any:
    """An element as JSON can carry it; a NaN with its bits, since one NaN differs from another."""
    element = array[index]
    if array.dtype.kind in "OUST":
        if isinstance(element, bytes):
            return element.decode("utf-8", "replace")
        return str(element)
    if array.dtype.kind == "c":
        return str(element)
    pattern = int(bits(array)[index])
    if array.dtype.kind == "b":
        if pattern < 2:
            return bool(element)
        return f"true (0x{pattern:02x})"
    if array.dtype.kind in "iu" or array.dtype.name.endswith("int4"):
        return int(element)
    value = float(element)
    if value - value == 0:
        return value
    return f"{value} (0x{pattern:0{2 * array.dtype.itemsize}x})"


def batch_dims_of(layer: Evidence | Trial) -> int:
    """``batch_dims``, counted from the front."""
    if layer.batch_dims < 0:
        return layer.batch_dims + layer.indices.ndim
    return layer.batch_dims


def wrong_marks(run: Evidence) -> Array:
    """Which elements are wrong; no marks where the reference refuses, or the output has another shape or type."""
    wrong = None
    if run.want is not None:
        wrong = differing(run.got, run.want)
    if wrong is None:
        return numpy.zeros(0, bool)
    return wrong


def spread(evidence: Evidence, marks: Array, output: Array) -> Array:
    """A mark for each index as a mark for each element of ``output`` that it fetches (for GatherND: any of a tuple)."""
    data = evidence.data
    indices = evidence.indices
    axis = evidence.axis
    if evidence.operation.indexes_by_tuples:
        marks = numpy.asarray(
            marks.any(axis=-1) if marks.shape == indices.shape else marks
        )
        slices = data.ndim - evidence.batch_dims - indices.shape[-1]
        shape = (*output.shape[: output.ndim - slices], *[1] * slices)
    elif evidence.operation.indices_replace_axis:
        axis = axis + data.ndim if axis < 0 else axis
        batch = batch_dims_of(evidence)
        shape = (
            *marks.shape[:batch],
            *[1] * (axis - batch),
            *marks.shape[batch:],
            *[1] * (data.ndim - axis - 1),
        )
    else:
        shape = marks.shape
    return numpy.broadcast_to(marks.reshape(shape), output.shape)


What = str | tuple[str, str]
"""What a fault is, in words; with a second text: what becomes of the values at the ends of an axis or of a type."""


class Fault(NamedTuple):
    """What a faulty runtime would compute; a runtime may have two faults at once, and ``whats`` is one or both.

    ``seen`` is the layer as the runtime sees it. ``zeros`` marks the indices whose elements it leaves zero, ``foreign``
    the elements of the output that it reads outside the data; None: none.
    """

    key: str
    whats: tuple[What, ...]
    seen: Evidence
    zeros: Array | None = None
    foreign: Array | None = None

    @property
    def name(self) -> tuple[str, tuple[str, ...]]:
        """The fault without what becomes of values at the ends."""
        return self.key, tuple(
            each if isinstance(each, str) else each[0] for each in self.whats
        )

    @property
    def words(self) -> str:
        return "; ".join(
            each if isinstance(each, str) else ", ".join(each) for each in self.whats
        )

    def output(self) -> Array | None:
        """What would come out; None when nothing can."""
        seen = self.seen
        if self.zeros is not None:
            seen = seen._replace(indices=numpy.where(self.zeros, 0, seen.indices))
        try:
            output = seen.expected()
        except OvgatherError:
            return None
        if self.zeros is None:
            return output
        if output.dtype.hasobject:
            empty = ""
        else:
            empty = output.dtype.type(0)
        return numpy.asarray(
            numpy.where(spread(self.seen, self.zeros, output), empty, output),
            output.dtype,
        )
