"""Probes in one standing worker: quick, and to be confirmed.

``run_trials`` starts a worker for every batch and believes it only when it has ended well. A search asks a hundred
times and ends with a trial that is run afresh, so it may believe a worker while it lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from ovgather.crosscheck.alone.run import TIMEOUT, TrialRun
from ovgather.runtimes import pool
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.trial import Trial

_SERVED = 512  # by one worker: what one case leaves behind in it may change the others


class Prober:
    """Outcomes of trials, from a worker that is replaced when it dies.

    Args:
        start: the command line of a worker; left out: that of the runtime ``against``.
    """

    def __init__(
        self,
        against: str = "openvino",
        device: str = "CPU",
        timeout: float = TIMEOUT,
        start: Sequence[str] | None = None,
    ) -> None:
        self.against = against
        self.device = device
        self.timeout = timeout
        self.start = start or pool.command(against)
        self.worker: pool.Worker | None = None
        self.served = 0

    def __enter__(self) -> Prober:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def __call__(self, trials: Sequence[Trial]) -> list[Outcome]:
        """The outcome of each trial."""
        return [self._ask(TrialRun(trial, self.against, self.device)) for trial in trials]

    def _ask(self, case: TrialRun) -> Outcome:
        if self.served == _SERVED:
            self._leave()
        if self.worker is None:
            self.worker = pool.started(self.start, self.device)
        self.served += 1
        reply = self.worker.ask(*case.request(), self.timeout)
        if isinstance(reply, pool.Failure):
            self._leave()
            return case.failed(reply)[0]
        return case.answered(*reply)[0]

    def _leave(self) -> None:
        if self.worker is not None:
            self.worker.__exit__()
        self.worker, self.served = None, 0
