"""What: an input port has no edge, or more than one.
Why: a layer needs one tensor for each input.
OpenVINO: says "is inconsistent!" if a first or middle input has no edge, "index '1' out of range" if the last has none,
and "has incorrect input with index 2!" for two edges. Some operations do not need their last inputs: Pad, Slice,
StridedSlice, and Broadcast and NonMaxSuppression of opset1 and opset2.
Bad::
    two edges with to-layer="2" to-port="0"
Good::
    one edge with to-layer="2" to-port="0", one with to-layer="2" to-port="1"
"""

from sys import maxsize

from ovgather.layers.gather_layer import find_operation
from ovgather.validation.context import Diagnostic, Edge, File, Findings, Graph, Layer, Rule

RULE = Rule("OVG303", "input port without an edge, or with two", "error", "rejects accepts")
_FEW = 10
"""For at most so many unfed inputs, the rule searches for the output that may be meant."""
_SPARE = {"Broadcast": (2, 2), "NonMaxSuppression": (2, 2), "Pad": (3, 99), "Slice": (4, 99), "StridedSlice": (3, 99)}
"""The first input that OpenVINO does not need, if the later ones are not fed either, and the last such opset."""
_MOST = {"Parameter": 0, "Const": 0, "Result": 1}


def check(file: File) -> Findings:
    for graph in file.graphs if not file.model.snippet else ():
        unfed = _unfed_inputs(file, graph)
        if len(graph.fed) < len(graph.edges):
            yield from _fed_twice(file, graph, unfed)
        ports = [(layer, index) for layer, indices in unfed.items() for index in indices]
        few = len(ports) <= _FEW
        if graph.edges or few:
            for layer, index in ports:
                help = _source(graph, layer, index) if few else None
                yield _report(file, layer, index, f"no edge feeds input port {layer.inputs[index].id}", help)
        else:  # one cause is one finding, at a layer that OpenVINO builds
            layer, index = next((port for port in ports if file.is_built(port[0])), ports[0])
            message = f"no edge feeds this or any other of {len(ports)} input ports: <{graph.kind}> has no edges"
            yield _report(file, layer, index, message)


def _unfed_inputs(file: File, graph: Graph) -> dict[Layer, list[int]]:
    unfed: dict[Layer, list[int]] = {}
    inputs = sum([len(signature.inputs) for signature in graph.signatures])
    if inputs == len(graph.fed) == len(graph.edges) and file.links.all_arrive:
        return unfed  # as many edges as inputs, each to another one
    for layer in graph.layers:
        indices = [index for index, port in enumerate(layer.inputs) if (layer.id, port.id) not in graph.fed]
        for index in indices if layer.id >= 0 else ():
            operation = find_operation(layer)
            most = len(operation.inputs) if operation is not None else _MOST.get(layer.type, maxsize)
            if layer.inputs[index].id >= 0 and index < most:  # OVG201 reports ports that the layer should not have
                unfed.setdefault(layer, []).append(index)
    return unfed


def _report(file: File, layer: Layer, index: int, message: str, help: str | None = None) -> Diagnostic:
    (first, last), opset = _SPARE.get(layer.type, (0, 0)), layer.version.removeprefix("opset")
    may_be_spared = opset.isdecimal() and int(opset[:4]) <= last and index >= first
    is_spared = may_be_spared and not any((layer.id, port.id) in layer.graph.fed for port in layer.inputs[index:])
    verdict, effect = ("accepts", "does not need this input") if is_spared else ("rejects", "")
    return file.report(RULE, message, f"input/{index}", layer, verdict, effect, help=help)


def _source(graph: Graph, layer: Layer, index: int) -> str | None:
    """The one output of the dims and precision of an unfed input: of those that no edge takes, else of all."""
    port, ends = layer.inputs[index], {(edge.from_layer, edge.from_port) for edge in graph.edges}
    outputs = [(other, output) for other in graph.layers if other is not layer for output in other.outputs]
    alike = [end for end in outputs if end[1].dims == port.dims and port.precision in (None, end[1].precision)]
    free = [(other, output) for other, output in alike if (other.id, output.id) not in ends]
    candidates = free if len(free) == 1 else alike
    if len(candidates) != 1 or not port.dims:
        return None
    other, output = candidates[0]
    words = f'output port {output.id} of layer {other.id} "{other.name}"'
    return f"no edge takes {words}, which has the same dims" if free else f"only {words} has the same dims"


def _fed_twice(file: File, graph: Graph, unfed: dict[Layer, list[int]]) -> Findings:
    """Second edges into a port; one that may be meant for an input without an edge speaks for both."""
    first: dict[tuple[int, int], Edge] = {}
    for edge in graph.edges:
        port = (edge.to_layer, edge.to_port)
        layer = graph.with_id(edge.to_layer)  # OVG302 reports an edge to a missing layer
        if port in first and min(port) >= 0 and layer is not None:
            message, help = f"a second edge feeds input port {edge.to_port} of layer {edge.to_layer}", None
            related = [("the first edge", file.edge_span(first[port], "to-port"))]
            if unfed.get(layer):
                index = unfed[layer].pop(0)
                unfed_port = f"no edge feeds input port {layer.inputs[index].id}"
                help = f"{unfed_port} of this layer: is it meant?"
                related.append((unfed_port, f"input/{index}"))
            yield file.report(RULE, message, file.edge_span(edge, "to-port"), layer, help=help, related=related)
        first.setdefault(port, edge)
