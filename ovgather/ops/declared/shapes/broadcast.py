"""A tensor repeated along dims.

Pages: movement/broadcast-1, movement/broadcast-3, movement/tile-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    BOOLEAN,
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    shape_of,
    tensor,
)
from ovgather.ops.declared.common.broadcasting import broadcast_dims
from ovgather.ops.declared.common.movement import require_lengths
from ovgather.ops.declared.common.values import lengths, spread, strides
from ovgather.ops.declared.shapes._arguments import (
    may_be_one,
    open_dims,
    require_rank,
    target_dimension,
    vector_length,
    whole_items,
    whole_numbers,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import LENGTHS, Dimension
from ovgather.tensor.interval import Interval, Item, Items, of_dimension, to_dimension
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements


def _mode(node: Node) -> str:
    """What ``mode`` says; Broadcast-1 without ``axes_mapping`` is NumPy's."""
    mode: str = node["mode"]
    if mode == "none":
        mode = "explicit"
    if mode == "explicit" and node.declaration.since == 1 and not node.has(2):
        return "numpy"
    return mode


def _require_inputs(node: Node, mode: str) -> None:
    node.require_count()
    if node.declaration.since == 1:
        if mode == "pdpd" and not node.has(2):
            node.refuse("mode", "mode pdpd needs the input axes_mapping")
    elif node.has(2) != (mode == "explicit"):
        words = "needs" if mode == "explicit" else "takes no"
        node.refuse("mode", f"mode {mode} {words} input axes_mapping")
    for index in (1, 2) if mode == "explicit" else (1,):
        name = node.input_name(index)
        if node.type(index) not in INTEGERS and node.type(index) != "dynamic":
            node.refuse(
                name, f"{name} must be of an integer type, not {node.type(index)}"
            )
        require_rank(node, index, 1)


def _broadcast(node: Node) -> list[Tensor]:
    mode = _mode(node)
    _require_inputs(node, mode)
    items = whole_items(node, 1)
    target = None
    if items is not None:
        require_lengths(node, 1, items)
        target = tuple([target_dimension(item) for item in items])
    if mode == "explicit":
        _require_axes(node, target)
    if mode in ("numpy", "bidirectional"):
        _require_elements(node, target)
    if items is not None and -1 in items and node.inputs[0].is_constant:
        message = (
            "target_shape has an element -1, and OpenVINO computes a constant Broadcast"
        )
        node.refuse_on_compile("target_shape", message)
    return [tensor(_output_dims(node, mode, target), node.type(0))]


def _require_elements(node: Node, target: Dims | None) -> None:
    """Refuse on compile data without elements, or without dims that an empty target adds."""
    shape = node.shape(0)
    if target is None:
        return
    is_given = node["mode"] == "bidirectional" and node.inputs[1].is_constant
    if is_given and shape.dims is not None and _is_multiplied(shape.dims, target):
        node.refuse_on_compile(
            "target_shape", f"target_shape is {shape_of(target)}, data is {shape}"
        )
    if not (shape.is_static and shape_of(target).is_static):
        return
    if any([dim.min == 0 for dim in shape]):
        node.refuse_on_compile("data", f"data is {shape}: the CPU plugin crashes")
    elif not (target or shape.rank or node.inputs[0].is_constant):
        message = "target_shape is empty: the CPU plugin crashes"
        node.refuse_on_compile("target_shape", message)


def _is_multiplied(data: Dims, target: Dims) -> bool:
    """Whether OpenVINO multiplies the data by ones of a target that has an open length, and cannot make those.

    It does so where the target itself may not be the output: data have several lengths where the target is open, or an
    open one where that is 1.
    """
    if not any([length.max is None for length in target]):
        return False
    missing = (LENGTHS[1],) * (len(data) - len(target))
    pairs = zip(reversed(data), reversed((*missing, *target)), strict=False)
    return any(
        [
            (length.max is None and dim.is_static and dim.min != 1)
            or (length.max == 1 and not dim.is_static)
            for dim, length in pairs
        ]
    )


def _output_dims(node: Node, mode: str, target: Dims | None) -> Dims | None:
    data = node.dims(0)
    if target is None:
        target = open_dims(vector_length(node, 1))
        if mode != "bidirectional" or target is None:
            return target
    if mode == "bidirectional":
        dims = None
        if data is not None:
            dims = broadcast_dims(data, target)
        if data is not None and dims is None:
            _refuse_target(node, target)
        return dims
    if mode == "pdpd":
        if data is None:
            return open_dims(len(target))
        return _pdpd_dims(node, data, target)
    if mode == "numpy" and data is not None:
        _require_numpy(node, data, target)
    return target


def _refuse_target(node: Node, target: Dims) -> None:
    node.refuse(
        "target_shape",
        f"data {node.shape(0)} cannot be broadcast to {shape_of(target)}",
    )


def _require_numpy(node: Node, data: Dims, target: Dims) -> None:
    """Refuse a target to which data cannot be repeated."""
    offset = len(target) - len(data)
    if offset < 0:
        node.refuse(
            "target_shape",
            f"target_shape has {elements(len(target))}, data has rank {len(data)}",
        )
    for mine, theirs in zip(data, target[offset:], strict=True):
        if mine.min == mine.max != 1 and theirs.min == theirs.max != mine.max:
            _refuse_target(node, target)


