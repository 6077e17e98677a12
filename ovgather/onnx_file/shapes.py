"""The shapes between nodes, by onnx's shape inference, in a child process: some models make it crash."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from ovgather import processes as children
from ovgather.onnx_file.graphs import graphs
from ovgather.onnx_file.values import Value, type_name
from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape

_SECONDS = 300
_START = "from ovgather.onnx_file.shapes import child; child()"
_KEPT = 1024
"""Elements of a tensor beyond which its values say nothing of shapes."""


class Shapes(NamedTuple):
    """Inferred values by the path of the graph and the name; ``problem`` is the reason if there are none."""

    values: dict[tuple[str, ...], dict[str, Value]]
    problem: str | None = None


def infer_shapes(model: Any, given: Mapping[str, PartialShape]) -> Shapes:
    """The result of onnx's inference for a ``ModelProto`` with the input shapes ``given``."""
    command = children.command(_START)
    try:
        data = _light(model, given).SerializeToString()
    except ValueError as error:
        return Shapes({}, f"onnx's shape inference cannot be given the model: {error}")
    try:
        child = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Shapes({}, f"onnx's shape inference takes more than {_SECONDS} s")
    if child.returncode < 0:
        return Shapes({}, f"onnx's shape inference crashes (signal {-child.returncode})")
    if child.returncode:
        said = child.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason is given"]
        return Shapes({}, f"onnx's shape inference fails: {said[-1]}")
    found: dict[tuple[str, ...], dict[str, Value]] = {}
    for path, values in json.loads(child.stdout):
        found[tuple(path)] = {name: Value(_shape(dims), type_name(number)) for name, number, dims in values}
    return Shapes(found)


def _light(model: Any, given: Mapping[str, PartialShape]) -> Any:
    """The model without its weights, which tell nothing of shapes but how long they are.

    Where shapes are ``given``, those that the file tells of what nodes make are left out, for they are of others.
    """
    from onnx import ModelProto, TensorProto, helper

    made = ModelProto(ir_version=model.ir_version, opset_import=model.opset_import, functions=model.functions)
    whole, graph = model.graph, made.graph
    graph.name = whole.name
    for field in ("node", "input", "output", "value_info"):
        getattr(graph, field).extend(getattr(whole, field))
    names = {item.name for item in graph.input}
    for tensor in whole.initializer:
        # Not by its bytes: to count them is to write them all.
        if prod(tensor.dims) <= _KEPT and tensor.data_location != TensorProto.EXTERNAL:
            graph.initializer.append(tensor)
        elif tensor.name not in names:
            graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    if given:
        for inner in graphs(made):
            if not inner.is_function:
                inner.proto.ClearField("value_info")
                for item in inner.proto.output:
                    item.type.tensor_type.ClearField("shape")
    for item in graph.input:
        if item.name in given:
            _set_shape(item.type.tensor_type, given[item.name])
    return made


def _set_shape(tensor: Any, shape: PartialShape) -> None:
    tensor.ClearField("shape")
    if shape.dims is not None:
        tensor.shape.SetInParent()
        for dim in shape:
            written = tensor.shape.dim.add()
            if dim.is_static:
                written.dim_value = dim.min
            elif dim.symbol:
                written.dim_param = dim.symbol


def _shape(dims: list[int | str | None] | None) -> PartialShape:
    if dims is None:
        return DYNAMIC_RANK
    return PartialShape(tuple([_dim(dim) for dim in dims]))


def _dim(dim: int | str | None) -> Dimension:
    return Dimension.of(dim) if isinstance(dim, int) else Dimension(0, None, symbol=dim or None)


def child() -> None:
    """Read a model from standard input, and write the inferred shapes to standard output as JSON."""
    from onnx import shape_inference

    from ovgather.onnx_file.source import parse

    model = parse(sys.stdin.buffer.read())
    given = set()
    for graph in graphs(model):
        if graph.is_function:
            continue
        for item in (*graph.proto.input, *graph.proto.value_info, *graph.proto.output):
            given |= {dim.dim_param for dim in item.type.tensor_type.shape.dim}
    made = shape_inference.infer_shapes(model, check_type=False, strict_mode=False, data_prop=True)
    found = []
    for graph in graphs(made):
        if not graph.is_function:
            values = [_written(item, given) for item in (*graph.proto.value_info, *graph.proto.output)]
            found.append((graph.path, [item for item in values if item is not None]))
    json.dump(found, sys.stdout)


def _written(item: Any, given: set[str]) -> tuple[str, int, list[int | str | None] | None] | None:
    """A value for JSON, without the symbols that onnx adds (``unk__0``)."""
    if not item.type.HasField("tensor_type"):
        return None
    tensor = item.type.tensor_type
    if not tensor.HasField("shape"):
        return item.name, tensor.elem_type, None
    dims: list[int | str | None] = []
    for dim in tensor.shape.dim:
        known = dim.HasField("dim_value") and dim.dim_value >= 0
        dims.append(int(dim.dim_value) if known else dim.dim_param if dim.dim_param in given else None)
    return item.name, tensor.elem_type, dims
