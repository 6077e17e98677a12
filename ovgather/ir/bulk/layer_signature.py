"""The signature of a layer by its text: repeated parts are parsed once.

A text starts behind the name of a layer and is cut before its first port::

    <layer id="3" name="pick"| type="Gather" version="opset8"><data batch_dims="0"/><input>|<port id="0"> … </output>
                             |------------------------- head -----------------------------|------ block ------|

    head    cut at its quotes: values (Gather, opset8, 0), and a frame around them that repeats where values do not
    block   cut at the word port: pieces (` id="0"> … </`), and what stands between them

The head is the start tag, ``<data>`` and ``<rt_info>``. A regular expression for plain XML (double quotes, no entities,
no stray markup) matches each distinct part once. An unusual text has no signature here.
"""

import re
from typing import Any, NamedTuple

from ovgather.ir.bulk.grammar import NAME, NUMBER, OTHERS, S, Table
from ovgather.ir.graph import NO_DATA, LayerSignature, Port

_TEXT_S, _TEXT_NAME = S.decode(), NAME.decode()
_ATTRIBUTES = rf'((?:{_TEXT_S}+{_TEXT_NAME}="")*)'
_FRAME = re.compile(
    rf"{_ATTRIBUTES}{_TEXT_S}*>(?:{_TEXT_S}*<data{_ATTRIBUTES}{_TEXT_S}*/>)?"
    rf"(?:{_TEXT_S}*<rt_info>((?:{_TEXT_S}*<attribute{_ATTRIBUTES}{_TEXT_S}*/>)*){_TEXT_S}*</rt_info>)?"
    rf"((?:{_TEXT_S}|</?(?:input|output)>)*)"
)
_KEY = re.compile(rf"{_TEXT_NAME}(?=\=)")
_START = re.compile(  # with names before or behind the precision, but not twice
    rb" id=\"(" + NUMBER + rb')"( names="")?(?: precision="([A-Za-z0-9]*)")?(?(2)|(?: names="")?)' + S + rb"*(\x00?)"
)
_DIMS = re.compile(rb"(?:" + S + rb"*<dim>(?:-1|[0-9]{1,18})</dim>)*" + S + rb"*</")
_DIM = re.compile(rb"-?[0-9]+")
_PORTS = S + rb"*((?:<\x00>" + S + rb"*)*)"
_SIDES = re.compile(
    S + rb"*(?:<input>" + _PORTS + rb"</input>" + S + rb"*)?(?:<output>" + _PORTS + rb"</output>" + S + rb"*)?"
)
_LOOKED_AT = frozenset({"layout", "old_api_map_order", "old_api_map_element_type"})
_NAMELESS = re.compile(r'"\s*[," ]|,\s*,')  # matches any list with an empty name
_PORT = b"\x00"  # a port, or the end of an empty one: XML has no such byte
_TAG = frozenset({"type", "version"})
_TAGS = _TAG | {"output_names", "precision"}

Dims = tuple[int, ...]
Ports = tuple[tuple[Port, ...], tuple[Port, ...]]


class _Unusual(Exception):
    """The text of a layer has no signature."""


class _Frame(NamedTuple):
    """The text around the values of a head; numbers are those of values."""

    marks: bytes  # the bytes that no value has, in order
    type: int
    version: int
    keys: tuple[str, ...]  # the attributes of <data>; their values are those from ``start`` to ``end``
    start: int
    end: int
    labels: list[int]  # the names in <rt_info>; its values are those from ``end`` to ``last``
    last: int
    sides: bytes  # the tags of <input> and <output> at the end


