"""The lengths of a tensor as a tensor.

Pages: shape/shape-of-1, shape/shape-of-3.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    INT32_64,
    MISSING,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.interval import UNKNOWN, Items, bounds, of_dimension
from ovgather.tensor.tensor import Tensor

_INT32_MAX = (1 << 31) - 1


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.attributes.get("output_type", "i64")
    if element_type not in INT32_64:
        node.refuse(
            "output_type", f"output_type must be i32 or i64, not {element_type}"
        )
    rank = node.rank(0)
    return [tensor((ANY if rank is None else LENGTHS[rank],), element_type)]


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    dims = node.dims(0)
    if dims is None:
        return [None]
    items = tuple([of_dimension(dim) for dim in dims])
    if outputs[0].element_type == "i32":
        items = tuple(
            [UNKNOWN if (bounds(item)[0] or 0) > _INT32_MAX else item for item in items]
        )
    return [items]


_OUTPUT_TYPE = Attribute("output_type", "type", MISSING)
SHAPE_OF_1 = Declaration(
    "ShapeOf",
    1,
    (Input("data"),),
    (),
    _infer,
    "shape/shape-of-1",
    _value,
    extra_inputs=True,
)
SHAPE_OF_3 = SHAPE_OF_1._replace(
    since=3, attributes=(_OUTPUT_TYPE,), page="shape/shape-of-3"
)

DECLARATIONS = (SHAPE_OF_1, SHAPE_OF_3)
