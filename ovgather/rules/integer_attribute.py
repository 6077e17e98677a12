"""attribute that is not a plain integer (OVG103)

What: ``axis`` or ``batch_dims`` is not written as digits with at most a minus sign, or is beyond 64 bits.

Why: OpenVINO reads the digits at the front and drops the rest, so what runs is not what is written.

OpenVINO: reads ``1.9``, ``1abc`` and ``1,2`` as 1 and ``0x1`` as 0; rejects ``+1``, an empty text and
words, without naming the layer.

Bad::

    <data axis="1.9" />

Good::

    <data axis="1" />
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.ir.numbers import leading_integer, strict_integer
from ovgather.rules._file import File

CODE = "OVG103"
TITLE = "attribute that is not a plain integer"


def check(file: File) -> Iterator[Diagnostic]:
    """The text of integer attributes."""
    for view in file.gather_layers:
        for attribute in view.operation.attributes:
            text = view.layer.data.get(attribute.name)
            # An entity is dealt with where it stands: what it was meant to say is not known.
            if text is None or strict_integer(text) is not None or (text.startswith("&") and text.endswith(";")):
                continue
            read = leading_integer(text, sign="-")
            accepted = read is not None
            yield file.report(
                CODE,
                "error",
                f"{attribute.name} {text!r} is not an integer",
                file.data_span(view.layer, attribute.name),
                layer=view.layer,
                openvino="accepts" if accepted else "rejects",
                effect=f"reads it as {read}" if accepted else "rejects it without naming the layer",
                help=f"write {read}, if that is meant" if accepted else None,
            )
