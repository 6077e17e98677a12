"""A worker with OpenVINO in it that has one fault, named by its first argument: ``later_models`` has where it shows.

Written by a second reader, who had not read how faults are looked for.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import strange_openvino
from strange_openvino import Call

from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
from ovgather.runtimes.worker import serve

strange_openvino.ELEMENT_TYPES.append("u8")


def negative_in_i32(call: Call) -> Any:
    """Negative indices of 32 bits are the first element; those of 64 bits are right."""
    if call.type == "Gather" and call.facts["element_types"][1] == "i32":
        return call.right(np.maximum(call.indices, 0))
    return call.right()


def back_to_an_earlier_shape(call: Call) -> Any:
    """A shape that comes again, behind another one, gets the row that it had first."""
    output = call.right().copy()
    if not call.is_rows or not output.size:
        return output
    seen = call.memory.__dict__.setdefault("seen", {})
    key = call.data.shape, call.indices.shape
    if key in seen and call.memory.previous != key:
        call.rows(output)[0] = seen[key]
    seen.setdefault(key, call.rows(output)[0].copy())
    call.memory.previous = key
    return output


def first_position(call: Call) -> Any:
    """What a Range counts keeps the start that it had at first."""
    if call.indices_type != "Range" or not call.indices.size:
        return call.right()
    if call.memory.shared is None:
        call.memory.shared = call.indices[0]
    return call.right(call.indices - call.indices[0] + call.memory.shared)


def swapped_in_the_tail(call: Call) -> Any:
    """Rows go eight at a time; the last two of those left over are exchanged."""
    output = call.right().copy()
    if call.is_rows and call.indices.size > 8 and call.indices.size % 8 > 1:
        rows = call.rows(output)
        rows[-2:] = rows[-2:][::-1].copy()
    return output


def signalling_nans(call: Call) -> Any:
    """NaNs become quiet in the vectors of a row, and stay in what is left of it."""
    output = np.ascontiguousarray(call.right()).copy()
    if output.dtype == np.float32 and call.is_rows and output.size:
        rows = call.rows(output).view(np.uint32)
        vectors = rows[:, : rows.shape[1] // 4 * 4]
        vectors[np.isnan(vectors.view(np.float32))] |= np.uint32(0x00400000)
    return output


def empty_indices(call: Call) -> Any:
    """Without indices, one row comes out."""
    if call.is_rows and not call.indices.size and len(call.data):
        return call.right(np.zeros([max(1, dim) for dim in call.indices.shape], "i8"))
    return call.right()


def shapes_at_once(call: Call) -> Any:
    """Of two that run at once on different shapes, the later one loses its last row."""
    running = call.memory.__dict__.setdefault("running", {})
    me = threading.get_ident()
    with call.memory.lock:
        others = [shape for key, shape in running.items() if key != me]
        running[me] = call.indices.shape
    time.sleep(0.005)
    output = call.right().copy()
    if any(shape != call.indices.shape for shape in others) and call.is_rows:
        call.rows(output)[-1:] = 0
    with call.memory.lock:
        running.pop(me, None)
    return output


def slow_on_the_third_shape(call: Call) -> Any:
    if call.is_rows:
        seen = call.memory.__dict__.setdefault("seen", [])
        if call.indices.shape not in seen:
            seen.append(call.indices.shape)
        if seen.index(call.indices.shape) == 2:
            time.sleep(1)
    return call.right()


def index_of_the_last_iteration(call: Call) -> Any:
    """The first of three iterations reads what the last one of the inference before read."""
    if not call.is_in_body:
        return call.right()
    call.memory.shared = (call.memory.shared or 0) + 1
    before, call.memory.previous = call.memory.previous, call.indices.copy()
    is_first = call.memory.shared % 3 == 1
    if is_first and before is not None and before.shape == call.indices.shape:
        return call.right(before)
    return call.right()


def axis_of_one_takes_any(call: Call) -> Any:
    """An axis of length 1 is read at 0, whatever the index."""
    if call.type == "Gather" and call.data.shape[call.axis] == 1:
        return call.right(np.zeros_like(call.indices))
    return call.right()


def indices_of_the_batch_before(call: Call) -> Any:
    """Each 16th batch reads the indices of the batch before it."""
    if not call.batch_dims or len(call.data) <= 16:
        return call.right()
    indices = call.indices.copy()
    indices[16::16] = call.indices[15::16][: len(indices[16::16])]
    return call.right(indices)


def bytes_in_words(call: Call) -> Any:
    """Rows of bytes are copied four at a time, and what is left is not."""
    output = call.right().copy()
    if output.itemsize == 1 and call.is_rows and output.size:
        rows = call.rows(output)
        rows[:, rows.shape[1] // 4 * 4 :] = 0
    return output


def last_batch_of_tuples(call: Call) -> Any:
    """The last batch of a GatherND reads the first one."""
    if call.type != "GatherND" or not call.batch_dims or len(call.data) < 2:
        return call.right()
    data = call.data.copy()
    data[-1] = data[0]
    return call.right(data=data)


def longer_than_the_data(call: Call) -> Any:
    """GatherElements writes as many columns as the data have."""
    output = call.right().copy()
    if call.type == "GatherElements" and call.data.ndim == 2:
        output[:, call.data.shape[1] :] = 0
    return output


def negative_index_of_a_shape(call: Call) -> Any:
    """A dim that is counted from the end is the first one."""
    if call.facts["data_from"] == "ShapeOf":
        return call.right(np.maximum(call.indices, 0))
    return call.right()


def two_at_once_wait(call: Call) -> Any:
    """Two requests that run at once wait for each other."""
    with call.memory.lock:
        call.memory.busy += 1
    time.sleep(0.005)
    if call.memory.busy > 1:
        time.sleep(1000)
    with call.memory.lock:
        call.memory.busy -= 1
    return call.right()


def second_reader_of_the_data(call: Call) -> Any:
    """See ``_second_reader``."""
    return call.right()


def first_branch(call: Call) -> Any:
    """See ``_kept``: an If runs the branch that it ran at first."""
    return call.right()


def zero_point_of_the_third_group(call: Call) -> Any:
    """See ``_without_a_zero_point``."""
    return call.right()


def subnormals_of_f16(call: Call) -> Any:
    """See ``_flushed``: what is subnormal in the f16 of the file is read as 0."""
    return call.right()


def consumer_writes_in_place(call: Call) -> Any:
    """See ``_in_place``: a Multiply writes over what the Gather gives a Result as well."""
    return call.right()


def tables_of_one_shape(call: Call) -> Any:
    """See ``_merged``: two tables of one shape are taken to be the same."""
    return call.right()


def tail_of_the_caller(call: Call) -> Any:
    """See ``Request``: in the caller's tensor what is behind the last vector stays as it was."""
    return call.right()


