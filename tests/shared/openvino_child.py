"""Runs OpenVINO in a child process, since it can crash: one batch of cases in, one batch of answers out.

As a module: ``ask("infer", cases)``, ``ask("symbols", cases)`` or ``ask("execute", layers)``. As a script: the child.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import forked
import pytest

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def ask(task: str, cases: list[Any], timeout: float = 120) -> list[Any]:
    """The answers to ``cases``, in order; the test fails when the child dies."""
    done = forked.run([sys.executable, __file__, task], pickle.dumps(cases), timeout)
    if done.returncode:
        pytest.fail(
            f"the OpenVINO child ended with {done.returncode}: {done.stderr.decode()[-500:]}"
        )
    answers: list[Any] = pickle.loads(done.stdout)
    return answers


def _infer(case: dict[str, Any]) -> tuple[str, str]:
    """``("shape", text)`` or ``("error", message)``."""
    import openvino

    def source(key: str) -> Any:
        element_type = getattr(
            openvino.Type, case.get(f"{key}_type", "f32" if key == "data" else "i64")
        )
        return _opsets["opset8"].parameter(
            openvino.PartialShape(case[key]), element_type
        )

    try:
        return "shape", str(_output(case, source))
    except Exception as error:
        return "error", str(error)


def _output(case: dict[str, Any], source: Callable[[str], Any]) -> Any:
    """The output shape of a layer whose inputs ``source`` makes."""
    attributes = {"batch_dims": case["batch_dims"]} if case["batch_dims"] else {}
    build = getattr(_opsets[case["opset"]], _BUILDERS[case["type"]])
    inputs = [source("data"), source("indices")]
    if case["type"] == "Gather":
        inputs.append(source("axis_shape") if case["axis"] is None else _constant(case))
    elif case["type"] == "GatherElements":
        attributes["axis"] = case["axis"]
    return build(*inputs, **attributes).get_output_partial_shape(0)


def _symbols(case: dict[str, Any]) -> tuple[str, Any]:
    """``("shape", (text, names))``, for each dim the sorted names of the symbols it is equal to; or ``("error", …)``.

    ``case["symbols"]`` holds for data and indices a name or None for each dim.
    """
    import openvino

    known: dict[str, Any] = {}

    def source(key: str) -> Any:
        shape = openvino.PartialShape(case[key])
        if key in case["symbols"] and shape.rank.is_static:
            dims = list(shape)
            for dim, name in zip(dims, case["symbols"][key], strict=True):
                if name is not None:
                    dim.set_symbol(known.setdefault(name, openvino.Symbol()))
            shape = openvino.PartialShape(dims)
        return _opsets["opset8"].parameter(shape, openvino.Type.i64)

    try:
        made = _output(case, source)
    except Exception as error:
        return "error", str(error)
    if made.rank.is_dynamic:
        return "shape", (str(made), [])
    names = [
        sorted(
            name
            for name, symbol in known.items()
            if dim.has_symbol() and dim.get_symbol() == symbol
        )
        for dim in made
    ]
    return "shape", (str(made), names)


def _constant(case: dict[str, Any]) -> Any:
    import numpy

    shape = [int(dim) for dim in case["axis_shape"].strip("[]").split(",") if dim]
    return _opsets["opset8"].constant(numpy.full(shape, case["axis"], numpy.int64))


def _execute(layer: dict[str, Any]) -> list[tuple[str, Any]]:
    """For each run ``("output", array)`` or ``("error", message)``; one model of dynamic dims serves all.

    Arrays travel as the unsigned integers that hold their bits, packed ones as bytes and a shape, text as it is.
    """
    import openvino

    types = [
        getattr(openvino.Type, layer[key]) for key in ("data_type", "indices_type")
    ]
    ranks = [[-1] * layer["data_rank"], [-1] * layer["indices_rank"]]
    if layer["type"] == "GatherND":
        ranks[1][-1] = layer["tuple_length"]
    parameters = [
        _opsets["opset8"].parameter(openvino.PartialShape(dims), element_type)
        for dims, element_type in zip(ranks, types, strict=True)
    ]
    model = openvino.Model([_node(layer, parameters)], parameters)
    run = _on_core if layer["engine"] == "core" else _on_cpu
    tensors = [
        [_tensor(openvino, *pair) for pair in zip(pairs, types, strict=True)]
        for pairs in layer["runs"]
    ]
    return run(openvino, model, tensors)


def _node(layer: dict[str, Any], parameters: list[Any]) -> Any:
    attributes = {"batch_dims": layer["batch_dims"]} if layer["batch_dims"] else {}
    build = getattr(_opsets[layer["opset"]], _BUILDERS[layer["type"]])
    if layer["type"] == "Gather":
        parameters = [*parameters, _opsets["opset8"].constant(layer["axis"])]
    elif layer["type"] == "GatherElements":
        attributes["axis"] = layer["axis"]
    return build(*parameters, **attributes)


def _tensor(openvino: Any, array: Any, element_type: Any) -> Any:
    if isinstance(array, tuple):  # packed
        tensor = openvino.Tensor(element_type, openvino.Shape(array[1]))
        if array[0].size:
            tensor.data.reshape(-1).view("u1")[:] = array[0]
        return tensor
    if element_type == openvino.Type.string:
        return openvino.Tensor(array)
    return openvino.Tensor(array, openvino.Shape(array.shape), element_type)


def _content(tensor: Any) -> Any:
    if tensor.element_type.type_name == "string":
        return tensor.str_data
    if tensor.element_type.bitwidth < 8:
        return tensor.data.reshape(-1).view("u1").copy(), tuple(tensor.shape)
    return tensor.data.view(f"u{tensor.data.itemsize}").copy()


def _on_cpu(openvino: Any, model: Any, runs: list[list[Any]]) -> list[tuple[str, Any]]:
    request, answers = None, []
    for tensors in runs:
        if request is None:
            compiled = _core().compile_model(
                model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
            )
            request = compiled.create_infer_request()
        try:
            request.infer(tensors)
            answers.append(("output", _content(request.get_output_tensor(0))))
        except RuntimeError as error:
            answers.append(("error", str(error)))
            request = None  # a compiled model that failed once may give a wrong shape the next time
    return answers


def _on_core(openvino: Any, model: Any, runs: list[list[Any]]) -> list[tuple[str, Any]]:
    answers = []
    for tensors in runs:
        output = openvino.Tensor(tensors[0].element_type, openvino.Shape([0]))
        model.evaluate([output], tensors)
        answers.append(("output", _content(output)))
    return answers


def _core() -> Any:
    import openvino

    if "core" not in _cores:
        _cores["core"] = openvino.Core()
    return _cores["core"]


_cores: dict[str, Any] = {}
_BUILDERS = {
    "Gather": "gather",
    "GatherElements": "gather_elements",
    "GatherND": "gather_nd",
}
_opsets: dict[str, Any] = {}


def _main() -> None:
    from importlib import import_module

    tasks = {"infer": _infer, "symbols": _symbols, "execute": _execute}
    cases = pickle.loads(sys.stdin.buffer.read())
    for number in (1, 5, 6, 7, 8):
        _opsets[f"opset{number}"] = import_module(f"openvino.opset{number}")
    sys.stdout.buffer.write(pickle.dumps([tasks[sys.argv[1]](case) for case in cases]))


if __name__ == "__main__":
    _main()
