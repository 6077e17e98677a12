"""The quick reader of an IR: repeated text is parsed once.

Layers are cut at bytes that plain XML has nowhere else (``layers``). The text between the name of a layer and its end
repeats in a file, to the byte but for tensor names, and is looked up (``layer_signature``). The full reader reads
unusual text, and the frame around the lists of layers and edges. Both readers agree on all files that this one accepts:
tests compare them on mutated files.
"""

import codecs
import re
from collections import deque

from ovgather.ir.bulk.edges import read_edges
from ovgather.ir.bulk.grammar import ATTRIBUTES, S, TooUnusual, after_misc, values
from ovgather.ir.bulk.layers import LayerReader
from ovgather.ir.model import Model
from ovgather.ir.reader.reader import Reader

_DECLARATION = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.[01][\"'](?: encoding=[\"'][A-Za-z0-9._-]+[\"'])?"
    rb"(?: standalone=[\"'](?:yes|no)[\"'])?" + S + rb"*\?>)?"
)
_OPEN = re.compile(rb"<net" + ATTRIBUTES + S + rb"*>")
_LIST = re.compile(rb"<(/?)(layers|edges)" + S + rb"*>")
_PIECE = 1 << 18


def read_bulk(model: Model, data: bytes) -> bool:
    """Fill ``model`` from ``data``; False, and a half-filled model, if only the full reader can read the file."""
    declaration = _DECLARATION.match(data)
    opened = _OPEN.match(data, after_misc(data, declaration.end() if declaration else 0))
    if opened is None or b"\x00" in data or not _is_utf8(data):
        return False
    root = values(opened[1])
    if root is None or root.get("version") not in ("10", "11"):
        return False
    model.name = root.get("name", "")
    model.ir_version = int(root["version"])
    position, seen = opened.end(), set[str]()
    name, begin = _list(data, position, b"")
    try:
        while name and name not in seen:
            seen.add(name)
            graph = model.graph
            end = LayerReader(model, data, graph).read(begin) if name == "layers" else read_edges(graph, data, begin)
            closed, position = _list(data, end, b"/")
            if closed != name:
                return False
            name, begin = _list(data, position, b"")
    except TooUnusual:
        return False
    if not seen:
        return False
    Reader(model).parse_rest(data, position, seen)
    return True


def _list(data: bytes, position: int, slash: bytes) -> tuple[str, int]:
    """The list that starts, or with a ``slash`` ends, at byte ``position``, and the byte after its tag."""
    tag = _LIST.match(data, after_misc(data, position))
    return (tag[2].decode(), tag.end()) if tag and tag[1] == slash else ("", position)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    pieces = (data[begin : begin + _PIECE] for begin in range(0, len(data), _PIECE))
    try:
        deque(codecs.iterdecode(pieces, "utf-8"), 0)
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data
