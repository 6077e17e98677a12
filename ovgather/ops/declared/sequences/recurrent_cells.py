"""One step of a recurrent network.

Pages: sequence/lstm-cell-1 (of LSTMCell-4 too), sequence/gru-cell-3, sequence/rnn-cell-3.
"""

from __future__ import annotations

from ovgather.ops.declaration import Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.checks import (
    count_dim,
    is_computed,
    merged,
    product,
    require_rank,
)
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
from ovgather.tensor.dimension import Dimension
from ovgather.tensor.tensor import Tensor


def _infer_lstm_4(node: Node) -> list[Tensor]:
    outputs = _infer_lstm(node)
    require_plugin_support(node, LSTM, outputs)
    return outputs


def _infer_lstm(node: Node) -> list[Tensor]:
    outputs = _states(node, LSTM, (0, 1, 2, 3, 4, 5))
    batch, hidden = outputs[0].shape
    if hidden.is_static or not _is_size_known(node):
        return outputs
    return [
        tensor((batch, count_dim(node["hidden_size"])), outputs[0].element_type)
    ] * 2


def _is_size_known(node: Node) -> bool:
    """Whether OpenVINO takes ``hidden_size`` for the hidden size that the shapes leave open."""
    return "hidden_size" in node.written or is_computed(node, *range(len(node.inputs)))


def _infer_lstm_1(node: Node) -> list[Tensor]:
    outputs = _infer_lstm(node)
    _require_peepholes(node, outputs[0].shape[1])
    require_plugin_support(node, LSTM, outputs)
    return outputs


def _require_peepholes(node: Node, hidden: Dimension) -> None:
    if not node.has(_PEEPHOLES):
        _require_defaults(node, hidden)
        return
    peepholes = node.dims(_PEEPHOLES)
    if not peepholes and (peepholes is not None or is_computed(node, _PEEPHOLES)):
        node.refuse("P", f"P is {node.shape(_PEEPHOLES)}, but must have rank 1")
    if hidden.is_static and peepholes and peepholes[0].is_static:
        merged(node, "3 times the hidden size", [(_PEEPHOLES, 0)], product(hidden, 3))


def _require_defaults(node: Node, hidden: Dimension) -> None:
    """Refuse what keeps OpenVINO from adding P, and B, of the element type of X and of ``hidden_size``."""
    size = node["hidden_size"]
    if size < 0:
        node.refuse_value(
            "hidden_size", f"hidden_size is {size}, but must be 0 or more"
        )
    if hidden.is_static and hidden.min != size:
        node.refuse(
            "hidden_size",
            f"hidden_size is {size}, the shapes of the inputs say {hidden}",
        )
    if node.type(0) == "dynamic" and is_computed(node, 0):
        node.refuse("X", "the element type of X must be known where there is no P")


def _infer_gru(node: Node) -> list[Tensor]:
    # OpenVINO does not look at the element type of W.
    outputs = _states(node, GRU, (0, 1, 3, 4))
    types = {node.type(0), node.type(2)}
    if len(types) > 1 and "dynamic" not in types and not node.inputs[2].is_constant:
        node.refuse_on_compile(
            "W",
            f"W is {node.type(2)}, the CPU plugin needs {node.type(0)} as X is",
        )
    require_plugin_support(node, GRU, outputs)
    return outputs


def _infer_rnn(node: Node) -> list[Tensor]:
    outputs = _states(node, RNN, (0, 1, 2, 3, 4))
    require_plugin_support(node, RNN, outputs)
    return outputs


def _states(node: Node, network: Network, typed: tuple[int, ...]) -> list[Tensor]:
    """The outputs, one for each state; the inputs ``typed`` have one element type."""
    node.require_count()
    problem = activation_problem(node, network)
    if problem is not None:
        node.refuse("activations", problem)
    element_type = node.same_type(*typed)
    bias = network.states + 3
    for index in range(bias):
        require_rank(node, index, 2)
    require_rank(node, bias, 1)
    batch = merged(
        node, "the batch size", [(index, 0) for index in range(1 + network.states)]
    )
    hidden = hidden_size(node, network)
    return [tensor((batch, hidden), element_type)] * network.states


def _inputs(*states: str) -> tuple[Input, ...]:
    return tuple([Input(name) for name in ("X", *states, "W", "R", "B")])


_PEEPHOLES = 6
_LSTM_STATES = ("initial_hidden_state", "initial_cell_state")
_LSTM_ATTRIBUTES = shared_attributes("sigmoid", "tanh", "tanh")
LSTM_1 = Declaration(
    "LSTMCell",
    1,
    (
        *_inputs(*_LSTM_STATES)[:-1],
        Input("B", optional=True),
        Input("P", optional=True),
    ),
    (
        *_LSTM_ATTRIBUTES,
        Attribute("input_forget", "boolean", False),
        Attribute(
            "weights_format",
            "enum",
            "ifco",
            values=("fico", "icof", "ifco", "ifoc", "iofc"),
        ),
    ),
    _infer_lstm_1,
    "sequence/lstm-cell-1",
    outputs=("Ho", "Co"),
)
RNN_1 = Declaration(
    "RNNCell",
    1,
    _inputs("initial_hidden_state"),
    shared_attributes("tanh"),
    _infer_rnn,
    "sequence/rnn-cell-3",
    outputs=("Ho",),
)
DECLARATIONS = (
    LSTM_1,
    LSTM_1._replace(
        since=4,
        inputs=_inputs(*_LSTM_STATES),
        attributes=_LSTM_ATTRIBUTES,
        infer=_infer_lstm_4,
    ),
    Declaration(
        "GRUCell",
        3,
        _inputs("initial_hidden_state"),
        (LINEAR_BEFORE_RESET, *shared_attributes("sigmoid", "tanh")),
        _infer_gru,
        "sequence/gru-cell-3",
        outputs=("Ho",),
    ),
    RNN_1,
    RNN_1._replace(since=3),
)
