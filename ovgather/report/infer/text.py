"""Inferred shapes for people: one line a layer, and where the dims come from."""

from collections.abc import Iterable, Iterator, Sequence

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


def lines(results: Iterable[InferredFile], color: bool = False, why: bool = False) -> Iterator[str]:
    """All files; with ``why`` a line for each output dim."""
    error = paint("error", "error", color)
    for file in results:
        words = f"{error}: {printable(file.error)}" if file.error else count(len(file.layers), "Gather layer")
        yield f"{printable(file.path)}: {words}"
        for layer in file.layers:
            yield from _layer(layer, color, why)
        if file.stops:
            yield f"  not followed: {_stops(file.stops)}"
        if file.openvino:
            yield f"  OpenVINO gives no shapes: {error}: {printable(file.openvino)}"


def _layer(item: Inferred, color: bool, why: bool) -> Iterator[str]:
    yield f"  {called(item.layer, item.operation)}"
    inputs = [f"{name} {_typed(tensor)}" for name, tensor in item.inputs]
    inputs += [_axis(item)] if item.has_axis else []
    inputs += [f"batch_dims {item.batch_dims}"] if item.batch_dims else []
    if inputs:
        yield f"    {', '.join(inputs)}"
    if item.output is None:
        yield f"    {paint(item.status, _STYLES[item.status], color)}: {printable(item.error or 'no output')}"
        return
    declared = " (declared)" if item.output.is_declared else ""
    yield f"    -> {_typed(item.output)}{declared}  {_verdict(item, item.output, color)}"
    if item.behind:
        yield f"       behind {printable(item.behind)}, which is not followed"
    if item.openvino:
        yield f"       OpenVINO: {_openvino(*item.openvino, color)}"
    if why and item.inference is not None:
        yield from (f"       {printable(reason)}" for reason in item.inference.reasons)
        conditions = [*item.inference.equalities, *item.inference.constraints]
        if conditions:
            yield f"       relies on {printable(', '.join(conditions))}"


def _axis(item: Inferred) -> str:
    axis = f"axis {'?' if item.axis is None else item.axis}"
    if item.axis is None:
        return f"{axis} (not known{f': {printable(item.axis_note)}' if item.axis_note else ''})"
    return axis if item.axis_source in ("attribute", "const") else f"{axis} (from the {item.axis_source})"


def _verdict(item: Inferred, output: Typed, color: bool) -> str:
    if item.updated and item.status != "match" and item.declared:
        return f"{paint('updated', 'good', color)}: was declared {item.declared}"
    words = "no output is declared" if item.declared is None else _WORDS[item.status].format(item.declared)
    words = "the declared shape, which an axis that fits gives" if output.is_declared else words
    return f"{paint(item.status, _STYLES[item.status], color)}: {words}"


def _openvino(shape: str, comparison: str, color: bool) -> str:
    style = "error" if comparison == "different" else "warning"
    return "the same" if comparison == "equal" else f"{shape}, ours is {paint(comparison, style, color)}"


def _stops(stops: Sequence[LayerReference]) -> str:
    names = ", ".join(layer_words(layer.type, layer.name, layer.id, layer.body) for layer in stops[:_MOST_STOPS])
    return f"{names} and {len(stops) - _MOST_STOPS} more" if len(stops) > _MOST_STOPS else names


def _typed(tensor: Typed) -> str:
    shape = printable(tensor.named or tensor.shape)
    return f"{shape} {tensor.element_type}" if tensor.element_type else shape
