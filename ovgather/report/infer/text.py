"""Inferred shapes for people: one line a layer, and where the dims come from."""

from collections.abc import Iterable, Sequence

from ovgather.layers.reference import LayerReference, called
from ovgather.text import count, layer_words, paint, printable
from ovgather.verbs.infer import Inferred, InferredFile, Typed

_STYLES = {"match": "good", "refines": "good", "mismatch": "error", "unknown": "warning"}
_WORDS = {
    "match": "as declared",
    "refines": "says more than the declared {}",
    "mismatch": "but declared {}",
    "unknown": "declared {}: more than the inputs tell",
}

_MOST_STOPS = 5


def render(results: Iterable[InferredFile], color: bool = False, why: bool = False) -> str:
    """All files; with ``why`` a line for each output dim."""
    lines: list[str] = []
    for file in results:
        error = f"{paint('error', 'error', color)}: {printable(file.error)}" if file.error else ""
        lines.append(f"{printable(file.path)}: {error or count(len(file.layers), 'Gather layer')}")
        for layer in file.layers:
            lines += _layer(layer, color, why)
        if file.stops:
            lines.append(f"  not followed: {_stops(file.stops)}")
        if file.openvino:
            lines.append(f"  OpenVINO gives no shapes: {paint('error', 'error', color)}: {printable(file.openvino)}")
    return "\n".join(lines) + "\n"


def _layer(item: Inferred, color: bool, why: bool) -> list[str]:
    layer = item.layer
    head = called(layer, item.operation)
    inputs = [f"{name} {_typed(tensor)}" for name, tensor in item.inputs]
    if item.has_axis:
        inputs.append(_axis(item))
    if item.batch_dims:
        inputs.append(f"batch_dims {item.batch_dims}")
    lines = [f"  {head}", f"    {', '.join(inputs)}"] if inputs else [f"  {head}"]
    if item.output is None:
        lines.append(f"    {paint(item.status, _STYLES[item.status], color)}: {printable(item.error or 'no output')}")
        return lines
    declared = " (declared)" if item.output.is_declared else ""
    lines.append(f"    -> {_typed(item.output)}{declared}  {_verdict(item, color)}")
    if item.behind:
        lines.append(f"       behind {printable(item.behind)}, which is not followed")
    if item.openvino:
        lines.append(f"       OpenVINO: {_openvino(item.openvino, color)}")
    if why and item.inference is not None:
        lines += [f"       {printable(reason)}" for reason in item.inference.reasons]
        conditions = [*item.inference.equalities, *item.inference.constraints]
        lines += [f"       relies on {printable(', '.join(conditions))}"] if conditions else []
    return lines


def _axis(item: Inferred) -> str:
    axis = f"axis {'?' if item.axis is None else item.axis}"
    if item.axis is None:
        return f"{axis} (not known{f': {printable(item.axis_note)}' if item.axis_note else ''})"
    return axis if item.axis_source in ("attribute", "const") else f"{axis} (from the {item.axis_source})"


def _verdict(item: Inferred, color: bool) -> str:
    if item.updated and item.status != "match" and item.declared:
        return f"{paint('updated', 'good', color)}: was declared {item.declared}"
    if item.output is not None and item.output.is_declared:
        return f"{paint(item.status, _STYLES[item.status], color)}: the declared shape, which an axis that fits gives"
    words = "no output is declared" if item.declared is None else _WORDS[item.status].format(item.declared)
    return f"{paint(item.status, _STYLES[item.status], color)}: {words}"


def _openvino(beside: tuple[str, str], color: bool) -> str:
    shape, comparison = beside
    if comparison == "equal":
        return "the same"
    style = "error" if comparison == "different" else "warning"
    return f"{shape}, ours is {paint(comparison, style, color)}"


def _stops(stops: Sequence[LayerReference]) -> str:
    names = ", ".join(layer_words(layer.type, layer.name, layer.id, layer.body) for layer in stops[:_MOST_STOPS])
    return f"{names} and {len(stops) - _MOST_STOPS} more" if len(stops) > _MOST_STOPS else names


def _typed(tensor: Typed) -> str:
    shape = printable(tensor.named or tensor.shape)
    return f"{shape} {tensor.element_type}" if tensor.element_type else shape
