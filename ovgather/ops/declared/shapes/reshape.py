"""The elements of a tensor in another shape.

Pages: shape/reshape-1, shape/squeeze-1, shape/squeeze-15, shape/unsqueeze-1.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import require_static_for_plugin
from ovgather.ops.declared.shapes._arguments import (
    may_be_one,
    open_dims,
    require_rank,
    same_items,
    vector_length,
    whole_items,
    whole_numbers,
)
from ovgather.ops.declared.shapes._reshape_pattern import reshaped_dims
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.tensor import Tensor


def _reshape(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_rank(node, 1, 1)
    pattern = whole_items(node, 1)
    if pattern is None:
        length = vector_length(node, 1)
        data = node.dims(0)
        is_known = data is not None and all([dim.min == dim.max for dim in data])
        if length == 0 and is_known and any([dim.min != 1 for dim in data or ()]):
            node.refuse_on_compile("shape", "shape has no elements, and data has not 1")
        return [tensor(open_dims(length), node.type(0))]
    return [tensor(reshaped_dims(node, pattern), node.type(0))]


def _squeeze(node: Node) -> list[Tensor]:
    node.require_count()
    dims = node.dims(0)
    if node.has(1) and node.shape(1).is_static:
        require_rank(node, 1, 0, 1)
    if dims is None:
        return [tensor(None, node.type(0))]
    if not node.has(1):
        if not node.inputs[0].is_constant:
            require_static_for_plugin(node, 0)
        return [tensor(_without_ones(dims), node.type(0))]
    axes = whole_numbers(node, 1)
    if axes is None:
        return [tensor(_without_some_dim(node, dims), node.type(0))]
    places = {node.front_axis("axes", axis, len(dims), least_rank=1) for axis in axes}
    return [tensor(_without_dims(node, dims, places), node.type(0))]


def _without_ones(dims: Dims) -> Dims | None:
    """The dims other than 1; of a dim that may be 1 the rank is not known."""
    if any([dim.min != dim.max and may_be_one(dim) for dim in dims]):
        return None
    return tuple([dim for dim in dims if dim.min != 1 or dim.max != 1])


def _without_dims(node: Node, dims: Dims, places: set[int]) -> Dims | None:
    """The dims but those at ``places``, which stay where they cannot be 1."""
    if not places:
        return _without_ones(dims)
    if node.attributes.get("allow_axis_skip"):
        if any([dim.is_dynamic for dim in dims]):
            node.refuse_on_compile(
                "allow_axis_skip", "the CPU plugin skips no axis of open dims"
            )
        open_places = [
            place
            for place in places
            if place < len(dims) and dims[place].min != dims[place].max
        ]
        if any([may_be_one(dims[place]) for place in open_places]):
            return None
    return tuple(
        [
            dim
            for place, dim in enumerate(dims)
            if place not in places or not may_be_one(dim)
        ]
    )


def _without_some_dim(node: Node, dims: Dims) -> Dims | None:
    """The dims of an output from which one dim is taken at an unknown place."""
    shape = node.shape(1)
    if not dims or not shape.is_static or any([dim.min != 1 for dim in shape]):
        return None
    if not any([may_be_one(dim) for dim in dims]):
        return dims
    if node.declaration.since == 1:
        return open_dims(len(dims) - 1)
    return None


def _unsqueeze(node: Node) -> list[Tensor]:
    node.require_count()
    require_rank(node, 1, 0, 1)
    axes = whole_numbers(node, 1)
    dims = node.dims(0)
    if axes is None or dims is None:
        return [tensor(None, node.type(0))]
    if not axes:
        node.refuse("axes", "axes must have 1 element or more, but has none")
    axes = sorted(set(axes))
    rank = len(dims) + len(axes)
    output = list(dims)
    # Axes that are equal only when both are counted from the front leave the rank below ``rank``.
    for place in sorted({node.front_axis("axes", axis, rank) for axis in axes}):
        if place > len(output) + 1:
            node.refuse(
                "axes",
                f"axes are {place} and others, and the output has {len(output)} dims before it",
            )
        output.insert(place, LENGTHS[1])
    return [tensor(output, node.type(0))]


RESHAPE_1 = Declaration(
    "Reshape",
    1,
    (Input("data"), Input("shape", INTEGERS)),
    (Attribute("special_zero", "boolean", False, required=True),),
    _reshape,
    "shape/reshape-1",
    same_items,
    moves=(0,),
    in_order=True,
)
SQUEEZE_1 = Declaration(
    "Squeeze",
    1,
    (Input("data"), Input("axes", optional=True)),
    (),
    _squeeze,
    "shape/squeeze-1",
    same_items,
    moves=(0,),
    in_order=True,
)
SQUEEZE_15 = SQUEEZE_1._replace(
    since=15,
    attributes=(Attribute("allow_axis_skip", "boolean", False),),
    page="shape/squeeze-15",
)
UNSQUEEZE_1 = Declaration(
    "Unsqueeze",
    1,
    (Input("data"), Input("axes")),
    (),
    _unsqueeze,
    "shape/unsqueeze-1",
    same_items,
    moves=(0,),
    in_order=True,
)

DECLARATIONS = (RESHAPE_1, SQUEEZE_1, SQUEEZE_15, UNSQUEEZE_1)
