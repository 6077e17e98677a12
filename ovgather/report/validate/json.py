"""Findings for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.layers.reference import LayerReference
from ovgather.report.json_text import Members
from ovgather.report.json_text import pieces as json_pieces
from ovgather.validation.checked import Checked, Totals, by_code
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic, Remedy


def pieces(results: Iterable[Checked], color: bool = False) -> Iterator[str]:
    """All files and a summary, as one JSON document."""
    totals = Totals()

    def summary() -> dict[str, int]:
        return {"files": totals.files, **{f"{severity}s": totals.severities[severity] for severity in SEVERITIES}}

    yield from json_pieces(Members(version=1, files=map(_file, totals.over(results)), summary=summary))
    yield "\n"


def _file(checked: Checked) -> dict[str, Any]:
    more = {"more": by_code(checked.more)} if checked.more else {}
    return {
        "path": checked.path,
        "ir_version": checked.ir_version,
        "layers": checked.layers,
        "gather_layers": checked.gather_layers,
        "diagnostics": [_diagnostic(finding) for finding in checked.diagnostics],
        **more,
    }


def _diagnostic(finding: Diagnostic) -> dict[str, Any]:
    remedy = finding.remedy
    more: dict[str, Any] = {"fix": _fix(remedy)} if remedy is not None else {}
    if finding.openvino_message:
        more["openvino_message"] = finding.openvino_message
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "line": finding.line or None,
        "column": finding.column or None,
        "end_line": finding.end_line or None,
        "end_column": finding.end_column or None,
        "layer": layer_json(finding.layer) if finding.layer is not None else None,
        "openvino": finding.openvino,
        "help": finding.help,
        "related": [related._asdict() for related in finding.related],
        **more,
    }


def _fix(remedy: Remedy) -> dict[str, Any]:
    return {
        "message": remedy.what,
        "safe": remedy.safe,
        "edits": [replacement._asdict() for replacement in remedy.replacements],
    }


def layer_json(layer: LayerReference) -> dict[str, Any]:
    """A layer as every JSON output names it."""
    return {**layer._asdict(), "body": list(layer.body)}
