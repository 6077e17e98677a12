"""Data of which a slice is replaced.

Page: movement/slice-scatter-15.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    INTEGERS,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    require_least_rank,
    require_rank,
)
from ovgather.ops.declared.shapes._slicing import has_no_length, sliced_dimension
from ovgather.tensor.dimension import ANY, exact
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_DATA, _UPDATES, _START, _STOP, _STEP, _AXES = range(6)


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    data, updates = node.dims(_DATA), node.dims(_UPDATES)
    if data is not None and updates is not None and len(data) != len(updates):
        node.refuse(
            "updates", f"updates has rank {len(updates)}, data has rank {len(data)}"
        )
    require_least_rank(node, _DATA, 1)
    require_least_rank(node, _UPDATES, 1)
    known = data if data is not None else updates
    rank = None
    if known is not None:
        rank = len(known)
    _require_counts(node, rank)
    steps = node.integers(_STEP)
    if steps is not None and 0 in steps:
        node.refuse("step", "step has 0, another number is expected")
    if rank is None:
        return [tensor(None, node.type(_DATA))]
    axes = _axes(node, rank)
    if data is None:
        return [tensor([ANY] * rank, node.type(_DATA))]
    if updates is not None:
        _require_updates(node, data, updates, axes)
    return [tensor(data, node.type(_DATA))]


def _require_counts(node: Node, rank: int | None) -> None:
    """Refuse bounds of another rank than 1, of different lengths, or longer than data has dims."""
    for index in range(_START, len(node.inputs)):
        require_rank(node, index, 1)
        dims, name = node.dims(index), node.input_name(index)
        if dims is not None and rank is not None and dims[0].min > rank:
            node.refuse(name, f"{name} has {elements(dims[0])}, data has rank {rank}")
        for other in range(_START, min(index, _AXES)):
            if (index != _AXES or other == _START) and not node.shape(index).compatible(
                node.shape(other)
            ):
                node.refuse(
                    name,
                    f"{name} has shape {node.shape(index)}, start has {node.shape(_START)}",
                )


def _axes(node: Node, rank: int) -> list[int] | None:
    """The axes that are sliced, None where they are not known."""
    if not node.has(_AXES):
        starts = node.value(_START)
        if starts is None:
            return None
        return [*range(len(starts))]
    given = node.integers(_AXES)
    if given is None or node.rank(_DATA) is None:
        return None
    axes = [node.front_axis("axes", axis, rank) for axis in given]
    if len(set(axes)) < len(axes):
        node.refuse("axes", "axes has an axis twice")
    return axes


def _require_updates(
    node: Node, data: Dims, updates: Dims, axes: Sequence[int] | None
) -> None:
    """Refuse updates that are not of the shape of the slice."""
    starts, stops, steps = node.value(_START), node.value(_STOP), node.integers(_STEP)
    places = range(len(data)) if axes is None else axes
    expected = list(data)
    for number, place in enumerate(places):
        expected[place] = exact(0, data[place].max, None)
        if (
            axes is not None
            and starts is not None
            and stops is not None
            and steps is not None
        ):
            ends = starts[number], stops[number], steps[number]
            expected[place] = sliced_dimension(data[place], *ends)
            if has_no_length(data[place], *ends):
                node.refuse(
                    "updates",
                    f"the slice of dim {place} of data is the longest where the dim is the shortest",
                )
    for place, (dim, own) in enumerate(zip(expected, updates, strict=True)):
        if not dim.compatible(own):
            node.refuse(
                "updates", f"dim {place} of updates is {own}, the slice has {dim}"
            )


DECLARATIONS = (
    Declaration(
        "SliceScatter",
        15,
        (
            Input("data"),
            Input("updates"),
            Input("start", INTEGERS),
            Input("stop", INTEGERS),
            Input("step", INTEGERS),
            Input("axes", INTEGERS, optional=True),
        ),
        (),
        _infer,
        "movement/slice-scatter-15",
        of_plugin=True,
    ),
)