def leaks_a_request(call: Call) -> Any:
    """See ``Compiled``: what a request holds is never freed."""
    return call.right()


def hangs_when_released(call: Call) -> Any:
    """See ``Compiled``."""
    return call.right()


def aborts_when_released(call: Call) -> Any:
    """See ``Compiled``."""
    return call.right()


def imported_runs_once(call: Call) -> Any:
    """See ``Request``: what is imported is right in its first inference."""
    return call.right()


def third_request(call: Call) -> Any:
    """See ``Compiled``: the third request of a compiled model is wrong."""
    return call.right()


def _source(node: Any, place: int = 0) -> Any:
    return node.input_value(place).get_node()


def _second_reader(node: Any, ops: Any) -> None:
    """The second of two Gathers that share data reads the row before."""
    readers = [
        each.get_node()
        for each in node.input_value(0).get_target_inputs()
        if each.get_node().get_type_name() == "Gather" and each.get_index() == 0
    ]
    readers.sort(key=lambda each: each.get_friendly_name())
    if len(readers) > 1 and readers[1].get_friendly_name() == node.get_friendly_name():
        one = ops.constant(1, node.get_input_element_type(1))
        zero = ops.constant(0, node.get_input_element_type(1))
        before = ops.maximum(ops.subtract(node.input_value(1), one), zero)
        node.input(1).replace_source_output(before.output(0))


