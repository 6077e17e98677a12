"""Small ONNX files, and ways to spoil them: in their messages, whatever the field, and in their bytes.

The messages are spoilt by what protobuf tells of them, so a field that ONNX adds is spoilt with the others.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))

from ir_mutants import HOSTILE
from onnx_models import constant, graph, model, nested, node, one_node, value

Files = dict[str, bytes]
"""The content of a model's files by their names; the first one is the model."""

_LARGE = (
    0,
    1,
    -1,
    2,
    3,
    127,
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 40,
    1 << 62,
    (1 << 63) - 1,
    -(1 << 63),
)
_SMALL = range(-2, 34)
_TEXTS = (
    "",
    "a",
    "x/y",
    "a b",
    "q\"<&>'",
    "\x00",
    "\x1b[31m",
    "\u202ename",
    "é😀",
    "-o",
    "a\nb",
    "../w.bin",
    "x" * 300,
)
_REALS = (0.0, -1.5, float("nan"), float("inf"), 1e300)
_KINDS = (
    "Gather",
    "GatherElements",
    "GatherND",
    "Identity",
    "Constant",
    "If",
    "Relu",
    "ai.onnx",
    "",
    "location",
)


def bases() -> list[tuple[str, Files]]:
    """The files to begin with, by name."""
    models = {
        "gather": _held("Gather", [3, 4], [[0, -1], [2, 1]], axis=0),
        "gather elements": _held("GatherElements", [2, 3], [[0, 1], [1, -1]], axis=1),
        "gather nd": _held("GatherND", [2, 3, 4], [[[0]], [[1]]], batch_dims=1),
        "open": one_node("Gather", ["n", 4], [2, None], axis=1),
        "elements open": one_node("GatherElements", ["n", 4], [2, 3], [2, 3], axis=0),
        "nd open": one_node("GatherND", None, [2, 1], batch_dims=0),
        "text": one_node("Gather", [3], [2], [2], types=("string", "int32", "string")),
        "complex": one_node(
            "Gather", [3], [2], [2], types=("complex64", "int64", "complex64")
        ),
        "nested": nested(),
        "constants": _with_constants(),
        "sparse": _with_sparse(),
        "function": _with_function(),
    }
    found: list[tuple[str, Files]] = [
        (name, {"m.onnx": made.SerializeToString()}) for name, made in models.items()
    ]
    return [*found, ("external", _with_external())]


def _held(
    kind: str, shape: list[int | str | None], indices: Any, **attributes: Any
) -> Any:
    """A node whose indices the file holds."""
    made = graph(
        [node(kind, "data indices", "y", name="pick", **attributes)],
        [value("data", "float", shape)],
        [value("y", "float", None)],
        [constant("indices", indices)],
    )
    return model(made)


def _with_constants() -> Any:
    """Data and indices from Constant nodes, one of them by way of an Identity; two nodes of the family."""
    from onnx import helper

    nodes = [
        helper.make_node(
            "Constant", [], ["c"], value=constant("", [[1.5, 2.0], [3.0, 4.0]])
        ),
        helper.make_node("Constant", [], ["i"], value_ints=[1, 0]),
        node("Identity", "i", "j"),
        node("Gather", "c j", "y", name="first"),
        node("GatherElements", "y k", "z", axis=0),
    ]
    return model(
        graph(nodes, [value("k", "int64", [1, 2])], [value("z", "float", [1, 2])])
    )


def _with_sparse() -> Any:
    from onnx import helper

    made = graph(
        [node("Gather", "s i", "y")],
        [value("i", "int64", [2])],
        [value("y", "float", [2])],
    )
    made.sparse_initializer.append(
        helper.make_sparse_tensor(constant("s", [1.5]), constant("places", [2]), [4])
    )
    return model(made)


def _with_function() -> Any:
    """A function whose caller gives the axis."""
    from onnx import helper

    inside = node("Gather", "data indices", "y", name="inside")
    inside.attribute.add(name="axis", ref_attr_name="axis", type=2)
    made = helper.make_function(
        "own",
        "Pick",
        ["data", "indices"],
        ["y"],
        [inside],
        [helper.make_opsetid("", 13)],
        ["axis"],
    )
    call = helper.make_node("Pick", ["data", "indices"], ["y"], domain="own", axis=1)
    inputs = [value("data", "float", [3, 4]), value("indices", "int64", [2])]
    return model(
        graph([call], inputs, [value("y", "float", None)]), functions=[made], own=1
    )


def _with_external() -> Files:
    """Data in a file beside the model."""
    from onnx import TensorProto

    made = graph(
        [node("Gather", "data i", "y")],
        [value("i", "int64", [2])],
        [value("y", "float", [2, 2])],
    )
    tensor = made.initializer.add(
        name="data", data_type=1, dims=[3, 2], data_location=TensorProto.EXTERNAL
    )
    for key, said in (("location", "w.bin"), ("offset", "8"), ("length", "24")):
        tensor.external_data.add(key=key, value=said)
    return {"m.onnx": model(made).SerializeToString(), "w.bin": bytes(range(32))}


def spoilt(files: Files, chance: random.Random) -> Files:
    """``files`` spoilt in one to three ways: in messages, names, bytes, or in what stands beside the model."""
    first, *others = files
    if others and chance.random() < 0.05:
        return {**files, others[0]: spoil_bytes(files[others[0]], chance)}
    data = files[first]
    way = chance.random()
    if way < 0.7:
        data = _spoil_messages(data, chance)
    if way > 0.55:
        data = (_other_text if chance.random() < 0.5 else spoil_bytes)(data, chance)
    return {**files, first: data}


