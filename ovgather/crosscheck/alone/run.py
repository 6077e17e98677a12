"""Trials run in a runtime's worker processes, and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy

from ovgather.crosscheck.confirm import Run, ask
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.tolerance import Tolerance
from ovgather.crosscheck.verdict.judge import excused, judge, judge_error, named
from ovgather.crosscheck.verdict.openvino_crashes import known_crash
from ovgather.runtimes import pool, wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.outcome import Outcome, error_of, with_notes
from ovgather.runtimes.trial import Trial
from ovgather.runtimes.wire import from_wire

TrialSource = Trial | Callable[[], Trial]
"""A trial, or what makes the same one each time that it is called: many large ones need not be there at once."""


def run_trials(
    trials: Sequence[TrialSource],
    options: CrosscheckOptions = CrosscheckOptions(),  # noqa: B008 - it cannot be changed
    against: str = OPENVINO,
) -> list[Outcome]:
    """The outcome of each trial in the runtime ``against``, in order. Raises UnavailableError, Interrupted."""
    runs = [TrialRun(trial, against, options.device, tolerance=options.tolerance) for trial in trials]
    try:
        answers = ask(runs, options, options.command(against))
    except pool.Interrupted as stop:
        raise pool.Interrupted({at: named(outcomes)[0] for at, outcomes in stop.known.items()}) from None
    return [named(outcomes)[0] for outcomes in answers]


@dataclass
class TrialRun(Run):
    """A trial as a question to the worker."""

    layers = (None,)
    source: TrialSource
    against: str = OPENVINO
    device: str = "CPU"
    note: str = ""
    tolerance: Tolerance | None = None

    @property
    def trial(self) -> Trial:
        """The trial itself."""
        return self.source if isinstance(self.source, Trial) else self.source()

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        header, blobs = self.trial.frame()
        return {**header, "device": self.device}, blobs

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if "unsupported" in header:
            return [Outcome("skipped", f"{self.against}: {header['unsupported']}")]
        trial = self.trial
        if "error" in header:
            error = error_of(header)
            judged = judge_error if header["stage"] == "infer" else excused
            outcome = judged(trial.evidence(trial.data), error, self.against)
            return [self.noted(outcome)]
        try:
            got = from_wire(header["outputs"][0], blobs[0])
        except ValueError as error:
            return [Outcome("error", str(error), cause="error")]
        version = str(header["version"])
        if header.get("overwritten"):
            words = f"the runtime overwrites its input {' and '.join(header['overwritten'])}"
            return [self.noted(Outcome("different", words, elements=got.size, cause="input-overwritten"))]
        outcome = judge(
            trial.evidence(got),
            self.device,
            against=self.against,
            version=version,
            search=False,
            tolerance=self.tolerance,
        )
        return [self.noted(outcome)]

    def failed(self, failure: Failure) -> list[Outcome]:
        outcome = failure.outcome
        crash = known_crash(self.trial) if failure.verdict == "crash" and self.against == OPENVINO else None
        if crash is not None:
            outcome = with_notes(outcome._replace(cause=crash.key), f"a known crash: {crash.words}")
        return self.all(outcome)

    def in_runtime(self, name: str) -> TrialRun:
        return replace(self, against=name)

    def again(self) -> Sequence[Run]:
        return [self.warm_up(), self]

    def warm_up(self) -> TrialRun:
        """The same on other data: what is left of it shows in an output that is not written."""
        return replace(self, source=self._inverted)

    def _inverted(self) -> Trial:
        trial = self.trial
        if trial.data.dtype.hasobject or not trial.data.size:
            return trial
        inverse = ~numpy.frombuffer(trial.data.tobytes(), "u1")
        return trial._replace(data=inverse.view(trial.data.dtype).reshape(trial.data.shape))

    def noted(self, outcome: Outcome) -> Outcome:
        return outcome if outcome.verdict == "equal" else with_notes(outcome, str(self.trial), self.note)
