"""The slow way through one ``<port>``: whatever is not a plain list of dims is parsed again, with a parser of
its own."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

from ovgather.ir.numbers import read_dim
from ovgather.ir.reader import rt_info
from ovgather.ir.reader.pieces import pieces, release

if TYPE_CHECKING:
    from ovgather.ir.reader.reader import Reader


class _Done(Exception):
    """The port's end was reached."""


class _PortReader:
    def __init__(self, reader: Reader, offset: int) -> None:
        self.reader = reader
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
        layer = self.reader.layer
        if depth > self.reader.max_depth:
            self.reader.too_deep()
        if depth == 2:
            self.text = []
            self.begin = self.at()
            if name not in ("dim", "rt_info"):
                self.reader.problem("unknown-element", name, "port", layer, self.begin)
        elif depth == 3 and self.path[1] == "rt_info" and name == "attribute":
            rt_info.check(self.reader, attributes, self.seen, layer, "port", self.at())

    def characters(self, text: str) -> None:
        if len(self.path) == 2:
            self.text.append(text)
        elif len(self.path) == 1 and (said := text.strip(" \t\r\n")) and self.reader.text_handler:
            from ovgather.ir.reader.reader import place_of

            offset = place_of(said, self.reader.data, self.at())
            self.reader.problem("text", "text", said, self.reader.layer, offset)

    def end(self, name: str) -> None:
        if len(self.path) == 2 and name == "dim":
            text = "".join(self.text)
            value, exact = read_dim(text)
            if not exact:
                self.reader.problem("dim", "dim", text, self.reader.layer, self.begin)
            self.dims.append(value)
        self.path.pop()
        if not self.path:
            self.ended = self.at()
            raise _Done


def read_port(reader: Reader, offset: int) -> tuple[tuple[int, ...], int]:
    """The dims of the port that starts at byte ``offset``, and where its end is; what is wrong inside is filed."""
    port = _PortReader(reader, offset)
    try:
        for piece in pieces(reader.data, offset):
            port.parser.Parse(piece, False)
        port.parser.Parse(b"", True)
    except _Done:
        pass
    finally:
        release(port.parser)
    return tuple(port.dims), port.ended
