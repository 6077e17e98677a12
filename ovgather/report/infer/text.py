"""Inferred shapes: one line a layer, with where the dims come from."""

from collections.abc import Iterable, Iterator

from ovgather.layers.reference import LayerReference, called
from ovgather.tensor.tensor import Basis
from ovgather.text import count, first_few, layer_words, paint, printable
from ovgather.verbs.infer.records import Inferred, InferredFile, TensorRecord, Typed

_STATUSES = {
    "match": ("good", "as declared"),
    "refines": ("good", "says more than the declared {}"),
    "mismatch": ("error", "but declared {}"),
    "unknown": ("warning", "declared {}: more than the inputs tell"),
}
_MOST_NAMED = 5


def lines(results: Iterable[InferredFile], why: bool = False) -> Iterator[str]:
    """All files; with ``why`` a line for each output dim."""
    error = paint("error", "error")
    for file in results:
        if file.error:
            words = f"{error}: {printable(file.error)}"
        else:
            words = count(len(file.layers), "Gather layer")
        yield f"{printable(file.path)}: {words}"
        if file.unused_weights:
            yield f"  {paint('warning', 'warning')}: {printable(file.unused_weights)}"
        for layer in file.layers:
            yield from _layer(layer, why)
        for record in file.tensors or ():
            yield f"  {_tensor_name(record)}: {typed(record.tensor)}{_rests_on(record)}"
        if file.unchecked:
            names = first_few([*map(_layer_words, file.unchecked)], _MOST_NAMED)
            yield f"  of types that are not checked: {names}"
        for blocker in file.blockers:
            yield f"  {error}: {called(blocker.layer)} refuses what flows in: {printable(blocker.message)}"
            if blocker.help:
                yield f"    = help: {printable(blocker.help)}"
        if file.openvino:
            yield f"  OpenVINO gives no shapes: {error}: {printable(file.openvino)}"


def _layer_words(layer: LayerReference) -> str:
    return layer_words(layer.type, layer.name, layer.id, layer.body)


def _tensor_name(record: TensorRecord) -> str:
    return f"{called(record.layer)} output {record.output}"


def _rests_on(record: TensorRecord) -> str:
    if record.basis is Basis.COMPUTED:
        return ""
    return f"  ({record.why})"


def _layer(item: Inferred, why: bool) -> Iterator[str]:
    yield f"  {called(item.layer, item.operation)}"
    inputs = [f"{name} {typed(tensor)}" for name, tensor in item.inputs]
    if item.has_axis:
        inputs += [axis_text(item)]
    if item.batch_dims:
        inputs += [f"batch_dims {item.batch_dims}"]
    if inputs:
        yield f"    {', '.join(inputs)}"
    if item.output is None:
        yield f"    {paint(item.status, _STATUSES[item.status][0])}: {printable(item.error or 'no output')}"
        return
    declared = " (declared)" if item.output.is_declared else ""
    yield f"    -> {typed(item.output)}{declared}  {_verdict(item, item.output)}"
    if item.behind:
        yield f"       behind {printable(item.behind)}, whose type is not checked"
    if item.openvino:
        shape, comparison = item.openvino
        ours = f"{shape}, ours is {paint(comparison, 'error' if comparison == 'different' else 'warning')}"
        yield f"       OpenVINO: {'the same' if comparison == 'equal' else ours}"
    if why and item.inference is not None:
        yield from (f"       {printable(reason)}" for reason in item.inference.reasons)
        conditions = [*item.inference.equalities, *item.inference.constraints]
        if conditions:
            yield f"       relies on {printable(', '.join(conditions))}"


def axis_text(item: Inferred) -> str:
    axis = f"axis {'?' if item.axis is None else item.axis}"
    if item.axis is None:
        return f"{axis} (not known{f': {printable(item.axis_note)}' if item.axis_note else ''})"
    if item.axis_source in ("attribute", "const"):
        return axis
    return f"{axis} (from the {item.axis_source})"


def _verdict(item: Inferred, output: Typed) -> str:
    if item.updated and item.status != "match" and item.declared:
        return f"{paint('updated', 'good')}: was declared {item.declared}"
    style, words = _STATUSES[item.status]
    if item.declared is None:
        words = "no output is declared"
    else:
        words = words.format(item.declared)
    if output.is_declared:
        words = "the declared shape, which an axis that fits gives"
    return f"{paint(item.status, style)}: {words}"


def typed(tensor: Typed) -> str:
    shape = printable(tensor.named or tensor.shape)
    if tensor.element_type:
        return f"{shape} {tensor.element_type}"
    return shape
