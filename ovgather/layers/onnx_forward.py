"""The forward pass through the nodes of an ONNX model: each becomes the layers of IR that OpenVINO makes of it
(``conversion``), and what follows is combined with what onnx infers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import compress
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ovgather.errors import ArgumentError
from ovgather.forward.bodies.body import Unfollowed
from ovgather.forward.records import VERDICTS
from ovgather.forward.sources import with_symbols, without_hidden_symbols
from ovgather.layers import conversion
from ovgather.layers.conversion.call import ABSENT, BodyForm, NodeCall
from ovgather.layers.onnx_bodies import NodeSubgraph
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Value,
    Values,
    names_of,
    names_read,
    needed_nodes,
    node_name,
    output_names,
)
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import array_or_none
from ovgather.ops import onnx
from ovgather.ops.declaration import Refused
from ovgather.targets.onnx_operations import AI_ONNX, conversion_of
from ovgather.tensor.interval import Interval, Items
from ovgather.tensor.onnx_types import OPENVINO, name_of
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS, UNKNOWN_TENSOR, Basis, Tensor, Tensors

NOTHING: Mapping[str, Tensor] = MappingProxyType({})
WITH_BODIES = ("If", "Loop", "Scan")
_MOST_ELEMENTS = 1 << 31
SCATTERING = ("Scatter", "ScatterElements", "ScatterND")
FAMILY = frozenset(operation.type for operation in onnx.OPERATIONS)


class NodeRefusal(NamedTuple):
    """OpenVINO refuses a node; ``basis``: what the facts of its inputs rest on."""

    node: LayerReference
    error: Refused
    basis: Basis

    @property
    def verdict(self) -> str:
        """What OpenVINO does with the file; ``undefined`` if it is not certain."""
        if self.basis is Basis.COMPUTED:
            return VERDICTS[self.error.stage]
        return "undefined"


class Unconverted(NamedTuple):
    """A node that OpenVINO has no conversion for; ``operation``: its domain and its type."""

    where: LayerReference
    operation: tuple[str, str]


class Emptied(NamedTuple):
    """A node that reads a constant without elements, which OpenVINO takes for the number 0."""

    where: LayerReference
    constant: str


class KnownIndices(NamedTuple):
    """What a node gathers or scatters by, where OpenVINO computes it from constants.

    Attributes:
        where: the node.
        indices: all of them, of ``shape``.
        axis: the dim of ``data`` that they index; None: each is a tuple for the dims from ``first`` on.
    """

    where: LayerReference
    indices: Items
    shape: tuple[int, ...]
    data: PartialShape
    axis: int | None
    first: int


class OnnxForward:
    """What OpenVINO makes of the nodes that lead to an output of the model.

    Attributes:
        refusals: the nodes that it refuses, in the order of the file.
        unconverted: the nodes that it has no conversion for.
        unchecked: how many nodes there are of each type that is not followed.
        emptied: the nodes that read constants without elements as numbers.
        indices: those that are known, but for constants of nodes that gather.
        open_ranks: the nodes whose output has a rank that is not known before the model runs.
        lost_ranks: those of them whose inputs have known ranks.
        fatal: the nodes whose tensors OpenVINO may not survive, and why: too large, or empty.
    """

    def __init__(self) -> None:
        self.refusals: list[NodeRefusal] = []
        self.unconverted: list[Unconverted] = []
        self.unchecked: Counter[str] = Counter()
        self.emptied: list[Emptied] = []
        self.indices: list[KnownIndices] = []
        self.open_ranks: list[LayerReference] = []
        self.lost_ranks: list[LayerReference] = []
        self.fatal: list[tuple[LayerReference, str]] = []

    def forget_compiling(self) -> None:
        """Forget what counts only where OpenVINO compiles the nodes."""
        self.refusals = [each for each in self.refusals if each.error.stage == "read"]
        self.open_ranks = []
        self.lost_ranks = []
        self.fatal = []

    def add(self, other: OnnxForward) -> None:
        """Add what another pass notes of the nodes of a body; of each node the first refusal counts."""
        known = {refusal.node for refusal in self.refusals}
        self.refusals += [each for each in other.refusals if each.node not in known]
        self.unconverted += other.unconverted
        self.unchecked += other.unchecked
        self.emptied += other.emptied
        self.indices += other.indices
        self.open_ranks += other.open_ranks
        self.lost_ranks += other.lost_ranks
        self.fatal += other.fatal


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


def _is_given(graph: OnnxGraph) -> bool:
    """Whether the inputs of a graph are what the file declares: those of the model, and of what repeats a body."""
    if graph.outer is None:
        return True
    return graph.outer.proto.node[graph.place].op_type in ("Loop", "Scan")


def _is_empty_constant(values: Values, name: str) -> bool:
    """Whether it is a constant without elements in ``raw_data``, which OpenVINO takes for the number 0."""
    owner, name = values.owner(name)
    holder = None if owner is None else owner.tensor(name)
    if holder is not None and hasattr(holder, "ref_attr_name"):
        holder = holder.t
    # A sparse tensor, or a Constant without a value, has no raw data.
    if holder is None or not hasattr(holder, "raw_data"):
        return False
    return 0 in holder.dims and holder.HasField("raw_data")


def _unbuilt(form: BodyForm, inputs: Sequence[Tensor]) -> str:
    """The branch of an If that OpenVINO reads, and does not compile: its condition is known."""
    condition = inputs[0].value if form.type == "if" else None
    if condition is None or len(condition) != 1 or isinstance(condition[0], Interval):
        return ""
    return form.names[1 if condition[0] else 0]


def _is_converted(node: Any) -> bool:
    conversion = conversion_of(node.domain, node.op_type)
    return conversion is not None and conversion.until is None


def _misread(
    graph: OnnxGraph, values: Values, node: Any, outputs: Sequence[Tensor]
) -> Refused | None:
    """Why OpenVINO refuses what reads an output of a node: it does not give it, or has bodies and no rank.

    An output that it does not give and that a node reads becomes an input of the model, as it is declared.
    """
    missing = {name for name in node.output[len(outputs) :] if name and outputs}
    read: set[str] = set()
    if missing:
        read = read.union(*map(names_read, graph.proto.node))
        missing &= read | output_names(graph.proto)
    for name in sorted(missing):
        message = f"OpenVINO gives {len(outputs)} of the {len(node.output)} outputs, and {name!r} is read"
        if name not in read or graph.outer is not None:
            return Refused("outputs", message, "read")
        if values.find(name).shape.rank is None:
            return Refused("outputs", message, "compile")
    is_open = [each.is_open for each in outputs]
    if node.op_type not in WITH_BODIES or not any(is_open):
        return None
    name = min({*compress(node.output, is_open)} & names_of(graph.proto), default="")
    if not name:
        return None
    message = f"the rank of {name!r} is not known, and the CPU plugin takes no such {node.op_type}"
    return Refused("outputs", message, "compile")


def _is_too_large(shape: PartialShape) -> bool:
    return shape.is_static and prod([dim.min for dim in shape]) >= _MOST_ELEMENTS


def _is_empty_beside(call: NodeCall) -> bool:
    """Whether the data of a Gather are empty in another dim than the axis: most such nodes end OpenVINO's process."""
    shape = call.inputs[0].shape
    axis = _number_of(call, "axis")
    if axis is None or not shape.is_static or not -len(shape) <= axis < len(shape):
        return False
    return shape[axis].min > 0 and any(dim.min == 0 for dim in shape)


