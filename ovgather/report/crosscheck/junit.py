"""A cross-check as JUnit XML: a suite for each file, a case for each layer, variant and runtime. A different value is a
failure; other failures are errors. A known deviation passes, with its reason as output; what was not run is skipped."""

from collections.abc import Iterable, Iterator

from ovgather.crosscheck.report import FAILING, FileReport
from ovgather.layers.reference import called
from ovgather.report.crosscheck.text import difference
from ovgather.report.junit import Kind, Suite
from ovgather.text import printable


def suites(results: Iterable[FileReport]) -> Iterator[Suite]:
    for file in results:
        suite = Suite(file.path)
        for layer, variant, against, device, outcome in file.layers:
            name = f"{called(layer)}, {variant}, {against} {printable(device)}"
            type = f"{outcome.verdict} {outcome.cause}".rstrip()
            if outcome.verdict in FAILING or outcome.verdict == "skipped":
                others: Kind = "skipped" if outcome.verdict == "skipped" else "error"
                kind: Kind = "failure" if outcome.verdict == "different" else others
                suite.add(name, kind, type, printable("; ".join(filter(None, (difference(outcome), outcome.reason)))))
            else:
                suite.add(name, text=printable(f"{type}: {outcome.reason}") if outcome.reason else None)
        if file.error:
            suite.add("read", "error", "unreadable", printable(file.error))
        yield suite
