"""What cells and sequences of recurrent networks share: attributes, and the hidden size of the weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ovgather.ops.declaration import ALL_TYPES, Attribute, Node
from ovgather.ops.declared.common.checks import (
    is_compiled,
    is_computed,
    merged,
    product,
    require_elements_for_plugin,
    require_plugin_type,
)
from ovgather.ops.declared.common.plugin_types import UNUSUAL
from ovgather.tensor.dimension import Dimension, exact
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_ACTIVATIONS = ("sigmoid", "tanh", "relu", "hardsigmoid")
_FUSED = frozenset({"bf16", "f16", "f32", "f64"})
"""The types of a network of constant weights, of which the CPU plugin makes one kernel."""
_UNCONVERTED = frozenset({"boolean", "string", "u1", "u3", "u6"})
_UNCONVERTED_SEQUENCE = _UNCONVERTED | {"f8e8m0", "u2"}
"""The types that the plugin does not take even where shapes are open."""
HIDDEN_SIZE = Attribute("hidden_size", default=0, required=True)
LINEAR_BEFORE_RESET = Attribute("linear_before_reset", "boolean", False)


def shared_attributes(*activations: str) -> tuple[Attribute, ...]:
    """The attributes of every cell and sequence; ``activations`` are taken where there are none."""
    return (
        HIDDEN_SIZE,
        Attribute("activations", "texts", activations),
        Attribute("activations_alpha", "numbers", ()),
        Attribute("activations_beta", "numbers", ()),
        Attribute("clip", "number", 0.0),
    )


class Network(NamedTuple):
    """How many states, gates and activations a kind of network has."""

    states: int
    gates: int
    activations: int


LSTM, GRU, RNN = Network(2, 4, 3), Network(1, 3, 2), Network(1, 1, 1)


def hidden_size(node: Node, network: Network, offset: int = 0) -> Dimension:
    """The hidden size that states and weights agree on; refuses others.

    ``offset`` is 1 where the dims begin with the direction, as those of a sequence do.
    """
    weights = 1 + network.states + offset  # in a sequence, its lengths lie between
    recurrence, bias = weights + 1, weights + 2
    states = range(1, 1 + network.states)
    places = [(index, 1 + offset) for index in (*states, recurrence)]
    hidden = merged(node, "the hidden size", places)
    gates = network.gates
    if hidden.is_static:
        if node.attributes.get("linear_before_reset"):
            bias_gates = gates + 1
        else:
            bias_gates = gates
        for index, count in ((weights, gates), (recurrence, gates), (bias, bias_gates)):
            if node.has(index):
                merged(
                    node,
                    f"{count} times the hidden size",
                    [(index, offset)],
                    product(hidden, count),
                )
        return hidden
    for index in (weights, recurrence):
        dims = node.dims(index)
        if dims is not None and dims[0].is_static:
            hidden = _merge_quotient(node, index, hidden, dims[offset], gates)
    return hidden


def _merge_quotient(
    node: Node, index: int, hidden: Dimension, dim: Dimension, gates: int
) -> Dimension:
    """``hidden`` with what the dim of all ``gates`` tells of it."""
    low = -(-dim.min // gates)
    high = None
    if dim.max is not None:
        high = dim.max // gates
    quotient = None
    if not (high is not None and high < low):
        quotient = exact(low, high, None)
    if quotient is None or not hidden.compatible(quotient):
        name = node.input_name(index)
        node.refuse(
            name,
            f"{name} has {dim} rows for {gates} gates, the hidden size is {hidden}",
        )
    return hidden & quotient


def activation_problem(node: Node, network: Network) -> str | None:
    """What is wrong with the activations: too few, or an unknown one among those that are used."""
    names, count = node["activations"], network.activations
    if len(names) < count:
        return f"activations has {elements(len(names))}, but must have {count}"
    for name in names[:count]:
        if name.lower() not in _ACTIVATIONS:
            return f"activations holds {name!r}, which is not one of {', '.join(_ACTIVATIONS)}"
    return None


def _require_plugin_width(
    node: Node, weights: int, outputs: Sequence[Tensor], is_constant: bool
) -> None:
    """Refuse data of another width than that of the weights; for open dims a cell of constant weights is made."""
    dims, own = node.dims(0), node.dims(weights)
    if dims is None or own is None or not is_compiled(outputs):
        return
    is_open = not all([each.shape.is_static for each in node.inputs[:weights]])
    if is_open and (is_constant or not is_computed(node, *range(weights))):
        return
    if dims[-1].is_static and own[-1].is_static and dims[-1].min != own[-1].min:
        name = node.input_name(weights)
        message = f"{name} is for {own[-1]} numbers, the last dim of X is {dims[-1]}"
        node.refuse_on_compile(name, message)


def _plugin_types(node: Node, is_constant: bool, offset: int) -> frozenset[str]:
    """The element types that the CPU plugin computes with: it takes a network of other weights apart."""
    if is_constant:
        return _FUSED
    if all([each.shape.is_static for each in node.inputs]):
        return ALL_TYPES - UNUSUAL - {"boolean"}
    return ALL_TYPES - (_UNCONVERTED_SEQUENCE if offset else _UNCONVERTED)


def require_plugin_support(
    node: Node, network: Network, outputs: Sequence[Tensor], offset: int = 0
) -> None:
    """Refuse what the CPU plugin cannot run: other activations, or sizes of data and weights that differ."""
    first = 1 + network.states + offset
    # A sequence of open weights becomes a kernel, or a loop over the cells.
    is_settled = not offset or all(
        [each.shape.is_static for each in node.inputs[first:]]
    )
    stage = "compile" if is_settled else "sometimes"
    require_elements_for_plugin(node, *range(first + 2), stage=stage)
    is_constant = all([each.is_constant for each in node.inputs[first:]])
    if is_compiled(outputs):
        require_plugin_type(node, _plugin_types(node, is_constant, offset), 0)
    _require_plugin_width(node, first, outputs, is_constant)
    size, hidden = node["hidden_size"], outputs[-1].shape[-1]
    if hidden.is_static and hidden.min != size and is_compiled(outputs) and is_constant:
        node.refuse_on_compile(
            "hidden_size",
            f"hidden_size is {size}, the shapes of the inputs say {hidden}",
        )
    for name in node["activations"][: network.activations]:
        if name.lower() == "hardsigmoid":
            message = f"activations holds {name!r}, which the CPU plugin does not take"
            node.refuse_on_compile("activations", message)
