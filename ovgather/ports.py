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
from ovgather.ir.model import Layer, Port
from ovgather.shape import Dimension, PartialShape

DYNAMIC = PartialShape.of(None)
SCALAR = PartialShape.of([])


class Tensor(NamedTuple):
    """What is known of a tensor.

    ``certain`` is False where the port has no dims and nothing else tells a scalar from a dynamic rank; the shape is then
    the dynamic rank.
    """

    shape: PartialShape
    certain: bool
    element_type: ElementType | None


_shapes: dict[tuple[int, ...], PartialShape] = {}


def dims_shape(dims: tuple[int, ...]) -> PartialShape:
    """The shape that port dims give; dims of no port at all (``()``) give a dynamic rank.

    >>> str(dims_shape((3, -1))), str(dims_shape(()))
    ('[3,?]', '[...]')
    """
    shape = _shapes.get(dims)
    if shape is None:
        shape = (
            PartialShape(tuple(Dimension(0, None) if dim < 0 else Dimension(dim) for dim in dims)) if dims else DYNAMIC
        )
        if len(_shapes) < 10_000:
            _shapes[dims] = shape
    return shape


def port_tensor(port: Port) -> Tensor:
    """What a port says by itself."""
    kind = element_type.from_port(port.precision) if port.precision is not None else None
    return Tensor(dims_shape(port.dims), bool(port.dims), kind)


def parameter_shape(text: str | None) -> PartialShape | None:
    """The ``shape`` of a Parameter as OpenVINO reads it (absent: a scalar); None when it cannot be read."""
    if text is None:
        return SCALAR
    try:
        return PartialShape.of(text)
    except ValueError:
        return None


def output_tensor(layer: Layer, index: int) -> Tensor:
    """What the file says of output ``index`` of ``layer``."""
    port = port_tensor(layer.outputs[index])
    if layer.type == "Parameter":
        shape = parameter_shape(layer.data.get("shape"))
        declared = element_type.find_data(layer.data.get("element_type", "dynamic"))
        return Tensor(port.shape if shape is None else shape, shape is not None, declared or port.element_type)
    if layer.type == "Const":
        dims = parse_shape(layer.data["shape"]) if "shape" in layer.data else None
        declared = element_type.find_data(layer.data.get("element_type", ""))
        shape = port.shape if dims is None else PartialShape.of(list(dims))
        return Tensor(shape, dims is not None or port.certain, declared or port.element_type)
    if layer.type == "Convert":
        declared = element_type.find_data(layer.data.get("destination_type", ""))
        return port._replace(element_type=declared or port.element_type)
    return port


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
