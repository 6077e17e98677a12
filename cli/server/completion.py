"""What may stand at a place of an IR: types, versions, attributes and their values, ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir import opsets
from ovgather.ir.model import Model
from ovgather.ops import declared
from ovgather.ops.declaration import MISSING, Attribute
from ovgather.tensor.element_type import ALL

_WRITTEN = re.compile(r'(?<![\w-])([\w-]+)\s*=\s*"([^"]*)"')
_VALUE = re.compile(rb'(?<![\w-])([\w-]+)\s*=\s*(["\'])([^"\']*)\Z')
_MOST_BACK = 4_000
_MOST_IDS = 200
_BOOLEANS = ("true", "false")


class Proposal(NamedTuple):
    """A text for what stands before the cursor, and what it is."""

    text: str
    about: str = ""


def proposals(data: bytes, byte: int, model: Model) -> list[Proposal]:
    """What may stand at ``byte`` of the text: a value within quotes, or an attribute of ``<data>``.

    ``model`` is that of the last text that could be read.
    """
    tag = data[max(0, byte - _MOST_BACK) : byte]
    begin = tag.rfind(b"<")
    if begin < 0 or b">" in tag[begin:]:
        return []
    tag = tag[begin:]
    name = (re.match(rb"<(\w*)", tag) or [b"", b""])[1].decode()
    value = _VALUE.search(tag)
    if value is None or tag.count(value[2]) % 2 == 0:
        if name == "data" and tag[-1:].isspace():
            return list(_attributes(data, byte, tag))
        return []
    return list(_values(model, data, byte, name, value[1].decode(), tag))


def _values(
    model: Model, data: bytes, byte: int, element: str, attribute: str, tag: bytes
) -> Iterator[Proposal]:
    written = dict(_WRITTEN.findall(tag.decode("utf-8", "replace")))
    if element == "layer" and attribute == "type":
        yield from (
            Proposal(type, ", ".join(_ends(opsets.where(type))))
            for type in sorted(opsets.types())
        )
    elif element == "layer" and attribute == "version":
        type = written.get("type") or _type_behind(data, byte)
        if type:
            names = opsets.where(type)
        else:
            names = ()
        yield from (
            Proposal(name) for name in names or sorted(opsets.opsets(), key=_number)
        )
    elif element == "layer" and attribute == "id":
        ids = [layer.id for layer in model.graph.layers]
        yield Proposal(str(max(ids, default=-1) + 1), "the next id")
    elif element == "edge":
        yield from _ends_of_edge(model, attribute, written)
    elif attribute in ("precision", "element_type", "destination_type", "output_type"):
        yield from (
            Proposal(each.port if attribute == "precision" else each.name)
            for each in ALL
        )
    elif element == "data":
        for each in _declared(data, byte):
            if each.name == attribute:
                yield from map(
                    Proposal, _BOOLEANS if each.kind == "boolean" else each.values
                )


def _ends_of_edge(
    model: Model, attribute: str, written: dict[str, str]
) -> Iterator[Proposal]:
    graph = model.graph
    side, _, what = attribute.partition("-")
    if what == "layer":
        for layer in graph.layers[:_MOST_IDS]:
            yield Proposal(str(layer.id), f'{layer.type} "{layer.name}"')
    elif what == "port" and (text := written.get(f"{side}-layer", "")).isdecimal():
        end = graph.with_id(int(text))
        for port in (
            () if end is None else end.outputs if side == "from" else end.inputs
        ):
            yield Proposal(
                str(port.id), f"{port.precision or ''} {list(port.dims)}".strip()
            )


def _attributes(data: bytes, byte: int, tag: bytes) -> Iterator[Proposal]:
    """The attributes of the operation that ``<data>`` lacks."""
    for each in _declared(data, byte):
        if f" {each.name}=".encode() not in tag:
            if each.default is MISSING or each.required:
                about = "required"
            else:
                about = f"default {each.default}"
            yield Proposal(f'{each.name}=""', f"{each.kind}, {about}")


def _declared(data: bytes, byte: int) -> tuple[Attribute, ...]:
    start = data.rfind(b"<layer ", 0, byte)
    if start >= 0:
        words = data[start : data.find(b">", start)].decode("utf-8", "replace")
    else:
        words = ""
    written = dict(_WRITTEN.findall(words))
    declaration = declared.find(written.get("type", ""), written.get("version", ""))
    if declaration is None:
        return ()
    return declaration.attributes


def _type_behind(data: bytes, byte: int) -> str:
    """The type of the layer whose tag is typed, where it stands behind the cursor."""
    rest = data[byte : byte + _MOST_BACK].partition(b">")[0]
    written = re.search(rb'type="(\w+)"', rest)
    if written:
        return written[1].decode()
    return ""


def _ends(names: tuple[str, ...]) -> list[str]:
    if len(names) > 1:
        return [names[0], names[-1]]
    return [*names]


def _number(opset: str) -> int:
    if opset.removeprefix("opset").isdecimal():
        return int(opset.removeprefix("opset") or 0)
    return 0
