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

import re
from collections.abc import Iterator
from functools import partial

from ovgather.ir.graph import Problem
from ovgather.ir.positions import ATTRIBUTE
from ovgather.ir.text import Edit
from ovgather.validation.checked import Counted
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic, Fix

CODE = "OVG002"
TITLE = "text that is not well-formed XML"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "accepts")
_STRICT = "the reader stops here"
_LAX = "takes it: its parser is laxer than XML"
_ESCAPES = (b"&amp;", b"&lt;", b"&gt;")
_REFERENCE = re.compile(rb"&[^\s;<>\"'&]*;")


def check(file: File) -> Iterator[Diagnostic | Counted]:
    """What stopped the parser, and what had to be repaired to get past."""
    for problem in file.problems.get("xml", ()):
        span = (problem.offset, problem.offset + 1)
        what = "the file is empty" if not file.model.source.original.strip() else f"not XML: {problem.value}"
        fix = partial(_missing_quote, file, problem)
        yield file.report(CODE, "error", what, span, openvino="rejects", effect=_STRICT, fix=fix)
    for problem in file.problems.get("depth", ()):
        span = (problem.offset, problem.offset + 1)
        message = f"elements nested deeper than {problem.value} are not read"
        yield file.report(CODE, "error", message, span, openvino="accepts", effect="reads any depth")
    if "not-ir" in file.problems:
        return  # what was repaired on the way tells nothing of a file of another kind
    edits = (edit for edit in file.model.source.edits if edit.kind in ("lax", "strict"))
    for edit in edits:
        if file.counting and file.suppressions is None:  # one byte is enough for one of these
            yield Counted(CODE, "error", 1 + sum(1 for _ in edits))
            return
        verdict, effect = ("accepts", _LAX) if edit.kind == "lax" else ("rejects", _STRICT)
        place = edit.start, edit.start + max(edit.removed, 1)
        what, fix = f"not XML: {edit.what}", partial(_fix, file, edit)
        yield file.report(CODE, "error", what, openvino=verdict, effect=effect, original=place, fix=fix)


def _fix(file: File, edit: Edit) -> Fix | None:
    """The repair itself, where it keeps all that OpenVINO reads; what a reference was meant to say is not known."""
    original = file.model.source.original
    removed = original[edit.start : edit.start + edit.removed]
    escaped = edit.inserted in _ESCAPES and not _REFERENCE.match(original, edit.start)
    quoted = bool(removed) and edit.inserted == b'"' + removed + b'"'
    second = not edit.inserted and ATTRIBUTE.fullmatch(removed) is not None
    what = "the second of two attributes is dropped, as OpenVINO does" if second else f"repaired: {edit.what}"
    return Fix((edit,), what) if escaped or quoted or second else None


def _missing_quote(file: File, problem: Problem) -> Fix | None:
    from ovgather.ir.repair.quotes import missing_quote

    source = file.model.source
    found = missing_quote(source.data, problem.offset)
    if found is None:
        return None
    at, quote = found
    return Fix((Edit(source.to_original(at), 0, quote, "a quote is missing"),), "the missing quote is there")
