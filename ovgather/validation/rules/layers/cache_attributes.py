"""weight attributes on a layer that has no weights (OVG110)

What: ``<data>`` of a layer that is no Const carries ``offset``, ``size`` and ``element_type``, and one of
them cannot be read.

Why: OpenVINO looks for the three on every layer (its cache of models without weights writes them there).

OpenVINO: rejects the file with the one word ``stoll``, or "Unsupported element type". The element type has the
vocabulary of port precisions here: ``f32`` and ``FP32``, not ``F32``.

Bad::

    <data axis="1" offset="x" size="y" element_type="z" />

Good::

    <data axis="1" />
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.ir.numbers import read_id
from ovgather.tensor import element_type
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

CODE = "OVG110"
TITLE = "weight attributes on a layer that has no weights"
SEVERITIES = ("error",)
VERDICTS = ("rejects",)
_NAMES = dict.fromkeys(("offset", "size", "element_type")).keys()


def check(file: File) -> Iterator[Diagnostic]:
    """The three attributes, where all of them stand."""
    for layer in file.layers_where(
        lambda signature: "offset" in signature.data and signature.type != "Const" and signature.data.keys() >= _NAMES
    ):
        data = layer.data
        for name in _NAMES:
            kind = element_type.from_port(data[name]) if name == "element_type" else None
            if kind is None and (name == "element_type" or read_id(data[name]) is None):
                message = f"{name} {data[name]!r} cannot be read, and {layer.type} has no weights"
                span = file.data_span(layer, name)
                yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")
