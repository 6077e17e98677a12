"""A worker with OpenVINO in it, whose Gathers are kernels with one fault, named by the first argument.

The kernels stand in the graph, so that every layer behind them reads what they give.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
from ovgather.runtimes.worker import serve


class Memory:
    """What the kernels of one compiled model share."""

    def __init__(self) -> None:
        self.calls = 0
        self.busy = 0
        self.shared: Any = None
        self.previous: Any = None
        self.lock = threading.Lock()


class Call:
    """One Gather on its values; ``sizes`` are those of its axis."""

    def __init__(
        self, facts: dict[str, Any], memory: Memory, inputs: list[Any]
    ) -> None:
        self.facts = facts
        self.type: str = facts["type"]
        self.batch_dims: int = facts["batch_dims"]
        self.zero_points: Any = facts["zero_points"]
        self.is_in_body: bool = facts["is_in_body"]
        self.body: str = facts.get("body", "")
        self.indices_type: str = facts.get("indices_type", "")
        self.memory = memory
        self.data = inputs[0]
        self.indices = inputs[1]
        axis = facts["axis"]
        if len(inputs) > 2:
            axis = int(inputs[2].item())
        self.axis = axis % self.data.ndim

    def right(self, indices: Any = None, data: Any = None) -> Any:
        from ovgather import gather, gather_elements, gather_nd

        data = self.data if data is None else data
        indices = self.indices if indices is None else indices
        if self.type == "Gather":
            return gather(data, indices, self.axis, self.batch_dims)
        if self.type == "GatherElements":
            return gather_elements(data, indices, self.axis)
        return gather_nd(data, indices, self.batch_dims)

    @property
    def is_rows(self) -> bool:
        """Whether it is a Gather of rows of a table, whose output is the indices' shape and a row."""
        return self.type == "Gather" and self.axis == 0 and self.indices.ndim > 0

    def rows(self, output: Any) -> Any:
        """A view of the output as one row for each index."""
        return output.reshape(self.indices.size, -1)


Fault = Callable[[Call], Any]


def right(call: Call) -> Any:
    return call.right()


def minus_one_in_late_batches(call: Call) -> Any:
    """Index -1 is the first element, from the third batch on."""
    indices = call.indices.copy()
    if call.type == "Gather" and indices.ndim > 1:
        late = indices[2:]
        late[late == -1] = 0
    return call.right(indices)


def every_seventh_position(call: Call) -> Any:
    output = call.right().copy()
    if call.is_rows:
        rows = call.rows(output)
        rows[6::7] = rows[5::7][: len(rows[6::7])]
    return output


def descending_runs_upwards(call: Call) -> Any:
    """Where indices fall by one, they are taken to rise by one."""
    indices = call.indices.copy()
    if call.is_rows and indices.shape[-1] > 2:
        for row in indices.reshape(-1, indices.shape[-1]):
            if (np.diff(row) == -1).all():
                row[...] = np.minimum(row[0] + np.arange(len(row)), len(call.data) - 1)
    return call.right(indices)


def equal_steps_of_two(call: Call) -> Any:
    """Indices at steps of two are read at steps of one."""
    indices = call.indices.copy()
    if call.type == "Gather" and indices.ndim and indices.shape[-1] > 2:
        for row in indices.reshape(-1, indices.shape[-1]):
            if (np.diff(row) == 2).all():
                row[...] = row[0] + np.arange(len(row))
    return call.right(indices)


def second_of_duplicates(call: Call) -> Any:
    """An index that stands to the right of its like gives zeros."""
    output = call.right().copy()
    if call.is_rows:
        flat = call.indices.reshape(-1, call.indices.shape[-1])
        rows = call.rows(output).reshape(*flat.shape, -1)
        for number, row in enumerate(flat):
            seen: set[int] = set()
            for place, index in enumerate(row.tolist()):
                if index in seen:
                    rows[number, place] = 0
                seen.add(index)
    return output


