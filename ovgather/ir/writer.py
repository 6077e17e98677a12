"""Writing of IR files, layer by layer."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy

from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.packing import pack
from ovgather.tensor.shape import PartialShape

_UNQUOTED = re.compile("[^ !#-%'-;=?-~]")  # what stands for itself in no attribute
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Output = tuple[int, int]  # the id of the layer and of the port


class WrittenTensor(NamedTuple):
    element_type: ElementType
    shape: PartialShape


class Flow(NamedTuple):
    """An output, and the tensor that flows out of it."""

    output: Output
    tensor: WrittenTensor


Data = Mapping[str, str]


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

    ``next`` is the id of the layer that comes next.

    >>> from ovgather.tensor.element_type import find
    >>> writer = Writer("m")
    >>> tensor = WrittenTensor(find("f32"), PartialShape.of([2]))
    >>> writer.result("out", writer.parameter("data", tensor))
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
        self.next = first

    @property
    def text(self) -> bytes:
        return b"\n".join(
            [
                self._head,
                b"\t<layers>",
                *self.layers,
                b"\t</layers>",
                b"\t<edges>",
                *self.edges,
                b"\t</edges>",
                *filter(None, [self.information]),
                b"</net>",
                b"",
            ]
        )

    @property
    def weights(self) -> bytes:
        return b"".join(self.pieces.views)

    def parameter(self, name: str, tensor: WrittenTensor, names: str = "") -> Flow:
        """A Parameter; ``names`` is the attribute of its port."""
        if tensor.shape.dims is None:
            shape = "..."
        else:
            shape = str(tensor.shape)[1:-1]
        data = {"element_type": tensor.element_type.name, "shape": shape}
        return self.layer(name, "Parameter", "opset1", data, [], tensor, names)

    def const(self, name: str, kind: ElementType, array: Array) -> Flow:
        value = pack(kind, array)
        tensor = WrittenTensor(kind, PartialShape.of(array.shape))
        data = {"element_type": kind.name, "shape": str(tensor.shape)[1:-1]}
        data |= {"offset": str(self.pieces.put(value)), "size": str(len(value))}
        return self.layer(name, "Const", "opset1", data, [], tensor)

    def number(self, name: str, kind: ElementType, value: int, rank: int = 0) -> Flow:
        """A Const of one element, cut to the bits of its type."""
        array = numpy.full([1] * rank, value).astype(kind.dtype)
        return self.const(name, kind, array)

    def layer(
        self,
        name: str,
        type: str,
        version: str,
        data: Data,
        inputs: Sequence[Flow],
        output: WrittenTensor,
        names: str = "",
    ) -> Flow:
        """A layer with one output, whose port has the attribute ``names``."""
        outputs = f"<output>{port_text(len(inputs), output, names)}</output>"
        number = self._layer(name, type, version, data, inputs, outputs)
        return Flow((number, len(inputs)), output)

    def result(self, name: str, source: Flow) -> None:
        self._layer(name, "Result", "opset1", {}, [source], "")

    def _layer(
        self,
        name: str,
        type: str,
        version: str,
        data: Data,
        inputs: Sequence[Flow],
        outputs: str,
    ) -> int:
        """The id of a layer with these inputs."""
        number = self.next
        self.next += 1
        for position, (source, _) in enumerate(inputs):
            self.edge(source, (number, position))
        attributes = "".join(f" {key}={quote(value)}" for key, value in data.items())
        if data:
            inside = f"<data{attributes}/>"
        else:
            inside = ""
        if inputs:
            inside += f"<input>{''.join(port_text(port, tensor) for port, (_, tensor) in enumerate(inputs))}</input>"
        head = f'<layer id="{number}" name={quote(name)} type={quote(type)} version={quote(version)}>'
        self.raw(f"{head}{inside}{outputs}</layer>".encode())
        return number

    def raw(self, layer: bytes) -> None:
        self.layers.append(b"\t\t" + layer)

    def edge(self, source: Output, target: Output) -> None:
        start = f'from-layer="{source[0]}" from-port="{source[1]}"'
        self.edges.append(
            f'\t\t<edge {start} to-layer="{target[0]}" to-port="{target[1]}"/>'.encode()
        )


def quote(text: str) -> str:
    """``text`` as a quoted attribute value; line ends and tabs survive, other control characters are escaped."""
    if not _UNQUOTED.search(text):
        return f'"{text}"'
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
