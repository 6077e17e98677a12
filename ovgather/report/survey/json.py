"""A zoo for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.report.survey._summary import Summary
from ovgather.report.validate.json import Members, layer_json, stream
from ovgather.verbs.survey import SurveyedFile, SurveyedLayer


def pieces(results: Iterable[SurveyedFile], color: bool = False) -> Iterator[str]:
    """All files and the sums, as one JSON document."""
    summary = Summary()
    yield from stream(Members(version=1, files=map(_file, summary.over(results)), summary=lambda: _sums(summary)))
    yield "\n"


def _file(file: SurveyedFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "error": file.error,
        "ir_version": file.ir_version,
        "layers": file.layer_count,
        "weights": file.weights if file.error is None else None,
        "gather_layers": [_layer(layer) for layer in file.layers],
        "hazards": [hazard._asdict() for hazard in file.hazards],
    }


def _layer(surveyed: SurveyedLayer) -> dict[str, Any]:
    return {
        **layer_json(surveyed.layer),
        "operation": surveyed.operation,
        "inputs": [
            {"shape": shape, "element_type": name} for shape, name in zip(surveyed.shapes, surveyed.types, strict=False)
        ],
        "axis": surveyed.axis,
        "batch_dims": surveyed.batch_dims,
        "static": surveyed.is_static,
        "indices": surveyed.indices,
        "key": surveyed.key,
    }


def _sums(summary: Summary) -> dict[str, Any]:
    return {
        "files": summary.files,
        "unreadable": summary.unreadable,
        "layers": summary.layers,
        "gather_layers": summary.gathers,
        "distinct": len(summary.distinct),
        **{kind: dict(numbers.most_common()) for kind, numbers in summary.kinds.items()},
        "hazards": [
            {"code": code, "openvino": openvino, "releases": releases, "files": files}
            for (code, openvino, releases), files in sorted(summary.hazards.items())
        ],
    }
