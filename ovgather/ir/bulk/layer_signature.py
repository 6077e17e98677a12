"""The signature of a layer by its text: repeated parts are parsed once.

A text starts behind the name of a layer and is cut before its first port::

    <layer id="3" name="pick"| type="Gather" version="opset8"><data batch_dims="0"/><input>|<port id="0"> … </output>
                             |------------------------- head -----------------------------|------ block ------|

    head    the start tag, ``<data>`` and ``<rt_info>``: each of these is looked up in turn
    block   cut at the word port: pieces (` id="0"> … </`), and what stands between them

Regular expressions for plain XML (double quotes, no entities, no stray markup) match each distinct part once. An
unusual text has no signature here.
"""

import re
from functools import partial
from sys import intern
from typing import AnyStr

from ovgather.ir.graph import NO_DATA, LayerSignature, Port
from ovgather.tensor.lazy import Table

S = rb"[ \t\r\n]"
NUMBER = rb"(?:0|[1-9][0-9]{0,17})"
MARKS = bytes((*range(0x20), 0x7F, *b"<&"))
"""Bytes that no plain attribute value has, so that XML does not change it."""
OTHERS = bytes(sorted({*range(256)} - {*MARKS}))
ATTRIBUTES = rb"((?:" + S + rb'+[A-Za-z_][A-Za-z0-9_.-]*="[^"<&\x00-\x1f\x7f]*")*)'
_ATTRIBUTE = re.compile(S + rb'([^ \t\r\n=]+)="([^"]*)"')
_TAG = re.compile(ATTRIBUTES + S + rb"*>" + S + rb"*")
_DATA = b"<data"
_DATA_END = b"/>"
_OFFSET = b' offset="'
_KEY = re.compile(r" +([A-Za-z_][A-Za-z0-9_.-]*)=")
_INFO = re.compile(
    rb"(?:"
    + S
    + rb"*<rt_info>((?:"
    + S
    + rb"*<attribute"
    + ATTRIBUTES
    + S
    + rb"*/>)*)"
    + S
    + rb"*</rt_info>)?"
    rb"((?:" + S + rb"|</?(?:input|output)>)*)"
)
_START = re.compile(  # with names before or behind the precision, but not twice
    rb" id=\"("
    + NUMBER
    + rb')"( names="")?(?: precision="([A-Za-z0-9]*)")?(?(2)|(?: names="")?)'
    + S
    + rb"*(\x00?)"
)
_DIMS = re.compile(rb"(?:" + S + rb"*<dim>(?:-1|[0-9]{1,18})</dim>)*" + S + rb"*</")
_LENGTH = re.compile(rb"(-1|[0-9]{1,18})</")
_PORTS = S + rb"*((?:<\x00>" + S + rb"*)*)"
_SIDES = re.compile(
    S
    + rb"*(?:<input>"
    + _PORTS
    + rb"</input>"
    + S
    + rb"*)?(?:<output>"
    + _PORTS
    + rb"</output>"
    + S
    + rb"*)?"
)
_LOOKED_AT = frozenset({"layout", "old_api_map_order", "old_api_map_element_type"})
_NAMELESS = re.compile(r'"\s*[," ]|,\s*,')  # matches any list with an empty name
_PORT = b"\x00"  # a port, or the end of an empty one: XML has no such byte
_REQUIRED = frozenset({"type", "version"})
_KNOWN = _REQUIRED | {"output_names", "precision"}

_Head = tuple[str, str, dict[str, str], bytes]
_Block = tuple[bytes, bytes]
_Ports = tuple[tuple[Port, ...], tuple[Port, ...]]


def values(attributes: bytes) -> dict[str, str] | None:
    """The attributes in a start tag; None if one is repeated."""
    pairs = _ATTRIBUTE.findall(attributes)
    attributes_by_name = {key.decode(): value.decode() for key, value in pairs}
    if len(attributes_by_name) == len(pairs):
        return attributes_by_name
    return None


