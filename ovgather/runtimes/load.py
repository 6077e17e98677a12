"""Files loaded, and models reshaped, by OpenVINO in a child process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from ovgather.ir.constants import for_runtime
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.runtimes import pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.runtimes.outcome import own_words
from ovgather.tensor.shape import PartialShape

Shapes = Mapping[tuple[tuple[str, ...], str], list[PartialShape]]
"""Shapes of outputs by OpenVINO, by the path of bodies and the name of the layer."""
DEVICE = "CPU"
TIMEOUT = 300.0
STAGES = {"read": "read_model", "compile": "compile_model"}
"""How far to go, and the name of the call that does the last of it."""
_ADDED = ("Exception from ", "Check '", "Converting input model")
_KEPT = 2000


def _reason(header: wire.Header) -> str:
    return own_words(header["error"], _ADDED)[:_KEPT]


class Complaint(NamedTuple):
    """A failure of OpenVINO: the ``stage`` is the call that failed.

    ``verdict`` is ``rejects``, ``crashes``, ``timeout``, or ``killed`` by something else, mostly for want of memory.
    """

    verdict: str
    stage: str
    message: str

    @property
    def openvino(
        self,
    ) -> Literal["rejects", "rejects_on_compile", "crashes", "undefined"]:
        """The verdict in the words of findings."""
        if self.verdict == "rejects" and self.stage == STAGES["compile"]:
            return "rejects_on_compile"
        if self.verdict == "rejects":
            return "rejects"
        return "crashes" if self.verdict == "crashes" else "undefined"


class Load(NamedTuple):
    """One file to load: by its ``path``, or (None) its ``text``; ``weights`` is the path of its ``.bin``, if given."""

    path: str | None
    text: bytes = b""
    weights: str | None = None
    until: str = "read"

    def request(self) -> wire.Frame:
        header = {
            "load": self.until,
            "path": self.path,
            "weights": self.weights,
            "device": DEVICE,
        }
        return header, [self.text]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Complaint | None:
        """What OpenVINO said; None: nothing."""
        if "error" not in header:
            return None
        return Complaint("rejects", str(header["stage"]), _reason(header))


def load(cases: Sequence[Load], timeout: float = TIMEOUT) -> list[Complaint | None]:
    """What OpenVINO says of each file; a crash and the lack of an answer are complaints, too."""
    require("openvino")
    answers = []
    if cases:
        answers = pool.run(cases, timeout=timeout, device=DEVICE)
    return [
        _complaint(answer) if isinstance(answer, Failure) else answer
        for answer in answers
    ]


def _complaint(failure: Failure) -> Complaint:
    stage = STAGES["read"]
    if failure.stage in STAGES.values():
        stage = failure.stage
    if failure.cause == "SIGKILL":
        return Complaint(
            "killed",
            stage,
            f"{failure.reason}: something ended it, perhaps for want of memory",
        )
    return Complaint(
        "crashes" if failure.verdict == "crash" else failure.verdict,
        stage,
        failure.reason,
    )


class Reshape(NamedTuple):
    """One model of IR or ONNX, and the shapes that some of its inputs get, by position."""

    model: AnyModel
    shapes: Mapping[int, PartialShape]

    def request(self) -> wire.Frame:
        shapes = [[position, str(shape)] for position, shape in self.shapes.items()]
        if not isinstance(self.model, Model):
            data = serialized(self.model.proto, self.model.path)
            return {"reshape": shapes, "weights": None}, [data, b""]
        path, blob = for_runtime(self.model.weights)
        return {"reshape": shapes, "weights": path}, [self.model.source.original, blob]

    def answered(
        self, header: wire.Header, blobs: list[bytearray]
    ) -> tuple[Shapes | None, str | None]:
        """The shapes, or OpenVINO's error in their place."""
        if "error" in header:
            return None, f"{header['stage']}: {_reason(header)}"
        outputs = {
            (tuple(path), name): list(map(PartialShape.parse, texts))
            for path, name, texts in header["shapes"]
        }
        return outputs, None


def reshape(
    model: AnyModel, shapes: Mapping[int, PartialShape]
) -> tuple[Shapes | None, str | None]:
    """The shapes of all outputs by OpenVINO, also in bodies, or its error; ``shapes``: new ones, by position."""
    require("openvino")
    [answer] = pool.run([Reshape(model, shapes)], timeout=TIMEOUT, device=DEVICE)
    if isinstance(answer, Failure):
        return (None, answer.reason)
    return answer


class Conversion(NamedTuple):
    """An ONNX model to convert; ``folder`` gets the IR, and the model itself if it is no file."""

    model: OnnxModel
    folder: str

    def request(self) -> wire.Frame:
        model = self.model
        if model.folder is not None and os.path.isfile(model.path):
            return {"convert": model.path, "folder": self.folder}, [b""]
        data = serialized(model.proto, model.path)
        return {"convert": None, "folder": self.folder}, [data]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> str | Failure:
        if "error" not in header:
            return str(header["converted"])
        return Failure("error", f"{header['stage']}: {_reason(header)}")


def convert(model: OnnxModel, folder: str, timeout: float = TIMEOUT) -> str | Failure:
    """The path of the IR that OpenVINO makes of an ONNX model, in ``folder``; or why there is none."""
    require("openvino")
    [answer] = pool.run([Conversion(model, folder)], timeout=timeout, device=DEVICE)
    return answer
