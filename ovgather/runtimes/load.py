"""Files loaded, and models reshaped, by OpenVINO in a child process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.layers.shape_propagation import Shapes
from ovgather.runtimes import pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.tensor.shape import PartialShape

DEVICE = "CPU"
TIMEOUT = 300.0
STAGES = {"read": "read_model", "compile": "compile_model"}
"""How far to go, and the name of the call that does the last of it."""
_ADDED = ("Exception from ", "Check '")
_KEPT = 2000


class Complaint(NamedTuple):
    """A failure of OpenVINO: the ``stage`` is the call that failed.

    ``verdict`` is ``rejects``, ``crashes``, ``timeout``, or ``killed`` by something else, mostly for want of memory.
    """

    verdict: str
    stage: str
    message: str

    @property
    def openvino(self) -> str:
        """The verdict in the words of findings."""
        if self.verdict == "rejects" and self.stage == STAGES["compile"]:
            return "rejects_on_compile"
        return self.verdict if self.verdict in ("rejects", "crashes") else "undefined"


class Load(NamedTuple):
    """One file to load: by its ``path``, or (None) its ``text``; ``weights`` is the path of its ``.bin``, if given."""

    path: str | None
    text: bytes = b""
    weights: str | None = None
    until: str = "read"

    def request(self) -> wire.Frame:
        header = {"load": self.until, "path": self.path, "weights": self.weights, "device": DEVICE}
        return header, [self.text]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Complaint | None:
        """What OpenVINO said; None: nothing."""
        if "error" not in header:
            return None
        return Complaint("rejects", str(header["stage"]), own_words(str(header["error"])))


def load(cases: Sequence[Load], timeout: float = TIMEOUT) -> list[Complaint | None]:
    """What OpenVINO says of each file; a crash and the lack of an answer are complaints, too."""
    require("openvino")
    answers = pool.run(cases, timeout=timeout, device=DEVICE) if cases else []
    return [_complaint(answer) if isinstance(answer, Failure) else answer for answer in answers]


def _complaint(failure: Failure) -> Complaint:
    stage = next((name for name in STAGES.values() if name in failure.reason), STAGES["read"])
    if "SIGKILL" in failure.reason:
        return Complaint("killed", stage, f"{failure.reason}: something ended it, perhaps for want of memory")
    return Complaint("crashes" if failure.verdict == "crash" else failure.verdict, stage, failure.reason)


def own_words(error: str) -> str:
    """OpenVINO's message on one line, without the positions in its source that its macros put before it."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    words = [line for line in lines if not line.startswith(_ADDED) and line != "Converting input model"]
    return " ".join(words or lines)[:_KEPT]


class Reshape(NamedTuple):
    """One model of IR or ONNX, and the shapes that some of its inputs get, by position."""

    model: AnyModel
    shapes: Mapping[int, PartialShape]

    def request(self) -> wire.Frame:
        shapes = [[position, str(shape)] for position, shape in self.shapes.items()]
        if not isinstance(self.model, Model):
            return {"reshape": shapes, "weights": None}, [self.model.proto.SerializeToString(), b""]
        weights = self.model.weights
        path, blob = weights.for_runtime() if weights is not None else (None, None)
        return {"reshape": shapes, "weights": path}, [self.model.source.original, blob or b""]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Shapes | str:
        if "error" in header:
            return f"{header['stage']}: {own_words(str(header['error']))}"
        return {
            (tuple(path), name): [PartialShape.parse(shape) for shape in shapes]
            for path, name, shapes in header["shapes"]
        }


def reshape(model: AnyModel, shapes: Mapping[int, PartialShape], timeout: float = TIMEOUT) -> Shapes | str:
    """The shapes of all outputs by OpenVINO, also in bodies, or its message; ``shapes``: new ones, by position."""
    require("openvino")
    [answer] = pool.run([Reshape(model, shapes)], timeout=timeout, device=DEVICE)
    return answer.reason if isinstance(answer, Failure) else answer
