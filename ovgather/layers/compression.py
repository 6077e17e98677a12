"""Tables that a file holds compressed: Const -> Convert -> [Subtract] -> Multiply -> [Reshape] -> [Convert]."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

COMPRESSED = frozenset(
    {
        "u8",
        "i8",
        "u4",
        "i4",
        "u2",
        "nf4",
        "f8e4m3",
        "f8e5m2",
        "f8e8m0",
        "f4e2m1",
        "f16",
        "bf16",
    }
)
"""The element types of stored tables."""
_STEPS = frozenset({"Convert", "Subtract", "Multiply", "Reshape"})
MOST_RESTORED = 1 << 26


class Compression(NamedTuple):
    """What a table is compressed to.

    ``group`` is how many elements share a scale, None where a whole row or more does; ``is_scaled``: whether one does.
    """

    type_name: str
    is_scaled: bool
    has_zero_points: bool
    group: int | None

    def __str__(self) -> str:
        parts = [f"compressed to {self.type_name}"]
        parts += ["with zero points"] * self.has_zero_points
        parts += [f"in groups of {self.group}"] * (self.group is not None)
        return " ".join(parts)


def compression(gather: GatherLayer) -> Compression | None:
    """What the data of ``gather`` are compressed to; None where no Const holds them so.

    >>> str(Compression("u4", True, True, 128))
    'compressed to u4 with zero points in groups of 128'
    """
    source = gather.layer.producer(0)
    steps = list[Layer]()
    while source is not None and source[0].type in _STEPS and len(steps) < 8:
        steps.append(source[0])
        source = source[0].producer(0)
    if (
        source is None
        or source[0].type != "Const"
        or not any(step.type == "Convert" for step in steps)
    ):
        return None
    shape, _, kind = output_tensor(*source)
    types = [step.type for step in steps]
    if kind is None or kind.name not in COMPRESSED:
        return None
    is_grouped = "Reshape" in types and bool(shape.dims) and shape.is_static
    group = None
    if is_grouped and shape.dims:
        group = int(shape.dims[-1].min)
    return Compression(kind.name, "Multiply" in types, "Subtract" in types, group)


def is_refused_on_cpu(gather: GatherLayer) -> bool:
    """Whether the CPU plugin refuses to run a valid layer: batch dims, a compressed table, indices of dynamic shape."""
    if len(gather.shapes) < 2 or gather.errors or not gather.batch_dims:
        return False
    is_open = gather.operation.indices_replace_axis and not gather.shapes[1].is_static
    return is_open and compression(gather) is not None


def restored(model: Model, layer: Layer, output: int = 0, wide: bool = False) -> Array:
    """The elements that a chain of a compressed table gives; ``wide``: computed in f32 throughout, as kernels do.

    Raises InvalidModelError where it has another layer, or is too large.
    """
    import numpy

    shape, _, kind = output_tensor(layer, output)
    dims = [dim.min for dim in shape.dims or ()]
    if (
        kind is None
        or not shape.is_static
        or numpy.prod(dims, dtype=float) > MOST_RESTORED
    ):
        raise InvalidModelError(
            f"the table of {layer.name!r} is too large to be restored"
        )
    value = constant(layer, model.weights)
    if value is not None:
        array = value.array()
        if array is None:
            raise InvalidModelError(f"the elements of {layer.name!r} cannot be read")
        return array
    sources = [
        each
        for each in (layer.producer(at) for at in range(len(layer.inputs)))
        if each is not None
    ]
    if layer.type not in _STEPS or not sources:
        raise InvalidModelError(
            f"{layer.type} {layer.name!r} is no part of a compressed table"
        )
    first = restored(model, *sources[0], wide=wide)
    if layer.type == "Reshape":
        return first.reshape(dims)
    if layer.type == "Convert":
        return first.astype("f4").astype("f4" if wide and kind.is_real else kind.dtype)
    second = restored(model, *sources[1], wide=wide)
    if wide:
        first = first.astype("f4")
        second = second.astype("f4")
    return numpy.asarray(first - second if layer.type == "Subtract" else first * second)
