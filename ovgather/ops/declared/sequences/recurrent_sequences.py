"""A recurrent network over all steps of a sequence.

Pages: sequence/lstm-sequence-5, sequence/gru-sequence-5, sequence/rnn-sequence-5.
"""

from __future__ import annotations

from ovgather.ops.declaration import Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.checks import is_compiled, merged, require_rank
from ovgather.ops.declared.common.plugin_types import UNUSUAL
from ovgather.ops.declared.sequences._recurrent import (
    GRU,
    LINEAR_BEFORE_RESET,
    LSTM,
    RNN,
    Network,
    activation_problem,
    hidden_size,
    require_plugin_support,
    shared_attributes,
)
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.tensor import Tensor


def _infer_lstm(node: Node) -> list[Tensor]:
    return _outputs(node, LSTM)


def _infer_gru(node: Node) -> list[Tensor]:
    return _outputs(node, GRU)


def _infer_rnn(node: Node) -> list[Tensor]:
    return _outputs(node, RNN)


def _outputs(node: Node, network: Network) -> list[Tensor]:
    """The states after every step, and the last one of each."""
    node.require_count()
    states = range(1, 1 + network.states)
    lengths = 1 + network.states
    weights = (lengths + 1, lengths + 2, lengths + 3)
    element_type = node.same_type(0, *states, *weights)
    for index, rank in enumerate((*[3] * lengths, 1, 3, 3, 2)):
        require_rank(node, index, rank)
    batch = merged(node, "the batch size", [(index, 0) for index in range(lengths + 1)])
    hidden = hidden_size(node, network, 1)
    count = LENGTHS[2 if node["direction"] == "bidirectional" else 1]
    places = [*[(index, 1) for index in states], *[(index, 0) for index in weights]]
    directions = merged(node, "the number of directions", places, count)
    # OpenVINO reads a layer without activations, the CPU plugin needs them.
    problem = activation_problem(node, network)
    if problem is not None:
        node.refuse_on_compile("activations", problem)
    data = node.dims(0)
    if data is None:
        steps = ANY
    else:
        steps = data[1]
    last = tensor((batch, directions, hidden), element_type)
    outputs = [
        tensor((batch, directions, steps, hidden), element_type),
        *[last] * network.states,
    ]
    require_plugin_support(node, network, outputs, 1)
    is_static = all([each.shape.is_static for each in node.inputs])
    kind = node.type(lengths)
    if is_static and is_compiled(outputs) and kind in UNUSUAL | {"boolean"}:
        message = f"sequence_lengths is {kind}, the CPU plugin takes none in {node.declaration.type}"
        node.refuse_on_compile("sequence_lengths", message)
    return outputs


def _inputs(*states: str) -> tuple[Input, ...]:
    return tuple(
        [Input(name) for name in ("X", *states, "sequence_lengths", "W", "R", "B")]
    )


_DIRECTION = Attribute(
    "direction", "enum", "forward", True, ("forward", "reverse", "bidirectional")
)
_ATTRIBUTES = (_DIRECTION, *shared_attributes())
GRU_5 = Declaration(
    "GRUSequence",
    5,
    _inputs("initial_hidden_state"),
    (*_ATTRIBUTES, LINEAR_BEFORE_RESET),
    _infer_gru,
    "sequence/gru-sequence-5",
    outputs=("Y", "Ho"),
)
DECLARATIONS = (
    Declaration(
        "LSTMSequence",
        5,
        _inputs("initial_hidden_state", "initial_cell_state"),
        _ATTRIBUTES,
        _infer_lstm,
        "sequence/lstm-sequence-5",
        outputs=("Y", "Ho", "Co"),
    ),
    GRU_5,
    GRU_5._replace(
        type="RNNSequence",
        attributes=_ATTRIBUTES,
        infer=_infer_rnn,
        page="sequence/rnn-sequence-5",
        extra_inputs=True,
    ),
)