def spoil_bytes(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, dropped, doubled, or moved."""
    at, end = (
        sorted(chance.randrange(len(data) + 1) for _ in range(2)) if data else (0, 0)
    )
    kinds = (
        data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
        data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        if at < len(data)
        else data,
        data[:at] + data[at + chance.choice((1, 2, 8)) :],
        data[:at] + chance.randbytes(chance.choice((1, 2, 8))) + data[at:],
        data[:end] + data[at:end] + data[end:],
        data[:at],
    )
    return chance.choice(kinds[:5] if chance.random() < 0.9 else kinds)


def _other_text(data: bytes, chance: random.Random) -> bytes:
    """Names that are no UTF-8, everywhere or in one place: bytes of text replaced by others of the same length."""
    word = chance.choice(
        (
            b"data",
            b"indices",
            b"pick",
            b"y",
            b"axis",
            b"Gather",
            b"first",
            b"location",
            b"own",
            b"n",
        )
    )
    other = chance.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x80"))
    spoilt = (
        (other * len(word))[: len(word)]
        if chance.random() < 0.5
        else word[:-1] + other[:1]
    )
    count = -1 if chance.random() < 0.6 else 1
    if count == 1 and data.count(word) > 1:
        skipped = data.split(word, chance.randrange(data.count(word)))
        return (
            word.join(skipped[:-1])
            + word * (len(skipped) > 1)
            + skipped[-1].replace(word, spoilt, 1)
        )
    return data.replace(word, spoilt, count)


# -- messages --------------------------------------------------------------------------------------------------------


def _spoil_messages(data: bytes, chance: random.Random) -> bytes:
    from onnx import ModelProto

    made = ModelProto.FromString(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        messages = list(_messages(made))
        kinds = sorted({message.DESCRIPTOR.name for message in messages})
        kind = chance.choice(kinds)
        message = chance.choice(
            [each for each in messages if each.DESCRIPTOR.name == kind]
        )
        present = [field for field, _ in message.ListFields()]
        fields = (
            present
            if present and chance.random() < 0.75
            else list(message.DESCRIPTOR.fields)
        )
        field = chance.choice(fields)
        (_spoil_list if _is_list(field) else _spoil_field)(
            message, field, messages, chance
        )
    return bytes(made.SerializeToString())


def _is_list(field: Any) -> bool:
    return bool(
        field.is_repeated
        if hasattr(field, "is_repeated")
        else field.label == field.LABEL_REPEATED
    )


def _messages(message: Any) -> Any:
    yield message
    for field, held in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for inner in held if _is_list(field) else [held]:
                yield from _messages(inner)


def _spoil_field(
    message: Any, field: Any, messages: list[Any], chance: random.Random
) -> None:
    if chance.random() < 0.25:
        message.ClearField(field.name)
    elif field.type == field.TYPE_MESSAGE:
        _fill(getattr(message, field.name), field, messages, chance)
    else:
        setattr(message, field.name, _value(field, messages, chance))


def _spoil_list(
    message: Any, field: Any, messages: list[Any], chance: random.Random
) -> None:
    items = getattr(message, field.name)
    is_message = field.type == field.TYPE_MESSAGE
    place = chance.randrange(len(items)) if items else -1
    ways: list[Callable[[], None]] = [lambda: message.ClearField(field.name)]
    if is_message:
        ways += [lambda: _fill(items.add(), field, messages, chance)] * 2
    else:
        ways += [lambda: items.append(_value(field, messages, chance))] * 2
    if items:
        ways += [lambda: items.__delitem__(place)] * 3 + [items.reverse]
        ways += [lambda: items.append(items[place])] * 2
        if not is_message:
            ways += [
                lambda: items.__setitem__(place, _value(field, messages, chance))
            ] * 4
    chance.choice(ways)()


def _fill(message: Any, field: Any, messages: list[Any], chance: random.Random) -> None:
    """An empty message, or a copy of another one of its kind."""
    others = [each for each in messages if each.DESCRIPTOR is field.message_type]
    message.SetInParent()
    if others and chance.random() < 0.7:
        # it may hold the message itself
        held = chance.choice(others).SerializeToString()
        if len(held) < 2000:
            message.ParseFromString(held)


def _value(field: Any, messages: list[Any], chance: random.Random) -> Any:
    if field.type == field.TYPE_STRING:
        if chance.random() < 0.6:
            return chance.choice([*_names(messages), *_KINDS])
        return chance.choice([*_TEXTS, *HOSTILE])
    if field.type == field.TYPE_BYTES:
        return chance.choice(
            (b"", b"a", b"\xff\xfe", bytes(8), bytes(24), chance.randbytes(8))
        )
    if field.cpp_type in (field.CPPTYPE_FLOAT, field.CPPTYPE_DOUBLE):
        return chance.choice(_REALS)
    if field.type == field.TYPE_ENUM:
        return chance.choice([number.number for number in field.enum_type.values])
    number = chance.choice(_SMALL if chance.random() < 0.6 else _LARGE)
    bits = 32 if field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_UINT32) else 64
    if field.cpp_type in (field.CPPTYPE_UINT32, field.CPPTYPE_UINT64):
        return number % (1 << bits)
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _names(messages: list[Any]) -> list[str]:
    names = {
        name
        for each in messages
        if each.DESCRIPTOR.name == "NodeProto"
        for name in (*each.input, *each.output)
    }
    return sorted(name for name in names if isinstance(name, str)) or [""]