class _Unusual(Exception):
    """The text of a layer has no signature."""


def _matched(pattern: re.Pattern[AnyStr], text: AnyStr) -> re.Match[AnyStr]:
    match = pattern.fullmatch(text)
    if match is None:
        raise _Unusual
    return match


class Signatures:
    """The signatures of one file; ``known`` maps texts to parsed signatures."""

    def __init__(self) -> None:
        self.known: dict[bytes, LayerSignature] = {}
        # by texts without the offset of a Const
        self._forms: dict[bytes, LayerSignature] = {}
        self._signatures: dict[object, LayerSignature] = {}
        # No table refers to this object, so all of them are freed with it, without the cyclic collector.
        self._ports = Table(
            partial(
                _port,
                Table(_start),
                Table(partial(_dims, Table(_check_dims), Table(_length))),
            )
        )
        self._heads = Table(
            partial(
                _head, Table(_tag), Table(partial(_data, Table(_key))), Table(_info)
            )
        )
        self._inputs = Table(_inputs)
        self._blocks: dict[_Block, _Ports] = {}

    def parse(self, text: bytes) -> LayerSignature | None:
        """The signature of ``text``, from behind the name up to ``</layer>``, without tensor names; None if unusual."""
        place = text.find(_OFFSET)
        start = place + len(_OFFSET)
        end = text.find(b'"', start)
        # Many Consts differ in nothing else.
        has_offset = (
            place > 0
            and text[start:end].isdigit()
            and text.rfind(_DATA, 0, place) > text.rfind(b">", 0, place)
        )
        if has_offset:
            form = self._form(text[:start] + text[end:])
            signature = form and self._with_offset(form, text[start:end])
        else:
            signature = self._form(text)
        if signature is not None:
            self.known[text] = signature
        return signature

    def _form(self, text: bytes) -> LayerSignature | None:
        return self._forms.get(text) or self._parsed(text)

    def _with_offset(self, form: LayerSignature, number: bytes) -> LayerSignature:
        """``form`` with the offset of its elements."""
        key = form, number
        signature = self._signatures.get(key)
        if signature is None:
            signature = self._signatures[key] = LayerSignature(form.type, form.version)
            signature.data = {**form.data, "offset": number.decode()}
            signature.inputs = form.inputs
            signature.outputs = form.outputs
        return signature

    def _parsed(self, text: bytes) -> LayerSignature | None:
        cut = text.find(b"<port ")
        if cut < 0:
            cut = len(text)
        try:
            type, version, data, sides = self._heads[text[:cut]]
            ports = self._blocks.get(key := (sides, text[cut:]))
            if (
                ports is None
            ):  # most are new: the way through __missing__ takes 1 % of the time of a file
                ports = self._blocks[key] = _block(self._ports, self._inputs, key)
        except _Unusual:
            return None
        facts = (type, version, id(data), id(ports))
        signature = self._signatures.get(facts)
        if signature is None:
            signature = self._signatures[facts] = LayerSignature(type, version)
            signature.data = data
            signature.inputs, signature.outputs = ports
        self._forms[text] = signature
        return signature


def _head(
    tags: Table[bytes, tuple[str, str]],
    datas: Table[bytes, dict[str, str]],
    infos: Table[bytes, bytes],
    text: bytes,
) -> _Head:
    """Type, version and data of the head ``text``, and the tags of sides at its end."""
    start = text.find(_DATA)
    end = text.find(_DATA_END, start)
    if start < 0 or end < 0:
        tag = _TAG.match(text)
        start = tag.end() if tag else 0
        end = tag.end() if tag else 0
        data = NO_DATA
    else:
        data = datas[text[start + len(_DATA) : end]]
        end += len(_DATA_END)
    return *tags[text[:start]], data, infos[text[end:]]


