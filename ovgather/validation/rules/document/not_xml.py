"""What: an unclosed tag, an attribute without quotes or given twice, a bare ``&`` or ``<``, text around the root.
Why: other tools reject the file. OpenVINO's own parser accepts some of these silently and may use another part of the
text than intended (of two equal attributes, the first).
OpenVINO: depends on the defect; the finding says which. ovgather does not read elements nested deeper than 10,000:
OpenVINO's serializer needs space that grows with the square of the depth.
Bad::
    <data axis=1 />
Good::
    <data axis="1" />
"""

import re
from collections.abc import Iterator
from functools import partial

from ovgather.ir.positions import ATTRIBUTE
from ovgather.ir.text import Edit
from ovgather.validation.checked import Counted
from ovgather.validation.context import Diagnostic, File, Fix, Problem, Rule

RULE = Rule(
    "OVG002",
    "text that is not well-formed XML",
    "error",
    "rejects accepts",
    "safe",
    needs="problems model.source.edits",
)
_STRICT = "the reader stops here"
_LAX = "takes it: its parser is more lenient than XML allows"
_ESCAPES = {b"&": b"&amp;", b"<": b"&lt;", b">": b"&gt;"}
_REFERENCE = re.compile(rb"&[^\s;<>\"'&]*;")


def check(file: File) -> Iterator[Diagnostic | Counted]:
    for problem in file.problems.get("xml", ()):
        span = (problem.offset, problem.offset + 1)
        if not file.model.source.original.strip():
            message = "the file is empty"
        else:
            message = f"malformed XML: {problem.value}"
        fix = partial(_missing_quote, file, problem)
        other = problem.subject
        if other:
            which = "opening" if int(other) < problem.offset else "end"
            related = [(f"the {which} tag", file.span_at(int(other)))]
        else:
            related = []
        yield file.report(RULE, message, span, effect=_STRICT, fix=fix, related=related)
    for problem in file.problems.get("depth", ()):
        message = f"elements nested deeper than {problem.value} are not read"
        yield file.report(
            RULE,
            message,
            (problem.offset, problem.offset + 1),
            None,
            "accepts",
            "reads any depth",
        )
    if "not-ir" in file.problems:
        return  # repairs of a file of another kind mean nothing
    edits = [edit for edit in file.model.source.edits if edit.kind in ("lax", "strict")]
    for index, edit in enumerate(edits):
        if (
            file.counted and file.suppressions is None
        ):  # one byte is enough for one of these
            yield Counted(RULE.code, "error", len(edits) - index)
            return
        if edit.kind == "lax":
            verdict = "accepts"
            effect = _LAX
        else:
            verdict = "rejects"
            effect = _STRICT
        span = (edit.start, edit.start + max(edit.removed, 1))
        fix = partial(_fix, file, edit)
        yield file.report(
            RULE,
            f"malformed XML: {edit.what}",
            span,
            None,
            verdict,
            effect,
            original=True,
            fix=fix,
        )


def _fix(file: File, edit: Edit) -> Fix | None:
    """The repair itself, where it keeps all that OpenVINO reads; the meaning of a reference is not known."""
    original = file.model.source.original
    removed = original[edit.start : edit.start + edit.removed]
    escape = _ESCAPES.get(removed[:1], b"\0")
    escaped = edit.inserted == len(removed) * escape and not _REFERENCE.match(
        original, edit.start
    )
    quoted = (
        bool(removed) and edit.inserted[:1] == b'"' and edit.inserted[1:-1] in removed
    )
    second = not edit.inserted and ATTRIBUTE.fullmatch(removed) is not None
    if second:
        what = "the second of two attributes is dropped, as OpenVINO does"
    else:
        what = f"repaired: {edit.what}"
    if escaped or quoted or second:
        return Fix((edit,), what)
    return None


def _missing_quote(file: File, problem: Problem) -> Fix | None:
    from ovgather.ir.repair.explain import missing_quote

    source = file.model.source
    if (missing := missing_quote(source.data, problem.offset)) is None:
        return None
    edit = Edit(source.to_original(missing[0]), 0, missing[1], "a quote is missing")
    return Fix((edit,), "the missing quote is there")
