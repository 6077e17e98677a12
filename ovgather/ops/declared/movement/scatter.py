"""Data of which some elements are replaced.

Pages: movement/scatter-update-3, movement/scatter-elements-update-3 and -12,
movement/scatter-nd-update-3 and -15.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    INT32_64,
    INTEGERS,
    INTEGERS_OR_BOOLEAN,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    PACKED,
    require_elements_for_plugin,
    require_plugin_type,
)
from ovgather.ops.declared.common.movement import (
    known_lengths,
    require_one_element,
    require_rank,
    require_same_shape,
    row_major,
)
from ovgather.tensor import interval
from ovgather.tensor.interval import Item, Items
from ovgather.tensor.tensor import Tensor

_DATA, _INDICES, _UPDATES, _AXIS = range(4)
_PLUGIN_INDICES = INTEGERS_OR_BOOLEAN - PACKED - {"string"}


def _update(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    node.same_type(_DATA, _UPDATES)
    require_one_element(node, _AXIS)
    data, indices, updates = [node.dims(index) for index in (_DATA, _INDICES, _UPDATES)]
    axis = node.integer(_AXIS)
    if data is None:
        return [tensor(None, node.type(_DATA))]
    if (
        indices is not None
        and updates is not None
        and len(updates) != len(indices) + len(data) - 1
    ):
        expected = len(indices) + len(data) - 1
        node.refuse(
            "updates",
            f"updates has rank {len(updates)}, rank {expected} of indices and data is expected",
        )
    if axis is not None:
        axis = node.front_axis("axis", axis, len(data))
        if indices is not None and updates is not None:
            _require_dims(node, (*data[:axis], *indices, *data[axis + 1 :]), updates)
    _require_plugin_indices(node)
    if axis is not None:
        _require_places(node, data[axis : axis + 1])
    return [tensor(data, node.type(_DATA))]


def _require_dims(node: Node, expected: Dims, updates: Dims) -> None:
    """Refuse updates whose dims are not those that are ``expected``."""
    for place, (dim, own) in enumerate(zip(expected, updates, strict=False)):
        if not dim.compatible(own):
            node.refuse(
                "updates", f"dim {place} of updates is {own}, {dim} is expected"
            )


def _require_plugin_indices(node: Node) -> None:
    """The CPU takes no scalar indices, and neither packed ones nor strings."""
    require_plugin_type(node, _PLUGIN_INDICES, _INDICES)
    if node.rank(_INDICES) == 0:
        node.refuse_on_compile(
            "indices", "indices is a scalar, which the CPU does not take"
        )


def _require_places(node: Node, dims: Dims) -> None:
    """Of constants OpenVINO computes the output when it compiles: it refuses an index beyond its dim."""
    indices = node.integers(_INDICES)
    if (
        not dims
        or indices is None
        or not all([each.is_constant for each in node.inputs])
    ):
        return
    for number, index in enumerate(indices):
        length = dims[number % len(dims)].min
        if not -length <= index < length:
            message = f"index {index} is out of range [{-length}, {length - 1}]"
            node.refuse_on_compile("indices", message)


def _update_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    data, indices, updates = (
        node.value(_DATA),
        node.integers(_INDICES),
        node.value(_UPDATES),
    )
    if (
        data is None
        or indices is None
        or updates is None
        or node.rank(_DATA) != 1
        or node.integer(_AXIS) is None
    ):
        return [None]
    return [_replaced(data, indices, updates)]


def _replaced(
    data: Items, places: Sequence[int], updates: Sequence[Item]
) -> Items | None:
    """``data`` with ``updates`` at ``places``; None: a place does not exist."""
    items = list(data)
    for place, update in zip(places, updates, strict=False):
        if not -len(items) <= place < len(items):
            return None
        items[place] = update
    return tuple(items)


def _elements_update(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    element_type = node.same_type(_DATA, _UPDATES)
    if element_type == "boolean" and node.attributes.get("reduction") == "mean":
        node.refuse("reduction", "reduction is mean, which boolean data does not allow")
    require_rank(node, _AXIS, 0, 1)
    if node.inputs[_AXIS].is_constant:
        require_elements_for_plugin(node, _AXIS)
    data, indices = node.rank(_DATA), node.rank(_INDICES)
    if data is not None and indices is not None and data != indices:
        node.refuse("indices", f"indices has rank {indices}, data has rank {data}")
    require_same_shape(node, _UPDATES, _INDICES)
    axis = node.integer(_AXIS)
    dims = node.dims(_DATA)
    if dims is not None and axis is not None:
        axis = node.front_axis("axis", axis, len(dims), least_rank=1)
        _require_places(node, dims[axis : axis + 1])
    _require_plugin_indices(node)
    return [tensor(dims, element_type)]


def _elements_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The elements of data of one dim."""
    data, indices, updates = (
        node.value(_DATA),
        node.integers(_INDICES),
        node.value(_UPDATES),
    )
    if data is None or indices is None or updates is None or node.rank(_DATA) != 1:
        return [None]
    uses_data = node.attributes.get("use_init_val", True)
    return [
        _reduced(
            data, indices, updates, node.attributes.get("reduction", "none"), uses_data
        )
    ]


