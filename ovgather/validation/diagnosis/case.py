"""What hypotheses look at: the contradictions of a file, and the layers that they concern."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

from ovgather.forward import evaluate
from ovgather.forward.nodes import Nodes
from ovgather.forward.ports import deviates
from ovgather.forward.records import find_layer
from ovgather.ir.constants import Constant, constant
from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature, Port
from ovgather.ir.positions import Element, Span, tag_at
from ovgather.ir.text import Edit
from ovgather.layers.tensors import computed_tensor, dims_shape, is_exact
from ovgather.ops.declaration import Declaration, Refused
from ovgather.tensor.lazy import Table
from ovgather.tensor.tensor import Tensor
from ovgather.tensor.walk import reached
from ovgather.validation.context import File, Place
from ovgather.validation.diagnosis.hypothesis import (
    Hypothesis,
    attribute_change,
    edits_of,
)
from ovgather.validation.diagnostic import Diagnostic

_MOST_LAYERS = 400
"""So many layers that findings concern are looked at."""
_MOST_NEARBY = 48
_MANY = 50
_MOST_SAMPLED = 200

Output = tuple[Layer, int]
"""An output of a layer, by its index."""


_target = itemgetter(2, 3)  # of an edge


class Case:
    """The ``findings`` of a ``file`` that are contradictions."""

    def __init__(self, file: File, findings: Sequence[Diagnostic]) -> None:
        self.file = file
        self.findings = findings
        self.source = file.source
        self._ports_named: dict[tuple[Graph, int], tuple[set[int], set[int]]] = {}
        # Hypotheses ask of one output for many inputs.
        self._is_used = Table[Output, bool](_is_used)
        self._followed: Layer | None = None
        self._following: set[int] = set()

    @cached_property
    def subjects(self) -> list[Layer]:
        """The layers that findings concern, those that most of them concern first."""
        counts: dict[int, int] = {}
        for finding in self.findings:
            for offset in finding.subjects:
                counts[offset] = counts.get(offset, 0) + 1
        layers = [
            self.by_offset[offset] for offset in counts if offset in self.by_offset
        ]
        return sorted(layers, key=lambda layer: -counts[layer.offset])[:_MOST_LAYERS]

    def reach(self, *layers: Layer) -> int:
        """How many findings concern ``layers``: so many a repair of them may explain."""
        offsets = {layer.offset for layer in layers}
        count = sum(not offsets.isdisjoint(each.subjects) for each in self.findings)
        return max(1, count)

    @cached_property
    def everyone(self) -> list[Layer]:
        """The layers that findings concern; all layers of the file where these are many: findings are limited."""
        if len(self.subjects) < _MANY:
            return self.subjects
        return self.file.layers

    @cached_property
    def nearby(self) -> list[Layer]:
        """The layers that findings concern, and those that feed them."""
        layers = dict.fromkeys(self.subjects[:_MOST_NEARBY])
        for layer in self.subjects[:_MOST_NEARBY]:
            layers |= {
                source[0]: None
                for source in layer.graph.producers(layer)
                if source is not None
            }
        return list(layers)[:_MOST_NEARBY]

    def follows(self, other: Layer, layer: Layer) -> bool:
        """Whether ``other`` is ``layer``, or takes over some edges what it gives."""
        if self._followed is not layer:  # hypotheses ask of one layer after another
            readers = layer.graph.readers
            self._followed = layer
            self._following = {*reached([layer.id], lambda each: readers.get(each, ()))}
        return other.graph is layer.graph and other.id in self._following

    @cached_property
    def by_offset(self) -> dict[int, Layer]:
        return {layer.offset: layer for layer in self.file.layers}

    @cached_property
    def refused(self) -> set[int]:
        """The layers that OpenVINO refuses, by the byte where they start."""
        return {refusal.layer.offset for refusal in self.file.forward.refusals}

    @cached_property
    def deviating(self) -> set[int]:
        return {layer.offset for layer in self.file.forward.deviating}

    def is_wrong(self, layer: Layer) -> bool:
        """Whether OpenVINO refuses ``layer``, or computes from its inputs what its ports contradict, or do not say."""
        return (
            layer.offset in self.refused
            or layer.offset in self.deviating
            or self._is_inexact(layer)
        )

    def _is_inexact(self, layer: Layer) -> bool:
        """Whether a finding concerns ``layer``, and a computed shape is not the one of its port: OpenVINO writes what
        it computes."""
        outputs = self.file.forward.outputs.get(layer.offset, ())
        pairs = zip(outputs, layer.outputs, strict=False)
        return layer in self.subjects and any(
            port.dims and not is_exact(tensor.shape, dims_shape(port.dims))
            for tensor, port in pairs
        )

    def tensor(self, source: Output) -> Tensor | None:
        """What flows out of an output."""
        return computed_tensor(self.file.forward, source)

    def inputs_of(self, layer: Layer) -> list[Tensor]:
        """What flows into ``layer``, or what its ports declare."""
        inputs = []
        for port, source in zip(
            layer.inputs, layer.graph.producers(layer), strict=True
        ):
            tensor = None
            if source is not None:
                tensor = self.tensor(source)
            inputs.append(
                self.file.forward.port_tensor(port) if tensor is None else tensor
            )
        return inputs

    def agrees(
        self,
        layer: Layer,
        inputs: Sequence[Tensor],
        data: dict[str, str] | None = None,
        declaration: Declaration | None = None,
    ) -> bool:
        """Whether ``layer`` takes ``inputs``, and other attributes if there are any, and gives what its ports say; with
        a ``declaration``: as a layer of that operation.
        """
        signature = layer.signature
        declaration = declaration or find_layer(layer.signature)
        if declaration is None:
            return False
        if data is not None:
            signature = LayerSignature(signature.type, signature.version)
            signature.data = data
            signature.inputs = layer.inputs
            signature.outputs = layer.outputs
            held = constant(signature, None)
            if held is not None and not held.fits:
                return False
        try:
            outputs = evaluate.infer(
                Nodes().make(declaration, signature, tuple(inputs))
            )
        except (Refused, ValueError):
            return False
        pairs = list(zip(outputs, layer.outputs, strict=False))
        computed = [Tensor(tensor.shape, tensor.element_type) for tensor, _ in pairs]
        return not any(
            deviates(tensor, port)
            for tensor, (_, port) in zip(computed, pairs, strict=True)
        )

    @cached_property
    def outputs_by_port(
        self,
    ) -> dict[tuple[Graph, tuple[int, ...], str | None], list[Output]]:
        """The outputs of layers by graph and by what their ports declare."""
        outputs: dict[tuple[Graph, tuple[int, ...], str | None], list[Output]] = {}
        for layer in self.file.layers:
            for index, port in enumerate(layer.outputs):
                outputs.setdefault((layer.graph, port.dims, port.precision), []).append(
                    (layer, index)
                )
                if port.precision is not None:  # IR v10: input ports have none
                    outputs.setdefault((layer.graph, port.dims, None), []).append(
                        (layer, index)
                    )
        return outputs

    @cached_property
    def rows(self) -> dict[int, int]:
        """The place of each layer in the text, by the byte where it starts."""
        return {layer.offset: row for row, layer in enumerate(self.file.layers)}

    def is_used(self, output: Output) -> bool:
        """Whether an input takes ``output``, or none needs to: an Assign keeps what it takes."""
        return self._is_used[output]

    def outputs_like(self, graph: Graph, port: Port) -> list[Output]:
        """The outputs that say what an input says, and that of the only layer that nothing takes."""
        alike = self.outputs_by_port.get((graph, port.dims, port.precision), [])
        loose = self._loose[graph]
        if len(loose) == 1 and loose[0] not in alike:
            return [*loose, *alike]
        return alike

    @cached_property
    def _loose(self) -> dict[Graph, list[Output]]:
        """The outputs of each graph of layers with one output that no edge leaves."""
        outputs: dict[Graph, list[Output]] = {graph: [] for graph in self.file.graphs}
        for layer in self.file.layers:
            if len(layer.outputs) == 1 and not self.is_used((layer, 0)):
                outputs[layer.graph].append((layer, 0))
        return outputs

    def into(self, graph: Graph, number: int) -> list[Edge]:
        """The edges that lead to the layer with an id."""
        return self._edges[graph][0].get(number, [])

    def out_of(self, graph: Graph, number: int) -> list[Edge]:
        """The edges that come from the layer with an id."""
        return self._edges[graph][1].get(number, [])

    def ports_named(self, graph: Graph, number: int) -> tuple[set[int], set[int]]:
        """The ids of inputs and of outputs that edges name of the layer ``number``."""
        key = graph, number
        if key not in self._ports_named:  # many layers may have one id
            self._ports_named[key] = (
                {edge.to_port for edge in self.into(graph, number)},
                {edge.from_port for edge in self.out_of(graph, number)},
            )
        return self._ports_named[key]

    def suits(self, layer: Layer, graph: Graph, number: int) -> bool:
        """Whether ``layer`` has all ports that edges of ``graph`` name of the layer ``number``."""
        into, out_of = self.ports_named(graph, number)
        inputs = {port.id for port in layer.inputs}
        outputs = {port.id for port in layer.outputs}
        return into <= inputs and out_of <= outputs

    def named(self, graph: Graph) -> set[int]:
        """The ids that edges name."""
        into, out_of = self._edges[graph]
        return {*into, *out_of}

    @cached_property
    def _edges(
        self,
    ) -> dict[Graph, tuple[dict[int, list[Edge]], dict[int, list[Edge]]]]:
        """The edges of each graph by the layer to which, and by that from which they lead."""
        edges: dict[Graph, tuple[dict[int, list[Edge]], dict[int, list[Edge]]]] = {}
        for graph in self.file.graphs:
            into, out_of = edges[graph] = {}, {}
            for edge in graph.edges:
                into.setdefault(edge.to_layer, []).append(edge)
                out_of.setdefault(edge.from_layer, []).append(edge)
        return edges

    def misfits(self, graph: Graph) -> list[Edge]:
        """The edges that do not fit the layers."""
        return self._misfits[graph]

    @cached_property
    def _misfits(self) -> dict[Graph, list[Edge]]:
        return {
            graph: [edge for edge in graph.edges if not fits(graph, edge)]
            for graph in self.file.graphs
        }

    def some_edges(self, graph: Graph) -> list[Edge]:
        """A sample of the edges, and of those that do not fit."""
        step = 1 + len(graph.edges) // _MOST_SAMPLED
        return [*self.misfits(graph)[:_MOST_SAMPLED], *graph.edges[::step]]

    def edge_before(self, layer: Layer, port: int) -> Edge | None:
        """The edge behind which one into ``port`` belongs: edges are in the order of their targets."""
        edges = self._in_order[layer.graph]
        at = bisect_left(edges, (layer.id, port), key=_target)
        if edges:
            return edges[max(0, at - 1)]
        return None

    @cached_property
    def _in_order(self) -> dict[Graph, list[Edge]]:
        return {graph: sorted(graph.edges, key=_target) for graph in self.file.graphs}

    def edge_into(self, layer: Layer, index: int) -> Edge | None:
        return layer.graph.fed.get((layer.id, layer.inputs[index].id))

    def edge_edits(self, edge: Edge, **numbers: int) -> tuple[Edit, ...]:
        """The edits that give attributes of an ``<edge>`` other numbers: ``from_layer=3``."""
        tag = tag_at(self.source, edge.offset)
        changes = [
            attribute_change(tag, name, str(number))
            for name, number in _new_ends(edge, numbers)
        ]
        return edits_of(self.source, changes)

    def repair(
        self,
        message: str,
        layer: Layer | None,
        place: Place | None,
        changes: Sequence[tuple[Span, str | bytes]],
        what: str = "",
        price: float = 1.0,
        **fields: Any,
    ) -> Hypothesis:
        """The hypothesis that texts replace spans of the parsed text; see ``Hypothesis``."""
        edits = edits_of(self.source, changes)
        return Hypothesis(message, layer, place, edits, what, price, **fields)

    def line(self, offset: int) -> int:
        """The line of byte ``offset``."""
        return self.source.position(offset)[0]

    def constant(self, layer: Layer) -> Constant | None:
        return self.file.declared.get(layer.signature)

    @cached_property
    def constants(self) -> list[tuple[Layer, Constant]]:
        """The layers that are Consts, and what each declares."""
        return [
            (layer, constant)
            for layer in self.file.layers
            if (constant := self.constant(layer)) is not None
        ]

    def element(self, layer: Layer) -> Element:
        return self.file.element(layer)


def ends_to_set(edge: Edge, **numbers: int) -> str:
    """How to give attributes of an ``<edge>`` other numbers, in words."""
    ends = [f'{name}="{number}"' for name, number in _new_ends(edge, numbers)]
    return f"set {' and '.join(ends)}"


def _new_ends(edge: Edge, numbers: dict[str, int]) -> list[tuple[str, int]]:
    """The attributes of an ``<edge>`` that get another number, as they are spelt."""
    return [
        (name.replace("_", "-"), number)
        for name, number in numbers.items()
        if getattr(edge, name) != number
    ]


def edge_text(source: Output, target: int, port: int) -> str:
    """An ``<edge>`` from an output to an input port of the layer ``target``."""
    layer, index = source
    start = f'from-layer="{layer.id}" from-port="{layer.outputs[index].id}"'
    return f'<edge {start} to-layer="{target}" to-port="{port}"/>'


def unused(layer: Layer) -> str:
    return f"the output of {called(layer)} is unused"


def _is_used(output: Output) -> bool:
    layer, index = output
    return layer.type == "Assign" or layer.is_read(index)


def same(port: Port, other: Port) -> bool:
    """Whether two ports declare one tensor."""
    is_type = (
        port.precision is None
        or other.precision is None
        or port.precision == other.precision
    )
    return port.dims == other.dims and is_type


def fits(graph: Graph, edge: Edge, rows: dict[int, int] | None = None) -> bool:
    """Whether both ends of ``edge`` are there, and agree as far as they have dims; ``rows`` as in ``Graph.ends``."""
    ends = graph.ends(edge, rows)
    if ends is None:
        return False
    output, input = ends
    return same(output, input) or not (output.dims and input.dims)


def counts_on(graph: Graph) -> bool:
    """Whether the ids of layers are 0, 1, 2 and so on, as converters write them."""
    return graph.ids == [*range(len(graph.ids))]


def called(layer: Layer) -> str:
    """What messages call a layer: by its name alone where its id cannot be read."""
    if layer.id >= 0:
        return f'layer {layer.id} "{layer.name}"'
    return f'layer "{layer.name}"'
