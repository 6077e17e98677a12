"""Inferred shapes: one line a layer, with where the dims come from, and as JSON."""

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.layers.reference import LayerReference, called
from ovgather.ops.inference import Inference
from ovgather.report.json_text import fields
from ovgather.tensor.tensor import Basis
from ovgather.text import count, layer_words, paint, printable
from ovgather.verbs.infer import Inferred, InferredFile, TensorRecord, Typed

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
        for layer in file.layers:
            yield from _layer(layer, why)
        for record in file.tensors or ():
            yield f"  {_tensor_name(record)}: {_typed(record.tensor)}{_rests_on(record)}"
        if file.unchecked:
            names = [_layer_words(layer) for layer in file.unchecked[:_MOST_NAMED]]
            more = ""
            if len(file.unchecked) > _MOST_NAMED:
                more = f" and {len(file.unchecked) - _MOST_NAMED} more"
            yield f"  of types that are not checked: {', '.join(names)}{more}"
        if file.refused:
            yield f"  {error}: {called(file.refused.layer)} refuses what flows in: {printable(file.refused.message)}"
            if file.refused.help:
                yield f"    = help: {printable(file.refused.help)}"
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
    inputs = [f"{name} {_typed(tensor)}" for name, tensor in item.inputs]
    if item.has_axis:
        inputs += [_axis(item)]
    if item.batch_dims:
        inputs += [f"batch_dims {item.batch_dims}"]
    if inputs:
        yield f"    {', '.join(inputs)}"
    if item.output is None:
        yield f"    {paint(item.status, _STATUSES[item.status][0])}: {printable(item.error or 'no output')}"
        return
    declared = ""
    if item.output.is_declared:
        declared = " (declared)"
    yield f"    -> {_typed(item.output)}{declared}  {_verdict(item, item.output)}"
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


def _axis(item: Inferred) -> str:
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
    words = "the declared shape, which an axis that fits gives" if output.is_declared else words
    return f"{paint(item.status, style)}: {words}"


def _typed(tensor: Typed) -> str:
    shape = printable(tensor.named or tensor.shape)
    if tensor.element_type:
        return f"{shape} {tensor.element_type}"
    return shape


def document(results: Iterable[InferredFile], why: bool = False) -> dict[str, Any]:
    files = []
    for file in results:
        unchecked = [layer._asdict() for layer in file.unchecked]
        more = _present(error=file.error, unchecked=unchecked, openvino_error=file.openvino)
        if file.refused is not None:
            more["refused"] = {**file.refused._asdict(), "layer": file.refused.layer._asdict()}
        if file.tensors is not None:
            more["tensors"] = [_tensor_record(record) for record in file.tensors]
        files.append({"path": file.path, "layers": [_layer_json(item, why) for item in file.layers], **more})
    return {"version": 1, "files": files}


def _layer_json(item: Inferred, why: bool) -> dict[str, Any]:
    return {
        **item.layer._asdict(),
        "inputs": [_tensor(tensor) for _, tensor in item.inputs],
        **fields(item, "axis axis_source"),
        "output": _tensor(item.output) if item.output is not None else None,
        **fields(item, "declared status"),
        **_present(**fields(item, "error axis_note behind updated")),
        **_present(openvino=dict(zip(("shape", "comparison"), item.openvino or (), strict=False))),
        **({"reasons": []} if why else {}),
        **(_reasons(item.inference) if why and item.inference is not None else {}),
    }


def _tensor_record(record: TensorRecord) -> dict[str, Any]:
    return {**record.layer._asdict(), "output": record.output, **_tensor(record.tensor), "why": record.why}


def _present(**optional: object) -> dict[str, Any]:
    return {name: value for name, value in optional.items() if value}


def _reasons(inference: Inference) -> dict[str, Any]:
    origins = [
        {"kind": origin.kind, "sources": [source._asdict() for source in origin.sources], "note": origin.note}
        for origin in inference.origins
    ]
    return {"reasons": inference.reasons, "origins": origins, **fields(inference, "equalities constraints")}


def _tensor(tensor: Typed) -> dict[str, Any]:
    more = _present(named=tensor.named, source="declared" if tensor.is_declared else None)
    return {**fields(tensor, "shape element_type"), **more}
