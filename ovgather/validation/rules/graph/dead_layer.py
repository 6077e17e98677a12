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

RULE = Rule(
    "OVG305",
    "layer that leads to no Result",
    "warning note",
    "accepts",
    of_snippets=False,
)
_FROM = itemgetter(0)
_SINKS = frozenset({"result", "assign"})


def check(file: File) -> Findings:
    for graph in file.graphs:
        ends = [
            graph.layer(graph.rows[number])
            for number in sorted(graph.rows.keys() - set(map(_FROM, graph.edges)))
        ]
        unused = [
            layer
            for layer in ends
            if layer.type.lower() not in _SINKS and layer.id >= 0
        ]
        # Without any Result, OVG010 reports the whole file; with wrong edges, unused layers only follow from them.
        if unused and len(unused) < len(ends):
            layers = zip(graph.ids, graph.signatures, strict=True)
            inputs = {
                (number, port.id)
                for number, signature in layers
                for port in signature.inputs
            }
            is_connected = (
                inputs == graph.fed.keys()
                and file.links.dangling.keys().isdisjoint(graph.edges)
            )
            if is_connected and not find_cycle(graph):
                yield from _report(file, graph, unused)


def _report(file: File, graph: Graph, unused: list[Layer]) -> Findings:
    counted = set[Layer]()

    def is_new(layer: Layer) -> bool:
        return layer not in counted and not file.is_built(layer)

    for layer in unused:
        if layer.type != "Parameter":
            dead = [each for each in upstream(layer, is_new) if is_new(each)]
            counted.update(dead)
            count = len(dead) - 1
            if count:
                others = (
                    f"; {count} other{' leads' if count == 1 else 's lead'} only here"
                )
            else:
                others = ""
            message = f"the layer leads to no Result{others}"
            effect = "does not build or check it"
            help = "remove it, or connect its output"
            yield file.report(RULE, message, "name", layer, effect=effect, help=help)
        elif graph.parent is None:  # a body need not use its iteration counter
            message = "no layer uses this Parameter"
            effect = "keeps it as an input of the model"
            yield file.report(
                RULE, message, "name", layer, effect=effect, severity="note"
            )
