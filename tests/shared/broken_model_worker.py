"""A worker that runs ONNX models wrongly, as its first argument says."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from ovgather.runtimes.adapters.onnxruntime import OnnxRuntime
from ovgather.runtimes.worker import serve


class Broken(OnnxRuntime):
    """Right, but for one thing."""

    def run_model(
        self,
        model: bytes,
        folder: str | None,
        feeds: dict[str, Any],
        outputs: list[str],
    ) -> list[Any]:
        found = super().run_model(model, folder, feeds, outputs)
        if sys.argv[1] == "clamps":
            # As if negative indices were 0: of a Gather of [0, -1] along axis 0 the second is the first.
            found[-1] = found[-1][[0, 0]]
        elif sys.argv[1] == "last-wrong":
            found[-1][-1] += 1
        elif sys.argv[1] == "dies" and b"picked" in model:
            os.abort()
        elif sys.argv[1] == "babbles":
            return [np.array([1], "M8[s]") for _ in found]
        return found


if __name__ == "__main__":
    serve(Broken)
