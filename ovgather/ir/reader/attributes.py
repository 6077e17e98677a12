"""The attributes of a ``<layer>`` that are not just the four that it must have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ovgather.ir.graph import Layer
    from ovgather.ir.reader.reader import Reader

_REQUIRED = ("id", "name", "type", "version")
_KNOWN = frozenset((*_REQUIRED, "output_names", "precision"))


def check(reader: Reader, layer: Layer, attributes: dict[str, str]) -> None:
    """File the attributes that are missing, an id that is none, and those that no reader looks for there."""
    if not reader.model.snippet:
        for required in _REQUIRED:
            if required not in attributes:
                reader.problem("layer-attribute", required, layer=layer)
        if "id" in attributes and layer.id < 0:
            reader.problem("layer-id", "id", attributes["id"], layer)
    for name, value in attributes.items() if len(attributes) > len(_REQUIRED) else ():
        if name not in _KNOWN:
            reader.problem("layer-extra", name, value, layer)
