"""Trials run in a runtime's worker processes, and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ovgather.crosscheck.confirm import CONFIRMATIONS, ask
from ovgather.crosscheck.verdict.judge import judge
from ovgather.crosscheck.verdict.onnx_reference_errors import weakness
from ovgather.crosscheck.verdict.openvino_crashes import known_crash
from ovgather.errors import OvgatherError
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.pool import Failure, Interrupted
from ovgather.runtimes.request import error_of, with_notes
from ovgather.runtimes.tensors_on_wire import from_wire
from ovgather.runtimes.trial import Trial

TIMEOUT = 120.0

Made = Trial | Callable[[], Trial]
"""A trial, or what makes the same one each time that it is called: many large ones need not be there at once."""


def run_trials(
    trials: Sequence[Made],
    *,
    against: str = "openvino",
    device: str = "CPU",
    timeout: float = TIMEOUT,
    start: Sequence[str] | None = None,
    confirmations: int = CONFIRMATIONS,
    progress: Callable[[int], None] | None = None,
) -> list[Outcome]:
    """The outcome of each trial, in order.

    Args:
        against: the runtime, a name of ``runtimes.names()``.
        device: what OpenVINO runs on.
        timeout: seconds that one trial may take.
        start: the command line of a worker, to run another runtime than ``against``; see ``worker.serve``.
        confirmations: how often a difference is looked at again, in another process: one that changes is unsteady.
        progress: called with the number of trials that have an answer now.

    Raises:
        UnavailableError: the runtime is not installed, or has no such device.
        Interrupted: the user pressed Ctrl-C; it holds the outcomes known so far.
    """
    cases = [TrialRun(made, against, device) for made in trials]
    try:
        found = ask(
            cases,
            runtime=against,
            device=device,
            timeout=timeout,
            start=start,
            confirmations=confirmations,
            progress=progress,
        )
    except Interrupted as stop:
        raise Interrupted({at: outcomes[0] for at, outcomes in stop.known.items()}) from None
    return [outcomes[0] for outcomes in found]


class TrialRun(NamedTuple):
    """A trial as a question to the worker; see ``pool.Case``."""

    made: Made
    against: str = "openvino"
    device: str = "CPU"
    note: str = ""

    @property
    def trial(self) -> Trial:
        """The trial itself."""
        return self.made if isinstance(self.made, Trial) else self.made()

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        header, blobs = self.trial.frame()
        return {**header, "device": self.device}, blobs

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        """See ``pool.Case``."""
        if "unsupported" in header:
            return [Outcome("skipped", f"{self.against}: {header['unsupported']}")]
        if "error" in header:
            error = Outcome(*error_of(header), cause="error")
            return [self._refused(header) or self._noted(self._excused(error))]
        try:
            got = from_wire(header["outputs"][0], blobs[0])
        except ValueError as error:
            return [Outcome("error", str(error), cause="error")]
        trial = self.trial
        evidence = Evidence(
            trial.operation,
            trial.data,
            trial.indices,
            trial.axis or 0,
            trial.batch_dims,
            got,
            trial.placement.constants,
        )
        outcome = judge(evidence, self.device, against=self.against, version=header["version"])
        return [outcome if outcome.verdict == "equal" else self._noted(self._excused(outcome))]

    def _excused(self, outcome: Outcome) -> Outcome:
        """What the witness is known to get wrong is no news."""
        known = weakness(self.trial) if self.against == "onnx-reference" else None
        if known is None:
            return outcome
        words = f"{known.reason} [{known.source}]"
        return with_notes(outcome._replace(verdict="known", cause=known.key, reason=words), outcome.reason)

    def _refused(self, header: wire.Header) -> Outcome | None:
        """The outcome when runtime and reference agree that the values are not legal."""
        if header["stage"] == "infer":
            try:
                self.trial.want()
            except OvgatherError as error:
                return Outcome("equal", f"both refuse the values: {error}", cause="refused")
        return None

    def failed(self, failure: Failure) -> list[Outcome]:
        """The outcome when there is no answer."""
        outcome = Outcome(failure.verdict, failure.reason, cause=failure.cause or failure.verdict)
        known = known_crash(self.trial) if failure.verdict == "crash" and self.against == "openvino" else None
        if known is not None:
            outcome = with_notes(outcome._replace(cause=known.key), f"a known crash: {known.words}")
        return [self._noted(outcome)]

    def warm_up(self) -> TrialRun:
        """The same on other data: what is left of it shows in an output that is not written."""
        return self._replace(made=self._inverted)

    def _inverted(self) -> Trial:
        import numpy

        trial = self.trial
        if trial.data.dtype.hasobject or not trial.data.size:
            return trial
        data = trial.data if trial.data.flags.c_contiguous else trial.data.copy()
        return trial._replace(data=numpy.frombuffer(_inverse(data.tobytes()), data.dtype).reshape(data.shape))

    def _noted(self, outcome: Outcome) -> Outcome:
        return with_notes(outcome, str(self.trial), self.note)


def _inverse(data: bytes) -> bytes:
    return bytes(255 - byte for byte in data)
