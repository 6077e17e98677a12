"""shape of a Parameter that cannot be read, or is read as another (OVG210)

What: the ``shape`` of a Parameter is no list of dims such as ``2,1..7,?`` (a dynamic rank is ``...``), or
holds a dim that OpenVINO takes for another: a negative one, an interval whose ends are swapped, one beyond
63 bits. A Parameter without ``<data>`` is an error; one without ``shape`` is a scalar, which is a warning.

Why: all shapes of the model follow from it.

OpenVINO: rejects text such as ``2,,3`` and ``+2``; silently reads ``-2`` as 0, ``5..1`` as an empty interval, which
it prints as ``?`` and which nothing fits, 2^63 - 1 as ``?``, and 2^63 as 0. It rejects the file when that does not fit
a layer.

Bad::

    <data shape="-2,7,5" element_type="f32"/>

Good::

    <data shape="?,7,5" element_type="f32"/>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.ir.model import Layer
from ovgather.layer import GatherLayer
from ovgather.rules._file import File
from ovgather.shape import PartialShape

CODE = "OVG210"
TITLE = "shape of a Parameter that cannot be read, or is read as another"
_DIM = r"\s*(?:-?[0-9]+|-?[0-9]*\.\.-?[0-9]*|-|\?)\s*"
_TAKEN = re.compile(rf"\s*(\[)?{_DIM}(?:,{_DIM})*(?(1)\])\s*", re.ASCII)
_LARGEST = (1 << 63) - 1


def check(file: File) -> Iterator[Diagnostic]:
    """The ``shape`` of every Parameter."""
    takers: dict[Layer, list[GatherLayer]] = {}
    for layer in file.layers_of(["Parameter"]):
        text = layer.data.get("shape")
        if text is None:
            yield _absent(file, layer)
            continue
        reason = _reason(text)
        if reason:
            rejected = not _TAKEN.fullmatch(text)
            effect = "rejects it" if rejected else f"reads it as {_as_read(text)}"
            takers = takers or _takers(file)
            unfit = None if rejected else _unfit(file, layer, _as_read(text), takers)
            if unfit is not None:
                rejected, effect = True, f'{effect}, which does not fit layer {unfit.id} "{unfit.name}"'
            span = file.data_span(layer, "shape")
            yield file.report(
                CODE,
                "error",
                reason,
                span,
                layer=layer,
                openvino="rejects" if rejected else "accepts",
                effect=effect,
            )


def _absent(file: File, layer: Layer) -> Diagnostic:
    span = file.layer_span(layer, "type")
    if file.element(layer).first("data") is None:
        return file.report(CODE, "error", "Parameter without <data>", span, layer=layer, openvino="rejects")
    message = "Parameter without shape: it is a scalar"
    return file.report(CODE, "warning", message, span, layer=layer, openvino="accepts", effect="takes it for a scalar")


def _reason(text: str) -> str | None:
    for dim in text.split(","):
        for number in re.findall(r"-?[0-9]+", dim):
            plain = dim.strip(" \t[]") == number  # as the end of an interval, the largest number stands for no end
            if int(number[:40]) > _LARGEST - plain:
                return f"shape {text!r}: dim {number} is too large"
    try:
        PartialShape.parse(text)
    except ValueError as error:
        return str(error)
    return None


def _as_read(text: str) -> str:
    """The shape that OpenVINO makes of dims that it takes.

    >>> _as_read("-2,7,9223372036854775808"), _as_read("[-3..4, 5..1, 1..9223372036854775808]")
    ('[0,7,0]', '[..4,?,1..], where no length fits the ? of 5..1')
    """
    dims = [piece.strip() for piece in text.strip().strip("[]").split(",")]
    empty = [dim for dim in dims if _is_empty(dim)]
    shape = ",".join("?" if dim in empty else _dim_as_read(dim) for dim in dims)
    return f"[{shape}]" + (f", where no length fits the ? of {empty[0]}" if empty else "")


def _takers(file: File) -> dict[Layer, list[GatherLayer]]:
    """The layers of the family that each Parameter feeds."""
    found: dict[Layer, list[GatherLayer]] = {}
    for view in file.gather_layers:
        sources = [view.layer.producer(index) for index in range(len(view.layer.inputs))]
        for parameter in dict.fromkeys(source[0] for source in sources if source is not None):
            found.setdefault(parameter, []).append(view)
    return found


def _unfit(file: File, parameter: Layer, read: str, takers: dict[Layer, list[GatherLayer]]) -> Layer | None:
    """The first layer of the family that cannot take ``parameter`` with the shape ``read``."""
    if not read.endswith("]"):
        return None  # an empty interval, which fits some layers and not others
    shape = PartialShape.parse(read)
    for view in takers.get(parameter, ()):
        shapes = list(view.shapes)
        for index in range(len(shapes)):
            source = view.layer.producer(index)
            if source is not None and source[0] is parameter:
                shapes[index] = shape
        taken = shapes != view.shapes and file.is_built(view.layer)
        if taken and len(shapes) > 1 and view.operation.check(shapes, axis=view.axis, batch_dims=view.batch_dims):
            return view.layer
    return None


def _dim_as_read(dim: str) -> str:
    low, interval, high = dim.partition("..")
    if not interval:
        unknown = dim in ("?", "-1", str(_LARGEST))
        return "?" if unknown else str(_number(dim) if 0 <= _number(dim) < _LARGEST else 0)
    least = max(0, _number(low))
    most = high if high and _number(high) < _LARGEST else ""
    return f"{least or ''}..{most}" if least or most else "?"


def _is_empty(dim: str) -> bool:
    low, interval, high = dim.partition("..")
    return bool(interval and high) and _number(high) < max(0, _number(low))


def _number(text: str) -> int:
    return int(text[:40]) if text.strip("-") else 0
