"""What: a layer feeds itself, directly or through other layers.
Why: the layers cannot be computed in any order. To iterate, use the body of a Loop or TensorIterator.
OpenVINO: rejects the file: "Attempt to access node 3 that not in graph."
Bad::
    <edge from-layer="2" from-port="2" to-layer="2" to-port="0"/>
Good::
    <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
"""

from ovgather.validation.context import File, Findings, Rule
from ovgather.validation.facts.edges import find_cycle

RULE = Rule("OVG304", "cycle", "error", "rejects")


def check(file: File) -> Findings:
    for graph in file.graphs:
        path = find_cycle(graph)
        if path:
            closing = next(
                edge
                for edge in graph.edges
                if (edge.from_layer, edge.to_layer) == (path[-1], path[0])
            )
            names = [*path[:8], "…"] if len(path) > 8 else path
            message = f"layers feed each other in a cycle: {' -> '.join(map(str, (*names, path[0])))}"
            first, *about = [graph.layer(graph.rows[number]) for number in path]
            yield file.report(
                RULE, message, file.edge_span(closing), first, about=about
            )
