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
        const = gather.constant(1) if len(gather.tensors) > 1 and not gather.errors else None
        if const is None or const.data is None:
            continue
        ranges = _ranges(gather, const)
        offenders = _offenders(const, ranges) if any(ranges) else None
        if offenders:
            wrong += [OutOfRange(gather, const, offenders) for gather in gathers]
    return wrong


def _ranges(gather: GatherLayer, const: Constant) -> list[Range | None]:
    """The range of each number of an index tuple (of each index: one); None where the length is not known."""
    shape, rank = gather.shapes[0], gather.shapes[0].rank
    if rank is None or not gather.tensors[0].certain:
        return []
    dims = gather.operation.indexed_dims(rank, const.shape or (0,), gather.axis, gather.batch_dims)
    sizes = [(dim, shape[dim].length) if shape[dim].is_static else None for dim in dims]
    negative = gather.operation.allows_negative_indices
    return [size and Range(-size[1] if negative else 0, size[1] - 1, size[0]) for size in sizes]


def _offenders(const: Constant, ranges: list[Range | None]) -> Offenders | None:
    """The constant's values outside ``ranges``, which alternate; None when there are none, or no values at hand."""
    values: Any = const.integers(_FEW)
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
        values = _many_values(const)
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
    value, position = _value(const, values, first[0])
    return Offenders(total, value, position, first[1], tuple(_value(const, values, index) for index, _ in following))


def _value(const: Constant, values: Any, index: int) -> tuple[int, tuple[int, ...]]:
    return int(values[index]), unravel(index, const.shape)


def _many_values(const: Constant) -> Any:
    """The values of a large constant as an array; None when they are not at hand."""
    if const.elements <= _FEW or not const.element_type.is_integral or const.element_type.bits < 8:
        return None
    if const.data is None or len(const.data) < const.bytes_needed:
        return None
    import numpy

    return numpy.frombuffer(const.data, const.element_type.dtype, const.elements)


def unravel(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The position in an array of ``shape`` of element ``place``, counted along the last axis first."""
    position = []
    for dim in reversed(shape):
        place, rest = divmod(place, dim)
        position.append(rest)
    return tuple(reversed(position))


def describe(wrong: OutOfRange) -> str:
    """How many indices are out of range, the first of them, and what they index."""
    gather, const, offenders = wrong
    where = f" at position {list(offenders.position)}" if offenders.position else ""
    total, legal = const.elements, offenders.range
    verb = "is" if offenders.total == 1 else "are"
    many = f"{offenders.total} of {total} constant indices {verb}" if total > 1 else "the constant index is"
    along = "dim" if gather.operation.indexes_by_tuples else "axis"
    number = legal.dim if along == "dim" else gather.axis
    what = f"{offenders.value}{where}, {along} {number} of data {gather.shapes[0]}"
    more = ", ".join(f"{value} at {list(position)}" for value, position in offenders.next)
    return f"{many} outside [{legal.low}, {legal.high}]: {what}" + (f"; then {more}" if more else "")


def reads_outside(wrong: OutOfRange) -> bool:
    """Whether the CPU takes its way for few 32-bit integers in one dimension, which looks at no range."""
    gather, const, offenders = wrong
    if not gather.operation.indices_replace_axis or gather.shapes[0].rank != 1 or offenders.range.high >= _SMALL:
        return False
    if len(const.shape) > 1 or const.elements > _SMALL or gather.constant(0) is not None:
        return False
    if counts_from_the_end(wrong):
        return False
    kind = gather.tensors[0].element_type
    return kind is None or (kind.is_integral and kind.bits >= 16)


def counts_from_the_end(wrong: OutOfRange) -> bool:
    """Whether OpenVINO rewrites the index of a Gather-1 or -7 before it runs: a single one within ``[-s, -1]``."""
    return wrong.held.elements == 1 and -wrong.found.range.high - 1 <= wrong.found.value < 0
