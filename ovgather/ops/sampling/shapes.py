"""Static shapes to run a lone layer on, where the file leaves dims open: small ones that fit together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.files.array_limits import is_possible
from ovgather.tensor.shape import Dimension, PartialShape

if TYPE_CHECKING:
    from numpy.random import Generator

_SMALL = (2, 5)
_LARGEST_RANK = 32  # what NumPy 1 holds
_ELEMENTS = 1 << 20  # a table of a real model is cut down to this: more values show no more


class NoShapeError(InvalidModelError):
    """No shapes fit the layer; the message says why."""


class Chosen(NamedTuple):
    """Static shapes of data and indices; ``cut`` when a dim was made smaller than the file says."""

    data: tuple[int, ...]
    indices: tuple[int, ...]
    cut: bool = False


class _Room:
    """Dims of data and indices that must be equal, and the lengths they may take."""

    def __init__(self, places: Sequence[tuple[str, int]], dims: Sequence[Dimension]) -> None:
        self.places = places
        room = dims[0]
        for dim in dims[1:]:
            room = room & dim
        self.low = room.min
        self.high = room.max
        self.length = 0

    def choose(self, rng: Generator) -> None:
        low = max(self.low, _SMALL[0])
        high = max(low, _SMALL[1]) if self.low <= _SMALL[1] else low
        if self.high is not None:
            low, high = min(low, self.high), min(high, self.high)
        self.length = int(rng.integers(low, high + 1))


def choose(
    type: str,
    data: PartialShape,
    indices: PartialShape,
    axis: int,
    batch_dims: int,
    rng: Generator,
    most: int = _ELEMENTS,
) -> Chosen:
    """Static shapes with at most ``most`` elements; NoShapeError if none fit or nothing could be gathered."""
    try:
        rooms = _rooms(type, *_ranked(type, data, indices, axis, batch_dims), axis, batch_dims)
    except (ValueError, IndexError) as error:
        raise NoShapeError(f"no shapes fit: {error}") from error
    for room in rooms:
        room.choose(rng)
    cut = False
    while _elements(type, rooms, axis, batch_dims) > most:
        largest = max((room for room in rooms if room.places != _TUPLE), key=lambda room: room.length)
        if largest.length <= _SMALL[1]:
            break
        largest.length = max(_SMALL[1], largest.length // 2)
        cut = True
    chosen = Chosen(_shape("data", rooms), _shape("indices", rooms), cut)
    require_arrays(data=chosen.data, indices=chosen.indices)
    return chosen


def require_arrays(**shapes: tuple[int, ...]) -> None:
    """Raise NoShapeError for a shape that no array has, whatever its type."""
    for name, shape in shapes.items():
        if not is_possible(shape, 16):
            raise NoShapeError(f"{name} has shape {list(shape)}, which no array has")


_TUPLE = [("indices", -1)]  # the last dim of GatherND's indices is how many dims they index: never cut


def _ranked(
    type: str, data: PartialShape, indices: PartialShape, axis: int, batch_dims: int
) -> tuple[list[Dimension], list[Dimension]]:
    """The dims of both inputs; those of a dynamic rank are made up."""
    data_rank, indices_rank = data.rank, indices.rank
    open_dim = Dimension(0, None)
    if type == "GatherElements":
        data_rank = data_rank if data_rank is not None else indices_rank
    least = (axis + 1 if axis >= 0 else -axis) if type != "GatherND" else batch_dims + 1
    if data_rank is None:
        data_rank = max(least, batch_dims + 1, 2)
    if indices_rank is None:
        indices_rank = data_rank if type == "GatherElements" else max(batch_dims + 1, 2)
    if max(data_rank, indices_rank) > _LARGEST_RANK:
        raise ValueError(f"arrays have {_LARGEST_RANK} dims at most, not {max(data_rank, indices_rank)}")
    return (
        list(data.dims if data.dims is not None else [open_dim] * data_rank),
        list(indices.dims if indices.dims is not None else [open_dim] * indices_rank),
    )


def _rooms(type: str, data: list[Dimension], indices: list[Dimension], axis: int, batch_dims: int) -> list[_Room]:
    axis = axis + len(data) if axis < 0 else axis
    if type == "GatherElements":
        if len(data) != len(indices):
            raise ValueError(f"data of rank {len(data)}, indices of rank {len(indices)}")
        shared = [dim for dim in range(len(data)) if dim != axis]
    else:
        shared = list(range(batch_dims + len(indices) if batch_dims < 0 else batch_dims))
    rooms = [_Room([("data", dim), ("indices", dim)], [data[dim], indices[dim]]) for dim in shared]
    rooms += [_Room([("data", dim)], [data[dim]]) for dim in range(len(data)) if dim not in shared]
    own = [dim for dim in range(len(indices)) if dim not in shared]
    if type == "GatherND":
        tuples = indices[own.pop()]
        if tuples.max == 0:
            raise ValueError("index tuples of length 0 index nothing, OpenVINO's output is left to chance")
        tuples = Dimension(1, max(1, len(data) - batch_dims)) & tuples
        rooms.append(_Room(_TUPLE, [tuples]))
    return rooms + [_Room([("indices", dim)], [indices[dim]]) for dim in own]


def _shape(name: str, rooms: list[_Room]) -> tuple[int, ...]:
    lengths = {place[1]: room.length for room in rooms for place in room.places if place[0] == name}
    last = lengths.pop(-1, None)
    shape = tuple(lengths[dim] for dim in sorted(lengths))
    return shape if last is None else (*shape, last)


def _elements(type: str, rooms: list[_Room], axis: int, batch_dims: int) -> int:
    """The size of the largest of data, indices and output."""
    data, indices = _shape("data", rooms), _shape("indices", rooms)
    output = prod(indices)
    if type == "GatherND":
        output = prod(indices[:-1]) * prod(data[batch_dims + indices[-1] :])
    elif type == "Gather":
        batch = batch_dims + len(indices) if batch_dims < 0 else batch_dims
        output *= prod(length for dim, length in enumerate(data) if dim >= batch and dim != axis % len(data))
    return max(prod(data), prod(indices), output)
