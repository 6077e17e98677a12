"""What: a layer is missing: edges name it, or its edges are gone with it and its id is the one that is free.
Why: with a layer of this id that gives what the layers behind it take, every edge and every input finds its end.
Bad::
    <edge from-layer="3" .../> and <edge to-layer="3" .../>, without a layer 3
Good::
    <layer id="3" .../>
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from ovgather.forward.run import ASSUMED
from ovgather.ir.edit.layer_text import end_of, port_text
from ovgather.ir.graph import Graph, Layer, Port, port_with_id
from ovgather.ir.positions import element_at
from ovgather.validation.diagnosis.case import Case, called, edge_text
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 60
_MOST = 4
_MOST_LOOSE = 16


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in [graph for graph in case.file.graphs if graph.offsets]:
        numbers = sorted(
            number for number in case.named(graph) - graph.rows.keys() if number >= 0
        )
        lost = [_hypothesis(case, graph, number) for number in numbers[:_MOST]]
        yield from lost
        if 1 < len(numbers) <= _MOST:
            yield _together(lost, numbers)
        free = [
            *islice(
                (
                    number
                    for number in range(max(graph.ids))
                    if number not in graph.rows
                ),
                _MOST + 1,
            )
        ]
        inputs = case.file.links.unfed.get(graph, [])
        if inputs and graph.edges and len(free) <= _MOST:
            yield from [
                _without_edges(case, graph, number, inputs)
                for number in free
                if number not in numbers
            ]


def _without_edges(
    case: Case, graph: Graph, number: int, inputs: list[tuple[Layer, int]]
) -> Hypothesis:
    """The layer whose edges are gone, too: it gives what nothing feeds, and takes what nothing takes."""
    kinds = dict.fromkeys(
        (layer.inputs[index].dims, layer.inputs[index].precision)
        for layer, index in inputs
    )
    loose = (
        layer for layer in graph.layers if layer.outputs and not _is_used(case, layer)
    )
    sources = [*islice(loose, _MOST_LOOSE)]
    input_ports = {port: layer.outputs[0] for port, layer in enumerate(sources)}
    output_ports = {
        len(input_ports) + port: Port(0, precision, dims)
        for port, (dims, precision) in enumerate(kinds)
    }
    places = dict(zip(kinds, output_ports, strict=True))
    edges = [edge_text((layer, 0), number, port) for port, layer in enumerate(sources)]
    for layer, index in inputs:
        port = layer.inputs[index]
        edges.append(
            _edge(number, places[port.dims, port.precision], layer.id, port.id)
        )
    end = end_of(element_at(case.source, graph.edges[-1].offset))
    layer, index = inputs[0]
    message = f"no edge feeds input {index} of {called(layer)}"
    if len(inputs) > 1:
        message += f" and {len(inputs) - 1} more"
    message += f", and there is no layer {number}"
    hypothesis = _added(case, graph, number, input_ports, output_ports)
    return hypothesis._replace(
        message=f"{message}: it was probably deleted, with its edges",
        layer=layer,
        place=f"input/{index}",
        edits=(
            *hypothesis.edits,
            *edits_of(case.source, [((end, end), "".join(edges))]),
        ),
        reach=len(inputs),
    )


def _is_used(case: Case, layer: Layer) -> bool:
    return any(case.is_used((layer, index)) for index in range(len(layer.outputs)))


def _edge(source: int, output: int, target: int, index: int) -> str:
    return f'<edge from-layer="{source}" from-port="{output}" to-layer="{target}" to-port="{index}"/>'


def _together(hypotheses: Sequence[Hypothesis], numbers: Sequence[int]) -> Hypothesis:
    """Layers that are missing together: an edge between two of them needs both."""
    first = hypotheses[0]
    return first._replace(
        message=f"there are no layers {', '.join(map(str, numbers))}, but edges name them",
        edits=tuple(edit for each in hypotheses for edit in each.edits),
        added=tuple(name for each in hypotheses for name in each.added),
        reach=sum(each.reach for each in hypotheses),
        help="restore the layers, or delete their edges and connect the layers around them",
    )


def _hypothesis(case: Case, graph: Graph, number: int) -> Hypothesis:
    edges = [*case.into(graph, number), *case.out_of(graph, number)]
    input_ports = dict[int, Port | None]()
    output_ports = dict[int, Port | None]()
    for edge in edges:
        if edge.to_layer == number:
            source = graph.source(edge)
            input_ports[edge.to_port] = (
                source[0].outputs[source[1]] if source is not None else None
            )
        if edge.from_layer == number:
            target = graph.with_id(edge.to_layer)
            ports = target.inputs if target is not None else ()
            output_ports[edge.from_port] = port_with_id(ports, edge.to_port)
    around = [each.from_layer for each in edges if each.to_layer == number][:3]
    behind = [each.to_layer for each in edges if each.from_layer == number][:3]
    if around:
        words = [f"{_layers(around)} feed{'s' * (len(around) == 1)} it"]
    else:
        words = []
    words += (
        [f"{_layers(behind)} consume{'s' * (len(behind) == 1)} its output"]
        if behind
        else []
    )
    message = f"there is no layer {number}, but {' and '.join(words)}"
    place = case.file.edge_span(
        edges[0], "to-layer" if edges[0].to_layer == number else "from-layer"
    )
    return _added(case, graph, number, input_ports, output_ports)._replace(
        message=message, place=place, reach=len(edges)
    )


def _added(
    case: Case,
    graph: Graph,
    number: int,
    input_ports: Mapping[int, Port | None],
    output_ports: Mapping[int, Port | None],
) -> Hypothesis:
    """A layer of these ports."""
    name = f"layer {number}"
    text = f'<layer id="{number}" name="{name}" type="{ASSUMED}" version="extension">'
    text += _ports("input", input_ports) + _ports("output", output_ports) + "</layer>"
    help = "restore the layer, or delete its edges and connect the layers around it"
    return case.repair(
        "",
        None,
        None,
        [((graph.offsets[0],) * 2, text)],
        price=2.0,
        added=(name,),
        help=help,
    )


def _layers(numbers: list[int]) -> str:
    first = ", ".join(map(str, numbers[:-1]))
    if first:
        return f"layers {first} and {numbers[-1]}"
    return f"layer {numbers[-1]}"


def _ports(side: str, ports: Mapping[int, Port | None]) -> str:
    text = "".join([port_text(number, port) for number, port in sorted(ports.items())])
    if text:
        return f"<{side}>{text}</{side}>"
    return ""
