"""Names as text: protobuf keeps a name that is no UTF-8 as bytes, which equal no text and cannot be joined to it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ovgather.onnx_file.graphs import text

_NUMBERS = (1, 2, 3, 6, 7)  # types of attributes that are numbers, lists of numbers, or bytes


class _Fields(NamedTuple):
    """The fields of a message that hold text or messages, by whether they repeat."""

    texts: list[str]
    text_lists: list[str]
    messages: list[str]
    message_lists: list[str]


def make_text(message: Any) -> None:
    r"""Turn names that are bytes into text (``\xff`` for bad UTF-8), in ``message`` and all messages in it."""
    kind = message.DESCRIPTOR
    if kind.name == "NodeProto" and _is_plain(message):
        return
    fields = _fields(kind)
    for name in fields.texts:
        value = getattr(message, name)
        if value.__class__ is bytes:
            setattr(message, name, text(value))
    for name in fields.text_lists:
        values = getattr(message, name)
        if not _is_text(values):
            values[:] = [text(value) for value in values]
    for name in fields.messages:
        if message.HasField(name):
            make_text(getattr(message, name))
    for name in fields.message_lists:
        for inner in getattr(message, name):
            make_text(inner)


def _is_plain(node: Any) -> bool:
    """Whether all names of a node are text and no attribute holds a message: true for most nodes."""
    names = [node.name, node.op_type, node.domain, *node.input, *node.output]
    for attribute in node.attribute:
        has = attribute.HasField
        if has("t") or has("g") or attribute.tensors or attribute.graphs or attribute.type not in _NUMBERS:
            return False
        names += attribute.name, attribute.ref_attr_name
    return _is_text(names)


def _is_text(values: Any) -> bool:
    try:
        "".join(values)
    except TypeError:
        return False
    return True


@cache
def _fields(kind: Any) -> _Fields:
    fields = _Fields([], [], [], [])
    for field in kind.fields:
        repeats = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        if field.type == field.TYPE_STRING:
            (fields.text_lists if repeats else fields.texts).append(field.name)
        elif field.type == field.TYPE_MESSAGE:
            (fields.message_lists if repeats else fields.messages).append(field.name)
    return fields
