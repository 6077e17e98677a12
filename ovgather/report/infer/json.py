"""Inferred shapes for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.ops.inference import Inference
from ovgather.report.validate.json import dumps, layer_json
from ovgather.verbs.infer import Inferred, InferredFile, Typed


def render(results: Iterable[InferredFile], color: bool = False, why: bool = False) -> str:
    """All files, as one JSON document."""
    files = []
    for file in results:
        stops = [layer_json(layer) for layer in file.stops]
        more = _present(error=file.error, not_followed=stops, openvino_error=file.openvino)
        files.append({"path": file.path, "layers": [_layer(item, why) for item in file.layers], **more})
    return dumps({"version": 1, "files": files})


def _layer(item: Inferred, why: bool) -> dict[str, Any]:
    comparison = dict(zip(("shape", "comparison"), item.openvino or (), strict=False))
    return {
        **layer_json(item.layer),
        "inputs": [_tensor(tensor) for _, tensor in item.inputs],
        "axis": item.axis,
        "axis_source": item.axis_source,
        "output": _tensor(item.output) if item.output is not None else None,
        "declared": item.declared,
        "status": item.status,
        **_present(error=item.error, axis_note=item.axis_note, behind=item.behind, updated=item.updated),
        **_present(openvino=comparison),
        **(_why(item.inference) if why else {}),
    }


def _present(**optional: object) -> dict[str, Any]:
    return {name: value for name, value in optional.items() if value}


def _why(inference: Inference | None) -> dict[str, Any]:
    if inference is None:
        return {"reasons": []}
    origins = [
        {"kind": origin.kind, "sources": [source._asdict() for source in origin.sources], "note": origin.note}
        for origin in inference.origins
    ]
    conditions = {"equalities": list(inference.equalities), "constraints": list(inference.constraints)}
    return {"reasons": list(inference.reasons), "origins": origins, **conditions}


def _tensor(tensor: Typed) -> dict[str, Any]:
    source = "declared" if tensor.is_declared else None
    more = _present(named=tensor.named, source=source)
    return {"shape": tensor.shape, "element_type": tensor.element_type, **more}
