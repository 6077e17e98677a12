"""The conformance of a device as JUnit XML: a suite for each operation; an expected failure is a skipped case."""

from collections.abc import Iterable, Iterator

from ovgather.crosscheck.conformance.campaign import Conformance
from ovgather.report.junit import Suite
from ovgather.text import printable


def suites(results: Iterable[Conformance]) -> Iterator[Suite]:
    """The suites of the one conformance."""
    (conformance,) = results
    by_operation: dict[str, Suite] = {}
    for each in conformance.results:
        suite = by_operation.setdefault(each.operation, Suite(f"{conformance.device} {each.operation}"))
        status, type = conformance.status(each), f"{each.verdict} {each.cause}".rstrip()
        if status in ("new", "expected", "skipped"):
            kind = "skipped" if status != "new" else "failure" if each.verdict == "different" else "error"
            suite.add(each.name, kind, type, printable(each.reason))  # type: ignore[arg-type]
        else:
            suite.add(each.name, text=printable(f"{type}: {each.reason}") if each.reason else None)
    yield from by_operation.values()
