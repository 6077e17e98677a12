"""Findings for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.layers.reference import LayerReference
from ovgather.validation.checked import Checked, Totals, by_code
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic

_NOT_PLAIN = re.compile(r"[^\n -~]")


def pieces(results: Iterable[Checked], color: bool = False) -> Iterator[str]:
    """All files and a summary, as one JSON document."""
    totals = Totals()
    files = map(_file, totals.over(results))
    yield from stream(Members(version=1, files=files, summary=lambda: summary(totals)))
    yield "\n"


def summary(totals: Totals) -> dict[str, int]:
    """How many files and findings there are."""
    return {"files": totals.files, **{f"{severity}s": totals.number(severity) for severity in SEVERITIES}}


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


class Members(dict[str, Any]):
    """A JSON object that ``stream`` writes member by member."""


def stream(document: Any, margin: str = "\n") -> Iterator[str]:
    """What ``dumps`` makes of ``document``, piece by piece and without the last newline.

    An iterator becomes an array, item by item. A function is called when its value is written.
    """
    value = document() if callable(document) else document
    if not isinstance(value, (Members, Iterator)):
        yield dumps(value)[:-1].replace("\n", margin)
        return
    is_object = isinstance(value, Members)
    start, end = "{}" if is_object else "[]"
    mark = start
    items = value.items() if isinstance(value, Members) else (("", item) for item in value)
    for name, inner in items:
        lead = f"{mark}{margin}  {json.dumps(name)}: " if is_object else f"{mark}{margin}  "
        for piece in stream(inner, f"{margin}  "):
            yield lead + piece
            lead = ""
        mark = ","
    yield f"{margin}{end}" if mark == "," else f"{start}{end}"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"
