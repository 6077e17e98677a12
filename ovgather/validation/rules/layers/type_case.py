"""What: the ``type`` of a layer differs from the operation's name only in upper and lower case.

Why: other readers of IR do not accept it.

OpenVINO: accepts any case.

Bad::

    <layer id="2" name="g" type="GATHERELEMENTS" version="opset6">

Good::

    <layer id="2" name="g" type="GatherElements" version="opset6">
"""

from functools import partial

from ovgather.ir import opsets
from ovgather.ir.positions import Span
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix

CODE = "OVG108"
TITLE = "type in another case"
SEVERITIES = ("warning",)
VERDICTS = ("accepts",)


def check(file: File) -> Findings:
    """Types that are known but for their case."""
    spelt = {kind: opsets.spelling(kind) for kind in file.types}
    odd = {kind: right for kind, right in spelt.items() if right is not None and right != kind}
    for layer in file.layers_of(odd):
        right = odd[layer.type]
        message = f"type {layer.type!r} is spelt {right!r}"
        span = file.layer_span(layer, "type")
        fix = partial(_fix, file, span, right)
        found = file.report(CODE, "warning", message, span, layer=layer, openvino="accepts", fix=fix)
        found.effect = "takes any case; other readers of IR do not"
        found.help = f"write {right!r}"
        yield found


def _fix(file: File, span: Span, right: str) -> Fix | None:
    return file.fixes.replaced(span, right, f"the type is spelt {right!r}")
