"""Edges by the thousand: cut at their quotes, they are numbers and text that repeats."""

import re
from itertools import accumulate, repeat

from ovgather.ir.bulk.grammar import NUMBER, S, after_misc
from ovgather.ir.graph import Edge, Graph
from ovgather.tensor.lazy import Table

_TAG = b"<edge"
_ENDS = [S + b"+" + end + b"=" for end in (b"from-layer", b"from-port", b"to-layer", b"to-port")]
_CLOSING = S + b"*/>" + S + b"*"
_EDGE = re.compile(_TAG + b"".join(end + b'"(' + NUMBER + b')"' for end in _ENDS) + _CLOSING)
_FRAMES = [re.compile(_CLOSING + _TAG + _ENDS[0]), *map(re.compile, _ENDS[1:])]
_NUMBER = re.compile(NUMBER)
_WINDOW = 1 << 16

_new_edge = tuple.__new__  # half the time of Edge(...)


def read_edges(graph: Graph, data: bytes, position: int) -> int:
    """Read edges up to other text; its first byte."""
    edges, numbers = graph.edges, Table(_number)
    numbers.update((b"%d" % layer.id, layer.id) for layer in graph.layers if layer.id >= 0)
    limit = data.find(b"</edges", position)
    while True:
        start = data.rfind(_TAG, position, min(limit, position + _WINDOW))
        end = data.find(b">", start) + 1 if start >= 0 else 0
        if rows := _rows(data, position, end, numbers):
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
    if not _NUMBER.fullmatch(text):
        raise KeyError(text)
    return int(text)


def _rows(data: bytes, begin: int, end: int, numbers: Table[bytes, int]) -> list[Edge]:
    """The edges that fill the bytes from ``begin`` to ``end``; none if one of them is unusual."""
    text = data[begin:end]
    parts = (b"/>" + text + _TAG + b" from-layer=").split(b'"')  # so that all frames are alike
    frames = parts[::2]
    if len(parts) % 8 != 1 or not all(all(map(_FRAMES[at].fullmatch, {*frames[at::4]})) for at in range(4)):
        return []
    try:
        ends = [[*map(numbers.__getitem__, parts[at::8])] for at in range(1, 8, 2)]
    except KeyError:
        return []
    sizes = [len(piece) + len(_TAG) for piece in text.split(_TAG)]
    sizes[0] += begin - len(_TAG)
    return [*map(_new_edge, repeat(Edge), zip(*ends, accumulate(sizes), strict=False))]