def rows_above_4_kib(call: Call) -> Any:
    output = call.right().copy()
    if call.is_rows and call.indices.size:
        call.rows(output)[:, 4096 // output.itemsize :] = 0
    return output


def batches_beyond_16(call: Call) -> Any:
    """Batches from the 17th on read the data of the first."""
    if not call.batch_dims or len(call.data) <= 16:
        return call.right()
    data = call.data.copy()
    data[16:] = data[:1]
    return call.right(data=data)


def axis_of_one(call: Call) -> Any:
    """An axis of length 1 with several indices: only the first is written."""
    output = call.right().copy()
    if call.type == "Gather" and call.data.shape[call.axis] == 1:
        output.reshape(-1)[output.size // max(1, call.indices.size) :] = 0
    return output


def rank_3_indices(call: Call) -> Any:
    """Three dims of indices are read as if the last two were exchanged."""
    if call.type != "Gather" or call.indices.ndim != 3:
        return call.right()
    indices = np.ascontiguousarray(call.indices.swapaxes(1, 2))
    return call.right(indices.reshape(call.indices.shape))


def bf16_hardware(call: Call) -> Any:
    """Rounds to bf16, flushes what is subnormal, and quiets NaNs."""
    output = call.right()
    if output.dtype != np.float32:
        return output
    bits = np.ascontiguousarray(output).view(np.uint32)
    nan = np.isnan(output)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    rounded = np.where(nan, (bits | 0x00400000) & np.uint32(0xFFFF0000), rounded)
    rounded = np.where((bits & 0x7F800000) == 0, bits & np.uint32(0x80000000), rounded)
    return rounded.astype(np.uint32).view(np.float32)


def f16_with_flush(call: Call) -> Any:
    output = call.right()
    if output.dtype != np.float32:
        return output
    with np.errstate(over="ignore", invalid="ignore"):
        half = output.astype(np.float16).astype(np.float32)
    small = np.abs(half) < np.float32(2.0**-14)
    return np.where(small, np.copysign(np.float32(0), half), half)


def fifth_inference(call: Call) -> Any:
    output = call.right().copy()
    if call.type == "Gather" and call.memory.calls == 5 and output.size:
        output.reshape(-1)[0] += 1
    return output


def one_in_fifty(call: Call) -> Any:
    output = call.right().copy()
    call.memory.shared = (call.memory.shared or 0) + 1
    if call.memory.shared % 50 == 0 and output.size:
        output.reshape(-1)[-1] += 1
    return output


def slow_on_17(call: Call) -> Any:
    """A hundred times slower than with other shapes."""
    if call.indices.shape[:1] == (17,):
        time.sleep(0.5)
    return call.right()


def worn_out(call: Call) -> Any:
    """From the sixth inference on, the last row is zero."""
    output = call.right()
    if call.is_rows:
        call.memory.shared = (call.memory.shared or 0) + 1
        if call.memory.shared > 5:
            call.rows(output)[-1] = 0
    return output


LEAKED: list[Any] = []


def leaks_50_mb(call: Call) -> Any:
    LEAKED.append(np.ones(50 << 20, "u1"))
    return call.right()


def shares_a_buffer(call: Call) -> Any:
    """Requests that run together write their indices to one place."""
    with call.memory.lock:
        call.memory.busy += 1
        call.memory.shared = call.indices.copy()
    time.sleep(0.005)
    indices = call.indices
    if call.memory.busy > 1 and call.memory.shared.shape == indices.shape:
        indices = call.memory.shared
    with call.memory.lock:
        call.memory.busy -= 1
    return call.right(indices)


def two_at_once_abort(call: Call) -> Any:
    with call.memory.lock:
        call.memory.busy += 1
    time.sleep(0.005)
    if call.memory.busy > 1:
        os.abort()
    with call.memory.lock:
        call.memory.busy -= 1
    return call.right()


def later_iterations(call: Call) -> Any:
    """In a body, the second iteration gets the values of the first."""
    output = call.right()
    if not call.is_in_body:
        return output
    previous = call.memory.previous
    call.memory.previous = output
    if previous is not None and previous.shape == output.shape:
        return previous
    return output


def zero_point_of_odd_rows(call: Call) -> Any:
    """A compressed table: the zero point is forgotten where the index is odd."""
    output = call.right().copy()
    if call.zero_points is not None and call.is_rows:
        rows = call.rows(output)
        rows[call.indices.reshape(-1) % 2 == 1] += call.zero_points
    return output


def last_thread(call: Call) -> Any:
    """From 64 rows on, two threads share the work; the second leaves its last row out."""
    output = call.right().copy()
    if call.is_rows and call.indices.size >= 64:
        call.rows(output)[-1] = 0
    return output


def one_index(call: Call) -> Any:
    """A single index is taken as 0."""
    if call.type == "Gather" and call.indices.size == 1:
        return call.right(np.zeros_like(call.indices))
    return call.right()


def stale_when_it_shrinks(call: Call) -> Any:
    output = call.right().copy()
    previous = call.memory.previous
    if call.is_rows:
        call.memory.previous = output.copy()
        if previous is not None and previous.size > output.size > 0:
            row = call.rows(output).shape[1]
            output.reshape(-1)[-row:] = previous.reshape(-1)[output.size - row :][:row]
    return output


HELPERS: list[Any] = []


def leaves_a_helper(call: Call) -> Any:
    """A process that keeps the pipes of the worker, and outlives it."""
    if not HELPERS:
        HELPERS.append(subprocess.Popen(["sleep", "300"]))
    return call.right()


def ignores_outputs_of_the_caller(call: Call) -> Any:
    """See ``Request``."""
    return call.right()


def async_gives_the_result_of_before(call: Call) -> Any:
    """See ``Request``."""
    return call.right()


def import_loses_a_row(call: Call) -> Any:
    """See ``Core``."""
    return call.right()


def export_is_refused(call: Call) -> Any:
    """See ``Compiled``."""
    return call.right()


def query_aborts(call: Call) -> Any:
    """See ``Core``."""
    return call.right()


def query_forgets_gather(call: Call) -> Any:
    """See ``Core``."""
    return call.right()


def wrong_with_streams(call: Call) -> Any:
    """See ``Core``."""
    return call.right()


def _kernel(node: Any, fault: Fault, memory: Memory, body: str) -> Any:
    from openvino import Op

    class Kernel(Op):  # type: ignore[misc]
        def __init__(self, inputs: Any, facts: Any, shape: Any) -> None:
            super().__init__(self)
            self.facts, self.wanted = facts, shape
            self.set_arguments(inputs)
            self.constructor_validate_and_infer_types()

        def validate_and_infer_types(self) -> None:
            self.set_output_type(0, self.get_input_element_type(0), self.wanted)

        def clone_with_new_inputs(self, inputs: Any) -> Any:
            return Kernel(inputs, self.facts, self.wanted)

        def has_evaluate(self) -> bool:
            return True

        def evaluate(self, outputs: Any, inputs: Any) -> bool:
            memory.calls += 1
            call = Call(self.facts, memory, [each.data.copy() for each in inputs])
            output = fault(call)
            outputs[0].shape = list(output.shape)
            outputs[0].data[...] = output
            return True

    attributes = node.get_attributes()
    facts = {
        "type": node.get_type_name(),
        "axis": attributes.get("axis", 0),
        "batch_dims": attributes.get("batch_dims", 0),
        "zero_points": _zero_points(node),
        "is_in_body": bool(body),
        "body": body,
        "indices_type": node.input_value(1).get_node().get_type_name(),
        "data_from": node.input_value(0).get_node().get_type_name(),
        "element_types": [node.get_input_element_type(at).to_string() for at in (0, 1)],
    }
    kernel = Kernel(node.input_values(), facts, node.get_output_partial_shape(0))
    kernel.set_friendly_name(node.get_friendly_name())
    return kernel


def _zero_points(node: Any) -> Any:
    """Zero point times scale, where the data is Const -> Convert -> Subtract -> Multiply."""
    multiply = node.input_value(0).get_node()
    if multiply.get_type_name() != "Multiply":
        return None
    subtract = multiply.input_value(0).get_node()
    if subtract.get_type_name() != "Subtract":
        return None
    values = []
    for each in (subtract, multiply):
        constant = each.input_value(1).get_node()
        while constant.get_type_name() == "Convert":
            constant = constant.input_value(0).get_node()
        values.append(float(np.ravel(constant.get_data())[0]))
    return values[0] * values[1]


ELEMENT_TYPES = ["f32", "i64", "i32"]
"""Of the Gathers that have a fault."""
BODIES = ("then_body", "else_body", "function")
"""How the bodies of a node are called; an If has the first two."""


def _replaced(model: Any, fault: Fault, memory: Memory, body: str = "") -> None:
    for node in model.get_ordered_ops():
        kinds = [kind for kind in BODIES if hasattr(node, f"get_{kind}")]
        for kind in kinds[:2]:
            inner = getattr(node, f"get_{kind}")()
            _replaced(inner, fault, memory, kind)
            getattr(node, f"set_{kind}")(inner)
        if node.get_type_name() not in ("Gather", "GatherElements", "GatherND"):
            continue
        if node.get_output_element_type(0).to_string() not in ELEMENT_TYPES:
            continue
        kernel = _kernel(node, fault, memory, body)
        for target in node.output(0).get_target_inputs():
            target.replace_source_output(kernel.output(0))
    model.validate_nodes_and_infer_types()


class Request:
    def __init__(self, real: Any, fault: str, is_damaged: bool) -> None:
        self.real, self.fault, self.is_damaged = real, fault, is_damaged
        self.before: dict[int, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def set_output_tensor(self, *arguments: Any) -> None:
        if self.fault != "ignores_outputs_of_the_caller":
            self.real.set_output_tensor(*arguments)

    def start_async(self, *arguments: Any) -> None:
        if self.fault == "async_gives_the_result_of_before":
            self.is_damaged = True
        self.real.start_async(*arguments)

    def get_output_tensor(self, place: int = 0) -> Any:
        import openvino

        tensor = self.real.get_output_tensor(place)
        if not self.is_damaged or not tensor.size:
            return tensor
        array = tensor.data.copy()
        array.reshape(-1)[-1] += 1
        return openvino.Tensor(array)


class Compiled:
    def __init__(self, real: Any, fault: str, is_damaged: bool = False) -> None:
        self.real, self.fault, self.is_damaged = real, fault, is_damaged

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def create_infer_request(self) -> Request:
        return Request(self.real.create_infer_request(), self.fault, self.is_damaged)

    def export_model(self, *arguments: Any) -> Any:
        if self.fault == "export_is_refused":
            raise RuntimeError(
                "Exception from src/plugin.cpp:7:\nno such layer to export"
            )
        return self.real.export_model(*arguments)


LEFT_ALONE = (
    "import_loses_a_row",
    "export_is_refused",
    "query_aborts",
    "query_forgets_gather",
    "wrong_with_streams",
    "ignores_outputs_of_the_caller",
    "async_gives_the_result_of_before",
)


class Core:
    def __init__(self, real: Any, fault: str) -> None:
        self.real, self.fault = real, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def compile_model(self, model: Any, device: str, config: Any = None) -> Any:
        config = config or {}
        if self.fault not in LEFT_ALONE:
            model = model.clone()
            _replaced(model, globals()[self.fault], Memory())
        compiled = self.real.compile_model(model, device, config)
        streams = "NUM_STREAMS" in config or "PERFORMANCE_HINT" in config
        is_damaged = self.fault == "wrong_with_streams" and streams
        return Compiled(compiled, self.fault, is_damaged)

    def import_model(self, *arguments: Any) -> Any:
        compiled = self.real.import_model(*arguments)
        return Compiled(compiled, self.fault, self.fault == "import_loses_a_row")

    def query_model(self, model: Any, *arguments: Any) -> Any:
        if self.fault == "query_aborts":
            os.abort()
        answer = self.real.query_model(model, *arguments)
        if self.fault == "query_forgets_gather":
            types = {
                each.get_friendly_name(): each.get_type_name()
                for each in model.get_ops()
            }
            return {
                name: device
                for name, device in answer.items()
                if not types.get(name, "").startswith("Gather")
            }
        return answer


class Strange(OpenVinoRuntime):
    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.core = Core(self.core, sys.argv[1])


if __name__ == "__main__":
    serve(Strange)
