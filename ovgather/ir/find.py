"""A layer by what a user calls it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ovgather.errors import ArgumentError, InvalidModelError, shown
from ovgather.ir.graph import Layer


def find(layers: Iterable[Layer], reference: str, path: str) -> Layer:
    """See ``Model.find``; ``path`` names the file in errors."""
    if not isinstance(reference, str):
        raise ArgumentError(f"layer must be the name or id of a layer, as text, not {shown(reference)}")
    layers = list(layers)
    matches = [layer for layer in layers if reference in _spellings(layer)]
    if len(matches) == 1:
        return matches[0]
    outer = [layer for layer in matches if not layer.body]
    if len(outer) == 1:
        return outer[0]
    if not matches:
        raise InvalidModelError(f"{path}: no layer with the name or id {shown(reference)}{_nearest(layers, reference)}")
    listed = ", ".join(repr("/".join((*layer.body, f"#{layer.id}"))) for layer in matches[:5])
    more = ", ..." if len(matches) > 5 else ""
    raise InvalidModelError(f"{path}: {len(matches)} layers answer to {shown(reference)}: say one of {listed}{more}")


def _spellings(layer: Layer) -> set[str]:
    names = {layer.name, str(layer.id), f"#{layer.id}"}
    if not layer.body:
        return names
    steps: list[str] = []
    graph = layer.graph
    while graph.parent is not None:
        steps[:0] = [str(graph.parent.id), graph.kind]
        graph = graph.parent.graph
    paths = ("/".join(layer.body), "/".join(steps))
    return names | {f"{path}/{name}" for path in paths for name in names}


def _nearest(layers: list[Layer], reference: str) -> str:
    names = list({layer.name for layer in layers})[:20_000]
    close = get_close_matches(reference, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