def _pdpd_dims(node: Node, data: Dims, target: Dims) -> Dims:
    """The dims of a target that begin where those of data begin: the core reads no ``axis`` here."""
    if len(target) > len(data):
        node.refuse(
            "target_shape",
            f"data has rank {len(data)}, fewer than {elements(len(target))} of target_shape",
        )
    output = []
    for mine, theirs in zip(data, target, strict=False):
        if mine.min == mine.max == 1:
            output.append(theirs)
        elif theirs.min == theirs.max == 1:
            output.append(mine)
        elif mine.compatible(theirs):
            output.append(mine & theirs)
        else:
            _refuse_target(node, target)
    return tuple(output)


def _require_axes(node: Node, target: Dims | None) -> None:
    """Refuse an ``axes_mapping`` that does not give each dim of data its place in the target."""
    data, count = node.dims(0), vector_length(node, 2)
    if data is None or node.rank(1) is None or count is None:
        return
    if not data and count:
        rank = 1
    else:
        rank = len(data)
    if count != rank:
        node.refuse(
            "axes_mapping",
            f"axes_mapping has {elements(count)}, data has rank {len(data)}",
        )
    axes = None
    if target is not None:
        axes = whole_numbers(node, 2)
    if axes is None or target is None:
        return
    dims = data or (LENGTHS[1],) * count
    previous = 0
    for axis, dim in zip(axes, dims, strict=True):
        if not 0 <= axis < len(target):
            node.refuse(
                "axes_mapping",
                f"axes_mapping {axis} is out of range [0, {len(target) - 1}]",
            )
        if axis < previous:
            node.refuse(
                "axes_mapping",
                f"axes_mapping must be in ascending order, {axis} follows {previous}",
            )
        # Data of rank 0 are checked more strictly than data of one element.
        if not dim.compatible(target[axis]) and not (data and may_be_one(dim)):
            message = f"dim {dim} of data goes to dim {axis} of target_shape, which is {target[axis]}"
            node.refuse("axes_mapping", message)
        previous = axis


def _broadcast_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    items, dims, shape, mode = (
        node.value(0),
        node.dims(0),
        outputs[0].shape,
        _mode(node),
    )
    if items is None or dims is None or mode == "pdpd":
        return [None]
    if mode == "explicit":
        axes = whole_numbers(node, 2)
        if axes is None:
            return [None]
        places = dict(zip(axes, dims, strict=False))
        dims = tuple([places.get(place, LENGTHS[1]) for place in range(len(shape))])
    if len(dims) > len(shape) or any(map(_differs, dims[::-1], tuple(shape)[::-1])):
        return [None]
    return [spread(items, shape_of(dims), shape)]


def _differs(own: Dimension, whole: Dimension) -> bool:
    return own.min not in (1, whole.min)


def _tile(node: Node) -> list[Tensor]:
    node.require_count()
    if node.type(1) not in INTEGERS | BOOLEAN and node.type(1) != "dynamic":
        node.refuse(
            "repeats", f"repeats must be of an integer type, not {node.type(1)}"
        )
    require_rank(node, 1, 1)
    items = whole_items(node, 1)
    dims, count = node.dims(0), vector_length(node, 1)
    if dims is None or (items is None and count is None):
        return [tensor(None, node.type(0))]
    if items is None:
        return [tensor(open_dims(max(len(dims), count or 0)), node.type(0))]
    require_lengths(node, 1, items)
    repeats = [1] * (len(dims) - len(items)) + [_repeat(item) for item in items]
    own = (LENGTHS[1],) * (len(repeats) - len(dims)) + dims
    products = [
        interval.multiply(of_dimension(dim), item)
        for dim, item in zip(own, repeats, strict=True)
    ]
    return [tensor([to_dimension(item) for item in products], node.type(0))]


def _repeat(item: Item) -> Item:
    """How often a dim is repeated; negative numbers count as 0."""
    if isinstance(item, Interval):
        return of_dimension(to_dimension(item))
    return max(item, 0)


def _tile_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    items = node.value(0)
    if items is None:
        return [None]
    own, target = lengths(node.shape(0)), lengths(outputs[0].shape)
    own = (1,) * (len(target) - len(own)) + own
    places = [0]
    for length, whole, step in zip(own, target, strides(own), strict=True):
        places = [
            place + number % length * step
            for place in places
            for number in range(whole)
        ]
    return [tuple([items[place] for place in places])]


_MODES = ("none", "explicit", "numpy", "pdpd")
BROADCAST_1 = Declaration(
    "Broadcast",
    1,
    (Input("data"), Input("target_shape"), Input("axes_mapping", optional=True)),
    (Attribute("mode", "enum", "explicit", values=_MODES),),
    _broadcast,
    "movement/broadcast-1",
    _broadcast_value,
    moves=(0,),
    extra_inputs=True,
)
BROADCAST_3 = BROADCAST_1._replace(
    since=3,
    extra_inputs=False,
    attributes=(Attribute("mode", "enum", "numpy", values=(*_MODES, "bidirectional")),),
    page="movement/broadcast-3",
)
TILE_1 = Declaration(
    "Tile",
    1,
    (Input("data"), Input("repeats")),
    (),
    _tile,
    "movement/tile-1",
    _tile_value,
    moves=(0,),
)

DECLARATIONS = (BROADCAST_1, BROADCAST_3, TILE_1)
