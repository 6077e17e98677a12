"""layer that leads to no Result (OVG305)

What: nothing takes the output of a layer that is no Result and no Assign. One finding speaks of all the layers that
lead only there. A Parameter that nothing takes is a note.

Why: the layer has no effect; an edge may be missing.

OpenVINO: does not build such layers, and so checks nothing in them. A Parameter stays an input of the model.

Bad::

    <edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>   <!-- and none from layer 2 -->

Good::

    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from ovgather.diagnostics import Diagnostic
from ovgather.ir.model import Graph, Layer
from ovgather.rules._file import File

CODE = "OVG305"
TITLE = "layer that leads to no Result"
_FROM = itemgetter(0)
_SINKS = frozenset({"result", "assign"})


def check(file: File) -> Iterator[Diagnostic]:
    """The layers of each graph that no edge leaves."""
    if file.model.snippet:
        return
    for graph in file.model.graph.graphs():
        ends = [graph.by_id[number] for number in sorted(graph.by_id.keys() - set(map(_FROM, graph.edges)))]
        sinks = [layer for layer in ends if layer.type.lower() in _SINKS]
        # Without any Result, OVG010 speaks of the whole file; where edges are wrong, what they leave aside only follows.
        for layer in ends if sinks and len(ends) > len(sinks) and _is_joined(graph) else ():
            if layer.id < 0 or layer in sinks:
                continue
            if layer.type != "Parameter":
                yield _dead(file, graph, layer)
            elif graph.parent is None:  # a body may leave its iteration counter alone
                message = "nothing takes this Parameter"
                effect = "keeps it as an input of the model"
                span = file.layer_span(layer)
                yield file.report(CODE, "note", message, span, layer=layer, openvino="accepts", effect=effect)


def _is_joined(graph: Graph) -> bool:
    """Whether each edge goes from a port that exists to one that does, and each input is fed."""
    outputs = {(layer.id, port.id) for layer in graph.layers for port in layer.outputs}
    inputs = {(layer.id, port.id) for layer in graph.layers for port in layer.inputs}
    return inputs == graph.fed.keys() and all(edge[:2] in outputs for edge in graph.edges)


def _dead(file: File, graph: Graph, layer: Layer) -> Diagnostic:
    hanging = _only_for(file, graph, layer)
    more = "; 1 other leads only here" if hanging == 1 else f"; {hanging} others lead only here"
    message = "the layer leads to no Result" + (more if hanging else "")
    return file.report(
        CODE,
        "warning",
        message,
        file.layer_span(layer),
        layer=layer,
        openvino="accepts",
        effect="does not build it, and checks nothing in it",
        help="take it out, or feed what was to take it",
    )


def _only_for(file: File, graph: Graph, layer: Layer) -> int:
    """How many layers lead to ``layer`` and, as it does, to no Result."""
    sources: dict[int, list[int]] = {}
    for edge in graph.edges:
        sources.setdefault(edge.to_layer, []).append(edge.from_layer)
    waiting, found = [layer.id], {layer.id}
    while waiting:
        for number in sources.get(waiting.pop(), ()):
            source = graph.by_id.get(number)
            if source is not None and number not in found and not file.is_built(source):
                found.add(number)
                waiting.append(number)
    return len(found) - 1
