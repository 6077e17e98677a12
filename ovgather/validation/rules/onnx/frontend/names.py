"""What: a node reads, or the graph gives, a value that no node, input or constant of the graph or one around it has; or
one that depends on itself; in a body, also one that only a later node gives. Two inputs have one name.
Why: the value does not exist when it is needed. In the main graph runtimes sort the nodes.
OpenVINO: refuses the model: ``Input tensor isn't found``, ``is not produced by any``, or ``Tensor already exists``.
Runtimes: ONNX Runtime does not load the model. onnx's checker refuses it.
Bad::
    y = Relu(nowhere)
Good::
    y = Relu(x)
"""

from collections import Counter

from ovgather.onnx_file.graphs import OnnxGraph, Values, names_read, ordered_places
from ovgather.text import did_you_mean
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG818", "value that nothing gives", "error", "rejects", onnxruntime="rejects"
)


def check(file: OnnxFile) -> Findings:
    for graph, values in file.model.scopes:
        if graph.is_function:
            continue
        known = _names(values)
        for place, node in enumerate(graph.proto.node):
            for name in node.input:
                if name and name not in known:
                    message = f"it reads {name!r}, which nothing gives{did_you_mean(name, known)}"
                    yield file.report(RULE, message, file.reference(graph, place, node))
        yield from _too_late(file, graph)
        counts = Counter(item.name for item in graph.proto.input)
        for name, count in counts.items():
            if count > 1:
                yield file.report(RULE, f"{count} inputs are called {name!r}")
        for item in graph.proto.output:
            if item.name not in known:
                message = f"the graph gives {item.name!r}, which nothing computes{did_you_mean(item.name, known)}"
                yield file.report(RULE, message)


def _too_late(file: OnnxFile, graph: OnnxGraph) -> Findings:
    """The first node that reads a value which a later node gives, where that matters."""
    nodes = graph.proto.node
    if graph.outer is None and ordered_places(nodes) is not None:
        return
    later = Counter(name for node in nodes for name in node.output)
    for place, node in enumerate(nodes):
        late = [name for name in names_read(node) if later[name] > 0]
        if late:
            message = f"it reads {min(late)!r}, which a later node gives"
            yield file.report(RULE, message, file.reference(graph, place, node))
            return
        later.subtract(node.output)


def _names(values: Values) -> set[str]:
    """What nodes of a graph can read."""
    names: set[str] = set()
    around: Values | None = values
    while around is not None:
        proto = around.graph.proto
        names |= {*around.makers, *around.tensors}
        names |= {item if isinstance(item, str) else item.name for item in proto.input}
        around = around.outer
    return names
