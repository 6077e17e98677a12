"""What flows into bodies: the tensors of Parameters, conditions and numbers of rounds."""

from __future__ import annotations

from ovgather.forward.bodies.engine import Engine, LayerEngine
from ovgather.forward.bodies.port_map import Inlet
from ovgather.ir.graph import Layer
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.interval import Interval, Number
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, of_dims
from ovgather.tensor.tensor import Tensor

UNSET = Tensor(DYNAMIC_RANK, "dynamic")
"""An output of which OpenVINO says nothing."""
_HALF = 1 << 63


def known_number(tensor: Tensor, name: str, is_exact: bool = True) -> Number | None:
    """The one element of a tensor, if it is known; see ``is_exact``.

    Raises:
        Refused: the rank is above 1, or the known elements are not one.
    """
    if (tensor.shape.rank or 0) > 1:
        raise Refused(name, f"the {name} is of shape {tensor.shape}, not one value")
    value = tensor.value
    if value is None or any([isinstance(item, Interval) for item in value]):
        return None
    if len(value) == 1:
        return value[0]  # type: ignore[return-value]
    if is_exact:
        raise Refused(name, f"the {name} has {len(value)} elements, not one")
    return None


def is_exact(forward: LayerEngine, layer: Layer) -> bool:
    """Whether what a layer gives is computed from numbers alone: OpenVINO does not compare intervals."""
    for source in layer.graph.producers(layer):
        outputs = (
            ()
            if source is None
            else forward.outputs.get(source[0].offset, ())[source[1] :]
        )
        value = None
        if outputs:
            value = outputs[0].value
        if value is not None and any([isinstance(item, Interval) for item in value]):
            return False
    return True


def entering(
    forward: Engine, inlet: Inlet, inputs: tuple[Tensor, ...], around: str = "port_map"
) -> Tensor:
    """What the Parameter of an inlet gets; no element is known in a body."""
    if not 0 <= inlet.input < len(inputs):
        message = f"external_port_id {inlet.input}: the layer has {len(inputs)} input ports, counted from 0"
        raise Refused(around, message)
    tensor = inputs[inlet.input]
    return forward.tensors.one(tensor.shape, tensor.element_type, None, tensor.basis)


def with_dim(shape: PartialShape, axis: int, dim: Dimension) -> PartialShape:
    """``shape`` with another dim at ``axis``."""
    dims = list(shape)
    dims[axis] = dim
    return of_dims(tuple(dims), any([dim.symbol is not None for dim in dims]))


def dimension(length: int) -> Dimension:
    """The dim that OpenVINO makes of an integer: any for -1, else 0 for a negative one; 64 bits flow over."""
    length = to_int64(length)
    if length == -1:
        return ANY
    return LENGTHS[max(length, 0)]


def to_int64(number: int) -> int:
    return (number + _HALF) % (2 * _HALF) - _HALF
