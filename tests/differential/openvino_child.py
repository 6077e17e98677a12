"""Runs OpenVINO in a child process, since it can crash: one batch of cases in, one batch of answers out.

As a module: ``ask("infer" | "execute", cases)``. As a script: the child.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

requires_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")


def ask(task: str, cases: list[Any], timeout: float = 120) -> list[Any]:
    """The answers to ``cases``, in order; the test fails when the child dies."""
    done = subprocess.run(
        [sys.executable, __file__, task],
        input=pickle.dumps(cases),
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"the OpenVINO child ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    answers: list[Any] = pickle.loads(done.stdout)
    return answers


def _infer(case: dict[str, Any]) -> tuple[str, str]:
    """``("shape", text)`` or ``("error", message)``."""
    import openvino

    def source(key: str) -> Any:
        element_type = getattr(openvino.Type, case.get(f"{key}_type", "f32" if key == "data" else "i64"))
        return _opsets["opset8"].parameter(openvino.PartialShape(case[key]), element_type)

    attributes = {"batch_dims": case["batch_dims"]} if case["batch_dims"] else {}
    build = getattr(_opsets[case["opset"]], _BUILDERS[case["type"]])
    try:
        inputs = [source("data"), source("indices")]
        if case["type"] == "Gather":
            inputs.append(source("axis_shape") if case["axis"] is None else _constant(case))
        elif case["type"] == "GatherElements":
            attributes["axis"] = case["axis"]
        return "shape", str(build(*inputs, **attributes).get_output_partial_shape(0))
    except Exception as error:
        return "error", str(error)


def _constant(case: dict[str, Any]) -> Any:
    import numpy

    shape = [int(dim) for dim in case["axis_shape"].strip("[]").split(",") if dim]
    return _opsets["opset8"].constant(numpy.full(shape, case["axis"], numpy.int64))


_BUILDERS = {"Gather": "gather", "GatherElements": "gather_elements", "GatherND": "gather_nd"}
_opsets: dict[str, Any] = {}


def _main() -> None:
    from importlib import import_module

    tasks = {"infer": _infer}
    cases = pickle.loads(sys.stdin.buffer.read())
    for number in (1, 5, 6, 7, 8):
        _opsets[f"opset{number}"] = import_module(f"openvino.opset{number}")
    sys.stdout.buffer.write(pickle.dumps([tasks[sys.argv[1]](case) for case in cases]))


if __name__ == "__main__":
    _main()
