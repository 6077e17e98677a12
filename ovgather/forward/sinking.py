"""The Reshapes around a MatMul that OpenVINO writes anew before it gives a model other input shapes.

Of a Reshape to ``[-1,K]``, a MatMul by a constant and a Reshape back to constant lengths, it lets the MatMul keep the
dims of the data, and takes the first length from them: the pass ``ReshapeSinkingMatMul`` of its ``SmartReshape``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ovgather.forward.attributes import read_attributes
from ovgather.forward.records import find_layer
from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.tensor.dimension import Dimension
from ovgather.tensor.interval import Items, of_dimension
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_FLAT = 2
"""The rank between the Reshapes."""
Known = Mapping[int, Sequence[Tensor]]
Sunk: TypeAlias = "tuple[LayerSignature, Tensor]"


def sunk_reshapes(graph: Graph, inputs: Known) -> dict[int, Sunk]:
    """The signature and the pattern of each Reshape that OpenVINO writes anew, by offset.

    Args:
        inputs: the tensors of the inputs of each layer, by offset, for the shapes of the file.
    """
    sunk: dict[int, Sunk] = {}
    for layer in graph.layers:
        if layer.type != "Reshape":
            continue
        lengths = _pattern(layer, inputs)
        product = _source(layer, "Add") or _source(layer, "MatMul")
        if product is None or not lengths or any([item <= 0 for item in lengths]):
            continue
        if product.type == "Add":
            bias = inputs[product.offset][1].shape.dims or ()
            if not _is_bias(product, bias, lengths[-1]):
                continue
            product = _source(product, "MatMul")
        first = None if product is None else _source(product, "Reshape")
        if product is None or first is None or first.offset in sunk:
            continue
        if _keeps_dims(first, product, lengths, inputs):
            kept = len(lengths) - 1
            sunk[first.offset] = _sunk(first, (*[0] * kept, _pattern(first, inputs)[1]))
            sunk[layer.offset] = _sunk(layer, (0, *lengths[1:]))
    return sunk


def _sunk(layer: Layer, pattern: Items) -> Sunk:
    """A Reshape in which 0 is the length of the data, with another pattern."""
    signature = LayerSignature(layer.type, layer.version)
    signature.data = {**layer.data, "special_zero": "true"}
    signature.inputs, signature.outputs = (
        layer.signature.inputs,
        layer.signature.outputs,
    )
    shape = PartialShape.of((len(pattern),))
    return signature, Tensor(shape, "i64", pattern, is_constant=True)


def _keeps_dims(
    first: Layer, product: Layer, lengths: Sequence[int], inputs: Known
) -> bool:
    """Whether ``lengths`` are those of the data of ``first``, but for the first one and the product's."""
    dims = inputs[first.offset][0].shape.dims or ()
    pattern = _pattern(first, inputs)
    weights = inputs[product.offset][1].shape.dims or ()
    declaration = find_layer(product.signature)
    if not (len(pattern) == len(weights) == _FLAT < len(dims) == len(lengths)):
        return False
    if declaration is None or not _is_const(product):
        return False
    attributes = read_attributes(declaration, product.data)
    if attributes["transpose_a"] or pattern[0] != -1 or pattern[1] == -1:
        return False
    inner, outer = weights[::-1] if attributes["transpose_b"] else weights
    kept = [of_dimension(dim) for dim in dims[1:]]
    return (
        kept == [*lengths[1:-1], pattern[1]]
        and of_dimension(inner) == pattern[1]
        and of_dimension(outer) == lengths[-1]
    )


def _is_bias(layer: Layer, dims: Sequence[Dimension], last: int) -> bool:
    """Whether an Add adds a constant that has a length only in the last dim."""
    lengths = [of_dimension(dim) for dim in dims]
    ones = [1] * len(lengths)
    return (
        _is_const(layer)
        and layer.data.get("auto_broadcast", "numpy") == "numpy"
        and len(lengths) <= _FLAT
        and lengths in (ones, [*ones[1:], last])
    )


def _pattern(layer: Layer, inputs: Known) -> list[int]:
    """The elements of a Const that is the second input; none where it is another layer."""
    if len(inputs[layer.offset]) < 2 or not _is_const(layer):
        return []
    items = inputs[layer.offset][1].value or ()
    return [item for item in items if isinstance(item, int)]


def _is_const(layer: Layer) -> bool:
    source = layer.producer(1)
    return source is not None and source[0].type == "Const"


def _source(layer: Layer, type: str) -> Layer | None:
    """The layer of ``type`` that feeds the first input."""
    source = layer.producer(0)
    if source is None or source[0].type != type:
        return None
    return source[0]
