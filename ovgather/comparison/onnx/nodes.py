"""The Gather nodes of an ONNX file, as ``Check`` runs them: alone, and in the whole model."""

from collections.abc import Container, Mapping, Sequence
from functools import partial
from math import inf, prod
from typing import NamedTuple

from ovgather.comparison.alone.run import TrialRun, chosen_shapes, random_pair
from ovgather.comparison.check import Layers
from ovgather.comparison.in_model.run import ModelRun, Tapped, planned, tensor_bytes
from ovgather.comparison.in_model.tap import Feed
from ovgather.comparison.onnx.inputs import chosen_inputs, wanted_inputs
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import ALONE
from ovgather.errors import OvgatherError
from ovgather.layers.arguments import arguments_of
from ovgather.layers.onnx_node import (
    ConstantError,
    GatherNode,
    gather_nodes,
    missing_operation,
)
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import OnnxGraph, Values
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops.onnx import first_and_last_opset
from ovgather.ops.sampling.values import generator
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import OnnxTap, folder_of, one_node, request, tapped
from ovgather.runtimes.outcome import Evidence, Outcome, Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import named
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype

RUNTIMES = ("onnxruntime", "onnx-reference")
_LEAVE_SINCE = {"If": 11, "Loop": 1, "Scan": 9}
"""The opsets from which on values can leave a body: before, branches give equal shapes, and a Scan has batches."""
_OPSET = 17
"""What runtimes of several years know; an older one where the version of the operation needs it."""
_ELEMENTS = 1 << 20
_MOST = 1 << 28
"""Elements of data from which on random ones are cut down, and bytes beyond which a node does not run alone."""


class NodeTrial(NamedTuple):
    """A node on given values; the like of ``Trial``."""

    node: GatherNode
    data: Array
    indices: Array
    placement: None = None

    def frame(self) -> wire.Frame:
        """The node for a worker, between inputs ``data`` and ``indices``, whose dims are open, and ``output``."""
        from onnx import helper

        assert self.node.operation is not None
        first, last = first_and_last_opset(self.node.operation)
        opset = max(first, min(_OPSET, last or _OPSET))
        feeds = {"data": self.data, "indices": self.indices}
        node = helper.make_node(
            self.node.operation.type, list(feeds), ["output"], name="node"
        )
        node.attribute.extend(self.node.proto.attribute)
        return request(one_node(node, feeds, opset), None, feeds, ["output"])

    def evidence(self, got: "Array | None" = None) -> Evidence:
        node = self.node
        assert node.operation is not None
        return Evidence(
            node.operation,
            self.data,
            self.indices,
            node.axis or 0,
            node.batch_dims,
            got,
        )

    def __str__(self) -> str:
        node = self.node
        both = (("data", self.data), ("indices", self.indices))
        shapes = [
            f"{name} {name_of_dtype(each.dtype)}[{','.join(map(str, each.shape))}]"
            for name, each in both
        ]
        axis = ""
        if node.axis is not None:
            axis = f", axis {node.axis}"
        batch_dims = ""
        if node.batch_dims:
            batch_dims = f", batch_dims {node.batch_dims}"
        return f"{node.title}: {', '.join(shapes)}{axis}{batch_dims}"


def require_runnable(node: GatherNode) -> None:
    """See that the node says all that must be known. Raises Skip."""
    if node.operation is None:
        raise Skip(missing_operation(node))
    if any(attribute.ref_attr_name for attribute in node.proto.attribute):
        raise Skip("the caller of the function gives its attributes")
    if len(node.proto.input) != 2 or not node.proto.output:
        raise Skip(
            f"it has {len(node.proto.input)} inputs and {len(node.proto.output)} outputs, not 2 and 1"
        )
    if node.errors:
        raise Skip(f"the node is not valid: {node.errors[0]}")


