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
from ovgather.ops.declared.algebra._known import require_strict_type
from ovgather.ops.declared.common.checks import is_compiled
from ovgather.tensor.tensor import Tensor


def _infer(node: Node) -> list[Tensor]:
    node.require_count()  # the page says that the axis may be left out: OpenVINO refuses that
    require_strict_type(node, INT32_64, 1)
    if node.rank(1):
        message = f"axis has rank {node.rank(1)}, but must be a scalar"
        node.refuse_on_compile("axis", message)
    rank, axis = node.rank(0), node.integer(1)
    # The plugin computes constants when it compiles the model.
    is_run = all([each.is_constant for each in node.inputs]) and is_compiled(
        node.inputs
    )
    if is_run and rank is not None and axis is not None:
        count = max(rank, 1)
        if not -count <= axis < count:
            message = f"axis is {axis}, which is out of range [{-count}, {count - 1}]"
            node.refuse_on_compile("axis", message)
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
