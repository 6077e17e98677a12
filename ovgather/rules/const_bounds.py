"""constant beyond the end of the weights (OVG402)

What: ``offset`` and ``size`` of a Const reach past the end of the ``.bin``.

Why: the ``.bin`` is truncated, or belongs to another file.

OpenVINO: rejects the file: "Incorrect weights in bin file!".

Bad::

    <data element_type="f32" shape="10" offset="100" size="40"/>   <!-- m.bin has 120 bytes -->

Good::

    <data element_type="f32" shape="10" offset="80" size="40"/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.rules._file import File

CODE = "OVG402"
TITLE = "constant beyond the end of the weights"


def check(file: File) -> Iterator[Diagnostic]:
    """Every Const against the length of the ``.bin``."""
    weights = file.model.weights
    if weights is None:
        return
    for layer, held in file.constants:
        offset, size = held.offset, held.size
        if offset + size <= weights.size:
            continue
        beyond = offset + size - weights.size
        message = f"bytes {offset} to {offset + size} are beyond the .bin, which has {weights.size}: {beyond} too many"
        span = file.data_span(layer, "offset" if offset >= weights.size else "size")
        effect = '"Incorrect weights in bin file!"'
        yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects", effect=effect)
