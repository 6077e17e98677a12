"""A search with probes in one standing worker: quick, and to be confirmed.

``run_trials`` starts a worker for every batch and believes it only when it has ended well. A search asks a hundred
times and ends with a trial that is run afresh, so it may believe a worker while it lives.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.crosscheck.alone.run import TrialRun, run_trials
from ovgather.crosscheck.confirm import ask
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.reduce.search import Progress, Reduction, Signature, reduce_trial
from ovgather.crosscheck.report import worst
from ovgather.crosscheck.verdict.judge import named
from ovgather.runtimes.child import Failure, Worker, started
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.trial import Trial

CONFIRMATIONS = 1  # of a difference; enough to tell a steady one from one left to chance
INFERENCES = 25  # of one process, for a failure that shows in some of them only
_SERVED = 512  # by one worker: what one case leaves behind in it may change the others


def command(options: CrosscheckOptions, against: str) -> Sequence[str]:
    """What starts the worker."""
    return options.command(against)


class Prober:
    """Outcomes of trials in the runtime ``against``, from a worker that is replaced when it dies."""

    def __init__(
        self,
        options: CrosscheckOptions = CrosscheckOptions(),  # noqa: B008 - it cannot be changed
        against: str = OPENVINO,
    ) -> None:
        self.options = options
        self.against = against
        self.worker: Worker | None = None
        self.served = 0

    def __enter__(self) -> Prober:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def __call__(self, trials: Sequence[Trial]) -> list[Outcome]:
        """The outcome of each trial."""
        return [self._ask(TrialRun(trial, self.against, self.options.device)) for trial in trials]

    def _ask(self, case: TrialRun) -> Outcome:
        if self.served == _SERVED:
            self._leave()
        if self.worker is None:
            self.worker = started(command(self.options, self.against), self.options.device)
        self.served += 1
        reply = self.worker.ask(*case.request(), self.options.timeout)
        if isinstance(reply, Failure):
            self._leave()
            return case.failed(reply)[0]
        return named(case.answered(*reply))[0]

    def _leave(self) -> None:
        if self.worker is not None:
            self.worker.__exit__()
        self.worker, self.served = None, 0


def reduce_in_runtime(
    trial: Trial,
    wanted: Signature,
    options: CrosscheckOptions,
    against: str = OPENVINO,
    progress: Progress = lambda probes, smallest: None,
) -> Reduction:
    """The smallest trial found that fails as ``trial`` does in a runtime; see ``search.reduce_trial``."""
    options = options._replace(confirmations=CONFIRMATIONS)

    def run(trials: Sequence[Trial]) -> list[Outcome]:
        return run_trials(trials, options, against)

    def repeat(trials: Sequence[Trial]) -> list[Outcome]:
        return [repeated(trial, options, against) for trial in trials]

    with Prober(options, against) as probe:
        return reduce_trial(trial, run, wanted, probe, progress, repeat)


def repeated(trial: Trial, options: CrosscheckOptions, against: str = OPENVINO) -> Outcome:
    """The worst outcome of many inferences of one compiled model; each third one is on other data."""
    run = TrialRun(trial, against, options.device)
    cases = [run.warm_up() if number % 3 == 2 else run for number in range(INFERENCES)]
    answers = ask(cases, options._replace(confirmations=0), command(options, against))
    outcome = worst(each for number, (each,) in enumerate(answers) if number % 3 != 2)
    return outcome._replace(cause="unsteady") if outcome.verdict == "different" else outcome
