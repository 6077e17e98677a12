"""The quick way through an IR that is written as OpenVINO writes it.

Layers are told apart by regular expressions that accept only the plain form, and the ports of a layer
(which repeat, to the byte, all over a file) are parsed once for each distinct text. A layer that is in any
way unusual goes to the full reader; so does the whole file when the frame around the layers is unusual.
Nothing is accepted here that the full reader would take for something else: tests compare the two on
mutated files.
"""

from __future__ import annotations

import re

from ovgather.ir.model import Edge, Layer, Model, Port
from ovgather.ir.reader import Reader

# Attribute values without markup, entities and control characters: the same text before and after XML.
_VALUE = rb'[^"<&\x00-\x1f\x7f]*'
_OPEN = re.compile(
    rb'(?:<\?xml version="1\.0"(?: encoding="(?:utf|UTF)-8")? ?\?>\s*)?<net name="('
    + _VALUE
    + rb')" version="(1[01])">'
    rb"\s*<layers>"
)
_LAYER = re.compile(
    rb'\s*(<layer id="([0-9]{1,18})" name="(' + _VALUE + rb')" type="([A-Za-z0-9]+)" version="([A-Za-z0-9]+)"'
    rb'(?: output_names="' + _VALUE + rb'")?>)'
    rb'(?:\s*<data((?: [A-Za-z_][\w.-]*="' + _VALUE + rb'")+) ?/>)?'
)
_LAYER_START = re.compile(rb"\s*(<layer\s)")
_ATTRIBUTE = re.compile(rb' ([^= ]+)="([^"]*)"')
_NAMES = re.compile(rb' names="' + _VALUE + rb'"(?= ?/?>)')
_BETWEEN = re.compile(rb"\s*</layers>\s*<edges>")
_EDGE = re.compile(
    rb'\s*(<)edge from-layer="([0-9]{1,18})" from-port="([0-9]{1,18})"'
    rb' to-layer="([0-9]{1,18})" to-port="([0-9]{1,18})" ?/>'
)
_EDGES_END = re.compile(rb"\s*</edges>")

_TRIAL = 2_000
"""After this many layers the share of unusual ones is looked at: above a quarter, the full reader is quicker."""


def read_fast(model: Model, data: bytes) -> bool:
    """Fill ``model`` from ``data``; False, with the model to be thrown away, when the file is not in the plain form.

    Raises:
        expat.ExpatError, Stop: as ``Reader.parse``; the full reader is to be asked for the verdict.
    """
    opened = _OPEN.match(data)
    if not opened or not _is_utf8(data):
        return False
    model.name = opened[1].decode()
    model.ir_version = int(opened[2])
    try:
        between = _BETWEEN.match(data, _read_layers(model, data, opened.end()))
    except _TooUnusual:
        return False
    if not between:
        return False
    position = _read_edges(model, data, between.end())
    end = _EDGES_END.match(data, position)
    if not end:
        return False
    Reader(model).parse_rest(data, end.end())
    return True


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data


class _TooUnusual(Exception):
    """So many layers need the full reader that it had better read the whole file."""


def _read_layers(model: Model, data: bytes, position: int) -> int:
    """Read layers up to the first thing that is none; the byte where that stands."""
    layers = model.graph.layers
    slow = Reader(model)
    blocks: dict[bytes, tuple[tuple[Port, ...], tuple[Port, ...]]] = {}
    strings: dict[bytes, str] = {}
    datas: dict[bytes, dict[str, str]] = {}
    match, find, strip, make = _LAYER.match, data.find, _NAMES.sub, _make_layer
    unusual = 0
    while True:
        found = match(data, position)
        if found:
            end = find(b"</layer>", found.end())
            block = strip(b"", data[found.end() : end])
            ports = blocks.get(block)
            if ports is not None:
                layer = make(model, found, strings, datas)
                layer.inputs, layer.outputs = ports
                layers.append(layer)
                position = end + 8
                continue
        start = found or _LAYER_START.match(data, position)
        if not start:
            return position
        problems = len(model.problems)
        position = slow.parse_layer(data, start.start(1))
        unusual += 1
        if unusual * 4 > len(layers) >= _TRIAL:
            raise _TooUnusual
        if found and position == end + 8 and _can_keep(block, layers[-1]) and len(model.problems) == problems:
            blocks[block] = layers[-1].inputs, layers[-1].outputs


def _make_layer(
    model: Model, found: re.Match[bytes], strings: dict[bytes, str], datas: dict[bytes, dict[str, str]]
) -> Layer:
    _, number, name, kind, version, attributes = found.groups()
    layer = Layer(
        model.graph,
        int(number),
        name.decode(),
        strings.get(kind) or strings.setdefault(kind, kind.decode()),
        strings.get(version) or strings.setdefault(version, version.decode()),
        found.start(1),
    )
    if attributes is not None:
        values = datas.get(attributes)
        if values is None:
            pairs = _ATTRIBUTE.findall(attributes)
            values = {key.decode(): value.decode() for key, value in pairs}
            if len(values) < len(pairs):
                raise _TooUnusual
            datas[attributes] = values
        layer.data = values
    return layer


def _can_keep(block: bytes, layer: Layer) -> bool:
    """Whether the text between ``<data>`` and ``</layer>`` means the same wherever it stands."""
    if layer.bodies or b"<data" in block or b"'" in block:
        return False
    return b"<layer" not in block and b"<!" not in block and b"<?" not in block and b"&" not in block


def _read_edges(model: Model, data: bytes, position: int) -> int:
    append = model.graph.edges.append
    match = _EDGE.match
    while found := match(data, position):
        _, source, source_port, target, target_port = found.groups()
        append(Edge(int(source), int(source_port), int(target), int(target_port), found.start(1)))
        position = found.end()
    return position
