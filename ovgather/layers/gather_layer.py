"""A Gather layer of an IR, joined with its operation; and shapes that follow from Parameters and Consts. A port has a
number for each dim, or -1, so it loses the interval of a Parameter (``1..8``). OpenVINO ignores ports: where they
contradict each other, it computes these shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, ShapeInferenceError
from ovgather.ir.constants import Constant
from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.layers.layer_facts import LayerFacts, Shared
from ovgather.layers.reference import LayerReference, reference
from ovgather.layers.tensors import COMPUTED, KEEPS_SHAPE, SCALAR, Followed, Known, known, output_tensor
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import of_dtype
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    import numpy

    from ovgather.tensor.arrays import Array


def find_operation(layer: Layer | LayerSignature, snippet: bool = False) -> Operation | None:
    """The operation of ``layer``, by type in any case, as in OpenVINO, and opset; without one the newest (snippet)."""
    canonical = _CANONICAL.get(layer.type.lower())
    if canonical is None:
        return None
    if snippet and not layer.version.startswith("opset"):
        return max((op for op in ops.OPERATIONS if op.type == canonical), key=lambda op: op.version)
    return ops.find(canonical, layer.version)


_INTERVAL = re.compile(r"[0-9]\s*\.\.|\.\.\s*[0-9]")
_DECLARED = frozenset({"Parameter", "Const"})
_KNOWN_AXIS = frozenset({"attribute", "const"})
_CANONICAL = {name.lower(): name for name in ops.FAMILY}
Only = Callable[[Graph, int], bool]


def is_family_type(type: str) -> bool:
    """Whether a type is Gather, GatherElements or GatherND, in any case."""
    return type.lower() in _CANONICAL


def is_family(layer: Layer | LayerSignature) -> bool:
    return is_family_type(layer.type)


class GatherLayer(LayerFacts):
    """A Gather layer of an IR, as the verbs use it."""

    word = "layer"
    keeps_lengths = False

    @property
    def reference(self) -> LayerReference:
        return reference(self.layer)

    @property
    def seed_path(self) -> tuple[str, ...]:
        """The parts of the seed of its random values."""
        return (*self.layer.body, str(self.layer.id), self.layer.name)

    @property
    def title(self) -> str:
        return self.operation.name

    @property
    def axis_note(self) -> str | None:
        if not self.operation.takes_axis or self.axis is not None:
            return None
        from ovgather.layers.constant_folding import why_unknown

        return self.model.unused_weights or why_unknown(self.layer, 2, self.model.weights)

    @property
    def type_names(self) -> list[str | None]:
        return [None if kind is None else kind.name for kind in self.element_types]

    @property
    def problem(self) -> str | None:
        return str(self.errors[0]) if self.errors else None

    def problems(self, shapes: Sequence[PartialShape], axis: int | None) -> list[ShapeInferenceError]:
        """The errors of other input shapes, or another axis."""
        return self.operation.check(shapes, axis=axis, batch_dims=self.batch_dims)

    @property
    def is_scalar(self) -> bool:
        """Whether the output, as inferred from certain inputs, is a scalar: what its port without dims does not say."""
        are_certain = all(tensor.certain for tensor in self.tensors[:2])
        return are_certain and self.inference is not None and self.inference.shape == SCALAR

    def dtype(self, index: int) -> numpy.dtype[Any] | None:
        """The dtype of arrays for an input; None: any."""
        kind = self.element_types[index]
        return None if kind is None or kind.kind == "dynamic" else kind.dtype

    def takes(self, index: int, dtype: numpy.dtype[Any]) -> bool:
        """Whether an input accepts arrays of ``dtype``: indices may be any integers."""
        return dtype == self.dtype(index) or (index == 1 and dtype.kind in "iu")

    def spelling(self, dtype: numpy.dtype[Any]) -> str:
        return str(of_dtype(dtype))

    def values(self, index: int) -> Array | None:
        """The constant that feeds an input, if its values are known; InvalidModelError if its bytes are too few."""
        kind, constant = self.element_types[index], self.constant(index)
        array = constant.array() if constant is not None and kind is not None else None
        if array is not None and kind is not None:
            return array.astype(kind.dtype, copy=False)
        if constant is not None and constant.data is not None and constant.data.nbytes < constant.bytes_needed:
            name = ("data", "indices", "axis")[index]
            raise InvalidModelError(
                f"{name} of layer {self.layer.name!r} is a constant of {constant.data.nbytes} bytes, but of shape"
                f" {list(constant.shape)} and type {constant.element_type}, which take {constant.bytes_needed}"
            )
        return None


def gather_layers(
    model: Model, constants: Mapping[LayerSignature, Constant] | None = None, only: Only | None = None
) -> Iterator[GatherLayer]:
    """The layers of the family with a known operation, in document order.

    ``constants`` are the known Consts of the model. ``only`` leaves layers, by graph and row, out.
    """
    shared = Shared(model, constants)
    graphs = [(graph, set(graph.signatures)) for graph in model.graph.graphs()]
    if any(has_interval(signatures) for _, signatures in graphs):
        shared.followed = follow(model, _gather_layers(model, graphs, Shared(model, constants)))
    return _gather_layers(model, graphs, shared, only)


def _gather_layers(
    model: Model, graphs: list[tuple[Graph, set[LayerSignature]]], shared: Shared, only: Only | None = None
) -> Iterator[GatherLayer]:
    twins: dict[tuple[object, ...], GatherLayer] = {}
    for graph, signatures in graphs:
        family = [signature for signature in signatures if is_family(signature)]
        by_signature = {signature: find_operation(signature, model.snippet) for signature in family}
        operations = {signature: operation for signature, operation in by_signature.items() if operation is not None}
        for row, signature in enumerate(graph.signatures if operations else ()):
            if signature not in operations or (only is not None and not only(graph, row)):
                continue
            layer = graph.layer(row)
            key = _wiring(layer, shared.followed)
            gather = GatherLayer(model, layer, operations[signature], shared)
            gather.twin = twins.get(key)
            if gather.twin is None:
                twins[key] = gather
            if signature.outputs and not signature.outputs[0].dims and gather.is_scalar:
                shared.followed.setdefault((layer.offset, 0), Known(SCALAR, sure=False))
            yield gather


def _wiring(layer: Layer, followed: Followed) -> tuple[object, ...]:
    """The signature of ``layer``, and the sources of its inputs as far as anything is known of them."""
    signature, graph, number = layer.signature, layer.graph, layer.id
    sources, rows = graph.fed, graph.rows
    wiring: list[object] = [signature]
    for port in signature.inputs:
        edge = sources.get((number, port.id))
        row = rows.get(edge[0]) if edge is not None else None
        if row is None or edge is None:
            wiring.append(None)
            continue
        source = graph.signatures[row]
        first = graph.layer(row).producer(0) if source.type in COMPUTED else None
        is_folded = first is not None and (first[0].type == "Const" or first[0].type in COMPUTED)
        offset = graph.offsets[row]
        is_later = offset > layer.offset and is_family(source)  # so nothing is known of it yet
        wiring += edge[1], graph.layer(row) if is_folded or is_later else source
        if followed:
            wiring.append(followed.get((offset, 0)))
    return tuple(wiring)


def has_interval(signatures: Iterable[LayerSignature]) -> bool:
    """Whether a Parameter among ``signatures`` has an interval of lengths."""
    return any(
        signature.type == "Parameter" and _INTERVAL.search(signature.data.get("shape", "")) for signature in signatures
    )


def follow(model: Model, gathers: Iterable[LayerFacts]) -> Followed:
    """The known shapes of outputs of ``model``, whose family layers are ``gathers``."""
    followed: Followed = {}
    by_offset = {gather.layer.offset: gather for gather in gathers}
    for graph in model.graph.graphs():
        for layer in in_order(graph):
            shape = _output(layer, by_offset.get(layer.offset), followed) if layer.outputs else None
            if shape is not None:
                followed[layer.offset, 0] = shape
    return followed


def _output(layer: Layer, gather: LayerFacts | None, followed: Followed) -> Known | None:
    if layer.type in _DECLARED:
        declared = output_tensor(layer, 0)
        return Known(declared.shape, sure=True) if declared.certain and layer.data else None
    if gather is not None:
        return _inferred(gather, followed)
    return known(followed, layer.producer(0)) if layer.type in KEEPS_SHAPE else None


def _inferred(gather: LayerFacts, followed: Followed) -> Known | None:
    """The inferred shape; unless it is sure, its intersection with that of the port, or None if they differ."""
    inputs = [known(followed, source) for source in gather.layer.graph.producers(gather.layer)]
    if not any(inputs[:2]):
        return None
    shapes = [shape if facts is None else facts.shape for facts, shape in zip(inputs, gather.shapes, strict=True)]
    if gather.operation.check(shapes, axis=gather.axis, batch_dims=gather.batch_dims):
        return None
    shape = gather.operation.infer(shapes, axis=gather.axis, batch_dims=gather.batch_dims).shape
    has_sure_axis = not gather.operation.has_axis or gather.axis_source in _KNOWN_AXIS
    sure = has_sure_axis and all(facts is not None and facts.sure for facts in inputs[:2])
    port = output_tensor(gather.layer, 0)
    if sure or not port.certain:
        return Known(shape, sure)
    return Known(shape & port.shape, sure=False) if shape.compatible(port.shape) else None


def in_order(graph: Graph) -> Iterator[Layer]:
    """The layers of ``graph``, each after its producers; layers of a cycle are left out."""
    from graphlib import CycleError, TopologicalSorter

    sources = {layer: graph.producers(layer) for layer in graph.layers}
    sorter = TopologicalSorter({layer: [source[0] for source in each if source] for layer, each in sources.items()})
    with suppress(CycleError):
        sorter.prepare()
    while ready := sorter.get_ready():
        yield from ready
        sorter.done(*ready)
