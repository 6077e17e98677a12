"""What the JUnit renderers share: a test suite for each file, counts that add up."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from lxml import etree

from ovgather.report.places import relative
from ovgather.text import printable

Kind = Literal["failure", "error", "skipped"]


class Suite:
    """The test cases of one file."""

    def __init__(self, path: str) -> None:
        self.path = printable(relative(path))
        self.element = etree.Element("testsuite", name=self.path)
        self.counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}

    def add(
        self, name: str, kind: Kind | None = None, type: str = "", message: str = "", text: str | None = None
    ) -> None:
        """Add a case that passes, or one with an outcome of ``kind``; ``text`` is its output."""
        case = etree.SubElement(self.element, "testcase", classname=self.path, name=printable(name))
        self.counts["tests"] += 1
        if kind is not None:
            self.counts[kind if kind == "skipped" else f"{kind}s"] += 1
            etree.SubElement(case, kind, type=type, message=message).text = text
        elif text is not None:
            etree.SubElement(case, "system-out").text = text


def document(suites: Iterator[Suite]) -> str:
    """All suites as one ``testsuites`` document."""
    root = etree.Element("testsuites", name="ovgather")
    totals: Counter[str] = Counter()
    for suite in suites:
        totals.update(suite.counts)
        suite.element.attrib.update({name: str(number) for name, number in suite.counts.items()})
        root.append(suite.element)
    root.attrib.update({name: str(totals[name]) for name in ("tests", "failures", "errors")})
    text: str = etree.tostring(root, encoding="unicode", pretty_print=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'
