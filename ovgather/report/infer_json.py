"""Inferred shapes for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ovgather.infer import Inferred, InferredFile, Typed
from ovgather.report.validate_json import layer_json


def render(results: Iterable[InferredFile], color: bool = False, why: bool = False) -> str:
    """All files, as one JSON document."""
    files = []
    for file in results:
        entry: dict[str, Any] = {"path": file.path, "layers": [_layer(item, why) for item in file.layers]}
        if file.error:
            entry["error"] = file.error
        files.append(entry)
    return json.dumps({"version": 1, "files": files}, indent=2, ensure_ascii=False) + "\n"


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
    if why:
        entry["reasons"] = list(item.reasons)
    return entry


def _tensor(tensor: Typed) -> dict[str, Any]:
    return {"shape": tensor.shape, "element_type": tensor.element_type}
