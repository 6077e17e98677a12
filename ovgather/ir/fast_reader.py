"""The quick way through an IR, whoever wrote it: what repeats is parsed once.

Layers, ports and edges are told apart by regular expressions for plain XML: double quotes, no entities, no markup
where none belongs; attributes may come in any order. What stands between the ``<data>`` of a layer and its end repeats
all over a file, to the byte but for tensor names, and is parsed once for each distinct text. A layer that is in any way
unusual goes to the full reader, and so does the frame around the lists of layers and edges. Nothing is accepted here
that the full reader would take for something else: tests compare the two on mutated files.
"""

from __future__ import annotations

import re

from ovgather.ir.model import Edge, Layer, Model, Port
from ovgather.ir.reader import Reader

_S = rb"[ \t\r\n]"
# Attribute values without markup, entities and control characters: the same text before and after XML.
_VALUE = rb'"[^"<&\x00-\x1f\x7f]*"'
_ATTRIBUTES = rb"((?:" + _S + rb"+[A-Za-z_][A-Za-z0-9_.-]*=" + _VALUE + rb")*)" + _S + rb"*"
_NUMBER = rb'"(0|[1-9][0-9]{0,17})"'
# Written so that no character can be taken in two ways: what does not match is given up at once.
_COMMENT = rb"<!--[^-\x00-\x08\x0b\x0c\x0e-\x1f]*(?:-[^-\x00-\x08\x0b\x0c\x0e-\x1f]+)*-->"
_MISC = _S + rb"*(?:" + _COMMENT + _S + rb"*){0,99}"

_OPEN = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.[01][\"'](?: encoding=[\"'][A-Za-z0-9._-]+[\"'])?"
    rb"(?: standalone=[\"'](?:yes|no)[\"'])?" + _S + rb"*\?>)?" + _MISC + rb"<net" + _ATTRIBUTES + rb">"
)
_LIST = re.compile(_MISC + rb"<(layers|edges)" + _S + rb"*>")
_DATA = rb">(?:" + _S + rb"*<data" + _ATTRIBUTES + rb"/>)?"
# The usual order of attributes, which is quicker to tell apart; then any.
_LAYER = re.compile(
    _MISC + rb'(<)layer id="(0|[1-9][0-9]{0,17})" name="([^"<&\x00-\x1f\x7f]*)"'
    + rb' type="([A-Za-z0-9]+)" version="([A-Za-z0-9]+)"' + _DATA
)  # fmt: skip
_ANY_LAYER = re.compile(_MISC + rb"(<)layer" + _ATTRIBUTES + _DATA)
_LAYER_START = re.compile(_MISC + rb"(<layer)[ \t\r\n>/]")
_EDGE = re.compile(
    _MISC + rb"(<)edge" + _S + rb"+from-layer=" + _NUMBER + _S + rb"+from-port=" + _NUMBER
    + _S + rb"+to-layer=" + _NUMBER + _S + rb"+to-port=" + _NUMBER + _S + rb"*/>"
)  # fmt: skip
_END = {name: re.compile(_MISC + rb"</" + name + _S + rb"*>") for name in (b"layers", b"edges")}

_ZERO = ord("0")
_ATTRIBUTE = re.compile(rb'([^ \t\r\n=]+)="([^"]*)"')
# Only after another attribute: never inside a value, never in an end tag.
_NAMES = re.compile(rb' names="(?<=" names=")[^"<&\x00-\x1f\x7f]*"(?=[ \t\r\n/>])')
_TWO_NAMES = re.compile(rb' names="[^"]*"[^<>]* names="')

_PORT = re.compile(
    rb"<port" + _S + rb"+id=" + _NUMBER + rb"(?:" + _S + rb'+precision="([A-Za-z0-9]*)")?' + _S + rb"*"
    rb"(?:/>|>((?:" + _S + rb"*<dim>(?:-1|[0-9]{1,18})</dim>)*)" + _S + rb"*</port>)"
)  # fmt: skip
_PORTS = rb"((?:" + _S + rb"*" + re.sub(rb"\((?!\?)", rb"(?:", _PORT.pattern) + rb")*)" + _S + rb"*"
_ONE_ATTRIBUTE = _S + rb"*<attribute(?![^>]*\slayout=)" + _ATTRIBUTES.replace(rb"((?:", rb"(?:(?:") + rb"/>"
_BLOCK = re.compile(
    rb"(?:" + _S + rb"*<rt_info>(?:" + _ONE_ATTRIBUTE + rb")?" + _S + rb"*</rt_info>)?"
    rb"(?:" + _S + rb"*<input>" + _PORTS + rb"</input>)?"
    rb"(?:" + _S + rb"*<output>" + _PORTS + rb"</output>)?" + _S + rb"*"
)  # fmt: skip
_DIM = re.compile(rb"-?[0-9]+")

_PLAIN = (b"id", b"name", b"type", b"version")
_ALLOWED = frozenset({b"id", b"name", b"type", b"version", b"output_names", b"precision"})
_LONGEST = 1 << 16
"""A layer without an end within so many bytes is left to the full reader."""
_TRIAL = 2_000
"""After this many layers the share of unusual ones is looked at: above a quarter, the full reader is quicker."""


class _Unusual(Exception):
    """So much needs the full reader that it had better read the whole file."""


