"""Runs of both models of a pair, which give back what flowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from ovgather.crosscheck.in_model import plan as ir_in_model
from ovgather.crosscheck.onnx.in_model import ModelRun
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.runtimes import pool, tensors_on_wire, wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.onnx_model import refusal
from ovgather.runtimes.outcome import Evidence, Outcome

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

ONNXRUNTIME = "onnxruntime"
Answer = TypeVar("Answer")


class Reading(Generic[Answer]):
    """A request to a runtime, and what its answer is read as; see ``pool.Case``."""

    def __init__(
        self,
        runtime: str,
        request: Callable[[], tuple[wire.Header, list[wire.Blob]]],
        read: Callable[[wire.Header, list[bytearray]], list[Answer]],
    ) -> None:
        self.runtime = runtime
        self.request = request
        self.read = read

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Answer] | Outcome:
        """What was read, or why there is nothing."""
        if (failed := refusal(header, self.runtime)) is not None:
            return failed
        try:
            return self.read(header, blobs)
        except ValueError as error:
            return Outcome("skipped", str(error))


def onnx_evidence(run: ModelRun) -> Reading[Evidence]:
    """What flows through each node of the ONNX file."""
    return Reading(ONNXRUNTIME, run.request, run.evidence)


def onnx_values(run: ModelRun, names: list[str]) -> Reading[Array | None]:
    """Values of the ONNX model by name; None for one that cannot be read."""
    return Reading(
        ONNXRUNTIME, lambda: run.request_for(names), lambda *frame: _values(tensors_on_wire.onnx_from_wire, *frame)
    )


def ir_evidence(run: ir_in_model.ModelRun) -> Reading[tuple[Evidence, str]]:
    """What flows through each layer of the IR, with the version of OpenVINO."""

    def read(header: wire.Header, blobs: list[bytearray]) -> list[tuple[Evidence, str]]:
        return [(layer.evidence(header["outputs"], blobs), str(header["version"])) for layer in run.layers]

    return Reading(OPENVINO, run.request, read)


def ir_values(run: ir_in_model.ModelRun) -> Reading[Array | None]:
    """What the points of a run give; None for what cannot be read."""
    return Reading(OPENVINO, run.request, lambda *frame: _values(tensors_on_wire.from_wire, *frame))


def _values(
    reader: Callable[[wire.Header, wire.Blob], Array], header: wire.Header, blobs: list[bytearray]
) -> list[Array | None]:
    arrays: list[Array | None] = []
    for tensor, blob in zip(header["outputs"], blobs, strict=True):
        try:
            arrays.append(reader(tensor, blob))
        except ValueError:
            arrays.append(None)
    return arrays


def answers(readings: Sequence[Reading[Answer]], options: CrosscheckOptions) -> list[list[Answer] | Outcome]:
    """What each of the readings, all of one runtime, gives, or the outcome where no answer came.

    Raises:
        UnavailableError: the runtime is not installed, or has no such device.
    """
    runtime = readings[0].runtime
    start = pool.command(runtime) if runtime != OPENVINO else None
    replies = pool.run(readings, timeout=options.timeout, device=options.device_of(runtime), start=start)
    return [reply.outcome if isinstance(reply, Failure) else reply for reply in replies]


def flowed(
    whole: Reading[Answer], parts: Sequence[Reading[Answer]], options: CrosscheckOptions
) -> list[Answer | Outcome]:
    """For each node what flowed through it: in the whole, and where that fails in the part that it needs."""
    (answer,) = answers([whole], options)
    if not isinstance(answer, Outcome):
        return list(answer)
    if len(parts) < 2:
        return [answer]
    return [each if isinstance(each, Outcome) else each[0] for each in answers(parts, options)]
