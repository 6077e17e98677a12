"""What is known of the cases, pass rates, and the comparison with expected failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from ovgather.crosscheck.report import FAILING


class Result(NamedTuple):
    """What came of a case; ``where`` is the layer of a zoo."""

    name: str
    operation: str
    type: str
    verdict: str
    cause: str = ""
    reason: str = ""
    where: str = ""

    @property
    def fails(self) -> bool:
        """Whether the device is wrong; a known deviation passes."""
        return self.verdict in FAILING


class Conformance:
    """The results of a device; ``expected`` are names of failing cases, or patterns of them (None: no list)."""

    def __init__(
        self, device: str, results: Iterable[Result], total: int, expected: Sequence[str] | None = None
    ) -> None:
        self.device = device
        self.results = list(results)
        self.total = total
        self.expected = expected
        self._listed = listed = {each for each in expected or () if not any(mark in each for mark in "*?")}
        patterns = [each for each in expected or () if each not in listed]
        failing = [each for each in self.results if each.fails]
        self.still = [each for each in failing if each.name in listed or _matches(each.name, patterns)]
        known = {each.name for each in self.still}
        self.new = [each for each in failing if each.name not in known]

    @property
    def fixed(self) -> list[str]:
        """The expected failures that ran and do not fail; a pattern, if nothing that it matches fails."""
        ran = {each.name for each in self.results if each.verdict != "skipped"}
        failing = {each.name for each in self.still}
        passed = []
        for entry in dict.fromkeys(self.expected or ()):
            matching = {entry} & ran if entry in self._listed else {name for name in ran if _matches(name, [entry])}
            if matching and not matching & failing:
                passed.append(entry)
        return passed

    def status(self, result: Result) -> str:
        """``passes``, ``known`` (a deviation), ``new`` or ``expected`` (failures), or ``skipped``."""
        if result.fails:
            return "expected" if result in self.still else "new"
        return result.verdict if result.verdict in ("known", "skipped") else "passes"

    def rates(self, field: str) -> Iterator[tuple[str, int, int, int]]:
        """Each ``operation`` or ``type``, how many cases pass, how many of these deviate as is known, and all."""
        counts: dict[str, Counter[str]] = {}
        for each in self.results:
            if each.verdict != "skipped":
                counts.setdefault(getattr(each, field), Counter())["fails" if each.fails else each.verdict] += 1
        for name, counter in sorted(counts.items()):
            total = counter.total()
            yield name, total - counter["fails"], counter["known"], total

    @property
    def exit_code(self) -> int:
        """1 when there are new failures; else 0."""
        return int(bool(self.new))


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern.replace("[", "[[]")) for pattern in patterns)


def expected_failures(text: str) -> list[str]:
    """The lines of a list of expected failures; ``#`` begins a comment."""
    return [entry for line in text.splitlines() if (entry := line.partition("#")[0].strip())]
