"""What: ``<data>`` of a Const lacks ``shape``, ``offset`` or ``size``, or one of them is not a plain number or list of
numbers, each of at most 63 bits; or it has a ``value``.
Why: these attributes locate the bytes of a constant in the ``.bin``.
OpenVINO: rejects most of these. It reads a malformed dim up to the first other character (``1x`` is 1). An even number
of negative dims passes its size check, and the dims become 0. The characters of a ``value`` become the bytes of the
constant: the axis "1" is 49. If the shape needs more bytes, OpenVINO reads the memory behind them.
Bad::
    <data element_type="i64" shape="" value="1"/>
Good::
    <data element_type="i64" shape="" offset="0" size="8"/>
"""

import re
from math import inf, prod

from ovgather.ir.constants import Constant, parse_shape
from ovgather.ir.numbers import leading_integer, read_id
from ovgather.tensor import element_type
from ovgather.text import closest
from ovgather.validation.context import File, Findings, Layer, LayerSignature, Rule

RULE = Rule(
    "OVG401",
    "Const with an invalid declaration",
    "error",
    "rejects accepts",
    of_snippets=False,
)
_NEEDED = ("shape", "offset", "size")
_SHAPE = re.compile(r"(\s*[0-9]+\s*(,\s*[0-9]+\s*)*)?", re.ASCII)


def check(file: File) -> Findings:
    # A valid declaration with a plain shape needs no further check.
    shapes = {
        signature.data.get("shape", "?") for signature in file.forms_of(["Const"])
    }
    plain = {shape for shape in shapes if _SHAPE.fullmatch(shape)}

    def is_odd(signature: LayerSignature) -> bool:
        is_plain = signature in file.declared and signature.data["shape"] in plain
        return not is_plain or "value" in signature.data

    for layer in file.layers_where(is_odd, ["Const"]):
        data = layer.data
        if "value" not in data:
            yield from _numbers(file, layer)
            continue
        verdict = "accepts"
        effect = "uses the characters as the bytes"
        kind = element_type.find_data(data.get("element_type", "-"))
        shape = parse_shape(data.get("shape", "?"))
        size = (
            Constant(kind, shape, 0, 0, None).bytes_needed
            if kind is not None and shape is not None
            else inf
        )
        if kind is not None and kind.name == "string":
            verdict = "rejects"
            effect = "rejects it"
        elif size > len(data["value"].encode()):
            effect += ", and reads past their end"
        message = "a Const has no value attribute: its bytes are in the .bin"
        yield file.report(
            RULE,
            message,
            file.place(layer, "data/value", "both"),
            layer,
            verdict,
            effect,
        )


def _numbers(file: File, layer: Layer) -> Findings:
    missing = [name for name in _NEEDED if name not in layer.data]
    others = layer.data.keys() - {*_NEEDED}
    for name in [*missing]:
        similar = closest(name, sorted(others), cutoff=0.7)
        if similar is not None and len(missing) > 1:  # each is a mistake of its own
            missing.remove(name)
            place = file.place(layer, f"data/{similar}", "name")
            help = f"did you mean `{name}`?"
            message = f"Const without {name}, but `{similar}`"
            yield file.report(RULE, message, place, layer, help=help)
    if missing:
        yield file.report(RULE, f"Const without {', '.join(missing)}", "type", layer)
    for name in _NEEDED:
        text = layer.data.get(name)
        verdict = "rejects"
        effect = ""
        if text is None:
            continue
        if name != "shape" and read_id(text) is None:
            message = f"{name} {text!r} is not a plain number"
        elif name == "shape" and not _SHAPE.fullmatch(text):
            message = f"shape {text!r} is not a list of dims"
            dims = parse_shape(text)
            if dims is not None:
                verdict = "accepts"
                effect = f"reads it as {list(dims)}"
            elif _negative_passes(layer, text):
                verdict = "accepts"
                effect = "reads a negative dim as 0"
        elif name == "shape" and parse_shape(text) is None:
            large = next(
                dim for dim in text.split(",") if leading_integer(dim, sign="-") is None
            )
            message = f"shape {text!r}: dim {large.strip()!r} is too large"
        else:
            continue
        yield file.report(RULE, message, f"data/{name}", layer, verdict, effect)


def _negative_passes(layer: Layer, text: str) -> bool:
    """Whether negative dims pass OpenVINO's check of the size, which counts in 64 bits."""
    kind = element_type.find_data(layer.data.get("element_type", "-"))
    size = read_id(layer.data.get("size", "-"))
    numbers = [
        dim
        for piece in text.split(",")
        if (dim := leading_integer(piece, sign="-")) is not None
    ]
    if kind is None or size is None or len(numbers) <= text.count(","):
        return False
    bits = prod(numbers, start=kind.bits) % (1 << 64)
    return min(numbers) < 0 and (bits + 7) // 8 <= size
