"""element type that the CPU cannot gather (OVG705)

What: ``data`` of the family is ``u2``, ``nf4`` or ``f4e2m1``; or ``u1``, ``u3``, ``u6`` or a dynamic type; or, for
GatherElements and GatherND, ``string``.

Why: the specification takes any element type, and so does reading the file.

OpenVINO: writes past the end of the output for the first three when it runs on the CPU: the values are wrong,
and the process dies at once or later. The others it refuses when it compiles the model.

Bad::

    <data shape="8,4" element_type="nf4"/>

Good::

    <data shape="8,4" element_type="u4"/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.layer import GatherLayer
from ovgather.releases import SEEN
from ovgather.rules._file import File

CODE = "OVG705"
TITLE = "element type that the CPU cannot gather"
_SPOILT = frozenset({"u2", "nf4", "f4e2m1"})
_REFUSED = frozenset({"u1", "u3", "u6"})
_CONCERNED = _SPOILT | _REFUSED | {"string", "dynamic"}
_EFFECTS = {
    "crashes": "writes past the end of the output on the CPU: wrong values, and the process dies",
    "rejects": "the CPU refuses it when compiling the model",
}


def check(file: File) -> Iterator[Diagnostic]:
    """The element type of data."""
    for views in file.alike:
        kind = views[0].output_type
        for view in views if kind is not None and kind.name in _CONCERNED else ():
            verdict = _verdict(view, str(kind))
            if verdict is None:
                continue
            yield file.report(
                CODE,
                "warning",
                f"data is {kind}, which {view.operation.name} cannot gather on the CPU",
                file.port_span(view.layer, "input", 0),
                layer=view.layer,
                openvino=verdict,
                effect=f"{_EFFECTS[verdict]} ({SEEN[f'type-{kind}'].on})",
            )


def _verdict(view: GatherLayer, kind: str) -> str | None:
    if kind in _SPOILT:
        return "crashes"
    if kind in _REFUSED or (kind == "string" and view.operation.type != "Gather"):
        return "rejects"
    if kind != "dynamic":
        return None
    # What no <data> declares is not known to be dynamic, and an element type that is absent is OVG211's.
    source = view.layer.producer(0)
    declared = source is not None and source[0].type == "Parameter" and "element_type" in source[0].data
    return "rejects" if declared else None
