"""Dims in another order, and tensors one behind the other.

Pages: movement/transpose-1, movement/concat-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.values import lengths, strides
from ovgather.ops.declared.shapes._arguments import (
    open_dims,
    require_rank,
    whole_numbers,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.interval import UNKNOWN, Item, Items, of_dimension, to_dimension
from ovgather.tensor.tensor import MOST_ITEMS, Tensor
from ovgather.text import elements


def _order(node: Node, rank: int | None) -> list[int] | None:
    """The axes in their new order; an empty order turns them round."""
    order = whole_numbers(node, 1)
    if order is None:
        return None
    return order or list(range(rank or 0))[::-1]


def _require_order_length(node: Node, rank: int) -> None:
    dims = node.dims(1)
    if dims is None or dims[0].min == dims[0].max == 0:
        return
    if dims[0].min > rank or (dims[0].max is not None and dims[0].max < rank):
        node.refuse("order", f"order has {elements(dims[0])}, data has rank {rank}")


def _transpose(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_rank(node, 1, 1)
    dims = node.dims(0)
    if dims is not None:
        _require_order_length(node, len(dims))
    order = _order(node, node.rank(0))
    if dims is None:
        return [tensor(None if order is None else open_dims(len(order)), node.type(0))]
    if order is None:
        return [tensor(open_dims(len(dims)), node.type(0))]
    if sorted(order) != list(range(len(dims))):
        node.refuse(
            "order",
            f"order ({','.join(map(str, order))}) is not a permutation of {len(dims)} dims",
        )
    return [tensor([dims[place] for place in order], node.type(0))]


def _transpose_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    items, order = node.value(0), _order(node, node.rank(0))
    if items is None or order is None:
        return [None]
    steps = strides(lengths(node.shape(0)))
    places = [0]
    for axis, length in zip(order, lengths(outputs[0].shape), strict=True):
        places = [
            place + number * steps[axis] for place in places for number in range(length)
        ]
    return [tuple([items[place] for place in places])]


def _concat(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(*range(len(node.inputs)))
    known = [
        (index, each.shape.dims)
        for index, each in enumerate(node.inputs)
        if each.shape.dims is not None
    ]
    if not known:
        return [tensor(None, element_type)]
    start, first = known[0]
    if not first:
        node.refuse(
            node.input_name(start),
            f"{node.input_name(start)} is a scalar, which has no axis",
        )
    axis = node.front_axis("axis", node["axis"], len(first))
    output, length = list(first), of_dimension(first[axis])
    for index, dims in known[1:]:
        if len(dims) != len(first):
            _refuse_rank(node, start, index)
        _join(node, output, dims, axis, index)
        length = interval.add(length, of_dimension(dims[axis]))
    output[axis] = to_dimension(length)
    if len(known) < len(node.inputs):
        output[axis] = to_dimension(interval.add(length, of_dimension(ANY)))
    return [tensor(output, element_type)]


def _refuse_rank(node: Node, first: int, index: int) -> None:
    names = f"{node.input_name(first)} and {node.input_name(index)}"
    node.refuse(
        node.input_name(index),
        f"the ranks of {names} differ: {node.rank(first)} and {node.rank(index)}",
    )


def _join(
    node: Node, output: list[Dimension], dims: Dims, axis: int, index: int
) -> None:
    """Narrow the dims off the axis by those of one more input."""
    for place, dim in enumerate(dims):
        mine = output[place]
        if mine is dim or place == axis:
            continue
        if not mine.compatible(dim):
            name = node.input_name(index)
            node.refuse(
                name,
                f"dim {place} of {name} is {dim}, of the inputs before it is {mine}",
            )
        output[place] = mine & dim


def _concat_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    shapes = [each.shape for each in node.inputs]
    rank = len(outputs[0].shape)
    if rank == 0 or any([not shape.is_static for shape in shapes]):
        return [None]
    axis = node["axis"] % rank
    parts = [_items_of(each) for each in node.inputs]
    sizes = [prod(lengths(shape)[axis:]) for shape in shapes]
    outer = prod(lengths(outputs[0].shape)[:axis])
    items: list[Item] = []
    for number in range(outer):
        for part, size in zip(parts, sizes, strict=True):
            items += part[number * size : (number + 1) * size]
    return [
        tuple(items)
        if any([item is not UNKNOWN for item in items]) or not items
        else None
    ]


def _items_of(part: Tensor) -> Items:
    """The elements of an input of Concat, which has at most as many as the output."""
    if part.value is not None:
        return part.value
    return (UNKNOWN,) * min(prod(lengths(part.shape)), MOST_ITEMS)


TRANSPOSE_1 = Declaration(
    "Transpose",
    1,
    (Input("data"), Input("order", INTEGERS)),
    (),
    _transpose,
    "movement/transpose-1",
    _transpose_value,
    moves=(0,),
)
CONCAT_1 = Declaration(
    "Concat",
    1,
    (Input("data0"), Input("data", optional=True, repeated=True)),
    (Attribute("axis", "integer", 0, required=True),),
    _concat,
    "movement/concat-1",
    _concat_value,
    moves=(0,),
)

DECLARATIONS = (TRANSPOSE_1, CONCAT_1)
