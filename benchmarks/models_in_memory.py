"""Models of 1 GiB in memory: what it takes to read their Gather layers, beside OpenVINO and onnx themselves.

``python benchmarks/models_in_memory.py [MiB]`` prints seconds, and MiB of memory beyond the model.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import onnx
import onnx_ir
import openvino
from onnx import TensorProto, helper, numpy_helper

import ovgather

WIDTH = 1 << 10


def openvino_model(rows: int) -> Any:
    opset = openvino.opset13
    table = opset.constant(numpy.ones((rows, WIDTH), numpy.float32), shared_memory=True)
    indices = opset.parameter([-1, 4], numpy.int64, name="ids")
    pick = opset.gather(table, indices, opset.constant(0))
    return openvino.Model([opset.result(pick)], [indices], "m")


def onnx_model(rows: int) -> Any:
    nodes = [
        helper.make_node("Identity", ["ids"], ["same"]),
        helper.make_node("Gather", ["table", "same"], ["out"]),
    ]
    inputs = [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", 4])]
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)]
    table = numpy_helper.from_array(numpy.ones((rows, WIDTH), numpy.float32), "table")
    return helper.make_model(helper.make_graph(nodes, "m", inputs, outputs, [table]))


def peak() -> float:
    """The most memory that this process had since it was last asked, in MiB; on Linux only."""
    status = Path("/proc/self/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    Path("/proc/self/clear_refs").write_text("5")
    return int(line.split()[1]) / 1024


def measure(what: str, call: Callable[[Any], object], model: Any) -> None:
    peak()
    before, start = peak(), time.perf_counter()
    call(model)
    seconds = time.perf_counter() - start
    print(f"{what:<52} {seconds:9.4f} s {peak() - before:9.1f} MiB")


def serialized(model: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        openvino.serialize(model, Path(folder) / "m.xml", Path(folder) / "m.bin")


def main(size: int) -> None:
    rows = (size << 20) // (4 * WIDTH)
    ovgather.gather_layers(openvino_model(4))
    of_openvino(openvino_model(rows))
    of_onnx(onnx_model(rows))
    model = onnx_ir.from_proto(onnx_model(4))
    model.graph.initializers["table"].const_value = onnx_ir.Tensor(
        numpy.ones((rows, WIDTH), numpy.float32)
    )
    measure("gather_layers(onnx_ir.Model)", ovgather.gather_layers, model)


def of_openvino(model: Any) -> None:
    for call in (ovgather.gather_layers, ovgather.infer, ovgather.validate):
        measure(f"{call.__name__}(openvino.Model)", call, model)
    measure("openvino.serialize", serialized, model)


def of_onnx(model: Any) -> None:
    measure(
        "gather_layers(ModelProto), which starts a process",
        ovgather.gather_layers,
        model,
    )
    measure("gather_layers(ModelProto)", ovgather.gather_layers, model)
    measure("validate(ModelProto)", ovgather.validate, model)
    measure(
        "onnx.shape_inference of 16 KiB of weights",
        onnx.shape_inference.infer_shapes,
        onnx_model(4),
    )
    measure("onnx.shape_inference", onnx.shape_inference.infer_shapes, model)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1024)
