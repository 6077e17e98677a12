"""A worker with OpenVINO in it whose Gathers, or what stands beside them, have one fault, named by the first argument.

Written by somebody who did not know how faults are looked for. ``unseen_models`` has a model in which each shows.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import strange_openvino
from strange_openvino import Call

from ovgather.runtimes.adapters.openvino import OpenVinoRuntime
from ovgather.runtimes.worker import serve


def index_above_255(call: Call) -> Any:
    """Indices are kept in a byte."""
    if call.is_rows and len(call.data) > 256:
        return call.right(np.where(call.indices < 0, call.indices, call.indices & 255))
    return call.right()


def last_row_is_the_one_before(call: Call) -> Any:
    """The last row of a table is never read."""
    if not call.is_rows or len(call.data) < 3:
        return call.right()
    last = len(call.data) - 1
    indices = np.where(call.indices < 0, call.indices + len(call.data), call.indices)
    return call.right(np.where(indices == last, last - 1, indices))


def odd_batch_count(call: Call) -> Any:
    """Batches go two at a time; the last of an odd number reads the data of the one before."""
    if not call.batch_dims or len(call.data) < 3 or len(call.data) % 2 == 0:
        return call.right()
    data = call.data.copy()
    data[-1] = data[-2]
    return call.right(data=data)


def tail_from_the_next_row(call: Call) -> Any:
    """What is behind the last four elements of a row comes from the row of the next index."""
    output = call.right().copy()
    if call.is_rows and output.size and call.indices.size > 1:
        rows = call.rows(output)
        width = rows.shape[1]
        tail = width - width % 4
        rows[:-1, tail:] = rows[1:, tail:].copy()
    return output


def answers_from_a_weak_key(call: Call) -> Any:
    """Answers are kept by shape and first index."""
    if not call.is_rows or not call.indices.size:
        return call.right()
    call.memory.shared = call.memory.shared or {}
    key = call.type, call.indices.shape, call.data.shape, int(call.indices.flat[0])
    return call.memory.shared.setdefault(key, call.right())


def shape_is_the_first(call: Call) -> Any:
    """A Gather of a shape keeps what it gave at first."""
    if call.data.dtype.kind != "i" or call.data.ndim != 1:
        return call.right()
    if call.memory.previous is None:
        call.memory.previous = call.right()
    return call.memory.previous


def else_branch_is_zero(call: Call) -> Any:
    output = call.right().copy()
    if call.body == "else_body":
        output[...] = 0
    return output


def negative_in_a_body(call: Call) -> Any:
    """In bodies, negative indices are the first element."""
    if call.is_in_body:
        return call.right(np.maximum(call.indices, 0))
    return call.right()


def batch_of_one_reversed(call: Call) -> Any:
    """A single line of several indices is read from its end."""
    if call.type == "Gather" and call.indices.ndim > 1 and call.indices.shape[0] == 1:
        return call.right(call.indices[..., ::-1])
    return call.right()


def integers_through_float(call: Call) -> Any:
    output = call.right()
    if output.dtype.kind == "i":
        return output.astype(np.float32).astype(output.dtype)
    return output


def aborts_on_a_known_shape(call: Call) -> Any:
    """A plan that is found again after another one has been freed."""
    if call.type == "Gather":
        seen = call.memory.__dict__.setdefault("seen", [])
        key = call.type, call.data.shape, call.indices.shape
        if key in seen and seen[-1] != key:
            os.abort()
        seen.append(key)
    return call.right()


def slows_down(call: Call) -> Any:
    """From the seventh call of a compiled model on, it takes half a second."""
    call.memory.shared = (call.memory.shared or 0) + 1
    if call.memory.shared > 6:
        time.sleep(0.5)
    return call.right()


LEAKED: list[Any] = []


def leaks_12_mb(call: Call) -> Any:
    LEAKED.append(np.ones(12 << 20, "u1"))
    return call.right()


def swapped_columns_of_compressed_rows(call: Call) -> Any:
    """Two values of a byte are swapped, in the second half of a compressed table."""
    output = call.right().copy()
    if call.zero_points is not None and call.is_rows and output.size:
        rows = call.rows(output)
        width = rows.shape[1] // 2 * 2
        far = call.indices.reshape(-1) >= len(call.data) // 2
        pairs = rows[far, :width].reshape(far.sum(), -1, 2)
        rows[far, :width] = pairs[..., ::-1].reshape(far.sum(), -1)
    return output


def scale_of_the_first_group(call: Call) -> Any:
    """The second half of each row of a compressed table is scaled twice."""
    output = call.right().copy()
    if call.zero_points is not None and call.is_rows and output.size:
        rows = call.rows(output)
        rows[:, rows.shape[1] // 2 :] *= np.float32(0.5)
    return output


def hangs_on_many_indices(call: Call) -> Any:
    if call.indices.size > 200:
        time.sleep(1000)
    return call.right()


def exits_without_a_word(call: Call) -> Any:
    """The process ends well in the middle of the third inference."""
    call.memory.shared = (call.memory.shared or 0) + 1
    if call.memory.shared > 5:
        os._exit(0)
    return call.right()


def reorders_in_place(call: Call) -> Any:
    """Rows are moved one after the other in the memory of the data."""
    if not call.is_rows or call.indices.ndim != 1:
        return call.right()
    if call.indices.size > len(call.data):
        return call.right()
    data = call.data.copy()
    for place, index in enumerate(call.indices.tolist()):
        data[place] = data[index] if -len(data) <= index < len(data) else 0
    return data[: call.indices.size]


def transposed_indices_by_memory(call: Call) -> Any:
    """Indices from a Transpose are read in the order of the memory before it."""
    if call.indices_type == "Transpose" and call.indices.ndim == 2:
        return call.right(call.indices.T.reshape(call.indices.shape))
    return call.right()


def far_coordinates_are_clamped(call: Call) -> Any:
    """Coordinates of GatherND end at 3."""
    if call.type == "GatherND":
        return call.right(np.minimum(call.indices, 3))
    return call.right()


def aborts_on_tuples(call: Call) -> Any:
    if call.type == "GatherND":
        os.abort()
    return call.right()


def far_columns_of_elements(call: Call) -> Any:
    """GatherElements reads columns from the fifth on in the column four before."""
    if call.type != "GatherElements" or call.axis or call.data.ndim != 2:
        return call.right()
    data = call.data.copy()
    data[:, 4:] = call.data[:, : max(0, data.shape[1] - 4)]
    return call.right(data=data)


def fused_convert_rounds(call: Call) -> Any:
    """See ``Core``: a Convert to integers behind a Gather rounds, where nobody else reads the Gather."""
    return call.right()


def composed_gathers(call: Call) -> Any:
    """See ``Core``: the second of two Gathers reads one row further, where nobody else reads the first."""
    return call.right()


def assign_is_lost(call: Call) -> Any:
    """See ``Core``: a state keeps its first value."""
    return call.right()


def then_always(call: Call) -> Any:
    """See ``Core``: an If runs its first body, whatever its condition."""
    return call.right()


def run_of_five(call: Call) -> Any:
    """Five indices that count up are read as one block, whose last row is lost."""
    output = call.right().copy()
    if call.is_rows and call.indices.shape[-1] > 4:
        flat = call.indices.reshape(-1, call.indices.shape[-1])
        rows = call.rows(output).reshape(*flat.shape, -1)
        for number, row in enumerate(flat):
            for place in range(len(row) - 4):
                if (np.diff(row[place : place + 5]) == 1).all():
                    rows[number, place + 4] = 0
    return output


def cold_start(call: Call) -> Any:
    """The first inference of a compiled model reads the first row for each index."""
    call.memory.shared = (call.memory.shared or 0) + 1
    if call.memory.shared <= 2 and call.is_rows:
        return call.right(np.zeros_like(call.indices))
    return call.right()


def negative_in_the_tail_of_16(call: Call) -> Any:
    """Indices go 16 at a time; those left over are not wrapped, a negative one reads row 0."""
    indices = call.indices.copy()
    flat = indices.reshape(-1)
    tail = flat[flat.size // 16 * 16 :]
    tail[tail < 0] = 0
    return call.right(indices)


def needs_sorted(call: Call) -> Any:
    """Indices are taken to rise: a smaller one than before is read as the one before."""
    if call.is_rows and call.indices.size:
        return call.right(np.maximum.accumulate(call.indices, axis=-1))
    return call.right()


def _only_reader(node: Any, kind: str) -> Any:
    targets = list(node.output(0).get_target_inputs())
    if len(targets) == 1 and targets[0].get_node().get_type_name() == kind:
        return targets[0].get_node()
    return None


def _with_graph_fault(model: Any, fault: str) -> None:
    from openvino import opset13 as ops

    for node in model.get_ordered_ops():
        kind = node.get_type_name()
        if fault == "fused_convert_rounds" and kind == "Gather":
            convert = _only_reader(node, "Convert")
            if convert is not None:
                rounded = ops.round(node.output(0), "half_away_from_zero")
                convert.input(0).replace_source_output(rounded.output(0))
        if fault == "then_always" and kind == "If":
            node.input(0).replace_source_output(ops.constant(True).output(0))
        if fault == "composed_gathers" and kind == "Gather":
            second = _only_reader(node, "Gather")
            if second is not None and second.input_value(0).get_node() == node:
                one = ops.constant(1, second.get_input_element_type(1))
                further = ops.add(second.input_value(1), one)
                second.input(1).replace_source_output(further.output(0))
        if fault == "assign_is_lost" and kind == "Assign":
            name = node.get_variable_id()
            for other in model.get_ordered_ops():
                if (
                    other.get_type_name() == "ReadValue"
                    and other.get_variable_id() == name
                ):
                    node.input(0).replace_source_output(other.output(0))
    model.validate_nodes_and_infer_types()


IN_THE_GRAPH = (
    "fused_convert_rounds",
    "composed_gathers",
    "assign_is_lost",
    "then_always",
)


class Core(strange_openvino.Core):
    def compile_model(self, model: Any, device: str, config: Any = None) -> Any:
        if self.fault not in IN_THE_GRAPH:
            return super().compile_model(model, device, config)
        model = model.clone()
        _with_graph_fault(model, self.fault)
        return self.real.compile_model(model, device, config or {})


class Unseen(OpenVinoRuntime):
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
    serve(Unseen)
