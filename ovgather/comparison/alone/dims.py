"""The dims of a trial, some of which are dims of data and indices both, and the trial with fewer or shorter ones: it
stays a valid layer, and an index keeps pointing at the same value as long as that value is kept."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy

from ovgather.comparison.verdict.compare import batch_dims_of, spread
from ovgather.errors import OvgatherError
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

_CHUNKS = (2, 4, 8)
_LIMITS = (1, 2, 3, 5)


class Dim(NamedTuple):
    """One dim of ``length``: its positions in data and in indices (None: in the other one only).

    ``part`` is where the values that index it stand in an index tuple; None when nothing indexes it.
    A dim that is not ``free`` can be cut, but not left out.
    """

    length: int
    data: int | None
    indices: int | None
    part: int | None = None
    free: bool = True


def axis_of(trial: Trial) -> int:
    """The axis, counted from the front; -1 where the operation has none."""
    if trial.axis is None:
        axis = -1 - trial.data.ndim
    else:
        axis = trial.axis
    if axis >= 0:
        return axis
    return axis + trial.data.ndim


def dims_of(trial: Trial) -> list[Dim]:
    """All dims, those of data first; the last dim of GatherND's indices, the length of its tuples, is none of them."""
    data = trial.data.shape
    indices = trial.indices.shape
    axis = axis_of(trial)
    batch = batch_dims_of(trial)
    kind = trial.operation.type
    if kind == "GatherElements":
        dims = [Dim(data[at], at, at) for at in range(len(data)) if at != axis]
        return [
            *dims,
            Dim(data[axis], axis, None, 0, False),
            Dim(indices[axis], None, axis, None, False),
        ]
    # The dims of data that are indexed, each with its part of an index tuple.
    if kind == "Gather":
        parts = {axis: 0}
    else:
        parts = {batch + part: part for part in range(indices[-1])}
    dims = [Dim(data[at], at, at) for at in range(batch)]
    for at in range(batch, len(data)):
        dims.append(
            Dim(data[at], at, None, parts.get(at), at not in parts or len(parts) > 1)
        )
    return dims + [
        Dim(indices[at], None, at)
        for at in range(batch, len(indices) - (kind == "GatherND"))
    ]


def shorter(trial: Trial) -> Iterator[Trial]:
    """The trial with all dims cut, or one of them left out or cut; what leaves least comes first."""
    dims = dims_of(trial)
    for limit in _LIMITS:  # of all dims: some failures need two of them to be equal
        yield resized(
            trial,
            lambda length, limit=limit: range(limit) if length > limit else None,  # type: ignore[misc]
        )
    for dim in dims:
        if dim.free and dim.length:
            yield from (
                without(trial, dim, at) for at in dict.fromkeys((0, dim.length - 1))
            )
    for dim in dims:
        yield from (keep(trial, dim, positions) for positions in _parts(dim.length))
    for dim in dims:
        if dim.free and not dim.length:
            yield without(trial, dim, 0)


def resized(trial: Trial, positions: Callable[[int], Sequence[int] | None]) -> Trial:
    """The trial with the ``positions`` of every dim that it has by its length; None: it stays as it is."""
    for number in range(len(dims_of(trial))):
        dim = dims_of(trial)[number]
        if (remaining := positions(dim.length)) is not None:
            trial = keep(trial, dim, remaining)
    return trial


