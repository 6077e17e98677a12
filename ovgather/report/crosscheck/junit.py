"""A cross-check as JUnit XML: a test suite for each file, in it a test case for each layer, variant and runtime.

A different value is a failure; an error, a crash, a hang and a file that cannot be read are errors. A known
deviation passes, with its reason as output; what was not run is a skipped case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ovgather.crosscheck.report import FileReport, Record
from ovgather.layers.reference import called
from ovgather.report.junit import Kind, Suite, document
from ovgather.text import printable

_KINDS: dict[str, Kind] = {
    "different": "failure",
    "error": "error",
    "crash": "error",
    "timeout": "error",
    "skipped": "skipped",
}


def pieces(results: Iterable[FileReport], color: bool = False) -> Iterator[str]:
    """All files, as one ``testsuites`` document.

    >>> print("".join(pieces([FileReport("m.xml", ())])), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ovgather" tests="0" failures="0" errors="0">
      <testsuite name="m.xml" tests="0" failures="0" errors="0" skipped="0"/>
    </testsuites>
    """
    return document(map(_suite, results))


def _suite(file: FileReport) -> Suite:
    suite = Suite(file.path)
    for record in file.layers:
        kind = _KINDS.get(record.verdict)
        if kind is not None:
            suite.add(_name(record), kind, _type(record), printable(_message(record)))
        else:
            text = printable(f"{_type(record)}: {record.reason}") if record.reason else None
            suite.add(_name(record), text=text)
    if file.error:
        suite.add("read", "error", "unreadable", printable(file.error))
    return suite


def _name(record: Record) -> str:
    return f"{called(record.layer)}, {record.variant}, {record.against} {printable(record.device)}"


def _type(record: Record) -> str:
    return f"{record.verdict} {record.cause}".rstrip()


def _message(record: Record) -> str:
    outcome = record.outcome
    if outcome.first is None:
        return outcome.reason
    at = ",".join(map(str, outcome.first.at))
    differing = f"{outcome.mismatches} of {outcome.elements} elements differ, first at [{at}]"
    return f"{differing}: got {outcome.first.got}, want {outcome.first.want}; {outcome.reason}"
