"""onnx's checker and shape inference in a child process, since some models make them crash."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

from ovgather.onnx_file.graphs import Value, graphs, value_of
from ovgather.onnx_file.source import parse
from ovgather.processes import command
from ovgather.tensor.shape import PartialShape

_SECONDS = 300
_START = "from ovgather.onnx_file.shapes import child; child()"
_LONGEST = 300
_MOST_ELEMENTS = 1024  # of tensors whose values may be parts of shapes


class InferredShapes(NamedTuple):
    """Inferred values by the path of the graph and the name; ``problem`` is the reason if there are none.

    ``invalid`` is what the checker says against the model, ``misfit`` what the inference says that checks types.
    """

    values: dict[tuple[str, ...], dict[str, Value]]
    problem: str | None = None
    invalid: str | None = None
    misfit: str | None = None


def infer_shapes(model: Any, input_shapes: Mapping[str, PartialShape]) -> InferredShapes:
    """The result of onnx's inference for a ``ModelProto`` with ``input_shapes``."""
    try:
        data = _light(model, input_shapes).SerializeToString()
    except ValueError as error:
        return InferredShapes({}, f"onnx's shape inference cannot be given the model: {error}")
    try:
        child = subprocess.run(command(_START), input=data, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return InferredShapes({}, f"onnx's shape inference takes more than {_SECONDS} s")
    if child.returncode < 0:
        return InferredShapes(
            {}, f"onnx's shape inference crashes (signal {-child.returncode})", **_opinions(child.stdout)
        )
    if child.returncode:
        lines = child.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason is given"]
        return InferredShapes({}, f"onnx's shape inference fails: {lines[-1]}", **_opinions(child.stdout))
    inferred = parse(child.stdout.partition(b"\n")[2])
    values = {path: {item.name: value_of(item) for item in items} for path, items in _described(inferred)}
    return InferredShapes(values, **_opinions(child.stdout))


def _opinions(output: bytes) -> dict[str, str | None]:
    """What the child wrote first: what is said against the model."""
    header, end, _ = output.partition(b"\n")
    opinions: dict[str, str | None] = json.loads(header) if end else {}
    return opinions


def _light(model: Any, input_shapes: Mapping[str, PartialShape]) -> Any:
    """The model without large weights; with ``input_shapes`` also without the declared shapes of outputs of nodes."""
    from onnx import ModelProto, TensorProto, helper

    light = ModelProto(opset_import=model.opset_import, functions=model.functions)
    if model.HasField("ir_version"):
        light.ir_version = model.ir_version
    whole, graph = model.graph, light.graph
    graph.name = whole.name
    for field in ("node", "input", "output", "value_info"):
        getattr(graph, field).extend(getattr(whole, field))
    names = {item.name for item in graph.input}
    for tensor in whole.initializer:
        # Not by its bytes: to count them is to write them all.
        if prod(tensor.dims) <= _MOST_ELEMENTS and tensor.data_location != TensorProto.EXTERNAL:
            graph.initializer.append(tensor)
        elif tensor.name not in names:
            graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    if input_shapes:
        for inner in graphs(light):
            if not inner.is_function:
                inner.proto.ClearField("value_info")
                for item in inner.proto.output:
                    item.type.tensor_type.ClearField("shape")
    for item in graph.input:
        if (shape := input_shapes.get(item.name)) is not None:
            dims = shape.dims and [dim.min if dim.is_static else dim.symbol or None for dim in shape.dims]
            item.type.CopyFrom(helper.make_tensor_type_proto(item.type.tensor_type.elem_type, dims))
    return light


def _described(model: Any) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """The paths of graphs, and the values that they declare but for their inputs."""
    for graph in graphs(model):
        if not graph.is_function:
            yield graph.path, [*graph.proto.value_info, *graph.proto.output]


def _objection(check: Callable[[], object]) -> str | None:
    """What ``check`` raises, on one line."""
    try:
        check()
    except Exception as error:  # of onnx: several classes without a common one
        return " ".join(str(error).split())[:_LONGEST] or type(error).__name__
    return None


def child() -> None:
    """Read a model from standard input; write what is said against it, and the model with the inferred shapes."""
    from onnx import checker, shape_inference

    model = parse(sys.stdin.buffer.read())
    opinions = {
        "invalid": _objection(lambda: checker.check_model(model)),
        "misfit": _objection(lambda: shape_inference.infer_shapes(model, check_type=True, strict_mode=True)),
    }
    sys.stdout.buffer.write(json.dumps(opinions).encode() + b"\n")
    sys.stdout.buffer.flush()
    inputs = [item for graph in graphs(model) if not graph.is_function for item in graph.proto.input]
    items = [*inputs, *(item for _, items in _described(model) for item in items)]
    symbols = {dim.dim_param for item in items for dim in item.type.tensor_type.shape.dim}
    inferred = shape_inference.infer_shapes(model, check_type=False, strict_mode=False, data_prop=True)
    for _, items in _described(inferred):
        for dim in (dim for item in items for dim in item.type.tensor_type.shape.dim):
            if dim.dim_param not in symbols:  # onnx adds some (``unk__0``)
                dim.ClearField("dim_param")
    sys.stdout.buffer.write(inferred.SerializeToString())
