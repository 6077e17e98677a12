"""Findings for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ovgather.layers.reference import LayerReference
from ovgather.validation.checked import Checked, by_code
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic

_NOT_PLAIN = re.compile(r"[^\n -~]")


def render(results: Iterable[Checked], color: bool = False) -> str:
    """All files and a summary, as one JSON document."""
    files = list(results)
    document = {
        "version": 1,
        "files": [_file(checked) for checked in files],
        "summary": summary(files),
    }
    return dumps(document)


def summary(files: Sequence[Checked]) -> dict[str, int]:
    """How many files and findings there are."""
    counts = {f"{severity}s": sum(checked.number(severity) for checked in files) for severity in SEVERITIES}
    return {"files": len(files), **counts}


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
    more: dict[str, Any] = {}
    if remedy is not None:
        edits = [replacement._asdict() for replacement in remedy.replacements]
        more["fix"] = {"message": remedy.what, "safe": remedy.safe, "edits": edits}
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


def layer_json(layer: LayerReference) -> dict[str, Any]:
    """A layer as every JSON output names it."""
    return {**layer._asdict(), "body": list(layer.body)}


def dumps(document: Any) -> str:
    """``document`` as JSON text with a newline at its end; NaN is refused. Unprintable characters are escaped."""
    return _NOT_PLAIN.sub(_escaped, json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"
