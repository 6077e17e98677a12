"""What slices make of the dims and of the elements of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ovgather.ops.declaration import Dims
from ovgather.ops.declared.common.values import INT64_MAX, strides
from ovgather.ops.declared.shapes._slicing import slice_range, sliced_dimension
from ovgather.tensor.dimension import LENGTHS, Dimension, exact
from ovgather.tensor.interval import Interval, Item, Items
from ovgather.tensor.tensor import MOST_ITEMS


class Cut(NamedTuple):
    """What becomes of a dim: ``whole``, ``slice``, ``index`` (the dim goes), ``unknown``; ``new`` is a dim of 1."""

    kind: str
    start: Item = 0
    stop: Item = INT64_MAX
    step: int = 1


WHOLE, NEW, UNKNOWN_CUT = Cut("whole"), Cut("new"), Cut("unknown")


def cut_dims(dims: Dims, cuts: Sequence[Cut]) -> list[Dimension]:
    """The dims of the output; ``cuts`` has one entry for each dim, besides those of kind ``new``."""
    output = []
    rest = iter(dims)
    for cut in cuts:
        if cut.kind == "new":
            output.append(LENGTHS[1])
            continue
        dim = next(rest)
        if cut.kind == "whole":
            output.append(dim)
        elif cut.kind == "slice":
            output.append(sliced_dimension(dim, cut.start, cut.stop, cut.step))
        elif cut.kind == "unknown":
            output.append(exact(0, dim.max, None))
    return output


def cut_items(
    items: Items, shape: tuple[int, ...], cuts: Sequence[Cut]
) -> Items | None:
    """The elements of the output; None where an index is not known."""
    places = [0]
    axis = 0
    steps = strides(shape)
    for cut in cuts:
        if cut.kind == "new":
            continue
        indices = _indices(cut, shape[axis])
        if indices is None or len(places) * len(indices) > MOST_ITEMS:
            return None
        places = [place + index * steps[axis] for place in places for index in indices]
        axis += 1
    return tuple([items[place] for place in places])


def _indices(cut: Cut, length: int) -> range | None:
    if cut.kind == "whole":
        return range(length)
    if cut.kind == "unknown" or isinstance(cut.start, Interval):
        return None
    start = int(cut.start)
    if cut.kind == "index":
        if start < 0:
            index = start + length
        else:
            index = start
        if 0 <= index < length:
            return range(index, index + 1)
        return None
    if isinstance(cut.stop, Interval):
        return None
    return slice_range(length, start, int(cut.stop), cut.step)
