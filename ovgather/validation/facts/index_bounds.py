"""Constant indices against what they index: OVG501 and OVG704 both speak of them, so they are looked at once."""

from __future__ import annotations

from heapq import nsmallest
from typing import NamedTuple

from ovgather.ir.constants import Constant
from ovgather.layers.gather_layer import GatherLayer

_FEW = 1 << 14
_SMALL = 64
_TOLD = 3
"""So many of them are told by value and position."""


class Range(NamedTuple):
    """What indices may be: ``low`` to ``high``, both included, along dim ``dim`` of data."""

    low: int
    high: int
    dim: int


class Offenders(NamedTuple):
    """Indices out of range: how many, the first of them with the range it breaks, and the next: value and position."""

    total: int
    value: int
    position: tuple[int, ...]
    range: Range
    next: tuple[tuple[int, tuple[int, ...]], ...]


class OutOfRange(NamedTuple):
    """A layer whose constant indices ``held`` are out of range."""

    gather: GatherLayer
    held: Constant
    found: Offenders


def out_of_range(alike: list[list[GatherLayer]]) -> list[OutOfRange]:
    """The layers whose indices are constant and point outside dims of known length."""
    wrong = []
    for gathers in alike:
        gather = gathers[0]
        if len(gather.tensors) < 2 or gather.errors:
            continue
        held = gather.constant(1)
        if held is None or held.data is None:
            continue
        ranges = _ranges(gather, held)
        found = offenders(held, ranges) if any(ranges) else None
        if found:
            wrong += [OutOfRange(gather, held, found) for gather in gathers]
    return wrong


def _ranges(gather: GatherLayer, held: Constant) -> list[Range | None]:
    """The range of each number of an index tuple (of each index: one); None where the length is not known."""
    shape, rank = gather.shapes[0], gather.shapes[0].rank
    if rank is None or not gather.tensors[0].certain:
        return []
    dims = gather.operation.indexed_dims(rank, held.shape or (0,), gather.axis, gather.batch_dims)
    negative = gather.operation.allows_negative_indices
    ranges: list[Range | None] = []
    for dim in dims:
        size = shape[dim].length if shape[dim].is_static else None
        ranges.append(None if size is None else Range(-size if negative else 0, size - 1, dim))
    return ranges


def offenders(held: Constant, ranges: list[Range | None]) -> Offenders | None:
    """The constant's values outside ``ranges``, which alternate; None when there are none, or no values at hand."""
    values = held.integers(_FEW)
    if values is None:
        return _offenders_of_many(held, ranges)
    places: list[tuple[int, Range]] = []
    for offset, legal in enumerate(ranges):
        if legal is not None:
            low, high, step = legal.low, legal.high, len(ranges)
            places += [(k, legal) for k in range(offset, len(values), step) if not low <= values[k] <= high]
    if not places:
        return None
    first = [place for place, _ in nsmallest(_TOLD, places)]
    return _offenders(len(places), [(values[place], unravel(place, held.shape)) for place in first], min(places)[1])


def _offenders(total: int, first: list[tuple[int, tuple[int, ...]]], legal: Range) -> Offenders:
    value, position = first[0]
    return Offenders(total, value, position, legal, tuple(first[1:]))


def _offenders_of_many(held: Constant, ranges: list[Range | None]) -> Offenders | None:
    if held.elements <= _FEW or not held.element_type.is_integral or held.element_type.bits < 8:
        return None
    import numpy

    if held.data is None or len(held.data) < held.bytes_needed:
        return None
    values = numpy.frombuffer(held.data, held.element_type.dtype, held.elements)
    total, found = 0, []
    for offset, legal in enumerate(ranges):
        column = values[offset :: len(ranges)]
        if legal is None or (legal.low <= int(column.min()) and int(column.max()) <= legal.high):
            continue
        wrong = numpy.flatnonzero((column < legal.low) | (column > legal.high))
        total += len(wrong)
        found += [(int(place) * len(ranges) + offset, legal) for place in wrong[:_TOLD]]
    if not found:
        return None
    first = [(int(values[place]), unravel(place, held.shape)) for place, _ in nsmallest(_TOLD, found)]
    return _offenders(total, first, min(found)[1])


def unravel(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The position in an array of ``shape`` of element ``place``, counted along the last axis first."""
    position = []
    for dim in reversed(shape):
        place, rest = divmod(place, dim)
        position.append(rest)
    return tuple(reversed(position))


def describe(wrong: OutOfRange) -> str:
    """How many indices are out of range, the first of them, and what they index."""
    gather, held, found = wrong
    where = f" at position {list(found.position)}" if found.position else ""
    total, legal = held.elements, found.range
    verb = "is" if found.total == 1 else "are"
    many = f"{found.total} of {total} constant indices {verb}" if total > 1 else "the constant index is"
    along = "dim" if gather.operation.indexes_by_tuples else "axis"
    number = legal.dim if along == "dim" else gather.axis
    what = f"{found.value}{where}, {along} {number} of data {gather.shapes[0]}"
    more = ", ".join(f"{value} at {list(position)}" for value, position in found.next)
    return f"{many} outside [{legal.low}, {legal.high}]: {what}" + (f"; then {more}" if more else "")


def reads_outside(wrong: OutOfRange) -> bool:
    """Whether the CPU takes its way for few 32-bit integers in one dimension, which looks at no range."""
    gather, held, found = wrong
    if not gather.operation.indices_replace_axis or gather.shapes[0].rank != 1 or found.range.high >= _SMALL:
        return False
    if len(held.shape) > 1 or held.elements > _SMALL or gather.constant(0) is not None:
        return False
    if counts_from_the_end(wrong):
        return False
    kind = gather.tensors[0].element_type
    return kind is None or (kind.is_integral and kind.bits >= 16)


def counts_from_the_end(wrong: OutOfRange) -> bool:
    """Whether OpenVINO rewrites the index of a Gather-1 or -7 before it runs: a single one within ``[-s, -1]``."""
    return wrong.held.elements == 1 and -wrong.found.range.high - 1 <= wrong.found.value < 0
