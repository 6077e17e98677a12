"""Smaller and smaller trials that fail in the same way: the steps of ``dims`` and ``plainer``, the boldest first, tried
in batches until no step that makes the trial smaller keeps the failure."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice, takewhile
from math import inf
from typing import NamedTuple

from ovgather.comparison.alone.dims import focused, shorter
from ovgather.comparison.options import Tolerance
from ovgather.comparison.reduce.plainer import plainer, plainer_forms, weight
from ovgather.comparison.verdict.fault_models import FACTS, WITHHELD
from ovgather.comparison.verdict.judge import named
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import END, Outcome
from ovgather.runtimes.trial import Trial
from ovgather.runtimes.wire import Text
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape

Run = Callable[[Sequence[Trial]], Sequence[Outcome]]
Repeat = Callable[[str, Sequence[Trial]], Sequence[Outcome]]
Progress = Callable[[int, Trial], None]
_Step = Callable[[Trial], Iterable[Trial]]

_BATCH = 32
_TRIES = 2  # how often a failure that comes and goes is tried
_CONFIRMATIONS = 3
_MOST_PROBES = 4000
_SECONDS = (
    60.0  # of a search for what is left to chance, where each try costs a process
)
_LEFT_TO_CHANCE = ("unsteady", "damaging-type")
OTHERS = ("data", "indices", "larger", "smaller")
"""What inferences between those of a trial may differ in."""
_CHANCE = ("unsteady", *WITHHELD)  # causes of memory that is not its own
# No matter of which values are wrong.
_FACTS = (
    "unsteady",
    "input-overwritten",
    *FACTS,
)


class NotReproducedError(OvgatherError):
    """The failure did not come again: the message says what came instead."""


class Signature(NamedTuple):
    """What must stay the same while a trial shrinks; the cause of an error is the step in which it came."""

    verdict: str
    cause: str

    def __str__(self) -> str:
        if self.cause:
            return f"{self.verdict} ({self.cause})"
        return self.verdict


def signature(outcome: Outcome) -> Signature:
    if outcome.verdict == "error":
        # The later inferences are told by their numbers, which a smaller case has others of.
        return Signature("error", outcome.stage.partition(" ")[0] or outcome.cause)
    # A damaged heap ends a process with one signal or another.
    if (
        outcome.verdict == "crash"
        and outcome.stage == END
        and outcome.cause.startswith("SIG")
    ):
        return Signature("crash", "")
    return Signature(outcome.verdict, outcome.cause)


class Part(NamedTuple):
    """So many ``layers`` of a model in which one fails, with the inputs and right outputs of each inference."""

    model: Text
    inputs: Sequence[dict[str, Array]]
    expected: Sequence[dict[str, Array]]
    layers: int
    tolerance: Tolerance | None


class Reduction(NamedTuple):
    """The smallest trial, found with so many ``probes``; at the end it failed ``failures`` times out of ``runs``."""

    trial: Trial
    outcome: Outcome
    signature: Signature
    before: Trial
    probes: int
    failures: int
    runs: int
    repeated: str = ""
    """What the inferences between differ in (``OTHERS``) where it shows only in some of many."""
    part: Part | None = None
    """The part of the model in which the trial fails where it does not fail alone."""
    problem: str = ""
    """Why it was not made smaller."""

    @property
    def model(self) -> Text:
        """The model that fails: the part, or the trial's own."""
        if self.part is None:
            return self.trial.model()
        return self.part.model


