"""What travels between ovgather and its worker: frames of a JSON header and raw blobs, never anything that is executed.

A frame is eight bytes of header length (little endian), the header (UTF-8 JSON) and the blobs, whose lengths stand in
the header under ``"blobs"``. A tensor travels as ``{"type": "f32", "shape": [2, 3]}`` and the bytes that a
``.bin`` would hold (``tensor.packing``).
"""

import json
import struct
from collections.abc import Sequence
from math import prod
from typing import IO, Any, NamedTuple

import numpy

from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, find
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype
from ovgather.tensor.packing import pack, unpack

Header = dict[str, Any]
Blob = bytes | bytearray | memoryview
Frame = tuple[Header, list[Blob]]
Received = tuple[Header, list[bytearray]]

_LENGTH = struct.Struct("<Q")
_HEADER_LIMIT = 1 << 28  # a worker whose heap is damaged may send any length
_CHUNK = 1 << 24
_UNREAD = (1, 3, 6)  # bits of types whose tensors OpenVINO gives no plain view of


class BrokenFrameError(Exception):
    """The other side stopped in the middle of a frame, or sent something that is none."""


def send(stream: IO[bytes], header: Header, blobs: Sequence[Blob] = ()) -> None:
    text = json.dumps(
        {**header, "blobs": [memoryview(blob).nbytes for blob in blobs]}
    ).encode()
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


def to_wire(array: Array, element_type: ElementType) -> tuple[Header, bytes]:
    return {"type": element_type.name, "shape": list(array.shape)}, pack(
        element_type, array
    )


def from_wire(header: Header, data: Blob) -> Array:
    """The array of a tensor of the wire, with OpenVINO's or ONNX's name of its type; ValueError if it has none."""
    name = str(header["type"])
    shape = [int(dim) for dim in header["shape"]]
    element_type = find(name) or OPENVINO.get(name)
    if element_type is not None and element_type.bits in _UNREAD:
        raise ValueError(f"{name} is packed and cannot be read")
    if element_type is not None:
        return unpack(element_type, shape, data)
    if not name.startswith("complex"):
        raise ValueError(
            f"OpenVINO answered with an element type that cannot be read: {name}"
        )
    return numpy.frombuffer(data, name, prod(shape)).reshape(shape)


def onnx_to_wire(array: Array) -> tuple[Header, bytes]:
    """``array`` as a tensor of the wire, under ONNX's name of its element type: OpenVINO has no complex numbers."""
    name = name_of_dtype(array.dtype)
    element_type = OPENVINO.get(name)
    if element_type is None and not name.startswith("complex"):
        raise ValueError(f"there are no arrays of tensor({name})")
    if element_type is None:
        data = array.tobytes()
    else:
        data = to_wire(array, element_type)[1]
    return {"type": name, "shape": list(array.shape)}, data


class Text(NamedTuple):
    """An IR for the worker: its text, and its weights as bytes or as a path."""

    text: bytes
    weights: Blob = b""
    weights_path: str | None = None


def request(
    model: Text,
    inputs: Sequence[Sequence[tuple[ElementType, Array]]],
    outputs: Sequence[str | int],
    device: str,
    shapes: Sequence[Sequence[int]] | None = None,
    *,
    inner: Sequence[Any] = (),
    ways: Sequence[str] = (),
) -> Frame:
    """The frame that asks for the Results called ``outputs``, once for each set of ``inputs``.

    ``shapes`` are new ones for the Parameters, ``inner`` Results that are added to what leaves bodies. An output
    that is a number is the Result at that place. ``ways`` are those of ``ways.WAYS`` in which all is run once more.
    """
    tensors = [
        [to_wire(array, element_type) for element_type, array in some]
        for some in inputs
    ]
    header = {
        "device": device,
        "inputs": [[header for header, _ in some] for some in tensors],
        "outputs": list(outputs),
        "inner": list(inner),
        "ways": list(ways),
        "shapes": shapes,
        "weights": model.weights_path,
    }
    return header, [
        model.text,
        model.weights,
        *(blob for some in tensors for _, blob in some),
    ]
