"""runtime information that OpenVINO rejects (OVG601)

What: an ``<rt_info>`` of a layer or port holds an attribute that OpenVINO reads (``fused_names``, ``layout``,
``decompression`` and the like) twice, or a layout that is none: ``NCHW``, ``N?...`` and ``[N,C,...,width]`` are.

Why: runtime information is optional; this stops the file from being read at all.

OpenVINO: rejects it in IR v11 ("multiple rt_info attributes are detected"); does not read it in v10.

Bad::

    <rt_info><attribute name="layout" version="0" layout="[[["/></rt_info>

Good::

    <rt_info><attribute name="layout" version="0" layout="[N,C,H,W]"/></rt_info>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.rules._file import File

CODE = "OVG601"
TITLE = "runtime information that OpenVINO rejects"


def check(file: File) -> Iterator[Diagnostic]:
    """Runtime information of IR v11."""
    if file.model.ir_version == 10:
        return
    for problem in file.problems.get("rt-info-repeated", ()):
        span = file.element_at(problem.offset).attribute_span("name")
        message = f"runtime attribute `{problem.subject}` is given twice"
        yield file.report(CODE, "error", message, span, layer=problem.layer, openvino="rejects")
    for problem in file.problems.get("rt-info-layout", ()):
        span = file.element_at(problem.offset).attribute_span("layout")
        message = f"{problem.value!r} is not a layout, such as NCHW or [N,C,...,width]"
        yield file.report(CODE, "error", message, span, layer=problem.layer, openvino="rejects")
