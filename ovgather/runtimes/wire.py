"""The frames between ovgather and its worker: a JSON header and raw blobs, never anything that is executed.

A frame is eight bytes of header length (little endian), the header (UTF-8 JSON) and the blobs, whose
lengths stand in the header under ``"blobs"``. A tensor travels as ``{"type": "f32", "shape": [2, 3]}``
and the bytes OpenVINO holds (sub-byte types packed); strings as their lengths (u32 each) followed by
all their UTF-8 bytes.
"""

import json
import struct
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import IO, Any

Header = dict[str, Any]
Blob = bytes | bytearray | memoryview
Frame = tuple[Header, list[Blob]]
Received = tuple[Header, list[bytearray]]

_LENGTH = struct.Struct("<Q")
_HEADER_LIMIT = 1 << 28  # a worker whose heap is damaged may send any length
_CHUNK = 1 << 24


class BrokenFrameError(Exception):
    """The other side stopped in the middle of a frame, or sent something that is none."""


def send(stream: IO[bytes], header: Header, blobs: Sequence[Blob] = ()) -> None:
    """Write one frame and flush it."""
    text = json.dumps({**header, "blobs": [memoryview(blob).nbytes for blob in blobs]}).encode()
    stream.write(_LENGTH.pack(len(text)) + text)
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def receive(stream: IO[bytes]) -> Received | None:
    """Read one frame, or raise BrokenFrameError; None when the stream ended before it began."""
    start = stream.read(_LENGTH.size)
    if not start:
        return None
    if len(start) < _LENGTH.size or _LENGTH.unpack(start)[0] > _HEADER_LIMIT:
        raise BrokenFrameError("no frame")
    try:
        header = json.loads(_exactly(stream, _LENGTH.unpack(start)[0]))
        lengths = [int(length) for length in header.pop("blobs")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenFrameError("no header") from error
    return header, [_exactly(stream, length) for length in lengths]


def _exactly(stream: IO[bytes], length: int) -> bytearray:
    # Piece by piece: a nonsense length must not reserve memory for it.
    parts = bytearray()
    while len(parts) < length:
        part = stream.read(min(_CHUNK, length - len(parts)))
        if not part:
            raise BrokenFrameError(f"ended after {len(parts)} of {length} bytes")
        parts += part
    return parts


def pack_strings(texts: Iterable[bytes]) -> bytes:
    """Strings as one blob."""
    pieces = list(texts)
    return struct.pack(f"<{len(pieces)}I", *map(len, pieces)) + b"".join(pieces)


def unpack_strings(blob: Blob, count: int) -> list[bytes]:
    """The ``count`` strings of a blob made by ``pack_strings``."""
    lengths = struct.unpack_from(f"<{count}I", blob)
    ends = list(accumulate(lengths, initial=4 * count))
    return [bytes(blob[start:end]) for start, end in pairwise(ends)]
