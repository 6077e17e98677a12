"""cycle (OVG304)

What: a layer feeds itself, directly or through others.

Why: there is no order to compute the layers in. A Loop or TensorIterator carries values round, within its
body.

OpenVINO: rejects it: "Attempt to access node 3 that not in graph."

Bad::

    <edge from-layer="2" from-port="2" to-layer="2" to-port="0"/>

Good::

    <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.facts.cycle import find_cycle

CODE = "OVG304"
TITLE = "cycle"
SEVERITIES = ("error",)
VERDICTS = ("rejects",)


def check(file: File) -> Iterator[Diagnostic]:
    """One finding for each graph that has a cycle, at an edge of it."""
    for graph in file.graphs:
        path = find_cycle(graph)
        if path:
            closing = next(e for e in graph.edges if e.from_layer == path[-1] and e.to_layer == path[0])
            layer = graph.by_id[path[0]]
            shown = [*path[:8], "…"] if len(path) > 8 else path
            listed = " -> ".join(str(number) for number in (*shown, path[0]))
            message = f"layers feed each other in a cycle: {listed}"
            span = file.edge_span(closing)
            about = [graph.by_id[number] for number in path[1:]]
            yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects", about=about)
