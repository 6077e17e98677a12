"""CumSum: sums of the elements along an axis so far.

Page: arithmetic/cumsum-3.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import INT32_64, NUMBERS, Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.algebra._known import first_number, is_computed, require_strict_type
from ovgather.tensor import interval
from ovgather.tensor.interval import Item, Items
from ovgather.tensor.tensor import Tensor


def _infer(node: Node) -> list[Tensor]:
    node.require_count()  # the page says that the axis may be left out: OpenVINO refuses that
    require_strict_type(node, INT32_64, 1)
    rank = node.rank(1)
    if rank and is_computed(node, 0):
        node.refuse_on_compile("axis", f"axis has rank {rank}, it must be a scalar")
    return [tensor(node.dims(0), node.type(0))]


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The sums of a row of elements."""
    items = node.value(0)
    if items is None or node.rank(0) != 1 or first_number(node, 1) not in (0, -1):
        return [None]
    row = items[::-1] if node["reverse"] else items
    sums: list[Item] = []
    total: Item = 0
    for item in row:
        following = interval.add(total, item)
        sums.append(total if node["exclusive"] else following)
        total = following
    return [tuple(sums[::-1] if node["reverse"] else sums)]


DECLARATIONS = (
    Declaration(
        "CumSum",
        3,
        (Input("data", NUMBERS), Input("axis", INT32_64)),
        (Attribute("exclusive", "boolean", False), Attribute("reverse", "boolean", False)),
        _infer,
        "arithmetic/cumsum-3",
        _value,
    ),
)
