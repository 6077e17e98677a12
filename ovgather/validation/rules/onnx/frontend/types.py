"""What: an input, an output or a constant has an element type that OpenVINO's frontend does not read: complex numbers,
float8 of the kinds FNUZ, float6, int2, uint2.
Why: the whole model is refused, also where nothing reads the tensor.
OpenVINO: refuses the model: ``Unsupported type``.
Runtimes: ONNX Runtime has no kernels for most of these types.
Bad::
    complex64[3,4] data
Good::
    float[3,4,2] data
"""

from ovgather.onnx_file.graphs import type_name
from ovgather.tensor.onnx_types import OPENVINO
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG817",
    "element type that OpenVINO does not read",
    "error",
    "rejects",
    onnxruntime="undefined",
)
_UNREAD = frozenset(name for name, kind in OPENVINO.items() if kind is None) | {"uint2"}
"""IR has u2, but the frontend does not read uint2."""


def check(file: OnnxFile) -> Findings:
    if file.model.problem is not None:
        return
    graph = file.model.proto.graph
    ports = [
        (f"input {item.name!r}", item.type.tensor_type.elem_type)
        for item in graph.input
    ]
    ports += [
        (f"output {item.name!r}", item.type.tensor_type.elem_type)
        for item in graph.output
    ]
    tensors = [
        (f"constant {item.name!r}", item.data_type) for item in graph.initializer
    ]
    for what, number in (*ports, *tensors):
        name = type_name(number)
        if name in _UNREAD:
            help = "use a type that OpenVINO has, or convert it before"
            yield file.report(RULE, f"{what} is tensor({name})", help=help)
