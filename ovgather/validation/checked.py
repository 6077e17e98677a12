"""The findings of a file, at most ``MOST`` of one code, and the number of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from sys import maxsize
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ovgather.errors import ArgumentError, Bug, OvgatherError, short_repr
from ovgather.ir.read import unchecked
from ovgather.processes import SECONDS, OverTime, budget
from ovgather.text import count
from ovgather.validation.diagnostic import VERDICTS, Diagnostic, Suppressed
from ovgather.validation.file_verdict import REFUSALS, OnnxVerdict, Verdict

if TYPE_CHECKING:
    from ovgather.validation.selection.suppression import Suppressions

Result = TypeVar("Result")
MOST = 100
"""Of one code, so many findings of one file are reported by default; the rest, which may be one for every byte of a
hostile file, is counted by severity."""


class Counted(NamedTuple):
    """``number`` findings of one code and severity that are not worked out."""

    code: str
    severity: str
    number: int


class Checked(NamedTuple):
    """A file with its findings; ``more`` and ``more_suppressed`` count the findings beyond the limit."""

    path: str
    ir_version: int | None
    layers: int
    gather_layers: int
    diagnostics: list[Diagnostic]
    fatal: bool
    suppressed: list[Suppressed]
    more: tuple[Counted, ...] = ()
    more_suppressed: int = 0
    verdict: Verdict = Verdict()
    onnx: OnnxVerdict | None = None

    def __hash__(self) -> int:
        return hash((self.path, self.ir_version, self.layers))

    def __repr__(self) -> str:
        findings = sum(self.numbers.values())
        return f"<Checked {short_repr(self.path)}: {count(findings, 'finding')}>"

    @property
    def is_refused(self) -> bool:
        """Whether a finding that is reported makes OpenVINO refuse the file, or OpenVINO itself says so."""
        if not self.verdict.is_refusal:
            return False
        findings = [each for each in self.diagnostics if each.stage == "load"]
        return self.verdict.measured or any(
            each.openvino in REFUSALS for each in findings
        )

    @property
    def numbers(self) -> dict[tuple[str, str], int]:
        """How many findings there are of each code and severity, those beyond the limit included."""
        numbers: dict[tuple[str, str], int] = {}
        for finding in self.diagnostics:
            key = (finding.code, finding.severity)
            numbers[key] = numbers.get(key, 0) + 1
        for code, severity, number in self.more:
            numbers[code, severity] = numbers.get((code, severity), 0) + number
        return numbers


class Totals:
    """The sums over many files; ``unreadable`` counts files, ``suppressed`` findings by who suppresses them."""

    def __init__(self) -> None:
        self.files = self.layers = self.gathers = self.unreadable = 0
        self.numbers: Counter[tuple[str, str]] = Counter()
        self.suppressed: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.has_more = False

    def over(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """``results``, each one added before it is passed on."""
        for checked in results:
            self.files += 1
            self.layers += checked.layers
            self.gathers += checked.gather_layers
            self.unreadable += checked.fatal
            self.numbers.update(checked.numbers)
            self.verdicts[checked.verdict.openvino] += 1
            self.has_more |= bool(checked.more)
            self.suppressed.update(entry.by for entry in checked.suppressed)
            self.suppressed["comment"] += checked.more_suppressed
            yield checked

    def number(self, *severities: str) -> int:
        """How many findings of ``severities`` there are."""
        return sum(
            number
            for (_, severity), number in self.numbers.items()
            if severity in severities
        )


def by_code(more: Iterable[Counted]) -> dict[str, int]:
    """How many findings of each code are only counted."""
    numbers: Counter[str] = Counter()
    for code, _, number in more:
        numbers[code] += number
    return dict(numbers)


class Tally:
    """Takes the findings of one file: keeps the first ``most`` (0: all) of each code, and counts the rest."""

    def __init__(self, most: int, suppressions: Suppressions | None = None) -> None:
        self.most = most or maxsize
        self.suppressions = suppressions
        self.kept: list[Diagnostic] = []
        # of those that are only counted, the first of each code with a verdict that none before has
        self.beyond: list[Diagnostic] = []
        self.suppressed: list[Suppressed] = []
        self.more_suppressed = 0
        self.verdict = Verdict()
        self._reported: Counter[str] = Counter()
        self._verdicts: dict[str, set[str]] = {}
        self._suppressed: Counter[str] = Counter()
        self._rest: Counter[tuple[str, str]] = Counter()

    def add(self, finding: Diagnostic | Counted) -> Collection[str]:
        """Take ``finding``; the verdicts with which the next one of its code need not be worked out: it will only be
        counted."""
        code = finding.code
        if isinstance(finding, Counted):
            self.count(finding)
            return VERDICTS
        verdicts = self._verdicts.setdefault(code, {"accepts"})
        entry = None
        if self.suppressions is not None:
            entry = self.suppressions.suppressed(finding)
        if entry is None and self._reported[code] < self.most:
            self._reported[code] += 1
            self.kept.append(finding)
        elif entry is not None and self._suppressed[code] < self.most:
            self._suppressed[code] += 1
            self.suppressed.append(entry)
        else:
            if entry is None:
                self.count(finding)
            else:
                self.more_suppressed += 1
            if finding.openvino not in verdicts:
                self.beyond.append(finding)
        verdicts.add(finding.openvino)
        if self._reported[code] >= self.most:
            return verdicts
        # Where a comment suppresses a code in the whole file, none is left to report.
        if (
            self._suppressed[code] >= self.most
            and self.suppressions is not None
            and self.suppressions.cover_file(code)
        ):
            return verdicts
        return ()

    def count(self, finding: Diagnostic | Counted) -> None:
        """Report only that there are more findings of its code."""
        number = finding.number if isinstance(finding, Counted) else 1
        self._rest[finding.code, finding.severity] += number

    def forget_rest(self, codes: Collection[str]) -> None:
        """Count no further findings of ``codes``: what explains the first ones explains them."""
        self._rest = Counter(
            {key: number for key, number in self._rest.items() if key[0] not in codes}
        )

    @property
    def more(self) -> tuple[Counted, ...]:
        return tuple(
            Counted(*key, number) for key, number in sorted(self._rest.items())
        )


def first(
    findings: Iterable[Diagnostic | Counted], most: int
) -> tuple[list[Diagnostic], tuple[Counted, ...]]:
    """Of ``findings`` the first ``most`` (0: all) of each code, in their order, and the number of the others."""
    tally = Tally(most)
    for finding in findings:
        tally.add(finding)
    return tally.kept, tally.more


def limited(checked: Checked, most: int) -> Checked:
    """``checked`` with at most ``most`` (0: any number) findings of one code; the rest joins what is counted."""
    diagnostics, more = first([*checked.diagnostics, *checked.more], most)
    return checked._replace(diagnostics=diagnostics, more=more)


def check_all(
    check_one: Callable[[str], Any],
    paths: Sequence[str],
    seconds: float = SECONDS,
    mortal: bool = False,
) -> tuple[list[Any], dict[str, str]]:
    """The results of ``check_one`` for ``paths``, in the process of a worker, and the files that a bug costs."""
    lost: dict[str, str] = {}
    return [check_path(check_one, path, lost, seconds, mortal) for path in paths], lost


def check_path(
    check_one: Callable[[str], Result],
    path: str,
    lost: dict[str, str],
    seconds: float = SECONDS,
    mortal: bool = False,
) -> Result:
    """The result of ``check_one`` for ``path``, also if that takes too much time or memory, or fails; of a failure
    ``lost`` gets the cause. ``mortal``: this is the process of a worker, which may die. What ``check_one`` recalls (see
    ``Cache``) takes neither."""
    recall = getattr(check_one, "recall", None)
    if recall is not None and (known := recall(path)) is not None:
        return known  # type: ignore[no-any-return]
    try:
        with budget(path, seconds, mortal):
            return check_one(path)
    except OverTime as error:
        why = str(error)
    except MemoryError as error:
        why = f"there is too little memory{f': {error}' if str(error) else ''}"
    except Exception as error:
        if isinstance(error, OvgatherError) and not isinstance(error, ArgumentError):
            raise  # what was asked for cannot be done
        lost[path] = bug = Bug.of(error)
        why = str(bug)
    return without_check(check_one, path, why)  # now that what was read is gone


def without_check(check_one: Callable[[str], Result], path: str, why: str) -> Result:
    """The result for a file that is not checked: it says why."""
    return check_one(unchecked(path, why))
