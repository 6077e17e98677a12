"""The Parameters of bodies that contradict the input that the ``<port_map>`` connects to them."""

from collections.abc import Iterator

from ovgather.ir.graph import Layer, Mapping
from ovgather.ir.model import Crossing, Model
from ovgather.ir.numbers import whole_integer
from ovgather.layers.tensors import input_tensor, output_tensor
from ovgather.tensor.element_type import ElementType, contradiction
from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape

Inlet = tuple[Crossing, tuple[ElementType, ElementType] | None, PartialShape | None]


def inlets(model: Model) -> Iterator[Inlet]:  # with both types, or the right shape
    for crossing in crossings(model, "input"):
        (layer, _, number), (inner, *_), entry = crossing
        outside = input_tensor(model, layer, number)
        inside = output_tensor(inner, 0)
        types = contradiction(inside.element_type, outside.element_type)
        if outside.certain and inside.certain:
            shape = sliced(outside.shape, layer, entry)
        else:
            shape = inside.shape
        is_wrong = not shape.compatible(inside.shape)
        if inner.type == "Parameter" and (types is not None or is_wrong):
            yield crossing, types, shape if is_wrong else None


def crossings(model: Model, name: str) -> list[Crossing]:
    """The first entries ``name`` of each port: OpenVINO ignores others."""
    layers = model.layers() if model.mappings and not model.snippet else ()
    place = int(name == "output")
    entries = [
        crossing
        for layer in layers
        for crossing in model.crossings(layer)
        if crossing.entry.name == name
    ]
    return [
        *{
            (crossing.entry.around, crossing[place]): crossing
            for crossing in entries[::-1]
        }.values()
    ]


def is_sliced(layer: Layer, entry: Mapping) -> bool:
    """Whether the body takes or gives the tensor of the port in slices."""
    return layer.type != "If" and "axis" in entry.attributes


def sliced(shape: PartialShape, layer: Layer, entry: Mapping) -> PartialShape:
    """The shape of one slice of ``shape``: ``shape`` itself where nothing is sliced."""
    if not is_sliced(layer, entry):
        return shape
    axis = whole_integer(entry.attributes["axis"])
    size = whole_integer(entry.attributes.get("part_size", "1"))
    if (
        shape.rank is None
        or axis is None
        or size is None
        or size < 1
        or not -shape.rank <= axis < shape.rank
    ):
        return DYNAMIC_RANK
    return PartialShape(
        tuple(
            [
                Dimension(size) if at == axis % shape.rank else dim
                for at, dim in enumerate(shape)
            ]
        )
    )
