"""The operations as their formulas read, one element at a time."""

from __future__ import annotations

from typing import Any

import numpy

Array = numpy.ndarray


def gather(data: Array, indices: Array, axis: int, batch_dims: int) -> Array:
    """Gather with negative indices from the end and zeros outside."""
    axis %= data.ndim
    batch = batch_dims if batch_dims >= 0 else batch_dims + indices.ndim
    shape = data.shape[:axis] + indices.shape[batch:] + data.shape[axis + 1 :]
    out = numpy.zeros(shape, data.dtype)
    for place in numpy.ndindex(*shape):
        chosen = place[axis : axis + indices.ndim - batch]
        value = int(indices[place[:batch] + chosen])
        if -data.shape[axis] <= value < data.shape[axis]:
            out[place] = data[(*place[:axis], value, *place[axis + len(chosen) :])]
    return out


def gather_elements(data: Array, indices: Array, axis: int) -> Array:
    """GatherElements; an index outside is Python's own IndexError."""
    axis %= data.ndim
    out = numpy.zeros(indices.shape, data.dtype)
    for place in numpy.ndindex(*indices.shape):
        out[place] = data[(*place[:axis], int(indices[place]), *place[axis + 1 :])]
    return out


def gather_nd(data: Array, indices: Array, batch_dims: int) -> Array:
    """GatherND-8; an index outside is Python's own IndexError."""
    shape = indices.shape[:-1] + data.shape[batch_dims + indices.shape[-1] :]
    out = numpy.zeros(shape, data.dtype)
    for place in numpy.ndindex(*indices.shape[:-1]):
        pointed: tuple[Any, ...] = tuple(int(part) for part in indices[place])
        out[place] = data[place[:batch_dims] + pointed]
    return out
