"""A search with probes in one standing worker, believed while it lives: the search ends with a trial that is run
afresh, by ``confirm.ask``, which starts a worker for every batch."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy

from ovgather.comparison.alone.dims import resized
from ovgather.comparison.alone.run import TrialRun, inverted
from ovgather.comparison.confirm import Run, ask
from ovgather.comparison.options import OPENVINO, CrosscheckOptions
from ovgather.comparison.reduce.search import (
    Progress,
    Reduction,
    Signature,
    is_defined,
    reduce_trial,
)
from ovgather.comparison.report import worst
from ovgather.comparison.verdict.known_deviations import may_deviate
from ovgather.runtimes.child import Failure, Worker, started
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.trial import Trial

# of a difference; enough to tell a steady one from one left to chance
CONFIRMATIONS = 1
INFERENCES = 25  # of one process, for a failure that shows in some of them only
SECONDS = 120.0
"""Of a search; a step that has begun goes on."""
_SERVED = 512  # by one worker: what one case leaves behind in it may change the others


@dataclass
class Prober(AbstractContextManager["Prober"]):
    """Outcomes of trials in the runtime ``against``, from a worker that is replaced when it dies."""

    options: CrosscheckOptions
    against: str = OPENVINO
    end: float = field(default_factory=lambda: time.monotonic() + SECONDS)
    """When no further step should begin."""
    worker: Worker | None = None
    served: int = 0

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.end

    def __exit__(self, *_: object) -> None:
        if self.worker is not None:
            self.worker.__exit__()
        self.worker = None
        self.served = 0

    def __call__(self, trials: Sequence[Trial]) -> list[Outcome]:
        runs = (TrialRun(trial, self.options, self.against) for trial in trials)
        return [outcome for run in runs for outcome in self.outcomes(run)]

    def outcomes(self, run: Run) -> list[Outcome]:
        """The outcomes of the layers of a run."""
        if self.served == _SERVED:
            self.__exit__()
        if self.worker is None:
            self.worker = started(
                self.options.command(self.against), self.options.device
            )
        self.served += 1
        reply = self.worker.ask(*run.request(), self.options.timeout)
        if isinstance(reply, Failure):
            self.__exit__()
            return run.failed(reply)
        return run.answered(*reply)


def reduce_in_runtime(
    trial: Trial,
    wanted: Signature,
    options: CrosscheckOptions,
    against: str,
    progress: Progress,
) -> Reduction:
    """The smallest trial found that fails as ``trial`` does in a runtime; see ``search.reduce_trial``."""
    how = options._replace(confirmations=CONFIRMATIONS), against

    def repeat(between: str, trials: Sequence[Trial]) -> list[Outcome]:
        return [_repeated(each, between, *how) for each in trials]

    with Prober(options.after(wanted.verdict), against) as probe:
        return reduce_trial(
            trial,
            lambda trials: run_afresh(trials, *how),
            wanted,
            probe,
            progress,
            repeat,
            time.monotonic() + SECONDS,
        )


def run_afresh(
    trials: Sequence[Trial], options: CrosscheckOptions, against: str
) -> list[Outcome]:
    """The outcome of each trial in new workers, with no cause yet."""
    return [
        outcome
        for (outcome,) in ask([TrialRun(trial, options, against) for trial in trials])
    ]


def _repeated(
    trial: Trial, between: str, options: CrosscheckOptions, against: str
) -> Outcome:
    """The worst outcome of many inferences of one compiled model, with ``other`` ones between."""
    change = other(trial, between)
    if change is None:
        return Outcome("skipped")
    trials = [change if number % 3 == 2 else trial for number in range(INFERENCES)]
    answers = run_afresh(trials, options._replace(confirmations=0), against)
    outcome = worst(each for number, each in enumerate(answers) if number % 3 != 2)
    if outcome.verdict == "equal" and is_exact(change):
        outcome = worst(answers[2::3])
        if (
            outcome.verdict == "different"
            and run_afresh([change], options, against)[0].verdict != "equal"
        ):
            return Outcome("skipped")  # it is another failure
    if outcome.verdict == "different":
        return outcome._replace(cause="unsteady")
    return outcome


def other(trial: Trial, between: str) -> Trial | None:
    """What runs between the inferences of ``trial``, on ``OTHERS``; None where the model takes no such shapes."""
    if between == "data" and "data" not in trial.placement.constants:
        return inverted(trial)
    if between == "indices" and "indices" not in trial.placement.constants:
        return trial._replace(indices=numpy.flip(trial.indices))
    if (
        trial.placement.static
        or trial.placement.constants
        or 0 in trial.data.shape + trial.indices.shape
    ):
        return None
    return resized(
        trial,
        lambda length: sorted([*range(length)] * 2) if between == "larger" else [0],
    )


def is_exact(trial: Trial) -> bool:
    """Whether every bit of the output is known: it is defined, and no known deviation shows."""
    return is_defined(trial) and not may_deviate(trial.evidence(trial.want()))
