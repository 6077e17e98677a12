"""The forward pass through the nodes of an ONNX model: each becomes the layers of IR that OpenVINO makes of it
(``conversion``), and what follows is combined with what onnx infers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ovgather.errors import ArgumentError
from ovgather.forward.sources import with_symbols, without_hidden_symbols
from ovgather.layers import conversion
from ovgather.layers.conversion.call import ABSENT, NodeCall, scalar
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Value,
    Values,
    names_read,
    node_name,
    ordered_places,
)
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import array_or_none
from ovgather.ops import onnx
from ovgather.ops.declaration import Refused
from ovgather.targets.onnx_operations import AI_ONNX, conversion_of
from ovgather.tensor.interval import Items
from ovgather.tensor.onnx_types import OPENVINO, name_of
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS, UNKNOWN_TENSOR, Basis, Tensor

FAMILY = frozenset(operation.type for operation in onnx.OPERATIONS)


class NodeRefusal(NamedTuple):
    """OpenVINO refuses a node; ``basis``: what the facts of its inputs rest on."""

    node: LayerReference
    error: Refused
    basis: Basis


class Unconverted(NamedTuple):
    """A node that OpenVINO has no conversion for; ``operation``: its domain and its type."""

    where: LayerReference
    operation: tuple[str, str]


class Emptied(NamedTuple):
    """A node that reads a constant without elements, which OpenVINO takes for the number 0."""

    where: LayerReference
    constant: str


class OnnxForward:
    """What OpenVINO makes of the nodes that lead to an output of the model.

    Attributes:
        refusals: the nodes that it refuses, in the order of the file.
        unconverted: the nodes that it has no conversion for.
        unchecked: how many nodes there are of each type that is not followed.
        emptied: the nodes that read constants without elements as numbers.
        open_ranks: the nodes whose output has a rank that is not known before the model runs.
        lost_ranks: those of them whose inputs have known ranks.
    """

    def __init__(self) -> None:
        self.refusals: list[NodeRefusal] = []
        self.unconverted: list[Unconverted] = []
        self.unchecked: Counter[str] = Counter()
        self.emptied: list[Emptied] = []
        self.open_ranks: list[LayerReference] = []
        self.lost_ranks: list[LayerReference] = []


def is_family(node: Any) -> bool:
    """Whether a ``NodeProto`` is a Gather, GatherElements or GatherND of the domain ``ai.onnx``."""
    return node.op_type in FAMILY and node.domain in AI_ONNX


def infer_nodes(model: OnnxModel) -> OnnxForward:
    """Add what follows for the outputs of nodes to the ``inferred`` values of each graph; once for a model."""
    if model not in _FORWARD:
        inner: dict[tuple[int, int], list[tuple[OnnxGraph, Values]]] = {}
        for graph, values in model.scopes:
            inner.setdefault((id(graph.outer), graph.place), []).append((graph, values))
        walk = _Walk(inner, model.beside)
        for graph, values in model.scopes:
            if graph.outer is None:
                walk.follow(graph, values, not graph.is_function)
        _FORWARD[model] = walk.forward
    return _FORWARD[model]


_FORWARD: WeakKeyDictionary[OnnxModel, OnnxForward] = WeakKeyDictionary()


def node_reference(graph: OnnxGraph, place: int, node: Any) -> LayerReference:
    if graph.opset is None:
        version = "ai.onnx"
    else:
        version = f"ai.onnx:{graph.opset}"
    return LayerReference(
        str(place), node_name(node, place), node.op_type, version, graph.path
    )


def needed_nodes(graph: OnnxGraph) -> set[int]:
    """The places of the nodes that lead to an output of their graph: OpenVINO passes over the others."""
    names = {
        item if isinstance(item, str) else item.name for item in graph.proto.output
    }
    needed = set()
    # From the last node to the first: what reads a value is known before it.
    places = ordered_places(graph.proto.node) or range(len(graph.proto.node))
    for place in reversed(places):
        node = graph.proto.node[place]
        if not names.isdisjoint(node.output):
            needed.add(place)
            names.update(names_read(node))
    return needed


def _is_given(graph: OnnxGraph, name: str) -> bool:
    """Whether an input of a graph is what the file declares: one of the model, a number or a condition of a Loop."""
    if graph.outer is None:
        return True
    node = graph.outer.proto.node[graph.place]
    return node.op_type == "Loop" and name in [
        item.name for item in graph.proto.input[:2]
    ]


def _is_empty_constant(values: Values, name: str) -> bool:
    """Whether it is a constant without elements in ``raw_data``, which OpenVINO takes for the number 0."""
    owner, name = values.owner(name)
    holder = None if owner is None else owner.tensor(name)
    for attribute in getattr(holder, "attribute", ()):
        holder = attribute.t
    # A sparse tensor, or a Constant without a value, has no raw data.
    if holder is None or not hasattr(holder, "raw_data"):
        return False
    return 0 in holder.dims and holder.HasField("raw_data")


def _is_converted(node: Any) -> bool:
    conversion = conversion_of(node.domain, node.op_type)
    return conversion is not None and conversion.until is None


class _Walk:
    def __init__(
        self, inner: dict[tuple[int, int], list[tuple[OnnxGraph, Values]]], beside: Any
    ) -> None:
        self.inner = inner
        self.beside = beside
        self.known: dict[tuple[int, str], Tensor] = {}
        self.sliced: dict[tuple[int, str], Sequence[Tensor]] = {}
        self.forward = OnnxForward()

    def follow(self, graph: OnnxGraph, values: Values, is_built: bool) -> None:
        """The nodes of a graph in order; of a call, or an If, the graphs in it first.

        ``is_built``: OpenVINO builds the graph.
        """
        needed = needed_nodes(graph) if is_built else ()
        nodes = graph.proto.node
        for place in ordered_places(nodes) or range(len(nodes)):
            node = nodes[place]
            bodies = self.inner.get((id(graph), place), ())
            for body, body_values in bodies:
                self.follow(body, body_values, place in needed and body.call is None)
                if body.call is not None:
                    for name, output in zip(
                        body.proto.output, node.output, strict=False
                    ):
                        self._keep(values, output, self.tensor(body_values, name))
            outputs = self._outputs(graph, values, node, place, place in needed)
            for name, output in zip(node.output, outputs, strict=False):
                if name:
                    self._keep(values, name, output)

    def _outputs(
        self, graph: OnnxGraph, values: Values, node: Any, place: int, is_needed: bool
    ) -> Sequence[Tensor]:
        """The tensors of the outputs of a node, where it is followed; what OpenVINO makes of it is noted."""
        if is_needed:
            forward = self.forward
        else:
            forward = OnnxForward()
        where = node_reference(graph, place, node)
        if not _is_converted(node):
            forward.unconverted.append(Unconverted(where, (node.domain, node.op_type)))
            return ()
        is_own = node.domain in AI_ONNX
        translate = None
        if is_own and graph.opset is not None:
            translate = conversion.find(node.op_type)
        if translate is None:
            forward.unchecked[node.op_type] += 1
            return ()
        inputs = [self.tensor(values, name) if name else ABSENT for name in node.input]
        basis = max([each.basis for each in inputs], default=Basis.COMPUTED)
        sliced = self.sliced.get((id(values), next(iter(node.input), "")), ())
        empty = [
            place
            for place, name in enumerate(node.input)
            if _is_empty_constant(values, name)
        ]
        results = [
            [self._result(body_values, output.name) for output in body.proto.output]
            for body, body_values in self.inner.get((id(graph), place), ())
            if body.call is None
        ]
        call = NodeCall(node, inputs, graph.opset or 0, sliced, empty, results)
        try:
            outputs = translate(call)
        except conversion.NotFollowed:
            forward.unchecked[node.op_type] += 1
            return ()
        except (Refused, ArgumentError) as error:
            if isinstance(error, Refused):
                refusal = error
            else:
                refusal = Refused("inputs", str(error))
            if isinstance(error, conversion.RefusedForm):
                basis = Basis.COMPUTED
            forward.refusals.append(NodeRefusal(where, refusal.without_frames(), basis))
            return ()
        if call.numbers:
            forward.emptied.append(Emptied(where, node.input[min(call.numbers)]))
        if node.op_type == "Slice" and len(inputs) > 2:
            self.sliced[id(values), node.output[0]] = inputs
        if call.compile_error is not None:
            forward.refusals.append(
                NodeRefusal(where, call.compile_error.without_frames(), basis)
            )
        if call.is_open or any(each.is_open for each in outputs):
            forward.open_ranks.append(where)
            if not any(each.is_open for each in inputs if each is not ABSENT):
                forward.lost_ranks.append(where)
        return outputs

    def _result(self, values: Values, name: str) -> Tensor:
        """What a body gives."""
        tensor = self.tensor(values, name)
        if _is_empty_constant(values, name):
            return scalar(0, tensor.element_type)
        return tensor

    def tensor(self, values: Values, name: str) -> Tensor:
        """What is known of a value; the open lengths of an input have symbols of their own."""
        owner, name = values.owner(name)
        if owner is None:
            return UNKNOWN_TENSOR
        key = id(owner), name
        if key not in self.known:
            value = owner.find(name)
            holder = owner.tensor(name)
            is_input = name not in owner.makers
            if is_input:
                shape = with_symbols(value.shape, name)
            else:
                shape = value.shape
            kind = OPENVINO.get(value.element_type or "")
            is_sure = holder is not None or (is_input and _is_given(owner.graph, name))
            basis = Basis.COMPUTED if is_sure else Basis.UNCHECKED
            type = "dynamic" if kind is None else kind.name
            self.known[key] = Tensor(
                shape, type, self._items(holder), basis, holder is not None
            )
        return self.known[key]

    def _items(self, holder: Any) -> Items | None:
        """The numbers of a small constant."""
        if holder is None or (
            hasattr(holder, "dims") and prod(holder.dims) > MOST_ITEMS
        ):
            return None
        values = array_or_none(holder, self.beside)
        if (
            values is None
            or values.dtype.kind not in "iubf"
            or values.size > MOST_ITEMS
        ):
            return None
        if values.dtype.kind == "f":
            return tuple(map(float, values.reshape(-1)))
        return tuple(map(int, values.reshape(-1)))

    def _keep(self, values: Values, name: str, output: Tensor) -> None:
        old = values.find(name)
        if not output.shape.compatible(old.shape):
            self.known[id(values), name] = output  # OpenVINO reads no declaration
            return
        shape = output.shape & old.shape
        kind = old.element_type or name_of(output.element_type)
        values.inferred[name] = Value(without_hidden_symbols(shape), kind)
        basis = output.basis
        if _adds(old.shape, output.shape):
            basis = max(basis, Basis.PORT)
        self.known[id(values), name] = Tensor(
            shape, output.element_type, output.value, basis, output.is_constant
        )


def _adds(declared: PartialShape, computed: PartialShape) -> bool:
    """Whether the file or onnx says more of the lengths than is computed."""
    both = computed & declared
    if both.dims is None or computed.dims is None:
        return both.rank != computed.rank
    return any(
        (one.min, one.max) != (other.min, other.max)
        for one, other in zip(both, computed, strict=True)
    )
