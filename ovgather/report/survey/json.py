"""A zoo for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.report.json_text import Members, fields
from ovgather.report.survey.text import Summary
from ovgather.verbs.survey import SurveyedFile, SurveyedLayer


def document(results: Iterable[SurveyedFile]) -> Members:
    summary = Summary()
    return Members(version=1, files=map(_file, summary.over(results)), summary=lambda: _sums(summary))


def _file(file: SurveyedFile) -> dict[str, Any]:
    return {
        **fields(file, "path error ir_version"),
        "layers": file.layer_count,
        "weights": file.weights if file.error is None else None,
        "gather_layers": [_layer(layer) for layer in file.layers],
        "hazards": [hazard._asdict() for hazard in file.hazards],
    }


def _layer(surveyed: SurveyedLayer) -> dict[str, Any]:
    inputs = zip(surveyed.shapes, surveyed.types, strict=False)
    return {
        **surveyed.layer._asdict(),
        "operation": surveyed.operation,
        "inputs": [{"shape": shape, "element_type": name} for shape, name in inputs],
        **fields(surveyed, "axis batch_dims"),
        "static": surveyed.is_static,
        **fields(surveyed, "indices key"),
    }


def _sums(summary: Summary) -> dict[str, Any]:
    return {
        **fields(summary, "files unreadable layers"),
        "gather_layers": summary.gathers,
        "distinct": len(summary.distinct),
        **{kind: dict(numbers.most_common()) for kind, numbers in summary.kinds.items()},
        "hazards": [{**danger._asdict(), "files": files} for danger, files in sorted(summary.hazards.items())],
    }