def _without_a_zero_point(node: Any, ops: Any) -> None:
    """The third group of a compressed table has no zero point."""
    reshape = _source(node)
    if reshape.get_type_name() != "Reshape":
        return
    multiply = _source(reshape)
    subtract = _source(multiply)
    if subtract.get_type_name() != "Subtract":
        return
    zero = _source(subtract, 1)
    while zero.get_type_name() == "Convert":
        zero = _source(zero)
    values = np.array(zero.data, "f4")
    if values.ndim != 3 or values.shape[1] < 3:
        return
    values[:, 2] = 0
    wide = ops.subtract(subtract.input_value(0), ops.constant(values))
    scaled = ops.multiply(wide, multiply.input_value(1))
    table = ops.reshape(scaled, reshape.input_value(1), False)
    node.input(0).replace_source_output(table.output(0))


def _flushed(node: Any, ops: Any) -> None:
    convert = _source(node)
    if convert.get_type_name() != "Convert":
        return
    table = _source(convert)
    if table.get_type_name() == "Constant" and table.data.dtype == np.float16:
        values = np.array(table.data, "f4")
        values[np.abs(values) < 2.0**-14] = 0
        node.input(0).replace_source_output(ops.constant(values).output(0))


def _in_place(node: Any, ops: Any) -> None:
    readers = list(node.output(0).get_target_inputs())
    products = [
        each.get_node()
        for each in readers
        if each.get_node().get_type_name() == "Multiply"
    ]
    for each in readers:
        if products and each.get_node().get_type_name() == "Result":
            each.replace_source_output(products[0].output(0))


def _merged(model: Any, ops: Any) -> None:
    tables: dict[Any, Any] = {}
    for node in sorted(model.get_ops(), key=lambda each: each.get_friendly_name()):
        if (
            node.get_type_name() != "Gather"
            or _source(node).get_type_name() != "Constant"
        ):
            continue
        table = _source(node)
        key = tuple(table.get_shape()), str(table.get_element_type())
        if len(key[0]) > 1:
            first = tables.setdefault(key, table)
            node.input(0).replace_source_output(first.output(0))


def _kept(model: Any) -> None:
    """The condition of an If keeps its first value."""
    from openvino import Op

    class Kept(Op):  # type: ignore[misc]
        def __init__(self, inputs: Any) -> None:
            super().__init__(self)
            self.set_arguments(inputs)
            self.constructor_validate_and_infer_types()
            self.first: Any = None

        def validate_and_infer_types(self) -> None:
            self.set_output_type(
                0, self.get_input_element_type(0), self.get_input_partial_shape(0)
            )

        def clone_with_new_inputs(self, inputs: Any) -> Any:
            return Kept(inputs)

        def has_evaluate(self) -> bool:
            return True

        def evaluate(self, outputs: Any, inputs: Any) -> bool:
            if self.first is None:
                self.first = inputs[0].data.copy()
            outputs[0].shape = list(self.first.shape)
            outputs[0].data[...] = self.first
            return True

    for node in model.get_ordered_ops():
        if node.get_type_name() == "If":
            kept = Kept([node.input_value(0)])
            node.input(0).replace_source_output(kept.output(0))


OF_A_GATHER = {
    "second_reader_of_the_data": _second_reader,
    "zero_point_of_the_third_group": _without_a_zero_point,
    "subnormals_of_f16": _flushed,
    "consumer_writes_in_place": _in_place,
}
IN_THE_GRAPH = (
    *OF_A_GATHER,
    "first_branch",
    "tables_of_one_shape",
)
OF_REQUESTS = (
    "tail_of_the_caller",
    "leaks_a_request",
    "hangs_when_released",
    "aborts_when_released",
    "imported_runs_once",
    "third_request",
)


