"""What: no layer uses the output of a layer that is neither a Result nor an Assign. One finding covers all layers that
lead only there. An unused Parameter is a note.

Why: the layer has no effect. An edge may be missing.

OpenVINO: does not build such layers, so it checks nothing in them. An unused Parameter remains an input of the model.

Bad::

    <edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>   <!-- and none from layer 2 -->

Good::

    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
"""

from operator import itemgetter

from ovgather.ir.graph import Graph, Layer
from ovgather.validation.context import File, Findings

CODE = "OVG305"
TITLE = "layer that leads to no Result"
SEVERITIES = ("warning", "note")
VERDICTS = ("accepts",)
_FROM = itemgetter(0)
_SINKS = frozenset({"result", "assign"})


def check(file: File) -> Findings:
    """The layers of each graph that no edge leaves."""
    if file.model.snippet:
        return
    for graph in file.graphs:
        ends = [graph.by_id[number] for number in sorted(graph.by_id.keys() - set(map(_FROM, graph.edges)))]
        spare = [layer for layer in ends if layer.type.lower() not in _SINKS and layer.id >= 0]
        # Without any Result, OVG010 speaks of the whole file; where edges are wrong, what is left aside only follows.
        if spare and len(spare) < len(ends) and _is_joined(graph):
            yield from _report(file, graph, spare)


def _is_joined(graph: Graph) -> bool:
    """Whether each edge goes from a port that exists to one that does, and each input is fed."""
    outputs = {(layer.id, port.id) for layer in graph.layers for port in layer.outputs}
    inputs = {(layer.id, port.id) for layer in graph.layers for port in layer.inputs}
    return inputs == graph.fed.keys() and all(edge[:2] in outputs for edge in graph.edges)


def _report(file: File, graph: Graph, spare: list[Layer]) -> Findings:
    sources: dict[int, list[int]] = {}
    for edge in graph.edges:
        sources.setdefault(edge.to_layer, []).append(edge.from_layer)
    counted: set[int] = set()
    for layer in spare:
        span = file.layer_span(layer)
        if layer.type != "Parameter":
            message = "the layer leads to no Result" + _others(_before(file, layer, sources, counted))
            effect = "does not build it, and checks nothing in it"
            help = "take it out, or feed what was to take it"
            yield file.report(CODE, "warning", message, span, layer=layer, openvino="accepts", effect=effect, help=help)
        elif graph.parent is None:  # a body may leave its iteration counter alone
            message = "nothing takes this Parameter"
            effect = "keeps it as an input of the model"
            yield file.report(CODE, "note", message, span, layer=layer, openvino="accepts", effect=effect)


def _before(file: File, layer: Layer, sources: dict[int, list[int]], counted: set[int]) -> int:
    """How many layers lead to ``layer`` and to no Result; those ``counted`` before do not count again."""
    waiting, found = [layer.id], 0
    while waiting:
        for number in sources.get(waiting.pop(), ()):
            if number not in counted and not file.is_built(layer.graph.by_id[number]):
                counted.add(number)
                waiting.append(number)
                found += 1
    return found


def _others(count: int) -> str:
    if count == 0:
        return ""
    return "; 1 other leads only here" if count == 1 else f"; {count} others lead only here"
