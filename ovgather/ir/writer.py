"""Writing of IR files, layer by layer."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Output = tuple[int, int]  # the id of the layer and of the port


class WrittenTensor(NamedTuple):
    element_type: ElementType
    shape: PartialShape


Data = Mapping[str, str]
Inputs = Sequence[tuple[Output, WrittenTensor]]


class Pieces:
    """The bytes of a new ``.bin`` in pieces, since a model may have gigabytes."""

    def __init__(self) -> None:
        self.views: list[memoryview] = []
        self.size = 0
        self._offsets: dict[object, int] = {}

    def put(self, data: bytes | memoryview, key: object = None) -> int:
        """The offset of ``data``, which is written once if it has a ``key``."""
        if key in self._offsets:
            return self._offsets[key]
        start = self.size
        self.views.append(memoryview(data))
        self.size += len(data)
        if key is not None:
            self._offsets[key] = start
        return start


class Writer:
    """A net whose first layer has the id ``first``; ``text`` and ``weights`` are its files.

    >>> from ovgather.tensor.element_type import find
    >>> writer = Writer("m")
    >>> tensor = WrittenTensor(find("f32"), PartialShape.of([2]))
    >>> writer.result("out", writer.parameter("data", tensor), tensor)
    >>> from ovgather import validate
    >>> validate(writer.text, writer.weights)
    <Findings: none>
    """

    def __init__(self, name: str, version: int = 11, first: int = 0) -> None:
        self.pieces = Pieces()
        self.information = b""
        self._head = f'<?xml version="1.0"?>\n<net name={quote(name)} version="{version}">'.encode()
        self.layers: list[bytes] = []
        self.edges: list[bytes] = []
        self._next = first

    @property
    def text(self) -> bytes:
        parts = [
            self._head,
            b"\t<layers>",
            *self.layers,
            b"\t</layers>",
            b"\t<edges>",
            *self.edges,
            b"\t</edges>",
        ]
        return b"\n".join([*parts, *filter(None, [self.information]), b"</net>", b""])

    @property
    def weights(self) -> bytes:
        return b"".join(self.pieces.views)

    def parameter(self, name: str, tensor: WrittenTensor, names: str = "") -> Output:
        """A Parameter; ``names`` is the attribute of its port."""
        if tensor.shape.dims is None:
            shape = "..."
        else:
            shape = str(tensor.shape)[1:-1]
        data = {"element_type": tensor.element_type.name, "shape": shape}
        return self.layer(name, "Parameter", "opset1", data, [], tensor, names)

    def const(self, name: str, tensor: WrittenTensor, value: bytes) -> Output:
        data = {
            "element_type": tensor.element_type.name,
            "shape": str(tensor.shape)[1:-1],
        }
        data |= {"offset": str(self.pieces.put(value)), "size": str(len(value))}
        return self.layer(name, "Const", "opset1", data, [], tensor)

    def layer(
        self,
        name: str,
        type: str,
        version: str,
        data: Data,
        inputs: Inputs,
        output: WrittenTensor | None,
        names: str = "",
    ) -> Output:
        """A layer with one output or none; ``inputs`` are sources with their tensors."""
        number = self._next
        count = len(inputs)
        self._next += 1
        for position, (source, _) in enumerate(inputs):
            self.edge(source, (number, position))
        attributes = "".join(f" {key}={quote(value)}" for key, value in data.items())
        if data:
            inside = f"<data{attributes}/>"
        else:
            inside = ""
        if inputs:
            inside += f"<input>{''.join(port_text(port, tensor) for port, (_, tensor) in enumerate(inputs))}</input>"
        if output is not None:
            inside += f"<output>{port_text(count, output, names)}</output>"
        head = f'<layer id="{number}" name={quote(name)} type={quote(type)} version={quote(version)}>'
        self.raw(f"{head}{inside}</layer>".encode())
        return number, count

    def result(self, name: str, source: Output, tensor: WrittenTensor) -> None:
        self.layer(name, "Result", "opset1", {}, [(source, tensor)], None)

    def raw(self, layer: bytes) -> None:
        self.layers.append(b"\t\t" + layer)

    def edge(self, source: Output, target: Output) -> None:
        start = f'from-layer="{source[0]}" from-port="{source[1]}"'
        self.edges.append(
            f'\t\t<edge {start} to-layer="{target[0]}" to-port="{target[1]}"/>'.encode()
        )


def quote(text: str) -> str:
    """``text`` as a quoted attribute value; line ends and tabs survive, other control characters are escaped."""
    escaped = _NO_XML.sub(
        lambda match: match[0].encode("unicode_escape").decode(), text
    )
    return quoteattr(escaped, {"\r": "&#13;"})


def port_text(number: int, tensor: WrittenTensor, names: str = "") -> str:
    dims = "".join(
        f"<dim>{dim.min if dim.is_static else -1}</dim>"
        for dim in tensor.shape.dims or ()
    )
    if names:
        attribute = f" names={quote(names)}"
    else:
        attribute = ""
    return f'<port id="{number}" precision="{tensor.element_type.port}"{attribute}>{dims}</port>'
