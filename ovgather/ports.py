"""What the file says of the tensor at a port, from the most telling place: what ``<data>`` declares, else the
port itself.

A ``Parameter`` and a ``Const`` declare shape and element type in ``<data>`` (intervals and dynamic rank
included); that is what OpenVINO goes by. Of all other layers the file holds only what the ports say.
"""

from __future__ import annotations

from typing import NamedTuple

from ovgather import element_type
from ovgather.element_type import ElementType
from ovgather.ir.constants import parse_shape
from ovgather.ir.model import Form, Layer, Port
from ovgather.shape import Dimension, PartialShape

DYNAMIC = PartialShape.of(None)
SCALAR = PartialShape.of([])


class Tensor(NamedTuple):
    """What is known of a tensor.

    ``certain`` is False where the port has no dims and nothing else tells a scalar from a dynamic rank; the shape
    is then the dynamic rank.
    """

    shape: PartialShape
    certain: bool
    element_type: ElementType | None


# A file repeats few shapes and few tensors: what was made of the same text before is looked up.
_shapes: dict[tuple[int, ...], PartialShape] = {}
_ports: dict[tuple[str | None, tuple[int, ...]], Tensor] = {}
_outputs: dict[tuple[Tensor, str, str | None, str | None], Tensor] = {}
_MOST = 10_000
_LONGEST = 64


def dims_shape(dims: tuple[int, ...]) -> PartialShape:
    """The shape that port dims give; dims of no port at all (``()``) give a dynamic rank.

    >>> str(dims_shape((3, -1))), str(dims_shape(()))
    ('[3,?]', '[...]')
    """
    shape = _shapes.get(dims)
    if shape is None:
        shape = DYNAMIC
        if dims:
            shape = PartialShape(tuple(Dimension(0, None) if dim < 0 else Dimension(dim) for dim in dims))
        if len(_shapes) < _MOST and len(dims) <= _LONGEST:
            _shapes[dims] = shape
    return shape


def port_tensor(port: Port) -> Tensor:
    """What a port says by itself."""
    key = (port.precision, port.dims)
    tensor = _ports.get(key)
    if tensor is None:
        kind = element_type.from_port(port.precision) if port.precision is not None else None
        tensor = Tensor(dims_shape(port.dims), bool(port.dims), kind)
        if len(_ports) < _MOST and len(port.dims) <= _LONGEST:
            _ports[key] = tensor
    return tensor


def parameter_shape(text: str | None) -> PartialShape | None:
    """The ``shape`` of a Parameter as OpenVINO reads it (absent: a scalar); None when it cannot be read."""
    if text is None:
        return SCALAR
    try:
        return PartialShape.parse(text)
    except ValueError:
        return None


def output_tensor(layer: Layer | Form, index: int) -> Tensor:
    """What the file says of output ``index`` of ``layer``."""
    port = port_tensor(layer.outputs[index])
    name = _DECLARED_BY.get(layer.type)
    if name is None or not layer.data:
        return port
    key = (port, layer.type, layer.data.get("shape"), layer.data.get(name))
    tensor = _outputs.get(key)
    if tensor is None:
        tensor = _declared(*key)
        if len(_outputs) < _MOST and len(layer.data.get("shape", "")) <= 20 * _LONGEST:
            _outputs[key] = tensor
    return tensor


_DECLARED_BY = {"Parameter": "element_type", "Const": "element_type", "Convert": "destination_type"}


def _declared(port: Tensor, type: str, shape_text: str | None, type_text: str | None) -> Tensor:
    kind = element_type.find_data(type_text) if type_text is not None else None
    if type == "Convert":
        return port._replace(element_type=kind or port.element_type)
    if type == "Parameter":
        shape = parameter_shape(shape_text)
        if type_text is None:
            kind = element_type.find("dynamic")
        return Tensor(port.shape if shape is None else shape, shape is not None, kind or port.element_type)
    dims = parse_shape(shape_text) if shape_text is not None else None
    if dims is None:
        return port._replace(element_type=kind or port.element_type)
    return Tensor(dims_shape(dims) if dims else SCALAR, True, kind or port.element_type)


def input_tensor(layer: Layer, index: int) -> Tensor:
    """What the file says of the tensor that flows into input ``index``: its producer's word before the port's own."""
    source = layer.producer(index)
    own = port_tensor(layer.inputs[index])
    if source is None:
        return own
    flowing = output_tensor(*source)
    if not flowing.certain and own.certain:
        flowing = flowing._replace(shape=own.shape, certain=True)
    return flowing if flowing.element_type is not None else flowing._replace(element_type=own.element_type)
