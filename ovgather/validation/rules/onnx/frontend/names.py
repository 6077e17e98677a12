"""What: a node reads, or the graph gives, a value that no node, input or constant of the graph or one around it has.
Why: the value does not exist.
OpenVINO: refuses the model: ``Input tensor isn't found``, or ``is not produced by any``.
Runtimes: ONNX Runtime does not load the model. onnx's checker refuses it.
Bad::
    y = Relu(nowhere)
Good::
    y = Relu(x)
"""

from ovgather.onnx_file.graphs import Values
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
                    yield file.report_at(
                        RULE, message, file.reference(graph, place, node)
                    )
        for item in graph.proto.output:
            if item.name not in known:
                message = f"the graph gives {item.name!r}, which nothing computes{did_you_mean(item.name, known)}"
                yield file.report(RULE, message)


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
