"""Cases run in chunks, whose results a file keeps; pass rates, and the comparison with expected failures."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from ovgather.crosscheck.alone.run import run_trials
from ovgather.crosscheck.conformance.matrix import Case
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FAILING
from ovgather.errors import ConfigurationError, UnavailableError, WorkerError
from ovgather.files.whole import write_whole
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.pool import Interrupted

_CHUNK = 256
_TASK = 128  # cases in a task of an executor, which is given eight tasks at a time
_CONFIRMATIONS = 1


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


def run(
    cases: Sequence[Case],
    options: CrosscheckOptions,
    state: str | None = None,
    progress: Callable[[int, int], None] = lambda known, total: None,
    executor: Executor | None = None,
) -> tuple[list[Result], bool]:
    """The results of the cases, in their order, and whether all are known; Ctrl-C ends the run.

    ``state`` is a file with results of an earlier run on the same device, and gets those of this one.
    """
    head = {"device": options.device, "seed": options.seed}
    known = _load(state, head) if state is not None else {}
    waiting = [case for case in cases if case.name not in known]
    options = options._replace(confirmations=_CONFIRMATIONS)
    chunk: Sequence[Case] = ()

    def keep(outcomes: Mapping[int, Outcome]) -> None:
        for case, outcome in ((chunk[at], outcome) for at, outcome in outcomes.items()):
            reason = "" if outcome.verdict == "equal" else outcome.reason
            fields = case.operation, case.type, outcome.verdict, outcome.cause, reason, case.where
            known[case.name] = Result(case.name, *fields)
        if state is not None:
            lines = [json.dumps(head), *(json.dumps(each) for each in known.values())]
            write_whole(state, ("\n".join(lines).encode(), b"\n"))

    size = _CHUNK if executor is None else 8 * _TASK
    try:
        for start in range(0, len(waiting), size):
            chunk = waiting[start : start + size]
            if executor is None:
                keep(dict(enumerate(run_trials([case.trial for case in chunk], options))))
            else:
                keep(dict(enumerate(_run_elsewhere(chunk, options, executor))))
            progress(len(cases) - len(waiting) + start + len(chunk), len(cases))
    except KeyboardInterrupt as stop:
        outcomes = stop.known if isinstance(stop, Interrupted) else {}
        # What differs is not confirmed yet.
        keep({at: outcome for at, outcome in outcomes.items() if outcome.verdict != "different"})
        return [known[case.name] for case in cases if case.name in known], False
    return [known[case.name] for case in cases], True


def _run_elsewhere(cases: Sequence[Case], options: CrosscheckOptions, executor: Executor) -> list[Outcome]:
    """The outcomes of ``cases`` by the workers of ``executor``; WorkerError if it gives up."""
    trials = [case.trial() for case in cases]
    groups = (trials[start : start + _TASK] for start in range(0, len(trials), _TASK))
    tasks = [executor.submit(run_trials, group, options) for group in groups]
    try:
        return [outcome for task in tasks for outcome in task.result()]
    except UnavailableError:
        raise
    except Exception as error:  # of any library
        raise WorkerError(f"the executor gave up a task of {cases[0].name}: {error!r}") from error


def _load(path: str, head: Mapping[str, object]) -> dict[str, Result]:
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return {}
    try:
        own, *rest = map(json.loads, lines)
        results = [Result(*each) for each in rest]
    except (ValueError, TypeError) as error:
        raise ConfigurationError(f"{path} does not hold results of conformance: {error}") from error
    if own != head:
        raise ConfigurationError(f"{path} holds results of {_words(own)}, not of {_words(head)}: name another file")
    return {each.name: each for each in results}


def _words(head: object) -> str:
    pairs: Iterable[tuple[object, object]] = head.items() if isinstance(head, Mapping) else ()
    return ", ".join(f"{name} {value}" for name, value in pairs) or "another program"
