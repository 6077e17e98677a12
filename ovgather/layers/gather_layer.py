"""A Gather-family layer of a file, joined with its operation: inputs, axis, inferred output, and how that
compares.

This is where ``ir`` (which knows no operation) and ``ops`` (which know no XML) meet; rules, ``infer``,
``run`` and ``crosscheck`` all look at layers through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ovgather.errors import ShapeInferenceError
from ovgather.ir.constants import Constant, constant
from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.ir.numbers import leading_integer
from ovgather.layers.followed_shapes import Followed, follow, has_interval
from ovgather.layers.shape_check import ShapeCheck
from ovgather.layers.tensors import Tensor, Tensors
from ovgather.ops import openvino as ops
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.lazy import cached
from ovgather.tensor.shape import PartialShape

_COMPUTED = frozenset({"Convert", "Reshape", "Squeeze", "Unsqueeze", "Add", "Subtract", "Multiply", "Concat"})
"""Layers that ``constants_chain`` follows back to constants."""


def find_operation(layer: Layer | LayerSignature, snippet: bool = False) -> Operation | None:
    """The operation that ``layer`` is: by type in any case (as OpenVINO) and opset; None when it is none of the family.

    A snippet without a version is taken for the newest.
    """
    canonical = _CANONICAL.get(layer.type.lower())
    if canonical is None:
        return None
    if snippet and not layer.version.startswith("opset"):
        return max((op for op in ops.operations() if op.type == canonical), key=lambda op: op.version)
    return ops.find(canonical, layer.version)


_CANONICAL = {name.lower(): name for name in ops.FAMILY}


def is_family(layer: Layer | LayerSignature) -> bool:
    """Whether the layer's type is Gather, GatherElements or GatherND, in any case."""
    return layer.type.lower() in _CANONICAL


class Shared:
    """What the layers of one file have in common: ``held`` by its Consts, as far as that is known, and more."""

    def __init__(self, model: Model, held: Mapping[LayerSignature, Constant] | None = None) -> None:
        self.tensors = Tensors()
        self.judged: dict[tuple[object, ...], ShapeCheck] = {}
        self.followed: Followed = {}
        self._weights = model.weights
        self._held = held

    def constant(self, layer: Layer) -> Constant | None:
        """What a Const holds; None when ``layer`` is no Const that can be read."""
        return constant(layer, self._weights) if self._held is None else self._held.get(layer.signature)


