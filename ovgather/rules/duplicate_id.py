"""layer id given twice (OVG109)

What: two layers of one graph have the same id.

Why: edges find layers by id, so one of the two is out of reach.

OpenVINO: the last one wins, and all edges go to it. Where it does not fit them, the file fails with a message
about something else ("Cannot create layer id:0 from unsupported opset:"); further findings say what.

Bad::

    <layer id="0" …/> <layer id="0" …/>

Good::

    <layer id="0" …/> <layer id="1" …/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.rules._file import File

CODE = "OVG109"
TITLE = "layer id given twice"


def check(file: File) -> Iterator[Diagnostic]:
    """Ids within each graph."""
    for graph in file.model.graph.graphs():
        if len(graph.by_id) == len(graph.layers):
            continue
        seen: dict[int, str] = {}
        for layer in graph.layers:
            if layer.id in seen and layer.id >= 0:
                message = f"layer id {layer.id} is taken: layer {seen[layer.id]!r} has it"
                span = file.layer_span(layer, "id")
                found = file.report(CODE, "error", message, span, layer=layer, openvino="accepts")
                found.effect = "the last layer with an id wins; the edges of the first go to it"
                yield found
            seen.setdefault(layer.id, layer.name)