def plan_alone(node: GatherNode, options: CrosscheckOptions) -> TrialRun:
    """The node on its own, on given arrays, or on constants and random values."""
    require_runnable(node)
    arrays = options.layer_inputs
    seed = options.seed
    run = partial(TrialRun, options=options, against=options.against[0])
    if arrays is None:
        for index in range(len(node.inputs)):
            node.values(index)  # ConstantError if a constant cannot be read
    shape = node.shapes[0]
    kind = node.element_types[0]
    size = 0
    if shape.is_static:
        size = prod(dim.min for dim in shape)
    if arrays is None and size > _ELEMENTS:
        if node.values(1) is None and not str(node.inputs[0].element_type).startswith(
            "complex"
        ):
            _cut(node, seed)  # no shapes may fit
            return run(partial(_cut, node, seed), note="on data that are cut down")
        if size * (16 if kind is None else max(1, kind.bits // 8)) > _MOST:
            raise Skip(f"its data have {size} elements, which are many for a lone node")

    def make() -> NodeTrial:
        data, indices = arguments_of(node, dict(arrays or {}), node.axis or 0, seed)
        return NodeTrial(node, data.array, indices.array)

    try:
        trial = make()
    except OvgatherError as error:
        if arrays is not None:
            raise
        raise Skip(str(error)) from error
    return run(trial if trial.data.nbytes + trial.indices.nbytes < _ELEMENTS else make)


def _cut(node: GatherNode, seed: int) -> NodeTrial:
    """Random values, the same each time, with as many elements as show all."""
    rng = generator(seed, *node.seed_path)
    types = [
        kind or named(name)
        for kind, name in zip(node.element_types, ("f32", "i64"), strict=True)
    ]
    return NodeTrial(
        node, *random_pair(node, types, chosen_shapes(node, node.shapes, rng), rng)
    )


class OnnxRun(ModelRun):
    def request(self) -> wire.Frame:
        text, outputs = tapped(self.model, self.points, self.pruned)
        feeds = {
            want.key: array
            for want, array in zip(self.wanted, self.rounds[0], strict=True)
        }
        return request(text, folder_of(self.model), feeds, outputs)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        for point, tensor in zip(self.points, header.get("outputs", ()), strict=False):
            if point.is_looped and self.against == RUNTIMES[1]:
                tensor["problem"] = (
                    "the ONNX reference makes no new dim for what the iterations of a Loop give"
                )
        return super().answered(header, blobs)


def plan_in_model(
    whole: OnnxRun, nodes: Mapping[int, GatherNode]
) -> tuple[list[OnnxRun], dict[int, Outcome]]:
    """The runs of the whole model, and by position the nodes that cannot be judged there."""
    places = {want.key: want.position for want in whole.wanted}
    initializers = {tensor.name for tensor in whole.model.proto.graph.initializer}
    main = whole.model.scopes[0][1]
    sizes: dict[OnnxTap, int] = {}

    def feed(node: GatherNode, index: int, name: str) -> Feed:
        owner = node.graph_values.owner(name)[0] or main
        if owner is main and name in places:
            return places[name]
        # The file's own values: what a runtime makes of a constant is part of what is checked.
        array = node.values(index)
        if array is None and name in initializers:
            raise Skip(f"the constant {name!r} cannot be read")
        if array is None:
            return tap(owner, name)
        return array

    def tap(values: Values, name: str, type_name: str | None = None) -> OnnxTap:
        value = values.find(name)
        point = _tap(values.graph, str(name), value.element_type or type_name or "")
        kind = OPENVINO.get(value.element_type or "")
        sizes[point] = tensor_bytes(
            value.shape, kind.bits if kind is not None else 128, point.depth
        )
        return point

    def tapped_node(position: int, node: GatherNode) -> Tapped:
        require_runnable(node)
        output = tap(node.graph_values, node.proto.output[0], node.type_names[0])
        try:
            feeds = [
                feed(node, index, name) for index, name in enumerate(node.proto.input)
            ]
        except ConstantError as error:
            raise Skip(str(error), "error") from error
        return Tapped(position, node, feeds, output)

    return planned(whole, nodes, tapped_node, sizes.__getitem__)


def _tap(graph: OnnxGraph, name: str, type_name: str) -> OnnxTap:
    """The tap of a value of ``graph``. Raises Skip where it cannot leave the bodies that it is in."""
    tap = OnnxTap(name, type_name=type_name)
    while graph.outer is not None and not graph.is_function:
        node = graph.outer.proto.node[graph.place]
        if node.domain not in ("", "ai.onnx") or (graph.opset or 0) < _LEAVE_SINCE.get(
            node.op_type, inf
        ):
            path = "/".join(graph.path)
            kind = node.op_type
            raise Skip(
                f"inside the graph {path!r}: no values can leave the body of {kind} in opset {graph.opset}"
            )
        if node.op_type == "If" and not type_name:
            raise Skip(
                f"the type of {name!r} is not known, and the other branch must give the same"
            )
        around = next(filter(None, node.output), "")
        is_looped = tap.is_looped or node.op_type == "Loop"
        tap = tap._replace(
            path=((graph.place, graph.path[-1]), *tap.path),
            around=around,
            is_looped=is_looped,
        )
        graph = graph.outer
    if graph.is_function:
        raise Skip("inside a function, whose values cannot be tapped")
    return tap


class OnnxNodes(Layers):
    def __init__(
        self,
        model: OnnxModel,
        options: CrosscheckOptions,
        only: Container[LayerReference] | None = None,
    ) -> None:
        self.model = model
        self.options = options
        nodes = gather_nodes(model, options.layer)
        self.nodes = [node for node in nodes if only is None or node.reference in only]
        self.path = model.path
        self.references = [node.reference for node in self.nodes]
        self.variants: list[str] = []
        self.whole_in = options.against

    def alone(self, position: int) -> dict[str, list[TrialRun]]:
        try:
            return {ALONE: [plan_alone(self.nodes[position], self.options)]}
        except ConstantError as error:
            raise Skip(str(error), "error") from error

    def in_model(self) -> tuple[Sequence[OnnxRun], dict[int, Outcome]]:
        nodes = dict(enumerate(self.nodes))
        try:
            wanted = wanted_inputs(self.model)
            rounds = [chosen_inputs(self.model, wanted, self.options)]
            whole = OnnxRun(
                self.model,
                [],
                [],
                wanted,
                rounds,
                self.options,
                self.options.against[0],
            )
            return plan_in_model(whole, nodes)
        except Skip as skip:
            return [], dict.fromkeys(nodes, skip.outcome)
