"""A worker with OpenVINO in it that keeps states badly, in the way that its first argument names; and models of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
from ovgather.runtimes.worker import serve


def summed() -> Any:
    """Rows of a table, and a state to which their sum is added."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, 3], openvino.Type.i64, name="ids")
    table = ops.constant((np.arange(240).reshape(40, 6) / 7).astype("f4"))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    total = ops.reduce_sum(rows, ops.constant([0, 1]), True)
    past = _read(np.zeros((1, 1, 6), "f4"), [1, 1, 6])
    now = ops.add(past, total)
    results = [ops.result(ops.add(rows, now), name="out")]
    return openvino.Model(results, [ops.assign(now, "past")], [ids], "summed")


def kept() -> Any:
    """A state that is given an input as it is."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1], openvino.Type.i64, name="ids")
    data = ops.parameter([-1, 4], openvino.Type.f32, name="data")
    past = _read(np.zeros((3, 4), "f4"), [-1, 4])
    rows = ops.gather(past, ids, ops.constant(0), name="rows")
    keep = ops.assign(data, "past")
    results = [ops.result(ops.multiply(rows, ops.constant(np.float32(2))))]
    return openvino.Model(results, [keep], [ids, data], "kept")


def _read(first: Any, shape: list[int]) -> Any:
    import openvino
    from openvino import opset13 as ops

    kind = openvino.Type.f32
    shapes = openvino.PartialShape(shape)
    return ops.read_value(ops.constant(first), "past", kind, shapes)


class State:
    """A state that is not reset."""

    def __init__(self, real: Any) -> None:
        self.real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def reset(self) -> None:
        pass


class Request:
    def __init__(self, real: Any) -> None:
        self.real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def query_state(self) -> list[State]:
        return [State(each) for each in self.real.query_state()]


class Compiled:
    def __init__(self, real: Any) -> None:
        self.real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def create_infer_request(self) -> Request:
        return Request(self.real.create_infer_request())


class Core:
    def __init__(self, real: Any, fault: str) -> None:
        self.real, self.fault = real, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def compile_model(self, model: Any, *options: Any) -> Any:
        if self.fault == "never_reset":
            return Compiled(self.real.compile_model(model, *options))
        from openvino import opset13 as ops

        model = model.clone()
        for sink in model.get_sinks():
            off = ops.constant(np.float32(1.002))
            value = ops.multiply(sink.input_value(0), off)
            sink.input(0).replace_source_output(value.output(0))
        return self.real.compile_model(model, *options)


class Forgetful(OpenVinoRuntime):
    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.core = Core(self.core, sys.argv[1])


if __name__ == "__main__":
    serve(Forgetful)
