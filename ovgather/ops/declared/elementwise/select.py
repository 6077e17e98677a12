"""Select: each element from one of two inputs, as a boolean input says. Page: condition/select-1."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import BOOLEAN, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.values import spread
from ovgather.ops.declared.elementwise._elementwise import (
    AUTO_BROADCAST,
    join_dims,
    misfit_words,
)
from ovgather.tensor import interval
from ovgather.tensor.interval import Interval, Item, Items
from ovgather.tensor.tensor import Tensor


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    element_type = node.same_type(1, 2)
    rule = node["auto_broadcast"]
    if rule == "pdpd":
        first, *rest = (1, 2, 0)
    else:
        first, *rest = (2, 1, 0)
    dims = node.dims(first)
    for index in rest:
        try:
            dims = join_dims(rule, dims, node.dims(index))
        except ValueError:
            shapes = f"shapes {node.shape(0)}, {node.shape(1)} and {node.shape(2)}"
            node.refuse(node.input_name(index), f"{shapes} {misfit_words(rule)}")
    return [tensor(dims, element_type)]


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    condition, then, other = [node.value(index) for index in range(3)]
    shape = outputs[0].shape
    if condition is None or then is None or other is None:
        return [None]
    if node["auto_broadcast"] == "pdpd" and any(
        node.shape(index) != shape for index in range(3)
    ):
        return [None]
    spreads = [
        spread(items, node.shape(index), shape)
        for index, items in enumerate((condition, then, other))
    ]
    return [tuple([_choice(*triple) for triple in zip(*spreads, strict=True)])]


def _choice(condition: Item, then: Item, other: Item) -> Item:
    if isinstance(condition, Interval):
        return interval.union(then, other)
    return then if condition else other


DECLARATIONS = (
    Declaration(
        "Select",
        1,
        (Input("cond", BOOLEAN), Input("then"), Input("else")),
        (AUTO_BROADCAST,),
        _infer,
        "condition/select-1",
        _value,
        moves=(1, 2),
    ),
)
