"""Inferred shapes for people: one line a layer, and where the dims come from."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.infer import Inferred, InferredFile, Typed
from ovgather.report._words import count, layer_words, paint, printable

_STYLES = {"match": "good", "refines": "good", "mismatch": "error", "unknown": "warning"}
_WORDS = {
    "match": "as declared",
    "refines": "says more than the declared {}",
    "mismatch": "but declared {}",
    "unknown": "declared {}: more than the inputs tell",
}


def render(results: Iterable[InferredFile], color: bool = False, why: bool = False) -> str:
    """All files; with ``why`` a line for each output dim."""
    lines: list[str] = []
    for file in results:
        lines.append(f"{printable(file.path)}: {count(len(file.layers), 'Gather layer')}")
        if file.error:
            lines[-1] = f"{printable(file.path)}: {paint('error', 'error', color)}: {printable(file.error)}"
        for layer in file.layers:
            lines += _layer(layer, color, why)
    return "\n".join(lines) + "\n"


def _layer(item: Inferred, color: bool, why: bool) -> list[str]:
    layer = item.layer
    head = layer_words(item.operation, layer.name, layer.id, layer.body)
    given = [f"{name} {_typed(tensor)}" for name, tensor in item.inputs]
    axis = f"axis {'?' if item.axis is None else item.axis}"
    if item.axis_source not in ("attribute", "const"):
        axis += f" ({'not known' if item.axis is None else 'from the ' + item.axis_source})"
    if item.has_axis:
        given.append(axis)
    if item.batch_dims:
        given.append(f"batch_dims {item.batch_dims}")
    lines = [f"  {head}", f"    {', '.join(given)}"]
    if item.output is None:
        lines.append(f"    {paint('mismatch', 'error', color)}: {printable(item.error or 'no output')}")
        return lines
    words = "no output is declared" if item.declared is None else _WORDS[item.status].format(item.declared)
    status = paint(item.status, _STYLES[item.status], color)
    lines.append(f"    -> {_typed(item.output)}  {status}: {words}")
    if why:
        lines += [f"       {reason}" for reason in item.reasons]
    return lines


def _typed(tensor: Typed) -> str:
    return f"{tensor.shape} {tensor.element_type}" if tensor.element_type else tensor.shape
