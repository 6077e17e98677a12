"""Constant indices against what they index: OVG501 and OVG704 both speak of them, so they are looked at once."""

from typing import Any, NamedTuple

from ovgather.ir.constants import Constant
from ovgather.layers.gather_layer import GatherLayer

_FEW = 1 << 14
_SMALL = 64
_MOST_NAMED = 3  # so many of them are told by value and position
_PIECE = 1 << 20


class Range(NamedTuple):
    """What indices may be: ``low`` to ``high``, both included, along dim ``dim`` of data."""

    low: int
    high: int
    dim: int


class OutOfRange(NamedTuple):
    """A layer whose constant indices are out of range: how many, the first with the range it breaks, and the next."""

    gather: GatherLayer
    held: Constant
    total: int
    range: Range
    value: int
    position: tuple[int, ...]
    next: tuple[tuple[int, tuple[int, ...]], ...]


def out_of_range(alike: list[list[GatherLayer]]) -> list[OutOfRange]:
    """The layers whose indices are constant and point outside dims of known length."""
    wrong = []
    for gathers in alike:
        gather = gathers[0]
        const = None
        if len(gather.tensors) > 1 and not gather.errors:
            const = gather.constant(1)
        first = None
        if const is not None and const.data is not None:
            first = _out_of_range(gather, const)
        if first is not None:
            wrong += [first._replace(gather=gather) for gather in gathers]
    return wrong


def _out_of_range(gather: GatherLayer, const: Constant) -> OutOfRange | None:
    """The constant's values outside the ranges, which alternate; None when there are none, or no values at hand."""
    ranges = _ranges(gather, const)
    values: Any = _values(const) if any(ranges) else None
    total = 0
    wrong = []
    step = len(ranges)
    for offset, legal in enumerate(ranges if values is not None else ()):
        if legal is not None:
            number, rows = outside(values[offset::step], legal.low, legal.high)
            total += number
            wrong += [(row * step + offset, legal) for row in rows]
    if not wrong:
        return None
    wrong.sort()
    first, *others = [
        (int(values[index]), unravel(index, const.shape))
        for index, _ in wrong[:_MOST_NAMED]
    ]
    return OutOfRange(gather, const, total, wrong[0][1], *first, tuple(others))


def _ranges(gather: GatherLayer, const: Constant) -> list[Range | None]:
    """The range of each number of an index tuple (of each index: one); None where the length is not known."""
    shape = gather.shapes[0]
    rank = gather.shapes[0].rank
    if rank is None or not gather.tensors[0].certain:
        return []
    dims = gather.operation.indexed_dims(
        rank, const.shape or (0,), gather.axis, gather.batch_dims
    )
    sizes = [(dim, shape[dim].length) if shape[dim].is_static else None for dim in dims]
    negative = gather.operation.allows_negative_indices
    return [
        size and Range(-size[1] if negative else 0, size[1] - 1, size[0])
        for size in sizes
    ]


def _values(const: Constant) -> Any:
    """The values of a constant, of a large one as an array; None when they are not at hand."""
    values = const.integers(_FEW)
    kind = const.element_type
    data = const.data
    if (
        values is not None
        or const.elements <= _FEW
        or not kind.is_integral
        or kind.bits < 8
    ):
        return values
    if data is None or len(data) < const.bytes_needed:
        return None
    import numpy

    return numpy.frombuffer(data, kind.dtype, const.elements)


def outside(values: Any, low: int, high: int) -> tuple[int, list[int]]:
    """How many of ``values`` are not in ``low`` to ``high``, and the places of the first of them."""
    total = 0
    first = list[int]()
    for start in range(0, len(values), _PIECE):  # an array may be larger than memory
        piece = values[start : start + _PIECE]
        if hasattr(piece, "nonzero"):
            places = ((piece < low) | (piece > high)).nonzero()[0]
        elif min(piece) < low or max(piece) > high:
            places = [
                place for place, value in enumerate(piece) if not low <= value <= high
            ]
        else:
            continue
        total += len(places)
        first += [start + int(place) for place in places[: _MOST_NAMED - len(first)]]
    return total, first


def unravel(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The position in an array of ``shape`` of element ``place``, counted along the last axis first."""
    position = []
    for dim in reversed(shape):
        place, rest = divmod(place, dim)
        position.append(rest)
    return tuple(reversed(position))


def describe(wrong: OutOfRange) -> str:
    """How many indices are out of range, the first of them, and what they index."""
    gather = wrong.gather
    legal = wrong.range
    elements = wrong.held.elements
    if wrong.position:
        where = f" at position {list(wrong.position)}"
    else:
        where = ""
    many = f"{wrong.total} of {elements} constant indices {'is' if wrong.total == 1 else 'are'}"
    if gather.operation.indexes_by_tuples:
        what = f"dim {legal.dim}"
    else:
        what = f"axis {gather.axis}"
    more = ", ".join(f"{value} at {list(position)}" for value, position in wrong.next)
    return (
        f"{many if elements > 1 else 'the constant index is'} outside [{legal.low}, {legal.high}]:"
        f" {wrong.value}{where}, {what} of data {gather.shapes[0]}{f'; then {more}' if more else ''}"
    )


def reads_outside(wrong: OutOfRange) -> bool:
    """Whether the CPU takes its way for few 32-bit integers in one dimension, which looks at no range."""
    gather = wrong.gather
    const = wrong.held
    if (
        not gather.operation.indices_replace_axis
        or gather.shapes[0].rank != 1
        or wrong.range.high >= _SMALL
    ):
        return False
    if (
        len(const.shape) > 1
        or const.elements > _SMALL
        or gather.is_constant(0)
        or counts_from_the_end(wrong)
    ):
        return False
    kind = gather.tensors[0].element_type
    return kind is None or (kind.is_integral and kind.bits >= 16)


def counts_from_the_end(wrong: OutOfRange) -> bool:
    """Whether OpenVINO rewrites the index of a Gather-1 or -7 before it runs: a single one within ``[-s, -1]``."""
    return wrong.held.elements == 1 and -wrong.range.high - 1 <= wrong.value < 0
