"""Inferred shapes for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable

from ovgather.ops.inference import Inference
from ovgather.report.json_text import JsonObject, fields
from ovgather.verbs.infer.records import (
    Inferred,
    InferredFile,
    RefusedLayer,
    TensorRecord,
    Typed,
)


def document(results: Iterable[InferredFile], why: bool = False) -> JsonObject:
    files = []
    for file in results:
        unchecked = [layer._asdict() for layer in file.unchecked]
        more = _present(
            error=file.error,
            unused_weights=file.unused_weights,
            unchecked=unchecked,
            openvino_error=file.openvino,
        )
        if file.refused is not None:
            more["refused"] = _refused(file.refused)
            more["blockers"] = [_refused(blocker) for blocker in file.blockers]
        if file.tensors is not None:
            more["tensors"] = [_tensor_record(record) for record in file.tensors]
        files.append(
            {
                "path": file.path,
                "layers": [_layer_json(item, why) for item in file.layers],
                **more,
            }
        )
    return {"version": 1, "files": files}


def _refused(refused: RefusedLayer) -> JsonObject:
    return {**refused._asdict(), "layer": refused.layer._asdict()}


def _layer_json(item: Inferred, why: bool) -> JsonObject:
    return {
        **item.layer._asdict(),
        "inputs": [_tensor(tensor) for _, tensor in item.inputs],
        **fields(item, "axis axis_source"),
        "output": _tensor(item.output) if item.output is not None else None,
        **fields(item, "declared status"),
        **_present(**fields(item, "error axis_note behind updated")),
        **_present(
            openvino=dict(
                zip(("shape", "comparison"), item.openvino or (), strict=False)
            )
        ),
        **({"reasons": []} if why else {}),
        **(_reasons(item.inference) if why and item.inference is not None else {}),
    }


def _tensor_record(record: TensorRecord) -> JsonObject:
    return {
        **record.layer._asdict(),
        "output": record.output,
        **_tensor(record.tensor),
        "why": record.why,
    }


def _present(**optional: object) -> JsonObject:
    return {name: value for name, value in optional.items() if value}


def _reasons(inference: Inference) -> JsonObject:
    origins = [
        {
            "kind": origin.kind,
            "sources": [source._asdict() for source in origin.sources],
            "note": origin.note,
        }
        for origin in inference.origins
    ]
    return {
        "reasons": inference.reasons,
        "origins": origins,
        **fields(inference, "equalities constraints"),
    }


def _tensor(tensor: Typed) -> JsonObject:
    more = _present(
        named=tensor.named, source="declared" if tensor.is_declared else None
    )
    return {**fields(tensor, "shape element_type"), **more}
