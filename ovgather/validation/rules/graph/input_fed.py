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

from typing import Any

from ovgather.ops import declared
from ovgather.validation.context import (
    Diagnostic,
    Edge,
    File,
    Findings,
    Graph,
    Layer,
    Rule,
)

RULE = Rule(
    "OVG303",
    "input port without an edge, or with two",
    "error warning",
    "rejects accepts",
    of_snippets=False,
)
_FILLED = {
    "Broadcast": 2,
    "NonMaxSuppression": 4,
    "Pad": 99,
    "Slice": 99,
    "StridedSlice": 99,
}
"""Types whose optional inputs OpenVINO makes itself where they are not fed, and the last such opset."""


def check(file: File) -> Findings:
    for graph in file.graphs:
        if len(graph.fed) < len(graph.edges):
            yield from _fed_twice(file, graph)
        inputs = file.links.unfed.get(graph, [])
        if inputs and not graph.edges:  # one finding, at a layer that OpenVINO builds
            layer, index = next(
                (input for input in inputs if file.is_built(input[0])), inputs[0]
            )
            message = f"no edge feeds input port {layer.inputs[index].id}"
            if len(inputs) > 1:
                message = f"no edge feeds this or any other of {len(inputs)} input ports: <{graph.kind}> has no edges"
            related = [(f"this <{graph.kind}>", file.span_at(graph.offset))]
            yield _report(
                file, layer, index, message, about=graph.layers, related=related
            )
            continue
        unfed: dict[Layer, list[int]] = {}
        for layer, index in inputs:
            unfed.setdefault(layer, []).append(index)
        for layer, indices in unfed.items():
            if len(indices) == len(layer.inputs) > 1:  # of a layer that nothing feeds
                ids = ", ".join(str(port.id) for port in layer.inputs)
                yield _report(
                    file, layer, 0, f"no edge feeds any of the input ports {ids}"
                )
                continue
            for index in indices:
                yield _report(
                    file,
                    layer,
                    index,
                    f"no edge feeds input port {layer.inputs[index].id}",
                )


def _report(
    file: File, layer: Layer, index: int, message: str, **more: Any
) -> Diagnostic:
    effect = _effect_without(file, layer, index)
    if effect:
        severity = "warning"
        verdict = "accepts"
    else:
        severity = "error"
        verdict = "rejects"
    return file.report(
        RULE,
        message,
        f"input/{index}",
        layer,
        verdict,
        effect,
        severity=severity,
        **more,
    )


def _effect_without(file: File, layer: Layer, index: int) -> str:
    """What OpenVINO does without an input that it does not need; empty for any other input."""
    declaration = declared.find(layer.type, layer.version)
    if declaration is None or index < declaration.least_inputs:
        return ""
    if any((layer.id, port.id) in layer.graph.fed for port in layer.inputs[index:]):
        return ""
    if file.model.ir_version == 10:
        return "does not need this input in IR v10"
    is_filled = declaration.since <= _FILLED.get(declaration.type, 0) and len(
        layer.inputs
    ) <= len(declaration.inputs)
    return "does not need this input" if is_filled else ""


def _fed_twice(file: File, graph: Graph) -> Findings:
    """The edges into a port that another one feeds."""
    ports: dict[tuple[int, int], list[Edge]] = {}
    for edge in graph.edges:
        ports.setdefault(edge[2:4], []).append(edge)
    for (number, port), (first, *others) in ports.items():
        # OVG302 reports an edge to a missing layer.
        layer = graph.with_id(number) if min(number, port) >= 0 else None
        if layer is not None:
            for edge in others:
                message = f"a second edge feeds input port {port} of layer {number}"
                related = [("the other edge", file.edge_span(first, "to-port"))]
                yield file.report(
                    RULE,
                    message,
                    file.edge_span(edge, "to-port"),
                    layer,
                    related=related,
                )