def reduce_trial(
    trial: Trial,
    run: Run,
    wanted: Signature,
    probe: Run,
    progress: Progress,
    repeat: Repeat,
    end: float = inf,
) -> Reduction:
    """The smallest trial found that fails as ``wanted``, like ``trial``. Raises NotReproducedError.

    ``run`` gives the outcomes of trials, ``probe`` does so quickly; what it finds is confirmed by ``run``. A failure
    that comes and goes, or that shows at the end of a process, is left to ``run``; one that needs many inferences in
    one process to ``repeat``. Where no cause is known any wrong value is the failure, and where values are too few to
    name one a known cause is believed. ``progress`` gets the number of probes and the smallest trial, each time that
    there is a smaller one, and no step is begun behind ``end``. A trial that the specification defines stays one.
    """
    search = _Search(run, probe, wanted, progress, repeat, deadline=end)
    search.start(trial)
    while sum(
        search.settle(step) for step in (search.focus, shorter, plainer, plainer_forms)
    ):  # each of them
        pass
    return search.end(trial)


@dataclass
class _Search:
    """The smallest failing trial so far, and all that led to it; ``causes`` count as the one that is wanted."""

    run: Run
    probe: Run
    wanted: Signature
    progress: Progress
    repeat: Repeat
    repeated: str = ""
    either: bool = False  # wrong values or a crash
    causes: tuple[str, ...] = ()
    tries: int = 1
    defined: bool = True
    probes: int = 0
    deadline: float = inf
    seen: set[int] = field(default_factory=set)
    history: list[tuple[Trial, Outcome]] = field(default_factory=list)

    def start(self, trial: Trial) -> None:
        """See that ``trial`` fails, and whether it does so each time."""
        outcomes = [
            named([outcome])[0] for outcome in self._count(self.run, [trial] * _TRIES)
        ]
        self.either = {
            self.wanted.verdict,
            *(outcome.verdict for outcome in outcomes),
        } >= {
            "crash",
            "different",
        }
        own = {
            outcome.cause for outcome in outcomes if outcome.verdict == "different"
        }.difference(_FACTS)
        if self.wanted.verdict == "different" and self.wanted.cause not in (
            *own,
            *_FACTS,
        ):
            self.causes = (*own, *WITHHELD)  # it was named by more runs than this one
        failures = [
            outcome for outcome in outcomes if self._fits(outcome)
        ] or self._repeated(trial)
        if not failures:
            signatures = ", ".join(
                dict.fromkeys(str(signature(outcome)) for outcome in outcomes)
            )
            raise NotReproducedError(
                f"the failure does not come again: wanted {self.wanted}, got {signatures}"
            )
        if len(failures) == len(outcomes):
            self.tries = 1
        else:
            self.tries = _TRIES
        first = failures[0]
        if self.tries > 1 or first.stage == END or first.cause in _LEFT_TO_CHANCE:
            self.probe = self.run
            self.deadline = min(self.deadline, time.monotonic() + _SECONDS)
        self.defined = is_defined(trial)
        self.history = [(trial, failures[0])]

    def _repeated(self, trial: Trial) -> list[Outcome]:
        """The failure in many inferences of one process, which are then the way to run all trials; else nothing."""
        for between in OTHERS:
            for outcome in self.repeat(between, [trial]):
                if outcome.verdict == self.wanted.verdict:
                    self.wanted = signature(outcome)
                    self.repeated = between
                    self.run = self.probe = partial(self.repeat, between)
                    return [outcome]
        return []

    def _fits(self, outcome: Outcome) -> bool:
        """Whether an outcome is the failure that is wanted; foreign memory gives wrong values or a crash."""
        other = {"crash": "different", "different": "crash"}.get(self.wanted.verdict)
        if outcome.verdict == other and self.either:
            return outcome.cause == "" or outcome.cause in _CHANCE
        if (
            outcome.verdict == self.wanted.verdict == "different"
            and self.wanted.cause in WITHHELD
        ):
            return outcome.cause not in _FACTS
        sign = signature(named([outcome])[0])
        return sign.verdict == self.wanted.verdict and sign.cause in (
            self.wanted.cause,
            *self.causes,
        )

    def focus(self, trial: Trial) -> Iterator[Trial]:
        first = self.history[-1][1].first
        if first is not None and (alone := focused(trial, first.at)) is not None:
            yield alone

    def settle(self, step: _Step) -> bool:
        """Take ``step`` as often as it makes the trial smaller; whether it did."""
        before = len(self.history)
        while self._may_go_on() and self._take(step):
            pass
        return len(self.history) > before

    def _may_go_on(self) -> bool:
        return self.probes < _MOST_PROBES and time.monotonic() < self.deadline

    def _take(self, step: _Step) -> bool:
        trial, outcome = self.history[-1]
        untried = self._untried(step(trial), weight(trial))
        # A batch costs a process, and so does each crash; a standing worker answers one by one as quickly, and what
        # takes many inferences or hangs is asked one by one.
        most = _BATCH
        if self.probe is not self.run or self.repeated or outcome.verdict == "timeout":
            most = 1
        size = 1 if outcome.verdict == "crash" else most
        while self._may_go_on() and (
            batch := list(islice(untried, max(1, size // self.tries)))
        ):
            size = min(most, 2 * size)
            batch = [trial for trial in batch for _ in range(self.tries)]
            pairs = zip(batch, self._count(self.probe, batch), strict=True)
            if failures := [pair for pair in pairs if self._fits(pair[1])]:
                self.history.append(min(failures, key=lambda pair: weight(pair[0])))
                self.progress(self.probes, self.history[-1][0])
                return True
        return False

    def _untried(
        self, trials: Iterable[Trial], limit: tuple[int, ...]
    ) -> Iterator[Trial]:
        for trial in trials:
            if (key := _key(trial)) in self.seen or weight(trial) >= limit:
                continue
            shapes = [
                PartialShape.of(array.shape) for array in (trial.data, trial.indices)
            ]
            if not trial.operation.check_and_infer(
                shapes, trial.axis, trial.batch_dims, trial.element_types
            )[0] and (is_defined(trial) or not self.defined):
                self.seen.add(key)
                yield trial

    def _count(self, run: Run, trials: list[Trial]) -> Sequence[Outcome]:
        self.probes += len(trials)
        return run(trials)

    def end(self, before: Trial) -> Reduction:
        """The smallest trial that fails again when it is run afresh; each time, if ``before`` does."""
        best: Reduction | None = None
        back = self.history[::-1]
        # Where the smallest does not fail again, larger and larger steps back; a hang takes all the time there is.
        steps = takewhile(len(back).__gt__, (2**power - 1 for power in count()))
        runs = 1 if self.wanted.verdict == "timeout" else _CONFIRMATIONS
        for trial, _ in [*map(back.__getitem__, steps), back[-1]]:
            failures = [
                each
                for each in self._count(self.run, [trial] * runs)
                if self._fits(each)
            ]
            often = self.probes, len(failures), runs
            if failures and (best is None or len(failures) > best.failures):
                best = Reduction(
                    trial, failures[0], self.wanted, before, *often, self.repeated
                )
            if best is not None and (self.tries > 1 or len(failures) == runs):
                return best
        if best is None:
            raise NotReproducedError(f"the failure does not come again: {self.wanted}")
        return best


def is_defined(trial: Trial) -> bool:
    """Whether the specification defines the output on these values."""
    if trial.evidence().is_undefined:
        return False
    try:
        trial.want()
    except OvgatherError:
        return False
    return True


def plain(element_type: ElementType, array: Array) -> Array:
    """``array`` as NumPy alone can hold it: other types as their bits, text as fixed-length text."""
    if element_type.name == "string":
        return array.astype("U")
    # Types narrower than a byte are stored as their codes, one a byte.
    if array.dtype.isbuiltin == 1:
        return array
    return bits(array)


def _key(trial: Trial) -> int:
    data = (
        str(trial.data.tolist())
        if trial.data.dtype.kind == "O"
        else bits(trial.data).tobytes()
    )
    values = (trial.data.shape, trial.indices.shape, data, trial.indices.tobytes())
    return hash(
        (trial.element_types, trial.axis, trial.batch_dims, trial.placement[:2], values)
    )
