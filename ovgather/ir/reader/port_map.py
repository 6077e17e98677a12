"""How a layer with bodies ties its ports to them: ``<port_map>`` and ``<back_edges>``, recorded as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ir.graph import Mapping

if TYPE_CHECKING:
    from ovgather.ir.reader.reader import Reader

_PORTS = frozenset({"input", "output"})
ENTRIES = {
    "port_map": _PORTS,
    "then_port_map": _PORTS,
    "else_port_map": _PORTS,
    "back_edges": frozenset({"edge"}),
}
"""The elements that hold entries, and what these are called."""


def read(reader: Reader, around: str) -> None:
    """Go through the element ``around`` just opened; whatever is no entry is a problem."""
    entries = reader.model.mappings.setdefault(reader.layer.offset, [])

    def start(name: str, attributes: dict[str, str]) -> None:
        if name in ENTRIES[around]:
            entries.append(Mapping(around, name, attributes, reader.at()))
        else:
            reader.problem("unknown-element", name, around, reader.layer)
        reader.skip()

    def end(name: str) -> None:
        reader.in_layer()

    reader.parser.StartElementHandler = start
    reader.parser.EndElementHandler = end
