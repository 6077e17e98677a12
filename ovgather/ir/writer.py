"""IR files made layer by layer: what the reader reads, the other way round."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Output = tuple[int, int]
"""An output: the id of its layer and that of its port."""


class Tensor(NamedTuple):
    """An element type and a shape."""

    element_type: ElementType
    shape: PartialShape


class Pieces:
    """The bytes of a new ``.bin`` in pieces, since a model may have gigabytes."""

    def __init__(self) -> None:
        self.views: list[memoryview] = []
        self.size = 0

    def put(self, data: bytes | memoryview) -> int:
        """The offset at which ``data`` is written."""
        start = self.size
        self.views.append(memoryview(data))
        self.size += len(data)
        return start


class Writer:
    """Layers and edges as they are added; ``text`` and ``weights`` are the two files.

    Args:
        name, version: of the net.
        first: the id of the first layer; the others follow.

    >>> from ovgather.tensor.element_type import find
    >>> writer = Writer("m")
    >>> tensor = Tensor(find("f32"), PartialShape.of([2]))
    >>> writer.result("out", writer.parameter("data", tensor), tensor)
    >>> from ovgather import validate
    >>> validate(writer.text, writer.weights)
    []
    """

    def __init__(self, name: str, version: int = 11, first: int = 0) -> None:
        self.pieces = Pieces()
        self.information = b""
        self._head = f'<?xml version="1.0"?>\n<net name={quote(name)} version="{version}">'.encode()
        self._layers: list[bytes] = []
        self._edges: list[bytes] = []
        self._next = first

    @property
    def text(self) -> bytes:
        parts = [self._head, b"\t<layers>", *self._layers, b"\t</layers>", b"\t<edges>", *self._edges, b"\t</edges>"]
        return b"\n".join([*parts, *filter(None, [self.information]), b"</net>", b""])

    @property
    def weights(self) -> bytes:
        return b"".join(self.pieces.views)

    def parameter(self, name: str, tensor: Tensor, names: str = "") -> Output:
        """A Parameter; ``names`` is the attribute of its port."""
        shape = "..." if tensor.shape.dims is None else str(tensor.shape)[1:-1]
        return self.layer(name, "Parameter", "opset1", _declared(tensor, shape), [], tensor, names)

    def const(self, name: str, tensor: Tensor, value: bytes) -> Output:
        """A Const of a static shape."""
        place = {"offset": str(self.pieces.put(value)), "size": str(len(value))}
        data = {**_declared(tensor, str(tensor.shape)[1:-1]), **place}
        return self.layer(name, "Const", "opset1", data, [], tensor)

    def layer(
        self,
        name: str,
        type: str,
        version: str,
        data: Mapping[str, str],
        inputs: Sequence[tuple[Output, Tensor]],
        output: Tensor | None,
        names: str = "",
    ) -> Output:
        """A layer with one output or none; ``inputs`` are sources with their tensors."""
        number, count = self._next, len(inputs)
        self._next += 1
        for place, (source, _) in enumerate(inputs):
            self.edge(source, (number, place))
        attributes = "".join(f" {key}={quote(value)}" for key, value in data.items())
        inside = f"<data{attributes}/>" if data else ""
        if inputs:
            inside += f"<input>{''.join(_port(place, tensor) for place, (_, tensor) in enumerate(inputs))}</input>"
        if output is not None:
            inside += f"<output>{_port(count, output, names)}</output>"
        head = f'<layer id="{number}" name={quote(name)} type={quote(type)} version={quote(version)}>'
        self.raw(f"{head}{inside}</layer>".encode())
        return number, count

    def result(self, name: str, source: Output, tensor: Tensor) -> None:
        self.layer(name, "Result", "opset1", {}, [(source, tensor)], None)

    def raw(self, layer: bytes) -> None:
        self._layers.append(b"\t\t" + layer)

    def edge(self, source: Output, target: Output) -> None:
        start = f'from-layer="{source[0]}" from-port="{source[1]}"'
        self._edges.append(f'\t\t<edge {start} to-layer="{target[0]}" to-port="{target[1]}"/>'.encode())


def quote(text: str) -> str:
    """``text`` as a quoted attribute value; line ends and tabs survive, other control characters are escaped."""
    return quoteattr(_NO_XML.sub(_spelt, text), {"\r": "&#13;"})


def _spelt(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _declared(tensor: Tensor, shape: str) -> dict[str, str]:
    return {"element_type": tensor.element_type.name, "shape": shape}


def _port(number: int, tensor: Tensor, names: str = "") -> str:
    dims = "".join(f"<dim>{dim.min if dim.is_static else -1}</dim>" for dim in tensor.shape.dims or ())
    called = f" names={quote(names)}" if names else ""
    return f'<port id="{number}" precision="{tensor.element_type.port}"{called}>{dims}</port>'
