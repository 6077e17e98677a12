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
    """The XML and the weights of a model of the layer, with its attributes as written, and a Result ``RESULT``."""
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
    bytes_at = "" if feed.value is None else f' offset="{offset}" size="{len(feed.value)}"'
    data = f'<data element_type="{feed.element_type.name}" shape="{shape}"{bytes_at}/>'
    kind = "Parameter" if feed.value is None else "Const"
    return layer(number, feed.name, kind, "opset1", f"{data}<output>{_port(0, feed)}</output>")


def _port(number: int, feed: Input) -> str:
    dims = "".join(f"<dim>{dim}</dim>" for dim in feed.dims)
    return f'<port id="{number}" precision="{feed.element_type.port}">{dims}</port>'
