"""Runs of both models of a pair, which give back what flowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ovgather.crosscheck.in_model import plan as ir_in_model
from ovgather.crosscheck.onnx.in_model import ModelRun
from ovgather.crosscheck.onnx.verdict import evidence_of
from ovgather.runtimes import pool, wire
from ovgather.runtimes.onnx import worker
from ovgather.runtimes.onnx.request import refusal
from ovgather.runtimes.onnx.tensors import from_wire
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.request import error_of
from ovgather.runtimes.tensors_on_wire import from_wire as from_openvino

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

OPENVINO = "openvino"
Answer = TypeVar("Answer")


def asked(cases: Sequence[pool.Case[Answer]], runtime: str, device: str, timeout: float) -> list[Answer | Outcome]:
    """The answer to each case, or the outcome where none came.

    Raises:
        UnavailableError: the runtime is not installed, or has no such device.
    """
    start = worker.command(runtime) if runtime != OPENVINO else None
    found: list[Answer | Outcome] = []
    for answer in pool.run(cases, timeout=timeout, device=device, start=start):
        if isinstance(answer, pool.Failure):
            found.append(Outcome(answer.verdict, answer.reason, cause=answer.cause or answer.verdict))
        else:
            found.append(answer)
    return found


def flowed(
    whole: pool.Case[list[Answer] | Outcome],
    parts: Sequence[pool.Case[list[Answer] | Outcome]],
    runtime: str,
    device: str,
    timeout: float,
) -> list[Answer | Outcome]:
    """For each node what flowed through it: in the whole, and where that fails in the part that it needs."""
    (answer,) = asked([whole], runtime, device, timeout)
    if not isinstance(answer, Outcome):
        return list(answer)
    if len(parts) < 2:
        return [answer]
    return [each if isinstance(each, Outcome) else each[0] for each in asked(parts, runtime, device, timeout)]


class OnnxRun(NamedTuple):
    """The ONNX file's side of a run; see ``pool.Case``."""

    run: ModelRun

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        return self.run.request()

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Evidence] | Outcome:
        """What flowed through each node, or why there is nothing."""
        if (failed := refusal(header, self.run.against)) is not None:
            return failed
        tensors = zip(self.run.outputs, header["outputs"], blobs, strict=True)
        try:
            values = {name: from_wire(tensor, blob) for name, tensor, blob in tensors}
        except ValueError as error:
            return Outcome("skipped", str(error))
        return [evidence_of(node.node, *node.arguments(values), values[node.output]) for node in self.run.nodes]


class OnnxValues(NamedTuple):
    """Values of the ONNX model, by name; see ``pool.Case``."""

    run: ModelRun
    names: list[str]

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        return self.run.asking(self.names)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Array | None] | Outcome:
        """Each value; None for one that cannot be read."""
        if (failed := refusal(header, self.run.against)) is not None:
            return failed
        return [_read(from_wire, *each) for each in zip(header["outputs"], blobs, strict=True)]


class IrRun(NamedTuple):
    """The IR's side of a run; see ``pool.Case``."""

    run: ir_in_model.ModelRun

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        return self.run.request()

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[tuple[Evidence, str]] | Outcome:
        """What flowed through each layer, with the version of OpenVINO, or why there is nothing."""
        if "error" in header:
            return Outcome(*error_of(header), cause="error")
        try:
            return [(layer.evidence(header["outputs"], blobs), str(header["version"])) for layer in self.run.layers]
        except ValueError as error:
            return Outcome("skipped", str(error))


class IrValues(NamedTuple):
    """What the points of a run give; see ``pool.Case``."""

    run: ir_in_model.ModelRun

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        return self.run.request()

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Array | None] | Outcome:
        """Each value; None for one that cannot be read."""
        if "error" in header:
            return Outcome(*error_of(header), cause="error")
        return [_read(from_openvino, *each) for each in zip(header["outputs"], blobs, strict=True)]


def _read(reader: Callable[[wire.Header, wire.Blob], Array], header: wire.Header, blob: bytearray) -> Array | None:
    try:
        return reader(header, blob)
    except ValueError:
        return None
