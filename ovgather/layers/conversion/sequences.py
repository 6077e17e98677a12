"""Recurrent nodes, and attention."""

from __future__ import annotations

from ovgather.layers.conversion.call import (
    FromNode,
    NodeCall,
    NotFollowed,
    constant,
    derived,
    integers,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_GATES = {"GRU": 3, "LSTM": 4, "RNN": 1}
_ACTIVATIONS = {
    "GRU": ("sigmoid", "tanh"),
    "LSTM": ("sigmoid", "tanh", "tanh"),
    "RNN": ("tanh",),
}
_DIRECTIONS = {each: each for each in ("forward", "reverse", "bidirectional")}
_OUTPUTS = {"GRU": 2, "LSTM": 3, "RNN": 2}


def _recurrent(call: NodeCall) -> list[Tensor]:
    """The layer has the batch first, and each direction as a dim."""
    kind = call.proto.op_type
    data, weights, recurrence = (call.input(index) for index in range(3))
    if call.integer("layout", 0):
        raise NotFollowed("layout")
    if "activations" in call.attributes:
        raise NotFollowed("activations")
    direction = FromNode("direction", "forward", _DIRECTIONS).read(call)
    directions = LENGTHS[2 if direction == "bidirectional" else 1]
    size = call.integer("hidden_size", 0)
    if data.shape.rank != 3 or size <= 0:
        raise NotFollowed("an unknown rank, or no size")
    real = data.element_type
    if recurrence.shape.rank != 3 or not recurrence.shape[2].compatible(LENGTHS[size]):
        raise NotFollowed("a hidden size that does not fit")
    if weights.shape.rank != 3 or not weights.shape[2].compatible(data.shape[2]):
        call.compile_error = Refused(
            "W",
            f"W is for inputs of another length: X {data.shape}, W {weights.shape}",
            "compile",
        )
    if call.has(3) and call.inputs[3].element_type != real:
        raise NotFollowed("a bias of another type")
    data = call.layer("Transpose", data, integers([1, 0, 2]))
    batch, steps, _ = data.shape
    states = PartialShape((batch, directions, LENGTHS[size]))
    gates = _GATES[kind] * size
    biases = gates
    if kind == "GRU" and call.integer("linear_before_reset", 0):
        biases += size
    inputs = [data]
    for index in (5, 6)[: _OUTPUTS[kind] - 1]:
        if call.has(index):
            inputs.append(
                call.layer("Transpose", call.inputs[index], integers([1, 0, 2]))
            )
        else:
            inputs.append(constant(states, real))
    if call.has(4):
        inputs.append(call.inputs[4])
    else:
        inputs.append(constant(PartialShape((batch,)), "i32"))
    bias = constant(PartialShape((directions, LENGTHS[biases])), real)
    if (
        call.has(3)
        and call.inputs[3].shape.dims
        != PartialShape((directions, LENGTHS[2 * gates])).dims
    ):
        raise NotFollowed("a bias of another shape")
    inputs += [weights, recurrence, bias]
    more: dict[str, object] = {"activations": _ACTIVATIONS[kind]}
    if kind == "GRU":
        more["linear_before_reset"] = call.integer("linear_before_reset", 0) != 0
    outputs = call.layers(
        f"{kind}Sequence",
        *inputs,
        count=_OUTPUTS[kind],
        direction=direction,
        hidden_size=size,
        **more,
    )
    whole = derived(outputs[0], PartialShape((steps, directions, batch, LENGTHS[size])))
    last = [call.layer("Transpose", each, integers([1, 0, 2])) for each in outputs[1:]]
    return [whole, *last]


def _attention(call: NodeCall) -> list[Tensor]:
    """Heads are a dim, or each has its part of the last dim."""
    output = call.integer("qk_matmul_output_mode", 0)
    if not 0 <= output <= 3:
        call.refuse(
            "qk_matmul_output_mode",
            f"qk_matmul_output_mode is {output}, it must be 0 to 3",
        )
    kinds = {"boolean", call.input(0).element_type} - {"i64", "i32"}
    if call.has(3) and call.inputs[3].element_type not in kinds:
        call.refuse(
            "attn_mask",
            f"the mask is {call.inputs[3].element_type}, not {' or '.join(sorted(kinds))}",
        )
    queries, keys, values = (_heads(call, index) for index in range(3))
    lengths = queries.shape
    other = keys.shape
    past = values.shape
    heads = lengths[1]
    groups = other[1]
    if heads.is_dynamic or groups.is_dynamic or heads.min % (groups.min or 1):
        raise NotFollowed("heads")
    if call.has(4):
        other = call.layer("Concat", call.input(4), keys, axis=2).shape
        past = call.layer("Concat", call.input(5), values, axis=2).shape
    weights = PartialShape((lengths[0], heads, lengths[2], other[2]))
    result = PartialShape((lengths[0], heads, lengths[2], past[3]))
    if not lengths[3].compatible(other[3]) or not other[2].compatible(past[2]):
        raise NotFollowed("lengths that do not fit")
    attended = derived(queries, result)
    if call.input(0).shape.rank == 3:
        attended = call.layer("Transpose", attended, integers([0, 2, 1, 3]))
        attended = call.layer(
            "Reshape", attended, integers([0, 0, -1]), special_zero=True
        )
    return [
        attended,
        derived(keys, other),
        derived(values, past),
        derived(queries, weights),
    ]


def _heads(call: NodeCall, index: int) -> Tensor:
    """The queries, the keys or the values, with the heads in dim 1."""
    data = call.input(index)
    if data.shape.rank == 4:
        return data
    count = call.integer("q_num_heads" if index == 0 else "kv_num_heads", 0)
    if data.shape.rank != 3 or count <= 0:
        raise NotFollowed("heads")
    split = call.layer("Reshape", data, integers([0, 0, count, -1]), special_zero=True)
    return call.layer("Transpose", split, integers([0, 2, 1, 3]))


TRANSLATIONS = {
    "Attention": _attention,
    "GRU": _recurrent,
    "LSTM": _recurrent,
    "RNN": _recurrent,
}
