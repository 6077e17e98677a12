"""The mean or the maximum of windows of which there are as many as an input asks for.

Pages: pooling/adaptive-avg-pool-8, pooling/adaptive-max-pool-8.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import dims_of_value
from ovgather.ops.declared.vision._windows import (
    require_image,
    require_size,
)
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.tensor import Tensor

_TARGET = 1


def _output_dims(node: Node) -> Dims | None:
    data, target = node.dims(0), node.dims(_TARGET)
    require_image(node, data)
    if data is None:
        return None
    count = len(data) - 2
    if target is not None:
        if not target:
            node.refuse("output_shape", "output_shape must have 1 dim, not 0")
        if not target[0].compatible(LENGTHS[count]):
            node.refuse(
                "output_shape",
                f"output_shape has {target[0]} items, data has {count} spatial dims",
            )
    if node.rank(_TARGET) not in (1, None):
        node.refuse_on_compile(
            "output_shape", f"output_shape has rank {node.rank(_TARGET)}, but must be 1"
        )
    known = dims_of_value(node, _TARGET)
    if known is not None:
        require_size(node, "output_shape", len(known), count)
    return (*data[:2], *(known or [ANY] * count))


def _average(node: Node) -> list[Tensor]:
    node.require_count()
    return [tensor(_output_dims(node), node.type(0))]


def _maximum(node: Node) -> list[Tensor]:
    node.require_count()
    index_type: str = node["index_element_type"]
    if index_type not in INT32_64:
        node.refuse_value(
            "index_element_type",
            f"index_element_type must be i32 or i64, not {index_type}",
        )
    if index_type == "i64":
        node.refuse_on_compile(
            "index_element_type", "the CPU plugin gives indices of i32 alone"
        )
    dims = _output_dims(node)
    return [tensor(dims, node.type(0)), tensor(dims, index_type)]


_INPUTS = (Input("data"), Input("output_shape"))

DECLARATIONS = (
    Declaration(
        "AdaptiveAvgPool", 8, _INPUTS, (), _average, "pooling/adaptive-avg-pool-8"
    ),
    Declaration(
        "AdaptiveMaxPool",
        8,
        _INPUTS,
        (Attribute("index_element_type", "type", "i64"),),
        _maximum,
        "pooling/adaptive-max-pool-8",
        outputs=("output", "indices"),
    ),
)
