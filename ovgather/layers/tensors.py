"""The declared tensor at a port: from ``<data>``, where a ``Parameter`` and a ``Const`` declare shape and element type
and OpenVINO reads them, else from the port itself."""

from functools import lru_cache
from math import prod
from typing import NamedTuple

from ovgather.ir.constants import parse_shape
from ovgather.ir.graph import Layer, LayerSignature, Port
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, lengths, of_dims

SCALAR = PartialShape.of([])
COMPUTED = frozenset({"Convert", "Reshape", "Squeeze", "Unsqueeze", "Add", "Subtract", "Multiply", "Concat"})
"""Layers that ``constant_folding`` follows back to constants."""
_KEEPS_SHAPE = (
    "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceiling Clamp Convert Cos Cosh Elu Erf Exp Floor Gelu HSigmoid"
    " HSwish Identity Log LogSoftmax LogicalNot Mish Negative Relu Round Sigmoid Sign Sin Sinh SoftPlus SoftSign"
    " SoftMax Softmax Sqrt Swish Tan Tanh ReLU"
)
KEEPS_SHAPE = frozenset(_KEEPS_SHAPE.split())
"""Types of one input whose output has its shape."""


class Tensor(NamedTuple):
    """A tensor; not ``certain``: a port without dims, so a scalar or, as ``shape`` says, of dynamic rank."""

    shape: PartialShape
    certain: bool
    element_type: ElementType | None


def dims_shape(dims: tuple[int, ...]) -> PartialShape:
    """The shape of port dims; a port without dims (``()``) has a dynamic rank."""
    return of_dims(lengths(dims)) if dims else DYNAMIC_RANK


def parameter_shape(text: str | None) -> PartialShape | None:
    """The ``shape`` of a Parameter as OpenVINO reads it (a scalar if absent); None if it is not readable."""
    if text is None:
        return SCALAR
    try:
        return PartialShape.parse(text)
    except ValueError:
        return None


class Known(NamedTuple):
    """The shape of an output; ``sure``: it depends on no port, so OpenVINO computes it as well."""

    shape: PartialShape
    sure: bool


Followed = dict[tuple[int, int], Known]
"""Known outputs, by the offset of the layer and the index of the output."""


def known(followed: Followed, source: tuple[Layer, int] | None) -> Known | None:
    """What ``followed`` has of the output ``source``."""
    return followed.get((source[0].offset, source[1])) if source is not None else None


_DECLARED_BY = dict.fromkeys(("Parameter", "Const"), "element_type")
_DECLARED_BY |= {"Convert": "destination_type", "ShapeOf": "output_type"}
_remembered = lru_cache(maxsize=1 << 12)  # a file repeats few tensors
_LONG = 64
"""Dims, and characters of ``shape``: so many are not remembered, since they would outlive the file."""


def port_tensor(port: Port) -> Tensor:
    of_port = _of_port if len(port.dims) < _LONG else _of_port.__wrapped__
    return of_port(port.precision, port.dims)


@_remembered
def _of_port(precision: str | None, dims: tuple[int, ...]) -> Tensor:
    kind = element_type.from_port(precision) if precision is not None else None
    return Tensor(dims_shape(dims), bool(dims), kind)


def output_tensor(layer: Layer | LayerSignature, index: int) -> Tensor:
    """The tensor that the file declares for output ``index`` of ``layer``."""
    port, type, data = layer.outputs[index], layer.type, layer.data
    name = _DECLARED_BY.get(type)
    if name is None or not data:
        return port_tensor(port)
    shape = data.get("shape")
    declared = _declared if len(port.dims) + len(shape or "") < _LONG else _declared.__wrapped__
    return declared(port.precision, port.dims, type, shape, data.get(name))


@_remembered
def _declared(
    precision: str | None, dims: tuple[int, ...], type: str, shape_text: str | None, type_text: str | None
) -> Tensor:
    port, kind = _of_port.__wrapped__(precision, dims), element_type.find("dynamic") if type == "Parameter" else None
    if type_text is not None:
        kind = element_type.find_data(type_text)
    port = port._replace(element_type=kind or port.element_type)
    if type == "Parameter":
        shape = parameter_shape(shape_text)
        return port._replace(shape=port.shape if shape is None else shape, certain=shape is not None)
    sizes = parse_shape(shape_text) if type == "Const" and shape_text is not None else None
    return port if sizes is None else port._replace(shape=dims_shape(sizes) if sizes else SCALAR, certain=True)


IMPLIED = frozenset({"Parameter", "Const", "ShapeOf"}) | KEEPS_SHAPE | COMPUTED
"""Types whose output 0 has a tensor that their attributes and input ports imply."""


def implied_tensor(layer: LayerSignature) -> Tensor:
    """What ``<data>`` and the input ports say of output 0, as far as the type, one of ``IMPLIED``, is known."""
    type, first = layer.type, port_tensor(layer.inputs[0]) if layer.inputs else output_tensor(layer, 0)
    shape = DYNAMIC_RANK
    if first.certain and type == "ShapeOf":
        shape = dims_shape((len(first.shape),))
    elif first.certain and (type in KEEPS_SHAPE or not layer.inputs):
        shape = first.shape
    name = _DECLARED_BY.get(type)
    kind = first.element_type if name is None else element_type.find_data(layer.data.get(name, "-"))
    return Tensor(shape, shape.rank is not None, kind)


def input_tensor(layer: Layer, index: int) -> Tensor:
    """The tensor that flows into input ``index``: its producer's declaration before the port's own."""
    return flowing_tensor(port_tensor(layer.inputs[index]), layer.producer(index), {})


def flowing_tensor(own: Tensor, source: tuple[Layer, int] | None, followed: Followed) -> Tensor:
    """The tensor from ``source`` (with its shape in ``followed``, if known) in a port that declares ``own``."""
    if source is None:
        return own
    flowing = output_tensor(source[0].signature, source[1])
    if (facts := known(followed, source)) is not None:
        flowing = flowing._replace(shape=facts.shape, certain=True)
    if own.certain and not flowing.certain:
        flowing = flowing._replace(shape=own.shape, certain=True)
    return flowing if flowing.element_type is not None else flowing._replace(element_type=own.element_type)


_MOST_MEMORY = 1 << 48
"""Bytes that no machine has: OpenVINO reads a model with such a tensor, and cannot compile it."""


def too_large(shape: PartialShape, element_type: ElementType | None) -> int | None:
    """The bytes of a tensor that no memory holds, one for each element of unknown type; None for any other."""
    bits = element_type.bits if element_type is not None and element_type.bits else 8
    size = prod([dim.length for dim in shape]) * bits // 8 if shape.is_static else 0
    return size if size > _MOST_MEMORY else None
