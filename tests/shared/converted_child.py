"""Runs converted models in a child process, since a runtime can crash: a batch of cases in, a batch of answers out.

A case is ``(runtime, text, weights, inputs by name)``; an answer the output, or the message of an error.
"""

from __future__ import annotations

import pickle
import sys
from importlib.util import find_spec
from typing import Any

import forked
import pytest

Case = tuple[str, bytes, bytes, dict[str, Any]]
MISSING = [
    name for name in ("onnx", "onnxruntime", "openvino") if find_spec(name) is None
]
needs_openvino = pytest.mark.skipif(
    "openvino" in MISSING, reason="openvino is not installed"
)
needs_runtimes = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"
)


def run(cases: list[Case]) -> list[Any]:
    """The outputs, in order."""
    done = forked.run([sys.executable, __file__], pickle.dumps(cases), timeout=300)
    assert not done.returncode, done.stderr.decode()[-500:]
    return pickle.loads(done.stdout)  # type: ignore[no-any-return]


def _openvino(text: bytes, weights: bytes, inputs: dict[str, Any]) -> Any:
    import openvino

    core = openvino.Core()
    model = core.read_model(text, weights) if weights else core.read_model(text)
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return compiled(
        [inputs[parameter.get_friendly_name()] for parameter in model.get_parameters()]
    )[0]


def _onnxruntime(text: bytes, _: bytes, inputs: dict[str, Any]) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        text, options, providers=["CPUExecutionProvider"]
    )
    return session.run(
        None, {item.name: inputs[item.name] for item in session.get_inputs()}
    )[0]


def _answer(runtime: str, *case: Any) -> Any:
    try:
        return {"openvino": _openvino, "onnxruntime": _onnxruntime}[runtime](*case)
    except Exception as error:
        return str(error)


if __name__ == "__main__":
    answers = [_answer(*case) for case in pickle.loads(sys.stdin.buffer.read())]
    sys.stdout.buffer.write(pickle.dumps(answers))
