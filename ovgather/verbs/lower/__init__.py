"""Gather layers of one type as layers of another, inside a whole IR: for targets that lack one of the types."""

import os
from collections import Counter
from collections.abc import Sequence
from itertools import count, islice
from xml.sax.saxutils import quoteattr

from ovgather.errors import InvalidModelError, short_repr
from ovgather.ir.constants import all_bytes
from ovgather.ir.edit.edits import patched
from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_at, element_of
from ovgather.ir.read import WeightsOrData
from ovgather.ir.writer import Flow, Pieces, Writer, WrittenTensor, port_text
from ovgather.layers.formats import AnySource, read
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.reference import called
from ovgather.ops import openvino as ops
from ovgather.tensor.arrays import Array
from ovgather.tensor.guard import guarded
from ovgather.tensor.shape import PartialShape
from ovgather.validation.check import usable
from ovgather.verbs.convert.layers import VERSIONS, LayerBuilder
from ovgather.verbs.lower.forms import Last, rewritten
from ovgather.verbs.written_model import (
    LayerModel,
    UniqueNames,
    listed,
    origins_of,
    require_well_formed,
)


@guarded
def lower(
    source: AnySource,
    type: str,
    to: str,
    layer: str | None = None,
    *,
    weights: WeightsOrData | None = None,
    verify: bool = True,
    follow_links: bool = False,
) -> LayerModel:
    """A whole IR with its layers of ``type`` rewritten as layers of the type ``to``, which mean the same.

    A layer keeps its id, its name and its output port; a Transpose, an Unsqueeze or a Const may come before it. Each
    new form is run in OpenVINO beside the reference of the old one before anything is returned.

    Args:
        source, weights, follow_links: the IR that is read, with which ``.bin``; see ``ovgather.read``.
        type, to: ``Gather``, ``GatherElements`` or ``GatherND``; ``to`` is Gather-8, GatherElements-6 or GatherND-8.
        layer: only this one, by name or id, with the path of bodies before it for a nested one.
        verify: False leaves out the run in OpenVINO.

    Returns:
        A model with ``text``, ``weights``, ``write(path)``; ``inputs`` says what was rewritten, ``notes`` what differs.

    Raises:
        UnreadableError: the file cannot be read.
        InvalidModelError: there is no such layer, or one of them has no such form; the message says why.
        UnavailableError: OpenVINO is not installed, and ``verify`` asks for it.

    >>> lower("samples_xml/demo/good.xml", "GatherElements", "GatherND", verify=False).inputs[0]
    'GatherElements-6 "sorted_tokens" (layer 16) as GatherND-8'
    """
    for name in (type, to):
        if name not in VERSIONS:
            raise InvalidModelError(
                f"type {short_repr(name)} is not one of {', '.join(VERSIONS)}"
            )
    model = usable(read(source, weights, follow_links=follow_links))
    if not isinstance(model, Model):
        raise InvalidModelError(f"{model.path}: only layers of IR are lowered")
    require_well_formed(model)
    chosen = None
    if layer is not None:
        chosen = model.find(layer)
    gathers = [
        each
        for each in gather_layers(model)
        if each.operation.type == type and chosen in (None, each.layer)
    ]
    if not gathers or type == to:
        where = "it has none"
        if layer is not None:
            where = f"layer {layer!r} is none"
        raise InvalidModelError(
            f"{model.path}: no {type} can be written as {to}: {where}"
        )
    return _Lowering(model, to).run(gathers, verify)


