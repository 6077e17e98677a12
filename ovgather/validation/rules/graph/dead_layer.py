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
from ovgather.validation.facts.edges import find_cycle, upstream

RULE = Rule("OVG305", "layer that leads to no Result", "warning note", "accepts")
_FROM = itemgetter(0)
_Port = tuple[tuple[int, ...], "str | None"]
_SINKS = frozenset({"result", "assign"})


def check(file: File) -> Findings:
    for graph in file.graphs if not file.model.snippet else ():
        ends = [graph.layer(graph.rows[number]) for number in sorted(graph.rows.keys() - set(map(_FROM, graph.edges)))]
        unused = [layer for layer in ends if layer.type.lower() not in _SINKS and layer.id >= 0]
        # Without any Result, OVG010 reports the whole file; with wrong edges, unused layers only follow from them.
        if unused and len(unused) < len(ends):
            layers = zip(graph.ids, graph.signatures, strict=True)
            inputs = {(number, port.id) for number, signature in layers for port in signature.inputs}
            is_connected = inputs == graph.fed.keys() and file.links.astray.keys().isdisjoint(graph.edges)
            if is_connected and not find_cycle(graph):
                yield from _report(file, graph, unused)


def _report(file: File, graph: Graph, unused: list[Layer]) -> Findings:
    counted, edges = set[Layer](), {*graph.edges}
    # Edges that may come from a wrong layer, by what their inputs are declared to take.
    inputs = [(layer.inputs[index], edge) for (layer, index), edge in file.links.doubtful.items()]
    intended = {(port.dims, port.precision): edge for port, edge in inputs if edge in edges}
    misled = _misled(file, graph)

    def is_new(layer: Layer) -> bool:
        return layer not in counted and not file.is_built(layer)

    for layer in unused:
        if layer.type != "Parameter":
            dead = [each for each in upstream(layer, is_new) if is_new(each)]
            counted.update(dead)
            count = len(dead) - 1
            others = f"; {count} other{' leads' if count == 1 else 's lead'} only here" if count else ""
            message, effect = f"the layer leads to no Result{others}", "does not build or check it"
            ports = [(port.dims, precision) for port in layer.outputs for precision in (port.precision, None)]
            origin = next((intended[port] for port in ports if port in intended), None)
            about = next(([misled[port]] for port in ports if port in misled), [])
            help = "remove it, or connect its output"
            yield file.report(RULE, message, "name", layer, effect=effect, help=help, origin=origin, about=about)
        elif graph.parent is None:  # a body need not use its iteration counter
            message, effect = "no layer uses this Parameter", "keeps it as an input of the model"
            yield file.report(RULE, message, "name", layer, effect=effect, severity="note")


def _misled(file: File, graph: Graph) -> dict[_Port, Layer]:
    """The layers that compute something else than declared, or refuse it, by the tensors their input ports declare."""
    layers = [*file.deviations.roots, *[refusal.layer for refusal in file.forward.refusals]]
    ports = [(port, layer) for layer in layers if layer.graph is graph for port in layer.inputs]
    return {(port.dims, precision): layer for port, layer in ports for precision in (port.precision, None) if port.dims}
