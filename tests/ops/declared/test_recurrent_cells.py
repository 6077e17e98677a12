"""LSTMCell, GRUCell and RNNCell beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check
from named_shapes import (
    attribute_texts,
    case_of,
    refusal_of,
    shape_texts,
    shapes_of,
    type_names,
)

OPSETS = {"LSTMCell": (1, 3, 4, 16), "GRUCell": (3, 16), "RNNCell": (1, 3, 16)}
GATES = {"LSTMCell": 4, "GRUCell": 3, "RNNCell": 1}
ACTIVATIONS = {
    "LSTMCell": "sigmoid,tanh,tanh",
    "GRUCell": "sigmoid,tanh",
    "RNNCell": "tanh",
}
ODD_ACTIVATIONS = ("relu,HardSigmoid,relu", "tanh", "abc,tanh,tanh")


def random_case(rng: random.Random) -> Case:
    type = rng.choice(list(GATES))
    opset, gates = rng.choice(OPSETS[type]), GATES[type]
    batch, size, hidden = rng.randint(0, 3), rng.randint(0, 4), rng.randint(0, 4)
    known = ACTIVATIONS[type]
    choices = {
        "hidden_size": (str(hidden),),
        "activations": (known,) * 6 + (known.upper(), known + ",abc", *ODD_ACTIVATIONS),
        "activations_alpha": ("", "1,2,3", "0.5"),
        "activations_beta": ("", "1,2,3", "0.5"),
        "clip": ("0", "1.5", "-1"),
    }
    bias_gates = gates
    if type == "GRUCell":
        choices["linear_before_reset"] = ("true", "false")
    if type == "LSTMCell" and opset < 4:
        choices |= {
            "input_forget": ("true", "false"),
            "weights_format": ("fico", "icof", "ifco", "IFOC", "iofc"),
        }
    attributes = attribute_texts(rng, choices, needed=("hidden_size",))
    if attributes.get("linear_before_reset") == "true":
        bias_gates = 4
    states = [(batch, hidden)] * (2 if type == "LSTMCell" else 1)
    weights = [(gates * hidden, size), (gates * hidden, hidden), (bias_gates * hidden,)]
    shapes: list[tuple[int, ...]] = [(batch, size), *states, *weights]
    if type == "LSTMCell" and opset < 4:
        shapes.append((3 * hidden,))
        if rng.random() < 0.4:
            shapes = shapes[: rng.randint(5, 6)]
    if rng.random() < 0.06:
        shapes = rng.choice([shapes[:-1], shapes[:-2], [*shapes, (3 * hidden,)]])
    real = rng.choice(["f32", "f32", "f16", "i64"])
    names = type_names(rng, *[real] * len(shapes))
    operands = [
        Operand(text, name)
        for text, name in zip(shape_texts(rng, *shapes), names, strict=True)
    ]
    return Case(type, opset, operands, attributes, len(states))


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (
        case_of("LSTMCell", 4, "2,3 2,4 ?,4 16,3 16,4 16", 2, hidden_size="4"),
        "[2,4] [2,4]",
    ),
    (
        case_of("LSTMCell", 4, "... ... ... ... ... ...", 2, hidden_size="4"),
        "[?,4] [?,4]",
    ),
    (
        case_of("LSTMCell", 1, "2,3 2,4 2,4 16,3 16,4", 2, hidden_size="4"),
        "[2,4] [2,4]",
    ),
    (
        case_of(
            "GRUCell",
            3,
            "2,3 2,? 12,3 ?,? 16",
            hidden_size="4",
            linear_before_reset="true",
        ),
        "[2,4]",
    ),
    (case_of("RNNCell", 3, "2,3 2,? 4,3 4,4 4", hidden_size="4"), "[2,4]"),
]
REFUSALS = [
    (
        case_of("LSTMCell", 1, "2,3 2,4 2,4 16,3 16,4", 2, hidden_size="5"),
        "hidden_size is 5, the shapes of the inputs say 4",
    ),
    (
        case_of("GRUCell", 3, "2,3 2,4 12,3 12,4 16", hidden_size="4"),
        "3 times the hidden size is 12, dim 0 of B is 16",
    ),
    (
        case_of("GRUCell", 3, "2,3 2,? 13,3 ?,? ?", hidden_size="4"),
        "W has 13 rows for 3 gates",
    ),
    (
        case_of("RNNCell", 3, "2,3 3,4 4,3 4,4 4", hidden_size="4"),
        "the batch size is 2, dim 0 of initial_hidden_state is 3",
    ),
    (
        case_of("RNNCell", 3, "2,3 2,4 4,3 4,4 4", hidden_size="4", activations="odd"),
        "activations holds 'odd', which is not one of",
    ),
    (
        case_of(
            "RNNCell",
            3,
            "2,3 2,4 4,3 4,4 4",
            hidden_size="4",
            activations="HardSigmoid",
        ),
        "activations holds 'HardSigmoid', which the CPU",
    ),
    (
        case_of("GRUCell", 3, "2,3 2,4 12,3 12,4", hidden_size="4"),
        "GRUCell-3 takes 5 inputs",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)
