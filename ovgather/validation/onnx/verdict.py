"""Findings -> verdicts of an ONNX file: whether it is valid, and what OpenVINO and ONNX Runtime do with it."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.layers.reference import called
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS, OnnxVerdict, Verdict
from ovgather.validation.onnx.context import ONNXRUNTIME, OnnxFile
from ovgather.validation.verdict import refusal_among

_REFUSED = ("rejects", "rejects_on_run")


def verdict_of(file: OnnxFile, findings: Sequence[Diagnostic]) -> Verdict:
    """What OpenVINO does with the file."""
    if file.model.problem is not None:
        return Verdict("rejects", file.model.problem)
    unchecked = dict(sorted(file.forward.unchecked.items()))
    certain = [each for each in findings if each.stage == "load"]
    refusal = refusal_among(certain, unchecked)
    if refusal is not None:
        return refusal
    if unchecked:
        return Verdict(unchecked=unchecked)
    open_finding = next(
        (
            each
            for each in findings
            if (each.stage == "chance" and each.openvino in REFUSALS)
            or (
                each.stage == "load"
                and each.openvino == "undefined"
                and each.severity != "note"
            )
        ),
        None,
    )
    if open_finding is not None:
        return Verdict(reason=open_finding.message)
    if file.forward.fatal:
        where, why = file.forward.fatal[0]
        return Verdict(reason=f"{called(where)} {why}")
    if file.forward.open_ranks:
        return Verdict(
            reason=f"the rank of {called(file.forward.open_ranks[0])} is not known before it runs"
        )
    return Verdict("accepts")


def onnx_verdict(file: OnnxFile, findings: Sequence[Diagnostic]) -> OnnxVerdict | None:
    """What else is known of the file; None where it cannot be read."""
    if file.model.problem is not None:
        return None
    invalid = file.model.shapes.invalid
    pairs = [
        (behaviour.verdict, each)
        for each in findings
        for behaviour in each.runtimes
        if behaviour.runtime == ONNXRUNTIME
    ]
    # A note says what may happen.
    certain = [pair for pair in pairs if pair[1].severity != "note"]
    refusal = next(
        (
            (verdict, each)
            for kind in _REFUSED
            for verdict, each in certain
            if verdict == kind and not (kind == "rejects_on_run" and _is_branch(each))
        ),
        None,
    )
    differences = sum(
        "undefined" not in (verdict, each.openvino)
        and (verdict == "accepts") != (each.openvino == "accepts")
        for verdict, each in pairs
    )
    unregistered = file.unregistered
    if unregistered is not None:
        runtime = "rejects"
        reason = f"{called(unregistered)} is of a domain that ONNX Runtime does not have, and no function of the model"
    elif refusal is None and file.is_unloadable:
        runtime = "rejects"
        reason = file.model.shapes.refusal or ""
    elif refusal is None:
        runtime = "accepts" if _is_followed(file, certain) else "unknown"
        reason = ""
    else:
        runtime, finding = refusal
        reason = finding.message
        # Of no node: the finding repeats what is said of the model.
        if finding.layer is None:
            reason = file.model.shapes.refusal or reason
    return OnnxVerdict(invalid is None, invalid or "", runtime, reason, differences)


def _is_branch(finding: Diagnostic) -> bool:
    """Whether it is in a branch of an If, which may not run."""
    body = () if finding.layer is None else finding.layer.body
    return not {"then_branch", "else_branch"}.isdisjoint(body)


def _is_followed(file: OnnxFile, pairs: Sequence[tuple[str, Diagnostic]]) -> bool:
    """Whether ONNX Runtime's inference, which is that of onnx, tells all: the nodes are of onnx, and no finding says
    that something may be wrong."""
    is_certain = file.is_of_onnx and not file.forward.fatal
    return is_certain and not any(
        verdict in ("undefined", "rejects_on_run") and finding.severity == "error"
        for verdict, finding in pairs
    )
