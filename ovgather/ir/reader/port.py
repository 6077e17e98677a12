"""The slow way through one ``<port>``: whatever is not a plain list of dims is parsed again, with a parser of
its own."""

from __future__ import annotations

from xml.parsers import expat

from ovgather.ir.numbers import read_dim
from ovgather.ir.pieces import pieces, release
from ovgather.ir.reader import rt_info
from ovgather.ir.reader.state import MAX_DEPTH, State


class _Done(Exception):
    """The port's end was reached."""


class _PortReader:
    def __init__(self, state: State, offset: int) -> None:
        self.state = state
        self.offset = offset
        self.path: list[str] = []
        self.text: list[str] = []
        self.dims: list[int] = []
        self.seen: set[str] = set()
        self.ended = offset
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters

    def at(self) -> int:
        return self.offset + self.parser.CurrentByteIndex

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        depth = len(self.path)
        layer = self.state.layer
        if depth > MAX_DEPTH:
            self.state.too_deep()
        if depth == 2:
            self.text = []
            self.begin = self.at()
            if name not in ("dim", "rt_info"):
                self.state.problem("unknown-element", name, "port", layer, self.begin)
        elif depth == 3 and self.path[1] == "rt_info" and name == "attribute":
            rt_info.check(self.state, attributes, self.seen, layer, "port", self.at())

    def characters(self, text: str) -> None:
        if len(self.path) == 2:
            self.text.append(text)
        elif len(self.path) == 1 and self.state.text_handler:
            self.state.characters(text, self.state.layer, self.at())

    def end(self, name: str) -> None:
        if len(self.path) == 2 and name == "dim":
            text = "".join(self.text)
            value, exact = read_dim(text)
            if not exact:
                self.state.problem("dim", "dim", text, self.state.layer, self.begin)
            self.dims.append(value)
        self.path.pop()
        if not self.path:
            self.ended = self.at()
            raise _Done


def read_port(state: State, offset: int) -> tuple[tuple[int, ...], int]:
    """The dims of the port that starts at byte ``offset``, and where its end is; what is wrong inside is filed."""
    port = _PortReader(state, offset)
    try:
        for piece in pieces(state.data, offset):
            port.parser.Parse(piece, False)
        port.parser.Parse(b"", True)
    except _Done:
        pass
    finally:
        release(port.parser)
    return tuple(port.dims), port.ended
