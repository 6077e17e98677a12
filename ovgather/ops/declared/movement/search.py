"""Places of values in sorted sequences.

Pages: sort/search-sorted-15, condition/bucketize-3.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    NUMBERS_OR_STRINGS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    require_least_rank,
    require_rank,
)
from ovgather.tensor.dimension import ANY
from ovgather.tensor.tensor import Tensor


def _output_type(node: Node) -> str:
    kind: str = node["output_type"]
    if kind not in INT32_64:
        node.refuse_value("output_type", f"output_type must be i32 or i64, not {kind}")
    return kind


def _search_sorted(node: Node) -> list[Tensor]:
    node.require_count()
    node.same_type(0, 1)
    kind = _output_type(node)
    require_least_rank(node, 0, 1)
    sorted_dims, values = node.dims(0), node.dims(1)
    if values is None:
        if sorted_dims is None or len(sorted_dims) == 1:
            return [tensor(None, kind)]
        return [tensor((*sorted_dims[:-1], ANY), kind)]
    if sorted_dims is None or len(sorted_dims) == 1:
        return [tensor(values, kind)]
    if len(sorted_dims) != len(values):
        node.refuse(
            "values",
            f"values has rank {len(values)}, sorted has rank {len(sorted_dims)}",
        )
    dims = [values[-1]]
    for place in reversed(range(len(values) - 1)):
        if not values[place].compatible(sorted_dims[place]):
            node.refuse(
                "values",
                f"dim {place} of values is {values[place]}, that of sorted is {sorted_dims[place]}",
            )
        dims.insert(0, values[place] & sorted_dims[place])
    return [tensor(dims, kind)]


def _bucketize(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    kind = _output_type(node)
    require_rank(node, 1, 1)
    return [tensor(node.dims(0), kind)]


SEARCH_SORTED = Declaration(
    "SearchSorted",
    15,
    (Input("sorted"), Input("values")),
    (
        Attribute("right_mode", "boolean", False),
        Attribute("output_type", "type", "i64"),
    ),
    _search_sorted,
    "sort/search-sorted-15",
    extra_inputs=True,
    of_plugin=True,
)
BUCKETIZE = Declaration(
    "Bucketize",
    3,
    (Input("data", NUMBERS_OR_STRINGS), Input("buckets", NUMBERS_OR_STRINGS)),
    (
        Attribute("output_type", "type", "dynamic"),
        Attribute("with_right_bound", "boolean", True),
    ),
    _bucketize,
    "condition/bucketize-3",
    of_plugin=True,
)
DECLARATIONS = (SEARCH_SORTED, BUCKETIZE)
