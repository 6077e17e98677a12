"""Parts of a tensor from index to index along axes.

Pages: movement/slice-8, movement/strided-slice-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.values import INT64_MAX, INT64_MIN, lengths
from ovgather.ops.declared.shapes._arguments import (
    require_rank,
    vector_length,
    whole_items,
    whole_numbers,
)
from ovgather.ops.declared.shapes._cuts import (
    NEW,
    UNKNOWN_CUT,
    WHOLE,
    Cut,
    cut_dims,
    cut_items,
)
from ovgather.tensor.interval import UNKNOWN, Interval, Items
from ovgather.tensor.tensor import MOST_ITEMS, Tensor
from ovgather.text import elements


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    items = node.value(0)
    cuts = None
    if items is not None:
        cuts = _cuts(node)
    if items is None or cuts is None:
        return [None]
    value = cut_items(items, lengths(node.shape(0)), cuts)
    count = 1
    for dim in outputs[0].shape:
        count *= dim.min
    return [value if value is not None and len(value) == count else None]


def _cuts(node: Node) -> list[Cut] | None:
    if node.declaration.type == "Slice":
        return _slice_cuts(node)
    return _strided_cuts(node)


# Slice ----------------------------------------------------------------------------------------------------------------


def _slice(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    dims = node.dims(0)
    if dims is None:
        return [tensor(None, node.type(0))]
    if not dims:
        node.refuse("data", "data must have rank 1 or more, a scalar cannot be sliced")
    _require_slice_shapes(node, len(dims))
    return [tensor(cut_dims(dims, _slice_cuts(node)), node.type(0))]


def _require_slice_shapes(node: Node, rank: int) -> None:
    for index in range(1, len(node.inputs)):
        name, shape = node.input_name(index), node.shape(index)
        require_rank(node, index, 1)
        if shape.dims and shape.dims[0].min > rank:
            node.refuse(
                name, f"{name} has {elements(shape.dims[0])}, data has rank {rank}"
            )
        for other in range(1, index):
            if not shape.compatible(node.shape(other)):
                node.refuse(
                    name, f"{node.input_name(other)} and {name} have different lengths"
                )


def _slice_cuts(node: Node) -> list[Cut]:
    rank = node.rank(0) or 0
    starts, stops, steps = (
        whole_items(node, 1),
        whole_items(node, 2),
        whole_numbers(node, 3),
    )
    axes = _slice_axes(node, rank)
    if axes is None:
        return [UNKNOWN_CUT] * rank
    cuts = [WHOLE] * rank
    for place, axis in enumerate(axes):
        if starts is None or stops is None or steps is None:
            cuts[axis] = UNKNOWN_CUT
            continue
        if steps[place] == 0:
            node.refuse("step", "step must not be 0")
        cuts[axis] = Cut("slice", starts[place], stops[place], steps[place])
    return cuts


def _slice_axes(node: Node, rank: int) -> list[int] | None:
    if not node.has(4):
        count = vector_length(node, 1)
        if count is None:
            return None
        return list(range(count))
    axes = whole_numbers(node, 4)
    if axes is None:
        return None
    places = [node.front_axis("axes", axis, rank) for axis in axes]
    if len(set(places)) < len(places):
        node.refuse("axes", f"axes ({','.join(map(str, axes))}) name a dim twice")
    return places


# StridedSlice ---------------------------------------------------------------------------------------------------------

_MASKS = (
    "begin_mask",
    "end_mask",
    "new_axis_mask",
    "shrink_axis_mask",
    "ellipsis_mask",
)


def _strided_slice(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    _require_masks(node)
    if not node.has(3) and node.rank(1) is None and not vector_length(node, 2):
        node.refuse(
            "begin",
            "begin must be of rank 1, its rank is not known, and there are no strides",
        )
    for index in range(1, len(node.inputs)):
        require_rank(node, index, 1)
    dims, cuts = node.dims(0), _strided_cuts(node)
    if dims is None or cuts is None:
        return [tensor(None, node.type(0))]
    if node.shape(0).is_static:
        _require_indices(node, dims, cuts)
    return [tensor(cut_dims(dims, cuts), node.type(0))]


def _require_indices(node: Node, dims: Dims, cuts: Sequence[Cut]) -> None:
    """Refuse on compile an index that stands for a whole axis and is out of range: the core does not look at it."""
    kept = [cut for cut in cuts if cut.kind != "new"]
    for axis, (cut, dim) in enumerate(zip(kept, dims, strict=False)):
        if cut.kind != "index" or isinstance(cut.start, Interval):
            continue
        if not -dim.min <= cut.start < dim.min:
            message = (
                f"index {cut.start} is out of range of axis {axis}, of length {dim.min}"
            )
            node.refuse_on_compile("begin", message)


def _require_masks(node: Node) -> None:
    length = len(node["begin_mask"])
    for name in _MASKS:
        mask = node[name]
        wrong = [bit for bit in mask if bit not in (0, 1)]
        if wrong:
            node.refuse(name, f"{name} must hold 0 and 1, not {wrong[0]}")
        if mask and len(mask) != length:
            node.refuse(
                name, f"{name} has {elements(len(mask))}, begin_mask has {length}"
            )


def _axis_count(node: Node, strides: Sequence[int] | None) -> int | None:
    """How many slices there are; refuses inputs of different lengths."""
    count = None
    for name, length in (
        ("begin", vector_length(node, 1)),
        ("end", vector_length(node, 2)),
        ("strides", None if strides is None else len(strides)),
    ):
        if count is not None and length is not None and count != length:
            node.refuse(
                name,
                f"{name} has {elements(length)}, the inputs before it have {count}",
            )
        count = length if count is None else count
    return count


def _default_strides(node: Node) -> list[int] | None:
    begin, end = vector_length(node, 1), vector_length(node, 2)
    count = end if begin is None else begin
    if count is None or count > MOST_ITEMS:
        return None
    return [1] * count


def _strided_cuts(node: Node) -> list[Cut] | None:
    """What becomes of each dim of the data; None where the output's rank is not known."""
    rank = node.rank(0)
    if rank is None:
        return None
    if node.has(3):
        strides = whole_numbers(node, 3)
    else:
        strides = _default_strides(node)
    count = _axis_count(node, strides)
    if count is None:
        return None
    masks = {
        name: {place for place, bit in enumerate(node[name]) if bit} for name in _MASKS
    }
    ellipses, new_axes = masks["ellipsis_mask"], masks["new_axis_mask"]
    if len(ellipses) > 1:
        node.refuse(
            "ellipsis_mask",
            f"ellipsis_mask marks {len(ellipses)} places, at most one may be",
        )
    if not ellipses and rank + len(new_axes) < count:
        node.refuse(
            "begin",
            f"begin has {elements(count)}, data has rank {rank}, and {len(new_axes)} axes are new",
        )
    if count > MOST_ITEMS:
        return None
    cuts: list[Cut] = []
    begin = end = None
    if any([place not in ellipses and place not in new_axes for place in range(count)]):
        begin, end = whole_items(node, 1), whole_items(node, 2)
    for place in range(count):
        if place in ellipses:
            cuts += [WHOLE] * _hidden_dims(node, rank, count, place, new_axes)
        elif place in new_axes:
            cuts.append(NEW)
        else:
            cuts.append(_strided_cut(node, begin, end, strides, place, masks))
    return _completed(node, cuts, rank)


