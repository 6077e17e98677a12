"""Findings for people: the line, carets under the place, what OpenVINO does, what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ovgather.report.finding import notes, shown
from ovgather.text import count, paint, printable, width
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import SEVERITIES, Diagnostic

_WIDTH = 100


def render(results: Iterable[Checked], color: bool = False, fixes: bool = True) -> str:
    """All files, with a summary at the end; ``fixes``: tell which findings ``--fix`` can fix."""
    files = list(results)
    blocks = [_finding(finding, color, fixes) for checked in files for finding in shown(checked)]
    fixable_line = _fixable(files) if fixes else ""
    return "\n".join([*blocks, summary(files, color)]) + f"\n{fixable_line}"


def _fixable(files: list[Checked]) -> str:
    fixes = [finding.fix_kind for checked in files for finding in checked.diagnostics if finding.fixable]
    safe, unsafe = fixes.count("safe"), fixes.count("unsafe")
    # Of those that are only counted it is not known; --fix looks at them as well.
    shown = " of those shown" if any(checked.more for checked in files) else ""
    risk = "which changes what OpenVINO computes"
    if safe:
        more = f", {unsafe} more with --fix --unsafe-fixes, {risk}" if unsafe else ""
        return f"[*] {safe}{shown} fixable with --fix{more}.\n"
    return f"{unsafe}{shown} fixable with --fix --unsafe-fixes, {risk}.\n" if unsafe else ""


def _finding(finding: Diagnostic, color: bool, fixes: bool) -> str:
    title = paint(f"{finding.severity}[{finding.code}]", finding.severity, color)
    mark = f" {paint('[*]', 'good', color)}" if fixes and finding.fix_kind == "safe" else ""
    lines = [f"{title}{paint(': ' + printable(finding.message), 'bold', color)}{mark}"]
    before, marked, after = _window(finding)
    number = str(finding.line or "")
    margin = " " * (len(number) + 1)  # the bars stand under each other, one place right of the number
    bar = paint("|", "dim", color)
    lines.append(f"{margin}{paint('-->', 'dim', color)} {printable(finding.place)}")
    if f"{before}{marked}{after}".strip():
        carets = "^" * max(1, width(marked))
        label = f" {printable(finding.label)}" if finding.label else ""
        lines += [
            f"{margin} {bar}",
            f" {paint(number, 'dim', color)} {bar} {before}{marked}{after}",
            f"{margin} {bar} {' ' * width(before)}{paint(carets + label, finding.severity, color)}",
            f"{margin} {bar}",
        ]
    for name, text in notes(finding):
        lines.append(f"{margin} {paint('=', 'dim', color)} {name}: {printable(text)}")
    return "\n".join(lines) + "\n"


def _window(finding: Diagnostic) -> tuple[str, str, str]:
    """The line before, at and after the finding; a long line is cut on both sides, marked by dots."""
    column = finding.column - 1
    text = finding.excerpt(_WIDTH + 21)
    start, cut = 0, len(text) > _WIDTH + 20
    if cut:
        start = max(0, column - _WIDTH // 2)
        text = finding.excerpt(_WIDTH + 1, start + 1)
        cut = len(text) > _WIDTH
        text = text[:_WIDTH]
    end = finding.end_column - 1 if finding.end_line == finding.line else start + len(text)
    place, past = column - start, max(column + 1, end) - start
    before, marked, after = (printable(part) for part in (text[:place], text[place:past], text[past:]))
    before = before.lstrip()
    return f"… {before}" if start else before, marked, f"{after} …" if cut else after


def summary(files: list[Checked], color: bool) -> str:
    """The numbers of findings, files and layers."""
    layers = sum(checked.layers for checked in files)
    gathers = sum(checked.gather_layers for checked in files)
    looked = f"{count(len(files), 'file')}, {count(layers, 'layer')}, {gathers} of the Gather family"
    ended = f"{looked}{_kept_back(files)}."
    numbers = {severity: sum(checked.number(severity) for checked in files) for severity in SEVERITIES}
    if not any(numbers.values()):
        return f"{paint('No problems', 'good', color)} in {ended}"
    parts = [paint(count(number, severity), severity, color) for severity, number in numbers.items() if number]
    return f"{', '.join(parts)} in {ended}"


def _kept_back(files: list[Checked]) -> str:
    by = Counter(suppressed.by for checked in files for suppressed in checked.suppressed)
    by["comment"] += sum(checked.more_suppressed for checked in files)
    sources = (("comment", "suppressed by comments"), ("baseline", "in the baseline"))
    return "".join(f"; {by[source]} {words}" for source, words in sources if by[source])
