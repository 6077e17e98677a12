"""Sequences of tensors: OpenVINO follows their elements while it reads, and has no sequences afterwards."""

from __future__ import annotations

from functools import partial, reduce

from ovgather.forward.bodies.branches import either
from ovgather.layers.conversion.call import (
    NodeCall,
    NotFollowed,
    integers,
    scalar,
)
from ovgather.tensor.tensor import MOST_ITEMS, Tensor


def _construct(call: NodeCall) -> list[Tensor]:
    call.given = [call.input(index) for index in range(max(1, len(call.inputs)))]
    return []


def _empty(call: NodeCall) -> list[Tensor]:
    call.given = []
    return []


def _insert(call: NodeCall) -> list[Tensor]:
    elements = call.elements
    place = len(elements)
    if call.has(2):
        place = _place(call, 2, place + 1)
    call.given = [*elements[:place], call.input(1), *elements[place:]]
    return []


def _erase(call: NodeCall) -> list[Tensor]:
    elements = call.elements
    place = len(elements) - 1
    if call.has(1):
        place = _place(call, 1, len(elements))
    call.given = [*elements[:place], *elements[place + 1 :]]
    return []


def _length(call: NodeCall) -> list[Tensor]:
    return [scalar(len(call.elements))]


def _at(call: NodeCall) -> list[Tensor]:
    elements = call.elements
    if elements and not call.input(1).is_constant:
        return [reduce(partial(either, 0), elements)]  # nested Ifs
    return [elements[_place(call, 1, len(elements))]]


def _concat(call: NodeCall) -> list[Tensor]:
    elements = call.elements
    if not elements:
        raise NotFollowed("a sequence without elements")
    axis = call.integer("axis", 0)
    is_new = call.integer("new_axis", 0) != 0
    rank = elements[0].shape.rank
    if rank is not None:
        rank += is_new
        if not -rank <= axis < rank:
            call.refuse("axis", f"axis {axis} is out of range [{-rank}, {rank - 1}]")
    if is_new:
        elements = [
            call.layer("Unsqueeze", each, integers([axis])) for each in elements
        ]
    return [call.layer("Concat", *elements, axis=axis)]


def _split(call: NodeCall) -> list[Tensor]:
    """Parts of one element each lose the axis where ``keepdims`` is 0."""
    data = call.input(0)
    axis = call.integer("axis", 0)
    rank = data.shape.rank
    if rank is None or not -rank <= axis < rank:
        raise NotFollowed("the axis is not known")
    if data.shape[axis].is_dynamic and call.has(1) and call.inputs[1].shape.rank == 0:
        call.refuse("split", f"the length of axis {axis} must be known: {data.shape}")
    if data.shape[axis].is_dynamic:
        raise NotFollowed("the length of the axis is not known")
    length = data.shape[axis].min
    sizes = _sizes(call, length)
    call.given = call.layers(
        "VariadicSplit", data, scalar(axis), integers(sizes), count=len(sizes)
    )
    if not call.has(1) and not call.integer("keepdims", 1):
        call.given = [
            call.layer("Squeeze", each, integers([axis])) for each in call.given
        ]
    return []


def _sizes(call: NodeCall, length: int) -> list[int]:
    """The lengths of the parts, of which the last one may be shorter."""
    size = 1
    if call.has(1):
        split = call.inputs[1]
        items = [item for item in split.value or () if isinstance(item, int)]
        if not split.is_constant or not items:
            raise NotFollowed("the lengths of the parts are not known")
        if split.shape.rank:
            return items
        size = items[0]
    if size < 1:
        call.refuse("split", f"split is {size}, it must be positive")
    if length > size * MOST_ITEMS:
        raise NotFollowed("a sequence of so many elements")
    return [min(size, length - start) for start in range(0, length, size)]


def _place(call: NodeCall, index: int, count: int) -> int:
    """The place that a constant input names among ``count``."""
    position = call.input(index)
    if position.shape.rank:
        message = f"the position must be a scalar, but is {position.shape}"
        call.refuse("position", message)
    if not position.is_constant or not position.value:
        raise NotFollowed("a position that is computed")
    [place] = position.value
    if not isinstance(place, int):
        raise NotFollowed("a position that is no integer")
    if not -count <= place < count:
        message = f"the position {place} is out of range [{-count}, {count - 1}]"
        call.refuse("position", message)
    return place % count


TRANSLATIONS = {
    "ConcatFromSequence": _concat,
    "SequenceAt": _at,
    "SequenceConstruct": _construct,
    "SequenceEmpty": _empty,
    "SequenceErase": _erase,
    "SequenceInsert": _insert,
    "SequenceLength": _length,
    "SplitToSequence": _split,
}
