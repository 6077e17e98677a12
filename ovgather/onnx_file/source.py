"""The bytes of an ONNX file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ovgather.errors import UnavailableError
from ovgather.ir.encoding import describe
from ovgather.processes import is_installed

if TYPE_CHECKING:
    from ovgather.ir.read import PathOrData

MOST_BYTES = (1 << 31) - 1
"""Protobuf reads no more; larger models keep their weights in files of their own."""


def is_onnx(source: PathOrData | object) -> bool:
    """Whether ``source`` is an ONNX file: by the name of a path, by how bytes begin.

    >>> is_onnx("m.onnx"), is_onnx("m.xml"), is_onnx(b"\\x08\\x0a\\x12\\x03now"), is_onnx(b"<net/>")
    (True, False, True, False)
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        # Writers put the field ir_version, a small number, first, and the tag of another field next.
        head = bytes(source[:3])
        return len(head) == 3 and head[0] == 0x08 and 0 < head[1] < 0x40 and head[2] & 7 in (0, 2)
    return isinstance(source, (str, os.PathLike)) and os.fspath(source).lower().endswith(".onnx")


def require() -> None:
    """Raise UnavailableError if the extra is not installed."""
    if not available():
        raise UnavailableError("onnx is not installed, and ONNX files need it: pip install 'ovgather[onnx]'")


def available() -> bool:
    return is_installed("onnx")


def parse(data: bytes) -> Any:
    """The ``ModelProto``, with all names as text; ValueError, with the reason, if ``data`` is none."""
    import onnx
    from google.protobuf.message import DecodeError

    from ovgather.onnx_file.names import make_text

    if len(data) > MOST_BYTES:
        raise ValueError(f"{len(data)} bytes are more than protobuf reads, 2 GiB: keep the weights as external data")
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError as error:
        what = describe(data) if not data.startswith(b"\x08") else None
        raise ValueError(f"it is {what}" if what else f"it is no protobuf message: {error}") from None
    if not model.HasField("graph"):
        raise ValueError("it holds no graph")
    make_text(model)
    return model
