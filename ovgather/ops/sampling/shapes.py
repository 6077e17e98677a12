"""Small static shapes that fit together, for a layer that runs alone and whose file leaves dims open."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.files.array_limits import is_possible
from ovgather.tensor.shape import ANY, Dimension, PartialShape

if TYPE_CHECKING:
    from numpy.random import Generator

_SMALL = (2, 5)
_LARGEST_RANK = 32  # what NumPy 1 holds
_ELEMENTS = 1 << 20  # tables of real models are cut to this


class NoShapeError(InvalidModelError):
    """No shapes fit the layer; the message says why."""


class Chosen(NamedTuple):
    """Static shapes of data and indices; ``cut`` when a dim was made smaller than the file says."""

    data: tuple[int, ...]
    indices: tuple[int, ...]
    cut: bool = False


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
        groups = _groups(type, *_ranked(type, data, indices, axis, batch_dims), axis, batch_dims)
    except (ValueError, IndexError) as error:
        raise NoShapeError(f"no shapes fit: {error}") from error
    lengths = [_length(dim, rng) for _, dim in groups]
    cut = False
    while _elements(type, groups, lengths, axis, batch_dims) > most:
        largest = max((n for n, (dims, _) in enumerate(groups) if dims != _TUPLE), key=lengths.__getitem__)
        if lengths[largest] <= _SMALL[1]:
            break
        lengths[largest] = max(_SMALL[1], lengths[largest] // 2)
        cut = True
    pair = Chosen(_shape("data", groups, lengths), _shape("indices", groups, lengths), cut)
    require_arrays(data=pair.data, indices=pair.indices)
    return pair


def require_arrays(**shapes: tuple[int, ...]) -> None:
    """Raise NoShapeError for a shape that no array has, whatever its type."""
    for name, shape in shapes.items():
        if not is_possible(shape, 16):
            raise NoShapeError(f"{name} has shape {list(shape)}, which no array has")


_Group = tuple[list[tuple[str, int]], Dimension]  # dims of data and indices of equal length, and what it can be
_TUPLE = [("indices", -1)]  # the last dim of GatherND's indices is how many dims they index: never cut


def _ranked(
    type: str, data: PartialShape, indices: PartialShape, axis: int, batch_dims: int
) -> tuple[list[Dimension], list[Dimension]]:
    """The dims of both inputs; a dynamic rank is replaced by a small one."""
    data_rank, indices_rank = data.rank, indices.rank
    if data_rank is None and type == "GatherElements":
        data_rank = indices_rank
    if data_rank is None:
        least = batch_dims + 1 if type == "GatherND" else axis + 1 if axis >= 0 else -axis
        data_rank = max(least, batch_dims + 1, 2)
    if indices_rank is None:
        indices_rank = data_rank if type == "GatherElements" else max(batch_dims + 1, 2)
    if max(data_rank, indices_rank) > _LARGEST_RANK:
        raise ValueError(f"arrays have {_LARGEST_RANK} dims at most, not {max(data_rank, indices_rank)}")
    data_dims = [ANY] * data_rank if data.dims is None else list(data.dims)
    return data_dims, [ANY] * indices_rank if indices.dims is None else list(indices.dims)


def _length(dim: Dimension, rng: Generator) -> int:
    low = max(dim.min, _SMALL[0])
    high = max(low, _SMALL[1]) if dim.min <= _SMALL[1] else low
    if dim.max is not None:
        low, high = min(low, dim.max), min(high, dim.max)
    return int(rng.integers(low, high + 1))


def _groups(type: str, data: list[Dimension], indices: list[Dimension], axis: int, batch_dims: int) -> list[_Group]:
    axis = axis + len(data) if axis < 0 else axis
    if type == "GatherElements":
        if len(data) != len(indices):
            raise ValueError(f"data of rank {len(data)}, indices of rank {len(indices)}")
        shared = [dim for dim in range(len(data)) if dim != axis]
    else:
        shared = list(range(batch_dims + len(indices) if batch_dims < 0 else batch_dims))
    if type == "GatherND":  # in ONNX those of data may be 1
        shared = [dim for dim in shared if data[dim].compatible(indices[dim])]
    groups: list[_Group] = [([("data", dim), ("indices", dim)], data[dim] & indices[dim]) for dim in shared]
    groups += [([("data", dim)], data[dim]) for dim in range(len(data)) if dim not in shared]
    own = [dim for dim in range(len(indices)) if dim not in shared]
    if type == "GatherND":
        tuples = indices[own.pop()]
        if tuples.max == 0:
            raise ValueError("index tuples of length 0 index nothing, OpenVINO's output is left to chance")
        groups.append((_TUPLE, Dimension(1, max(1, len(data) - batch_dims)) & tuples))
    return groups + [([("indices", dim)], indices[dim]) for dim in own]


def _shape(name: str, groups: list[_Group], lengths: list[int]) -> tuple[int, ...]:
    own = {dim: length for length, (dims, _) in zip(lengths, groups, strict=True) for of, dim in dims if of == name}
    return tuple([own[dim] for dim in sorted(own, key=lambda dim: dim if dim >= 0 else len(own))])


def _elements(type: str, groups: list[_Group], lengths: list[int], axis: int, batch_dims: int) -> int:
    """The size of the largest of data, indices and output."""
    data, indices = _shape("data", groups, lengths), _shape("indices", groups, lengths)
    output = prod(indices)
    if type == "GatherND":
        output = prod(indices[:-1]) * prod(data[batch_dims + indices[-1] :])
    elif type == "Gather":
        batch = batch_dims + len(indices) if batch_dims < 0 else batch_dims
        output *= prod(length for dim, length in enumerate(data) if dim >= batch and dim != axis % len(data))
    return max(prod(data), prod(indices), output)
