"""CumSum: sums of the elements along an axis so far.

Page: arithmetic/cumsum-3.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    NUMBERS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import is_computed, require_strict_type
from ovgather.tensor.tensor import Tensor


def _infer(node: Node) -> list[Tensor]:
    node.require_count()  # the page says that the axis may be left out: OpenVINO refuses that
    require_strict_type(node, INT32_64, 1)
    rank = node.rank(1)
    if rank and is_computed(node, 0):
        node.refuse_on_compile("axis", f"axis has rank {rank}, but must be a scalar")
    return [tensor(node.dims(0), node.type(0))]


DECLARATIONS = (
    Declaration(
        "CumSum",
        3,
        (Input("data", NUMBERS), Input("axis", INT32_64)),
        (
            Attribute("exclusive", "boolean", False),
            Attribute("reverse", "boolean", False),
        ),
        _infer,
        "arithmetic/cumsum-3",
        extra_inputs=True,
        of_plugin=True,
    ),
)
