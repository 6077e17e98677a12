"""The quick reader of an IR: text is cut at bytes that plain XML has nowhere else, and what repeats is parsed once.

Layers by the thousand are rows of ids, names and texts, which repeat to the byte but for tensor names; edges are
numbers between text that repeats. The full reader reads unusual text and the frame around the lists of layers and
edges. Both readers agree on all files that this one accepts: tests compare them on mutated files.
"""

import codecs
import re
from collections import deque
from itertools import accumulate, repeat
from operator import add
from typing import cast
from xml.parsers import expat

from ovgather.ir.bulk.layer_signature import (
    ATTRIBUTES,
    NUMBER,
    OTHERS,
    S,
    Signatures,
    values,
)
from ovgather.ir.graph import Edge, Graph, Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.ir.reader.reader import Reader
from ovgather.ir.reader.state import Stop
from ovgather.tensor.lazy import Table

_DECLARATION = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.[01][\"'](?: encoding=[\"'][A-Za-z0-9._-]+[\"'])?"
    rb"(?: standalone=[\"'](?:yes|no)[\"'])?" + S + rb"*\?>)?"
)
_OPEN = re.compile(rb"<net" + ATTRIBUTES + S + rb"*>")
_LIST = re.compile(rb"<(/?)(layers|edges)" + S + rb"*>")
_PIECE = 1 << 18

_OPENING = b"<layer id="
_CLOSING = b"</layer>"
_BEFORE_ID = re.compile(S + b"*" + _OPENING)
_AFTER_ID = b" name="
_NUMBERS = re.compile(NUMBER + b'(?:"' + NUMBER + b")*")
_END = re.compile(S + b"*</layers")
_LAYER = re.compile(rb"<layer id=\"(" + NUMBER + rb')" name="([^"<&\x00-\x1f\x7f]*)"')
_ANY_LAYER = re.compile(rb"<layer[ \t\r\n>/]")
_WINDOW = 1 << 15
"""Bytes that are cut at once, and the length of a layer above which the full reader reads it. Twice as many leave the
processor's cache, which takes 3 ms of 100."""
_SMALL_WINDOW = 1 << 12
_LIST_END = b"</layers"
_TRIAL = 2_000
"""Layers after which the full reader takes over if more than a quarter of them are unusual, since it is then faster."""

_EDGE_TAG = b"<edge"
_ENDS = [
    S + b"+" + end + b"="
    for end in (b"from-layer", b"from-port", b"to-layer", b"to-port")
]
_EDGE_CLOSING = S + b"*/>" + S + b"*"
_EDGE = re.compile(
    _EDGE_TAG + b"".join(end + b'"(' + NUMBER + b')"' for end in _ENDS) + _EDGE_CLOSING
)
_FRAMES = [
    re.compile(_EDGE_CLOSING + _EDGE_TAG + _ENDS[0]),
    *map(re.compile, _ENDS[1:]),
]
_ONE_NUMBER = re.compile(NUMBER)

_new_edge = tuple.__new__  # half the time of Edge(...)

# Written so that no character can be taken in two ways: what does not match is given up at once.
_COMMENT = (
    rb"<!--[^-\x00-\x08\x0b\x0c\x0e-\x1f]*(?:-[^-\x00-\x08\x0b\x0c\x0e-\x1f]+)*-->"
)
_MISC = re.compile(S + rb"*(?:" + _COMMENT + S + rb"*){0,99}")

_NAMES = re.compile(
    rb' names="[^"<&\x00-\x1f\x7f]*(?:&(?:amp|lt|gt|apos|quot);[^"<&\x00-\x1f\x7f]*)*"'
)
_NAMES_START = b' names="'
_NO_NAMES = b' names=""'
_FUSED = b'fused_names" '
_ITEM = rb' *[^"<&\x00-\x1f\x7f, ][^"<&\x00-\x1f\x7f,]*'
_LIST_OF_NAMES = b'value="' + _ITEM + rb"(?:," + _ITEM + rb')*"'
_FUSED_NAMES = (
    re.compile(  # a letter that is rare first: found in 5 instead of 7 ms of 120
        rb'fused_names(?<=<attribute name="fused_names)" '
        rb'(?:version="0" ' + _LIST_OF_NAMES + b"|" + _LIST_OF_NAMES + b' version="0")'
    )
)


def after_misc(data: bytes, position: int) -> int:
    """The byte after the blanks and comments that start at ``position``, if any."""
    misc = _MISC.match(data, position)
    if misc:
        return misc.end()
    return position


def without_names(text: bytes) -> bytes:
    """``text`` with empty names of tensors, and one name for valid names of fused layers, so that layers repeat."""
    return cut_names(text)[0]


