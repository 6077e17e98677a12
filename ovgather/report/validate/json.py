"""Findings for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable

from ovgather.report.json_text import JsonObject, Members, fields
from ovgather.validation.checked import Checked, Totals, by_code
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic


def document(results: Iterable[Checked]) -> Members:
    totals = Totals()
    return Members(
        version=1,
        files=map(_file, totals.over(results)),
        summary=lambda: summary(totals),
    )


def summary(totals: Totals) -> dict[str, int]:
    return {
        "files": totals.files,
        **{f"{severity}s": totals.number(severity) for severity in SEVERITIES},
    }


def _file(checked: Checked) -> JsonObject:
    return {
        **fields(checked, "path ir_version layers gather_layers"),
        "openvino": checked.verdict.openvino,
        "unchecked": dict(checked.verdict.unchecked),
        **({"onnx": checked.onnx._asdict()} if checked.onnx is not None else {}),
        "diagnostics": [_diagnostic(finding) for finding in checked.diagnostics],
        **({"more": by_code(checked.more)} if checked.more else {}),
    }


def _diagnostic(finding: Diagnostic) -> JsonObject:
    more: JsonObject = {}
    if (remedy := finding.remedy) is not None:
        edits = [replacement._asdict() for replacement in remedy.replacements]
        more["fix"] = {"message": remedy.what, "safe": remedy.safe, "edits": edits}
    if finding.hypothesis:
        more["hypothesis"] = finding.hypothesis
    if finding.considered:
        more["considered"] = [considered._asdict() for considered in finding.considered]
    if finding.runtimes:
        more["runtimes"] = [behaviour._asdict() for behaviour in finding.runtimes]
    if finding.openvino_message:
        more["openvino_message"] = finding.openvino_message
    return {
        **fields(finding, "code severity message"),
        **{
            name: number or None
            for name, number in fields(
                finding, "line column end_line end_column"
            ).items()
        },
        "layer": finding.layer._asdict() if finding.layer is not None else None,
        **fields(finding, "openvino help"),
        "related": [related._asdict() for related in finding.related],
        **more,
    }
