"""The quick way through an IR, whoever wrote it: what repeats is parsed once.

Layers and edges are told apart by regular expressions for plain XML (see ``form_text``); attributes may come in any
order. What stands between the name of a layer and its end repeats all over a file, to the byte but for tensor names,
and is looked up. A layer that is in any way unusual goes to the full reader, and so does the frame around the lists of
layers and edges. Nothing is accepted here that the full reader would take for something else: tests compare the two on
mutated files.
"""

from __future__ import annotations

import codecs
import re
from itertools import accumulate, repeat
from operator import itemgetter
from typing import NamedTuple

from ovgather.ir.form_text import ATTRIBUTES, NUMBER, Forms, S, values
from ovgather.ir.model import Edge, Layer, Model
from ovgather.ir.reader import Reader

# Written so that no character can be taken in two ways: what does not match is given up at once.
_COMMENT = rb"<!--[^-\x00-\x08\x0b\x0c\x0e-\x1f]*(?:-[^-\x00-\x08\x0b\x0c\x0e-\x1f]+)*-->"
_MISC = S + rb"*(?:" + _COMMENT + S + rb"*){0,99}"
_OPEN = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.[01][\"'](?: encoding=[\"'][A-Za-z0-9._-]+[\"'])?"
    rb"(?: standalone=[\"'](?:yes|no)[\"'])?" + S + rb"*\?>)?" + _MISC + rb"<net(" + ATTRIBUTES + rb")" + S + rb"*>"
)
_LIST = re.compile(_MISC + rb"<(layers|edges)" + S + rb"*>")
_END = {name: re.compile(_MISC + rb"</" + name + S + rb"*>") for name in (b"layers", b"edges")}

# The usual order of attributes, which is quicker to tell apart; then any.
_LAYER = re.compile(S + rb"*(<)layer id=" + NUMBER + rb' name="([^"<&\x00-\x1f\x7f]*)"')
_ANY_LAYER = re.compile(_MISC + rb"(<)layer(" + ATTRIBUTES + rb")" + S + rb"*(?=>)")
_LAYER_START = re.compile(_MISC + rb"(<layer)[ \t\r\n>/]")
# A name may be left out wherever it stands, since what is left must be plain, too.
_ENTITY = rb"&(?:amp|lt|gt|apos|quot);"
_ID = re.compile(NUMBER.strip(b'"').decode())
_ID_AND_NAME = re.compile(S + rb'+(?:id|name)="[^"]*"')
_NAMES = re.compile(rb' names="[^"<&\x00-\x1f\x7f]*(?:' + _ENTITY + rb'[^"<&\x00-\x1f\x7f]*)*"')

_ENDS = [b"from-layer=", b"from-port=", b"to-layer=", b"to-port="]
_EDGE = rb"<edge" + b"".join(S + b"+" + end + NUMBER for end in _ENDS) + S + rb"*/>" + S + rb"*"
_EDGES = re.compile(b"(" + _EDGE + b")")
_ONE_EDGE = re.compile(_MISC + b"(" + _EDGE + b")")
_SPACE = re.compile(S + b"*")

_LONGEST = 1 << 16
"""A layer without an end within so many bytes is left to the full reader."""
_TRIAL = 2_000
"""After this many layers the share of unusual ones is looked at: above a quarter, the full reader is quicker."""
_WINDOW = 1 << 18
"""So many bytes of edges are dealt with at once."""


_new_edge = tuple.__new__  # half the time of Edge(...)


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
    root = values(opened[1])
    if root is None or root.get("version") not in ("10", "11"):
        return False
    model.name = root.get("name", "")
    model.ir_version = int(root["version"])
    position, seen = opened.end(), set[str]()
    try:
        while (found := _LIST.match(data, position)) and found[1].decode() not in seen:
            name = found[1]
            seen.add(name.decode())
            read = _read_layers if name == b"layers" else _read_edges
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
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        for begin in range(0, len(data), _WINDOW):
            decode(data[begin : begin + _WINDOW])
        decode(b"", True)
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data


class _Start(NamedTuple):
    """The start tag of a layer, up to what its form is told by: ``tag`` is the rest of it."""

    offset: int
    id: int
    name: str
    tag: bytes
    end: int


def _read_layers(model: Model, data: bytes, position: int) -> int:
    """Read layers up to the first thing that is none; the byte where that stands."""
    graph, full, forms = model.graph, Reader(model), Forms()
    match, find, without_names = _LAYER.match, data.find, _NAMES.sub
    known, parse, append = forms.known, forms.parse, graph.layers.append
    unusual = 0
    while True:
        found = match(data, position)
        other = None if found else _any_order(data, position)
        begin = found.end() if found else other.end if other else len(data)
        end = find(b"</layer>", begin, begin + _LONGEST)
        if end >= 0:
            text = without_names(b' names=""', data[begin:end])
            if other:
                text = other.tag + text
            form = known.get(text) or parse(text)
            if form is not None:
                if found:
                    _, number, name = found.groups()
                    append(Layer(graph, int(number), name.decode(), form, found.start(1)))
                elif other:
                    append(Layer(graph, other.id, other.name, form, other.offset))
                position = end + len(b"</layer>")
                continue
        start = _LAYER_START.match(data, position)
        if not start:
            return position
        position = full.parse_layer(data, start.start(1))
        unusual += 1
        if unusual * 4 > len(graph.layers) >= _TRIAL:
            raise _Unusual


def _any_order(data: bytes, position: int) -> _Start | None:
    """The start tag of a layer behind comments, or with its attributes in another order; None where there is none."""
    found = _ANY_LAYER.match(data, position)
    given = values(found[2]) if found else None
    if found is None or given is None or not {"id", "name"} <= given.keys() or not _ID.fullmatch(given["id"]):
        return None
    tag = _ID_AND_NAME.sub(b"", found[2])
    return _Start(found.start(1), int(given["id"]), given["name"], tag, found.end())


def _read_edges(model: Model, data: bytes, position: int) -> int:
    """Read edges up to the first thing that is none; the byte where that stands."""
    graph = model.graph
    closing = data.find(b"</edges>", position)
    while 0 <= position < closing:
        # As long as one edge follows the other, they are taken by the thousand.
        begin = data.find(b"<", position)
        limit = closing if closing - begin <= _WINDOW else data.rfind(b"<edge", begin, begin + _WINDOW)
        rows = _EDGES.findall(data, begin, limit)
        offsets = list(accumulate(map(len, map(itemgetter(0), rows)), initial=begin))
        if not rows or offsets[-1] != limit or not _SPACE.fullmatch(data, position, begin):
            break
        _, *ends = zip(*rows, strict=True)
        numbers = [map(int, end) for end in ends]
        graph.edges += map(_new_edge, repeat(Edge), zip(*numbers, offsets, strict=False))
        position = limit
    while found := _ONE_EDGE.match(data, position):
        _, source, source_port, target, target_port = found.groups()
        edge = Edge(int(source), int(source_port), int(target), int(target_port), found.start(1))
        graph.edges.append(edge)
        position = found.end()
    return position