def cut_names(text: bytes) -> tuple[bytes, list[bytes] | None]:
    """``text`` as ``without_names`` gives it, and the names of tensors of each port; None if one is unusual."""
    start, *rests = text.split(_NAMES_START)
    cuts = [rest.partition(b'"') for rest in rests]
    names: list[bytes] | None = [cut[0] for cut in cuts]
    if b"".join([cut[0] for cut in cuts]).translate(None, OTHERS) or not all(
        [cut[1] for cut in cuts]
    ):
        text = _NAMES.sub(_NO_NAMES, text)
        names = None
    else:  # as quick as the pattern, and a rule need not look for the names: 3 % of a file's time
        text = _NO_NAMES.join([start, *[cut[2] for cut in cuts]])
    return _FUSED_NAMES.sub(
        _FUSED + b'version="0" value="-"', text
    ) if _FUSED in text else text, names


def read_bulk(model: Model, data: bytes, signatures: Signatures | None = None) -> bool:
    """Fill ``model`` from ``data``; False, and a half-filled model, if only the full reader can read the file."""
    declaration = _DECLARATION.match(data)
    opened = _OPEN.match(
        data, after_misc(data, declaration.end() if declaration else 0)
    )
    if opened is None or b"\x00" in data or not _is_utf8(data):
        return False
    root = values(opened[1])
    if root is None or root.get("version") not in ("10", "11"):
        return False
    model.name = root.get("name", "")
    model.graph.offset = opened.start()
    model.ir_version = int(root["version"])
    model.output_names = [], []
    position = opened.end()
    seen = set[str]()
    name, begin = _list(data, position, b"")
    layers = _LayerReader(model, data, model.graph, signatures)
    try:
        while name and name not in seen:
            seen.add(name)
            closed, position = _list(
                data, layers.read_list(model.graph, name, begin), b"/"
            )
            if closed != name:
                return False
            name, begin = _list(data, position, b"")
        if seen:
            Reader(model).parse_rest(data, position, seen)
    except (expat.ExpatError, Stop):
        return False
    model.signatures = layers._signatures
    return bool(seen)


def _list(data: bytes, position: int, slash: bytes) -> tuple[str, int]:
    """The list that starts, or with a ``slash`` ends, at byte ``position``, and the byte after its tag."""
    tag = _LIST.match(data, after_misc(data, position))
    if tag and tag[1] == slash:
        return (tag[2].decode(), tag.end())
    return ("", position)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    pieces = (data[begin : begin + _PIECE] for begin in range(0, len(data), _PIECE))
    try:
        deque(codecs.iterdecode(pieces, "utf-8"), 0)
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data


