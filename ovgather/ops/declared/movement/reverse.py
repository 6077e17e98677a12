"""Elements in another order along some axes.

Pages: movement/reverse-1, movement/reverse-sequence-1, movement/roll-7, movement/shuffle-channels-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    BOOLEAN,
    INT32_64,
    INTEGERS,
    INTEGERS_OR_BOOLEAN,
    NUMBERS_OR_STRINGS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import is_compiled
from ovgather.ops.declared.common.movement import (
    is_certain,
    require_known_types,
    require_least_rank,
    require_rank,
)
from ovgather.ops.declared.common.values import of_numbers
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.interval import Items
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements


def _reverse(node: Node) -> list[Tensor]:
    node.require_count()
    is_mask = node["mode"] == "mask"
    if is_mask:
        types, words = (BOOLEAN, "boolean")
    else:
        types, words = (INTEGERS, "of an integer type")
    if is_mask:
        require_known_types(node, 1)
    if node.type(1) not in types and node.type(1) != "dynamic":
        node.refuse(
            "reversed_axes",
            f"reversed_axes must be {words} in mode {node['mode']}, not {node.type(1)}",
        )
    require_rank(node, 1, 1)
    rank = node.rank(0)
    if rank is None:
        return [tensor(None, node.type(0))]
    axes_dims = node.dims(1)
    if is_mask and axes_dims is not None and not axes_dims[0].compatible(LENGTHS[rank]):
        node.refuse(
            "reversed_axes",
            f"reversed_axes has {elements(axes_dims[0])}, data has rank {rank}",
        )
    if not is_mask:
        for axis in node.integers(1) or ():
            if max(axis, 0) >= rank:  # a negative axis counts as 0
                node.refuse(
                    "reversed_axes", f"axis {axis} is out of range [0, {rank - 1}]"
                )
    return [tensor(node.dims(0), node.type(0))]


def _reverse_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    data, axes = node.value(0), node.integers(1)
    if data is None or axes is None or node.rank(0) != 1:
        return [None]
    if node["mode"] == "mask":
        is_reversed = bool(axes[:1] and axes[0])
    else:
        is_reversed = bool(axes)
    return [data[::-1] if is_reversed else data]


def _reverse_sequence(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_least_rank(node, 0, 2)
    require_rank(node, 1, 1)
    dims, lengths = node.dims(0), node.dims(1)
    if dims is None:
        if node["seq_axis"] < 0 and is_certain(node, 0):
            node.refuse(
                "seq_axis",
                f"seq_axis is {node['seq_axis']}, and the rank of data is dynamic",
            )
        return [tensor(None, node.type(0))]
    node.front_axis("seq_axis", node["seq_axis"], len(dims))
    if lengths is None:
        return [tensor(dims, node.type(0))]
    batch = node.front_axis("batch_axis", node["batch_axis"], len(dims))
    if not dims[batch].compatible(lengths[0]):
        node.refuse(
            "seq_lengths",
            f"seq_lengths has {elements(lengths[0])}, batch dim {batch} of data is {dims[batch]}",
        )
    merged = [*dims]
    merged[batch] = dims[batch] & lengths[0]
    return [tensor(merged, node.type(0))]


def _roll(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_rank(node, 1, 0, 1)
    require_rank(node, 2, 0, 1)
    if node.rank(1) != 0 and not node.shape(1).compatible(node.shape(2)):
        node.refuse(
            "shift",
            f"shift has shape {node.shape(1)}, axes has {node.shape(2)}; a scalar or equal is expected",
        )
    axes = node.dims(2)
    is_static = node.shape(0).is_static and is_compiled(node.inputs[:1])
    if is_static and node.rank(1) == 0 and axes and axes[0].min > 1:
        node.refuse_on_compile(
            "shift", "shift is a scalar, the CPU plugin needs one for each of axes"
        )
    rank = node.rank(0)
    if rank is not None:
        for axis in node.integers(2) or ():
            node.front_axis("axes", axis, rank, least_rank=1)
    return [tensor(node.dims(0), node.type(0))]


def _shuffle_channels(node: Node) -> list[Tensor]:
    node.require_count()
    group = node["group"]
    if group < 1:
        node.refuse("group", f"group is {group}, at least 1 is expected")
    dims = node.dims(0)
    if dims is None:
        return [tensor(None, node.type(0))]
    require_least_rank(node, 0, 1)
    axis = node.front_axis("axis", node["axis"], len(dims))
    channels = dims[axis]
    if channels.min == channels.max and channels.min % group:
        node.refuse(
            "group",
            f"group {group} does not divide dim {axis} of data, which is {channels}",
        )
    return [tensor(dims, node.type(0))]


REVERSE = Declaration(
    "Reverse",
    1,
    (Input("data"), Input("reversed_axes", INTEGERS_OR_BOOLEAN)),
    (Attribute("mode", "enum", "index", required=True, values=("index", "mask")),),
    _reverse,
    "movement/reverse-1",
    of_numbers(_reverse_value),
    moves=(0,),
)
REVERSE_SEQUENCE = Declaration(
    "ReverseSequence",
    1,
    (Input("data"), Input("seq_lengths", NUMBERS_OR_STRINGS)),
    (Attribute("batch_axis", default=0), Attribute("seq_axis", default=1)),
    _reverse_sequence,
    "movement/reverse-sequence-1",
    moves=(0,),
    of_plugin=True,
)
ROLL = Declaration(
    "Roll",
    7,
    (Input("data"), Input("shift", INT32_64), Input("axes", INT32_64)),
    (),
    _roll,
    "movement/roll-7",
    moves=(0,),
    of_plugin=True,
)
SHUFFLE_CHANNELS = Declaration(
    "ShuffleChannels",
    1,
    (Input("data"),),
    (Attribute("axis", default=1), Attribute("group", default=1)),
    _shuffle_channels,
    "movement/shuffle-channels-1",
    moves=(0,),
)
DECLARATIONS = (REVERSE, REVERSE_SEQUENCE, ROLL, SHUFFLE_CHANNELS)
