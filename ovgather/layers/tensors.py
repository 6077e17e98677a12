"""The declared tensor at a port: from ``<data>``, where a ``Parameter`` and a ``Const`` declare shape and element type
and OpenVINO reads them, else from the port itself."""

from math import prod
from typing import NamedTuple

from ovgather.ir.constants import parse_shape
from ovgather.ir.graph import Layer, LayerSignature, Port
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape, lengths, of_dims

DYNAMIC = PartialShape.of(None)
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
    return of_dims(lengths(dims)) if dims else DYNAMIC


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


def followed_shape(followed: Followed, source: tuple[Layer, int] | None) -> PartialShape | None:
    """The shape that flows from ``source``, if ``followed`` has it."""
    facts = followed.get((source[0].offset, source[1])) if source is not None else None
    return facts.shape if facts is not None else None


class Tensors:
    """The tensors that one file declares; equal ones are one object."""

    def __init__(self) -> None:
        self._tensors: dict[tuple[object, ...], Tensor] = {}

    def of_port(self, port: Port) -> Tensor:
        """The tensor that a port declares."""
        key = (port.precision, port.dims)
        if key not in self._tensors:
            kind = element_type.from_port(port.precision) if port.precision is not None else None
            self._tensors[key] = Tensor(dims_shape(port.dims), bool(port.dims), kind)
        return self._tensors[key]

    def of_output(self, layer: Layer | LayerSignature, index: int) -> Tensor:
        """The tensor that the file declares for output ``index`` of ``layer``."""
        port = layer.outputs[index]
        type, data = layer.type, layer.data
        name = _DECLARED_BY.get(type)
        if name is None or not data:
            return self.of_port(port)
        shape, kind = data.get("shape"), data.get(name)
        key = (port.precision, port.dims, type, shape, kind)
        if key not in self._tensors:
            own = self.of_port(port)
            tensor = _declared(own, type, shape, kind)
            self._tensors[key] = own if tensor == own else tensor
        return self._tensors[key]

    def of_input(self, own: Tensor, source: tuple[Layer, int] | None, followed: PartialShape | None = None) -> Tensor:
        """The tensor from ``source`` (with the shape ``followed``, if known) in a port that declares ``own``."""
        if source is None:
            return own
        flowing = self.of_output(source[0].signature, source[1])
        if followed is not None:
            flowing = self._tensors.setdefault((id(flowing), followed), flowing._replace(shape=followed, certain=True))
        borrows_shape = own.certain and not flowing.certain
        borrows_type = own.element_type is not None and flowing.element_type is None
        if not (borrows_shape or borrows_type):
            return flowing
        key = (id(flowing), id(own))
        if key not in self._tensors:
            shape, certain, _ = own if borrows_shape else flowing
            self._tensors[key] = Tensor(shape, certain, (own if borrows_type else flowing).element_type)
        return self._tensors[key]


_DECLARED_BY = {"Parameter": "element_type", "Const": "element_type", "Convert": "destination_type"}


def _declared(port: Tensor, type: str, shape_text: str | None, type_text: str | None) -> Tensor:
    kind = element_type.find("dynamic") if type == "Parameter" else None
    if type_text is not None:
        kind = element_type.find_data(type_text)
    port = port._replace(element_type=kind or port.element_type)
    if type == "Parameter":
        shape = parameter_shape(shape_text)
        return port._replace(shape=port.shape if shape is None else shape, certain=shape is not None)
    dims = parse_shape(shape_text) if type == "Const" and shape_text is not None else None
    return port if dims is None else port._replace(shape=dims_shape(dims) if dims else SCALAR, certain=True)


def port_tensor(port: Port) -> Tensor:
    return Tensors().of_port(port)


def output_tensor(layer: Layer | LayerSignature, index: int) -> Tensor:
    return Tensors().of_output(layer, index)


def input_tensor(layer: Layer, index: int) -> Tensor:
    """The tensor that flows into input ``index``: its producer's declaration before the port's own."""
    tensors = Tensors()
    return tensors.of_input(tensors.of_port(layer.inputs[index]), layer.producer(index))


_MOST_MEMORY = 1 << 48
"""Bytes that no machine has: OpenVINO reads a model with such a tensor, and cannot compile it."""


def memory_needed(shape: PartialShape, element_type: ElementType | None) -> int:
    """The bytes of a tensor of a static shape; one for each element of unknown type."""
    bits = element_type.bits if element_type is not None and element_type.bits else 8
    return prod([dim.length for dim in shape]) * bits // 8


def exceeds_memory(shape: PartialShape, element_type: ElementType | None) -> bool:
    """Whether no memory can hold a tensor of this shape."""
    return shape.is_static and memory_needed(shape, element_type) > _MOST_MEMORY
