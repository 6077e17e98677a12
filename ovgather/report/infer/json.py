"""Inferred shapes for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ovgather.report.json_text import dumps
from ovgather.report.validate.json import layer_json
from ovgather.verbs.infer import Inferred, InferredFile, Typed

if TYPE_CHECKING:
    from ovgather.ops.inference import Inference


def render(results: Iterable[InferredFile], color: bool = False, why: bool = False) -> str:
    """All files, as one JSON document."""
    files = []
    for file in results:
        entry: dict[str, Any] = {"path": file.path, "layers": [_layer(item, why) for item in file.layers]}
        if file.error:
            entry["error"] = file.error
        if file.stops:
            entry["not_followed"] = [layer_json(layer) for layer in file.stops]
        if file.openvino:
            entry["openvino_error"] = file.openvino
        files.append(entry)
    return dumps({"version": 1, "files": files})


def _layer(item: Inferred, why: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        **layer_json(item.layer),
        "inputs": [_tensor(tensor) for _, tensor in item.inputs],
        "axis": item.axis,
        "axis_source": item.axis_source,
        "output": _tensor(item.output) if item.output is not None else None,
        "declared": item.declared,
        "status": item.status,
    }
    if item.error:
        entry["error"] = item.error
    if item.axis_note:
        entry["axis_note"] = item.axis_note
    if item.behind:
        entry["behind"] = item.behind
    if item.updated:
        entry["updated"] = True
    if item.openvino:
        entry["openvino"] = dict(zip(("shape", "comparison"), item.openvino, strict=True))
    if why:
        entry |= _why(item.inference)
    return entry


def _why(inference: Inference | None) -> dict[str, Any]:
    if inference is None:
        return {"reasons": []}
    origins = [
        {"kind": origin.kind, "sources": [source._asdict() for source in origin.sources], "note": origin.note}
        for origin in inference.origins
    ]
    relied = {"equalities": list(inference.equalities), "constraints": list(inference.constraints)}
    return {"reasons": list(inference.reasons), "origins": origins, **relied}


def _tensor(tensor: Typed) -> dict[str, Any]:
    more = {"named": tensor.named} if tensor.named else {}
    if tensor.is_declared:
        more["source"] = "declared"
    return {"shape": tensor.shape, "element_type": tensor.element_type, **more}