class _LayerReader:
    """Fills ``graph`` of ``model`` with layers from ``data``."""

    def __init__(
        self,
        model: Model,
        data: bytes,
        graph: Graph,
        signatures: Signatures | None = None,
    ) -> None:
        self._model = model
        self._graph = graph
        self._data = data
        self._signatures = signatures or Signatures()
        # Of edges, most of which are ids: to write these as text again took 3 ms of 120.
        self._numbers = Table(_number)
        self._full: Reader | None = None
        self._unusual = 0

    def read_list(self, graph: Graph, name: str, position: int) -> int:
        """Read the layers or the edges of a graph up to other text; its first byte."""
        if name == "edges":
            return _read_edges(graph, self._data, position, self._numbers)
        if graph is self._graph:
            reader = self
        else:
            reader = _LayerReader(self._model, self._data, graph, self._signatures)
        return reader._read(position)

    def _read(self, position: int) -> int:
        """Read layers up to other text; its first byte. Stop: the full reader had better read the whole file."""
        data = self._data
        size = _WINDOW
        while not _END.match(data, position):
            limit = data.find(_LIST_END, position, position + size)
            end = data.rfind(
                _CLOSING, position, limit if limit >= 0 else position + size
            ) + len(_CLOSING)
            if end > position:
                usual = self._rows(position, end)
            else:
                usual = position
            if usual == end:
                position = end
                size = min(2 * size, _WINDOW)
                continue
            after = self._one(usual)
            if after == position:
                break
            # unusual layers come in groups
            position = after
            size = _SMALL_WINDOW
        return position

    def _rows(self, begin: int, end: int) -> int:
        """Read the layers that fill the bytes from ``begin`` to ``end``; the first byte of the first unusual one."""
        data = self._data
        pieces = data[begin:end].split(_CLOSING)
        pieces.pop()  # nothing follows the last end
        rows = [*map(bytes.split, pieces, repeat(b'"'), repeat(4))]
        if {*map(len, rows)} != {5}:
            return begin
        starts, ids, between, names, rests = zip(*rows, strict=True)
        if {*between} != {_AFTER_ID} or not all(map(_BEFORE_ID.fullmatch, {*starts})):
            return begin
        name_text = b'"'.join(names)
        if name_text.translate(None, OTHERS) or not _NUMBERS.fullmatch(b'"'.join(ids)):
            return begin
        text, output_names = cut_names(b"\x00".join(rests))
        texts = text.split(b"\x00")
        if len(texts) != len(rows):
            return begin
        by_text = self._signatures.known
        for text in {*texts}.difference(by_text):
            self._signatures.parse(text)
        signatures = [*map(by_text.get, texts)]
        # An end tag followed each piece.
        ends = accumulate(map(len, pieces), initial=begin)
        shifts = range(-len(_OPENING), len(data), len(_CLOSING))
        offsets = [*map(add, map(add, ends, shifts), map(len, starts))]
        if None in signatures:
            usual = signatures.index(None)
        else:
            usual = len(signatures)
        graph = self._graph
        if usual < len(signatures):
            end = offsets[usual]
            output_names = None
        self._take_names(output_names, begin, end)
        numbers = [*map(int, ids[:usual])]
        self._numbers.update(zip(ids, numbers))  # noqa: B905 - without a keyword it is faster
        graph.ids += numbers
        graph.names += name_text.decode().split('"')[:usual]
        graph.signatures += cast("list[LayerSignature]", signatures[:usual])
        graph.offsets += offsets[:usual]
        return end

    def _take_names(self, names: list[bytes] | None, begin: int, end: int) -> None:
        """Keep the names of tensors of the layers from ``begin`` to ``end``, or where to look for them."""
        known = self._model.output_names
        if known is None:  # a list of layers in another: a layer around has its bytes
            return
        if names is None:
            known[1].append((begin, end))
        else:
            known[0].extend(names)

    def _one(self, position: int) -> int:
        """Read one layer; the byte after it, or ``position`` before other text."""
        data = self._data
        signatures = self._signatures
        offset = after_misc(data, position)
        start = _LAYER.match(data, offset)
        if start:
            end = data.find(_CLOSING, start.end(), start.end() + _WINDOW)
        else:
            end = -1
        if start and end >= 0:
            text = without_names(data[start.end() : end])
        else:
            text = b""
        signature = signatures.known.get(text) or signatures.parse(text)
        if start and signature:
            self._graph.add(
                Layer(self._graph, int(start[1]), start[2].decode(), signature, offset)
            )
            self._take_names(None, offset, end)
            return end + len(_CLOSING)
        if not _ANY_LAYER.match(data, offset):
            return position
        self._unusual += 1
        if self._unusual * 4 > len(self._graph.ids) >= _TRIAL:
            raise Stop("unusual", offset)
        self._full = self._full or Reader(self._model)
        known = self._model.output_names
        self._model.output_names = None
        end = self._full.parse_layer(data, offset, self._graph, self.read_list)
        self._model.output_names = known
        self._take_names(None, offset, end)
        return end


def _read_edges(
    graph: Graph, data: bytes, position: int, numbers: Table[bytes, int]
) -> int:
    """Read edges up to other text; its first byte."""
    edges = graph.edges
    limit = data.find(b"</edges", position)
    while True:
        start = data.rfind(_EDGE_TAG, position, min(limit, position + _WINDOW))
        if start >= 0:
            end = data.find(b">", start) + 1
        else:
            end = 0
        if rows := _edge_rows(data, position, end, numbers):
            edges += rows
            position = end
            continue
        while edge := _EDGE.match(data, begin := after_misc(data, position)):
            source, source_port, target, target_port = map(int, edge.groups())
            edges.append(Edge(source, source_port, target, target_port, begin))
            position = edge.end()
            if position >= end:
                break
        else:
            return position


def _number(text: bytes) -> int:
    if not _ONE_NUMBER.fullmatch(text):
        raise KeyError(text)
    return int(text)


def _edge_rows(
    data: bytes, begin: int, end: int, numbers: Table[bytes, int]
) -> list[Edge]:
    """The edges that fill the bytes from ``begin`` to ``end``; none if one of them is unusual."""
    text = data[begin:end]
    # So that all frames are alike.
    parts = (b"/>" + text + _EDGE_TAG + b" from-layer=").split(b'"')
    frames = parts[::2]
    if len(parts) % 8 != 1 or not all(
        all(map(_FRAMES[at].fullmatch, {*frames[at::4]})) for at in range(4)
    ):
        return []
    try:
        ends = [[*map(numbers.__getitem__, parts[at::8])] for at in range(1, 8, 2)]
    except KeyError:
        return []
    sizes = [len(piece) + len(_EDGE_TAG) for piece in text.split(_EDGE_TAG)]
    sizes[0] += begin - len(_EDGE_TAG)
    return [*map(_new_edge, repeat(Edge), zip(*ends, accumulate(sizes), strict=False))]
