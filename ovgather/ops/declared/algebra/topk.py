"""TopK: the largest or smallest elements along an axis, and where they stand.

Pages: sort/top-k-1, sort/top-k-3, sort/top-k-11.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ovgather.ops.declaration import (
    INT32_64,
    INTEGERS,
    NUMBERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import (
    is_computed,
    require_integral,
    require_ranks,
    require_strict_type,
    whole_numbers,
)
from ovgather.ops.declared.common.movement import require_lengths
from ovgather.ops.declared.common.values import lengths
from ovgather.tensor import interval
from ovgather.tensor.dimension import Dimension, exact
from ovgather.tensor.interval import Interval, Item, Items
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_K_TYPES_1 = frozenset({"i8", "i32", "i64"})


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    if node.declaration.since == 1:
        require_strict_type(node, _K_TYPES_1, 1)
    require_integral(node, 1)
    index_type = node["index_element_type"]
    if index_type not in INT32_64:
        node.refuse_value(
            "index_element_type",
            f"index_element_type is {index_type}, but must be i32 or i64",
        )
    if node.attributes.get("stable") and node["sort"] == "none":
        node.refuse_value(
            "stable", "stable is true, and sort is none: it must be value or index"
        )
    require_ranks(node, 1, 0)
    dims = _top_dims(node)
    _require_enough(node)
    return [tensor(dims, node.type(0)), tensor(dims, index_type)]


def _top_dims(node: Node) -> Dims | None:
    dims = node.dims(0)
    if dims is None:
        return None
    if not dims:
        node.refuse("data", "data is a scalar, but must have at least rank 1")
    axis = node.front_axis("axis", node["axis"], len(dims))
    return (*dims[:axis], _top_dim(node, dims[axis]), *dims[axis + 1 :])


def _top_dim(node: Node, dim: Dimension) -> Dimension:
    """The dim that holds the chosen elements of ``dim``."""
    value = node.value(1)
    whole = exact(0, dim.max, None)
    if not value:
        return whole
    require_lengths(node, 1, value)
    k = value[0]
    least = interval.bounds(k)[0]
    if least is not None and least < 0:
        node.refuse("k", f"k is {least}, but must not be negative")
    length = interval.to_dimension(k)
    # Of one number of elements OpenVINO does not ask whether there are as many.
    if isinstance(k, Interval) and length.compatible(whole):
        return length & whole
    return length


def _require_enough(node: Node) -> None:
    """Refuse a number of elements with which OpenVINO's CPU plugin cannot compile data of a static shape."""
    numbers = whole_numbers(node, 1)
    if not numbers or not node.shape(0).is_static:
        return
    if 0 in lengths(node.shape(0)):  # nothing is computed
        return
    k, length = numbers[0], node.shape(0)[node["axis"]].min
    stage = "compile" if is_computed(node, 0) else "chance"
    if k == 0 and stage == "compile":
        node.refuse_on_compile("k", "k is 0, but must be positive")
    if k > length:
        # Of constants OpenVINO reads beyond the end.
        message = f"k is {k}, data has {elements(length)} along axis {node['axis']}"
        node.refuse_on_compile("k", message, stage)


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The elements of one row, where all are known and their order is stated."""
    items, kind = node.value(0), node["sort"]
    shape = outputs[0].shape
    if items is None or kind == "none" or len(shape) != 1 or shape[0].min > len(items):
        return [None]
    if any([isinstance(item, Interval) or isnan(item) for item in items]):
        return [None]
    sign = -1 if node["mode"] == "max" else 1

    def rank(place: int) -> Item:
        item = items[place]
        assert not isinstance(item, Interval)
        return sign * item

    places = sorted(range(len(items)), key=rank)[: shape[0].min]
    if kind == "index":
        places.sort()
    return [tuple([items[place] for place in places]), tuple(places)]


TOPK_1 = Declaration(
    "TopK",
    1,
    (Input("data", NUMBERS), Input("k", INTEGERS)),
    (
        Attribute("axis", default=0, required=True),
        Attribute("mode", "enum", "max", required=True, values=("min", "max")),
        Attribute(
            "sort", "enum", "none", required=True, values=("none", "index", "value")
        ),
        Attribute("index_element_type", "type", "i32"),
    ),
    _infer,
    "sort/top-k-1",
    _value,
    outputs=("values", "indices"),
)
TOPK_3 = TOPK_1._replace(since=3, page="sort/top-k-3")
TOPK_11 = TOPK_3._replace(
    since=11,
    page="sort/top-k-11",
    attributes=(*TOPK_3.attributes, Attribute("stable", "boolean", False)),
)
DECLARATIONS = (TOPK_1, TOPK_3, TOPK_11)
