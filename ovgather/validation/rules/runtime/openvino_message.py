"""What: ``ovgather validate --with-openvino`` let OpenVINO load the file. OpenVINO rejected it, died or did not answer,
and no other finding explains why.
Why: the file may have a defect that ovgather does not know. If another finding explains the failure, that finding shows
OpenVINO's message instead. It points to the offset, layer or node that the message names, or to ``<net>``.
OpenVINO: stops at the first problem, so there may be more.
Bad::
    a file that OpenVINO refuses and that has no finding
Good::
    a file that OpenVINO loads
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.validation.context import Diagnostic, File, Findings, Layer, Place, Rule

if TYPE_CHECKING:
    from ovgather.runtimes.load import Complaint

RULE = Rule(
    "OVG900",
    "OpenVINO message that no rule explains",
    "error",
    "rejects rejects_on_compile crashes undefined",
)


def check(file: File) -> Findings:
    yield from ()  # `finding` makes the findings when OpenVINO has answered


def finding(
    file: File, complaint: Complaint, span: Place, layer: Layer | None
) -> Diagnostic:
    message = complaint.message
    if complaint.verdict == "rejects":
        message = f"OpenVINO rejects the file in {complaint.stage}: {message}"
    diagnostic = file.report(RULE, message, span, layer, "accepts")
    # Also for a layer that leads to no Result: `report` would change it.
    diagnostic.openvino = complaint.openvino
    return diagnostic
