"""Result layers added to the text of a model, so that inner tensors come out, and the layers that only move these."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeAlias

import numpy

from ovgather.crosscheck.options import Tolerance
from ovgather.errors import InvalidModelError
from ovgather.ir.edit.edits import patched
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import element_of
from ovgather.runtimes.onnx_model import OnnxTap
from ovgather.tensor.arrays import Array, bits

MOVES = frozenset({"Reshape", "Squeeze", "Unsqueeze", "Transpose", "Concat"})
"""Layers that only move what they read: what they got shows in what they give."""
CAUSE = "consumer"
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


def tap(model: Model, taps: Sequence[Tap], pruned: bool = False) -> tuple[bytes, list[str], list[Inner]]:
    """The model's text with a Result at each of ``taps``, and the names of those Results. Raises InvalidModelError.

    The worker adds those in bodies. With ``pruned``, the model's own Results are none any more: OpenVINO then builds
    only what the taps need.
    """
    used = {layer.name for layer in model.graph.layers}
    ids = (id for id in count() if id not in model.graph.rows)
    layers, edges, names, inner = [], [], list[str](), list[Inner]()
    for number, (layer, output) in enumerate(taps):
        id, name = next(ids), f"{_PREFIX}{number}"
        while name in used:
            name += "_"
        names.append(name)
        if layer.body:
            inner.append([layer.body, layer.name, output, name])
            if not pruned:
                continue
            layer, output, name = around(layer), 0, f"{name}around"
        head = f'<layer id="{id}" name="{name}" type="Result" version="opset1">'
        layers.append(f'{head}<input><port id="0"/></input></layer>\n')
        source = f'from-layer="{layer.id}" from-port="{layer.outputs[output].id}"'
        edges.append(f'<edge {source} to-layer="{id}" to-port="0"/>\n')
    if not model.graph.layers or not model.graph.edges:
        raise InvalidModelError(f"{model.path}: no <layers> or <edges> with anything in it")
    at_layers = min(layer.offset for layer in model.graph.layers)
    at_edges = min(edge.offset for edge in model.graph.edges)
    edits = [((at_layers, at_layers), "".join(layers).encode()), ((at_edges, at_edges), "".join(edges).encode())]
    if pruned:
        # OpenVINO reads no layer that nothing depends on.
        results = [layer for layer in model.graph.layers if layer.type == "Result"]
        edits += [(element_of(model.source, layer).attribute_span("type"), b"Unused") for layer in results]
    return patched(model.source.data, edits), names, inner


def around(layer: Layer) -> Layer:
    """The layer of the top graph that holds a layer of a body."""
    while layer.graph.parent is not None:
        layer = layer.graph.parent
    return layer


class Consumer(NamedTuple):
    """A layer that moves values, where its inputs are found, and the tap of its output."""

    layer: Layer
    feeds: list[Feed]
    output: Tap

    @property
    def points(self) -> list[Tap]:
        return [*(feed for feed in self.feeds if isinstance(feed, Tap)), self.output]

    def problem(self, value: Callable[[Feed], Array], tolerance: Tolerance | None) -> str:
        """What is wrong with its output, if it is not made of its inputs."""
        axis = int(self.layer.data.get("axis", "0"))
        try:
            got, (want, *others) = value(self.output), map(value, self.feeds)
            if self.layer.type == "Concat":
                want = numpy.asarray(numpy.concatenate([want, *others], axis=axis))
            elif self.layer.type == "Transpose":
                want = numpy.asarray(want.transpose(others[0].ravel().tolist() or None))
        except (ValueError, IndexError):
            return ""  # a type that cannot be read, or no such axis: nothing is known
        if want.dtype != got.dtype or want.size != got.size:
            return ""
        wrong = numpy.flatnonzero(bits(got).ravel() != bits(want).ravel())
        if not wrong.size or (tolerance is not None and tolerance.holds(got, want.reshape(got.shape))):
            return ""
        at = ",".join(map(str, numpy.unravel_index(wrong[0], got.shape)))
        return (
            f"the {self.layer.type} {self.layer.name!r}, which reads the same values, gets others: {wrong.size} of"
            f" {got.size} elements differ, first at [{at}]: {got.flat[wrong[0]]} for {want.flat[wrong[0]]}"
        )
