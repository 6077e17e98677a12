"""Names as text: protobuf keeps a name that is no UTF-8 as bytes, which equal no text and cannot be joined to it."""

from functools import cache
from typing import Any

from ovgather.onnx_file.graphs import text

_NUMBERS = (1, 2, 3, 6, 7)  # types of attributes that are numbers, lists of numbers, or bytes


def make_text(message: Any) -> None:
    r"""Turn names that are bytes into text (``\xff`` for bad UTF-8), in ``message`` and all messages in it."""
    kind = message.DESCRIPTOR
    if kind.name == "NodeProto" and _is_plain(message):
        return
    texts, text_lists, messages, message_lists = _fields(kind)
    for name in texts:
        value = getattr(message, name)
        if value.__class__ is bytes:
            setattr(message, name, text(value))
    for name in text_lists:
        values = getattr(message, name)
        if not _is_text(values):
            values[:] = [text(value) for value in values]
    for name in messages:
        if message.HasField(name):
            make_text(getattr(message, name))
    for name in message_lists:
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
def _fields(kind: Any) -> tuple[list[str], list[str], list[str], list[str]]:
    """The fields of a message with a text, several texts, a message, and several messages."""
    from google.protobuf.descriptor import FieldDescriptor

    single: dict[int, list[str]] = {}
    repeated: dict[int, list[str]] = {}
    for field in kind.fields:
        repeats = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        (repeated if repeats else single).setdefault(field.type, []).append(field.name)
    text, message = FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_MESSAGE
    return single.get(text, []), repeated.get(text, []), single.get(message, []), repeated.get(message, [])
