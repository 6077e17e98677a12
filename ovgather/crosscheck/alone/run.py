"""Trials run in a runtime's worker processes, and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy

from ovgather.crosscheck.confirm import ask
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.crosscheck.verdict.judge import excused, judge, judge_error
from ovgather.crosscheck.verdict.openvino_crashes import known_crash
from ovgather.runtimes import pool, wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.request import error_of, with_notes
from ovgather.runtimes.tensors_on_wire import from_wire
from ovgather.runtimes.trial import Trial

TrialSource = Trial | Callable[[], Trial]
"""A trial, or what makes the same one each time that it is called: many large ones need not be there at once."""


def run_trials(
    trials: Sequence[TrialSource],
    options: CrosscheckOptions = CrosscheckOptions(),  # noqa: B008 - it cannot be changed
    against: str = OPENVINO,
) -> list[Outcome]:
    """The outcome of each trial in the runtime ``against``, in order. Raises UnavailableError, Interrupted."""
    runs = [TrialRun(trial, against, options.device) for trial in trials]
    try:
        answers = ask(runs, options, options.start or pool.command(against))
    except pool.Interrupted as stop:
        raise pool.Interrupted({at: outcomes[0] for at, outcomes in stop.known.items()}) from None
    return [outcomes[0] for outcomes in answers]


class TrialRun(NamedTuple):
    """A trial as a question to the worker; see ``pool.Case``."""

    source: TrialSource
    against: str = OPENVINO
    device: str = "CPU"
    note: str = ""

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
            return [outcome if outcome.verdict == "equal" else self._noted(outcome)]
        try:
            got = from_wire(header["outputs"][0], blobs[0])
        except ValueError as error:
            return [Outcome("error", str(error), cause="error")]
        outcome = judge(trial.evidence(got), self.device, against=self.against, version=header["version"])
        return [outcome if outcome.verdict == "equal" else self._noted(outcome)]

    def failed(self, failure: Failure) -> list[Outcome]:
        """The outcome when there is no answer."""
        outcome = failure.outcome
        known = known_crash(self.trial) if failure.verdict == "crash" and self.against == OPENVINO else None
        if known is not None:
            outcome = with_notes(outcome._replace(cause=known.key), f"a known crash: {known.words}")
        return [self._noted(outcome)]

    def in_runtime(self, name: str) -> TrialRun:
        """The same in another runtime."""
        return self._replace(against=name)

    def warm_up(self) -> TrialRun:
        """The same on other data: what is left of it shows in an output that is not written."""
        return self._replace(source=self._inverted)

    def _inverted(self) -> Trial:
        trial = self.trial
        if trial.data.dtype.hasobject or not trial.data.size:
            return trial
        data = trial.data if trial.data.flags.c_contiguous else trial.data.copy()
        return trial._replace(data=numpy.frombuffer(_inverse(data.tobytes()), data.dtype).reshape(data.shape))

    def _noted(self, outcome: Outcome) -> Outcome:
        return with_notes(outcome, str(self.trial), self.note)


def _inverse(data: bytes) -> bytes:
    return bytes(255 - byte for byte in data)
