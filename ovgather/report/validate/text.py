"""Findings for people: the line, carets under the place, what OpenVINO does, what to do."""

from collections import Counter
from collections.abc import Iterable, Iterator

from ovgather.report.finding import MissingWeights, notes, onnx_words, verdict_words
from ovgather.text import count, paint, printable, unpainted, width
from ovgather.validation.checked import Checked, Totals
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic, Related

_WIDTH = 100
_MOST_RELATED = 5


def lines(results: Iterable[Checked], fixes: bool = True) -> Iterator[str]:
    """All files, with a summary at the end; ``fixes``: tell which findings ``--fix`` can fix."""
    totals = Totals()
    missing = MissingWeights()
    kinds: Counter[str] = Counter()
    for checked, findings in missing.held_back(totals.over(results)):
        for finding in sorted(findings, key=_severity):
            yield _finding(finding, fixes)
        messages = {finding.message for finding in findings}
        for words in (onnx_words(checked), verdict_words(checked, messages)):
            if words is not None:
                yield f"{printable(checked.path)}: {words}\n"
        if fixes:
            kinds.update(
                finding.fix_kind for finding in checked.diagnostics if finding.fixable
            )
    if (first := missing.first) is not None and missing.number > 1:
        title = paint(f"{first.severity}[{first.code}]", first.severity)
        message = f"{missing.number} files have no .bin: constants, and what depends on them, are not known"
        advice = "put it beside the .xml, or pass it with --weights FILE"
        yield f"{title}{paint(f': {message}', 'bold')}; {advice}\n"
    elif first is not None:
        yield _finding(first, fixes)
    yield summary(totals)
    # Of those that are only counted it is not known whether they are fixable; --fix looks at them as well.
    limit = " of those shown" if totals.has_more else ""
    risk = "which may change what the model computes"
    if kinds["safe"]:
        also = ""
        if kinds["unsafe"]:
            also = f", {kinds['unsafe']} more with --fix --unsafe-fixes, {risk}"
        yield f"[*] {kinds['safe']}{limit} fixable with --fix{also}."
    elif kinds["unsafe"]:
        yield f"{kinds['unsafe']}{limit} fixable with --fix --unsafe-fixes, {risk}."


def _severity(finding: Diagnostic) -> int:
    return SEVERITIES.index(finding.severity)


def _finding(finding: Diagnostic, fixes: bool) -> str:
    title = paint(f"{finding.severity}[{finding.code}]", finding.severity)
    mark = ""
    if fixes and finding.fix_kind == "safe":
        mark = f" {paint('[*]', 'good')}"
    most = 0 if finding.severity == "note" else _MOST_RELATED
    related = finding.related[:most]
    more = len(finding.related[most:])
    numbers = [finding.line, *(each.line for each in related)]
    # The bars stand under each other, one place right of the number.
    margin = " " * (len(str(max(numbers) or "")) + 1)
    lines = [f"{title}{paint(': ' + printable(finding.message), 'bold')}{mark}"]
    lines.append(
        f"{margin}{paint('-->', 'dim')} {printable(finding.place if finding.line else finding.path)}"
    )
    lines += _excerpt(finding, finding, margin, finding.label, "^", finding.severity)
    for name, text in notes(finding):
        lines.append(f"{margin} {paint('=', 'dim')} {name}: {printable(text)}")
    printed = {(finding.line, finding.column)}
    for each in related:
        lines.append(f"{margin} {paint('=', 'dim')} related: {printable(each.message)}")
        if (each.line, each.column) not in printed:  # the reader has seen it
            lines += _excerpt(finding, each, margin, "", "-", "dim")[1:-1]
        printed.add((each.line, each.column))
    if more:
        lines.append(
            f"{margin} {paint('=', 'dim')} related: {count(more, 'more place')}; --format json lists them"
        )
    return "\n".join(lines) + "\n"


def _excerpt(
    finding: Diagnostic,
    place: Diagnostic | Related,
    margin: str,
    label: str,
    mark: str,
    style: str,
) -> list[str]:
    """The line of ``place`` with its number, and marks below the text that is meant."""
    before, marked, after = _window(finding, place)
    if not f"{before}{marked}{after}".strip():
        return []
    bar = paint("|", "dim")
    number = paint(str(place.line).rjust(len(margin) - 1), "dim")
    marks = mark * max(1, width(marked)) + (f" {printable(label)}" if label else "")
    return [
        f"{margin} {bar}",
        f" {number} {bar} {before}{marked}{after}",
        f"{margin} {bar} {' ' * width(before)}{paint(marks, style)}",
        f"{margin} {bar}",
    ]


def excerpt(finding: Diagnostic) -> str:
    """The line of ``finding`` with its number, and carets; empty without the text."""
    lines = _excerpt(
        finding,
        finding,
        " " * (len(str(finding.line)) + 1),
        finding.label,
        "^",
        finding.severity,
    )
    return "\n".join(map(unpainted, lines[1:-1]))


def _window(finding: Diagnostic, place: Diagnostic | Related) -> tuple[str, str, str]:
    """The line before, at and after ``place``; a long line is cut on both sides, marked by dots."""
    column = place.column - 1
    text = finding.excerpt(_WIDTH + 21, line=place.line)
    start = 0
    cut = len(text) > _WIDTH + 20
    if cut:
        start = max(0, column - _WIDTH // 2)
        text = finding.excerpt(_WIDTH + 1, start + 1, place.line)
        cut = len(text) > _WIDTH
        text = text[:_WIDTH]
    if place.end_line == place.line:
        end = place.end_column - 1
    else:
        end = start + len(text)
    first = column - start
    past = max(column + 1, end) - start
    before, marked, after = (
        printable(part) for part in (text[:first], text[first:past], text[past:])
    )
    before = before.lstrip()
    return f"… {before}" if start else before, marked, f"{after} …" if cut else after


def summary(totals: Totals) -> str:
    where = count(totals.files, "file")
    if totals.layers:
        where += f", {count(totals.layers, 'layer')}"
    if totals.gathers:
        where += f", {totals.gathers} of the Gather family"
    for source, words in (
        ("comment", "suppressed by comments"),
        ("baseline", "in the baseline"),
    ):
        if totals.suppressed[source]:
            where += f"; {totals.suppressed[source]} {words}"
    numbers = {severity: totals.number(severity) for severity in SEVERITIES}
    parts = [
        paint(count(number, severity), severity)
        for severity, number in numbers.items()
        if number
    ]
    clean = "No problems in what is checked"
    if not totals.verdicts["unknown"]:
        clean = "No problems"
    return f"{', '.join(parts) or paint(clean, 'good')} in {where}.{_accepted(totals)}"


def _accepted(totals: Totals) -> str:
    """How many files OpenVINO reads and compiles; those that it does not have lines of their own."""
    number = totals.verdicts["accepts"]
    if not number:
        return ""
    if totals.files == 1:
        which = "it"
    elif number == totals.files:
        which = "all of them"
    else:
        which = f"{number} of them"
    return f" OpenVINO reads and compiles {which}."
