"""Layers one by one, where they are not all alike: with comments between them, with attributes in another order, or
with something inside that only the full reader understands."""

from __future__ import annotations

import re
from typing import NamedTuple

from ovgather.ir.bulk.grammar import ATTRIBUTES, NUMBER, S, TooUnusual, after_misc, values, without_names
from ovgather.ir.bulk.layer_signature import Signatures
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.reader.reader import Reader

_ANY_LAYER = re.compile(rb"<layer" + ATTRIBUTES + S + rb"*(?=>)")
_LAYER = re.compile(rb"<layer id=\"(" + NUMBER + rb')" name="([^"<&\x00-\x1f\x7f]*)"')
_LAYER_START = re.compile(rb"<layer[ \t\r\n>/]")
_ID = re.compile(NUMBER.decode())
_ID_AND_NAME = re.compile(S + rb'+(?:id|name)="[^"]*"')
_CLOSING = b"</layer>"
_LONGEST = 1 << 16
"""A layer without an end within so many bytes is left to the full reader."""
_TRIAL = 2_000
"""After this many layers the share of unusual ones is looked at: above a quarter, the full reader is quicker."""


class _Start(NamedTuple):
    """The start tag of a layer, up to its signature: ``tag`` is the rest of it."""

    id: int
    name: str
    tag: bytes
    end: int


class LayerByLayer:
    """Fills ``model`` with layers of ``data``, one by one."""

    def __init__(self, model: Model, data: bytes, signatures: Signatures) -> None:
        self._graph = model.graph
        self._data = data
        self._signatures = signatures
        self._full = Reader(model)
        self._unusual = 0

    def read(self, position: int, limit: int) -> int:
        """Read layers up to byte ``limit`` or to other text; the byte after the last layer."""
        layers = self._graph.layers
        while position < limit:
            offset = after_misc(self._data, position)
            start = _start(self._data, offset)
            end = self._data.find(_CLOSING, start.end, start.end + _LONGEST) if start else -1
            signature = None
            if start and end >= 0:
                text = start.tag + without_names(self._data[start.end : end])
                signature = self._signatures.known.get(text) or self._signatures.parse(text)
            if start and signature:
                layers.append(Layer(self._graph, start.id, start.name, signature, offset))
                position = end + len(_CLOSING)
            elif _LAYER_START.match(self._data, offset):
                position = self._full.parse_layer(self._data, offset)
                self._unusual += 1
                if self._unusual * 4 > len(layers) >= _TRIAL:
                    raise TooUnusual
            else:
                break
        return position


def _start(data: bytes, offset: int) -> _Start | None:
    """The start tag of the layer at byte ``offset``; None if there is none, or an unusual one."""
    found = _LAYER.match(data, offset)
    if found:
        return _Start(int(found[1]), found[2].decode(), b"", found.end())
    # Then its attributes stand in another order.
    found = _ANY_LAYER.match(data, offset)
    attributes = (values(found[1]) if found else None) or {}
    if found is None or "name" not in attributes or not _ID.fullmatch(attributes.get("id", "")):
        return None
    return _Start(int(attributes["id"]), attributes["name"], _ID_AND_NAME.sub(b"", found[1]), found.end())
