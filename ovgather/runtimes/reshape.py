"""A model reshaped by OpenVINO, in a child process: the shapes of all its outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ovgather.ir.model import Model
from ovgather.layers.shape_propagation import Shapes
from ovgather.runtimes import pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.runtimes.load import own_words
from ovgather.tensor.shape import PartialShape

TIMEOUT = 300.0


class Refused(NamedTuple):
    """OpenVINO's message in place of shapes, and the call that failed."""

    stage: str
    message: str


class Reshape(NamedTuple):
    """One model, and the shapes that some of its inputs get, by position."""

    model: Model
    shapes: Mapping[int, PartialShape]

    def request(self) -> wire.Frame:
        """See ``pool.Case``."""
        weights = self.model.weights
        path = weights.path if weights is not None else None
        blob = weights.read(0, weights.size) if weights is not None and path is None else None
        shapes = [[position, str(shape)] for position, shape in self.shapes.items()]
        return {"reshape": shapes, "weights": path}, [self.model.source.original, blob or b""]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> Shapes | Refused:
        """See ``pool.Case``."""
        if "error" in header:
            return Refused(str(header["stage"]), own_words(str(header["error"])))
        return {
            (tuple(path), name): [PartialShape.parse(shape) for shape in shapes]
            for path, name, shapes in header["shapes"]
        }


def reshape(model: Model, shapes: Mapping[int, PartialShape], timeout: float = TIMEOUT) -> Shapes | Refused:
    """The shapes of all outputs by OpenVINO, also in bodies; ``shapes`` are new ones of inputs, by position."""
    require("openvino")
    [answer] = pool.run([Reshape(model, shapes)], timeout=timeout, device="CPU")
    return Refused("", answer.reason) if isinstance(answer, Failure) else answer
