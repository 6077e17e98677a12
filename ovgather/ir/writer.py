"""IR files made layer by layer: what the reader reads, the other way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from ovgather.element_type import ElementType
from ovgather.shape import PartialShape

Output = tuple[int, int]
"""An output: the id of its layer and that of its port."""


class Tensor(NamedTuple):
    """What flows: an element type and a shape."""

    element_type: ElementType
    shape: PartialShape


class Writer:
    """Layers and edges as they are added, numbered from 0; ``text`` and ``weights`` are the two files.

    >>> from ovgather.element_type import find
    >>> writer = Writer("m")
    >>> tensor = Tensor(find("f32"), PartialShape.of([2]))
    >>> data = writer.parameter("data", tensor)
    >>> writer.result("out", data, tensor)
    >>> from ovgather import validate
    >>> validate(writer.text, writer.weights)
    []
    """

    def __init__(self, name: str, version: int = 11) -> None:
        self._head = f'<?xml version="1.0"?>\n<net name={quote(name)} version="{version}">'
        self._layers: list[str] = []
        self._edges: list[str] = []
        self._weights: list[bytes] = []
        self._size = 0

    @property
    def text(self) -> bytes:
        """The XML."""
        parts = [self._head, "<layers>", *self._layers, "</layers>", "<edges>", *self._edges, "</edges>", "</net>", ""]
        return "\n".join(parts).encode()

    @property
    def weights(self) -> bytes:
        """The ``.bin``."""
        return b"".join(self._weights)

    def parameter(self, name: str, tensor: Tensor) -> Output:
        """A Parameter."""
        shape = "..." if tensor.shape.dims is None else str(tensor.shape)[1:-1]
        return self.layer(name, "Parameter", "opset1", _declared(tensor, shape), [], tensor)

    def const(self, name: str, tensor: Tensor, value: bytes) -> Output:
        """A Const of a static shape."""
        data = {**_declared(tensor, str(tensor.shape)[1:-1]), "offset": str(self._size), "size": str(len(value))}
        self._weights.append(value)
        self._size += len(value)
        return self.layer(name, "Const", "opset1", data, [], tensor)

    def layer(
        self,
        name: str,
        type: str,
        version: str,
        data: Mapping[str, str],
        inputs: Sequence[tuple[Output, Tensor]],
        output: Tensor | None,
    ) -> Output:
        """A layer of one output or none; ``inputs``: where each comes from, and what flows there."""
        number, count = len(self._layers), len(inputs)
        self._edges += [edge(source, (number, port)) for port, (source, _) in enumerate(inputs)]
        attributes = "".join(f" {key}={quote(value)}" for key, value in data.items())
        inside = f"<data{attributes}/>" if data else ""
        if inputs:
            inside += f"<input>{''.join(_port(port, tensor) for port, (_, tensor) in enumerate(inputs))}</input>"
        if output is not None:
            inside += f"<output>{_port(count, output)}</output>"
        head = f'<layer id="{number}" name={quote(name)} type={quote(type)} version={quote(version)}>'
        self._layers.append(f"{head}{inside}</layer>")
        return number, count

    def result(self, name: str, source: Output, tensor: Tensor) -> None:
        """A Result."""
        self.layer(name, "Result", "opset1", {}, [(source, tensor)], None)


def edge(source: Output, target: Output) -> str:
    """An ``<edge>``."""
    start = f'from-layer="{source[0]}" from-port="{source[1]}"'
    return f'<edge {start} to-layer="{target[0]}" to-port="{target[1]}"/>'


def quote(text: str) -> str:
    """``text`` as the value of an attribute, quotes included; line ends and tabs survive.

    >>> print(quote("a<b>" + chr(10)))
    "a&lt;b&gt;&#10;"
    """
    return quoteattr(text, {"\r": "&#13;"})


def _declared(tensor: Tensor, shape: str) -> dict[str, str]:
    return {"element_type": tensor.element_type.name, "shape": shape}


def _port(number: int, tensor: Tensor) -> str:
    dims = "".join(f"<dim>{dim.min if dim.is_static else -1}</dim>" for dim in tensor.shape.dims or ())
    return f'<port id="{number}" precision="{tensor.element_type.port}">{dims}</port>'