def _hidden_dims(
    node: Node, rank: int, count: int, place: int, new_axes: set[int]
) -> int:
    """How many dims the ellipsis stands for; the core counts new axes behind it only where ``begin`` is known."""
    before = sum(other not in new_axes for other in range(place))
    is_known = node.value(1) is not None
    after = sum(
        other not in new_axes or not is_known for other in range(place + 1, count)
    )
    return max(0, rank - before - after)


def _strided_cut(
    node: Node,
    begin: Items | None,
    end: Items | None,
    strides: Sequence[int] | None,
    place: int,
    masks: dict[str, set[int]],
) -> Cut:
    start = None
    if begin is not None:
        start = begin[place]
    stop = None
    if end is not None:
        stop = end[place]
    if place in masks["shrink_axis_mask"]:
        return Cut("index", UNKNOWN if start is None else start)
    if strides is None:
        return UNKNOWN_CUT
    step = strides[place]
    if place in masks["begin_mask"]:
        start = INT64_MAX if step < 0 else 0
    if place in masks["end_mask"]:
        stop = INT64_MIN if step < 0 else INT64_MAX
    if step == 0:
        node.refuse("strides", "strides must not be 0")
    return Cut(
        "slice",
        UNKNOWN if start is None else start,
        UNKNOWN if stop is None else stop,
        step,
    )


def _completed(node: Node, cuts: list[Cut], rank: int) -> list[Cut]:
    """``cuts`` with the dims behind them; refuses more than data has."""
    used = sum(cut.kind != "new" for cut in cuts)
    if used > rank:
        node.refuse("begin", f"{used} dims are sliced, data has rank {rank}")
    return cuts + [WHOLE] * (rank - used)


_INDICES = Input("start", INTEGERS)
SLICE_8 = Declaration(
    "Slice",
    8,
    (
        Input("data"),
        _INDICES,
        _INDICES._replace(name="stop"),
        _INDICES._replace(name="step"),
        _INDICES._replace(name="axes", optional=True),
    ),
    (),
    _slice,
    "movement/slice-8",
    _value,
    moves=(0,),
)
STRIDED_SLICE_1 = Declaration(
    "StridedSlice",
    1,
    (
        Input("data"),
        _INDICES._replace(name="begin"),
        _INDICES._replace(name="end"),
        Input("strides", optional=True),
    ),
    tuple(
        [
            Attribute(name, "integers", (), required=name in _MASKS[:2])
            for name in _MASKS
        ]
    ),
    _strided_slice,
    "movement/strided-slice-1",
    _value,
    moves=(0,),
)

DECLARATIONS = (SLICE_8, STRIDED_SLICE_1)
