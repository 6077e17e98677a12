"""text that is not well-formed XML (OVG002)

What: a tag that is not closed, an attribute without quotes or given twice, a bare ``&`` or ``<``, text
around the root.

Why: other tools refuse the file. OpenVINO's own parser is lax: it takes some of these without a word and
may keep another part of the text than was meant (of two equal attributes, the first).

OpenVINO: depends on the defect; the finding says which. Elements nested deeper than 10,000 are not read
here at all: OpenVINO's serializer needs space with the square of the depth.

Bad::

    <data axis=1 />

Good::

    <data axis="1" />
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.diagnostics import Diagnostic
from ovgather.rules._file import File

CODE = "OVG002"
TITLE = "text that is not well-formed XML"
_STRICT = "the reader stops here"
_LAX = "takes it: its parser is laxer than XML"


def check(file: File) -> Iterator[Diagnostic]:
    """What stopped the parser, and what had to be mended to get past."""
    for problem in file.problems.get("xml", ()):
        span = (problem.offset, problem.offset + 1)
        what = "the file is empty" if not file.model.source.original.strip() else f"not XML: {problem.value}"
        yield file.report(CODE, "error", what, span, openvino="rejects", effect=_STRICT)
    for problem in file.problems.get("depth", ()):
        span = (problem.offset, problem.offset + 1)
        message = f"elements nested deeper than {problem.value} are not read"
        yield file.report(CODE, "error", message, span, openvino="accepts", effect="reads any depth")
    if "not-ir" in file.problems:
        return  # what was mended on the way tells nothing of a file of another kind
    for edit in file.model.source.edits:
        if edit.kind not in ("lax", "strict"):
            continue
        source = file.model.source
        lax = edit.kind == "lax"
        found = file.report(CODE, "error", f"not XML: {edit.what}", openvino="accepts" if lax else "rejects")
        found.line, found.column = source.original_position(edit.start)
        found.end_line, found.end_column = source.original_position(edit.start + max(edit.removed, 1))
        found.effect = _LAX if lax else _STRICT
        found.source = source
        yield found
