"""A cross-check as JUnit XML: a test suite for each file, in it a test case for each layer, variant and runtime.

A different value is a failure; an error, a crash, a hang and a file that cannot be read are errors. A known
deviation passes, with its reason as output; what was not run is a skipped case.
"""

from collections.abc import Iterable, Iterator

from ovgather.crosscheck.report import FileReport, Record
from ovgather.layers.reference import called
from ovgather.report.crosscheck.text import difference
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
    """All files, as one ``testsuites`` document."""
    return document(map(_suite, results))


def _suite(file: FileReport) -> Suite:
    suite = Suite(file.path)
    for record in file.layers:
        kind = _KINDS.get(record.verdict)
        if kind is not None:
            message = "; ".join(filter(None, (difference(record.outcome), record.reason)))
            suite.add(_name(record), kind, _type(record), printable(message))
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
