"""element type that an input may not have (OVG204)

What: indices or an axis of an element type that the operation does not take: GatherElements wants ``i32``
or ``i64`` indices, Gather-7 and -8 and GatherND any integer.

Why: an index is a whole number.

OpenVINO: rejects it, but takes ``string`` and ``nf4`` for integers in Gather-7 and -8, and checks nothing
in Gather-1.

Bad::

    <port id="1" precision="FP16">   <!-- indices of a Gather-8 -->

Good::

    <port id="1" precision="I32">
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.layer import GatherLayer
from ovgather.rules._file import File

CODE = "OVG204"
TITLE = "element type that an input may not have"
_HOLES = frozenset({"string", "nf4"})
_EFFECT = "reads it as if it were an integer type; the CPU cannot compile it"


def check(file: File) -> Iterator[Diagnostic]:
    """Element types of inputs, where the file tells them."""
    for view in file.views_where(_may_be_wrong):
        shapes, kinds = view.shapes, view.element_types
        for error in view.operation.check(shapes, axis=view.axis, element_types=kinds):
            if error.kind != "element_type":
                continue
            names = [item.name for item in view.operation.inputs]
            index = names.index(error.argument)
            kind = kinds[index]
            hole = kind is not None and kind.name in _HOLES and view.operation.type != "GatherElements"
            span = file.port_span(view.layer, "input", index)
            verdict, effect = ("accepts", _EFFECT) if hole else ("rejects", "")
            yield file.report(CODE, "error", str(error), span, layer=view.layer, openvino=verdict, effect=effect)


def _may_be_wrong(view: GatherLayer) -> bool:
    declared, kinds = view.operation.inputs, view.element_types
    return len(declared) == len(kinds) and not all(
        kind is None or item.types is None or kind.name in item.types
        for item, kind in zip(declared, kinds, strict=True)
    )
