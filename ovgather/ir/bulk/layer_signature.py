"""The form of a layer by its text: what repeats, to the byte, is parsed once.

The text is cut before the first port. What stands before it is the head: the start tag behind the name, ``<data>`` and
``<rt_info>``. Cut at its quotes, it is attribute values and the text around them, and that repeats wherever the values
do not. The rest is cut at the word port: then it is ports, without their tags of input and output, and what stands
between them. Each of these pieces is told apart by a regular expression for plain XML, the first time that it comes:
double quotes, no entities, no markup where none belongs. What is in any way unusual has no form here.
"""

from __future__ import annotations

import re

from ovgather.ir.bulk.grammar import NAME, NUMBER, OTHERS, S
from ovgather.ir.graph import NO_DATA, LayerSignature, Port

_TEXT_S, _TEXT_NAME = S.decode(), NAME.decode()
_ATTRIBUTES = rf'((?:{_TEXT_S}+{_TEXT_NAME}="")*)'
_AROUND = re.compile(
    rf"{_ATTRIBUTES}{_TEXT_S}*>(?:{_TEXT_S}*<data{_ATTRIBUTES}{_TEXT_S}*/>)?"
    rf"(?:{_TEXT_S}*<rt_info>((?:{_TEXT_S}*<attribute{_ATTRIBUTES}{_TEXT_S}*/>)*){_TEXT_S}*</rt_info>)?"
    rf"((?:{_TEXT_S}|</?(?:input|output)>)*)"
)
_KEY = re.compile(rf"{_TEXT_NAME}(?=\=)")
_START = re.compile(rb" id=\"(" + NUMBER + rb')"(?: precision="([A-Za-z0-9]*)")?(?: names="")?' + S + rb"*(\x00?)")
_DIMS = re.compile(rb"(?:" + S + rb"*<dim>(?:-1|[0-9]{1,18})</dim>)*" + S + rb"*</")
_DIM = re.compile(rb"-?[0-9]+")
_PORTS = S + rb"*((?:<\x00>" + S + rb"*)*)"
_SIDES = re.compile(
    S + rb"*(?:<input>" + _PORTS + rb"</input>" + S + rb"*)?(?:<output>" + _PORTS + rb"</output>" + S + rb"*)?"
)
_LOOKED_AT = frozenset({"layout", "old_api_map_order", "old_api_map_element_type"})
_NAMELESS = re.compile(r'"\s*[," ]|,\s*,')
"""What a list of names holds that has one without a letter, among others."""
_PORT = b"\x00"
"""What stands for a port, or for the end of an empty one: XML holds no such byte."""
_TAG = frozenset({"type", "version"})
_TAGS = _TAG | {"output_names", "precision"}

Ports = tuple[tuple[Port, ...], tuple[Port, ...]]


class _Unusual(Exception):
    """The text of a layer has no form."""


# The text around the values of a head: its marks; the numbers of the values that are type and version; the keys of
# data, the number of its first value and the one after its last; the numbers of the values that label run-time
# information, and the one after its last; the tags of sides behind it all.
_Around = tuple[bytes, int, int, tuple[str, ...], int, int, list[int], int, bytes]