class _Lowering:
    def __init__(self, model: Model, to: str) -> None:
        self.model = model
        self.to = to
        self.notes: list[str] = []
        self.next_ids: dict[int, int] = {}
        self.freed: Counter[int] = Counter()
        held = all_bytes(model.weights)
        if held is None or (
            model.weights is None
            and any(each.type == "Const" for each in model.layers())
        ):
            raise InvalidModelError(
                f"{model.path}: its .bin is needed, for constants are added to it"
            )
        self.pieces = Pieces()
        self.pieces.put(held)

    def run(self, gathers: Sequence[GatherLayer], verify: bool) -> LayerModel:
        edits: list[tuple[Span, bytes]] = []
        changes = []
        refusals = []
        for gather in gathers:
            try:
                edits += self._edits(gather)
                if verify:
                    self._verify(gather)
            except InvalidModelError as error:
                refusals.append(f"{called(gather.reference)}: {error}")
            target = ops.find(self.to, VERSIONS[self.to])
            changes.append(
                f"{called(gather.reference)} as {target.name if target else self.to}"
            )
        if refusals:
            what = f"not every {gathers[0].operation.type} can be written as {self.to}"
            raise InvalidModelError(f"{self.model.path}: {what}: {listed(refusals)}")
        source = self.model.source
        pieces = tuple(self.pieces.views)
        text = (
            patched(source.original, edits)
            .decode()
            .encode(source.encoding, "xmlcharrefreplace")
        )
        name = os.path.basename(self.model.path)
        notes = tuple(dict.fromkeys(self.notes))
        return LayerModel(
            name, text, pieces, tuple(changes), notes, origins_of(self.model)
        )

    def _edits(self, gather: GatherLayer) -> list[tuple[Span, bytes]]:
        """The edits of the text; constants go to ``pieces``."""
        layer = gather.layer
        graph = gather.layer.graph
        edges = [edge for edge in graph.edges if edge.to_layer == layer.id]
        if len(layer.outputs) != 1 or len(edges) != len(layer.inputs) or gather.errors:
            raise InvalidModelError(
                gather.problem or "its ports and edges do not fit together"
            )
        first = self.next_ids.get(
            id(graph), max(other.id for other in graph.layers) + 1
        )
        parts = Writer("", first=first)
        parts.pieces = self.pieces
        flows = []
        for index in range(2):
            producer = layer.producer(index)
            kind = gather.element_types[index]
            if producer is None or kind is None or kind.kind == "dynamic":
                raise InvalidModelError(
                    "the file does not say which element types it has"
                )
            output = producer[0].id, producer[0].outputs[producer[1]].id
            flows.append(Flow(output, WrittenTensor(kind, gather.shapes[index])))
        names = UniqueNames(layer.name or f"layer {layer.id}")
        names.used |= {other.name for other in graph.layers}
        last = rewritten(
            LayerBuilder(parts, names),
            gather,
            self.to,
            flows,
            gather.values(1),
            self.notes,
        )
        self.next_ids[id(graph)] = first + len(parts.layers)
        text = b"\n\t\t".join(
            [each.strip() for each in parts.layers]
            + [self._last_text(parts, layer, last)]
        )
        edits = [self._edit(layer.offset, text)]
        edits += [self._edit(edge.offset) for edge in edges[1:]]
        edits.append(
            self._edit(
                edges[0].offset, b"\n\t\t".join(each.strip() for each in parts.edges)
            )
        )
        axis = None
        if len(layer.inputs) > 2:
            axis = layer.producer(2)
        if axis is not None and not axis[0].inputs:
            self.freed[axis[0].offset] += 1
            if self.freed[axis[0].offset] == sum(
                edge.from_layer == axis[0].id for edge in graph.edges
            ):
                edits.append(self._edit(axis[0].offset))  # nothing reads it any more
        return edits

    def _edit(self, offset: int, text: bytes = b"") -> tuple[Span, bytes]:
        element = element_at(self.model.source, offset)
        return (element.start, end_of(element)), text

    def _last_text(self, parts: Writer, layer: Layer, last: Last) -> bytes:
        """The text of the layer itself, with its own output and notes, and the edges into it."""
        element = element_of(self.model.source, layer)
        source = self.model.source.data
        kept = b"".join(
            source[each.start : end_of(each)]
            for each in (element.first("output"), element.first("rt_info"))
            if each is not None
        )
        numbers = list(
            islice(
                (number for number in count() if number != layer.outputs[0].id),
                len(last.inputs),
            )
        )
        for number, flow in zip(numbers, last.inputs, strict=True):
            parts.edge(flow.output, (layer.id, number))
        ports = "".join(
            port_text(number, flow.tensor)
            for number, flow in zip(numbers, last.inputs, strict=True)
        )
        data = "".join(f" {key}={quoteattr(value)}" for key, value in last.data.items())
        name = element.attributes.get("name", "")
        head = f'<layer id="{layer.id}" name={quoteattr(name)} type="{last.type}" version="{last.version}">'
        return (
            f"{head}<data{data}/><input>{ports}</input>".encode() + kept + b"</layer>"
        )

    def _verify(self, gather: GatherLayer) -> None:
        """Run the new form of a layer in OpenVINO, and compare it with the reference of the old one."""
        from ovgather.comparison.alone.run import crosscheck_lowered

        def build(data: Array, indices: Array, constant: bool) -> tuple[bytes, bytes]:
            writer = Writer("lowered")
            flows = []
            layers = LayerBuilder(writer, UniqueNames("lowered layer"))
            for index, (name, array) in enumerate(
                (("data", data), ("indices", indices))
            ):
                kind = gather.element_types[index]
                assert kind is not None  # it was rewritten
                shape = PartialShape.of(array.shape)
                flows.append(
                    layers.source(
                        name, kind, shape, array if constant and index == 1 else None
                    )
                )
            last = rewritten(
                layers, gather, self.to, flows, indices if constant else None, []
            )
            shapes = [flow.tensor.shape for flow in flows]
            shape = gather.operation.infer(
                shapes, axis=gather.axis, batch_dims=gather.batch_dims
            ).shape
            output = WrittenTensor(flows[0].tensor.element_type, shape)
            source = writer.layer(
                "last", last.type, last.version, last.data, last.inputs, output
            )
            writer.result("out", source)
            return writer.text, writer.weights

        problem = crosscheck_lowered(gather, build)
        if problem is not None and problem.verdict == "skipped":
            self.notes.append(
                f"{called(gather.reference)} is not verified: {problem.reason}"
            )
        elif problem is not None:
            raise InvalidModelError(
                f"as rewritten it is {problem.verdict}: {problem.reason}"
            )
