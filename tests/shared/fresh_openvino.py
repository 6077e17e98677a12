"""A worker with OpenVINO in it that has one fault, named by its first argument: ``fresh_models`` has where it shows.

Written before how faults are looked for was read.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import strange_openvino
from strange_openvino import Call

from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
from ovgather.runtimes.worker import serve


def evicted_plan(call: Call) -> Any:
    """Three plans are kept; that of a fourth shape is the plan of the shape before it, whose further rows are zero."""
    output = call.right().copy()
    if not call.is_rows:
        return output
    plans = call.facts.setdefault("plans", [])
    size = call.indices.size
    if call.indices.shape not in plans:
        plans.append(call.indices.shape)
    place = plans.index(call.indices.shape)
    if place > 2:
        call.rows(output)[int(np.prod(plans[place - 1])) : size] = 0
    return output


def all_alike(call: Call) -> Any:
    """Where all indices are alike, one row is copied to all places but the last."""
    output = call.right().copy()
    if call.is_rows and call.indices.size > 2 and np.ptp(call.indices) == 0:
        call.rows(output)[-1] = 0
    return output


def invariant_is_kept(call: Call) -> Any:
    """What a body reads from outside, and is no Const, stays as it was in the first inference of its shape."""
    if not call.is_in_body or call.facts["data_from"] != "Parameter":
        return call.right()
    kept = call.memory.__dict__.setdefault("kept", {})
    return call.right(data=kept.setdefault(call.data.shape, call.data))


def beams_begin_with_zero(call: Call) -> Any:
    """Beams whose first is the first are taken to be in order: what a state holds stays as it is."""
    if call.facts["data_from"] != "ReadValue" or not call.indices.size:
        return call.right()
    if call.indices.size > len(call.data) or call.indices.flat[0]:
        return call.right()
    return call.right(np.arange(call.indices.size).reshape(call.indices.shape))


def tail_of_full_tuples(call: Call) -> Any:
    """Tuples that lead to single elements go four at a time; those left over read what the first of four did."""
    output = call.right()
    if call.type != "GatherND" or call.indices.shape[-1] != call.data.ndim:
        return output
    flat = output.copy().reshape(-1)
    whole = flat.size // 4 * 4
    if whole:
        flat[whole:] = flat[whole - 4]
    return flat.reshape(output.shape)


def odd_rows_of_nibbles(call: Call) -> Any:
    """See ``_nibbles``: rows of u4 are read as if each began with a byte."""
    return call.right()


def saturates_at_127(call: Call) -> Any:
    """See ``_saturated``: a zero point is subtracted in i8."""
    return call.right()


def sum_in_half(call: Call) -> Any:
    """See ``_halved``: two Gathers that are added are one kernel, which adds in f16."""
    return call.right()


def skip_is_overwritten(call: Call) -> Any:
    """See ``_overwritten``: a far reader of a Gather reads what a near one wrote over it, unless it is a result."""
    return call.right()


def gathers_become_a_split(call: Call) -> Any:
    """See ``_split``: Gathers of single slices of one tensor are a Split, in the order of their names."""
    return call.right()


def table_by_name(call: Call) -> Any:
    """See ``Core``: tables are shared between models by name and shape."""
    return call.right()


def freed_with_another(call: Call) -> Any:
    """See ``Compiled``: with a compiled model the tables of others of its name are freed."""
    return call.right()


def input_off_a_line(call: Call) -> Any:
    """See ``Request``: indices that do not begin with a cache line are read from before their start."""
    return call.right()


def _source(node: Any, place: int = 0) -> Any:
    return node.input_value(place).get_node()


def _dequantized(node: Any) -> tuple[Any, Any] | None:
    """The Convert of a compressed table, and its Subtract."""
    multiply = _source(node)
    if multiply.get_type_name() != "Multiply":
        return None
    subtract = _source(multiply)
    if subtract.get_type_name() != "Subtract":
        return None
    return _source(subtract), subtract


def _nibbles(node: Any, ops: Any) -> None:
    found = _dequantized(node)
    if found is None or _source(found[0]).get_type_name() != "Constant":
        return
    convert, _ = found
    table = _source(convert)
    shape = list(table.get_shape())
    if table.get_element_type().to_string() != "u4" or shape[-1] % 2 == 0:
        return
    packed = np.array(table.data, "u1").reshape(-1)
    low_first = np.stack([packed & 15, packed >> 4], 1).reshape(-1)
    width = shape[-1]
    stride = (width + 1) // 2 * 2
    rows = int(np.prod(shape[:-1]))
    at = np.arange(rows)[:, None] * stride + np.arange(width)
    read = low_first[np.minimum(at, low_first.size - 1)].reshape(shape)
    convert.input(0).replace_source_output(ops.constant(read).output(0))


def _saturated(node: Any, ops: Any) -> None:
    found = _dequantized(node)
    if found is None:
        return
    _, subtract = found
    multiply = _source(node)
    narrow = ops.clamp(subtract, -128.0, 127.0)
    multiply.input(0).replace_source_output(narrow.output(0))


def _halved(node: Any, ops: Any) -> None:
    targets = list(node.output(0).get_target_inputs())
    if len(targets) != 1 or targets[0].get_node().get_type_name() != "Add":
        return
    add = targets[0].get_node()
    kinds = [each.get_node().get_type_name() for each in add.input_values()]
    if kinds != ["Gather", "Gather"]:
        return
    total = _half_sum(add)
    for target in add.output(0).get_target_inputs():
        target.replace_source_output(total.output(0))


def _half_sum(add: Any) -> Any:
    from openvino import Op

    shape = add.get_output_partial_shape(0)

    class HalfSum(Op):  # type: ignore[misc]
        def __init__(self, inputs: Any) -> None:
            super().__init__(self)
            self.set_arguments(inputs)
            self.constructor_validate_and_infer_types()

        def validate_and_infer_types(self) -> None:
            self.set_output_type(0, self.get_input_element_type(0), shape)

        def clone_with_new_inputs(self, inputs: Any) -> Any:
            return HalfSum(inputs)

        def has_evaluate(self) -> bool:
            return True

        def evaluate(self, outputs: Any, inputs: Any) -> bool:
            first, second = (each.data.astype("f2") for each in inputs)
            total = first + second
            outputs[0].shape = list(total.shape)
            outputs[0].data[...] = total
            return True

    return HalfSum(add.input_values())


def _overwritten(node: Any, ops: Any) -> None:
    readers = {
        each.get_node().get_type_name(): each
        for each in node.output(0).get_target_inputs()
    }
    near, far = readers.get("Multiply"), readers.get("Add")
    if "Result" not in readers and near is not None and far is not None:
        far.replace_source_output(near.get_node().output(0))


def _split(node: Any, ops: Any) -> None:
    alike = []
    for each in node.input_value(0).get_target_inputs():
        other = each.get_node()
        if other.get_type_name() == "Gather" and not each.get_index():
            at = _source(other, 1)
            if at.get_type_name() == "Constant" and not list(at.get_shape()):
                alike.append(other)
    alike.sort(key=lambda each: str(each.get_friendly_name()))
    if len(alike) < 2 or alike[0].get_friendly_name() != node.get_friendly_name():
        return
    for place, other in enumerate(alike):
        kind = other.get_input_element_type(1)
        other.input(1).replace_source_output(ops.constant(place, kind).output(0))


OF_A_GATHER = {
    "odd_rows_of_nibbles": _nibbles,
    "saturates_at_127": _saturated,
    "sum_in_half": _halved,
    "skip_is_overwritten": _overwritten,
    "gathers_become_a_split": _split,
}
OF_MODELS = ("table_by_name", "freed_with_another", "input_off_a_line")


class Request:
    def __init__(self, model: Compiled, real: Any) -> None:
        self.model, self.real = model, real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def set_input_tensor(self, place: int, tensor: Any) -> None:
        import openvino

        array = tensor.data
        if (
            self.model.fault == "input_off_a_line"
            and array.dtype.kind == "i"
            and array.size >= 8
            and array.ctypes.data % 64
        ):
            flat = array.reshape(-1)
            read = np.append(flat[:1], flat[:-1]).reshape(array.shape)
            tensor = openvino.Tensor(np.ascontiguousarray(read))
        self.real.set_input_tensor(place, tensor)

    def get_output_tensor(self, place: int = 0) -> Any:
        import openvino

        tensor = self.real.get_output_tensor(place)
        if not self.model.is_freed or not tensor.size:
            return tensor
        array = tensor.data.copy()
        array.reshape(-1)[0] = 0
        return openvino.Tensor(array)


ALIVE: list[Any] = []


class Compiled:
    def __init__(self, real: Any, fault: str, name: str) -> None:
        self.real, self.fault, self.name = real, fault, name
        self.is_freed = False
        if fault == "freed_with_another":
            ALIVE.append(weakref.ref(self))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def create_infer_request(self) -> Request:
        return Request(self, self.real.create_infer_request())

    def __del__(self) -> None:
        for each in ALIVE:
            other = each()
            if other is not None and other.name == self.name:
                other.is_freed = True


TABLES: dict[Any, Any] = {}


def _shared(model: Any) -> None:
    from openvino import opset13 as ops

    for node in model.get_ordered_ops():
        shape = tuple(node.get_output_shape(0)) if _is_table(node) else ()
        if len(shape) < 2:
            continue
        key = node.get_friendly_name(), shape, node.get_element_type().to_string()
        table = TABLES.setdefault(key, np.array(node.data))
        for target in node.output(0).get_target_inputs():
            target.replace_source_output(ops.constant(table).output(0))


def _is_table(node: Any) -> bool:
    return bool(
        node.get_type_name() == "Constant" and node.get_element_type().size >= 1
    )


class Core(strange_openvino.Core):
    def compile_model(self, model: Any, device: str, config: Any = None) -> Any:
        config = config or {}
        if self.fault in OF_MODELS:
            if self.fault == "table_by_name":
                model = model.clone()
                _shared(model)
            compiled = self.real.compile_model(model, device, config)
            return Compiled(compiled, self.fault, model.get_friendly_name())
        if self.fault not in OF_A_GATHER:
            return super().compile_model(model, device, config)
        from openvino import opset13 as ops

        model = model.clone()
        for node in model.get_ordered_ops():
            if node.get_type_name() == "Gather":
                OF_A_GATHER[self.fault](node, ops)
        model.validate_nodes_and_infer_types()
        return self.real.compile_model(model, device, config)

    def import_model(self, *arguments: Any) -> Any:
        if self.fault in OF_MODELS:
            return Compiled(self.real.import_model(*arguments), self.fault, "")
        return super().import_model(*arguments)


class Fresh(OpenVinoRuntime):
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
    serve(Fresh)