class Forms:
    """The forms of one file; those that are ``known`` by their text."""

    def __init__(self) -> None:
        self.known: dict[bytes, LayerSignature] = {}
        self._forms: dict[object, LayerSignature] = {}
        self._heads: dict[bytes, tuple[str, str, dict[str, str], bytes]] = {}
        self._around: dict[tuple[str, ...], _Around] = {}
        self._strings: dict[str, str] = {}
        self._datas: dict[object, dict[str, str]] = {}
        self._blocks: dict[tuple[bytes, bytes], Ports] = {}
        self._sides: dict[tuple[bytes, ...], int] = {}
        self._pieces: dict[bytes, Port] = {}
        self._starts: dict[bytes, tuple[int, str | None, bool]] = {}
        self._dims: dict[bytes, tuple[int, ...]] = {}
        self._ports: dict[object, Port] = {}
        self._sequences: dict[tuple[Port, ...], tuple[Port, ...]] = {}

    def parse(self, text: bytes) -> LayerSignature | None:
        """The form of a layer with ``text`` from behind its name up to ``</layer>``; None for what is unusual.

        All names of tensors in ``text`` are to be empty, and there is no byte 0 in it.
        """
        cut = text.find(b"<port ")
        if cut < 0:
            cut = len(text)
        start, block = text[:cut], text[cut:]
        try:
            type, version, data, sides = self._heads.get(start) or self._head(start)
            ports = self._blocks.get((sides, block)) or self._block(sides, block)
        except _Unusual:
            return None
        key = (type, version, id(data), id(ports))
        signature = self._forms.get(key)
        if signature is None:
            signature = self._forms[key] = LayerSignature(type, version)
            signature.data = data
            signature.inputs, signature.outputs = ports
        self.known[text] = signature
        return signature

    def _head(self, text: bytes) -> tuple[str, str, dict[str, str], bytes]:
        """Type, version and data of the head ``text``, and the tags that stand at its end."""
        parts = text.decode().split('"')
        outside = tuple(parts[::2])
        around = self._around.get(outside)
        if around is None:
            around = self._around[outside] = _around(outside)
        marks, type, version, keys, first, after, labels, end, sides = around
        # The same marks in all of the text as in what stands around the values: there are none in these.
        if not len(parts) % 2 or text.translate(None, OTHERS) != marks:
            raise _Unusual
        values = parts[1::2]
        # A label that comes twice and values that may be wrong are for the full reader to judge.
        if labels and (len({values[label] for label in labels}) < len(labels) or _is_doubtful(values[after:end])):
            raise _Unusual
        given = values[first:after]
        said = (keys, *given)
        data = self._datas.get(said)
        if data is None:
            data = self._datas[said] = dict(zip(keys, given)) or NO_DATA  # noqa: B905 - they are as many
        share = self._strings.setdefault
        kind, opset = values[type], values[version]
        head = self._heads[text] = share(kind, kind), share(opset, opset), data, sides
        return head

    def _block(self, sides: bytes, text: bytes) -> Ports:
        """Inputs and outputs from ``text``, which starts with the first port; ``sides`` stand before it."""
        parts = text.replace(b"/>", _PORT + b"></port>").split(b"port")
        if not len(parts) % 2:
            raise _Unusual
        found = [self._pieces.get(part) or self._port(part) for part in parts[1::2]]
        key = (sides, *parts[::2])
        inputs = self._sides.get(key)
        if inputs is None:
            inputs = self._sides[key] = _inputs(sides + _PORT.join(parts[::2]))
        share = self._sequences.setdefault
        taken, given = tuple(found[:inputs]), tuple(found[inputs:])
        ports = self._blocks[sides, text] = share(taken, taken), share(given, given)
        return ports

    def _port(self, text: bytes) -> Port:
        """The port that ``text`` is, from behind ``<port`` up to ``port>``."""
        start, _, inside = text.partition(b">")
        id, precision, ended = self._starts.get(start) or self._start(start)
        dims = self._dims.get(inside)
        if dims is None:
            if not _DIMS.fullmatch(inside):
                raise _Unusual
            dims = self._dims[inside] = tuple(map(int, _DIM.findall(inside)))
        if ended and inside != b"</":
            raise _Unusual
        port = self._ports.get((id, precision, dims))
        if port is None:
            port = self._ports[id, precision, dims] = Port(id, precision, dims)
        self._pieces[text] = port
        return port

    def _start(self, text: bytes) -> tuple[int, str | None, bool]:
        found = _START.fullmatch(text)
        if found is None:
            raise _Unusual
        number, precision, ended = found.groups()
        start = self._starts[text] = int(number), None if precision is None else precision.decode(), bool(ended)
        return start


def _is_doubtful(values: list[str]) -> bool:
    """Whether one of these values of run-time information may be a label whose own value OpenVINO looks at."""
    return not _LOOKED_AT.isdisjoint(values) or _NAMELESS.search('"'.join(values)) is not None


def _around(parts: tuple[str, ...]) -> _Around:
    text = '""'.join(parts)
    found = _AROUND.fullmatch(text)
    if found is None:
        raise _Unusual
    tag, data, info, _, sides = found.groups("")
    keys = _KEY.findall(text)
    first = tag.count("=")
    after = first + data.count("=")
    of_tag, of_data = {*keys[:first]}, tuple(keys[first:after])
    # The text of an attribute that is called names was not kept.
    if len(of_tag) < first or not _TAG <= of_tag <= _TAGS or "names" in of_data or len({*of_data}) < len(of_data):
        raise _Unusual
    labels, end = [], after
    for attribute in info.split("<attribute")[1:]:
        given = keys[end : end + attribute.count("=")]
        if "name" not in given or len({*given}) < len(given):
            raise _Unusual
        labels.append(end + given.index("name"))
        end += len(given)
    marks = text.encode().translate(None, OTHERS)
    return marks, keys.index("type"), keys.index("version"), of_data, first, after, labels, end, sides.encode()


def _inputs(text: bytes) -> int:
    """How many ports are inputs, by the tags that stand before, between and behind all ports."""
    found = _SIDES.fullmatch(text)
    if found is None:
        raise _Unusual
    return (found[1] or b"").count(_PORT)
