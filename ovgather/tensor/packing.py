"""Elements as a ``.bin`` holds them, and as arrays with one byte or more for each.

Types narrower than a byte are packed: 4-bit and 2-bit types from the low bits of a byte up, ``u1`` from the high bit
down. ``u3`` and ``u6`` stand in units of three bytes, of 8 and of 4 elements: first their low bits, from the high bits
of each byte down, and in the third byte their high bits likewise. OpenVINO writes and reads them so.
Strings are their count, their ends, each 32 bits, and their letters; in arrays they are ``str``, with lone
surrogates for bad UTF-8.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from math import prod

import numpy

from ovgather.tensor.element_type import ElementType

Array = numpy.ndarray

_BLOCK = 1 << 16  # units at a time
_ELEMENTS = {1: 8, 2: 4, 3: 8, 4: 2, 6: 4}  # of a unit, by the bits of each

# Where bit ``bit`` of element ``number`` of a unit stands, counted from the lowest bit of its first byte.
_PLACES: dict[int, Callable[[int, int], int]] = {
    1: lambda number, bit: 7 - number,
    2: lambda number, bit: 2 * number + bit,
    3: lambda number, bit: (
        8 * (number // 4) + 2 * (3 - number % 4) + bit if bit < 2 else 23 - number
    ),
    4: lambda number, bit: 4 * number + bit,
    6: lambda number, bit: (
        8 * (number // 2) + 4 * (1 - number % 2) + bit
        if bit < 4
        else 16 + 2 * (3 - number) + bit - 4
    ),
}


def bytes_of(element_type: ElementType, count: int) -> int:
    """The bytes of ``count`` elements in a ``.bin``, of any type but ``string``."""
    bits = element_type.bits
    if bits % 8 == 0:
        return count * bits // 8
    elements = _ELEMENTS[bits]
    return -(-count // elements) * (elements * bits // 8)


def unpack(
    element_type: ElementType,
    shape: Sequence[int],
    data: bytes | bytearray | memoryview,
) -> Array:
    """The array that a ``.bin`` holds, a view where nothing is packed; ValueError if it cannot be read."""
    count = prod(shape)
    bits = element_type.bits
    if element_type.name == "string":
        # First the strings, which tells of a count that the data does not hold; then memory for that count.
        packed = unpack_strings(data, count)
        texts = numpy.empty(count, object)
        texts[:] = [text.decode("utf-8", "surrogateescape") for text in packed]
        return texts.reshape(shape)
    stored = numpy.frombuffer(data, "u1")
    size = bytes_of(element_type, count)
    if stored.size < size:
        raise ValueError(
            f"{count} elements of {element_type} take {size} bytes, there are {stored.size}"
        )
    stored = stored[:size]
    if bits % 8 == 0:
        return stored.view(element_type.dtype).reshape(shape)
    elements = _ELEMENTS[bits]
    units = stored.reshape(-1, elements * bits // 8)
    codes = numpy.empty((len(units), elements), "u1")
    order = [
        _PLACES[bits](number, bit) for number in range(elements) for bit in range(bits)
    ]
    for start in range(0, len(codes), _BLOCK):
        flat = numpy.unpackbits(
            units[start : start + _BLOCK], axis=1, bitorder="little"
        )
        each = flat[:, order].reshape(-1, elements, bits)
        codes[start : start + _BLOCK] = numpy.packbits(each, axis=2, bitorder="little")[
            ..., 0
        ]
    values: Array = codes.reshape(-1)[:count].reshape(shape)
    if element_type.kind == "signed":
        half = 1 << (bits - 1)
        return ((values.view("i1") ^ half) - half).astype(element_type.dtype)
    return values.view(element_type.dtype)


def pack(element_type: ElementType, array: Array) -> bytes:
    """The bytes of ``array`` in a ``.bin``, unused bits 0; ValueError for another dtype or ``dynamic``."""
    if element_type.name == "string":
        texts = (
            text
            if isinstance(text, bytes)
            else str(text).encode("utf-8", "surrogateescape")
            for text in array.reshape(-1)
        )
        return pack_strings(texts)
    if array.dtype != element_type.dtype:
        raise ValueError(
            f"an array of {element_type} is {element_type.dtype}, not {array.dtype}"
        )
    bits = element_type.bits
    if bits % 8 == 0:
        return array.tobytes()
    elements = _ELEMENTS[bits]
    codes = numpy.zeros((-(-array.size // elements), elements), "u1")
    # NumPy and ml_dtypes keep a sign in the upper bits, too.
    codes.reshape(-1)[: array.size] = numpy.ascontiguousarray(array).reshape(-1).view(
        "u1"
    ) & ((1 << bits) - 1)
    units = numpy.empty((len(codes), elements * bits // 8), "u1")
    order = [
        _PLACES[bits](number, bit) for number in range(elements) for bit in range(bits)
    ]
    for start in range(0, len(codes), _BLOCK):
        each = numpy.unpackbits(
            codes[start : start + _BLOCK, :, None],
            axis=2,
            bitorder="little",
            count=bits,
        )
        flat = numpy.empty((len(each), elements * bits), "u1")
        flat[:, order] = each.reshape(len(each), -1)
        units[start : start + _BLOCK] = numpy.packbits(flat, axis=1, bitorder="little")
    return units.tobytes()


def unpack_strings(data: bytes | bytearray | memoryview, count: int) -> list[bytes]:
    """The ``count`` strings of a Const; ValueError if there are fewer, or they lie outside ``data``."""
    if len(data) >= 4:
        held = struct.unpack_from("<i", data)[0]
    else:
        held = 0
    if held < count:
        raise ValueError(
            f"{held} packed string{'s' if held != 1 else ''}, where {count} are needed"
        )
    start = 4 * (held + 2)
    if len(data) < start:
        raise ValueError(
            f"{held} packed strings need {start} bytes for their ends, there are {len(data)}"
        )
    ends = struct.unpack_from(f"<{count + 1}i", data, 4)
    if (
        ends[0] < 0
        or any(low > high for low, high in pairwise(ends))
        or start + ends[-1] > len(data)
    ):
        raise ValueError(
            "the ends of the packed strings are not in order, or beyond the data"
        )
    letters = memoryview(data)[start:]
    return [bytes(letters[low:high]) for low, high in pairwise(ends)]


def pack_strings(texts: Iterable[bytes]) -> bytes:
    """Strings as a Const holds them.

    >>> pack_strings([b"a", b"bc"]).hex(" ", -4)
    '02000000 00000000 01000000 03000000 616263'
    """
    pieces = list(texts)
    ends = [0, *accumulate(map(len, pieces))]
    return struct.pack(f"<{len(ends) + 1}i", len(pieces), *ends) + b"".join(pieces)
