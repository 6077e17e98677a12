"""The forward pass through the nodes of an ONNX model: each becomes the layers of IR that OpenVINO makes of it
(``conversion``), and what follows is combined with what onnx infers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from ovgather.errors import ArgumentError
from ovgather.forward.bodies.body import Unfollowed
from ovgather.forward.sources import with_symbols, without_hidden_symbols
from ovgather.layers import conversion
from ovgather.layers.conversion.call import ABSENT, BodyForm, NodeCall
from ovgather.layers.onnx_bodies import NodeSubgraph
from ovgather.layers.onnx_checks import (
    WITH_BODIES,
    has_empty_rows,
    is_empty_constant,
    is_too_large,
    known_indices,
    misread,
    require_own_values,
    require_tensors,
)
from ovgather.layers.onnx_records import (
    FAMILY,
    SCATTERING,
    Emptied,
    NodeRefusal,
    OnnxForward,
    Unconverted,
    node_reference,
)
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import OnnxGraph, Value, Values, needed_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import array_or_none
from ovgather.ops.declaration import Refused
from ovgather.targets.onnx_operations import AI_ONNX, conversion_of
from ovgather.tensor.interval import Interval, Items
from ovgather.tensor.onnx_types import OPENVINO, name_of
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS, UNKNOWN_TENSOR, Basis, Tensor, Tensors

NOTHING: Mapping[str, Tensor] = MappingProxyType({})


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


def _is_given(graph: OnnxGraph) -> bool:
    """Whether the inputs of a graph are what the file declares: those of the model, and of what repeats a body."""
    if graph.outer is None:
        return True
    return graph.outer.proto.node[graph.place].op_type in ("Loop", "Scan")


def _unbuilt(form: BodyForm, inputs: Sequence[Tensor]) -> str:
    """The branch of an If that OpenVINO reads, and does not compile: its condition is known."""
    condition = inputs[0].value if form.type == "if" else None
    if condition is None or len(condition) != 1 or isinstance(condition[0], Interval):
        return ""
    return form.names[1 if condition[0] else 0]


def _is_converted(node: Any) -> bool:
    conversion = conversion_of(node.domain, node.op_type)
    return conversion is not None and conversion.until is None


def _call_key(
    node: Any, inputs: Sequence[Tensor], opset: int
) -> tuple[Any, ...] | None:
    """What a translation rests on; None where attributes hold tensors or bodies."""
    for attribute in node.attribute:
        if attribute.HasField("g") or attribute.HasField("t"):
            return None
    attributes = [serialized(each) for each in node.attribute]
    return node.op_type, opset, len(node.output), *attributes, *inputs


def _refusal(where: LayerReference, error: Refused, basis: Basis) -> NodeRefusal:
    """What rests on the form of a node alone is certain."""
    if isinstance(error, conversion.RefusedForm):
        basis = Basis.COMPUTED
    return NodeRefusal(where, error.without_frames(), basis)


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
        if graph.proto.node[place].op_type == "Scan":
            require_own_values(*inner[0])
        layer = self.subgraphs.get(key)
        if layer is None:
            around = None
            if graph.outer is not None:
                around = self.subgraphs.get((id(graph.outer), graph.place))
            named = {body.path[-1]: (body, values) for body, values in inner}
            bodies = [named[name] for name in form.names]
            layer = NodeSubgraph(form, len(self.subgraphs), bodies, around)
            self.subgraphs[key] = layer
        flowing = [
            self.tensors.one(each.shape, each.element_type, each.value, each.basis)
            for each in inputs
        ]
        try:
            layer.infer(self, tuple(flowing))
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
        elements = self._elements(values, node)
        read = inputs if elements is None else [*elements, *inputs[1:]]
        basis = max([each.basis for each in read], default=Basis.COMPUTED)
        try:
            call, outputs = self._translated(translate, graph, values, place, inputs)
        except (Refused, ArgumentError) as error:
            refusal = Refused("inputs", str(error))
            if isinstance(error, Refused):
                refusal = error
            forward.refusals.append(_refusal(where(), refusal, basis))
            return ()
        late = call.compile_error or misread(graph, values, node, outputs)
        if late is not None:
            forward.refusals.append(_refusal(where(), late, basis))
        if node.op_type == "Slice" and len(inputs) > 2:
            self.sliced[id(values), node.output[0]] = inputs
        if call.given is not None:
            self.elements[id(values), node.output[0]] = call.given
        self._note(where, call, read, outputs)
        return outputs

    def _elements(self, values: Values, node: Any) -> Sequence[Tensor] | None:
        """The tensors of the sequence that a node takes; None: it takes none."""
        owner, first = values.owner(next(iter(node.input), ""))
        return self.elements.get((id(owner), first))

    def _translated(
        self,
        translate: Callable[[NodeCall], Sequence[Tensor]],
        graph: OnnxGraph,
        values: Values,
        place: int,
        inputs: Sequence[Tensor],
    ) -> tuple[NodeCall, Sequence[Tensor]]:
        """A node as its translation sees it, and its outputs; none where the translation does not follow it.

        Raises:
            Refused: OpenVINO refuses the node.
        """
        node = graph.proto.node[place]
        sliced = self.sliced.get((id(values), next(iter(node.input), "")), ())
        empty = [
            index
            for index, name in enumerate(node.input)
            if is_empty_constant(values, name)
        ]
        elements = self._elements(values, node)
        opset = 1 if graph.opset is None else graph.opset
        key = None
        if not (sliced or empty) and elements is None:
            key = _call_key(node, inputs, opset)
        known = self.calls.get(key)
        if known is None:
            run_bodies = partial(self.run_bodies, graph, place)
            call = NodeCall(node, inputs, opset, sliced, empty, run_bodies, elements)
        else:
            call, outputs = known
        try:
            if known is None:
                outputs = translate(call)
                call.require_types()
                if key is not None:
                    self.calls[key] = call, outputs
            require_tensors(graph, call)
        except conversion.NotFollowed:
            self.forward.unchecked[node.op_type] += 1
            outputs = ()
        return call, outputs

    def _note(
        self,
        where: Callable[[], LayerReference],
        call: NodeCall,
        read: Sequence[Tensor],
        outputs: Sequence[Tensor],
    ) -> None:
        """Note what is unusual about a node that is followed; ``read`` are its inputs, of a sequence its tensors."""
        forward = self.forward
        node = call.proto
        if call.numbers:
            forward.emptied.append(Emptied(where(), node.input[min(call.numbers)]))
        if node.op_type in (*FAMILY, *SCATTERING):
            forward.indices += known_indices(call, where())
        if any(is_too_large(each.shape) for each in (*call.inputs, *outputs)):
            forward.fatal.append((where(), "has tensors that may not fit into memory"))
        elif node.op_type == "Gather" and has_empty_rows(call):
            forward.fatal.append((where(), "gathers data without elements"))
        if call.is_open or any(each.is_open for each in outputs):
            forward.open_ranks.append(where())
            if not any(each.is_open for each in read if each is not ABSENT):
                forward.lost_ranks.append(where())

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
