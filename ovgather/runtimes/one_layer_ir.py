"""One layer cut out of a model, as an IR of its own: Parameters, the axis as a Const, the layer, a Result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from ovgather.tensor.element_type import ElementType

RESULT = "out"


class Input(NamedTuple):
    """What feeds an input: a Parameter of ``dims`` (-1: dynamic), or a Const if it has ``value``."""

    name: str
    element_type: ElementType
    dims: Sequence[int]
    value: bytes | None = None


def one_layer(
    name: str, type: str, version: str, attributes: Mapping[str, str], inputs: Sequence[Input]
) -> tuple[bytes, bytes]:
    """The XML and the weights of a model that is nothing but the layer; its Result is called ``RESULT``.

    The layer keeps its name, its opset and its attributes, unknown ones included, as they are written.
    """
    layers, weights = [], b""
    for number, feed in enumerate(inputs):
        layers.append(_source(number, feed, len(weights)))
        weights += feed.value or b""
    count = len(inputs)
    data = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    ports = "".join(_port(number, feed) for number, feed in enumerate(inputs))
    output = _port(count, inputs[0]._replace(dims=()))
    inside = f"<data{data}/><input>{ports}</input><output>{output}</output>"
    layers.append(layer(count, name, type, version, inside))
    layers.append(result(count + 1, RESULT))
    edges = [edge(number, 0, count, number) for number in range(count)]
    edges.append(edge(count, count, count + 1, 0))
    parts = ['<?xml version="1.0"?>', '<net name="one_layer" version="11">']
    parts += ["<layers>", *layers, "</layers>", "<edges>", *edges, "</edges>", "</net>", ""]
    return "\n".join(parts).encode(), weights


def layer(number: int, name: str, type: str, version: str, inside: str) -> str:
    """One ``<layer>``."""
    quoted = [quoteattr(text) for text in (name, type, version)]
    return '<layer id="{}" name={} type={} version={}>{}</layer>'.format(number, *quoted, inside)


def result(number: int, name: str) -> str:
    """A Result layer, whose input is port 0."""
    return layer(number, name, "Result", "opset1", '<input><port id="0"/></input>')


def edge(from_layer: int, from_port: int, to_layer: int, to_port: int) -> str:
    """One ``<edge>``."""
    start = f'from-layer="{from_layer}" from-port="{from_port}"'
    return f'<edge {start} to-layer="{to_layer}" to-port="{to_port}"/>'


def _source(number: int, feed: Input, offset: int) -> str:
    shape = ",".join("?" if dim < 0 else str(dim) for dim in feed.dims)
    data = f'element_type="{feed.element_type.name}" shape="{shape}"'
    kind = "Parameter"
    if feed.value is not None:
        kind = "Const"
        data += f' offset="{offset}" size="{len(feed.value)}"'
    inside = f"<data {data}/><output>{_port(0, feed)}</output>"
    return layer(number, feed.name, kind, "opset1", inside)


def _port(number: int, feed: Input) -> str:
    dims = "".join(f"<dim>{dim}</dim>" for dim in feed.dims)
    return f'<port id="{number}" precision="{feed.element_type.port}">{dims}</port>'
