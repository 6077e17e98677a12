"""Shapes that follow from Parameters and Consts. A port has a number for each dim, or -1, so it loses the interval of a
Parameter (``1..8``). OpenVINO ignores ports: where they contradict each other, it computes these shapes."""

import re
from collections.abc import Iterable, Iterator

from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.layers.layer_facts import LayerFacts
from ovgather.layers.tensors import KEEPS_SHAPE, Followed, Known, output_tensor

_INTERVAL = re.compile(r"[0-9]\s*\.\.|\.\.\s*[0-9]")
_DECLARED = frozenset({"Parameter", "Const"})
_KNOWN_AXIS = frozenset({"attribute", "const"})


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
    return _input(layer, 0, followed) if layer.type in KEEPS_SHAPE else None


def _input(layer: Layer, index: int, followed: Followed) -> Known | None:
    source = layer.producer(index)
    return followed.get((source[0].offset, source[1])) if source is not None else None


def _inferred(gather: LayerFacts, followed: Followed) -> Known | None:
    """The inferred shape; unless it is sure, its intersection with that of the port, or None if they differ."""
    inputs = [_input(gather.layer, index, followed) for index in range(len(gather.shapes))]
    if not any(inputs[:2]):
        return None
    shapes = [shape if known is None else known.shape for known, shape in zip(inputs, gather.shapes, strict=True)]
    if gather.operation.check(shapes, axis=gather.axis, batch_dims=gather.batch_dims):
        return None
    shape = gather.operation.infer(shapes, axis=gather.axis, batch_dims=gather.batch_dims).shape
    has_sure_axis = not gather.operation.has_axis or gather.axis_source in _KNOWN_AXIS
    sure = has_sure_axis and all(known is not None and known.sure for known in inputs[:2])
    port = output_tensor(gather.layer, 0)
    if sure or not port.certain:
        return Known(shape, sure)
    return Known(shape & port.shape, sure=False) if shape.compatible(port.shape) else None


def in_order(graph: Graph) -> Iterator[Layer]:
    """The layers of ``graph``, each after its producers; layers of a cycle are left out."""
    counts: dict[int, int] = {}
    consumers: dict[int, list[Layer]] = {}
    for layer in graph.layers:
        offsets = {source[0].offset for source in graph.producers(layer) if source is not None}
        counts[layer.offset] = len(offsets)
        for offset in offsets:
            consumers.setdefault(offset, []).append(layer)
    ready = [layer for layer in graph.layers if not counts[layer.offset]]
    while ready:
        layer = ready.pop()
        yield layer
        for consumer in consumers.get(layer.offset, ()):
            counts[consumer.offset] -= 1
            if not counts[consumer.offset]:
                ready.append(consumer)
