"""Recurrent nodes, and attention."""

from __future__ import annotations

from ovgather.layers.conversion.call import (
    FromNode,
    NodeCall,
    NotFollowed,
    constant,
    derived,
    integers,
    scalar,
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
_DIRECTIONS = {
    word: each
    for each in ("forward", "reverse", "bidirectional")
    for word in (each, each.upper())
}
_OUTPUTS = {"GRU": 2, "LSTM": 3, "RNN": 2}


def _recurrent(call: NodeCall) -> list[Tensor]:
    """The layer has the batch first, and each direction as a dim. How long states are, R says.

    The layout is not looked at.
    """
    kind = call.proto.op_type
    weights = call.input(1)
    data, recurrence = (_of_rank(call, index, 3) for index in (0, 2))
    direction = FromNode("direction", "forward", _DIRECTIONS).read(call)
    directions = LENGTHS[2 if direction == "bidirectional" else 1]
    if "hidden_size" not in call.attributes:
        call.refuse_form("hidden_size", f"{kind} needs hidden_size")
    size = LENGTHS[max(0, call.integer("hidden_size", 0))]
    if None in (data.shape.rank, recurrence.shape.rank):
        raise NotFollowed("an unknown rank")
    hidden = size
    if recurrence.shape.rank == 3 and recurrence.shape[2].is_static:
        hidden = recurrence.shape[2]
    if weights.shape.rank == 2 and kind == "LSTM":
        raise NotFollowed("weights without the dim of directions")
    weights = _of_rank(call, 1, 3)
    if size != hidden or not size.min:
        if not weights.is_constant or not recurrence.is_constant:
            raise NotFollowed("a hidden_size that weights may not fit")
        call.compile_error = Refused(
            "hidden_size",
            f"hidden_size is {call.integer('hidden_size', 0)}, R is for states of another length: {recurrence.shape}",
            "compile",
        )
    activations = _activations(call)
    real = data.element_type
    data = call.layer("Transpose", data, integers([1, 0, 2]))
    if weights.shape.rank == 3 and not weights.shape[2].compatible(data.shape[2]):
        call.compile_error = call.compile_error or Refused(
            "W",
            f"W is for inputs of another length: X {data.shape}, W {weights.shape}",
            "compile",
        )
    batch, steps, _ = data.shape
    states = PartialShape((batch, directions, hidden))
    gates = LENGTHS[_GATES[kind]] * hidden
    biases = gates
    if kind == "GRU" and call.integer("linear_before_reset", 0):
        biases = LENGTHS[_GATES[kind] + 1] * hidden
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
    bias = constant(PartialShape((directions, biases)), real)
    if call.has(3):
        given = _of_rank(call, 3, 2)
        both = PartialShape((directions, LENGTHS[2] * gates))
        if not given.shape.compatible(both):
            call.refuse("B", f"B is {given.shape}, but must be {both}")
        if given.shape.dims != both.dims:
            raise NotFollowed("a bias of an unknown shape")
        bias = derived(bias, element_type=given.element_type)
    inputs += [weights, recurrence, bias]
    more: dict[str, object] = {"activations": activations}
    if kind == "GRU":
        more["linear_before_reset"] = call.integer("linear_before_reset", 0) != 0
    outputs = call.layers(
        f"{kind}Sequence",
        *inputs,
        count=_OUTPUTS[kind],
        direction=direction,
        hidden_size=size.min,
        **more,
    )
    whole = derived(outputs[0], PartialShape((steps, directions, batch, hidden)))
    last = [call.layer("Transpose", each, integers([1, 0, 2])) for each in outputs[1:]]
    return [whole, *last]


def _of_rank(call: NodeCall, index: int, rank: int) -> Tensor:
    """An input; that of an LSTM gets or loses dims 1 in front."""
    given = call.input(index)
    dims = given.shape.dims
    if dims is None or call.proto.op_type != "LSTM":
        return given
    lost = dims[: max(0, len(dims) - rank)]
    if any(not length.compatible(LENGTHS[1]) for length in lost):
        call.refuse(
            "XWRB"[index],
            f"{'XWRB'[index]} must have rank {rank}, or dims 1 in front of it: {given.shape}",
        )
    ones = (LENGTHS[1],) * (rank - len(dims))
    return derived(given, PartialShape((*ones, *dims[len(lost) :])))


def _activations(call: NodeCall) -> tuple[str, ...]:
    """The names that the node gives, or the usual ones; what is not known is refused on compile."""
    usual = _ACTIVATIONS[call.proto.op_type]
    if "activations" not in call.attributes:
        return usual
    texts = call.attributes["activations"].strings
    names = tuple(text.decode("utf-8", "replace").lower() for text in texts)
    if len(names) < len(usual) or not {*names} <= _FUNCTIONS:
        message = f"activations are {', '.join(names)}, the layer takes {len(usual)} of {', '.join(sorted(_FUNCTIONS))}"
        call.compile_error = Refused("activations", message, "compile")
        return usual
    return names


_FUNCTIONS = {"hardsigmoid", "relu", "sigmoid", "tanh"}


def _attention(call: NodeCall) -> list[Tensor]:
    """Heads are a dim, or each has its part of the last dim."""
    output = call.integer("qk_matmul_output_mode", 0)
    if not 0 <= output <= 3:
        call.refuse(
            "qk_matmul_output_mode",
            f"qk_matmul_output_mode is {output}, but must be 0 to 3",
        )
    kinds = {"boolean", call.input(0).element_type} - {"i64", "i32"}
    if call.has(3) and call.inputs[3].element_type not in kinds:
        call.refuse(
            "attn_mask",
            f"the mask is {call.inputs[3].element_type}, not {' or '.join(sorted(kinds))}",
        )
    types = {call.input(index).element_type for index in range(3)} - {"dynamic"}
    if len(types) > 1:
        call.refuse(
            "inputs", f"Q, K and V have unequal types: {', '.join(sorted(types))}"
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
    if not lengths[0].compatible(other[0]) or not other[0].compatible(past[0]):
        raise NotFollowed("batches that do not fit")
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


def _rotary(call: NodeCall) -> list[Tensor]:
    """Two halves of each head are turned by angles, those of all places or of given ones."""
    data, *tables = [call.input(index) for index in range(3)]
    width = tables[0].shape.dims and tables[0].shape[-1]
    if not width or width.is_dynamic or len(tables[0].shape) < 2:
        call.refuse("cos_cache", "the last dim of cos_cache must be known")
    head = _head_size(call, data)
    turned = call.integer("rotary_embedding_dim", head)
    if turned < 1:
        raise NotFollowed("a rotation of no elements")
    if data.shape.rank == 3:
        heads = integers([0, 0, -1, head])
        data = call.layer("Reshape", data, heads, special_zero=True)
        data = call.layer("Transpose", data, integers([0, 2, 1, 3]))
    angles = [_angles(call, table, turned // 2, turned < head) for table in tables]
    last = scalar(-1)
    if turned < head:
        parts = integers([turned, head - turned])
        data = call.layers("VariadicSplit", data, last, parts, count=2)[0]
    length = turned // 2
    if turned == head:
        length = width.min
    halves = call.layers("VariadicSplit", data, last, integers([length] * 2), count=2)
    for angle in angles:
        for half in halves:
            call.layer("Multiply", half, angle)
    return call.same()


def _head_size(call: NodeCall, data: Tensor) -> int:
    if data.shape.rank not in (3, 4):
        raise NotFollowed("data of another rank")
    heads = 1
    if data.shape.rank == 3:
        heads = call.integer("num_heads", 0)
        if heads <= 0:
            call.refuse("num_heads", "data of rank 3 needs num_heads")
    if data.shape[-1].is_dynamic:
        raise NotFollowed("heads of unknown size")
    if data.shape[-1].min % heads:
        length = data.shape[-1].min
        call.refuse("num_heads", f"{heads} heads do not divide the length {length}")
    return data.shape[-1].min // heads


def _angles(call: NodeCall, table: Tensor, half: int, is_part: bool) -> Tensor:
    """The rows of a table of cosines or sines, as data has its dims."""
    if call.has(3):
        table = call.layer("Gather", table, call.inputs[3], scalar(0))
    table = call.layer("Unsqueeze", table, integers([1]))
    if not is_part:
        return table
    width = table.shape[-1] if table.shape.rank else None
    if width is None or width.is_dynamic:
        raise NotFollowed("angles of unknown number")
    parts = integers([half, width.min - half])
    return call.layers("VariadicSplit", table, scalar(-1), parts, count=2)[0]


TRANSLATIONS = {
    "Attention": _attention,
    "GRU": _recurrent,
    "LSTM": _recurrent,
    "RNN": _recurrent,
    "RotaryEmbedding": _rotary,
}