class LayerFacts:
    """All that can be known of a layer without running it, which is the same for all that are wired alike: of one form
    and fed by layers of the same forms. ``layer`` is the first of them."""

    def __init__(
        self,
        model: Model,
        layer: Layer,
        operation: Operation,
        shared: Shared | None = None,
    ) -> None:
        self.model = model
        self.layer = layer
        self.operation = operation
        self._shared = shared or Shared(model)
        self._constants: dict[int, Constant | None] = {}

    @cached
    def sources(self) -> list[tuple[Layer, int] | None]:
        """The layer that feeds each input port and the index of its output; None where nothing that exists does.

        Nor does the layer itself, whose output is not known before its inputs are.
        """
        found = [self.layer.producer(index) for index in range(len(self.layer.inputs))]
        return [None if source is not None and source[0] is self.layer else source for source in found]

    @cached
    def ports(self) -> list[Tensor]:
        """What each input port says by itself."""
        return [self._shared.tensors.of_port(port) for port in self.layer.inputs]

    @cached
    def tensors(self) -> list[Tensor]:
        """What flows into each input port."""
        of_input, followed = self._shared.tensors.of_input, self._shared.followed
        if not followed:
            return [of_input(own, source) for own, source in zip(self.ports, self.sources, strict=True)]
        shapes = [_shape(followed, source) for source in self.sources]
        return [of_input(*each) for each in zip(self.ports, self.sources, shapes, strict=True)]

    @cached
    def element_types(self) -> list[ElementType | None]:
        """The element type of each input, None where the file does not say."""
        return [tensor.element_type for tensor in self.tensors]

    @cached
    def batch_dims(self) -> int:
        """The ``batch_dims`` attribute as OpenVINO reads it; 0 where it is absent, unreadable or no attribute here."""
        said = self._attribute("batch_dims")
        if said is None and "batch_dims" not in self.layer.data:
            said = self.model.comments.get("batch_dims")
        return said if said and any(item.name == "batch_dims" for item in self.operation.attributes) else 0

    def _attribute(self, name: str) -> int | None:
        text = self.layer.data.get(name)
        return None if text is None else leading_integer(text, sign="-")

    # -- axis ----------------------------------------------------------------------------------------------------

    @cached
    def axis(self) -> tuple[int | None, str]:
        """The axis as written, None when it is not known, and where it is from."""
        if self.operation.has_axis and not self.operation.takes_axis:
            if "axis" not in self.layer.data:
                said = self.model.comments.get("axis")
                return (0, "attribute") if said is None else (said, "comment")
            value = self._attribute("axis")
            return value, "unknown" if value is None else "attribute"
        if not self.operation.has_axis:
            return None, "unknown"
        held = self.constant(2)
        values = held.integers(1) if held is not None else None
        if values:
            return values[0] - (1 << 64 if values[0] >= 1 << 63 else 0), "const"
        if "axis" in self.model.comments:
            return self.model.comments["axis"], "comment"
        if len(self.layer.inputs) < 3 or not self._axis_may_come_from_ports:
            return None, "unknown"
        fitting = self._judge(None).possible_axes
        return (fitting[0], "ports") if fitting is not None and len(fitting) == 1 else (None, "unknown")

    @property
    def _axis_may_come_from_ports(self) -> bool:
        # An axis that is computed may differ from run to run; a constant one, or one of a snippet, cannot.
        source = self.sources[2]
        return self.model.snippet if source is None else source[0].type == "Const" or self.constant(2) is not None

    def constant(self, index: int) -> Constant | None:
        """The constant feeding input ``index``, directly or by way of layers that compute it; None: there is none."""
        if index not in self._constants:
            self._constants[index] = self._constant(index)
        return self._constants[index]

    def _constant(self, index: int) -> Constant | None:
        source = self.sources[index] if index < len(self.sources) else None
        if source is None:
            return None
        if source[0].type in _COMPUTED:
            from ovgather.layers.constant_folding import Chain

            return Chain(self.model.weights).value(source[0])
        return self._shared.constant(source[0])

    # -- shapes --------------------------------------------------------------------------------------------------

    @cached
    def declared(self) -> PartialShape | None:
        """The output port's dims; a dynamic rank when it has none; None when there is no output port."""
        return self._shared.tensors.of_port(self.layer.outputs[0]).shape if self.layer.outputs else None

    def _judge(self, axis: int | None) -> ShapeCheck:
        """The judgement for ``axis``, shared by all layers of the file that look the same."""
        port = self.layer.outputs[0] if self.layer.outputs else None
        # The judgement keeps what the key names by identity, so none of it can be replaced by another object.
        key = (id(self.operation), axis, self.batch_dims, id(port), *map(id, self.tensors))
        judged = self._shared.judged
        found = judged.get(key)
        if found is None:
            found = ShapeCheck(self.operation, self.tensors, self.declared, axis, self.batch_dims)
            judged[key] = found
        return found

    @cached
    def judgement(self) -> ShapeCheck:
        """What inference makes of the layer."""
        return self._judge(self.axis[0])


