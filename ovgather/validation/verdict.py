"""Findings -> verdict: whether OpenVINO reads and compiles a file, and what of it is not checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ovgather.layers.reference import called
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS, Verdict

_WEIGHTS = "OVG008"


def verdict_of(file: File, findings: Iterable[Diagnostic]) -> Verdict:
    """The verdict of a file with all its findings, reported or not."""
    findings = list(findings)
    findings += [each for finding in findings for each in finding.consequences]
    findings = [finding for finding in findings if finding.stage != "run"]
    unchecked = dict(sorted(file.forward.unchecked.items()))
    if file.model.snippet:
        return Verdict(reason="it is a layer on its own", unchecked=unchecked)
    certain = [each for each in findings if each.stage == "load" and _is_sure(each)]
    refusal = refusal_among(certain, unchecked)
    if refusal is not None:
        return refusal
    if any(finding.code == _WEIGHTS for finding in findings):
        return Verdict(unchecked=unchecked)  # the finding says it
    if unchecked:
        return Verdict(reason="", unchecked=unchecked)
    open_finding = next(
        (
            each
            for each in findings
            if each.stage == "chance" or each.openvino == "undefined"
        ),
        None,
    )
    if open_finding is not None:
        return Verdict(
            reason=open_finding.message, line=open_finding.line, unchecked=unchecked
        )
    return Verdict("accepts", unchecked=unchecked)


def refusal_among(
    findings: Iterable[Diagnostic], unchecked: Mapping[str, int]
) -> Verdict | None:
    """The verdict by the first of the worst ``findings``; None: none says that OpenVINO refuses the file."""
    refusals = [each for each in findings if each.openvino in REFUSALS]
    if not refusals:
        return None
    worst = min(refusals, key=lambda each: REFUSALS.index(each.openvino))
    layer = ""
    if worst.layer is not None:
        layer = called(worst.layer)
    return Verdict(worst.openvino, worst.message, layer, worst.line, unchecked)  # type: ignore[arg-type]


def _is_sure(finding: Diagnostic) -> bool:
    """Whether the finding is about the file, and not about weights that somebody may still put beside it."""
    return finding.code != _WEIGHTS or finding.severity == "error"
