"""Trials run in a runtime's worker processes, and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy

from ovgather.crosscheck.confirm import Run, ask
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions, Tolerance
from ovgather.crosscheck.verdict.judge import excused, judge, judge_error, named
from ovgather.crosscheck.verdict.known_deviations import known_crash
from ovgather.runtimes import pool, wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.onnx_model import refusal
from ovgather.runtimes.outcome import Evidence, Outcome, error_of, with_notes
from ovgather.runtimes.trial import Trial


@dataclass
class TextRun(Run):
    """A model of OpenVINO with one layer to judge: ``evidence`` is what flows through it, by the answer."""

    layers = (None,)
    frame: wire.Frame
    evidence: Callable[[wire.Header, list[bytearray]], Evidence]
    device: str = "CPU"
    tolerance: Tolerance | None = None
    search: bool = False

    def request(self) -> wire.Frame:
        return self.frame

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if "error" in header:
            return [error_of(header)]
        how: dict[str, Any] = {"search": self.search, "tolerance": self.tolerance}
        return [judge(self.evidence(header, blobs), self.device, version=str(header["version"]), **how)]


def run_trials(
    trials: Sequence[Trial | Callable[[], Trial]],
    options: CrosscheckOptions = CrosscheckOptions(),  # noqa: B008 - it cannot be changed
    against: str = OPENVINO,
) -> list[Outcome]:
    """The outcome of each trial in the runtime ``against``, in order. Raises UnavailableError, Interrupted."""
    try:
        answers = ask(runs_of(trials, options, against), options, against)
    except pool.Interrupted as stop:
        raise pool.Interrupted({at: named(outcomes)[0] for at, outcomes in stop.known.items()}) from None
    return [named(outcomes)[0] for outcomes in answers]


@dataclass
class TrialRun(Run):
    """A trial, or what makes the same one each time, as a question to the worker.

    Many large trials need not be there at once. Of a node of an ONNX file it is a ``NodeTrial``.
    """

    layers = (None,)
    source: Any
    against: str = OPENVINO
    device: str = "CPU"
    note: str = ""
    tolerance: Tolerance | None = None

    @property
    def trial(self) -> Trial:
        """The trial itself, or the like of it."""
        trial: Trial = self.source() if callable(self.source) else self.source
        return trial

    def request(self) -> wire.Frame:
        header, blobs = self.trial.frame()
        return {**header, "device": self.device}, blobs

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        trial, outcome = self.trial, refusal(header, self.against)
        is_node = trial.placement is None
        if outcome is not None and outcome.verdict == "skipped":
            return [outcome if is_node else outcome._replace(cause="")]
        if outcome is not None:
            # ONNX Runtime may look at constant indices as it loads.
            judged = judge_error if is_node or header["stage"] == "infer" else excused
            return [self.noted(judged(trial.evidence(trial.data), outcome, self.against))]
        try:
            got = wire.from_wire(header["outputs"][0], blobs[0])
        except ValueError as error:
            return [Outcome("error", str(error), cause="error")]
        if header.get("overwritten"):
            words = f"the runtime overwrites its input {' and '.join(header['overwritten'])}"
            return [self.noted(Outcome("different", words, elements=got.size, cause="input-overwritten"))]
        how: dict[str, Any] = {"version": str(header["version"]), "search": False, "tolerance": self.tolerance}
        return [self.noted(judge(trial.evidence(got), self.device, against=self.against, **how))]

    def failed(self, failure: Failure) -> list[Outcome]:
        outcome = failure.outcome
        crash = known_crash(self.trial) if failure.verdict == "crash" and self.against == OPENVINO else None
        if crash is not None:
            outcome = with_notes(outcome._replace(cause=crash[0]), f"a known crash: {crash[1]}")
        return [self.noted(outcome)]

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


def runs_of(trials: Sequence[Trial | Callable[[], Trial]], options: CrosscheckOptions, against: str) -> list[TrialRun]:
    """The runs of trials in a runtime."""
    return [TrialRun(each, against, options.device, tolerance=options.tolerance) for each in trials]
