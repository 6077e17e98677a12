"""The handlers for what stands in ``<input>`` and ``<output>``: the ports of a layer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from ovgather.ir.graph import Port
from ovgather.ir.reader.port import read_port

if TYPE_CHECKING:
    from ovgather.ir.reader.state import State

_INPUT_KEPT = 1 << 13
_PLAIN_DIMS = re.compile(rb"(?:\s*<dim>(?:-1|[0-9]{1,18})</dim>)*\s*")
_PLAIN_DIM = re.compile(rb"<dim>([^<]+)</dim>")


class SideReader:
    """Reads the ports of one side of a layer after the other for ``state``, by way of its ``parser``."""

    parser: expat.XMLParserType

    def __init__(self, state: State) -> None:
        self.state = state
        self.ports: dict[tuple[int, str | None, tuple[int, ...]], Port] = {}
        self.side: list[Port] = []
        self.offset = 0
        self.end = 0
        self.end_dims: tuple[int, ...] = ()
        self.dims: dict[bytes, tuple[int, ...]] = {}
        self.inputs: dict[bytes, list[Port]] = {}
        self.input_text = b""
        self.problems_before = 0
        self.id = -1
        self.precision: str | None = None

    def start_input(self) -> None:
        """An ``<input>`` was opened."""
        # Inputs repeat, to the byte, far more often than they differ: a text seen before is not read again.
        begin, data = self.state.at(), self.state.data
        text = data[begin : max(begin, data.find(b"</input>", begin, begin + _INPUT_KEPT))]
        known = self.inputs.get(text)
        if known is not None:
            self.side = known
            self.parser.StartElementHandler = self.parser.CharacterDataHandler = None
        else:
            self.side = []
            self.input_text = text if _may_repeat(text) else b""
            self.problems_before = len(self.state.model.problems)
            self.parser.StartElementHandler = self.start_port
        self.parser.EndElementHandler = self.end_side

    def start_output(self) -> None:
        """An ``<output>`` was opened."""
        self.side = []
        self.parser.StartElementHandler = self.start_port
        self.parser.EndElementHandler = self.end_side

    def start_port(self, name: str, attributes: dict[str, str]) -> None:
        state = self.state
        if name != "port":
            state.problem("unknown-element", name, "input or output", state.layer)
            state.skip()
            return
        text = attributes.get("id")
        value = state.ids.read(text) if text is not None else None
        if value is None:
            value = -1
            if not (state.model.snippet and text is None):
                state.problem("port-id", "" if text is None else "id", text or "", state.layer)
        elif text in state.ids.odd:
            state.problem("port-id-odd", "id", text or "", state.layer)
        self.id = value
        self.precision = attributes.get("precision")
        self.offset = self.end = state.at()
        self.parser.StartElementHandler = self.parser.CharacterDataHandler = None
        self.parser.EndElementHandler = self.end_port

    def end_port(self, name: str) -> None:
        if name != "port":
            return
        end = self.state.at()
        if end < self.end:
            return  # of a <port> within this one
        if end == self.end > self.offset:
            dims = self.end_dims
        else:
            # Ports repeat, to the byte: what stands inside is parsed once for each distinct text.
            data = self.state.data
            begin = data.find(b">", self.offset) + 1
            inside = data[begin:end]
            known = self.dims.get(inside) if end == self.offset or data.startswith(b"</", end) else None
            dims = self.read_dims(inside, end) if known is None else known
            if end < self.end:
                self.end_dims = dims
                return
        key = (self.id, self.precision, dims)
        port = self.ports.get(key)
        if port is None:
            port = self.ports[key] = Port(self.id, self.precision, dims)
        self.side.append(port)
        self.parser.CharacterDataHandler = self.state.text_handler
        self.parser.StartElementHandler = self.start_port
        self.parser.EndElementHandler = self.end_side

    def read_dims(self, inside: bytes, end: int) -> tuple[int, ...]:
        if _PLAIN_DIMS.fullmatch(inside) and (end == self.offset or self.state.data.startswith(b"</", end)):
            dims = tuple([int(text) for text in _PLAIN_DIM.findall(inside)])
            self.dims[inside] = dims
            return dims
        dims, self.end = read_port(self.state, self.offset)
        return dims

    def end_side(self, name: str) -> None:
        signature = self.state.layer.signature
        if name == "input":
            signature.inputs = tuple(self.side)
            if self.input_text and len(self.state.model.problems) == self.problems_before:
                self.inputs[self.input_text] = self.side
            self.input_text = b""
        elif name == "output":
            signature.outputs = tuple(self.side)
        else:
            return
        self.state.in_layer()


def _may_repeat(text: bytes) -> bool:
    """Whether the text of an ``<input>`` is all there is of it, so that it means the same wherever it comes again."""
    return text.count(b"<input") == 1 and b"<output" not in text and b"<!" not in text and b"<?" not in text
