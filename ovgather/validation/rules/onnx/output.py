"""What: the shape or element type that the file declares for the output (as a graph output or in ``value_info``)
differs from the one inferred from the inputs.

Why: tools that read the declared shape are misled.

Runtimes: ONNX Runtime rejects another type or rank when it loads the model. For other lengths it prints a warning and
continues.

Bad::

    float[9,4] y = GatherElements(float[3,4] data, int64[2,4] indices)

Good::

    float[2,4] y = GatherElements(float[3,4] data, int64[2,4] indices)
"""

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.rules.onnx._report import Findings, report

CODE = "OVG809"
TITLE = "declared output that differs from the inferred one"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """Declared outputs beside inferred ones."""
    for node in gather_nodes(model):
        made, said = node.inference, node.output
        if made is not None and not made.shape.compatible(said.shape):
            should = f"should be {made.shape.named}"
            yield report(model, CODE, "error", _difference(node), node, help=should)
        type = next(iter(node.type_names), None)
        if said.element_type is not None and type not in (None, said.element_type):
            message = f"the output is declared tensor({said.element_type}), but data are tensor({type})"
            yield report(model, CODE, "error", message, node)


def _difference(node: GatherNode) -> str:
    assert node.inference is not None
    made, said = node.inference.shape, node.output.shape
    if made.rank != said.rank:
        return f"the output is declared {said.named}, but {made.named} is inferred from the inputs"
    place = next(at for at, (mine, theirs) in enumerate(zip(made, said, strict=True)) if not mine.compatible(theirs))
    return f"output dim {place} is declared {said[place].named}, but {made[place].named} is inferred from the inputs"
