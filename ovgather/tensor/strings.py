"""The strings of a Const: their count, their ends, each 32 bits, and their letters."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import accumulate, pairwise


def unpack_strings(data: bytes | memoryview, count: int) -> list[bytes]:
    """The ``count`` strings of a Const.

    Raises:
        ValueError: there are fewer, or they do not lie in ``data``.

    >>> unpack_strings(pack_strings([b"a", b"", b"xyz"]), 3)
    [b'a', b'', b'xyz']
    >>> unpack_strings(pack_strings([b"a"]), 2)
    Traceback (most recent call last):
    ValueError: 1 packed string, where 2 are needed
    """
    held = struct.unpack_from("<i", data)[0] if len(data) >= 4 else 0
    if held < count:
        raise ValueError(f"{held} packed string{'s' if held != 1 else ''}, where {count} are needed")
    start = 4 * (held + 2)
    if len(data) < start:
        raise ValueError(f"{held} packed strings need {start} bytes for their ends, there are {len(data)}")
    ends = struct.unpack_from(f"<{count + 1}i", data, 4)
    if ends[0] < 0 or any(low > high for low, high in pairwise(ends)) or start + ends[-1] > len(data):
        raise ValueError("the ends of the packed strings are not in order, or beyond the data")
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
