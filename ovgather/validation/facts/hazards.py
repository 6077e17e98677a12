"""What the rules of runtime hazards (OVG7xx) share: the sizes that the CPU's kernel of a static Gather goes by."""

from math import prod
from typing import NamedTuple

from ovgather.layers.gather_layer import GatherLayer

LANES = 16  # 32-bit numbers in a vector of AVX-512: up to so many go the kernel's way for few elements


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
    """The sizes of a Gather-1, -7 or -8 that the CPU compiles for one shape, with a known axis; None for all others."""
    if not gather.operation.indices_replace_axis or len(gather.tensors) < 2 or gather.errors or gather.axis is None:
        return None
    if not gather.shapes[0].rank or not all(shape.is_static for shape in gather.shapes[:2]):
        return None
    if gather.constant(0) is not None and gather.constant(1) is not None:
        return None  # computed when the model is compiled
    data, indices = ([dim.length for dim in shape] for shape in gather.shapes[:2])
    axis = gather.axis % len(data)
    batch_dims = gather.batch_dims + (len(indices) if gather.batch_dims < 0 else 0)
    between, positions = prod(data[batch_dims:axis]), prod(indices[batch_dims:])
    return Sizes(batch_dims, prod(data[:axis]), between, prod(data[axis + 1 :]), positions)


def holds(gather: GatherLayer, *names: str) -> bool:
    """Whether data is known to be of one of the element types ``names``."""
    element_type = gather.tensors[0].element_type if gather.tensors else None
    return element_type is not None and element_type.name in names
