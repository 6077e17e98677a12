"""The data movement that the operations share, in NumPy.

Arrays are brought to few dims, indices to flat positions that are surely inside, and the elements are taken
with ``mode="clip"``, which needs no second look at them. Elements are copied as they are, NaN payloads
included. No index is narrowed on the way: it is compared in its own integer type.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy

from ovgather.errors import IndexOutOfRangeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Array = numpy.ndarray

_BLOCK = 1 << 16  # positions computed at a time: 512 KiB of them, so that they stay in the cache
_THREADED = 1 << 21  # elements from which on threads are worth their start


def locate(indices: Array, size: int) -> tuple[Array, Array | None]:
    """Positions along an axis of ``size`` elements, counting negative indices from its end.

    Returns:
        The positions as int64, 0 for an index outside ``[-size, size - 1]``, and the mask of those outside,
        None when there are none.

    >>> positions, outside = locate(numpy.array([2, -1, 3], dtype=numpy.int8), 3)
    >>> positions.tolist(), outside.tolist()
    ([2, 2, 0], [False, False, True])
    """
    if not indices.size:
        return indices.astype(numpy.int64), None
    if indices.dtype.kind == "u":
        if int(indices.max()) < size:
            return indices.astype(numpy.int64), None
        outside = indices >= size
        return numpy.where(outside, indices.dtype.type(0), indices).astype(numpy.int64), outside
    wide = indices.astype(numpy.int64)
    unsigned = wide.view(numpy.uint64)  # where a negative index is a huge one
    if int(unsigned.max()) < size:
        return wide, None
    wide += (wide >> 63) & size
    outside = unsigned >= size
    if not outside.any():
        return wide, None
    wide[outside] = 0
    return wide, outside


def require_inside(indices: Array, ranges: Sequence[tuple[int, int]], bindings: str) -> None:
    """Refuse indices outside their range.

    Args:
        indices: of any integer dtype.
        ranges: the lowest and the highest legal index: one pair for all of ``indices``, or one for each item
            of its last dim.
        bindings: the end of the message.

    Raises:
        IndexOutOfRangeError: there are indices outside; it tells the first of them and how many there are.

    >>> require_inside(numpy.array([[0, 5], [-1, 1]]), [(0, 2)], "axis 0")
    Traceback (most recent call last):
    ovgather.errors.IndexOutOfRangeError: indices[0,1] is 5, outside [0, 2] (2 indices are outside): axis 0
    """
    if len(ranges) == 1:
        mask = _outside(indices, *ranges[0])
    else:
        mask = numpy.zeros(indices.shape, dtype=bool)
        for place, legal in enumerate(ranges):
            mask[..., place] = _outside(indices[..., place], *legal)
    count = int(numpy.count_nonzero(mask))
    if not count:
        return
    position = tuple([int(part) for part in numpy.unravel_index(int(mask.argmax()), mask.shape)])
    low, high = ranges[position[-1]] if len(ranges) > 1 else ranges[0]
    value = int(indices[position])
    where = f"[{','.join([str(part) for part in position])}]" if position else ""
    legal_text = f"[{low}, {high}]" if low <= high else "the empty range of an axis without elements"
    more = f" ({count} indices are outside)" if count > 1 else ""
    raise IndexOutOfRangeError(
        f"indices{where} is {value}, outside {legal_text}{more}: {bindings}",
        position=position,
        value=value,
        low=low,
        high=high,
        count=count,
    )


def _outside(indices: Array, low: int, high: int) -> Array:
    if low > high:
        return numpy.ones(indices.shape, dtype=bool)
    above: Array = indices > high
    return above if indices.dtype.kind == "u" else above | (indices < low)


def take_slices(data: Array, positions: Array, outside: Array | None, out: Array) -> None:
    """``out[b, o, k, :] = data[b, o, positions[b, k], :]``, zeros where ``outside[b, k]`` (``""`` for text).

    All arrays are C-contiguous; ``data`` is ``(B, O, S, I)``, ``positions`` and ``outside`` are ``(B, K)``,
    ``out`` is ``(B, O, K, I)``.
    """
    if not out.size:
        return
    batches, outer, size, inner = data.shape
    step = max(1, _BLOCK // out[0].size)
    for start in range(0, batches if size else 0, step):
        batch = slice(start, min(start + step, batches))
        if step == 1:
            data[start].take(positions[start], axis=1, out=out[start], mode="clip")
            continue
        rows = numpy.arange((batch.stop - start) * outer).reshape(-1, outer, 1) * size
        rows = (rows + positions[batch, None, :]).reshape(-1)
        data[batch].reshape(-1, inner).take(rows, axis=0, out=out[batch].reshape(-1, inner), mode="clip")
    if outside is not None:
        out.swapaxes(1, 2)[outside] = "" if out.dtype.kind == "O" else numpy.zeros((), dtype=out.dtype)


def take_elements(data: Array, indices: Array, out: Array) -> bool:
    """``out[o, k, i] = data[o, indices[o, k, i], i]``, negative indices counting from the end.

    All arrays are C-contiguous; ``data`` is ``(O, S, I)``, ``indices``, of a signed dtype, and ``out`` ``(O, K, I)``.

    Returns:
        Whether all indices are inside; when one is not, ``out`` is not complete.
    """
    if not out.size:
        return True
    _, size, inner = data.shape
    flat = data.reshape(-1)
    columns = numpy.arange(inner)

    def take_block(block: tuple[slice, slice]) -> bool:
        places, outside = locate(indices[block], size)
        if outside is not None:
            return False
        if inner > 1:
            places *= inner
            places += columns
        outers = block[0]
        places += (numpy.arange(outers.start, outers.stop) * (size * inner))[:, None, None]
        flat.take(places, out=out[block], mode="clip")
        return True

    return all(_each(take_block, _blocks(*indices.shape), out))


def _each(
    work: Callable[[tuple[slice, slice]], bool], blocks: Iterator[tuple[slice, slice]], out: Array
) -> Iterator[bool]:
    """The results of the blocks, worked on by threads where there is enough to do: NumPy takes outside of the lock."""
    if out.size < _THREADED or out.dtype.hasobject:
        yield from map(work, blocks)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_processors()) as pool:
        yield from pool.map(work, blocks)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _blocks(outer: int, chosen: int, inner: int) -> Iterator[tuple[slice, slice]]:
    """Contiguous pieces of an ``(O, K, I)`` array, of about ``_BLOCK`` elements each."""
    whole = chosen * inner
    if whole <= _BLOCK:
        step = _BLOCK // whole
        for start in range(0, outer, step):
            yield slice(start, min(start + step, outer)), slice(0, chosen)
        return
    step = max(1, _BLOCK // inner)
    for place in range(outer):
        for start in range(0, chosen, step):
            yield slice(place, place + 1), slice(start, min(start + step, chosen))


def take_tuples(data: Array, sizes: Sequence[int], positions: Sequence[Array], out: Array) -> None:
    """``out[b, n, :] = data[b, positions[0][b, n], positions[1][b, n], ..., :]``.

    All arrays are C-contiguous; ``data`` is ``(B, product of sizes, I)``, each of ``positions`` ``(B, N)``,
    ``out`` is ``(B, N, I)``.
    """
    if not out.size:
        return
    batches, volume, inner = data.shape
    rows = numpy.zeros(out.shape[:2], dtype=numpy.int64)
    for size, part in zip(sizes, positions, strict=True):
        rows *= size
        rows += part
    rows += (numpy.arange(batches) * volume)[:, None]
    data.reshape(-1, inner).take(rows.reshape(-1), axis=0, out=out.reshape(-1, inner), mode="clip")
