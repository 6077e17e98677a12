"""Loops over single elements, for numba to compile; Python itself would be slow, and does not wrap integers.

Each fills ``out[start:stop]`` and returns whether an index was outside; the loops of lines give zeros for it. The long
loops first compute the places of some elements, then read them: LLVM uses vector instructions for the first step only
where ``data`` cannot be ``out``. Places are unsigned when they are used, because numba counts negative ones from the
end.
"""

from typing import Any

import numpy

_SOME = 1024
_signed, _unsigned = numpy.int64, numpy.uint64


def lines(data: Any, indices: Any, out: Any, start: int, stop: int, size: int, chosen: int) -> bool:
    """``out[n, k] = data[n, indices[n, k]]``: lines of ``size`` and of ``chosen`` elements."""
    places = numpy.empty(_SOME, numpy.int64)
    any_outside = False
    for block in range(start, stop, _SOME):
        count = min(_SOME, stop - block)
        filled, outside = 0, False
        line, place = block // chosen, block % chosen
        while filled < count:
            piece = min(chosen - place, count - filled)
            base, first = line * size, block + filled
            piece_indices, piece_places = indices[first : first + piece], places[filled : filled + piece]
            for step in range(piece):
                index = _signed(piece_indices[step])
                position = index + ((index >> 63) & size)
                inside = _unsigned(position) < _unsigned(size)
                outside |= not inside
                piece_places[step] = base + position if inside else -1
            filled += piece
            line += 1
            place = 0
        target = out[block : block + count]
        if outside:
            any_outside = True
            for step in range(count):
                if places[step] >= 0:
                    target[step] = data[_unsigned(places[step])]
                else:
                    target[step] = 0
        else:
            for step in range(count):
                target[step] = data[_unsigned(places[step])]
    return any_outside


def short_lines(data: Any, indices: Any, out: Any, start: int, stop: int, size: int, chosen: int) -> bool:
    """``lines`` that are too short for vectors; ``start`` and ``stop`` are ends of lines."""
    any_outside = False
    lengths, place, end = _unsigned(size), _unsigned(start), _unsigned(stop)
    base = _unsigned(start // chosen * size)
    zero = data.dtype.type(0)  # numba would make float64 of a uint64 and the integer 0
    while place < end:
        for _ in range(chosen):
            index = _signed(indices[place])
            position = _unsigned(index + ((index >> 63) & size))
            inside = position < lengths
            any_outside |= not inside
            value = data[base + (position if inside else _unsigned(0))]
            out[place] = value if inside else zero
            place += _unsigned(1)
        base += lengths
    return any_outside


def shared_lines(data: Any, indices: Any, out: Any, start: int, stop: int, size: int, chosen: int, outer: int) -> bool:
    """``out[n, k] = data[n, indices[n // outer, k]]``: ends as in ``short_lines``."""
    places = numpy.empty(chosen, numpy.int64)
    any_outside, outside, known = False, False, -1
    zero = data.dtype.type(0)
    for line in range(start // chosen, stop // chosen):
        if line // outer != known:
            known, outside = line // outer, False
            piece_indices = indices[known * chosen : (known + 1) * chosen]
            for step in range(chosen):
                index = _signed(piece_indices[step])
                position = index + ((index >> 63) & size)
                inside = _unsigned(position) < _unsigned(size)
                outside |= not inside
                places[step] = position if inside else -1
            any_outside |= outside
        source, target = data[line * size : (line + 1) * size], out[line * chosen : (line + 1) * chosen]
        if outside:
            for step in range(chosen):
                target[step] = source[_unsigned(places[step])] if places[step] >= 0 else zero
        else:
            for step in range(chosen):
                target[step] = source[_unsigned(places[step])]
    return any_outside


def columns(data: Any, indices: Any, out: Any, start: int, stop: int, size: int, chosen: int, inner: int) -> bool:
    """``out[o, k, i] = data[o, indices[o, k, i], i]``; ``size``, ``chosen`` and ``inner`` are the lengths."""
    places = numpy.empty(_SOME, numpy.int64)
    any_outside = False
    for block in range(start, stop, _SOME):
        count = min(_SOME, stop - block)
        filled, outside = 0, False
        line, place = block // inner, block % inner
        while filled < count:
            piece = min(inner - place, count - filled)
            base = line // chosen * size * inner + place
            first = block + filled
            piece_indices, piece_places = indices[first : first + piece], places[filled : filled + piece]
            for step in range(piece):
                index = _signed(piece_indices[step])
                position = index + ((index >> 63) & size)
                inside = _unsigned(position) < _unsigned(size)
                outside |= not inside
                piece_places[step] = base + step + position * inner
            filled += piece
            line += 1
            place = 0
        if outside:
            any_outside = True
            continue
        target = out[block : block + count]
        for step in range(count):
            target[step] = data[_unsigned(places[step])]
    return any_outside


def short_columns(data: Any, indices: Any, out: Any, start: int, stop: int, size: int, chosen: int, inner: int) -> bool:
    """``columns`` whose ``inner`` are too few for vectors; ``start`` and ``stop`` are multiples of it."""
    any_outside = False
    lengths, width = _unsigned(size), _unsigned(inner)
    place, end, line = _unsigned(start), _unsigned(stop), start // inner
    first, left = _unsigned(line // chosen * size * inner), chosen - line % chosen
    while place < end:
        base = first
        for _ in range(inner):
            index = _signed(indices[place])
            position = _unsigned(index + ((index >> 63) & size))
            inside = position < lengths
            any_outside |= not inside
            out[place] = data[base + (position * width if inside else _unsigned(0))]
            place += _unsigned(1)
            base += _unsigned(1)
        left -= 1
        if left == 0:  # a division for each line would take longer than the line
            first += lengths * width
            left = chosen
    return any_outside


def tuples(data: Any, indices: Any, out: Any, start: int, stop: int, sizes: Any, count: int) -> bool:
    """``out[b, n] = data[b, indices[b, n, 0], indices[b, n, 1], ...]``; ``count`` is the length of ``n``."""
    length = len(sizes)
    places = numpy.empty(_SOME, numpy.int64)
    any_outside = False
    batch, place = start // count, start % count
    for block in range(start, stop, _SOME):
        filled = min(_SOME, stop - block)
        outside = False
        for step in range(filled):
            source = batch
            for part in range(length):
                index = _signed(indices[_unsigned((block + step) * length + part)])
                position = index + ((index >> 63) & sizes[part])
                outside |= not _unsigned(position) < _unsigned(sizes[part])
                source = source * sizes[part] + position
            places[step] = source
            place += 1
            if place == count:
                place = 0
                batch += 1
        if outside:
            any_outside = True
            continue
        target = out[block : block + filled]
        for step in range(filled):
            target[step] = data[_unsigned(places[step])]
    return any_outside
