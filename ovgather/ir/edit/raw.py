"""The text of layers, with their constants moved to another ``.bin``."""

from ovgather.errors import InvalidModelError
from ovgather.ir.constants import constant
from ovgather.ir.edit.edits import Patched
from ovgather.ir.edit.port_text import end_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import element_at, element_of
from ovgather.ir.text import Edit
from ovgather.ir.writer import Pieces

_WHY = "the constant has another offset"


def raw_layer(model: Model, layer: Layer, pieces: Pieces) -> bytes:
    """The text of ``layer``, with the constants in it and in its bodies moved to ``pieces``."""
    data = model.source.data
    end = end_of(element_of(model.source, layer))
    text = Patched(data[layer.offset : end])
    inside = [inner for body in layer.bodies for graph in body.graphs() for inner in graph.layers]
    text.apply([edit for each in (layer, *inside) for edit in _edits(model, each, pieces, layer.offset)])
    return text.text


def _edits(model: Model, layer: Layer, pieces: Pieces, start: int) -> list[Edit]:
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
    element = element_of(model.source, layer).first("data")
    assert element is not None  # the constant was read from there
    begin, end = element.attribute_span("offset")
    return [Edit(begin - start, end - begin, str(pieces.put(data, (blob.offset, blob.size))).encode(), _WHY)]


def net_information(model: Model) -> bytes:
    """The ``<rt_info>`` of the net, if it follows the edges directly; else empty."""
    data = model.source.data
    after = data.rfind(b"</edges>")
    start = data.find(b"<rt_info", after)
    if after < 0 or data[after + len(b"</edges>") : start].strip():
        return b""
    return data[start : end_of(element_at(model.source, start))]
