"""What the rules of runtime hazards (OVG7xx) share: the sizes that the CPU's kernel of a static Gather goes by."""

from __future__ import annotations

from typing import NamedTuple

from ovgather.layers.gather_layer import GatherLayer
from ovgather.tensor.shape import PartialShape

LANES = 16
"""32-bit numbers in a vector of AVX-512: up to so many go the kernel's way for few elements."""


class Sizes(NamedTuple):
    """Elements of a static Gather, as products of dims.

    ``before``: of data before the axis, batch dims included; ``between``: of those without the batch dims; ``after``:
    of data behind the axis; ``picked``: of indices without the batch dims.
    """

    batch_dims: int
    before: int
    between: int
    after: int
    picked: int


def sizes(gather: GatherLayer) -> Sizes | None:
    """The sizes of a Gather-1, -7 or -8 that the CPU compiles for one shape.

    None for another operation, for dynamic dims, where the axis is not known, and where data and indices are both
    constant: such a layer is computed beforehand.
    """
    if not gather.operation.indices_replace_axis or len(gather.tensors) < 2 or gather.errors or gather.axis is None:
        return None
    data, indices = lengths(gather.shapes[0]), lengths(gather.shapes[1])
    if not data or indices is None or is_folded(gather):
        return None
    axis = gather.axis % len(data)
    batch_dims = gather.batch_dims + (len(indices) if gather.batch_dims < 0 else 0)
    return Sizes(
        batch_dims,
        product(data[:axis]),
        product(data[batch_dims:axis]),
        product(data[axis + 1 :]),
        product(indices[batch_dims:]),
    )


def lengths(shape: PartialShape) -> tuple[int, ...] | None:
    """The lengths of a static shape; None for any other."""
    return tuple(dim.length for dim in shape) if shape.is_static else None


def product(dims: tuple[int, ...]) -> int:
    """The elements of ``dims``."""
    count = 1
    for dim in dims:
        count *= dim
    return count


def is_folded(gather: GatherLayer) -> bool:
    """Whether data and indices are both constant: OpenVINO computes such a layer when it compiles the model."""
    return gather.constant(0) is not None and gather.constant(1) is not None


def holds(gather: GatherLayer, *names: str) -> bool:
    """Whether data is known to be of one of the element types ``names``."""
    kind = gather.tensors[0].element_type if gather.tensors else None
    return kind is not None and kind.name in names
