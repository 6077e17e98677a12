"""What an exporter runs after it wrote a model: errors of the file, and what OpenVINO does with it."""

from __future__ import annotations

import os
import sys
from typing import Literal

import ovgather


def worst(findings: ovgather.Findings) -> Literal["error", "warning", "note", "clean"]:
    for severity in ("error", "warning", "note"):
        if any(finding.severity == severity for finding in findings):
            return severity
    return "clean"


def check(
    path: str | os.PathLike[str], weights: bytes | None = None
) -> tuple[str, list[str]]:
    """The gravest severity, and a line for each finding that an exporter can do something about."""
    findings = ovgather.validate(
        path, weights, ignore=["OVG9"], config={"severity": {"OVG205": "error"}}
    )
    lines = [
        f"{finding.place} {finding.code} {finding.message}" for finding in findings
    ]
    lines += [
        f"  fix: {finding.remedy.what}"
        for finding in findings
        if finding.remedy is not None
    ]
    verdict = findings.verdict
    if verdict.openvino in ("rejects", "crashes"):
        lines.append(f"OpenVINO {verdict.openvino}: {verdict.reason}")
    return worst(findings), lines


def mended(path: str) -> tuple[bytes, list[str]]:
    fixed: ovgather.Fixed = ovgather.fix(path)
    return fixed.data, [each.what for each in fixed.fixes]


def help_on(code: str) -> str:
    page = ovgather.explain(code)
    if isinstance(page, ovgather.Topic):
        return page.title
    return page.nearest


def main(paths: list[str]) -> int:
    failed = 0
    for checked in ovgather.validate_files(paths):
        failed += any(each.severity == "error" for each in checked.diagnostics)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
