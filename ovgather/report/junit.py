"""What the JUnit renderers share: a test suite for each file, counts that add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Literal

from ovgather.errors import UnavailableError
from ovgather.report.places import relative
from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.comparison.conformance import Result
    from ovgather.runtimes.outcome import Outcome

try:
    from lxml import etree
except ImportError:
    raise UnavailableError(
        'lxml is not installed, and JUnit needs it: pip install "lxml>=5"'
    ) from None

Kind = Literal["failure", "error", "skipped"]
_KINDS: dict[str, Kind] = {
    "different": "failure",
    "error": "error",
    "crash": "error",
    "timeout": "error",
    "skipped": "skipped",
}
_IN_MEMORY = 1 << 24
_PIECE = 1 << 16


class Suite:
    def __init__(self, path: str) -> None:
        self.path = printable(relative(path))
        self.element = etree.Element("testsuite", name=self.path)
        self.counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}

    def add(
        self,
        name: str,
        kind: Kind | None = None,
        type: str = "",
        message: str = "",
        text: str | None = None,
        seconds: float = 0.0,
    ) -> None:
        """Add a case that passes, or one with an outcome of ``kind``; ``text`` is its output."""
        case = etree.SubElement(
            self.element, "testcase", classname=self.path, name=printable(name)
        )
        if seconds:
            case.set("time", f"{seconds:.6f}")
        self.counts["tests"] += 1
        if kind is not None:
            self.counts[kind if kind == "skipped" else f"{kind}s"] += 1
            etree.SubElement(case, kind, type=type, message=message).text = text
        elif text is not None:
            etree.SubElement(case, "system-out").text = text

    def add_run(
        self, name: str, run: Outcome | Result, message: str, is_expected: bool = False
    ) -> None:
        """Add a run: a different value is a failure, other failures are errors, an expected one of both is skipped."""
        kind = _KINDS.get(run.verdict)
        if is_expected:
            kind = "skipped"
        type = f"{run.verdict} {run.cause}".rstrip()
        text = None
        if run.reason:
            text = printable(f"{type}: {run.reason}")
        if kind is None:
            self.add(name, text=text, seconds=run.seconds)
        else:
            self.add(name, kind, type, printable(message), seconds=run.seconds)


def text(suites: Iterator[Suite]) -> Iterator[str]:
    """All suites as one ``testsuites`` document.

    It begins with the sums of all suites: they wait in a temporary file, unless they are few.
    """
    sums: Counter[str] = Counter()
    with SpooledTemporaryFile(
        _IN_MEMORY, "w+", encoding="utf-8", errors="surrogatepass", newline=""
    ) as file:
        for suite in suites:
            sums.update(suite.counts)
            suite.element.attrib.update(
                {name: str(number) for name, number in suite.counts.items()}
            )
            etree.indent(suite.element, level=1)
            # A command of a CI.
            text = etree.tostring(suite.element, encoding="unicode").replace(
                "##", "#&#35;"
            )
            file.write(f"  {text}\n")
        end = ">" if file.tell() else "/>"
        counts = "".join(
            f' {name}="{sums[name]}"' for name in ("tests", "failures", "errors")
        )
        yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ovgather"{counts}{end}\n'
        file.seek(0)
        while text := file.read(_PIECE):
            yield text
        if end == ">":
            yield "</testsuites>\n"
