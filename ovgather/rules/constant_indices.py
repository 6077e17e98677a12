"""constant indices out of range (OVG501)

What: indices held by a Const point outside the axis they index: beyond ``[-s, s-1]``, with ``s`` the length
of the axis; for Gather-1 and Gather-7 beyond ``[0, s-1]``, the range of their pages.

Why: Gather-8 gives zeros for them, which is seldom meant (a warning); for the others they are an error.

OpenVINO: GatherElements throws when run, without naming the index; GatherND reads outside its memory.
Negative indices of Gather-1 and -7 give zeros on the CPU, but count from the end when the layer is folded
as a constant.

Bad::

    indices [0, 7] for data [5], axis 0

Good::

    indices [0, 4] for data [5], axis 0
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


class Offenders(NamedTuple):
    """Indices out of range: how many, and the first of them."""

    total: int
    value: int
    position: tuple[int, ...]


def check(file: File) -> Iterator[Diagnostic]:
    """Constant indices along an axis of known length."""
    for view in file.gather_layers:
        if len(view.tensors) < 2 or view.errors or view.operation.axis_from is None:
            continue
        size = _axis_size(view)
        held = view.constant(1) if size is not None else None
        if held is None or size is None or held.data is None:
            continue
        low = 0 if view.operation.type == "Gather" and view.operation.version < 8 else -size
        found = offenders(held, low, size - 1)
        if found:
            yield _report(file, view, found, held.elements, low, size)


def _axis_size(view: GatherLayer) -> int | None:
    shape, axis = view.shapes[0], view.axis
    if axis is None or shape.rank is None or not view.tensors[0].certain:
        return None
    dim = shape[axis]
    return dim.length if dim.is_static else None


def offenders(held: Constant, low: int, high: int) -> Offenders | None:
    """The constant's values outside ``[low, high]``; None when there are none, or the values are not at hand."""
    values = held.integers(_FEW)
    if values is None:
        return _offenders_of_many(held, low, high)
    places = [place for place, value in enumerate(values) if not low <= value <= high]
    if not places:
        return None
    return Offenders(len(places), values[places[0]], unravel(places[0], held.shape))


def _offenders_of_many(held: Constant, low: int, high: int) -> Offenders | None:
    if held.elements <= _FEW or not held.element_type.is_integral or held.element_type.bits < 8:
        return None
    import numpy

    if held.data is None or len(held.data) < held.bytes_needed:
        return None
    values = numpy.frombuffer(held.data, held.element_type.dtype, held.elements)
    if low <= int(values.min()) and int(values.max()) <= high:
        return None
    wrong = numpy.flatnonzero((values < low) | (values > high))
    return Offenders(len(wrong), int(values[wrong[0]]), unravel(int(wrong[0]), held.shape))


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


def _report(file: File, view: GatherLayer, found: Offenders, total: int, low: int, size: int) -> Diagnostic:
    where = f" at position {list(found.position)}" if found.position else ""
    many = f"{found.total} of {total} constant indices are" if total > 1 else "the constant index is"
    message = f"{many} outside [{low}, {size - 1}]: {found.value}{where}, axis {view.axis} of data {view.shapes[0]}"
    zeros = view.operation.type == "Gather"
    if view.operation.name == "Gather-8":
        severity, effect = "warning", "gives zeros for them, as the specification says"
    elif zeros:
        severity, effect = "error", "gives zeros on the CPU; counts from the end when folded as a constant"
    else:
        severity, effect = "error", "throws when run, without naming the index"
    return file.report(
        CODE,
        severity,
        message,
        file.port_span(view.layer, "input", 1),
        layer=view.layer,
        openvino="accepts" if zeros else "rejects",
        effect=effect,
    )
