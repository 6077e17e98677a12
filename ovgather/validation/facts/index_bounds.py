"""Constant indices against what they index: OVG501 and OVG704 both speak of them, so they are looked at once."""

from typing import Any, NamedTuple

from ovgather.ir.constants import Constant
from ovgather.layers.gather_layer import GatherLayer

_FEW = 1 << 14
_SMALL = 64
_TOLD = 3  # so many of them are told by value and position


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
        held = gather.constant(1) if len(gather.tensors) > 1 and not gather.errors else None
        if held is None or held.data is None:
            continue
        ranges = _ranges(gather, held)
        offenders = _offenders(held, ranges) if any(ranges) else None
        if offenders:
            wrong += [OutOfRange(gather, held, offenders) for gather in gathers]
    return wrong


def _ranges(gather: GatherLayer, held: Constant) -> list[Range | None]:
    """The range of each number of an index tuple (of each index: one); None where the length is not known."""
    shape, rank = gather.shapes[0], gather.shapes[0].rank
    if rank is None or not gather.tensors[0].certain:
        return []
    dims = gather.operation.indexed_dims(rank, held.shape or (0,), gather.axis, gather.batch_dims)
    sizes = [(dim, shape[dim].length) if shape[dim].is_static else None for dim in dims]
    negative = gather.operation.allows_negative_indices
    return [size and Range(-size[1] if negative else 0, size[1] - 1, size[0]) for size in sizes]


def _offenders(held: Constant, ranges: list[Range | None]) -> Offenders | None:
    """The constant's values outside ``ranges``, which alternate; None when there are none, or no values at hand."""
    values: Any = held.integers(_FEW)
    wrong: list[tuple[int, Range]] = []
    step = len(ranges)
    if values is not None:
        for offset, legal in enumerate(ranges):
            column = values[offset::step]
            if legal is not None and column and (min(column) < legal.low or max(column) > legal.high):
                indices = range(offset, len(values), step)
                wrong += [(index, legal) for index in indices if not legal.low <= values[index] <= legal.high]
        total = len(wrong)
    else:
        values = _many_values(held)
        if values is None:
            return None
        total = 0
        for offset, legal in enumerate(ranges):
            column = values[offset::step]
            if legal is not None and (int(column.min()) < legal.low or int(column.max()) > legal.high):
                rows = ((column < legal.low) | (column > legal.high)).nonzero()[0]
                total += len(rows)
                wrong += [(int(row) * step + offset, legal) for row in rows[:_TOLD]]
    if not wrong:
        return None
    first, *following = sorted(wrong)[:_TOLD]
    value, position = _value(held, values, first[0])
    return Offenders(total, value, position, first[1], tuple(_value(held, values, index) for index, _ in following))


def _value(held: Constant, values: Any, index: int) -> tuple[int, tuple[int, ...]]:
    return int(values[index]), unravel(index, held.shape)


def _many_values(held: Constant) -> Any:
    """The values of a large constant as an array; None when they are not at hand."""
    if held.elements <= _FEW or not held.element_type.is_integral or held.element_type.bits < 8:
        return None
    if held.data is None or len(held.data) < held.bytes_needed:
        return None
    import numpy

    return numpy.frombuffer(held.data, held.element_type.dtype, held.elements)


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