def read_fast(model: Model, data: bytes) -> bool:
    """Fill ``model`` from ``data``; False, with the model to be thrown away, when the file is not plain enough.

    Raises:
        expat.ExpatError, Stop: as ``Reader.parse``; the full reader is to be asked for the verdict.
    """
    opened = _OPEN.match(data)
    if opened is None or not _is_utf8(data):
        return False
    root = _values(opened[1])
    if root is None or root.get("version") not in ("10", "11"):
        return False
    model.name = root.get("name", "")
    model.ir_version = int(root["version"])
    position, seen = opened.end(), set[str]()
    try:
        while (found := _LIST.match(data, position)) and found[1].decode() not in seen:
            name = found[1]
            seen.add(name.decode())
            read = _Layers(model, data).read if name == b"layers" else _read_edges
            end = _END[name].match(data, read(model, data, found.end()))
            if not end:
                return False
            position = end.end()
    except _Unusual:
        return False
    if not seen:
        return False
    Reader(model).parse_rest(data, position, seen)
    return True


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data


def _values(attributes: bytes) -> dict[str, str] | None:
    """The attributes in a start tag; None when one is given twice."""
    pairs = _ATTRIBUTE.findall(attributes)
    values = {key.decode(): value.decode() for key, value in pairs}
    return values if len(values) == len(pairs) else None


class _Layers:
    """Reads the list of layers."""

    def __init__(self, model: Model, data: bytes) -> None:
        self.model = model
        self.data = data
        self.slow = Reader(model)
        self.blocks: dict[bytes, tuple[tuple[Port, ...], tuple[Port, ...]]] = {}
        self.ports: dict[bytes, Port] = {}
        self.strings: dict[bytes, str] = {}
        self.datas: dict[bytes, dict[str, str]] = {}

    def read(self, model: Model, data: bytes, position: int) -> int:
        """Read layers up to the first thing that is none; the byte where that stands."""
        layers = self.model.graph.layers
        match, match_any, find, strip = _LAYER.match, _ANY_LAYER.match, data.find, _NAMES.subn
        blocks, make, parse = self.blocks, self._make, self._parse
        unusual = 0
        while True:
            found = match(data, position) or match_any(data, position)
            end = find(b"</layer>", found.end(), found.end() + _LONGEST) if found else -1
            if found and end >= 0:
                block, names = strip(b"", data[found.end() : end])
                ports = blocks.get(block)
                if ports is None:
                    ports = parse(block)
                if ports is not None and (names < 2 or not _TWO_NAMES.search(data, found.end(), end)):
                    layer = make(found)
                    if layer is not None:
                        layer.inputs, layer.outputs = ports
                        layers.append(layer)
                        position = end + 8
                        continue
            start = _LAYER_START.match(data, position)
            if not start:
                return position
            position = self.slow.parse_layer(data, start.start(1))
            unusual += 1
            if unusual * 4 > len(layers) >= _TRIAL:
                raise _Unusual

    def _make(self, found: re.Match[bytes]) -> Layer | None:
        """The layer that a plain start tag opens, with its ``<data>``; None when the tag has something unusual."""
        if found.re is _LAYER:
            _, number, name, kind, version, data = found.groups()
        else:
            _, attributes, data = found.groups()
            pairs = _ATTRIBUTE.findall(attributes)
            values = dict(pairs)
            if len(values) < len(pairs) or not set(_PLAIN) <= values.keys() <= _ALLOWED:
                return None
            number, name, kind, version = [values[key] for key in _PLAIN]
            if not number.isdigit() or len(number) > 18 or (number[0] == _ZERO and len(number) > 1):
                return None
        strings = self.strings
        layer = Layer(
            self.model.graph,
            int(number),
            name.decode(),
            strings.get(kind) or strings.setdefault(kind, kind.decode()),
            strings.get(version) or strings.setdefault(version, version.decode()),
            found.start(1),
        )
        if data:
            known = self.datas.get(data)
            if known is None:
                known = _values(data)
                if known is None:
                    return None
                self.datas[data] = known
            layer.data = known
        return layer

    def _parse(self, block: bytes) -> tuple[tuple[Port, ...], tuple[Port, ...]] | None:
        """The input and output ports of a block without tensor names; None when it holds anything else."""
        found = _BLOCK.fullmatch(block)
        if found is None or b'"layout"' in block:
            return None
        inputs, outputs = found.groups()
        ports = self._side(inputs), self._side(outputs)
        self.blocks[block] = ports
        return ports

    def _side(self, text: bytes | None) -> tuple[Port, ...]:
        if not text:
            return ()
        side = []
        for found in _PORT.finditer(text):
            port = self.ports.get(found[0])
            if port is None:
                number, precision, dims = found.groups()
                values = tuple([int(dim) for dim in _DIM.findall(dims or b"")])
                port = Port(int(number), None if precision is None else precision.decode(), values)
                port = self.ports.setdefault(found[0], port)
            side.append(port)
        return tuple(side)


def _read_edges(model: Model, data: bytes, position: int) -> int:
    append = model.graph.edges.append
    match = _EDGE.match
    while found := match(data, position):
        _, source, source_port, target, target_port = found.groups()
        append(Edge(int(source), int(source_port), int(target), int(target_port), found.start(1)))
        position = found.end()
    return position