def _reduced(
    data: Items,
    places: Sequence[int],
    updates: Sequence[Item],
    reduction: str,
    uses_data: bool = True,
) -> Items | None:
    """``data`` with ``updates`` joined to the elements at ``places``; None where that is not known."""
    if reduction == "none":
        return _replaced(data, places, updates)
    join = _JOINS.get(reduction)
    if join is None or not uses_data:
        return None
    items = list(data)
    for place, update in zip(places, updates, strict=False):
        if not -len(items) <= place < len(items):
            return None
        items[place] = join(items[place], update)
    return tuple(items)


_JOINS = {
    "sum": interval.add,
    "sub": interval.subtract,
    "prod": interval.multiply,
    "min": interval.minimum,
    "max": interval.maximum,
}


def _nd_update(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    element_type = node.same_type(_DATA, _UPDATES)
    data, indices, updates = [node.dims(index) for index in (_DATA, _INDICES, _UPDATES)]
    for name, dims in (("data", data), ("indices", indices)):
        if dims == ():
            node.refuse(name, f"{name} is a scalar, at least rank 1 is expected")
    if data is not None and indices is not None and indices[-1].min == indices[-1].max:
        depth = indices[-1].min
        if depth > len(data):
            node.refuse(
                "indices",
                f"the last dim of indices is {depth}, data has rank {len(data)}",
            )
        if updates is not None:
            _require_slices(node, (*indices[:-1], *data[depth:]), updates)
            _require_plugin_element(node, len(indices) - 1 + len(data) - depth)
        _require_places(node, data[:depth])
    return [tensor(data, element_type)]


def _require_slices(node: Node, expected: Dims, updates: Dims) -> None:
    if expected and len(updates) != len(expected):
        node.refuse(
            "updates",
            f"updates has rank {len(updates)}, rank {len(expected)} is expected",
        )
    _require_dims(node, expected, updates)


def _require_plugin_element(node: Node, rank: int) -> None:
    """Refuse on compile updates of a single element that are no scalar."""
    is_folded = all([each.is_constant for each in node.inputs])
    if rank == 0 and node.rank(_UPDATES) and not is_folded:
        message = f"updates is {node.shape(_UPDATES)}, the CPU plugin expects a scalar"
        node.refuse_on_compile("updates", message)


def _nd_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    data, indices, updates = (
        node.value(_DATA),
        node.integers(_INDICES),
        node.value(_UPDATES),
    )
    lengths, index_lengths = (
        known_lengths(node.shape(_DATA)),
        known_lengths(node.shape(_INDICES)),
    )
    if (
        data is None
        or indices is None
        or updates is None
        or not lengths
        or not index_lengths
    ):
        return [None]
    depth = index_lengths[-1]
    if not depth:
        return [None]
    steps = row_major(lengths)
    size = steps[depth - 1]
    places: list[int] = []
    for start in range(0, len(indices), depth):
        place = 0
        for index, length, step in zip(
            indices[start : start + depth], lengths, steps, strict=False
        ):
            if not -length <= index < length:
                return [None]
            place += index % length * step
        places += range(place, place + size)
    if len(places) != len(updates):
        return [None]
    return [_reduced(data, places, updates, node.attributes.get("reduction", "none"))]


_USE_INIT_VAL = Attribute("use_init_val", "boolean", True)
_DATA_INPUTS = (
    Input("data"),
    Input("indices", INTEGERS),
    Input("updates"),
    Input("axis", INTEGERS),
)
_ELEMENT_INPUTS = (
    Input("data"),
    Input("indices", INTEGERS_OR_BOOLEAN),
    Input("updates"),
    Input("axis", INTEGERS_OR_BOOLEAN),
)
_ND_INPUTS = (Input("data"), Input("indices", INT32_64), Input("updates"))

SCATTER_UPDATE = Declaration(
    "ScatterUpdate",
    3,
    _DATA_INPUTS,
    (),
    _update,
    "movement/scatter-update-3",
    _update_value,
    extra_inputs=True,
)
ELEMENTS_3 = Declaration(
    "ScatterElementsUpdate",
    3,
    _ELEMENT_INPUTS,
    (),
    _elements_update,
    "movement/scatter-elements-update-3",
    _elements_value,
)
ELEMENTS_12 = ELEMENTS_3._replace(
    since=12,
    attributes=(
        Attribute(
            "reduction",
            "enum",
            "none",
            values=("none", "sum", "prod", "min", "max", "mean"),
        ),
        _USE_INIT_VAL,
    ),
    page="movement/scatter-elements-update-12",
)
ND_4 = Declaration(
    "ScatterNDUpdate",
    4,
    _ND_INPUTS,
    (),
    _nd_update,
    "movement/scatter-nd-update-3",
    _nd_value,
    extra_inputs=True,
)
ND_15 = ND_4._replace(
    since=15,
    attributes=(
        Attribute(
            "reduction",
            "enum",
            "none",
            values=("none", "sum", "sub", "prod", "min", "max"),
        ),
    ),
    page="movement/scatter-nd-update-15",
)
DECLARATIONS = (SCATTER_UPDATE, ELEMENTS_3, ELEMENTS_12, ND_4, ND_15)
