"""The request to a worker and the words for its answer, shared by both ways to run a layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.tensors_on_wire import to_wire
from ovgather.tensor.element_type import ElementType

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

UNRUNNABLE = frozenset({"u1", "u2", "u3", "u6", "nf4", "f4e2m1"})  # refused, or damaging, as data
_MESSAGE = 600  # characters of OpenVINO's message that are kept


class Skip(Exception):
    """The layer is not run this way; the message says why. The verdict is ``error`` where the file is to blame."""

    def __init__(self, reason: str, verdict: str = "skipped") -> None:
        super().__init__(reason)
        self.outcome = Outcome(verdict, reason, cause="error" if verdict == "error" else "")


class Text(NamedTuple):
    """An IR for the worker: its text, and its weights as bytes or as a path."""

    text: bytes
    weights: wire.Blob = b""
    weights_path: str | None = None


def request(
    model: Text,
    inputs: Sequence[Sequence[tuple[ElementType, Array]]],
    outputs: Sequence[str],
    device: str,
    shapes: Sequence[Sequence[int]] | None = None,
    *,
    inner: Sequence[Any] = (),
    changed: Sequence[bool] = (False,),
) -> wire.Frame:
    """The frame that asks for the Results called ``outputs``, once for each set of ``inputs``.

    ``shapes`` are new ones for the Parameters, ``inner`` Results that are added to what leaves bodies. An inference on
    ``changed`` inputs may fail.
    """
    tensors = [[to_wire(array, element_type) for element_type, array in some] for some in inputs]
    header = {
        "device": device,
        "inputs": [[header for header, _ in some] for some in tensors],
        "changed": list(changed),
        "outputs": list(outputs),
        "inner": list(inner),
        "shapes": shapes,
        "weights": model.weights_path,
    }
    return header, [model.text, model.weights, *(blob for some in tensors for _, blob in some)]


def error_of(header: wire.Header) -> Outcome:
    """The runtime's exception, without the source lines that its message starts with."""
    lines = [line.strip() for line in str(header["error"]).splitlines()]
    words = " ".join(line for line in lines if line and not line.startswith("Exception from "))
    message = (words or str(header["error"]))[:_MESSAGE]
    return Outcome("error", f"{header['title']} in {header['stage']}: {message}", cause="error")


def with_notes(outcome: Outcome, *notes: str) -> Outcome:
    """The outcome with more in its reason; empty notes say nothing."""
    return outcome._replace(reason="; ".join(filter(None, (outcome.reason, *notes))))
