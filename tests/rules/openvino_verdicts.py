"""What OpenVINO does with files: read, compile, infer, in a child process that is started anew when it dies.

As a module: ``verdicts(paths)``. As a script: the child, which prints a line for each stage it comes through.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import pytest

requires_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
STAGES = ("read", "compile", "infer")


class Verdict(NamedTuple):
    """How far a file came: ``stage`` is where it was stopped (``""``: nowhere), by an ``error`` or a ``crash``.

    ``shapes`` are those of the outputs as read; ``values`` the first output of a run in which real inputs count from
    1 and the others are zeros.
    """

    stage: str
    error: str
    crash: bool
    shapes: tuple[str, ...] = ()
    values: tuple[float, ...] = ()

    @property
    def read(self) -> bool:
        """Whether ``read_model`` took the file."""
        return self.stage != "read"


def verdicts(paths: Sequence[str], timeout: float = 120) -> dict[str, Verdict]:
    """The verdict on each file."""
    found: dict[str, Verdict] = {}
    left = list(dict.fromkeys(paths))
    while left:
        done = subprocess.run([sys.executable, __file__, *left], capture_output=True, timeout=timeout)
        passed: list[str] = []
        made: list[list[Any]] = []
        for line in done.stdout.splitlines():
            path, stage, error, what = json.loads(line)
            if error is None:
                passed.append(stage)
                made.append(what)
            if error is not None or stage == STAGES[-1]:
                shapes, values = made[0] if made else [], what if error is None else []
                found[path] = Verdict(
                    stage if error is not None else "", error or "", False, tuple(shapes), tuple(values)
                )
                left.remove(path)
                passed, made = [], []
        if left:
            assert done.returncode, done.stderr[-500:]
            found[left.pop(0)] = Verdict(STAGES[len(passed)], "", True)
    return found


def _judge(core: Any, path: str) -> None:
    import numpy
    import openvino

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
            shape = [dim.get_min_length() or 1 if dim.is_dynamic else dim.get_length() for dim in port.partial_shape]
            array = numpy.zeros(shape, port.element_type.to_dtype())
            if port.element_type.is_real():
                array = numpy.arange(1, array.size + 1, dtype=array.dtype).reshape(shape)
            request.set_input_tensor(place, openvino.Tensor(array, shared_memory=False))
        request.infer()
        first = request.get_output_tensor(0) if model.outputs else None
        return first.data.flatten()[:100].tolist() if first is not None and first.element_type.is_real() else []

    for stage, step in zip(STAGES, (read, compile_it, infer), strict=True):
        try:
            print(json.dumps([path, stage, None, step()]), flush=True)
        except Exception as error:
            print(json.dumps([path, stage, str(error), None]), flush=True)
            return


def _main() -> None:
    import os

    import openvino

    core = openvino.Core()
    core.set_property({"ENABLE_MMAP": False})
    for path in sys.argv[1:]:
        _judge(core, path)
    os._exit(0)  # a model that spoilt the heap may still kill the process on its way out


if __name__ == "__main__":
    _main()
