"""A cross-check as JUnit XML: a suite for each file, a case for each layer, variant and runtime. A different value is a
failure; other failures are errors. A known deviation passes, with its reason as output; what was not run is skipped."""

from collections.abc import Iterable, Iterator

from ovgather.comparison.report import NO_LAYER, FileReport
from ovgather.layers.reference import called
from ovgather.report.crosscheck.text import difference
from ovgather.report.junit import Suite
from ovgather.text import printable


def suites(results: Iterable[FileReport]) -> Iterator[Suite]:
    for file in results:
        suite = Suite(file.path)
        for layer, variant, against, device, outcome in file.layers:
            name = f"{called(layer)}, {variant}, {against} {printable(device)}"
            suite.add_run(
                name,
                outcome,
                "; ".join(filter(None, (difference(outcome), outcome.reason))),
            )
        if file.error:
            suite.add("read", "error", "unreadable", printable(file.error))
        elif not file.layers:
            suite.add("compare", "skipped", "empty", NO_LAYER)
        yield suite
