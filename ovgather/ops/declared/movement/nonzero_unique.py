"""Places of elements that are not 0, and elements without their repetitions.

Pages: condition/nonzero-3, movement/unique-10.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ovgather.ops.declaration import (
    INT32_64,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    element_count,
    known_lengths,
    require_known_types,
    row_major,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import Interval, Item, Items
from ovgather.tensor.tensor import Tensor


def _require_index_type(node: Node, name: str) -> str:
    kind: str = node[name]
    if kind not in INT32_64:
        node.refuse(name, f"{name} must be i32 or i64, not {kind}")
    return kind


def _numbers(node: Node) -> list[int | float] | None:
    """The elements of data, where all are known."""
    items = node.value(0)
    if items is None:
        return None
    numbers = [item for item in items if not isinstance(item, Interval)]
    if len(numbers) == len(items):
        return numbers
    return None


def _non_zero(node: Node) -> list[Tensor]:
    node.require_count()
    kind = _require_index_type(node, "output_type")
    dims = node.dims(0)
    if dims is None:
        return [tensor((ANY, ANY), kind)]
    numbers = _numbers(node)
    if numbers is not None:
        count = len([number for number in numbers if number != 0])
        return [tensor((LENGTHS[len(dims) or count], LENGTHS[count]), kind)]
    if not dims:
        return [tensor((ANY, ANY), kind)]
    return [tensor((LENGTHS[len(dims)], _up_to(element_count(node.shape(0)), 0)), kind)]


def _up_to(count: Item | None, low: int) -> Dimension:
    """The lengths from ``low`` to the largest number that ``count`` may be."""
    high = None
    if count is not None:
        high = interval.bounds(count)[1]
    if high is None or high < low or high >= 1 << 63:
        return ANY
    return exact(low, int(high), None)


def _non_zero_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The coordinates of the elements: of each dim those of all elements."""
    numbers, lengths = _numbers(node), known_lengths(node.shape(0))
    if numbers is None or lengths is None:
        return [None]
    places = [place for place, number in enumerate(numbers) if number != 0]
    if not lengths:
        return [(0,) * len(places)]
    steps = row_major(lengths)
    return [
        tuple(
            [
                place // step % length
                for step, length in zip(steps, lengths, strict=True)
                for place in places
            ]
        )
    ]


def _unique(node: Node) -> list[Tensor]:
    node.require_count()
    index_type = _require_index_type(node, "index_element_type")
    count_type = _require_index_type(node, "count_element_type")
    axis = _unique_axis(node)
    dims, count = node.dims(0), element_count(node.shape(0))
    shapes = _unique_shapes(dims, axis, count)
    numbers = _numbers(node)
    if numbers and dims is not None:
        slices = _slices(numbers, dims, axis)
        different = LENGTHS[len(set(slices))]
        own: Dims = (different,)
        if axis is not None:
            own = (*dims[:axis], different, *dims[axis + 1 :])
        shapes = [own, (different,), (LENGTHS[len(slices)],), (different,)]
    kinds = (node.type(0), index_type, index_type, count_type)
    return [tensor(shape, kind) for shape, kind in zip(shapes, kinds, strict=True)]


def _slices(
    numbers: Sequence[float], dims: Dims, axis: int | None
) -> list[tuple[float, ...]]:
    """The elements of each slice along ``axis``; without one, each element."""
    if axis is None:
        return [(number,) for number in numbers]
    length = dims[axis].min
    inner = prod([dim.min for dim in dims[axis + 1 :]])
    slices: list[list[float]] = [[] for _ in range(length)]
    for place, number in enumerate(numbers):
        slices[place // inner % length].append(number)
    return [tuple(each) for each in slices]


def _unique_axis(node: Node) -> int | None:
    """The axis counted from the front; as it is given, where the rank of data is not known."""
    if not node.has(1):
        return None
    axis = None
    if node.type(1) in INT32_64:
        axis = node.integer(1)
    rank = node.rank(0)
    if (
        axis is None and node.value(0) is not None
    ):  # of a Const, OpenVINO passes over an axis that is none
        return None
    node.require_types()
    require_known_types(node, 1)
    if node.value(0) is None and str(node.shape(1)) not in ("[]", "[1]"):
        node.refuse(
            "axis",
            f"axis has shape {node.shape(1)}, a scalar or one element is expected",
        )
    if axis is None:
        node.refuse("axis", "axis is not a Const")
    if rank is None:
        return axis
    return node.front_axis("axis", axis, rank)


def _unique_shapes(
    dims: Dims | None, axis: int | None, count: Item | None
) -> list[Dims | None]:
    """The shapes of the four outputs."""
    is_counted = count is not None and not isinstance(count, Interval) and count > 0
    if is_counted:
        number = _up_to(count, 1)
    else:
        number = ANY
    if is_counted and count is not None:
        whole = interval.to_dimension(count)
    else:
        whole = ANY
    if axis is None:
        return [(number,), (number,), (whole,), (number,)]
    if dims is None:
        return [None, (number,), (whole,), (number,)]
    length = dims[axis]
    if length == ANY:
        own = ANY
    else:
        own = exact(1, length.max, None)
    if length.max == 0:
        own = number = LENGTHS[0]
    return [(*dims[:axis], own, *dims[axis + 1 :]), (number,), (length,), (number,)]


NON_ZERO = Declaration(
    "NonZero",
    3,
    (Input("data"),),
    (Attribute("output_type", "type", "i64"),),
    _non_zero,
    "condition/nonzero-3",
    _non_zero_value,
    extra_inputs=True,
)
UNIQUE = Declaration(
    "Unique",
    10,
    (Input("data"), Input("axis", INT32_64, optional=True)),
    (
        Attribute("sorted", "boolean", True),
        Attribute("index_element_type", "type", "i64"),
        Attribute("count_element_type", "type", "i64"),
    ),
    _unique,
    "movement/unique-10",
    outputs=("unique", "first_indices", "indices", "counts"),
    extra_inputs=True,
    of_plugin=True,
)
DECLARATIONS = (NON_ZERO, UNIQUE)
