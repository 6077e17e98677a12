"""shape of a Parameter that cannot be read, or is read as another (OVG210)

What: the ``shape`` of a Parameter is no list of dims such as ``2,1..7,?`` (a dynamic rank is ``...``), or
holds a dim that OpenVINO takes for another: a negative one, an interval whose ends are swapped, one beyond
63 bits. A Parameter without ``<data>`` is an error; one without ``shape`` is a scalar, which is a warning.

Why: all shapes of the model follow from it.

OpenVINO: rejects text such as ``2,,3`` and ``+2``; silently reads ``-2`` as 0, ``5..1`` as an empty
interval printed ``?``, and 2^63 as 0.

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
from ovgather.rules._file import File
from ovgather.shape import PartialShape

CODE = "OVG210"
TITLE = "shape of a Parameter that cannot be read, or is read as another"
_DIM = r"\s*(?:-?[0-9]+|-?[0-9]*\.\.-?[0-9]*|-|\?)\s*"
_TAKEN = re.compile(rf"\s*(\[)?{_DIM}(?:,{_DIM})*(?(1)\])\s*", re.ASCII)
_LARGEST = (1 << 63) - 1


def check(file: File) -> Iterator[Diagnostic]:
    """The ``shape`` of every Parameter."""
    for layer in file.layers:
        if layer.type != "Parameter":
            continue
        text = layer.data.get("shape")
        if text is None:
            yield _absent(file, layer)
            continue
        reason = _reason(text)
        if reason:
            rejected = not _TAKEN.fullmatch(text)
            span = file.data_span(layer, "shape")
            yield file.report(
                CODE,
                "error",
                reason,
                span,
                layer=layer,
                openvino="rejects" if rejected else "accepts",
                effect="rejects it" if rejected else "reads it, as another shape",
            )


def _absent(file: File, layer: Layer) -> Diagnostic:
    span = file.layer_span(layer, "type")
    if file.element(layer).first("data") is None:
        return file.report(CODE, "error", "Parameter without <data>", span, layer=layer, openvino="rejects")
    message = "Parameter without shape: it is a scalar"
    return file.report(CODE, "warning", message, span, layer=layer, openvino="accepts", effect="takes it for a scalar")


def _reason(text: str) -> str | None:
    for number in re.findall(r"-?[0-9]+", text):
        if int(number[:40]) > _LARGEST - (1 if len(text) == len(number) else 0):
            return f"shape {text!r}: dim {number} is too large"
    try:
        PartialShape.of(text)
    except ValueError as error:
        return str(error)
    return None