def _parts(length: int) -> Iterator[Sequence[int]]:
    """Fewer positions of a dim: none of them one by one, then halves, then all but a quarter and all but an eighth."""
    if length < 2:
        return
    yield from ([at] for at in dict.fromkeys((0, length - 1, length // 2)))
    if length > 3:
        yield [0, length - 1]
    for chunks in _CHUNKS:
        if length < chunks or length == 2:
            return
        edges = [length * number // chunks for number in range(chunks + 1)]
        for low, high in pairwise(edges):
            yield [at for at in range(length) if not low <= at < high]


def keep(trial: Trial, dim: Dim, positions: Sequence[int]) -> Trial:
    data = trial.data
    indices = trial.indices
    if dim.indices is not None:
        indices = indices.take(positions, dim.indices)
    if dim.data is not None:
        data = data.take(positions, dim.data)
    if dim.part is not None:
        indices = _moved(trial, dim.part, dim.length, positions)
    return trial._replace(data=data, indices=indices)


def without(trial: Trial, dim: Dim, at: int) -> Trial:
    """The trial without ``dim``: of what it held, the slice ``at`` stays. One of length 0 is left out of the shape."""

    def cut(array: Array, position: int | None) -> Array:
        if position is None:
            return array
        if not dim.length:
            return numpy.zeros(
                array.shape[:position] + array.shape[position + 1 :], array.dtype
            )
        # A string stays an object.
        return numpy.asarray(array.take(at, position), array.dtype)

    data = cut(trial.data, dim.data)
    indices = cut(trial.indices, dim.indices)
    if dim.part is not None and trial.operation.indexes_by_tuples:
        indices = numpy.delete(indices, dim.part, -1)
    axis = axis_of(trial)
    batch = batch_dims_of(trial)
    if dim.data is not None:
        axis = axis - (dim.data < axis)
        batch = batch - (dim.data < batch)
    # Attributes that are counted from the end stay so.
    batch -= indices.ndim * (trial.batch_dims < 0)
    axis -= data.ndim * ((trial.axis or 0) < 0)
    return trial._replace(
        data=data,
        indices=indices,
        axis=None if trial.axis is None else axis,
        batch_dims=batch,
    )


def _moved(trial: Trial, part: int, length: int, remaining: Sequence[int]) -> Array:
    """The indices when only ``remaining`` of the ``length`` positions they point into are left.

    An index outside stays as far outside; one whose value is gone points at the position next to it.
    """
    tuples = trial.operation.indexes_by_tuples
    if tuples:
        before = trial.indices[..., part]
    else:
        before = trial.indices
    wide = before.astype(object if before.dtype == numpy.uint64 else "i8")
    inside = (wide >= -length) & (wide < length)
    positions = numpy.searchsorted(
        numpy.asarray(remaining, "i8"),
        numpy.where(inside, wide, 0).astype("i8") % length,
    )
    positions = numpy.minimum(positions, len(remaining) - 1)
    removed = length - len(remaining)
    moved = numpy.where(
        inside & (wide >= 0),
        positions,
        numpy.where(wide < 0, wide + removed, wide - removed),
    )
    moved = numpy.where(inside & (wide < 0), positions - len(remaining), moved).astype(
        trial.indices.dtype
    )
    if not tuples:
        return numpy.asarray(moved)
    after: Array = trial.indices.copy()
    after[..., part] = moved
    return after


def focused(trial: Trial, at: tuple[int, ...]) -> Trial | None:
    """The trial that gives only the element ``at`` of the output, by the same index; None when there is no such."""
    data = trial.data.shape
    indices = trial.indices.shape
    if trial.operation.indexes_by_tuples:
        indices = indices[:-1]
    start = trial._replace(
        data=numpy.arange(trial.data.size).reshape(data),
        indices=numpy.zeros_like(trial.indices),
    )
    numbers = numpy.arange(prod(indices)).reshape(indices)
    try:
        # Which of the data each element would be if all indices were 0, and which index fetches it.
        output = start.want()
        places = output[at], spread(start.evidence(output), numbers, output)[at]
    except (OvgatherError, IndexError):
        return None
    in_data, in_indices = map(numpy.unravel_index, places, (data, indices))
    for dim in dims_of(trial):
        if dim.part is None:
            if dim.data is not None:
                where = in_data[dim.data]
            else:
                where = in_indices[dim.indices or 0]
            trial = keep(trial, dim, [int(where)])
    return trial
