"""Layers by the thousand: cut at their ends and at their first quotes, they are rows of ids, names and texts.

Layers that are not all alike (with comments between them, or with content that only the full reader understands) are
read one by one.
"""

import re
from itertools import accumulate, repeat
from operator import add
from typing import cast

from ovgather.ir.bulk.edges import read_edges
from ovgather.ir.bulk.grammar import NUMBER, OTHERS, S, TooUnusual, after_misc, without_names
from ovgather.ir.bulk.layer_signature import Signatures
from ovgather.ir.graph import Graph, Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.ir.reader.reader import Reader

_OPENING = b"<layer id="
_CLOSING = b"</layer>"
_BEFORE_ID = re.compile(S + b"*" + _OPENING)
_AFTER_ID = b" name="
_NUMBERS = re.compile(NUMBER + b'(?:"' + NUMBER + b")*")
_END = re.compile(S + b"*</layers")
_LAYER = re.compile(rb"<layer id=\"(" + NUMBER + rb')" name="([^"<&\x00-\x1f\x7f]*)"')
_ANY_LAYER = re.compile(rb"<layer[ \t\r\n>/]")
_WINDOW = 1 << 16
"""Bytes that are cut at once, and the length of a layer above which the full reader reads it."""
_SMALL_WINDOW = 1 << 12
_LIST_END = b"</layers"
_TRIAL = 2_000
"""Layers after which the full reader takes over if more than a quarter of them are unusual, since it is then faster."""


class LayerReader:
    """Fills ``graph`` of ``model`` with layers from ``data``."""

    def __init__(self, model: Model, data: bytes, graph: Graph, signatures: Signatures | None = None) -> None:
        self._model = model
        self._graph = graph
        self._data = data
        self._signatures = signatures or Signatures()
        self._full: Reader | None = None
        self._unusual = 0

    def read(self, position: int) -> int:
        """Read layers up to other text; its first byte. TooUnusual: the full reader had better read the whole file."""
        data, size = self._data, _WINDOW
        while not _END.match(data, position):
            limit = data.find(_LIST_END, position, position + size)
            end = data.rfind(_CLOSING, position, limit if limit >= 0 else position + size) + len(_CLOSING)
            usual = self._rows(position, end) if end > position else position
            if usual == end:
                position, size = end, min(2 * size, _WINDOW)
                continue
            after = self._one(usual)
            if after == position:
                break
            position, size = after, _SMALL_WINDOW  # unusual layers come in groups
        return position

    def _read_list(self, graph: Graph, name: str, position: int) -> int:
        """Read the layers or the edges of a body up to other text; its first byte."""
        if name == "edges":
            return read_edges(graph, self._data, position)
        return LayerReader(self._model, self._data, graph, self._signatures).read(position)

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
        texts = without_names(b"\x00".join(rests)).split(b"\x00")
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
        usual = signatures.index(None) if None in signatures else len(signatures)
        plain = cast("list[LayerSignature]", signatures[:usual])
        self._graph.layers += map(
            Layer, repeat(self._graph), map(int, ids), name_text.decode().split('"'), plain, offsets
        )
        return end if usual == len(signatures) else offsets[usual]

    def _one(self, position: int) -> int:
        """Read one layer; the byte after it, or ``position`` before other text."""
        data, signatures = self._data, self._signatures
        offset = after_misc(data, position)
        start = _LAYER.match(data, offset)
        end = data.find(_CLOSING, start.end(), start.end() + _WINDOW) if start else -1
        text = without_names(data[start.end() : end]) if start and end >= 0 else b""
        signature = signatures.known.get(text) or signatures.parse(text)
        if start and signature:
            self._graph.layers.append(Layer(self._graph, int(start[1]), start[2].decode(), signature, offset))
            return end + len(_CLOSING)
        if not _ANY_LAYER.match(data, offset):
            return position
        self._unusual += 1
        if self._unusual * 4 > len(self._graph.layers) >= _TRIAL:
            raise TooUnusual
        self._full = self._full or Reader(self._model)
        return self._full.parse_layer(data, offset, self._graph, self._read_list)
