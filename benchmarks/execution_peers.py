"""What ``execution.py`` runs in child processes: one library in each, which answers on standard output.

A line in is ``{"set": "cases", "case": 3, "variant": "numpy 1", "seconds": 0.02, "cpu": false,
"check": true}``, a line out holds the time of one call in seconds and a check sum of the output, or why there is none.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from functools import partial
from math import prod
from time import perf_counter, process_time
from typing import Any

from execution_cases import CASES, HOLD_OUT, Case

Call = Callable[[], Any]
_REPETITION = 0.001  # seconds


class Skip(Exception):
    """This library cannot do this case."""


def ovgather(case: Case, data: Any, indices: Any) -> dict[str, Call]:
    import numpy

    import ovgather as library

    out = numpy.empty(case.shape, data.dtype)
    if case.type == "Gather":
        call = partial(library.gather, data, indices, case.axis, case.batch_dims)
    elif case.type == "GatherElements":
        call = partial(library.gather_elements, data, indices, case.axis)
    else:
        call = partial(library.gather_nd, data, indices, case.batch_dims)
    calls: dict[str, Call] = {
        "numpy 1": partial(call, engine="numpy", threads=1, out=out),
        "numpy 1 new": partial(call, engine="numpy", threads=1),
        "numpy 2": partial(call, engine="numpy", out=out),
    }
    try:
        call(engine="numba", out=out)  # so that it is compiled
    except library.UnavailableError:
        return calls
    return {
        **calls,
        "fast 1": partial(call, threads=1, out=out),
        "fast 2": partial(call, out=out),
    }


def plain(case: Case, data: Any, indices: Any) -> dict[str, Call]:
    """What one writes with NumPy: checked indices, then its own function; and a copy of as many bytes."""
    import numpy

    source, out = (
        numpy.ones(case.shape, data.dtype),
        numpy.empty(case.shape, data.dtype),
    )

    def inside(part: Any, size: int) -> Any:
        return (part >= -size) & (part < size)

    def gather() -> Any:
        size = data.shape[case.axis]
        mask = inside(indices, size)
        positions = numpy.where(
            mask, numpy.where(indices < 0, indices + size, indices), 0
        )
        if case.batch_dims:
            rest = data.ndim - 1 - case.axis
            extra = case.axis - case.batch_dims
            shape = (*indices.shape[: case.batch_dims], *[1] * extra, -1, *[1] * rest)
            output = numpy.take_along_axis(
                data, positions.reshape(shape), case.axis
            ).reshape(case.shape)
            hide = ~mask
        else:
            output, hide = numpy.take(data, positions, case.axis), ~mask
        if hide.any():
            output[(slice(None),) * case.axis + (hide,)] = 0
        return output

    def gather_elements() -> Any:
        size = data.shape[case.axis]
        if not inside(indices, size).all():
            raise IndexError
        return numpy.take_along_axis(
            data, numpy.where(indices < 0, indices + size, indices), case.axis
        )

    def gather_nd() -> Any:
        parts = [indices[..., place] for place in range(indices.shape[-1])]
        if not all(
            inside(part, size).all()
            for part, size in zip(parts, case.sizes, strict=True)
        ):
            raise IndexError
        shapes = [
            (-1, *[1] * (indices.ndim - 2 - place)) for place in range(case.batch_dims)
        ]
        batches = [
            numpy.arange(data.shape[place]).reshape(shape)
            for place, shape in enumerate(shapes)
        ]
        return data[(*batches, *parts)]

    calls = {"Gather": gather, "GatherElements": gather_elements, "GatherND": gather_nd}
    return {"plain": calls[case.type], "copyto": lambda: numpy.copyto(out, source)}


def openvino(case: Case, data: Any, indices: Any) -> dict[str, Call]:
    import openvino as library
    import openvino.opset8 as opset

    types = [getattr(library.Type, name) for name in (case.data_type, case.index_type)]
    parameters = [
        opset.parameter(list(array.shape), kind)
        for array, kind in zip((data, indices), types, strict=True)
    ]
    batch = {"batch_dims": case.batch_dims} if case.batch_dims else {}
    if case.type == "Gather":
        node = opset.gather(*parameters, opset.constant(case.axis), **batch)
    elif case.type == "GatherElements":
        node = opset.gather_elements(*parameters, case.axis)
    else:
        node = opset.gather_nd(*parameters, **batch)
    model = library.Model([node], parameters)
    core, calls = library.Core(), {}
    for threads in (1, 2):
        options = {
            "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32",
            "PERFORMANCE_HINT": "LATENCY",
        }
        request = core.compile_model(model, "CPU", options).create_infer_request()
        for place, array in enumerate((data, indices)):
            request.set_input_tensor(place, library.Tensor(array, shared_memory=True))
        request.infer()
        calls[f"openvino {threads}"] = _inference(request, data, indices)
    return calls


def _inference(request: Any, *inputs: Any) -> Call:
    output = request.get_output_tensor(0).data

    def call() -> Any:
        assert inputs  # the tensors share their memory, and do not keep it
        request.infer()
        return output

    return call


def onnxruntime(case: Case, data: Any, indices: Any) -> dict[str, Call]:
    import numpy
    import onnxruntime as library
    from onnx import TensorProto, helper

    if case.type == "Gather" and case.batch_dims:
        raise Skip("no batch_dims in ONNX")
    if case.indices_are == "outside":
        raise Skip("refuses such indices")
    types = {
        "f32": "FLOAT",
        "f16": "FLOAT16",
        "i8": "INT8",
        "i32": "INT32",
        "i64": "INT64",
    }
    kinds = [
        getattr(TensorProto, types[name]) for name in (case.data_type, case.index_type)
    ]
    if case.type == "GatherND":  # takes int64 only
        indices, kinds[1] = indices.astype("i8"), TensorProto.INT64
    options = (
        {"batch_dims": case.batch_dims}
        if case.type == "GatherND"
        else {"axis": case.axis}
    )
    node = helper.make_node(case.type, ["data", "indices"], ["out"], **options)
    inputs = [
        helper.make_tensor_value_info(name, kind, array.shape)
        for name, kind, array in (
            ("data", kinds[0], data),
            ("indices", kinds[1], indices),
        )
    ]
    output = helper.make_tensor_value_info("out", kinds[0], case.shape)
    model = helper.make_model(
        helper.make_graph([node], "g", inputs, [output]),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )
    out = numpy.empty(case.shape, data.dtype)
    values = [
        library.OrtValue.ortvalue_from_numpy(array) for array in (data, indices, out)
    ]

    def prepared(threads: int) -> Call:
        settings = library.SessionOptions()
        settings.intra_op_num_threads = threads
        session = library.InferenceSession(
            model.SerializeToString(), settings, providers=["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        for name, value in zip(("data", "indices"), values, strict=False):
            binding.bind_ortvalue_input(name, value)
        binding.bind_ortvalue_output("out", values[2])

        def call() -> Any:
            session.run_with_iobinding(binding)
            return values[2]

        return call

    return {f"onnxruntime {threads}": prepared(threads) for threads in (1, 2)}


def torch(case: Case, data: Any, indices: Any) -> dict[str, Call]:
    import torch as library

    if case.indices_are != "inside":
        raise Skip(f"refuses indices that are {case.indices_are}")

    def with_threads(call: Call) -> dict[str, Call]:
        def on(threads: int) -> Call:
            def run() -> Any:
                if library.get_num_threads() != threads:
                    library.set_num_threads(threads)
                return call()

            return run

        return {f"torch {threads}": on(threads) for threads in (1, 2)}

    source = library.from_numpy(data)
    out = library.empty(case.shape, dtype=source.dtype)
    where = library.from_numpy(indices)
    wide = where.to(library.int64)  # gather takes no other; not timed
    if case.type == "GatherElements":
        return with_threads(lambda: library.gather(source, case.axis, wide, out=out))
    if case.type == "GatherND":
        shapes = [
            (-1, *[1] * (wide.dim() - 2 - place)) for place in range(case.batch_dims)
        ]
        batches = [
            library.arange(case.data[place]).reshape(shape)
            for place, shape in enumerate(shapes)
        ]
        parts = [wide[..., place].contiguous() for place in range(case.indices[-1])]
        return with_threads(lambda: source[(*batches, *parts)])
    if not case.batch_dims:
        flat = where.reshape(-1)
        shape = (*case.data[: case.axis], flat.numel(), *case.data[case.axis + 1 :])
        return with_threads(
            lambda: library.index_select(source, case.axis, flat, out=out.view(shape))
        )
    batch, chosen = case.data[: case.batch_dims], prod(case.indices[case.batch_dims :])
    outer, inner = case.data[case.batch_dims : case.axis], case.data[case.axis + 1 :]
    places = wide.reshape(*batch, *[1] * len(outer), chosen, *[1] * len(inner)).expand(
        *batch, *outer, chosen, *inner
    )
    return with_threads(
        lambda: library.gather(source, case.axis, places, out=out.view(places.shape))
    )


LIBRARIES = {
    "ovgather": ovgather,
    "plain": plain,
    "openvino": openvino,
    "onnxruntime": onnxruntime,
    "torch": torch,
}
VARIANTS = {
    "ovgather": ["numpy 1", "numpy 1 new", "numpy 2", "fast 1", "fast 2"],
    "plain": ["plain", "copyto"],
    "openvino": ["openvino 1", "openvino 2"],
    "onnxruntime": ["onnxruntime 1", "onnxruntime 2"],
    "torch": ["torch 1", "torch 2"],
}


def _checksum(output: Any) -> int:
    import numpy

    output = output.numpy() if hasattr(output, "numpy") else output
    return zlib.crc32(numpy.ascontiguousarray(output).view("u1").data)


def fastest(call: Call, budget: float, clock: Callable[[], float]) -> float:
    """The fastest of some repetitions, so that what else the machine does counts little."""
    number, best, end = 1, float("inf"), clock() + budget
    while True:
        start = clock()
        for _ in range(number):
            call()
        now = clock()
        best = min(best, (now - start) / number)
        if now >= end:
            return best
        if now - start < _REPETITION:
            number = int(number * min(10, 1.2 * _REPETITION / (now - start))) + 1


def serve(library: str) -> None:
    """Answer each line of standard input."""
    prepared: tuple[Any, dict[str, Call], str] = (None, {}, "")
    for line in sys.stdin:
        asked = json.loads(line)
        wanted = (asked["set"], asked["case"])
        if prepared[0] != wanted:
            prepared = (None, {}, "")
            case = (CASES if asked["set"] == "cases" else HOLD_OUT)[asked["case"]]
            try:
                prepared = (wanted, LIBRARIES[library](case, *case.arrays()), "")
            except ImportError as error:
                prepared = (wanted, {}, f"not installed ({error.name})")
            except Skip as why:
                prepared = (wanted, {}, str(why))
        call = prepared[1].get(asked["variant"])
        answer: dict[str, Any] = {"skipped": prepared[2] or "numba is not installed"}
        if call is not None:
            answer = (
                {"checksum": _checksum(call())}
                if asked["check"] and asked["variant"] != "copyto"
                else {}
            )
            answer["seconds"] = fastest(
                call, asked["seconds"], process_time if asked["cpu"] else perf_counter
            )
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
