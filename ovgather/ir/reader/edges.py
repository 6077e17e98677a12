"""The handlers for what stands in ``<edges>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ir.graph import Edge

if TYPE_CHECKING:
    from ovgather.ir.reader.state import State


class EdgeReader:
    """Reads edges for ``state``; ``inside`` tells that one is open."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.inside = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        state = self.state
        if self.inside:
            state.problem("unknown-element", name, "edge")
            state.skip()
            return
        get = state.ids.known.get
        offset = state.at()
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
            state.graph.edges.append(edge)
        else:
            state.problem("unknown-element", name, "edges")
            state.skip()

    def _unusual(self, attributes: dict[str, str], offset: int) -> Edge:
        state, values = self.state, []
        for name in ("from-layer", "from-port", "to-layer", "to-port"):
            text = attributes.get(name)
            value = None if text is None else state.ids.read(text)
            if value is None or text in state.ids.odd:
                kind = "edge-attribute" if value is None else "edge-attribute-odd"
                state.problem(kind, name, text or "", state.graph.parent)
            values.append(-1 if value is None else value)
        return Edge(values[0], values[1], values[2], values[3], offset)
