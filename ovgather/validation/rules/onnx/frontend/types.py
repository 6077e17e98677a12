"""What: an input, an output or a constant has an element type that OpenVINO's frontend does not read: complex numbers,
float8 of the kinds FNUZ, float6, int2, uint2, or one that does not exist; or an input has none. A sparse constant.
Why: the whole model is refused, also where nothing reads the tensor.
OpenVINO: refuses the model: ``Unsupported type``; of a sparse constant it reads nothing: ``Input tensor isn't found``.
Runtimes: ONNX Runtime does not load a model with complex numbers; it has no kernels for most of the other types.
Bad::
    complex64[3,4] data
Good::
    float[3,4,2] data
"""

from ovgather.onnx_file.graphs import (
    names_of,
    output_names,
    tensor_type,
    type_name,
    value_of_type,
)
from ovgather.tensor.onnx_types import NUMBERS, OPENVINO
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG817",
    "element type that OpenVINO does not read",
    "error",
    "rejects rejects_on_compile accepts undefined",
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
    # Of what is declared of others it reads nothing.
    made = {name for node in graph.node for name in node.output} - output_names(graph)
    ports += [
        (f"value {item.name!r}", item.type.tensor_type.elem_type)
        for item in graph.value_info
        if item.name in made
    ]
    tensors = [
        (f"constant {item.name!r}", item.data_type) for item in graph.initializer
    ]
    read: set[str] = set()
    dense = {item.name for item in graph.initializer}
    if graph.sparse_initializer or not all(each for _, each in tensors):
        read = names_of(graph)
    for sparse in graph.sparse_initializer:
        yield file.report(
            RULE,
            f"constant {sparse.values.name!r} is sparse",
            help="write all its elements: onnx.helper.make_tensor",
            openvino="rejects" if sparse.values.name in read - dense else "accepts",
            onnxruntime="accepts",
        )
    for item in (*graph.input, *graph.output):
        if tensor_type(item) is None:
            kind = item.type.WhichOneof("value").removesuffix("_type")
            message = f"{item.name!r} is a {kind}, the frontend reads tensors"
            yield file.report(RULE, message, openvino="rejects")
    for item in graph.initializer:
        if not item.data_type:
            message = f"constant {item.name!r} has no element type"
            verdict = "rejects" if item.name in read else "accepts"
            yield file.report(RULE, message, openvino=verdict, onnxruntime="rejects")
    for item in file.model.inputs:
        kind = tensor_type(item)
        if kind is not None and not kind.elem_type:
            message = f"input {item.name!r} has no element type"
            is_static = value_of_type(kind).shape.is_static
            verdict = "rejects_on_compile" if is_static else "undefined"
            yield file.report(RULE, message, openvino=verdict)
    for what, number in (*ports, *tensors):
        name = type_name(number)
        if name is not None and (name in _UNREAD or number not in NUMBERS):
            help = "use a type that OpenVINO has, or convert it before"
            is_loaded = number in NUMBERS and not name.startswith("complex")
            verdict = "undefined" if is_loaded else "rejects"
            message = f"{what} is tensor({name})"
            yield file.report(
                RULE, message, help=help, openvino="rejects", onnxruntime=verdict
            )