def _data(keys: Table[str, str], text: bytes) -> dict[str, str]:
    """The attributes in ``text``."""
    *parts, blank = text.decode().split('"')
    names = [*map(keys.__getitem__, parts[::2])]
    texts = parts[1::2]
    data = dict(zip(names, texts, strict=False))
    # The text of an attribute that is called names was not kept.
    if (
        len(data) < len(names)
        or len(texts) < len(names)
        or blank.strip(" ")
        or "names" in data
    ):
        raise _Unusual
    if text.translate(None, OTHERS):
        raise _Unusual
    return data or NO_DATA


def _block(
    pieces: Table[bytes, Port], inputs: Table[tuple[bytes, ...], int], key: _Block
) -> _Ports:
    """Inputs and outputs from a text that starts with the first port, and the tags of sides before it."""
    sides, text = key
    parts = text.replace(b"/>", _PORT + b"></port>").split(b"port")
    if not len(parts) % 2:
        raise _Unusual
    ports = tuple(map(pieces.__getitem__, parts[1::2]))
    between = (sides, *parts[::2])
    count = inputs[between]
    return ports[:count], ports[count:]


def _port(
    starts: Table[bytes, tuple[int, str | None, bool]],
    lengths: Table[bytes, tuple[int, ...]],
    text: bytes,
) -> Port:
    """The port that ``text`` is, from behind ``<port`` up to ``port>``."""
    start, _, inside = text.partition(b">")
    id, precision, is_empty = starts[start]
    dims = lengths[inside]
    if is_empty and inside != b"</":
        raise _Unusual
    return Port(id, precision, dims)


def _tag(text: bytes) -> tuple[str, str]:
    """Type and version in the rest of a start tag."""
    pairs = values(_matched(_TAG, text)[1])
    if pairs is None or not _REQUIRED <= pairs.keys() <= _KNOWN:
        raise _Unusual
    return pairs["type"], pairs["version"]


def _key(text: str) -> str:
    """The name of an attribute, from the blanks before it up to its ``=``."""
    return intern(_matched(_KEY, text)[1])


def _info(text: bytes) -> bytes:
    """The tags of sides behind ``<rt_info>``, which has no label twice, and no value that OpenVINO may check."""
    info = _matched(_INFO, text)
    seen: list[str] = []
    labels: list[str] = []
    for attribute in (info[1] or b"").split(b"<attribute")[1:]:
        pairs = values(attribute)
        if pairs is None or "name" not in pairs:
            raise _Unusual
        labels.append(pairs["name"])
        seen += pairs.values()
    if (
        len({*labels}) < len(labels)
        or not _LOOKED_AT.isdisjoint(seen)
        or _NAMELESS.search('"'.join(seen))
    ):
        raise _Unusual
    return info[3].lstrip()


def _start(text: bytes) -> tuple[int, str | None, bool]:
    """Id and precision in the start tag of a port, and whether it is also the end tag."""
    number, _, precision, ended = _matched(_START, text).groups()
    return int(number), None if precision is None else precision.decode(), bool(ended)


def _dims(
    frames: Table[tuple[bytes, ...], None], lengths: Table[bytes, int], text: bytes
) -> tuple[int, ...]:
    parts = text.split(b"dim>")
    if not len(parts) % 2:
        raise _Unusual
    frames[tuple(parts[::2])]
    return tuple(map(lengths.__getitem__, parts[1::2]))


def _check_dims(parts: tuple[bytes, ...]) -> None:
    """Whether ``parts`` stand before, between and after the lengths of plain dims."""
    _matched(_DIMS, b"dim>0</dim>".join(parts))


def _length(text: bytes) -> int:
    return int(_matched(_LENGTH, text)[1])


def _inputs(parts: tuple[bytes, ...]) -> int:
    """The number of input ports, from the tags before, between and after all ports."""
    sides = _matched(_SIDES, parts[0] + _PORT.join(parts[1:]))
    return (sides[1] or b"").count(_PORT)
