"""The dims of a trial, and the trial with fewer of them or with shorter ones.

Dims of data and indices hang together: a batch dim is one dim of both. What is cut here stays a valid
layer, and an index keeps pointing at the same value as long as that value is kept.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy

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
        return -1
    return trial.axis if trial.axis >= 0 else trial.axis + trial.data.ndim


def batch_dims_of(trial: Trial) -> int:
    """``batch_dims``, counted from the front."""
    return trial.batch_dims if trial.batch_dims >= 0 else trial.batch_dims + trial.indices.ndim


def dims_of(trial: Trial) -> list[Dim]:
    """All dims, those of data first; the last dim of GatherND's indices, the length of its tuples, is none of them."""
    data, indices = trial.data.shape, trial.indices.shape
    axis, batch = axis_of(trial), batch_dims_of(trial)
    kind = trial.operation.type
    if kind == "GatherElements":
        dims = [Dim(data[at], at, at) for at in range(len(data)) if at != axis]
        return [*dims, Dim(data[axis], axis, None, 0, False), Dim(indices[axis], None, axis, None, False)]
    dims = [Dim(data[at], at, at) for at in range(batch)]
    if kind == "Gather":
        for at in range(batch, len(data)):
            dims.append(Dim(data[at], at, None, *((0, False) if at == axis else ())))
        return dims + [Dim(indices[at], None, at) for at in range(batch, len(indices))]
    parts = indices[-1]
    for at in range(batch, len(data)):
        part = at - batch if at - batch < parts else None
        dims.append(Dim(data[at], at, None, part, part is None or parts > 1))
    return dims + [Dim(indices[at], None, at) for at in range(batch, len(indices) - 1)]


def shorter(trial: Trial) -> Iterator[Trial]:
    """The trial with all dims cut, or one of them left out or cut; what leaves least comes first."""
    dims = dims_of(trial)
    for limit in _LIMITS:
        yield _all_within(trial, limit)
    for dim in dims:
        if dim.free and dim.length:
            yield from (without(trial, dim, at) for at in dict.fromkeys((0, dim.length - 1)))
    for dim in dims:
        yield from (keep(trial, dim, positions) for positions in _parts(dim.length))
    for dim in dims:
        if dim.free and not dim.length:
            yield without(trial, dim, 0)


def _all_within(trial: Trial, limit: int) -> Trial:
    """The first ``limit`` positions of every dim: some failures need two dims to be equal."""
    for number in range(len(dims_of(trial))):
        dim = dims_of(trial)[number]
        if dim.length > limit:
            trial = keep(trial, dim, range(limit))
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
    """The trial with only these ``positions`` of ``dim``."""
    data, indices = trial.data, trial.indices
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
            return numpy.zeros(array.shape[:position] + array.shape[position + 1 :], array.dtype)
        return numpy.asarray(array.take(at, position))

    data, indices = cut(trial.data, dim.data), cut(trial.indices, dim.indices)
    axis, batch = axis_of(trial), batch_dims_of(trial)
    if dim.part is not None and trial.operation.indexes_by_tuples:
        indices = numpy.delete(indices, dim.part, -1)
    if dim.data is not None:
        axis -= dim.data < axis
        batch -= dim.data < batch
    return _with_attributes(trial._replace(data=data, indices=indices), trial, axis, batch)


def _with_attributes(after: Trial, before: Trial, axis: int, batch_dims: int) -> Trial:
    """``after`` with these attributes, counted from the end where those of ``before`` are."""
    if before.batch_dims < 0:
        batch_dims -= after.indices.ndim
    if before.axis is None:
        return after._replace(batch_dims=batch_dims)
    return after._replace(axis=axis - after.data.ndim if before.axis < 0 else axis, batch_dims=batch_dims)


def _moved(trial: Trial, part: int, length: int, remaining: Sequence[int]) -> Array:
    """The indices when only ``remaining`` of the ``length`` positions they point into are left.

    An index outside stays as far outside; one whose value is gone points at the position next to it.
    """
    tuples = trial.operation.indexes_by_tuples
    before = trial.indices[..., part] if tuples else trial.indices
    wide = before.astype(object if before.dtype == numpy.uint64 else "i8")
    inside = (wide >= -length) & (wide < length)
    positions = numpy.searchsorted(numpy.asarray(remaining, "i8"), numpy.where(inside, wide, 0).astype("i8") % length)
    positions = numpy.minimum(positions, len(remaining) - 1)
    removed = length - len(remaining)
    moved = numpy.where(inside & (wide >= 0), positions, numpy.where(wide < 0, wide + removed, wide - removed))
    moved = numpy.where(inside & (wide < 0), positions - len(remaining), moved).astype(trial.indices.dtype)
    if not tuples:
        return numpy.asarray(moved)
    after: Array = trial.indices.copy()
    after[..., part] = moved
    return after


def focused(trial: Trial, at: Sequence[int]) -> Trial | None:
    """The trial that gives only the element ``at`` of the output, by the same index; None when there is no such."""
    kind, batch, axis = trial.operation.type, batch_dims_of(trial), axis_of(trial)
    data, indices = trial.data.ndim, trial.indices.ndim
    positions: dict[tuple[str, int], int] = {}
    if kind == "GatherElements":
        positions = {("indices", position): where for position, where in enumerate(at)}
    elif kind == "Gather":
        own = indices - batch
        positions = {("data", position): at[position] for position in range(axis)}
        positions |= {("indices", batch + number): at[axis + number] for number in range(own)}
        positions |= {("data", position): at[position + own - 1] for position in range(axis + 1, data)}
    else:
        if trial.operation.joins_batch_dims and batch > 1:  # one dim of its output for all batches
            at = (*map(int, numpy.unravel_index(at[0], trial.indices.shape[:batch])), *at[1:])
        positions = {("indices", position): at[position] for position in range(indices - 1)}
        inner = batch + trial.indices.shape[-1]
        positions |= {("data", inner + number): at[indices - 1 + number] for number in range(data - inner)}
    for dim in dims_of(trial):
        where = positions.get(("data", dim.data or 0)) if dim.data is not None else None
        if where is None and dim.indices is not None:
            where = positions.get(("indices", dim.indices))
        if where is not None and dim.part is None:
            if where >= dim.length:
                return None
            trial = keep(trial, dim, [where])
    return trial
