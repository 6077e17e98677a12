"""constant indices out of range (OVG501)

What: indices held by a Const point outside what they index: beyond ``[-s, s-1]``, with ``s`` the length of the axis,
or of the dim that the number of a GatherND tuple is for; for Gather-1, Gather-7 and GatherND-5 beyond ``[0, s-1]``,
the range of their pages.

Why: Gather-8 gives zeros for them, which is seldom meant (a warning); for the others they are an error.

OpenVINO: GatherElements throws when run, without naming the index. GatherND reads outside its memory, and so does
Gather on up to 64 numbers of 16 to 64 bits in one dimension: the result is anything, or the process ends. Gather-1
and -7 give zeros for negative ones on the CPU, but count from the end when the layer is folded as a constant;
GatherND-5 counts from the end.

Bad::

    <dim>5</dim>   <!-- data [5], axis 0, and the constant holds 0, 7 -->

Good::

    <dim>5</dim>   <!-- data [5], axis 0, and the constant holds 0, 4 -->
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.diagnostics import Diagnostic
from ovgather.ir.constants import Constant
from ovgather.layer import GatherLayer
from ovgather.rules._file import File

CODE = "OVG501"
TITLE = "constant indices out of range"
_FEW = 1 << 14
_SMALL = 64
_ZEROS = "gives zeros for them"
_OUTSIDE = "may read outside its memory: the result is anything, or the process ends"


class Range(NamedTuple):
    """What indices may be: ``low`` to ``high``, both included, along dim ``dim`` of data."""

    low: int
    high: int
    dim: int


class Offenders(NamedTuple):
    """Indices out of range: how many, and the first of them with the range it breaks."""

    total: int
    value: int
    position: tuple[int, ...]
    range: Range


def check(file: File) -> Iterator[Diagnostic]:
    """Constant indices into dims of known length."""
    for view in file.gather_layers:
        if len(view.tensors) < 2 or view.errors:
            continue
        held = view.constant(1)
        if held is None or held.data is None:
            continue
        ranges = _ranges(view, held)
        found = offenders(held, ranges) if any(ranges) else None
        if found:
            yield _report(file, view, found, held)


def _ranges(view: GatherLayer, held: Constant) -> list[Range | None]:
    """The range of each number of an index tuple (of each index: one); None where the length is not known."""
    shape, rank = view.shapes[0], view.shapes[0].rank
    if rank is None or not view.tensors[0].certain:
        return []
    if view.operation.axis_from is not None:
        dims = [] if view.axis is None else [view.axis % rank]
    else:
        length = held.shape[-1] if held.shape else 0
        dims = list(range(view.batch_dims, min(view.batch_dims + length, rank)))
    negative = view.operation.name not in ("Gather-1", "Gather-7", "GatherND-5")
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
    place, legal = min(places)
    return Offenders(len(places), values[place], unravel(place, held.shape), legal)


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
        found.append((int(wrong[0]) * len(ranges) + offset, legal))
    if not found:
        return None
    place, legal = min(found)
    return Offenders(total, int(values[place]), unravel(place, held.shape), legal)


def unravel(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The position in an array of ``shape`` of element ``place``, counted along the last axis first.

    >>> unravel(5, (2, 3)), unravel(0, ())
    ((1, 2), ())
    """
    position = []
    for dim in reversed(shape):
        place, rest = divmod(place, dim)
        position.append(rest)
    return tuple(reversed(position))


def _report(file: File, view: GatherLayer, found: Offenders, held: Constant) -> Diagnostic:
    where = f" at position {list(found.position)}" if found.position else ""
    total, legal = held.elements, found.range
    many = (
        f"{found.total} of {total} constant indices {'is' if found.total == 1 else 'are'}"
        if total > 1
        else "the constant index is"
    )
    along = "dim" if view.operation.axis_from is None else "axis"
    number = legal.dim if along == "dim" else view.axis
    message = (
        f"{many} outside [{legal.low}, {legal.high}]: {found.value}{where}, {along} {number} of data {view.shapes[0]}"
    )
    verdict, effect = _verdict(view, found, held)
    return file.report(
        CODE,
        "warning" if view.operation.name == "Gather-8" else "error",
        message,
        file.port_span(view.layer, "input", 1),
        layer=view.layer,
        openvino=verdict,
        effect=effect,
    )


def _verdict(view: GatherLayer, found: Offenders, held: Constant) -> tuple[str, str]:
    size = found.range.high + 1
    from_the_end = -size <= found.value < 0
    if view.operation.type == "GatherElements":
        return "rejects", "throws when run, without naming the index"
    if view.operation.type == "GatherND":
        return ("accepts", "counts them from the end") if from_the_end else ("undefined", _OUTSIDE)
    kind = view.tensors[0].element_type
    numbers = kind is None or (kind.is_integral and kind.bits >= 16)
    if numbers and view.shapes[0].rank == 1 and size <= _SMALL and len(held.shape) <= 1 and held.elements <= _SMALL:
        return "undefined", _OUTSIDE
    if from_the_end:
        return "accepts", f"{_ZEROS} on the CPU; counts from the end when it folds the layer as a constant"
    return "accepts", _ZEROS + (", as the specification says" if view.operation.name == "Gather-8" else "")