class GatherLayer:
    """One layer and what its ``wiring`` tells of it."""

    def __init__(self, model: Model, layer: Layer, operation: Operation, wiring: LayerFacts | None = None) -> None:
        self.model = model
        self.layer = layer
        self.operation = operation
        self.wiring = wiring or LayerFacts(model, layer, operation)

    @property
    def tensors(self) -> list[Tensor]:
        """What flows into each input port."""
        return self.wiring.tensors

    @property
    def element_types(self) -> list[ElementType | None]:
        """The element type of each input, None where the file does not say."""
        return self.wiring.element_types

    @property
    def batch_dims(self) -> int:
        """The ``batch_dims`` attribute as OpenVINO reads it; 0 where it is absent, unreadable or no attribute here."""
        return self.wiring.batch_dims

    @property
    def axis(self) -> int | None:
        """The axis as written (it may be negative); None when it is not known."""
        return self.wiring.axis[0]

    @property
    def axis_source(self) -> str:
        """``attribute``, ``const``, ``ports``, ``comment`` or ``unknown``."""
        return self.wiring.axis[1]

    @property
    def declared(self) -> PartialShape | None:
        """The output port's dims; a dynamic rank when it has none; None when there is no output port."""
        return self.wiring.declared

    @property
    def judgement(self) -> ShapeCheck:
        """What inference makes of the layer."""
        return self.wiring.judgement

    @property
    def shapes(self) -> list[PartialShape]:
        """See ``Judgement``."""
        return self.wiring.judgement.shapes

    @property
    def errors(self) -> list[ShapeInferenceError]:
        """See ``Judgement``."""
        return self.wiring.judgement.errors

    @property
    def inference(self) -> Inference | None:
        """See ``Judgement``."""
        return self.wiring.judgement.inference

    @property
    def status(self) -> str:
        """``match``, ``refines``, ``mismatch`` or ``unknown``: see ``Judgement``."""
        return self.wiring.judgement.status

    @property
    def output_type(self) -> ElementType | None:
        """The element type of the output: that of ``data``."""
        return self.tensors[0].element_type if self.tensors else None

    def constant(self, index: int) -> Constant | None:
        """The constant feeding input ``index``, directly or by way of layers that compute it; None: there is none."""
        return self.wiring.constant(index)


def gather_layers(model: Model, held: Mapping[LayerSignature, Constant] | None = None) -> Iterator[GatherLayer]:
    """The layers of the family in the file whose operation is known, bodies included, in document order.

    ``held``: what its Consts hold, for one who knows that already.
    """
    shared = Shared(model, held)
    graphs = [(graph, {layer.signature for layer in graph.layers}) for graph in model.graph.graphs()]
    if any(has_interval(signatures) for _, signatures in graphs):
        shared.followed = follow(model, _views(model, graphs, Shared(model, held)))
    return _views(model, graphs, shared)


def _views(model: Model, graphs: list[tuple[Graph, set[LayerSignature]]], shared: Shared) -> Iterator[GatherLayer]:
    wirings: dict[tuple[object, ...], LayerFacts] = {}
    for graph, signatures in graphs:
        types = {type for type in {signature.type for signature in signatures} if type.lower() in _CANONICAL}
        operations = {
            signature: find_operation(signature, model.snippet) for signature in signatures if signature.type in types
        }
        for layer in [layer for layer in graph.layers if layer.signature in operations] if types else ():
            operation = operations[layer.signature]
            if operation is not None:
                key = _wiring(layer)
                if shared.followed:
                    sources = [layer.producer(index) for index in range(len(layer.inputs))]
                    key = (*key, *[_shape(shared.followed, source) for source in sources])
                wiring = wirings.get(key)
                if wiring is None:
                    wiring = wirings[key] = LayerFacts(model, layer, operation, shared)
                yield GatherLayer(model, layer, operation, wiring)


def _shape(followed: Followed, source: tuple[Layer, int] | None) -> PartialShape | None:
    known = followed.get((source[0].offset, source[1])) if source is not None else None
    return known.shape if known is not None else None


def _wiring(layer: Layer) -> tuple[object, ...]:
    """The form of ``layer`` and what feeds each of its inputs, as far as anything can be known of that."""
    signature, graph, number = layer.signature, layer.graph, layer.id
    fed, by_id = graph.fed, graph.by_id
    found: list[object] = [signature]
    for port in signature.inputs:
        edge = fed.get((number, port.id))
        source = by_id.get(edge[0]) if edge is not None else None
        if source is None or edge is None:
            found.append(None)
        else:
            found += (
                edge[1],
                source if source.signature.type in _COMPUTED and _may_be_constant(source) else source.signature,
            )
    return tuple(found)


def _may_be_constant(computed: Layer) -> bool:
    """Whether the first input of a layer that ``constants_chain`` follows leads to a constant, as all have to."""
    source = computed.producer(0)
    return source is not None and (source[0].signature.type == "Const" or source[0].signature.type in _COMPUTED)
