"""What: an input port has no edge, or more than one.
Why: a layer needs one tensor for each input.
OpenVINO: says "is inconsistent!" if a first or middle input has no edge, "index '1' out of range" if the last has none,
and "has incorrect input with index 2!" for two edges. It makes the optional last inputs of
Pad, Slice, StridedSlice, Broadcast of opset1 and NonMaxSuppression up to opset4 itself, and of IR v10 it reads any
layer without its optional inputs. This is a warning.
Bad::
    two edges with to-layer="2" to-port="0"
Good::
    one edge with to-layer="2" to-port="0", one with to-layer="2" to-port="1"
"""

from collections import Counter
from typing import Any

from ovgather.layers.reference import called, reference
from ovgather.ops import declared
from ovgather.validation.context import Diagnostic, Edge, File, Findings, Graph, Layer, Rule

RULE = Rule("OVG303", "input port without an edge, or with two", "error warning", "rejects accepts")
_FEW = 10
"""For at most so many unfed inputs, the rule searches for the output that may be meant."""
_FILLED = {"Broadcast": 2, "NonMaxSuppression": 4, "Pad": 99, "Slice": 99, "StridedSlice": 99}
"""Types whose optional inputs OpenVINO makes itself where they are not fed, and the last such opset."""


def check(file: File) -> Findings:
    for graph in file.graphs if not file.model.snippet else ():
        if len(graph.fed) < len(graph.edges):
            yield from _fed_twice(file, graph)
        inputs, edges = file.links.unfed.get(graph, []), {input: edge for edge, input in file.links.meant.items()}
        few, unfed = len(inputs) <= _FEW, Counter([layer.offset for layer, _ in inputs])
        for layer, index in inputs if graph.edges or few else ():
            help, edge = _source(graph, layer, index) if few else None, edges.get((layer, index))
            if edge is None or edge in file.links.astray:  # else the second edge into another port speaks for both
                message, about = f"no edge feeds input port {layer.inputs[index].id}", filter(None, [edge])
                # Without any edge in the graph, or into the layer and astray, there is one cause.
                is_alone = unfed[layer.offset] == len(layer.inputs) and not file.links.astray
                origin = id(graph) if not graph.edges else layer.offset if is_alone else None
                yield _report(file, layer, index, message, help=help, about=about, origin=origin)
        if not (graph.edges or few):  # one finding, at a layer that OpenVINO builds
            layer, index = next((input for input in inputs if file.is_built(input[0])), inputs[0])
            message = f"no edge feeds this or any other of {len(inputs)} input ports: <{graph.kind}> has no edges"
            yield _report(file, layer, index, message, about=graph.layers)


def _report(file: File, layer: Layer, index: int, message: str, **more: Any) -> Diagnostic:
    effect = _spared(file, layer, index)
    severity, verdict = ("warning", "accepts") if effect else ("error", "rejects")
    return file.report(RULE, message, f"input/{index}", layer, verdict, effect, severity=severity, **more)


def _spared(file: File, layer: Layer, index: int) -> str:
    """What OpenVINO does without an input that it does not need; empty for any other input."""
    declaration = declared.find(layer.type, layer.version)
    if declaration is None or index < declaration.least_inputs:
        return ""
    if any((layer.id, port.id) in layer.graph.fed for port in layer.inputs[index:]):
        return ""
    if file.model.ir_version == 10:
        return "does not need this input in IR v10"
    is_filled = declaration.since <= _FILLED.get(declaration.type, 0) and len(layer.inputs) <= len(declaration.inputs)
    return "does not need this input" if is_filled else ""


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


def _fed_twice(file: File, graph: Graph) -> Findings:
    """Edges into a port that another one feeds; one that may be meant for an input without an edge speaks for both."""
    meant, ports = file.links.meant, dict[tuple[int, int], list[Edge]]()
    for edge in graph.edges:
        ports.setdefault(edge[2:4], []).append(edge)
    for (number, port), edges in ports.items():
        layer = graph.with_id(number) if min(number, port) >= 0 else None  # OVG302 reports an edge to a missing layer
        right = next((edge for edge in edges if edge not in meant), edges[0])
        for edge in [each for each in edges if each is not right] if layer is not None else ():
            message, help = f"a second edge feeds input port {port} of layer {number}", None
            related, origin, needs = [("the other edge", file.edge_span(right, "to-port"))], None, layer
            if edge in meant:
                other, index = meant[edge]
                unfed_port = f"no edge feeds input port {other.inputs[index].id}"
                help = f"{unfed_port} of {'this layer' if other is layer else called(reference(other))}: is it meant?"
                related.append((unfed_port, file.place(other, f"input/{index}")))
                origin = layer and (layer.offset, port)  # OVG205 says of which type the wrong edge is
                needs = other if file.is_built(other) and not _spared(file, other, index) else layer
            span = file.edge_span(edge, "to-port")
            yield file.report(RULE, message, span, layer, help=help, related=related, origin=origin, needs=needs)
