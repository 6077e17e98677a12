"""The text of a model with further Results, so that inner tensors come out, and Parameters, so that others go in."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from ovgather.errors import InvalidModelError
from ovgather.ir.edit.edits import patched
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of, tag_at
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes.onnx_model import OnnxTap
from ovgather.tensor.arrays import Array
from ovgather.tensor.walk import reached

_PREFIX = "ovgather_tap_"


class Tap(NamedTuple):
    """An output of a layer of an IR, by position."""

    layer: Layer
    output: int

    @property
    def depth(self) -> int:
        """How many bodies it is in; its value has a leading dim for each, of how often the body ran."""
        return self.layer.graph.depth

    @property
    def outside(self) -> "Tap | None":
        """What the layer around its body gives; None at the top."""
        if self.layer.body:
            return Tap(around(self.layer), 0)
        return None


Feed: TypeAlias = "Array | Tap | OnnxTap | int"
"""Where a value is found: it is known, it is tapped, or it is that input of the model."""
Inner = list[Any]
"""A tap in a body, for the worker: the path of the body, the name of the layer, the output, the name of the Result."""


def tap(
    model: Model,
    taps: Sequence[Tap],
    pruned: bool = False,
    replaced: Sequence[Tap] = (),
) -> tuple[bytes, list[str], list[Inner]]:
    """The model's text with a Result at each of ``taps``, and the names of those Results. Raises InvalidModelError.

    The worker adds those in bodies. With ``pruned``, the model's own Results are none any more: OpenVINO then builds
    only what the taps need. What reads one of ``replaced`` reads a Parameter in its place, the first of the model.
    """
    used = {layer.name for layer in model.graph.layers}
    ids = (id for id in count() if id not in model.graph.rows)
    layers = []
    edges = []
    names = list[str]()
    inner = list[Inner]()
    edits: list[tuple[Span, bytes]] = []
    for number, (layer, output) in enumerate(replaced):
        id, (shape, _, kind) = next(ids), output_tensor(layer, output)
        assert kind is not None
        data = f'<data element_type="{kind.name}" shape="{",".join(map(str, shape))}"/>'
        dims = "".join(
            f"<dim>{dim.min if dim.is_static else -1}</dim>" for dim in shape
        )
        port = f'<output><port id="0" precision="{kind.port}">{dims}</port></output>'
        head = f'<layer id="{id}" name="{_PREFIX}in_{number}" type="Parameter" version="opset1">'
        layers.append(f"{head}{data}{port}</layer>\n")
        for edge in model.graph.edges:
            if (edge.from_layer, edge.from_port) == (
                layer.id,
                layer.outputs[output].id,
            ):
                tag = tag_at(model.source, edge.offset)
                edits += [
                    (tag.attribute_span("from-layer"), b"%d" % id),
                    (tag.attribute_span("from-port"), b"0"),
                ]
    for number, (layer, output) in enumerate(taps):
        id = next(ids)
        name = f"{_PREFIX}{number}"
        while name in used:
            name += "_"
        names.append(name)
        if layer.body:
            inner.append([layer.body, layer.name, output, name])
            if not pruned:
                continue
            layer = around(layer)
            output = 0
            name = f"{name}around"
        head = f'<layer id="{id}" name="{name}" type="Result" version="opset1">'
        layers.append(f'{head}<input><port id="0"/></input></layer>\n')
        if model.ir_version == 10:
            edits += _without_names(model, layer, output)
        source = f'from-layer="{layer.id}" from-port="{layer.outputs[output].id}"'
        edges.append(f'<edge {source} to-layer="{id}" to-port="0"/>\n')
    if not model.graph.layers or not model.graph.edges:
        raise InvalidModelError(
            f"{model.path}: no <layers> or <edges> with anything in it"
        )
    at_layers = min(layer.offset for layer in model.graph.layers)
    at_edges = min(edge.offset for edge in model.graph.edges)
    edits += [
        ((at_layers, at_layers), "".join(layers).encode()),
        ((at_edges, at_edges), "".join(edges).encode()),
    ]
    if pruned:
        # OpenVINO reads no layer that nothing depends on.
        states = _states_behind([around(layer) for layer, _ in taps])
        edits += [
            (element_of(model.source, layer).attribute_span("type"), b"Unused")
            for layer in model.graph.layers
            if layer.type == "Result"
            or (layer.type == "Assign" and layer.data.get("variable_id") not in states)
        ]
    return patched(model.source.data, edits), names, inner


def _without_names(
    model: Model, layer: Layer, output: int
) -> Iterator[tuple[Span, bytes]]:
    """What takes the tensor names from an output: of version 10, OpenVINO refuses two Results or inputs of one name."""
    port = element_of(model.source, layer).ports("output")[output]
    if port.attributes.get("names"):
        yield port.attribute_span("names"), b""


def _states_behind(layers: Sequence[Layer]) -> set[str | None]:
    """The states that what these layers give depends on, with what is assigned to them."""
    return {
        layer.data.get("variable_id")
        for layer in reached(layers, _sources)
        if layer.type == "ReadValue"
    }


def _sources(layer: Layer) -> list[Layer]:
    """The layers that a layer reads; those that assign to a state are read by what reads it."""
    sources = [source[0] for source in layer.graph.producers(layer) if source]
    if layer.type == "ReadValue":
        name = layer.data.get("variable_id")
        sources += [
            each
            for each in layer.graph.layers
            if each.type == "Assign" and each.data.get("variable_id") == name
        ]
    return sources


def own_outputs(model: Model, type: str = "Result") -> list[Tap]:
    """What the Results of the model read, in their order, or what layers of another ``type`` do."""
    results = [layer for layer in model.graph.layers if layer.type == type]
    return [
        Tap(*source)
        for source in (layer.producer(0) for layer in results)
        if source is not None
    ]


def around(layer: Layer) -> Layer:
    """The layer of the top graph that holds a layer of a body."""
    while layer.graph.parent is not None:
        layer = layer.graph.parent
    return layer
