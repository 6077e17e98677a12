"""What: a node reads, or the graph gives, a value that no node, input or constant of the graph or one around it has; or
one that depends on itself; in a body, also one that only a later node gives. Two inputs have one name.
Why: the value does not exist when it is needed. In the main graph runtimes sort the nodes.
OpenVINO: refuses the model: ``Input tensor isn't found``, ``is not produced by any``, or ``Tensor already exists``.
A declared output of the main graph that is read before a node gives it becomes an input of the model. In a body it
takes what has the name around it until a node gives it anew.
Runtimes: ONNX Runtime does not load the model. onnx's checker refuses it.
Bad::
    y = Relu(nowhere)
Good::
    y = Relu(x)
"""

from collections import Counter
from collections.abc import Iterator

from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Values,
    names_read,
    output_names,
)
from ovgather.text import did_you_mean
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG818",
    "value that nothing gives",
    "error",
    "rejects accepts",
    onnxruntime="rejects",
)


def check(file: OnnxFile) -> Findings:
    for graph, values in file.model.scopes:
        if graph.is_function:
            continue
        known = _names(values)
        named = {item.name for item in graph.proto.input}
        if graph.outer is None:
            named |= output_names(graph.proto)
        elif values.outer is not None:
            named |= _names(values.outer)
        from_around = set()
        for place, name in _unready(graph, values, known):
            node = graph.proto.node[place]
            is_accepted = name in named and name in node.input
            if name in known:
                message = f"it reads {name!r}, which a later node gives"
            else:
                message = (
                    f"it reads {name!r}, which nothing gives{did_you_mean(name, known)}"
                )
            if is_accepted:
                from_around.add(name)
            yield file.report(
                RULE,
                message,
                file.reference(graph, place, node),
                openvino="accepts" if is_accepted else "rejects",
            )
        counts = Counter(item.name for item in graph.proto.input)
        for name, count in counts.items():
            if count > 1:
                runtime = "accepts" if name in values.tensors else ""
                message = f"{count} inputs are called {name!r}"
                yield file.report(RULE, message, onnxruntime=runtime)
        for item in graph.proto.output:
            if item.name not in known:
                message = f"the graph gives {item.name!r}, which nothing computes{did_you_mean(item.name, known)}"
                verdict = "accepts" if item.name in from_around else "rejects"
                yield file.report(RULE, message, openvino=verdict)


def _unready(
    graph: OnnxGraph, values: Values, known: set[str]
) -> Iterator[tuple[int, str]]:
    """The nodes that read what is not there yet, with its name; of what later nodes give, the first."""
    nodes = graph.proto.node
    places = None
    if graph.outer is None:
        places = values.order
    later = {name for node in nodes for name in node.output}
    is_late = False
    for place in places or range(len(nodes)):
        for name in sorted(names_read(nodes[place])):
            if name not in known and name in nodes[place].input:
                yield place, name
            elif name in later and not is_late:
                is_late = True
                yield place, name
        later.difference_update(nodes[place].output)


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
