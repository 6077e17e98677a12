"""The conformance of a device as JUnit XML: a suite for each operation; an expected failure is a skipped case."""

from collections.abc import Iterable, Iterator

from ovgather.crosscheck.conformance.results import Conformance
from ovgather.report.junit import Suite, document
from ovgather.text import printable


def pieces(results: Iterable[Conformance], color: bool = False) -> Iterator[str]:
    """The one conformance, as one ``testsuites`` document."""
    return document(suite for each in results for suite in _suites(each))


def _suites(conformance: Conformance) -> Iterator[Suite]:
    suites: dict[str, Suite] = {}
    for each in conformance.results:
        suite = suites.setdefault(each.operation, Suite(f"{conformance.device} {each.operation}"))
        status, type = conformance.status(each), f"{each.verdict} {each.cause}".rstrip()
        if status in ("new", "expected", "skipped"):
            kind = "skipped" if status != "new" else "failure" if each.verdict == "different" else "error"
            suite.add(each.name, kind, type, printable(each.reason))  # type: ignore[arg-type]
        else:
            suite.add(each.name, text=printable(f"{type}: {each.reason}") if each.reason else None)
    yield from suites.values()
