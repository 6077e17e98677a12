"""Layers taken from a file as they are written, to the byte, with their constants moved to another ``.bin``."""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import Constant, constant
from ovgather.ir.edit.edits import Patched
from ovgather.ir.edit.port_text import end_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import element_at, element_of
from ovgather.ir.text import Edit
from ovgather.ir.writer import Pieces

_WHY = "the constant stands elsewhere"


class Moved:
    """Constants on their way to another ``.bin``, which has each of them once."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._places: dict[tuple[int, int], int] = {}

    def put(self, blob: Constant, data: memoryview) -> int:
        """The offset of the constant in the new file."""
        place = (blob.offset, blob.size)
        if place not in self._places:
            self._places[place] = self._pieces.put(data)
        return self._places[place]


def raw_layer(model: Model, layer: Layer, moved: Moved) -> bytes:
    """The text of ``layer``, with the constants in it and in its bodies ``moved``; they must be in the weights."""
    data = model.source.data
    end = end_of(element_of(model.source, layer))
    text = Patched(data[layer.offset : end])
    text.apply([edit for inner in _inside(layer) for edit in _edits(model, inner, moved, layer.offset)])
    return text.text


def _inside(layer: Layer) -> Iterator[Layer]:
    """The layer and all in its bodies."""
    yield layer
    for body in layer.bodies:
        for graph in body.graphs():
            yield from graph.layers


def _edits(model: Model, layer: Layer, moved: Moved, start: int) -> list[Edit]:
    blob = constant(layer, model.weights)
    if blob is None:
        return []
    data = blob.data
    if data is None:
        where = f"{model.weights.size} bytes" if model.weights is not None else "none at all"
        raise InvalidModelError(
            f"{model.path}: constant {layer.name!r} is bytes {blob.offset} to {blob.offset + blob.size} of the .bin,"
            f" which has {where}"
        )
    written = element_of(model.source, layer).first("data")
    assert written is not None  # the constant was read from there
    begin, end = written.attribute_span("offset")
    return [Edit(begin - start, end - begin, str(moved.put(blob, data)).encode(), _WHY)]


def net_information(model: Model) -> bytes:
    """The ``<rt_info>`` of the net, if it follows the edges directly; else empty."""
    data = model.source.data
    after = data.rfind(b"</edges>")
    start = data.find(b"<rt_info", after)
    if after < 0 or data[after + len(b"</edges>") : start].strip():
        return b""
    return data[start : end_of(element_at(model.source, start))]
