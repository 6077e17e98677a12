"""Layers by the thousand: cut at their ends and at their first quotes, they are rows of ids, names and texts."""

from __future__ import annotations

import re
from itertools import accumulate, repeat
from operator import add
from typing import cast

from ovgather.ir.bulk.grammar import NUMBER, OTHERS, S, Table, without_names
from ovgather.ir.bulk.layer_signature import Signatures
from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.model import Model

_OPENING = b"<layer id="
_CLOSING = b"</layer>"
_BEFORE_ID = re.compile(S + b"*" + _OPENING)
_AFTER_ID = b" name="
_NUMBERS = re.compile(NUMBER + b'(?:"' + NUMBER + b")*")
_END = re.compile(S + b"*</layers")
_WINDOW = 1 << 16
"""So many bytes are dealt with at once."""


def read_layers(model: Model, data: bytes, position: int, numbers: Table[bytes, int]) -> int:
    """Read layers up to other text; its first byte. The ids are put into ``numbers``."""
    signatures = Signatures()
    other = None
    while not _END.match(data, position):
        begin, end = position, data.rfind(_CLOSING, position, position + _WINDOW) + len(_CLOSING)
        if end > begin:
            position = _rows(model, data, begin, end, signatures, numbers)
        else:
            end = begin + _WINDOW
        if position < end:
            if other is None:
                from ovgather.ir.bulk.layer_by_layer import LayerByLayer

                other = LayerByLayer(model, data, signatures)
            position = other.read(position, end)
        if position == begin:
            break
    return position


def _rows(model: Model, data: bytes, begin: int, end: int, signatures: Signatures, numbers: Table[bytes, int]) -> int:
    """Read the layers that fill the bytes from ``begin`` to ``end``; the first byte of the first unusual one."""
    pieces = data[begin:end].split(_CLOSING)
    pieces.pop()  # nothing stands behind the last end
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
    known = signatures.known
    for text in {*texts}.difference(known):
        signatures.parse(text)
    found = [*map(known.get, texts)]
    values = [*map(int, ids)]
    numbers.update(zip(ids, values, strict=True))
    # Each piece was followed by an end tag.
    ends = accumulate(map(len, pieces), initial=begin)
    shifts = range(-len(_OPENING), len(data), len(_CLOSING))
    offsets = [*map(add, map(add, ends, shifts), map(len, starts))]
    usual = found.index(None) if None in found else len(found)
    graph, layer_names = model.graph, name_text.decode().split('"')
    columns = repeat(graph), values, layer_names, cast("list[LayerSignature]", found[:usual]), offsets
    graph.layers += map(Layer, *columns)
    return end if usual == len(found) else offsets[usual]