class Signatures:
    """The signatures of one file; ``known`` has those that were parsed, by their text."""

    def __init__(self) -> None:
        self.known: dict[bytes, LayerSignature] = {}
        self._signatures: dict[object, LayerSignature] = {}
        self._shared: dict[Any, Any] = {}
        self._heads = Table(self._head)
        self._frames = Table(_frame)
        self._datas = Table(_data)
        self._blocks = Table(self._block)
        self._inputs = Table(_inputs)
        self._pieces = Table(self._port)
        self._starts = Table(_start)
        self._dims = Table(_dims)
        self._ports = Table(_new_port)

    def parse(self, text: bytes) -> LayerSignature | None:
        """The signature of ``text``, from behind the name up to ``</layer>``, without tensor names; None if unusual."""
        cut = text.find(b"<port ")
        if cut < 0:
            cut = len(text)
        try:
            type, version, data, sides = self._heads[text[:cut]]
            ports = self._blocks[sides, text[cut:]]
        except _Unusual:
            return None
        key = (type, version, id(data), id(ports))
        if key not in self._signatures:
            signature = self._signatures[key] = LayerSignature(type, version)
            signature.data = data
            signature.inputs, signature.outputs = ports
        return self.known.setdefault(text, self._signatures[key])

    def _head(self, text: bytes) -> tuple[str, str, dict[str, str], bytes]:
        """Type, version and data of the head ``text``, and the tags of sides at its end."""
        parts = text.decode().split('"')
        frame = self._frames[tuple(parts[::2])]
        # The same marks in all of the text as in what stands around the values: there are none in these.
        if not len(parts) % 2 or text.translate(None, OTHERS) != frame.marks:
            raise _Unusual
        values = parts[1::2]
        # A label that comes twice and values that may be wrong are for the full reader to judge.
        labels = frame.labels
        if labels and (
            len({values[label] for label in labels}) < len(labels) or _is_doubtful(values[frame.end : frame.last])
        ):
            raise _Unusual
        data = self._datas[frame.keys, tuple(values[frame.start : frame.end])]
        share, type, version = self._shared.setdefault, values[frame.type], values[frame.version]
        return share(type, type), share(version, version), data, frame.sides

    def _block(self, key: tuple[bytes, bytes]) -> Ports:
        """Inputs and outputs from a text that starts with the first port, and the tags of sides before it."""
        sides, text = key
        parts = text.replace(b"/>", _PORT + b"></port>").split(b"port")
        if not len(parts) % 2:
            raise _Unusual
        ports = tuple(map(self._pieces.__getitem__, parts[1::2]))
        between = (sides, *parts[::2])
        count = self._inputs[between]
        share, inputs, outputs = self._shared.setdefault, ports[:count], ports[count:]
        return share(inputs, inputs), share(outputs, outputs)

    def _port(self, text: bytes) -> Port:
        """The port that ``text`` is, from behind ``<port`` up to ``port>``."""
        start, _, inside = text.partition(b">")
        id, precision, ended = self._starts[start]
        dims = self._dims[inside]
        if ended and inside != b"</":
            raise _Unusual
        return self._ports[id, precision, dims]


def _data(pairs: tuple[tuple[str, ...], tuple[str, ...]]) -> dict[str, str]:
    return dict(zip(*pairs, strict=True)) or NO_DATA


def _start(text: bytes) -> tuple[int, str | None, bool]:
    """Id and precision in the start tag of a port, and whether it is also the end tag."""
    start = _START.fullmatch(text)
    if start is None:
        raise _Unusual
    number, _, precision, ended = start.groups()
    return int(number), None if precision is None else precision.decode(), bool(ended)


def _dims(text: bytes) -> Dims:
    if not _DIMS.fullmatch(text):
        raise _Unusual
    return tuple(map(int, _DIM.findall(text)))


def _new_port(facts: tuple[int, str | None, Dims]) -> Port:
    return Port(*facts)


def _is_doubtful(values: list[str]) -> bool:
    """Whether one of these values of run-time information may be a label whose value OpenVINO checks."""
    return not _LOOKED_AT.isdisjoint(values) or _NAMELESS.search('"'.join(values)) is not None


def _frame(parts: tuple[str, ...]) -> _Frame:
    text = '""'.join(parts)
    frame = _FRAME.fullmatch(text)
    if frame is None:
        raise _Unusual
    tag, data, info, _, sides = frame.groups("")
    keys = _KEY.findall(text)
    start = tag.count("=")
    end = start + data.count("=")
    of_tag, of_data = {*keys[:start]}, tuple(keys[start:end])
    # The text of an attribute that is called names was not kept.
    if len(of_tag) < start or not _TAG <= of_tag <= _TAGS or "names" in of_data or len({*of_data}) < len(of_data):
        raise _Unusual
    labels, last = [], end
    for attribute in info.split("<attribute")[1:]:
        names = keys[last : last + attribute.count("=")]
        if "name" not in names or len({*names}) < len(names):
            raise _Unusual
        labels.append(last + names.index("name"))
        last += len(names)
    marks = text.encode().translate(None, OTHERS)
    return _Frame(marks, keys.index("type"), keys.index("version"), of_data, start, end, labels, last, sides.encode())


def _inputs(parts: tuple[bytes, ...]) -> int:
    """The number of input ports, from the tags before, between and after all ports."""
    sides = _SIDES.fullmatch(parts[0] + _PORT.join(parts[1:]))
    if sides is None:
        raise _Unusual
    return (sides[1] or b"").count(_PORT)
