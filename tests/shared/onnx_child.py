"""Runs onnx and ONNX Runtime in a child process, since they can crash: ``ask(task, case)``. As a script: the child."""

from __future__ import annotations

import atexit
import faulthandler
import pickle
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import pytest

MISSING = [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]
requires_onnx = pytest.mark.skipif(
    bool(MISSING),
    reason=f'{" and ".join(MISSING)} not installed: pip install ".[onnx]" in the checkout of ovgather',
)
Answer = tuple[str, Any]
"""``("shape", dims)``, ``("output", array)``, ``("error", message)`` or ``("crash", exit code)``."""

_children: list[subprocess.Popen[bytes]] = []
_LONGEST = 60  # seconds for a task: then the child ends, which is a crash


def ask(task: str, case: dict[str, Any]) -> Answer:
    """What ``task`` gives: ``infer`` (onnx), ``load``, ``execute`` (ONNX Runtime) or ``evaluate`` (onnx)."""
    if not _children:
        _children.append(
            subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        )
        atexit.register(_end)
    child = _children[0]
    assert child.stdin is not None
    assert child.stdout is not None
    pickle.dump((task, case), child.stdin)
    child.stdin.flush()
    try:
        answer: Answer = pickle.load(child.stdout)
    except EOFError:
        _children.clear()
        return "crash", child.wait()
    return answer


def _end() -> None:
    for child in _children:
        assert child.stdin is not None
        child.stdin.close()
        child.wait()


def model(case: dict[str, Any]) -> Any:
    """A model of one node; ``data`` and ``indices`` are dims (None: not known, text: a name), None for no rank."""
    from onnx import TensorProto, helper

    values = [
        helper.make_tensor_value_info(
            name, getattr(TensorProto, case[f"{name}_type"].upper()), case[name]
        )
        for name in ("data", "indices")
    ]
    output = helper.make_tensor_value_info(
        "output", getattr(TensorProto, case["data_type"].upper()), None
    )
    node = helper.make_node(
        case["type"], ["data", "indices"], ["output"], name="node", **case["attributes"]
    )
    graph = helper.make_graph([node], "graph", values, [output])
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", case["opset"])], ir_version=8
    )


def _infer(case: dict[str, Any]) -> Answer:
    from onnx import shape_inference

    made = shape_inference.infer_shapes(
        model(case), check_type=True, strict_mode=True, data_prop=True
    )
    tensor = made.graph.output[0].type.tensor_type
    if not tensor.HasField("shape"):
        return "shape", None
    return "shape", [
        dim.dim_value
        if dim.HasField("dim_value")
        else None
        if dim.dim_param.startswith("unk__")
        else dim.dim_param
        for dim in tensor.shape.dim
    ]


def _load(case: dict[str, Any]) -> Answer:
    return "shape", _session(pickle.dumps(case)).get_outputs()[0].shape


@lru_cache(64)
def _session(pickled: bytes) -> Any:
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    text = model(pickle.loads(pickled)).SerializeToString()
    return onnxruntime.InferenceSession(
        text, options, providers=["CPUExecutionProvider"]
    )


def _execute(case: dict[str, Any]) -> Answer:
    data, indices = case.pop("arrays")
    session = _session(pickle.dumps(case))
    if case["data_type"] != "bfloat16":
        return "output", session.run(None, {"data": data, "indices": indices})[0]
    import onnxruntime

    made = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(data.view("i2"), 16)
    given = {"data": made, "indices": onnxruntime.OrtValue.ortvalue_from_numpy(indices)}
    output = session.run_with_ort_values(None, given)[0]
    return "output", _bits(output)


def _bits(value: Any) -> Any:
    """The bfloat16 elements, which ONNX Runtime does not give to NumPy."""
    import ctypes

    import ml_dtypes
    import numpy

    shape = value.shape()
    count = int(numpy.prod(shape))
    held = (ctypes.c_uint16 * count).from_address(value.data_ptr()) if count else b""
    return numpy.frombuffer(held, ml_dtypes.bfloat16).reshape(shape).copy()


def _evaluate(case: dict[str, Any]) -> Answer:
    from onnx.reference import ReferenceEvaluator

    data, indices = case.pop("arrays")
    return "output", ReferenceEvaluator(model(case)).run(
        None, {"data": data, "indices": indices}
    )[0]


def _main() -> None:
    tasks = {"infer": _infer, "load": _load, "execute": _execute, "evaluate": _evaluate}
    out = sys.stdout.buffer
    while True:
        try:
            task, case = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        faulthandler.dump_traceback_later(_LONGEST, exit=True)
        try:
            answer = tasks[task](case)
        except Exception as error:
            answer = "error", f"{type(error).__name__}: {error}"
        faulthandler.cancel_dump_traceback_later()
        pickle.dump(answer, out)
        out.flush()


if __name__ == "__main__":
    _main()
