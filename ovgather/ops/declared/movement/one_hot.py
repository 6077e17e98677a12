"""Tensors with a value at one place of each row.

Pages: sequence/one-hot-1, sequence/one-hot-16, generation/eye-9.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ovgather.ops.declaration import (
    INT32_64,
    INTEGERS_OR_BOOLEAN,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    LONG,
    is_compiled,
    require_plugin_type,
)
from ovgather.ops.declared.common.movement import (
    dim_of_value,
    dims_of_value,
    known_lengths,
    require_known_types,
    require_one_element,
    require_rank,
)
from ovgather.ops.declared.common.plugin_types import UNUSUAL
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.interval import Interval, Items
from ovgather.tensor.tensor import Tensor

_INDICES, _DEPTH, _ON, _OFF = range(4)


def _one_hot(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    element_type = node.same_type(_ON, _OFF)
    for index in (_DEPTH, _ON, _OFF):
        if node.shape(index).is_static:  # OpenVINO takes any shape that is not known
            require_rank(node, index, 0)
    indices, depth = node.dims(_INDICES), node.value(_DEPTH)
    if indices is None:
        return [tensor(None, element_type)]
    axis = node.front_axis("axis", node["axis"], len(indices) + 1)
    length = ANY
    if depth:
        if not isinstance(depth[0], Interval) and depth[0] < 0:
            node.refuse("depth", f"depth is {depth[0]}, at least 0 is expected")
        length = dim_of_value(node, _DEPTH)
    outputs = [tensor((*indices[:axis], length, *indices[axis:]), element_type)]
    if is_compiled(outputs) and not node.inputs[_INDICES].is_constant:
        require_plugin_type(node, LONG, _INDICES)
    return outputs


def _one_hot_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    indices, on, off = node.integers(_INDICES), node.value(_ON), node.value(_OFF)
    lengths = known_lengths(outputs[0].shape)
    if indices is None or not on or not off or lengths is None:
        return [None]
    axis = node["axis"] % len(lengths)
    depth, inner = lengths[axis], prod(lengths[axis + 1 :])
    items = [off[0]] * prod(lengths)
    wraps = node.attributes.get("negative_indices_mode") == "normalize"
    for place, index in enumerate(indices):
        if wraps and index < 0:
            row = index + depth
        else:
            row = index
        if 0 <= row < depth:
            outer, rest = divmod(place, inner)
            items[(outer * depth + row) * inner + rest] = on[0]
    return [tuple(items)]


def _eye(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_known_types(node, *range(len(node.inputs)))
    for index in range(3):
        if node.shape(index).is_static:
            require_one_element(node, index)
    require_rank(node, 3, 1)
    if node["output_type"] in UNUSUAL | {"dynamic"}:
        node.refuse_on_compile(
            "output_type",
            f"output_type is {node['output_type']}, which the CPU plugin does not make",
        )
    batch = _batch(node)
    if batch is None:
        return [tensor(None, node["output_type"])]
    return [tensor([*batch, _length(node, 0), _length(node, 1)], node["output_type"])]


def _batch(node: Node) -> list[Dimension] | None:
    """The dims before the matrix, None where their number is not known."""
    if not node.has(3):
        return []
    batch, counts = dims_of_value(node, 3), node.dims(3)
    if batch is not None:
        return batch
    if counts is None or counts[0].min != counts[0].max or counts[0].min > _MOST_DIMS:
        return None
    return [ANY] * counts[0].min


def _length(node: Node, index: int) -> Dimension:
    items = node.value(index)
    if not items:
        return ANY
    if not isinstance(items[0], Interval) and items[0] < 0:
        name = node.input_name(index)
        node.refuse(name, f"{name} is {items[0]}, at least 0 is expected")
    return dim_of_value(node, index)


_MOST_DIMS = 1024
ONE_HOT_1 = Declaration(
    "OneHot",
    1,
    (
        Input("indices", INTEGERS_OR_BOOLEAN),
        Input("depth", INTEGERS_OR_BOOLEAN),
        Input("on_value"),
        Input("off_value"),
    ),
    (Attribute("axis", default=0, required=True),),
    _one_hot,
    "sequence/one-hot-1",
    _one_hot_value,
    extra_inputs=True,
)
ONE_HOT_16 = ONE_HOT_1._replace(
    since=16,
    attributes=(
        *ONE_HOT_1.attributes,
        Attribute(
            "negative_indices_mode",
            "enum",
            "ignore_negative",
            values=("ignore_negative", "normalize"),
        ),
    ),
    page="sequence/one-hot-16",
)
EYE = Declaration(
    "Eye",
    9,
    (
        Input("num_rows", INT32_64),
        Input("num_columns", INT32_64),
        Input("diagonal_index", INT32_64),
        Input("batch_shape", INT32_64, optional=True),
    ),
    (Attribute("output_type", "type", "dynamic", required=True),),
    _eye,
    "generation/eye-9",
)
DECLARATIONS = (ONE_HOT_1, ONE_HOT_16, EYE)
