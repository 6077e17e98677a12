"""The declared tensor at a port: from ``<data>``, where a ``Parameter`` and a ``Const`` declare shape and element type
and OpenVINO reads them, else from the port itself."""

from math import prod
from typing import NamedTuple

from ovgather.forward.parameter_shape import read_shape
from ovgather.forward.run import Forward, forward_of
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.constants import parse_shape
from ovgather.ir.graph import Layer, LayerSignature, Port
from ovgather.ir.model import Model
from ovgather.tensor import element_type
from ovgather.tensor import tensor as computed
from ovgather.tensor.dimension import ANY
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, lengths, of_dims
from ovgather.tensor.tensor import Basis

SCALAR = PartialShape.of([])


class PortTensor(NamedTuple):
    """A tensor at a port; not ``certain``: a port without dims, so a scalar or, as ``shape`` says, of dynamic rank."""

    shape: PartialShape
    certain: bool
    element_type: ElementType | None


def dims_shape(dims: tuple[int, ...]) -> PartialShape:
    """The shape of port dims; a port without dims (``()``) has a dynamic rank."""
    if dims:
        return of_dims(lengths(dims))
    return DYNAMIC_RANK


def parameter_shape(text: str | None) -> PartialShape | None:
    """The ``shape`` of a Parameter as OpenVINO reads it (a scalar if absent); None if it is not readable."""
    if text is None:
        return SCALAR
    return read_shape(text)


_DECLARED_BY = dict.fromkeys(("Parameter", "Const"), "element_type")
_DECLARED_BY |= {"Convert": "destination_type", "ShapeOf": "output_type"}


def port_tensor(port: Port) -> PortTensor:
    kind = None
    if port.precision is not None:
        kind = element_type.from_port(port.precision)
    return PortTensor(dims_shape(port.dims), bool(port.dims), kind)


def output_tensor(layer: Layer | LayerSignature, index: int) -> PortTensor:
    """The tensor that the file declares for output ``index`` of ``layer``."""
    port = port_tensor(layer.outputs[index])
    data = layer.data
    name = _DECLARED_BY.get(layer.type)
    if name is None or not data:
        return port
    if layer.type == "Parameter":
        shape = parameter_shape(data.get("shape"))
        kind = element_type.find_data(data.get(name, "dynamic"))
        return PortTensor(
            shape or port.shape, shape is not None, kind or port.element_type
        )
    kind = element_type.find_data(data.get(name, ""))
    port = port._replace(element_type=kind or port.element_type)
    sizes = parse_shape(data.get("shape", "?"))
    if layer.type != "Const" or sizes is None:
        return port
    return port._replace(shape=PartialShape.of(sizes), certain=True)


def computed_tensor(
    forward: Forward, source: tuple[Layer, int] | None
) -> computed.Tensor | None:
    """What the forward pass knows of the output ``source``."""
    if source is None:
        return None
    layer, index = source
    outputs = forward.outputs.get(layer.offset, ())
    if index < len(outputs):
        return outputs[index]
    return None


def flowing_tensor(
    own: PortTensor, source: tuple[Layer, int] | None, forward: Forward
) -> PortTensor:
    """The tensor that flows from ``source`` into a port that declares ``own``."""
    known = computed_tensor(forward, source)
    if known is None:
        return own
    is_certain = known.basis is Basis.COMPUTED or known.shape.rank is not None
    shape = without_hidden_symbols(known.shape)
    if own.certain and not is_certain:
        shape = own.shape
        is_certain = True
    kind = own.element_type
    if known.element_type != "dynamic" or known.basis is Basis.COMPUTED:
        kind = element_type.find(known.element_type)
    return PortTensor(shape, is_certain, kind)


def input_tensor(model: Model, layer: Layer, index: int) -> PortTensor:
    """The tensor that flows into input ``index``."""
    return flowing_tensor(
        port_tensor(layer.inputs[index]), layer.producer(index), forward_of(model)
    )


def as_written(shape: PartialShape) -> PartialShape:
    """The shape as the port of a file writes it, which knows no intervals.

    >>> print(as_written(PartialShape.of("[..8,2]")))
    [?,2]
    """
    if shape.rank is None or shape.is_static:
        return shape
    return of_dims(tuple([dim if dim.is_static else ANY for dim in shape]))


def is_exact(inferred: PartialShape, declared: PartialShape) -> bool:
    """Whether ``declared`` is what OpenVINO writes of ``inferred``.

    >>> is_exact(PartialShape.of("[?,2]"), PartialShape.of("[?,2]"))
    True
    >>> is_exact(PartialShape.of("[?]"), PartialShape.of("[3]"))
    False
    """
    if (
        inferred.rank is None
        or inferred.rank != declared.rank
        or not inferred.compatible(declared)
    ):
        return False
    return all(
        left.is_static == right.is_static
        for left, right in zip(inferred, declared, strict=True)
    )


_MOST_MEMORY = 1 << 48
"""Bytes that no machine has: OpenVINO reads a model with such a tensor, and cannot compile it."""


def too_large(shape: PartialShape, element_type: ElementType | None) -> int | None:
    """The bytes of a tensor that no memory holds, one for each element of unknown type; None for any other."""
    bits = 8
    if element_type is not None and element_type.bits:
        bits = element_type.bits
    size = 0
    if shape.is_static:
        size = prod([dim.length for dim in shape]) * bits // 8
    if size > _MOST_MEMORY:
        return size
    return None
