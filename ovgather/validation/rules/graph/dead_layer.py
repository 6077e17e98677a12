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

from ovgather.validation.context import File, Findings, Graph, Layer, Rule
from ovgather.validation.facts.edges import find_cycle

RULE = Rule("OVG305", "layer that leads to no Result", "warning note", "accepts")
_FROM = itemgetter(0)
_SINKS = frozenset({"result", "assign"})


def check(file: File) -> Findings:
    for graph in file.graphs if not file.model.snippet else ():
        ends = [graph.layer(graph.rows[number]) for number in sorted(graph.rows.keys() - set(map(_FROM, graph.edges)))]
        unused = [layer for layer in ends if layer.type.lower() not in _SINKS and layer.id >= 0]
        # Without any Result, OVG010 reports the whole file; with wrong edges, unused layers only follow from them.
        if unused and len(unused) < len(ends):
            layers = [*zip(graph.ids, graph.signatures, strict=True)]
            outputs = {(number, port.id) for number, signature in layers for port in signature.outputs}
            inputs = {(number, port.id) for number, signature in layers for port in signature.inputs}
            is_connected = inputs == graph.fed.keys() and all(edge[:2] in outputs for edge in graph.edges)
            if is_connected and not find_cycle(graph):
                yield from _report(file, graph, unused)


def _report(file: File, graph: Graph, unused: list[Layer]) -> Findings:
    sources: dict[int, list[int]] = {}
    for edge in graph.edges:
        sources.setdefault(edge.to_layer, []).append(edge.from_layer)
    counted: set[int] = set()
    for layer in unused:
        if layer.type != "Parameter":
            count = _count_before(file, layer, sources, counted)
            others = f"; {count} other{' leads' if count == 1 else 's lead'} only here" if count else ""
            message, effect = f"the layer leads to no Result{others}", "does not build or check it"
            yield file.report(RULE, message, "name", layer, effect=effect, help="remove it, or connect its output")
        elif graph.parent is None:  # a body need not use its iteration counter
            message, effect = "no layer uses this Parameter", "keeps it as an input of the model"
            yield file.report(RULE, message, "name", layer, effect=effect, severity="note")


def _count_before(file: File, layer: Layer, sources: dict[int, list[int]], counted: set[int]) -> int:
    """How many layers lead to ``layer`` and to no Result; those ``counted`` before do not count again."""
    graph, waiting, before = layer.graph, [layer.id], len(counted)
    while waiting:
        for number in sources.get(waiting.pop(), ()):
            if number not in counted and not file.is_built(graph.layer(graph.rows[number])):
                counted.add(number)
                waiting.append(number)
    return len(counted) - before
