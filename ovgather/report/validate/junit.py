"""Findings as JUnit XML: a test suite for each file, in it a test case for each finding, or one that passes.

A case fails as the exit code does: an error is a failure, a file that could not be read an error; warnings and
notes are skipped cases, which reports show without turning red.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from ovgather.report.finding import listed, texts
from ovgather.report.junit import Kind, Suite
from ovgather.text import printable
from ovgather.validation.checked import Checked


def suites(results: Iterable[Checked]) -> Iterator[Suite]:
    for checked in results:
        suite = Suite(checked.path)
        names: Counter[str] = Counter()
        for finding in listed(checked):
            # Without its line, so that a case keeps its name when the file grows above it.
            layer = ""
            if finding.layer is not None:
                layer = f', layer "{finding.layer.name or finding.layer.id}"'
            name = printable(f"{finding.code} {finding.message}{layer}")
            names[name] += 1
            number = ""
            if names[name] > 1:
                number = f" ({names[name]})"
            kind: Kind = (
                "skipped"
                if finding.severity != "error"
                else "error"
                if checked.fatal
                else "failure"
            )
            message, *notes = texts(finding)
            position = ""
            if finding.line:
                position = f":{finding.line}:{finding.column}"
            text = "\n".join([f"{suite.path}{position}: {message}", *notes])
            suite.add(
                f"{name}{number}",
                kind,
                f"{finding.severity} {finding.code}",
                message,
                text,
            )
        if not names:
            suite.add("validate")
        yield suite
