"""A layer by what a user calls it."""

from __future__ import annotations

from difflib import get_close_matches

from ovgather.errors import ArgumentError, InvalidModelError, shown
from ovgather.ir.model import Layer, Model


def find(model: Model, reference: str) -> Layer:
    """See ``Model.find``."""
    if not isinstance(reference, str):
        raise ArgumentError(f"layer must be the name or id of a layer, as text, not {shown(reference)}")
    found = [layer for layer in model.layers() if reference in _spellings(layer)]
    if len(found) == 1:
        return found[0]
    exact = [layer for layer in found if not layer.body]
    if len(exact) == 1:
        return exact[0]
    if not found:
        raise InvalidModelError(
            f"{model.path}: no layer with the name or id {shown(reference)}{_nearest(model, reference)}"
        )
    listed = ", ".join(repr("/".join((*layer.body, f"#{layer.id}"))) for layer in found[:5])
    more = ", ..." if len(found) > 5 else ""
    raise InvalidModelError(
        f"{model.path}: {len(found)} layers answer to {shown(reference)}: say one of {listed}{more}"
    )


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


def _nearest(model: Model, reference: str) -> str:
    names = list({layer.name for layer in model.layers()})[:20_000]
    close = get_close_matches(reference, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
