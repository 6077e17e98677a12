"""The handlers for what stands in ``<edges>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ir.graph import Edge

if TYPE_CHECKING:
    from ovgather.ir.reader.reader import Reader


class EdgeReader:
    """Reads edges for ``reader``; ``inside`` tells that one is open."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.inside = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        reader = self.reader
        if self.inside:
            reader.problem("unknown-element", name, "edge")
            reader.skip()
            return
        get = reader.ids.known.get
        offset = reader.at()
        try:
            edge = Edge(
                get(attributes["from-layer"], -1),
                get(attributes["from-port"], -1),
                get(attributes["to-layer"], -1),
                get(attributes["to-port"], -1),
                offset,
            )
        except KeyError:
            edge = Edge(-1, -1, -1, -1, offset)
        if name == "edge" and -1 in edge[:4]:
            edge = self._unusual(attributes, offset)
        if name == "edge":
            self.inside = True
            reader.graph.edges.append(edge)
        else:
            reader.problem("unknown-element", name, "edges")
            reader.skip()

    def _unusual(self, attributes: dict[str, str], offset: int) -> Edge:
        reader, values = self.reader, []
        for name in ("from-layer", "from-port", "to-layer", "to-port"):
            text = attributes.get(name)
            value = None if text is None else reader.ids.read(text)
            if value is None or text in reader.ids.odd:
                kind = "edge-attribute" if value is None else "edge-attribute-odd"
                reader.problem(kind, name, text or "", reader.graph.parent)
            values.append(-1 if value is None else value)
        return Edge(values[0], values[1], values[2], values[3], offset)