def _number_of(call: NodeCall, name: str) -> int | None:
    """An attribute whose default is 0; None: it is not known, as one that the caller of a function gives."""
    try:
        return call.integer(name, 0)
    except (conversion.NotFollowed, Refused):
        return None


def _known_indices(call: NodeCall, where: LayerReference) -> Iterator[KnownIndices]:
    data, indices = call.inputs[:2]
    is_said = indices.is_stored and where.type in FAMILY
    if is_said or not indices.is_known or indices.basis is not Basis.COMPUTED:
        return
    rank = data.shape.rank
    is_tuple = where.type in ("GatherND", "ScatterND")
    axis, first = _number_of(call, "axis"), _number_of(call, "batch_dims")
    if axis is None or first is None:
        return
    if rank and (is_tuple or -rank <= axis < rank):
        axis = None if is_tuple else axis
        shape = tuple(dim.min for dim in indices.shape)
        values = indices.value or ()
        yield KnownIndices(where, values, shape, data.shape, axis, first)


def _call_key(
    node: Any, inputs: Sequence[Tensor], opset: int
) -> tuple[Any, ...] | None:
    """What a translation rests on; None where attributes hold tensors or bodies."""
    for attribute in node.attribute:
        if attribute.HasField("g") or attribute.HasField("t"):
            return None
    attributes = [serialized(each) for each in node.attribute]
    return node.op_type, opset, len(node.output), *attributes, *inputs


def _require_tensors(graph: OnnxGraph, call: NodeCall) -> None:
    """Raises Refused where a node takes a sequence for a tensor, or the model gives one."""
    is_given = call.given is not None and call.proto.output[0] in output_names(
        graph.proto
    )
    if is_given and graph.outer is not None:
        raise conversion.NotFollowed("a body that gives a sequence")
    if is_given or call.is_misread:
        call.refuse_form(
            "sequence",
            "OpenVINO follows a sequence to the nodes that take it apart, and no further",
        )


