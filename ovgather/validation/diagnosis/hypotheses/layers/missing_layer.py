"""What: a layer is missing: edges name it.
Why: with a layer of this id that gives what the layers behind it take, every edge finds its ends.
Bad::
    <edge from-layer="3" .../> and <edge to-layer="3" .../>, without a layer 3
Good::
    <layer id="3" .../>
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import port_text
from ovgather.ir.graph import Edge, Graph, Port, port_with_id
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 60
_MOST = 4


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        missing = {
            number: [*case.into(graph, number), *case.out_of(graph, number)]
            for number in sorted(case.named(graph) - graph.rows.keys())[:_MOST]
        }
        for number in list(missing)[:_MOST]:
            if graph.offsets:
                yield _hypothesis(case, graph, number, missing[number])


def _hypothesis(case: Case, graph: Graph, number: int, edges: list[Edge]) -> Hypothesis:
    taken, given = dict[int, Port | None](), dict[int, Port | None]()
    for edge in edges:
        if edge.to_layer == number:
            source = graph.source(edge)
            taken[edge.to_port] = source[0].outputs[source[1]] if source is not None else None
        if edge.from_layer == number:
            target = graph.with_id(edge.to_layer)
            ports = target.inputs if target is not None else ()
            given[edge.from_port] = port_with_id(ports, edge.to_port)
    name = f"layer {number}"
    text = f'<layer id="{number}" name="{name}" type="ovgather-unknown" version="extension">'
    text += _ports("input", taken) + _ports("output", given) + "</layer>"
    at = graph.offsets[0]
    around = [each.from_layer for each in edges if each.to_layer == number][:3]
    behind = [each.to_layer for each in edges if each.from_layer == number][:3]
    words = [f"{_layers(around)} feed{'s' * (len(around) == 1)} it"] if around else []
    words += [f"{_layers(behind)} take{'s' * (len(behind) == 1)} what it gives"] if behind else []
    message = f"there is no layer {number}, but {' and '.join(words)}"
    edits = edits_of(case.source, [((at, at), text)])
    place = case.file.edge_span(edges[0], "to-layer" if edges[0].to_layer == number else "from-layer")
    help = "put the layer back, or join its edges"
    return Hypothesis("missing_layer", message, None, place, edits, price=2.0, reach=len(edges), added=name, help=help)


def _layers(numbers: list[int]) -> str:
    return f"layer{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def _ports(side: str, ports: dict[int, Port | None]) -> str:
    text = "".join([port_text(number, port) for number, port in sorted(ports.items())])
    return f"<{side}>{text}</{side}>" if text else ""
