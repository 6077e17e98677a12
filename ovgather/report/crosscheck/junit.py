"""A cross-check as JUnit XML: a test suite for each file, in it a test case for each layer, variant and runtime.

A different value is a failure; an error, a crash, a hang and a file that cannot be read are errors. A known
departure passes, with its reason as output; what was not run is a skipped case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lxml import etree

from ovgather.crosscheck.report import FileReport, Record
from ovgather.layers.reference import called
from ovgather.report.places import relative
from ovgather.text import printable

_KINDS = {"different": "failure", "error": "error", "crash": "error", "timeout": "error", "skipped": "skipped"}


def render(results: Iterable[FileReport], color: bool = False) -> str:
    """All files, as one ``testsuites`` document.

    >>> print(render([FileReport("m.xml", ())]), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ovgather" tests="0" failures="0" errors="0">
      <testsuite name="m.xml" tests="0" failures="0" errors="0" skipped="0"/>
    </testsuites>
    """
    suites = etree.Element("testsuites", name="ovgather", tests="0", failures="0", errors="0")
    total: Counter[str] = Counter()
    for file in results:
        total += _suite(suites, file)
    for name in ("tests", "failures", "errors"):
        suites.set(name, str(total[name]))
    text: str = etree.tostring(suites, encoding="unicode", pretty_print=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _suite(suites: etree._Element, file: FileReport) -> Counter[str]:
    path = printable(relative(file.path))
    suite = etree.SubElement(suites, "testsuite", name=path)
    counts: Counter[str] = Counter()
    for record in file.layers:
        case = etree.SubElement(suite, "testcase", classname=path, name=_name(record))
        kind = _KINDS.get(record.verdict)
        counts["tests"] += 1
        if kind is not None:
            counts["skipped" if kind == "skipped" else f"{kind}s"] += 1
            etree.SubElement(case, kind, type=_type(record), message=printable(_message(record)))
        elif record.reason:
            etree.SubElement(case, "system-out").text = printable(f"{_type(record)}: {record.reason}")
    if file.error:
        counts += Counter(tests=1, errors=1)
        case = etree.SubElement(suite, "testcase", classname=path, name="read")
        etree.SubElement(case, "error", type="unreadable", message=printable(file.error))
    for name in ("tests", "failures", "errors", "skipped"):
        suite.set(name, str(counts[name]))
    return counts


def _name(record: Record) -> str:
    layer = record.layer
    words = called(layer)
    return f"{words}, {record.variant}, {record.against} {printable(record.device)}"


def _type(record: Record) -> str:
    return f"{record.verdict} {record.cause}".rstrip()


def _message(record: Record) -> str:
    outcome = record.outcome
    if outcome.first is None:
        return outcome.reason
    at = ",".join(map(str, outcome.first.at))
    differing = f"{outcome.mismatches} of {outcome.elements} elements differ, first at [{at}]"
    return f"{differing}: got {outcome.first.got}, want {outcome.first.want}; {outcome.reason}"
