"""What: ``ovgather validate --with-openvino`` let OpenVINO load the file. OpenVINO rejected it, died or did not answer,
and no other finding explains why.

Why: the file may have a defect that ovgather does not know. If another finding explains the failure, that finding shows
OpenVINO's message instead. The finding points to the offset, layer or node that the message names, or else to the
``<net>``.

OpenVINO: stops at the first problem, so there may be more.

Bad::

    a file that OpenVINO refuses and that has no finding

Good::

    a file that OpenVINO loads
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ir.graph import Layer
from ovgather.ir.positions import Span
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Diagnostic

if TYPE_CHECKING:
    from ovgather.runtimes.load import Complaint

CODE = "OVG900"
TITLE = "OpenVINO message that no rule explains"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "rejects_on_compile", "crashes", "undefined")


def check(file: File) -> Findings:
    """Nothing: OpenVINO has to be asked."""
    yield from ()


def finding(file: File, complaint: Complaint, span: Span, layer: Layer | None) -> Diagnostic:
    """The finding that tells of ``complaint`` at ``span``."""
    said = complaint.message
    message = f"OpenVINO rejects the file in {complaint.stage}: {said}" if complaint.verdict == "rejects" else said
    # What it says is so, whether the layer leads to a Result or not.
    found = file.report(CODE, "error", message, span, layer=layer, openvino="accepts")
    found.openvino = complaint.openvino
    return found
