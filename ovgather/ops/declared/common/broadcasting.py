"""How dims of two inputs join, as OpenVINO's core does it: equal dims, NumPy's and PaddlePaddle's broadcasting."""

from __future__ import annotations

from ovgather.ops.declaration import Dims
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact


def broadcast_dims(one: Dims, other: Dims) -> Dims | None:
    """The dims of two inputs that NumPy broadcasts to each other, ``one`` itself if it stays; None: they do not fit."""
    if not other:
        return one
    missing = len(one) - len(other)
    if missing > 0:
        other = (LENGTHS[1],) * missing + other
    elif missing < 0:
        one = (LENGTHS[1],) * -missing + one
    dims, stays = [], True
    for mine, theirs in zip(one, other, strict=True):
        if (
            mine is theirs or theirs.min == 1 == theirs.max
        ):  # as ``broadcast_dim``: 1 % of a file's time
            dims.append(mine)
            continue
        dim = broadcast_dim(mine, theirs)
        if dim is None:
            return None
        stays = False
        dims.append(dim)
    if stays:
        return one
    return tuple(dims)


def broadcast_dim(one: Dimension, other: Dimension) -> Dimension | None:
    """The dim of two that are broadcast to each other; None: they do not fit."""
    if one is other or (other.min == other.max == 1):
        return one
    if one.min == one.max == 1:
        return other
    if one.symbol is not None and one.symbol == other.symbol:
        if one.compatible(other):
            return one & other
        return None
    if not _may_be_one(one) and not _may_be_one(other):
        if one.compatible(other):
            return one & other
        return None
    if not _may_be_one(one):  # the other is equal to it, or 1
        return one
    if not _may_be_one(other):
        return other
    # Both may be 1: the result is the larger one.
    if one.min > 1 or other.min > 1:
        low = max(one.min, other.min)
    else:
        low = min(one.min, other.min)
    high = None
    if not (one.max is None or other.max is None):
        high = max(one.max, other.max)
    if low == 0 and high is None:
        return ANY
    return exact(low, high, None)


def _may_be_one(dim: Dimension) -> bool:
    return dim.min <= 1 and (dim.max is None or dim.max >= 1)


def merge_dims(one: Dims | None, other: Dims | None) -> Dims | None:
    """The dims of two inputs of equal shape; None where neither rank is known. ValueError: they differ."""
    if one is None:
        return other
    if other is None:
        return one
    if len(one) != len(other):
        raise ValueError("rank")
    if not all(
        mine.compatible(theirs) for mine, theirs in zip(one, other, strict=True)
    ):
        raise ValueError("dims")
    return tuple([mine & theirs for mine, theirs in zip(one, other, strict=True)])


def pdpd_dims(one: Dims, other: Dims, axis: int) -> Dims | None:
    """The dims of ``one``, to which ``other`` is broadcast from ``axis`` on; None: it does not fit."""
    if axis < -1 or axis > len(one):
        return None
    if axis == -1:
        start = len(one) - len(other)
    else:
        start = axis
    trimmed = list(other)
    while trimmed and trimmed[-1].min == trimmed[-1].max == 1:
        trimmed.pop()
    if start < 0 or start + len(trimmed) > len(one):
        return None
    padded = (
        (LENGTHS[1],) * start
        + tuple(trimmed)
        + (LENGTHS[1],) * (len(one) - start - len(trimmed))
    )
    return broadcast_dims(one, padded)
