"""Edges by the thousand: cut at their quotes, they are numbers and a text that is always the same."""

from __future__ import annotations

import re
from itertools import accumulate, repeat

from ovgather.ir.bulk.grammar import NUMBER, S, Table, after_misc
from ovgather.ir.graph import Edge
from ovgather.ir.model import Model

_ENDS = (b"from-layer", b"from-port", b"to-layer", b"to-port")
_EDGE = b"<edge"
_WHOLE = _EDGE + b"".join(S + b"+" + end + b'="(' + NUMBER + b')"' for end in _ENDS) + S + rb"*/>" + S + rb"*"
_ONE_EDGE = re.compile(_WHOLE)
_SOME_EDGES = re.compile(S + rb"*(?:" + _WHOLE + rb")+")
_TEXTS = 8
"""So many texts make an edge, when it is cut at its quotes; every other one is a number."""
_WINDOW = 1 << 16
"""So many bytes are dealt with at once."""

_new_edge = tuple.__new__  # half the time of Edge(...)


def read_edges(model: Model, data: bytes, position: int, numbers: Table[bytes, int]) -> int:
    """Read edges up to other text; its first byte."""
    edges = model.graph.edges
    while True:
        start = data.rfind(_EDGE, position, position + _WINDOW)
        end = data.find(b">", start) + 1 if start >= 0 else 0
        found = _rows(data, position, end, numbers) if end else []
        if found:
            edges += found
            position = end
            continue
        while one := _ONE_EDGE.match(data, begin := after_misc(data, position)):
            source, source_port, target, target_port = map(int, one.groups())
            edges.append(Edge(source, source_port, target, target_port, begin))
            position = one.end()
            if position >= end:
                break
        else:
            return position


def _rows(data: bytes, begin: int, end: int, numbers: Table[bytes, int]) -> list[Edge]:
    """The edges that fill the bytes from ``begin`` to ``end``; none if one of them is written differently."""
    text = data[begin:end]
    parts = text.split(b'"')
    count, left = divmod(len(parts), _TEXTS)
    if left != 1:
        return []
    # What stands around the numbers of the first edge, before it, behind it and at the end is looked at closely; then
    # all the rest must be the same.
    around = parts[::2]
    first, unit, between, last = around[:1], around[1:4], around[4:5], around[-1:]
    if around != first + (unit + between) * (count - 1) + unit + last:
        return []
    sample = first + unit + (between + unit) * (count > 1) + last
    if not _SOME_EDGES.fullmatch(b'"0"'.join(sample)):
        return []
    try:
        ends = [[*map(numbers.__getitem__, parts[number::_TEXTS])] for number in range(1, _TEXTS, 2)]
    except KeyError:
        return []
    sizes = [len(piece) + len(_EDGE) for piece in text.split(_EDGE)]
    sizes[0] += begin - len(_EDGE)
    return [*map(_new_edge, repeat(Edge), zip(*ends, accumulate(sizes), strict=False))]
