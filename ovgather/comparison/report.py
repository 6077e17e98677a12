"""What a cross-check found: a record for each layer and variant, by file, with counts and the exit code."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ovgather.errors import short_repr
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import Evidence, Outcome, OutcomeVerdict
from ovgather.tensor.value import PublicValue
from ovgather.text import count, html_table

VERDICTS = ("equal", "different", "known", "error", "crash", "timeout", "skipped")
FAILING = frozenset({"different", "error", "crash", "timeout"})
GRAVITY = ("crash", "timeout", "different", "error", "known", "skipped", "equal")
"""The verdicts, the gravest first."""
ALONE = "alone"
IN_PLACE = "in-place"
REFERENCE = "reference"
NO_LAYER = "no Gather layer: nothing to compare"
EXPECTED = "expected"
"""The cause of a failure that a list names."""
_ANSWERED = ("equal", "different", "known")


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The gravest outcome, the first of equals."""
    return min(outcomes, key=lambda outcome: GRAVITY.index(outcome.verdict))


class Record(NamedTuple):
    """One layer run one way: alone, in place or in a variant, in a runtime (``against``) on a device."""

    layer: LayerReference
    variant: str
    against: str
    device: str
    outcome: Outcome

    def __repr__(self) -> str:
        return f"<Record {short_repr(self.layer.name)} {self.variant}, {self.against} on {self.device}: {self.verdict}>"

    @property
    def verdict(self) -> OutcomeVerdict:
        """``equal``, ``different``, ``known``, ``error``, ``crash``, ``timeout`` or ``skipped``."""
        return self.outcome.verdict  # type: ignore[return-value]

    @property
    def cause(self) -> str:
        """Why, in one stable word; see ``Outcome``."""
        return self.outcome.cause

    @property
    def evidence(self) -> Evidence | None:
        """What went in, what came out and what should have; see ``Outcome``."""
        return self.outcome.evidence

    @property
    def reason(self) -> str:
        """Why, in words; empty where the verdict says it all."""
        return self.outcome.reason


@dataclass(frozen=True)
class FileReport:
    """The records of one file, in the order of its layers; ``error`` says why it could not be read at all."""

    path: str
    layers: tuple[Record, ...]
    error: str = ""

    def __iter__(self) -> Iterator[Record]:
        return iter(self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<FileReport {short_repr(self.path)}: {self.error or count(len(self.layers), 'record')}>"

    @property
    def gathers(self) -> list[LayerReference]:
        """The layers concerned, each once."""
        return list(dict.fromkeys(record.layer for record in self.layers))


class Report(PublicValue):
    """What ``crosscheck`` returns: the files, counts of verdicts, and whether all is well.

    >>> report = Report([FileReport("m.xml", ())])  # an empty comparison is no success
    >>> report.ok, report.exit_code, report.summary["equal"]
    (False, 1, 0)
    """

    def __init__(self, files: Iterable[FileReport], strict: bool = False) -> None:
        self.files = tuple(files)
        self.strict = strict

    def facts(self) -> Iterator[object]:
        yield self.files
        yield self.strict

    def __iter__(self) -> Iterator[FileReport]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __bool__(self) -> bool:
        return True  # a report on no file is one

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of all files."""
        return tuple(record for file in self.files for record in file.layers)

    @property
    def summary(self) -> dict[str, int]:
        """How many files and records there are, and how many records of each verdict."""
        counts = dict.fromkeys(VERDICTS, 0)
        for record in self.records:
            counts[record.verdict] += 1
        return {"files": len(self.files), "layers": len(self.records), **counts}

    @property
    def ok(self) -> bool:
        """Something was compared, and nothing differs, fails, crashes or hangs; with ``strict``, nothing deviates."""
        failing = FAILING
        if self.strict:
            failing = FAILING | {"known"}
        return not self.nothing_compared and not any(
            record.verdict in failing and record.cause != EXPECTED
            for record in self.records
        )

    @property
    def nothing_compared(self) -> bool:
        """Whether the files have no layers, or all were skipped; without a file there was nothing to compare."""
        return bool(self.files) and all(
            record.verdict == "skipped" for record in self.records
        )

    @property
    def exit_code(self) -> int:
        """0 when ``ok``, else 1."""
        if self.ok:
            return 0
        return 1

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{count} {name}" for name, count in self.summary.items() if count
        )
        return f"<Report: {counts}>"

    def _repr_html_(self) -> str:
        columns = ["file", "layer", "variant", "runtime", "verdict", "reason"]
        rows = (
            [
                file.path,
                each.layer.name,
                each.variant,
                each.against,
                each.verdict,
                each.reason,
            ]
            for file in self.files
            for each in file
        )
        return html_table(repr(self)[1:-1], columns, rows)


class Stopped(KeyboardInterrupt):
    """Ctrl-C; ``report`` holds what is known."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        return Stopped, (self.report,)


def matrix(records: Iterable[Record]) -> list[list[str]]:
    """The rows of a table, for each pair in how many runs the two disagree, the first with its title and the names.

    Empty for one runtime alone.
    """
    names = [REFERENCE]
    by_run: dict[tuple[object, str], dict[str, Outcome]] = {}
    for record in records:
        names += [record.against] * (record.against not in names)
        if (
            record.verdict in _ANSWERED
            and record.variant != IN_PLACE
            and record.outcome.cause != "refused"
        ):
            by_run.setdefault((record.layer, record.variant), {})[record.against] = (
                record.outcome
            )
    rows = [
        [
            "Disagreements of two runtimes, out of the runs that both answered",
            *names[1:],
        ]
    ]
    for at, first in enumerate(names[:-1]):
        rows.append([first, *[""] * at])
        for second in names[at + 1 :]:
            runs = [
                run
                for run in by_run.values()
                if second in run and (first in run or first == REFERENCE)
            ]
            answers = [_agree(run.get(first), run[second]) for run in runs]
            rows[-1].append(
                f"{answers.count(False)} of {len(answers) - answers.count(None)}"
            )
    if len(names) > 2:
        return rows
    return []


def _agree(first: Outcome | None, second: Outcome) -> bool | None:
    """Whether an answer is that of another runtime, or of the reference (None); None when that is not known."""
    if first is None or "equal" in (first.verdict, second.verdict):
        return second.verdict == ("equal" if first is None else first.verdict)
    if first.evidence is None or second.evidence is None:
        return None
    from ovgather.comparison.verdict.compare import equal

    return equal(first.evidence.got, second.evidence.got)
