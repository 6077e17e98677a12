"""Edges with plain numbers, one regular expression each."""

from __future__ import annotations

import re

from ovgather.ir.bulk.grammar import NUMBER, S, after_misc
from ovgather.ir.graph import Edge
from ovgather.ir.model import Model

_ENDS = (b"from-layer", b"from-port", b"to-layer", b"to-port")
_EDGE = re.compile(S + b"*(<edge)" + b"".join(S + b"+" + end + b'="(' + NUMBER + b')"' for end in _ENDS) + S + b"*/>")

_new_edge = tuple.__new__  # half the time of Edge(...)


def read_edges(model: Model, data: bytes, position: int) -> int:
    """Read edges up to other text; its first byte."""
    edges, match = model.graph.edges, _EDGE.match
    while edge := match(data, position) or match(data, after_misc(data, position)):
        _, *ends = edge.groups()
        edges.append(_new_edge(Edge, (*map(int, ends), edge.start(1))))
        position = edge.end()
    return position
