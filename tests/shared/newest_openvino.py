"""A worker with OpenVINO in it that has one fault, named by its first argument: ``newest_models`` has where it shows.

Written by a second reader, who had not read how faults are looked for.
"""

from __future__ import annotations

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


def after_an_empty_inference(call: Call) -> Any:
    """Behind an inference without indices, the first row is not written."""
    output = call.right().copy()
    was_empty = call.facts.get("was_empty", False)
    call.facts["was_empty"] = not call.indices.size
    if was_empty and call.is_rows and output.size:
        call.rows(output)[0] = 0
    return output


def plan_by_volume(call: Call) -> Any:
    """A plan is found by the number of indices: the rows of another shape of that number have the length of before."""
    if call.type != "GatherElements" or call.indices.ndim != 2:
        return call.right()
    plans = call.facts.setdefault("plans", {})
    length = plans.setdefault(call.indices.size, call.indices.shape[1])
    flat = call.indices.reshape(-1)
    row = np.minimum(np.arange(flat.size) // max(length, 1), len(call.data) - 1)
    return call.data[row, flat].reshape(call.indices.shape)


def parallel_seam(call: Call) -> Any:
    """Above 8192 elements four threads work, and each but the first starts with the row before its own."""
    output = call.right().copy()
    if call.is_rows and output.size > 8192:
        rows = call.rows(output)
        right = rows.copy()
        for part in range(1, 4):
            start = len(rows) * part // 4
            rows[start] = right[start - 1]
    return output


def first_on_a_new_thread(call: Call) -> Any:
    """What a thread keeps for itself is not set up in its first call, but on the thread that came first."""
    threads = call.memory.__dict__.setdefault("threads", [])
    me = threading.get_ident()
    is_new = me not in threads
    threads.append(me)
    output = call.right().copy()
    if is_new and len(threads) > 1 and call.is_rows and output.size:
        call.rows(output)[-1] = 0
    return output


HELD: list[Any] = []


def leaks_when_shapes_change(call: Call) -> Any:
    """The plan of before is never freed."""
    shape = call.data.shape, call.indices.shape
    if call.facts.get("shape", shape) != shape:
        HELD.append(np.ones(30 << 20, "u1"))
    call.facts["shape"] = shape
    return call.right()


def slower_each_time(call: Call) -> Any:
    """A list of what was before is searched, each time from its start."""
    number = call.facts["number"] = call.facts.get("number", 0) + 1
    end = time.process_time() + min(0.5, 0.008 * number * number)
    while time.process_time() < end:
        pass
    return call.right()


def at_the_upper_bound(call: Call) -> Any:
    """Where the last dim of the indices is as long as its bound allows, its last row is lost."""
    output = call.right().copy()
    bound = call.facts["bound"]
    if call.is_rows and output.size and bound > 1 and call.indices.shape[-1] == bound:
        output.reshape(-1, bound, output.shape[-1])[:, -1] = 0
    return output


def bf16_in_vectors(call: Call) -> Any:
    """Sixteen values at a time go through bf16, and what is left of a row does not."""
    output = np.ascontiguousarray(call.right()).copy()
    if output.dtype == np.float32 and call.is_rows and output.size:
        bits = call.rows(output).view(np.uint32)
        vectors = bits[:, : bits.shape[1] // 16 * 16]
        odd = (vectors >> 16) & 1
        vectors[...] = (vectors + 0x7FFF + odd) & np.uint32(0xFFFF0000)
    return output


def scale_in_bf16(call: Call) -> Any:
    """See ``_rounded``: the scales of a compressed table go through bf16."""
    return call.right()


def signed_table_as_unsigned(call: Call) -> Any:
    """See ``_unsigned``: a table of i8 without zero points is read as u8."""
    return call.right()


def scale_folded_twice(call: Call) -> Any:
    """See ``_scaled``: a Multiply by a number becomes part of the table before it, and stays."""
    return call.right()


def concat_offset_of_before(call: Call) -> Any:
    """See ``_offset``: a Gather writes into the memory of a Concat, at the place of the inference before."""
    return call.right()


def reset_is_lost(call: Call) -> Any:
    """See ``Request``: a state is reset once, and never again."""
    return call.right()


def states_are_shared(call: Call) -> Any:
    """See ``Request``: the requests of a compiled model have the same states."""
    return call.right()


def same_tensor_new_values(call: Call) -> Any:
    """See ``Request``: what is written into a tensor that a request has already is not seen."""
    return call.right()


def _source(node: Any, place: int = 0) -> Any:
    return node.input_value(place).get_node()


def _rounded(node: Any, ops: Any) -> None:
    multiply = _source(node)
    while multiply.get_type_name() in ("Reshape", "Convert"):
        multiply = _source(multiply)
    if multiply.get_type_name() != "Multiply":
        return
    scale = _source(multiply, 1)
    if scale.get_type_name() != "Constant":
        return
    bits = np.ascontiguousarray(scale.data, "f4").view("u4")
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    multiply.input(1).replace_source_output(ops.constant(bits.view("f4")).output(0))


def _unsigned(node: Any, ops: Any) -> None:
    multiply = _source(node)
    if multiply.get_type_name() != "Multiply":
        return
    convert = _source(multiply)
    if convert.get_type_name() != "Convert":
        return
    table = _source(convert)
    if table.get_type_name() == "Constant" and table.data.dtype == np.int8:
        same = ops.constant(np.array(table.data).view("u1"))
        convert.input(0).replace_source_output(same.output(0))


def _only_reader(node: Any, kind: str) -> Any:
    targets = list(node.output(0).get_target_inputs())
    if len(targets) == 1 and targets[0].get_node().get_type_name() == kind:
        return targets[0].get_node()
    return None


def _scaled(node: Any, ops: Any) -> None:
    multiply = _only_reader(node, "Multiply")
    if multiply is None or _source(node).get_type_name() != "Constant":
        return
    factor = multiply.input_value(1)
    if factor.get_node().get_type_name() == "Constant" and not list(factor.get_shape()):
        table = ops.multiply(node.input_value(0), factor)
        node.input(0).replace_source_output(table.output(0))


def _offset(node: Any, ops: Any) -> None:
    from openvino import Op

    concat = _only_reader(node, "Concat")
    if (
        concat is None
        or concat.get_input_size() != 2
        or _source(concat, 1).get_friendly_name() != node.get_friendly_name()
    ):
        return
    if concat.get_attributes()["axis"] != 0:
        return
    shape = concat.get_output_partial_shape(0)
    before: dict[str, int] = {}

    class Joined(Op):  # type: ignore[misc]
        def __init__(self, inputs: Any) -> None:
            super().__init__(self)
            self.set_arguments(inputs)
            self.constructor_validate_and_infer_types()

        def validate_and_infer_types(self) -> None:
            self.set_output_type(0, self.get_input_element_type(0), shape)

        def clone_with_new_inputs(self, inputs: Any) -> Any:
            return Joined(inputs)

        def has_evaluate(self) -> bool:
            return True

        def evaluate(self, outputs: Any, inputs: Any) -> bool:
            first, second = (each.data.copy() for each in inputs)
            total = len(first) + len(second)
            offset = before.get("offset", len(first))
            if offset + len(second) > total:
                offset = len(first)
            before["offset"] = len(first)
            out = np.zeros((total, *first.shape[1:]), first.dtype)
            out[: len(first)] = first
            out[offset : offset + len(second)] = second
            outputs[0].shape = list(out.shape)
            outputs[0].data[...] = out
            return True

    joined = Joined(concat.input_values())
    for target in concat.output(0).get_target_inputs():
        target.replace_source_output(joined.output(0))


OF_A_GATHER = {
    "scale_in_bf16": _rounded,
    "signed_table_as_unsigned": _unsigned,
    "scale_folded_twice": _scaled,
    "concat_offset_of_before": _offset,
}
OF_REQUESTS = ("reset_is_lost", "states_are_shared", "same_tensor_new_values")


class State:
    def __init__(self, real: Any, request: Request) -> None:
        self.__dict__.update(real=real, request=request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.real, name, value)

    def reset(self) -> None:
        self.request.reset_one(self.real)


class Request:
    def __init__(self, model: Compiled, real: Any) -> None:
        self.model, self.real = model, real
        self.resets: dict[str, int] = {}
        self.kept: dict[int, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def reset_one(self, state: Any) -> None:
        number = self.resets[state.name] = self.resets.get(state.name, 0) + 1
        if self.model.fault == "reset_is_lost" and number > 1:
            return
        self.model.states.pop(state.name, None)
        state.reset()

    def reset_state(self) -> None:
        for each in self.real.query_state():
            self.reset_one(each)

    def query_state(self) -> list[State]:
        return [State(each, self) for each in self.real.query_state()]

    def set_input_tensor(self, *arguments: Any) -> None:
        self.kept.clear()
        self.real.set_input_tensor(*arguments)

    def set_tensor(self, *arguments: Any) -> None:
        self.kept.clear()
        self.real.set_tensor(*arguments)

    def _before(self) -> None:
        if self.model.fault == "states_are_shared":
            import openvino

            for each in self.real.query_state():
                if each.name in self.model.states:
                    each.state = openvino.Tensor(self.model.states[each.name].copy())
        if self.model.fault == "same_tensor_new_values":
            for place in range(len(self.real.model_inputs)):
                array = self.real.get_input_tensor(place).data
                key = array.ctypes.data, array.shape
                if place in self.kept and self.kept[place][0] == key and array.size:
                    array[...] = self.kept[place][1]
                else:
                    self.kept[place] = key, array.copy()

    def _after(self) -> None:
        if self.model.fault == "states_are_shared":
            for each in self.real.query_state():
                self.model.states[each.name] = each.state.data.copy()

    def infer(self, *arguments: Any) -> Any:
        if arguments:
            self.kept.clear()
        self._before()
        answer = self.real.infer(*arguments)
        self._after()
        return answer

    def start_async(self, *arguments: Any) -> None:
        if arguments:
            self.kept.clear()
        self._before()
        self.real.start_async(*arguments)

    def wait(self) -> None:
        self.real.wait()
        self._after()


class Compiled:
    def __init__(self, real: Any, fault: str) -> None:
        self.real, self.fault = real, fault
        self.states: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def create_infer_request(self) -> Request:
        return Request(self, self.real.create_infer_request())


class Core(strange_openvino.Core):
    def compile_model(self, model: Any, device: str, config: Any = None) -> Any:
        if self.fault in OF_REQUESTS:
            return Compiled(
                self.real.compile_model(model, device, config or {}), self.fault
            )
        if self.fault not in OF_A_GATHER:
            return super().compile_model(model, device, config)
        from openvino import opset13 as ops

        model = model.clone()
        for node in model.get_ordered_ops():
            if node.get_type_name() == "Gather":
                OF_A_GATHER[self.fault](node, ops)
        model.validate_nodes_and_infer_types()
        return self.real.compile_model(model, device, config or {})

    def import_model(self, *arguments: Any) -> Any:
        if self.fault in OF_REQUESTS:
            return Compiled(self.real.import_model(*arguments), self.fault)
        return super().import_model(*arguments)


_plain_kernel = strange_openvino._kernel


def _bounded_kernel(node: Any, *others: Any) -> Any:
    """A kernel that knows how long the last dim of its indices may be."""
    shape = node.get_input_partial_shape(1)
    kernel = _plain_kernel(node, *others)
    bound = -1
    if shape.rank.is_static and len(shape) and shape[len(shape) - 1].is_dynamic:
        bound = shape[len(shape) - 1].get_max_length()
    kernel.facts["bound"] = bound
    return kernel


strange_openvino._kernel = _bounded_kernel


class Newest(OpenVinoRuntime):
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
    serve(Newest)
