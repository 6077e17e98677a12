"""A node on its own: a model of that node alone, on the constants of the file or random values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.verdict.judge import judge, judge_error
from ovgather.errors import OvgatherError
from ovgather.layers.arguments import arguments_of
from ovgather.layers.onnx_node import ConstantError, missing_operation
from ovgather.ops.onnx import first_and_last_opset
from ovgather.ops.sampling.shapes import choose
from ovgather.ops.sampling.values import generator, random_data, random_indices
from ovgather.runtimes import wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.onnx_model import refusal, request
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.request import Skip, with_notes
from ovgather.runtimes.tensors_on_wire import onnx_from_wire
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.tensor.arrays import Array

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


class NodeRun(NamedTuple):
    """A node by itself, with what makes its ``data`` and ``indices``; see ``check.Run``."""

    node: GatherNode
    source: Callable[[], Pair]
    against: str
    note: str = ""

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        data, indices = self.source()
        return request(_model(self.node, data, indices), None, {"data": data, "indices": indices}, ["output"])

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        """See ``pool.Case``."""
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
                outcome = judge(evidence, against=self.against, version=header["version"])
        return [outcome if outcome.verdict in ("equal", "skipped") else self._noted(outcome)]

    def failed(self, failure: Failure) -> list[Outcome]:
        """The outcome when there is no answer."""
        return [self._noted(failure.outcome)]

    def in_runtime(self, name: str) -> NodeRun:
        """The same in another runtime."""
        return self._replace(against=name)

    def warm_up(self) -> NodeRun:
        """The run itself: nothing of it is left in the next one."""
        return self

    def _noted(self, outcome: Outcome) -> Outcome:
        return with_notes(outcome, _described(self.node, *self.source()), self.note)


def require_runnable(node: GatherNode) -> None:
    """See that the node says all that must be known.

    Raises:
        Skip: it does not, or it is wrong.
    """
    if node.operation is None:
        raise Skip(missing_operation(node))
    if any(attribute.ref_attr_name for attribute in node.proto.attribute):
        raise Skip("the caller of the function gives its attributes")
    if len(node.proto.input) != 2 or not node.proto.output:
        raise Skip(f"it has {len(node.proto.input)} inputs and {len(node.proto.output)} outputs, not 2 and 1")
    if node.errors:
        raise Skip(f"the node is not valid: {node.errors[0]}")


def plan_alone(node: GatherNode, options: CrosscheckOptions) -> NodeRun:
    """The node on its own, on given arrays, or on constants and random values.

    Raises:
        Skip: it cannot run.
        InvalidModelError: the given arrays do not fit it.
        ConstantError: a constant that it is fed cannot be used.
    """
    require_runnable(node)
    given, seed, against = options.layer_inputs, options.seed, options.against[0]
    if given is None:
        node.require_constants()
    data = node.shapes[0].dims
    known = data is not None and all(dim.is_static for dim in data)
    size = prod(dim.min for dim in data) if known and data is not None else 0
    if given is None and size > _ELEMENTS:
        if node.values(1) is None and not str(node.inputs[0].element_type).startswith("complex"):
            _cut(node, seed)  # no shapes may fit
            return NodeRun(node, lambda: _cut(node, seed), against, "on data that are cut down")
        if size * _width(node) > _MOST:
            raise Skip(f"its data have {size} elements, which are many for a lone node")
    try:
        pair = _arguments(node, given, seed)
    except OvgatherError as error:
        if given is not None or isinstance(error, ConstantError):
            raise
        raise Skip(str(error)) from error
    if sum(array.nbytes for array in pair) < _ELEMENTS:
        return NodeRun(node, lambda: pair, against)
    return NodeRun(node, lambda: _arguments(node, given, seed), against)


def _arguments(node: GatherNode, given: Mapping[str, Array] | None, seed: int) -> Pair:
    data, indices = arguments_of(node, dict(given or {}), node.axis or 0, seed)
    return data.array, indices.array


def _width(node: GatherNode) -> int:
    kind = node.element_types[0]
    return 16 if kind is None else max(1, kind.bits // 8)


def _cut(node: GatherNode, seed: int) -> Pair:
    """Random values, the same each time, with as many elements as show all."""
    operation = node.operation
    assert operation is not None
    rng = generator(seed, *node.graph.path, node.reference.name)
    axis = node.axis or 0
    try:
        shapes = choose(operation.type, node.shapes[0], node.shapes[1], axis, node.batch_dims, rng)
    except OvgatherError as error:
        raise Skip(str(error)) from error
    kinds = node.element_types
    data = OPENVINO["float"] if kinds[0] is None else kinds[0]
    indices = OPENVINO["int64"] if kinds[1] is None else kinds[1]
    assert data is not None
    assert indices is not None
    sizes = [max(1, size) for size in operation.index_sizes(shapes.data, shapes.indices, axis, node.batch_dims)]
    return (
        random_data(rng, data, shapes.data),
        random_indices(rng, indices, shapes.indices, sizes, operation.allows_negative_indices),
    )


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
