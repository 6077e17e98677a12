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
    """How far a file came: ``stage`` is where it was stopped (``""``: nowhere), by an ``error`` or a ``crash``."""

    stage: str
    error: str
    crash: bool

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
        for line in done.stdout.splitlines():
            path, stage, error = json.loads(line)
            if stage == "end":
                found[path] = Verdict("", "", False)
            elif error is not None:
                found[path] = Verdict(stage, error, False)
            else:
                passed.append(stage)
            if path in found:
                left.remove(path)
                passed = []
        if left:
            assert done.returncode, done.stderr[-500:]
            found[left.pop(0)] = Verdict(STAGES[len(passed)], "", True)
    return found


def _judge(core: Any, path: str) -> None:
    import numpy
    import openvino

    model: Any = None

    def read() -> None:
        nonlocal model
        model = core.read_model(path)

    def compile_it() -> None:
        nonlocal model
        model = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})

    def infer() -> None:
        request = model.create_infer_request()
        for place, port in enumerate(model.inputs):
            shape = [dim.get_min_length() or 1 if dim.is_dynamic else dim.get_length() for dim in port.partial_shape]
            array = numpy.zeros(shape, port.element_type.to_dtype())
            request.set_input_tensor(place, openvino.Tensor(array, shared_memory=False))
        request.infer()

    for stage, step in zip(STAGES, (read, compile_it, infer), strict=True):
        try:
            step()
        except Exception as error:
            print(json.dumps([path, stage, str(error)]), flush=True)
            return
        print(json.dumps([path, stage, None]), flush=True)
    print(json.dumps([path, "end", None]), flush=True)


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
