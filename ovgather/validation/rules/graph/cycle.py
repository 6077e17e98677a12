"""What: a layer feeds itself, directly or through other layers.

Why: the layers cannot be computed in any order. To iterate, use the body of a Loop or TensorIterator.

OpenVINO: rejects the file: "Attempt to access node 3 that not in graph."

Bad::

    <edge from-layer="2" from-port="2" to-layer="2" to-port="0"/>

Good::

    <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
"""

from ovgather.ir.graph import Graph
from ovgather.validation.context import File, Findings

CODE = "OVG304"
TITLE = "cycle"
SEVERITIES = ("error",)
VERDICTS = ("rejects",)


def check(file: File) -> Findings:
    """One finding for each graph that has a cycle, at an edge of it."""
    for graph in file.graphs:
        # Ids that rise along every edge, as converters write them, leave no room for a cycle.
        if all(edge.from_layer < edge.to_layer for edge in graph.edges):
            continue
        path = _find_cycle(graph)
        if path:
            closing = next(edge for edge in graph.edges if (edge.from_layer, edge.to_layer) == (path[-1], path[0]))
            shown = [*path[:8], "…"] if len(path) > 8 else path
            message = f"layers feed each other in a cycle: {' -> '.join(map(str, (*shown, path[0])))}"
            layer, span = graph.by_id[path[0]], file.edge_span(closing)
            yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects")


def _find_cycle(graph: Graph) -> list[int]:
    """The ids of one cycle, in the order of the edges; empty when there is none."""
    targets: dict[int, list[int]] = {number: [] for number in graph.by_id}
    waiting = dict.fromkeys(targets, 0)
    for edge in graph.edges:
        if edge.from_layer in targets and edge.to_layer in targets:
            targets[edge.from_layer].append(edge.to_layer)
            waiting[edge.to_layer] += 1
    ready = [number for number, count in waiting.items() if not count]
    while ready:
        number = ready.pop()
        del waiting[number]
        for target in targets[number]:
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    # The remaining layers lie on a cycle or behind one: going back from one of them always ends on a cycle.
    before = {target: number for number in waiting for target in targets[number] if target in waiting}
    number = next(iter(before), -1)
    path: dict[int, None] = {}
    while number in before and number not in path:
        path[number] = None
        number = before[number]
    walked = list(path)
    return walked[walked.index(number) :][::-1] if walked else []
