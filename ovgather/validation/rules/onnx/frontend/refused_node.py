"""What: OpenVINO converts the operation of a node, and refuses this node: the layers of IR that it becomes do not take
these shapes, element types or attributes. A warning: the rank of its output is not known before it runs, as that of a
Squeeze without axes; or an input of the model has no shape.
Why: the whole model is refused.
OpenVINO: refuses the model in ``read_model``, or when it compiles it for the CPU; the finding says which. The CPU
plugin takes no layer of unknown rank, but for some that lead to an output at once.
Runtimes: ONNX Runtime refuses most of these, too; what OpenVINO alone refuses is right in ONNX.
Bad::
    Concat<axis = 8>(float[2,3] a, float[2,3] b)
Good::
    Concat<axis = 1>(float[2,3] a, float[2,3] b)
"""

from ovgather.tensor.tensor import Basis
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG816",
    "node that OpenVINO refuses",
    "error warning",
    "rejects rejects_on_compile undefined",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    family = {
        node.reference for node in file.nodes if node.errors or node.unknown_attributes
    }
    for refusal in file.forward.refusals:
        if refusal.node in family:
            continue  # what is wrong with the node is said of it
        if refusal.error.stage == "run":
            continue
        verdict = refusal.verdict
        if refusal.basis is Basis.COMPUTED:
            is_smaller = verdict == "rejects" and refusal.node.type == "GatherElements"
            yield file.report(
                RULE,
                str(refusal.error),
                refusal.node,
                openvino=verdict,
                subject="smaller dims" if is_smaller else "",
            )
        else:
            message = f"if the shapes are what the file or onnx says: {refusal.error}"
            yield file.report(
                RULE, message, refusal.node, openvino="undefined", severity="warning"
            )
    for item in file.open_inputs:
        message = f"the input {item.name!r} has no shape, and the CPU plugin takes no input of unknown rank"
        help = "give it a shape; its lengths may be open"
        yield file.report(
            RULE, message, help=help, openvino="rejects_on_compile", severity="warning"
        )
    for where in file.forward.lost_ranks[:1]:
        message = "the rank of its output is not known before it runs, and the CPU plugin takes few such layers"
        help = "give it axes, or its inputs a known rank"
        yield file.report(
            RULE, message, where, help=help, openvino="undefined", severity="warning"
        )
