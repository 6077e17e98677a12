"""What: a suppression comment (``<!-- ovgather: ignore CODES reason -->``) gives no reason, names no existing rule, or
stands neither in nor before a layer or an edge; or it suppresses nothing (a note).
Why: without a reason nobody can judge later whether the suppression is still right, so it has no effect. A comment that
suppresses nothing would hide the next finding, or it stands in the wrong position.
OpenVINO: ignores comments.
Bad::
    <!-- ovgather: ignore OVG203 -->
Good::
    <!-- ovgather: ignore OVG203 the converter declares the dims of an older export -->
"""

from collections.abc import Callable
from functools import partial

from ovgather.ir.positions import Span
from ovgather.text import did_you_mean
from ovgather.validation.context import Diagnostic, File, Findings, Rule
from ovgather.validation.selection.codes import known_codes, prefixes_of, unknown_code

RULE = Rule("OVG012", "suppression", "warning note", "accepts", needs="suppressions")
_OPENVINO_MESSAGE = "OVG900"
_DIRECTIVES = ("ignore", "ignore-file")
_FORM = (
    "write <!-- ovgather: ignore OVG203 reason -->, or ignore-file for the whole file"
)


def check(file: File) -> Findings:
    if file.suppressions is None:
        return
    codes = known_codes()
    prefixes = prefixes_of(codes)
    for comment in file.suppressions.comments:
        if comment.directive not in _DIRECTIVES:
            yield _finding(
                file,
                partial(_unknown_directive, comment.directive),
                comment.span,
                _FORM,
            )
            continue
        if not comment.codes:
            yield _finding(file, "the suppression names no code", comment.span, _FORM)
            continue
        for code in comment.codes:
            if code.text.upper() not in prefixes:
                yield _finding(file, partial(unknown_code, code.text, codes), code.span)
        if not comment.reason:
            message = "the suppression gives no reason, so it has no effect"
            yield _finding(file, message, comment.span, "say why, after the codes")
        elif comment.scope is None:
            message = "the suppression is neither in a layer nor before a layer or an edge: it has no effect"
            yield _finding(file, message, comment.span, "move it, or write ignore-file")


def unused(file: File, ran: Callable[[str], bool]) -> Findings:
    """A note on every code of a comment that suppresses nothing; ``ran`` says whether a rule ran at all."""
    if file.suppressions is None:
        return
    codes = known_codes()
    # OpenVINO's own message is not known yet.
    skipped = [code for code in codes if code == _OPENVINO_MESSAGE or not ran(code)]
    judged = prefixes_of(codes) - prefixes_of(skipped)
    for comment, code in file.suppressions.unused():
        if code.text.upper() in judged:
            if comment.directive == "ignore-file":
                scope = "in the file"
            else:
                scope = "here"
            message = f"the suppression suppresses nothing: no {code.text} {scope}"
            yield _finding(file, message, code.span, "take it out", "note")


def _unknown_directive(directive: str) -> str:
    return f"`ovgather: {directive}` is not a directive of ovgather{did_you_mean(directive, _DIRECTIVES)}"


def _finding(
    file: File,
    message: str | Callable[[], str],
    span: Span,
    help: str | None = None,
    severity: str = "warning",
) -> Diagnostic:
    return file.report(
        RULE, message, span, effect="ignores comments", severity=severity, help=help
    )
