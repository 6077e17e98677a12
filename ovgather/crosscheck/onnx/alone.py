"""A node on its own: a model of that node alone, on the constants of the file or random values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ovgather.crosscheck.alone.plan import chosen_shapes, random_pair
from ovgather.crosscheck.confirm import Run
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.tolerance import Tolerance
from ovgather.crosscheck.verdict.judge import judge, judge_error
from ovgather.errors import OvgatherError
from ovgather.layers.arguments import arguments_of
from ovgather.layers.onnx_node import ConstantError, GatherNode, missing_operation
from ovgather.ops.onnx import first_and_last_opset
from ovgather.ops.sampling.values import generator
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import refusal, request
from ovgather.runtimes.outcome import Evidence, Outcome, Skip, with_notes
from ovgather.runtimes.wire import onnx_from_wire
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import named
from ovgather.tensor.onnx_types import name_of_dtype

IR_VERSION = 8
_OPSET = 17
"""What runtimes of several years know; an older one where the version of the operation needs it."""
_ELEMENTS = 1 << 20
_MOST = 1 << 28
"""Elements of data from which on random ones are cut down, and bytes beyond which a node does not run alone."""

Pair = tuple["Array", "Array"]


def evidence_of(node: GatherNode, data: Array, indices: Array, got: Array) -> Evidence:
    """One run of a node."""
    assert node.operation is not None
    return Evidence(node.operation, data, indices, node.axis or 0, node.batch_dims, got)


@dataclass
class NodeRun(Run):
    """A node by itself, with what makes its ``data`` and ``indices``."""

    layers = (None,)
    node: GatherNode
    source: Callable[[], Pair]
    against: str
    note: str = ""
    tolerance: Tolerance | None = None

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        data, indices = self.source()
        return request(_model(self.node, data, indices), None, {"data": data, "indices": indices}, ["output"])

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        data, indices = self.source()
        evidence = evidence_of(self.node, data, indices, data)
        outcome = refusal(header, self.against)
        if outcome is not None and outcome.verdict == "error":
            outcome = judge_error(evidence, outcome, self.against)
        elif outcome is None:
            try:
                evidence = evidence._replace(got=onnx_from_wire(header["outputs"][0], blobs[0]))
            except ValueError as error:
                outcome = Outcome("error", f"{header['title']}: {error}", cause="error")
            else:
                outcome = judge(evidence, against=self.against, version=header["version"], tolerance=self.tolerance)
        return [self.noted(outcome)]

    def in_runtime(self, name: str) -> NodeRun:
        return replace(self, against=name)

    def noted(self, outcome: Outcome) -> Outcome:
        if outcome.verdict in ("equal", "skipped"):
            return outcome
        return with_notes(outcome, _described(self.node, *self.source()), self.note)


def require_runnable(node: GatherNode) -> None:
    """See that the node says all that must be known. Raises Skip."""
    if node.operation is None:
        raise Skip(missing_operation(node))
    if any(attribute.ref_attr_name for attribute in node.proto.attribute):
        raise Skip("the caller of the function gives its attributes")
    if len(node.proto.input) != 2 or not node.proto.output:
        raise Skip(f"it has {len(node.proto.input)} inputs and {len(node.proto.output)} outputs, not 2 and 1")
    if node.errors:
        raise Skip(f"the node is not valid: {node.errors[0]}")


def plan_alone(node: GatherNode, options: CrosscheckOptions) -> NodeRun:
    """The node on its own, on given arrays, or on constants and random values."""
    require_runnable(node)
    arrays, seed, against = options.layer_inputs, options.seed, options.against[0]
    if arrays is None:
        node.require_constants()
    shape, kind = node.shapes[0], node.element_types[0]
    size = prod(dim.min for dim in shape) if shape.is_static else 0
    if arrays is None and size > _ELEMENTS:
        if node.values(1) is None and not str(node.inputs[0].element_type).startswith("complex"):
            _cut(node, seed)  # no shapes may fit
            return NodeRun(node, lambda: _cut(node, seed), against, "on data that are cut down", options.tolerance)
        if size * (16 if kind is None else max(1, kind.bits // 8)) > _MOST:
            raise Skip(f"its data have {size} elements, which are many for a lone node")

    def arguments() -> Pair:
        data, indices = arguments_of(node, dict(arrays or {}), node.axis or 0, seed)
        return data.array, indices.array

    try:
        pair = arguments()
    except OvgatherError as error:
        if arrays is not None or isinstance(error, ConstantError):
            raise
        raise Skip(str(error)) from error
    small = sum(array.nbytes for array in pair) < _ELEMENTS
    return NodeRun(node, (lambda: pair) if small else arguments, against, tolerance=options.tolerance)


def _cut(node: GatherNode, seed: int) -> Pair:
    """Random values, the same each time, with as many elements as show all."""
    rng = generator(seed, *node.graph.path, node.reference.name)
    types = [kind or named(name) for kind, name in zip(node.element_types, ("f32", "i64"), strict=True)]
    return random_pair(node, types, chosen_shapes(node, node.shapes, rng), rng)


def _model(node: GatherNode, data: Array, indices: Array) -> bytes:
    """The node between inputs ``data`` and ``indices``, whose dims are open, and ``output``."""
    from onnx import TensorProto, helper

    assert node.operation is not None
    first, last = first_and_last_opset(node.operation)
    opset = max(first, min(_OPSET, last or _OPSET))
    alone = helper.make_node(node.operation.type, ["data", "indices"], ["output"], name="node")
    alone.attribute.extend(node.proto.attribute)
    inputs: list[Any] = []
    for name, array in (("data", data), ("indices", indices)):
        kind = TensorProto.DataType.Value(name_of_dtype(array.dtype).upper())
        inputs.append(helper.make_tensor_value_info(name, kind, [None] * array.ndim))
    output = helper.make_tensor_value_info("output", inputs[0].type.tensor_type.elem_type, None)
    graph = helper.make_graph([alone], "one_node", inputs, [output])
    opsets = [helper.make_opsetid("", opset)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString())


def _described(node: GatherNode, data: Array, indices: Array) -> str:
    both = (("data", data), ("indices", indices))
    shapes = ", ".join(f"{name} {name_of_dtype(each.dtype)}[{','.join(map(str, each.shape))}]" for name, each in both)
    axis = f", axis {node.axis}" if node.axis is not None else ""
    return f"{node.title}: {shapes}{axis}" + (f", batch_dims {node.batch_dims}" if node.batch_dims else "")
