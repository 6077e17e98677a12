"""What: ``<data>`` of a Const lacks ``shape``, ``offset`` or ``size``, or one of them is not a plain number or list of
numbers; or it has a ``value``.

Why: these attributes locate the bytes of a constant in the ``.bin``.

OpenVINO: rejects most of these. It reads a malformed dim up to the first other character (``1x`` is 1). An even number
of negative dims passes its size check, and the dims become 0. The characters of a ``value`` become the bytes of the
constant: the axis "1" is 49. If the shape needs more bytes than there are characters, OpenVINO reads the memory behind
them.

Bad::

    <data element_type="i64" shape="" value="1"/>

Good::

    <data element_type="i64" shape="" offset="0" size="8"/>
"""

import re

from ovgather.ir.constants import Constant, parse_shape
from ovgather.ir.graph import Layer
from ovgather.ir.numbers import leading_integer, read_id
from ovgather.tensor import element_type
from ovgather.validation.context import File, Findings

CODE = "OVG401"
TITLE = "Const with an invalid declaration"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "accepts")
_SHAPE = re.compile(r"(\s*[0-9]+\s*(,\s*[0-9]+\s*)*)?", re.ASCII)


def check(file: File) -> Findings:
    """``<data>`` of every Const."""
    if file.model.snippet:
        return
    # A declaration that can be read, with a plain shape, has nothing more to be looked at.
    shapes = {signature.data.get("shape", "?") for signature in file.forms_of(["Const"])}
    plain = {shape for shape in shapes if _SHAPE.fullmatch(shape)}
    for layer in file.layers_where(
        lambda signature: (
            signature not in file.declared or signature.data["shape"] not in plain or "value" in signature.data
        ),
        ["Const"],
    ):
        yield from _check(file, layer)


def _check(file: File, layer: Layer) -> Findings:
    data = layer.data
    if "value" in data:
        span = file.data_span(layer, "value", "both")
        message = "a Const has no value attribute: its bytes are in the .bin"
        text = data.get("element_type", "").lower() == "string"
        verdict = "rejects" if text else "accepts"
        effect = "rejects it" if text else "takes the letters themselves for the bytes"
        if not text and _is_short(data):
            effect += ", and reads past their end"
        yield file.report(CODE, "error", message, span, layer=layer, openvino=verdict, effect=effect)
        return
    for name in ("shape", "offset", "size"):
        text_of = data.get(name)
        if text_of is None:
            span = file.layer_span(layer, "type")
            yield file.report(CODE, "error", f"Const without {name}", span, layer=layer, openvino="rejects")
        elif name == "shape":
            yield from _shape(file, layer, text_of)
        elif read_id(text_of) is None:
            message = f"{name} {text_of!r} is not a plain number"
            span = file.data_span(layer, name)
            yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")


def _is_short(data: dict[str, str]) -> bool:
    """Whether the letters of ``value`` are fewer than the bytes that the shape wants."""
    kind, shape = element_type.find_data(data.get("element_type", "-")), parse_shape(data.get("shape", "?"))
    return kind is None or shape is None or Constant(kind, shape, 0, 0, None).bytes_needed > len(data["value"].encode())


def _shape(file: File, layer: Layer, text: str) -> Findings:
    if _SHAPE.fullmatch(text):
        return
    read = parse_shape(text)
    negative = _negative_passes(layer, text)
    accepted = read is not None or negative
    yield file.report(
        CODE,
        "error",
        f"shape {text!r} is not a list of dims",
        file.data_span(layer, "shape"),
        layer=layer,
        openvino="accepts" if accepted else "rejects",
        effect=f"reads it as {list(read)}" if read is not None else "reads a negative dim as 0" if negative else "",
    )


def _negative_passes(layer: Layer, text: str) -> bool:
    """Whether negative dims get past OpenVINO's check of the size, which counts in 64 bits."""
    dims = [leading_integer(piece) for piece in text.split(",")]
    kind = element_type.find_data(layer.data.get("element_type", "-"))
    size = read_id(layer.data.get("size", "-"))
    if kind is None or size is None:
        return False
    bits = kind.bits
    for dim in dims:
        if dim is None:
            return False
        bits = bits * dim % (1 << 64)
    return min(dim or 0 for dim in dims) < 0 and (bits + 7) // 8 <= size