class _Walk:
    def __init__(
        self, inner: dict[tuple[int, int], list[tuple[OnnxGraph, Values]]], beside: Any
    ) -> None:
        self.inner = inner
        self.beside = beside
        self.known: dict[int, dict[str, Tensor]] = {}
        self.sliced: dict[tuple[int, str], Sequence[Tensor]] = {}
        self.elements: dict[tuple[int, str], Sequence[Tensor]] = {}
        self.forward = OnnxForward()
        self.subgraphs: dict[tuple[int, int], NodeSubgraph] = {}
        # Equal nodes of equal inputs are translated once.
        self.calls: dict[Any, tuple[NodeCall, Sequence[Tensor]]] = {}
        self._notes: dict[int, OnnxForward] = {}
        self.tensors = Tensors()

    def follow(
        self,
        graph: OnnxGraph,
        values: Values,
        is_built: bool,
        given: Mapping[str, Tensor] = NOTHING,
    ) -> None:
        """The nodes of a graph in order.

        ``is_built``: OpenVINO builds the graph. ``given`` are the inputs of a body, where they are not what the file
        declares.
        """
        is_first = id(values) not in self.known
        self.known[id(values)] = dict(given)
        nodes = graph.proto.node
        order = values.order or range(len(nodes))
        needed = needed_nodes(graph.proto, order=order) if is_built else ()
        for place in order:
            node = nodes[place]
            noted = self.forward
            if place not in needed:
                self.forward = OnnxForward()
            self._follow_calls(graph, values, node, place)
            outputs = self._outputs(graph, values, node, place)
            self.forward = noted
            for name, output in zip(node.output, outputs, strict=False):
                if name:
                    self._keep(values, name, output, is_first)

    def follow_body(
        self, graph: OnnxGraph, values: Values, given: Mapping[str, Tensor]
    ) -> None:
        """Compute the nodes of a body, and note what is unusual about them: of each the first refusal."""
        noted = self.forward
        self.forward = OnnxForward()
        before = self._notes.get(id(graph), self.forward)
        # What is refused on compile depends on the last shapes alone.
        self.forward.refusals += [
            each for each in before.refusals if each.error.stage == "read"
        ]
        try:
            self.follow(graph, values, True, given)
        finally:
            self._notes[id(graph)] = self.forward
            self.forward = noted

    def _follow_calls(
        self, graph: OnnxGraph, values: Values, node: Any, place: int
    ) -> None:
        """The graphs of a call, or of a node that is not followed itself: OpenVINO builds none of them."""
        for body, body_values in self.inner.get((id(graph), place), ()):
            if body.call is None and node.op_type in WITH_BODIES:
                continue
            noted = self.forward
            self.forward = OnnxForward()
            self.follow(body, body_values, False)
            self.forward = noted
            if body.call is not None:
                for name, output in zip(body.proto.output, node.output, strict=False):
                    self._keep(values, output, self.tensor(body_values, name), True)

    def run_bodies(
        self, graph: OnnxGraph, place: int, form: BodyForm, inputs: Sequence[Tensor]
    ) -> NodeSubgraph:
        """Compute the bodies of a node, and take over what is noted of their nodes."""
        if form.type == "if" and graph.outer is None and not graph.is_function:
            conversion.bodies.require_equal_branches(graph.proto, place)
        key = (id(graph), place)
        inner = [each for each in self.inner.get(key, ()) if each[0].call is None]
        layer = self.subgraphs.get(key)
        if layer is None:
            around = None
            if graph.outer is not None:
                around = self.subgraphs.get((id(graph.outer), graph.place))
            named = {body.path[-1]: (body, values) for body, values in inner}
            bodies = [named[name] for name in form.names]
            layer = NodeSubgraph(form, len(self.subgraphs), bodies, around)
            self.subgraphs[key] = layer
        taken = [
            self.tensors.one(each.shape, each.element_type, each.value, each.basis)
            for each in inputs
        ]
        try:
            layer.infer(self, tuple(taken))
        except Unfollowed:
            raise conversion.NotFollowed("bodies that do not settle") from None
        finally:
            unbuilt = _unbuilt(form, inputs)
            for body, _ in inner:
                notes = self._notes.get(id(body), OnnxForward())
                if body.path[-1] == unbuilt:
                    notes.forget_compiling()
                self.forward.add(notes)
        return layer

    def _outputs(
        self, graph: OnnxGraph, values: Values, node: Any, place: int
    ) -> Sequence[Tensor]:
        """The tensors of the outputs of a node, where it is followed; what OpenVINO makes of it is noted."""
        forward = self.forward
        where = partial(node_reference, graph, place, node)
        if not _is_converted(node):
            forward.unconverted.append(
                Unconverted(where(), (node.domain, node.op_type))
            )
            return ()
        if not node.output:  # nothing can need it
            return ()
        translate = None
        if node.domain in AI_ONNX:
            translate = conversion.find(node.op_type)
        if translate is None:
            forward.unchecked[node.op_type] += 1
            return ()
        inputs = [self.tensor(values, name) if name else ABSENT for name in node.input]
        first = next(iter(node.input), "")
        sliced = self.sliced.get((id(values), first), ())
        empty = [
            place
            for place, name in enumerate(node.input)
            if _is_empty_constant(values, name)
        ]
        owner, first = values.owner(first)
        elements = self.elements.get((id(owner), first))
        read = inputs if elements is None else [*elements, *inputs[1:]]
        basis = max([each.basis for each in read], default=Basis.COMPUTED)
        opset = 1 if graph.opset is None else graph.opset
        key = None
        if not (sliced or empty) and elements is None:
            key = _call_key(node, inputs, opset)
        try:
            if key in self.calls:
                call, outputs = self.calls[key]
            else:
                run_bodies = partial(self.run_bodies, graph, place)
                call = NodeCall(
                    node, inputs, opset, sliced, empty, run_bodies, elements
                )
                outputs = translate(call)
                call.require_types()
                if key is not None:
                    self.calls[key] = call, outputs
            _require_tensors(graph, call)
        except conversion.NotFollowed:
            forward.unchecked[node.op_type] += 1
            outputs = ()
        except (Refused, ArgumentError) as error:
            if isinstance(error, Refused):
                refusal = error
            else:
                refusal = Refused("inputs", str(error))
            if isinstance(error, conversion.RefusedForm):
                basis = Basis.COMPUTED
            forward.refusals.append(
                NodeRefusal(where(), refusal.without_frames(), basis)
            )
            return ()
        if call.numbers:
            forward.emptied.append(Emptied(where(), node.input[min(call.numbers)]))
        if node.op_type in (*FAMILY, *SCATTERING):
            forward.indices += _known_indices(call, where())
        if node.op_type == "Slice" and len(inputs) > 2:
            self.sliced[id(values), node.output[0]] = inputs
        if call.given is not None:
            self.elements[id(values), node.output[0]] = call.given
        late = call.compile_error or _misread(graph, values, node, outputs)
        if late is not None:
            if isinstance(late, conversion.RefusedForm):
                basis = Basis.COMPUTED
            forward.refusals.append(NodeRefusal(where(), late.without_frames(), basis))
        if any(_is_too_large(each.shape) for each in (*inputs, *outputs)):
            forward.fatal.append((where(), "has tensors that may not fit into memory"))
        elif node.op_type == "Gather" and _is_empty_beside(call):
            forward.fatal.append((where(), "gathers data without elements"))
        if call.is_open or any(each.is_open for each in outputs):
            forward.open_ranks.append(where())
            if not any(each.is_open for each in read if each is not ABSENT):
                forward.lost_ranks.append(where())
        return outputs

    def tensor(self, values: Values, name: str) -> Tensor:
        """What is known of a value; the open lengths of an input have symbols of their own."""
        owner, name = values.owner(name)
        if owner is None:
            return UNKNOWN_TENSOR
        known = self.known.setdefault(id(owner), {})
        if name not in known:
            value = owner.find(name)
            holder = owner.tensor(name)
            is_input = name not in owner.makers
            if is_input:
                shape = with_symbols(value.shape, name)
            else:
                shape = value.shape
            kind = OPENVINO.get(value.element_type or "")
            is_sure = holder is not None or (is_input and _is_given(owner.graph))
            basis = Basis.COMPUTED if is_sure else Basis.UNCHECKED
            type = "dynamic" if kind is None else kind.name
            is_stored = holder is not None
            known[name] = self.tensors.one(
                shape, type, self._items(holder), basis, is_stored, is_stored
            )
        return known[name]

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

    def _keep(self, values: Values, name: str, output: Tensor, is_first: bool) -> None:
        """Note what is computed; what a body gives in a further round says nothing of what the file declares."""
        old = values.find(name)
        shape = output.shape
        basis = output.basis
        # OpenVINO reads no declaration.
        if is_first and shape.compatible(old.shape):
            shape = shape & old.shape
            kind = old.element_type or name_of(output.element_type)
            values.inferred[name] = Value(without_hidden_symbols(shape), kind)
            if _adds(shape, output.shape):
                basis = max(basis, Basis.PORT)
        self.known.setdefault(id(values), {})[name] = self.tensors.one(
            shape,
            output.element_type,
            output.value,
            basis,
            output.is_constant,
            is_unfolded=output.is_unfolded,
        )


def _adds(both: PartialShape, computed: PartialShape) -> bool:
    """Whether the file or onnx says more of the lengths, ``both``, than is computed."""
    if both.dims is None or computed.dims is None:
        return both.rank != computed.rank
    return any(
        (one.min, one.max) != (other.min, other.max)
        for one, other in zip(both, computed, strict=True)
    )
