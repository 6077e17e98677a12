"""The bytes of an ONNX file."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, UnavailableError
from ovgather.ir.encoding import describe
from ovgather.processes import installing, is_installed

if TYPE_CHECKING:
    from ovgather.ir.read import PathOrData


MOST_BYTES = (1 << 31) - 1
"""Protobuf reads no more; larger models keep their weights in files of their own."""
_BAD = "backslashreplace"


def is_onnx(source: PathOrData | object) -> bool:
    """Whether ``source`` is an ONNX file: by the name of a path, by how bytes begin.

    >>> is_onnx("m.onnx"), is_onnx("m.xml"), is_onnx(b"\\x08\\x0a\\x12\\x03now"), is_onnx(b"<net/>")
    (True, False, True, False)
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        # Writers put the field ir_version, a small number, first, and the tag of another field next.
        head = bytes(source[:3])
        return (
            len(head) == 3
            and head[0] == 0x08
            and 0 < head[1] < 0x40
            and head[2] & 7 in (0, 2)
        )
    return isinstance(source, (str, os.PathLike)) and os.fspath(
        source
    ).lower().endswith(".onnx")


def require() -> None:
    """Raise UnavailableError if the extra is not installed."""
    if not is_installed("onnx"):
        raise UnavailableError(
            f"onnx is not installed, and ONNX files need it: {installing('onnx')}"
        )


def parse(data: bytes) -> Any:
    """The ``ModelProto``, with all names as text; ValueError, with the reason, if ``data`` is none."""
    import onnx
    from google.protobuf.message import DecodeError

    if len(data) > MOST_BYTES:
        raise ValueError(
            f"{len(data)} bytes are more than protobuf reads, 2 GiB: keep the weights as external data"
        )
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError as error:
        what = None
        if not data.startswith(b"\x08"):
            what = describe(data)
        raise ValueError(
            f"it is {what}" if what else f"it is no protobuf message: {error}"
        ) from None
    make_text(with_graph(model))
    return model


def serialized(message: Any, path: str = "the model") -> bytes:
    """The bytes of a protobuf message, which is or belongs to the model ``path``.

    Raises:
        InvalidModelError: it takes 2 GiB or more, which protobuf does not write.
    """
    from google.protobuf.message import EncodeError

    try:
        data: bytes = message.SerializeToString()
    except EncodeError as error:
        raise InvalidModelError(
            f"{path}: protobuf serializes less than 2 GiB: keep the weights as external data"
        ) from error
    return data


def with_graph(model: Any) -> Any:
    """``model``; ValueError if it holds no graph."""
    if not model.HasField("graph"):
        raise ValueError("it holds no graph")
    return model


def make_text(message: Any) -> None:
    r"""Turn names that are bytes into text (``\xff`` for bad UTF-8), in ``message`` and all messages in it."""
    for name, repeats, is_message in _fields(message.DESCRIPTOR):
        value = getattr(message, name)
        if not is_message:
            if not repeats and value.__class__ is bytes:
                setattr(message, name, value.decode("utf-8", _BAD))
            elif repeats and not _is_text(value):
                value[:] = [
                    each if isinstance(each, str) else each.decode("utf-8", _BAD)
                    for each in value
                ]
        elif repeats or message.HasField(name):
            for inner in value if repeats else (value,):
                make_text(inner)


def _is_text(values: Any) -> bool:
    try:
        "".join(values)
    except TypeError:
        return False
    return True


@cache
def _fields(kind: Any) -> list[tuple[str, bool, bool]]:
    """The fields of a message that hold texts or messages: the name, whether it repeats, whether it holds messages."""
    from google.protobuf.descriptor import FieldDescriptor

    text = FieldDescriptor.TYPE_STRING
    message = FieldDescriptor.TYPE_MESSAGE
    return [
        (
            field.name,
            field.is_repeated
            if hasattr(field, "is_repeated")
            else field.label == field.LABEL_REPEATED,
            field.type == message,
        )
        for field in kind.fields
        if field.type in (text, message)
    ]
