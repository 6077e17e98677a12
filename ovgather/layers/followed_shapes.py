"""Shapes that follow from what Parameters and Consts declare, by way of layers whose output is known from their inputs.

A port has a number for each dim, or -1: the interval of a Parameter (``1..8``) is lost behind the first layer. And
OpenVINO looks at no port: where ports contradict each other, these are the shapes that it goes by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.layers.layer_facts import LayerFacts
from ovgather.layers.tensors import Followed, Known, Tensor, output_tensor

_INTERVAL = re.compile(r"[0-9]\s*\.\.|\.\.\s*[0-9]")
_DECLARED = frozenset({"Parameter", "Const"})
_KNOWN_AXIS = frozenset({"attribute", "const"})
_KEEPS_SHAPE = (
    "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceiling Clamp Convert Cos Cosh Elu Erf Exp Floor Gelu HSigmoid"
    " HSwish Identity Log LogSoftmax LogicalNot Mish Negative Relu Round Sigmoid Sign Sin Sinh SoftPlus SoftSign"
    " SoftMax Softmax Sqrt Swish Tan Tanh ReLU"
)
KEEPS_SHAPE = frozenset(_KEEPS_SHAPE.split())
"""Types whose output has the shape of the first input."""


def has_interval(signatures: Iterable[LayerSignature]) -> bool:
    """Whether a Parameter among ``signatures`` has an interval of lengths."""
    return any(
        signature.type == "Parameter" and _INTERVAL.search(signature.data.get("shape", "")) for signature in signatures
    )


def follow(model: Model, gathers: Iterable[LayerFacts]) -> Followed:
    """The known shapes of outputs of ``model``, whose family layers are ``gathers``."""
    found: Followed = {}
    by_place = {gather.layer.offset: gather for gather in gathers}
    for graph in model.graph.graphs():
        _follow(graph, by_place, found)
    return found


def _follow(graph: Graph, gathers: dict[int, LayerFacts], found: Followed) -> None:
    for layer in in_order(graph):
        if not layer.outputs:
            continue
        known: Known | None = None
        if layer.type in _DECLARED:
            declared = output_tensor(layer, 0)
            known = Known(declared.shape, sure=True) if declared.certain and layer.data else None
        elif layer.offset in gathers:
            known = _inferred(gathers[layer.offset], found)
        elif layer.type in KEEPS_SHAPE:
            known = _input(layer, 0, found)
        if known is not None:
            found[layer.offset, 0] = known


def _input(layer: Layer, index: int, found: Followed) -> Known | None:
    source = layer.producer(index)
    return found.get((source[0].offset, source[1])) if source is not None else None


def _inferred(gather: LayerFacts, found: Followed) -> Known | None:
    inputs = [_input(gather.layer, index, found) for index in range(len(gather.shapes))]
    if not any(inputs[:2]):
        return None
    shapes = [shape if known is None else known.shape for known, shape in zip(inputs, gather.shapes, strict=True)]
    if gather.problems(shapes, gather.axis):
        return None
    shape = gather.operation.infer(shapes, axis=gather.axis, batch_dims=gather.batch_dims).shape
    sure = all(known is not None and known.sure for known in inputs[:2])
    if gather.operation.has_axis and gather.axis_source not in _KNOWN_AXIS:
        sure = False
    return _with_port(Known(shape, sure), output_tensor(gather.layer, 0))


def _with_port(known: Known, port: Tensor) -> Known | None:
    """The intersection of ``known`` and the port's shape, unless ``known`` is sure; None if they differ."""
    if known.sure or not port.certain:
        return known
    if not known.shape.compatible(port.shape):
        return None
    return Known(known.shape & port.shape, sure=False)


def in_order(graph: Graph) -> Iterator[Layer]:
    """The layers of ``graph``, each after its producers; layers of a cycle are left out."""
    waiting: dict[int, int] = {}
    fed: dict[int, list[Layer]] = {}
    ready: list[Layer] = []
    for layer in graph.layers:
        given = [layer.producer(index) for index in range(len(layer.inputs))]
        sources = {source[0].offset for source in given if source is not None}
        waiting[layer.offset] = len(sources)
        for offset in sources:
            fed.setdefault(offset, []).append(layer)
        if not sources:
            ready.append(layer)
    while ready:
        layer = ready.pop()
        yield layer
        for reached in fed.get(layer.offset, ()):
            waiting[reached.offset] -= 1
            if not waiting[reached.offset]:
                ready.append(reached)
