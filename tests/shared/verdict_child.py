"""What OpenVINO does with files: read, compile, infer. Runs in a process of its own, since that may die.

It needs openvino and numpy only, of any release since 2023.3, and prints a line of JSON for each stage that it comes
through: the path, the stage, the error (null: none) and what came of it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

STAGES = ("read", "compile", "infer")


def judge(core: Any, path: str, last: str) -> None:
    """The stages of one file, up to the first that fails, or to the ``last``."""
    model: Any = None

    def read() -> list[str]:
        nonlocal model
        model = core.read_model(path)
        return [str(output.partial_shape) for output in model.outputs]

    def compile_it() -> list[str]:
        nonlocal model
        model = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        return []

    def infer() -> list[float]:
        request = model.create_infer_request()
        for place, port in enumerate(model.inputs):
            request.set_input_tensor(place, given(port))
        request.infer()
        first = request.get_output_tensor(0) if model.outputs else None
        return (
            first.data.flatten()[:100].tolist()
            if first is not None and first.element_type.is_real()
            else []
        )

    for stage, step in zip(STAGES, (read, compile_it, infer), strict=True):
        try:
            print(json.dumps([path, stage, None, step()]), flush=True)
        except Exception as error:
            print(json.dumps([path, stage, str(error), None]), flush=True)
            return
        if stage == last:
            return


def given(port: Any) -> Any:
    """An input: real numbers count from 1, all others are zeros; dims that are open are as small as they can be."""
    import numpy
    import openvino

    shape = [
        dim.get_min_length() or 1 if dim.is_dynamic else dim.get_length()
        for dim in port.partial_shape
    ]
    tensor = openvino.Tensor(port.element_type, openvino.Shape(shape))
    if port.element_type.get_type_name() != "string":
        gather = tensor.data
        numbers = (
            numpy.arange(1, gather.size + 1)
            if port.element_type.is_real()
            else numpy.zeros(gather.size, "u1")
        )
        gather[...] = numbers.astype(gather.dtype).reshape(gather.shape)
    return tensor


def main() -> None:
    """Judge the files whose paths are given after the last stage."""
    import openvino

    core = openvino.Core()
    core.set_property({"ENABLE_MMAP": False})
    _, last, *paths = sys.argv
    for path in paths:
        judge(core, path, last)
    # A model that spoilt the heap may still kill the process on its way out.
    os._exit(0)


if __name__ == "__main__":
    main()