def _with_graph_fault(model: Any, fault: str) -> None:
    from openvino import opset13 as ops

    if fault == "first_branch":
        _kept(model)
    if fault == "tables_of_one_shape":
        _merged(model, ops)
    for node in model.get_ordered_ops() if fault in OF_A_GATHER else ():
        if node.get_type_name() == "Gather":
            OF_A_GATHER[fault](node, ops)
    model.validate_nodes_and_infer_types()


class Request:
    def __init__(self, model: Compiled, real: Any) -> None:
        self.model, self.real = model, real
        self.calls = 0
        self.given: dict[Any, Any] = {}
        self.number = model.requests

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def set_output_tensor(self, *arguments: Any) -> None:
        self.real.set_output_tensor(*arguments)
        if self.model.fault == "tail_of_the_caller":
            tensor = arguments[-1]
            self.given[arguments[0] if arguments[1:] else 0] = (
                tensor,
                tensor.data.copy(),
            )

    def _done(self) -> None:
        self.calls += 1
        self.model.calls += 1
        for tensor, before in self.given.values():
            flat, old = tensor.data.reshape(-1), before.reshape(-1)
            if flat.size == old.size and flat.size > 4:
                flat[flat.size // 4 * 4 :] = old[old.size // 4 * 4 :]

    def infer(self, *arguments: Any) -> Any:
        answer = self.real.infer(*arguments)
        self._done()
        return answer

    def wait(self) -> None:
        self.real.wait()
        self._done()

    def get_output_tensor(self, place: int = 0) -> Any:
        import openvino

        tensor = self.real.get_output_tensor(place)
        is_late = self.model.is_imported and self.calls > 1
        is_third = self.model.fault == "third_request" and self.number > 2
        if not (is_late or is_third) or not tensor.size:
            return tensor
        array = tensor.data.copy()
        array.reshape(-1)[-1] += 1
        return openvino.Tensor(array)


HELD: list[Any] = []


class Compiled:
    def __init__(self, real: Any, fault: str, is_imported: bool = False) -> None:
        self.real, self.fault, self.is_imported = real, fault, is_imported
        self.calls = self.requests = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def create_infer_request(self) -> Request:
        self.requests += 1
        if self.fault == "leaks_a_request":
            HELD.append(np.ones(40 << 20, "u1"))
        return Request(self, self.real.create_infer_request())

    def __del__(self) -> None:
        if self.fault == "hangs_when_released" and self.calls > 2:
            time.sleep(1000)
        if self.fault == "aborts_when_released" and self.calls > 2:
            os.abort()


class Core(strange_openvino.Core):
    def compile_model(self, model: Any, device: str, config: Any = None) -> Any:
        if self.fault in OF_REQUESTS:
            compiled = self.real.compile_model(model, device, config or {})
            return Compiled(compiled, self.fault)
        if self.fault not in IN_THE_GRAPH:
            return super().compile_model(model, device, config)
        model = model.clone()
        _with_graph_fault(model, self.fault)
        return self.real.compile_model(model, device, config or {})

    def import_model(self, *arguments: Any) -> Any:
        compiled = self.real.import_model(*arguments)
        if self.fault in OF_REQUESTS:
            is_imported = self.fault == "imported_runs_once"
            return Compiled(compiled, self.fault, is_imported)
        return strange_openvino.Compiled(compiled, self.fault)


class Later(OpenVinoRuntime):
    def __init__(self, enter: Callable[[str], None]) -> None:
        super().__init__(enter)
        self.core = Core(self.core, sys.argv[1])


vars(strange_openvino).update(
    {
        name: each
        for name, each in list(vars().items())
        if list(getattr(each, "__annotations__", ())) == ["call", "return"]
    }
)


if __name__ == "__main__":
    serve(Later)
