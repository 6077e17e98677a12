"""Findings as JUnit XML: a test suite for each file, in it a test case for each finding, or one that passes.

A case fails as the exit code does: an error is a failure, a file that could not be read an error; warnings and
notes are skipped cases, which reports show without turning red.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lxml import etree

from ovgather.report.finding import lines, shown
from ovgather.report.places import relative
from ovgather.text import printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic


def render(results: Iterable[Checked], color: bool = False) -> str:
    """All files, as one ``testsuites`` document.

    >>> from ovgather.validation.check import check_file
    >>> clean = check_file(b"")._replace(path="m.xml", diagnostics=[], fatal=False)
    >>> print(render([clean]), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ovgather" tests="1" failures="0" errors="0">
      <testsuite name="m.xml" tests="1" failures="0" errors="0" skipped="0">
        <testcase classname="m.xml" name="validate"/>
      </testsuite>
    </testsuites>
    """
    suites = etree.Element("testsuites", name="ovgather", tests="0", failures="0", errors="0")
    total: Counter[str] = Counter()
    for checked in results:
        total += _suite(suites, checked)
    for name in ("tests", "failures", "errors"):
        suites.set(name, str(total[name]))
    text: str = etree.tostring(suites, encoding="unicode", pretty_print=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _suite(suites: etree._Element, checked: Checked) -> Counter[str]:
    path = printable(relative(checked.path))
    suite = etree.SubElement(suites, "testsuite", name=path)
    names: Counter[str] = Counter()
    findings = shown(checked)
    counts: Counter[str] = Counter(tests=max(1, len(findings)))
    for found in findings:
        name = _name(found)
        names[name] += 1
        number = f" ({names[name]})" if names[name] > 1 else ""
        case = etree.SubElement(suite, "testcase", classname=path, name=name + number)
        kind = "skipped" if found.severity != "error" else "error" if checked.fatal else "failure"
        counts["skipped" if kind == "skipped" else f"{kind}s"] += 1
        message, *notes = lines(found)
        outcome = etree.SubElement(case, kind, type=f"{found.severity} {found.code}", message=message)
        outcome.text = "\n".join([f"{path}{_place(found)}: {message}", *notes])
    if not findings:
        etree.SubElement(suite, "testcase", classname=path, name="validate")
    for name in ("tests", "failures", "errors", "skipped"):
        suite.set(name, str(counts[name]))
    return counts


def _place(found: Diagnostic) -> str:
    return f":{found.line}:{found.column}" if found.line else ""


def _name(found: Diagnostic) -> str:
    # Without its line, so that a case keeps its name when the file grows above it.
    layer = f', layer "{found.layer.name or found.layer.id}"' if found.layer is not None else ""
    return printable(f"{found.code} {found.message}{layer}")
