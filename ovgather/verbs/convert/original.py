"""The layer of IR that an ONNX model was made from: written down in its metadata, and given back if nothing changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ovgather.errors import OvgatherError
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.ir.writer import Tensor, Writer
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.onnx_node import GatherNode
from ovgather.onnx_file.graphs import Values
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import array_or_none
from ovgather.ops.api_infer import infer_shape
from ovgather.tensor.element_type import named
from ovgather.tensor.onnx_types import OPENVINO
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert.layers import Flow, Layers
from ovgather.verbs.convert.names import Names

Convert: TypeAlias = Callable[[Model, GatherLayer, bool], bytes]
KEY = "ovgather.layer"
"""Of the entry in ``ModelProto.metadata_props``."""


def described(gather: GatherLayer, names: Sequence[str], guard: bool) -> str:
    """What ONNX does not hold of a layer; ``names``: those of its data and indices in the ONNX model."""
    feeds = [[name, str(shape)] for name, shape in zip(names, gather.shapes, strict=False)]
    version = gather.layer.version or gather.operation.opsets[-1]
    about: dict[str, Any] = {"type": gather.operation.type, "version": version, "data": dict(gather.layer.data)}
    axis = gather.constant(2) if gather.operation.takes_axis else None
    if axis is not None:
        source = gather.layer.producer(2)
        values = axis.array()
        assert source is not None
        if values is not None:
            name, kind = source[0].name, axis.element_type.name
            about["axis"] = [name, kind, list(axis.shape), int(values.reshape(-1)[0])]
    about["names"] = list(gather.model.tensor_names(gather.layer)) if gather.layer.outputs else []
    return json.dumps({**about, "inputs": feeds, "guard": bool(guard)})


def restored(model: OnnxModel, node: GatherNode, convert: Convert) -> tuple[Writer, list[str]] | None:
    """The IR of the layer that ``node`` was made from, and its inputs in words; None if there is none to be had.

    ``convert`` makes the ONNX file of a layer, with or without a guard. The layer counts only if its conversion gives
    this very graph again: metadata outlive changes of a graph.
    """
    text = next((item.value for item in model.proto.metadata_props if item.key == KEY), None)
    if text is None or node.graph.path:
        return None
    try:
        writer, inputs = _written(json.loads(text), node.reference.name, node.graph_values, model)
        ir = read(writer.text, writer.weights)
        [gather] = gather_layers(ir)
        again = type(model.proto).FromString(convert(ir, gather, json.loads(text)["guard"])).graph
        return (writer, inputs) if _is_same(again, model.proto.graph) else None
    except (OvgatherError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
        return None  # the text is anybody's


def _is_same(again: Any, graph: Any) -> bool:
    """Whether two graphs have the same nodes, constants and names of outputs; the shapes of inputs may differ."""

    def parts(of: Any) -> object:
        return list(of.node), [item.name for item in of.output], {item.name: item for item in of.initializer}

    return parts(again) == parts(graph)


def _written(about: dict[str, Any], name: str, values: Values, model: OnnxModel) -> tuple[Writer, list[str]]:
    writer, inputs, feeds = Writer(name), [], []
    layers = Layers(writer, Names(name))
    for argument, (value, text) in zip(("data", "indices"), about["inputs"], strict=True):
        known = values.find(value)
        kind, shape = named(str(OPENVINO[known.element_type or ""])), known.shape & PartialShape.parse(text)
        constant = array_or_none(values.tensors[value], model.beside) if value in values.tensors else None
        flow = layers.source(value, kind, shape, constant, value.replace(",", "\\,"))
        feeds.append(flow)
        what = "Parameter" if constant is None else "Const"
        inputs.append(f"{argument}: {what} {value!r} {kind} {flow.tensor.shape}")
    if "axis" in about:
        axis_name, kind_name, dims, axis = about["axis"]
        tensor = Tensor(named(kind_name), PartialShape.of(dims))
        size = tensor.element_type.bits // 8
        feeds.append(Flow(writer.const(axis_name, tensor, (axis % (1 << 8 * size)).to_bytes(size, "little")), tensor))
    data = about["data"]
    attributes: dict[str, Any] = {key: int(data[key]) for key in ("axis", "batch_dims") if key in data}
    if "axis" in about:
        attributes["axis"] = about["axis"][3]
    elif about["type"] == "GatherElements":
        attributes.setdefault("axis", 0)
    shape = infer_shape(about["type"], [flow.tensor.shape for flow in feeds], version=about["version"], **attributes)
    output = Tensor(feeds[0].tensor.element_type, shape)
    names = ",".join(each.replace(",", "\\,") for each in about["names"])
    source = writer.layer(name, about["type"], about["version"], data, feeds, output, names)
    writer.result(f"{name}/result", source, output)
    return writer, inputs
