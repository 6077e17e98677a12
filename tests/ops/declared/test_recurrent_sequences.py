"""LSTMSequence, GRUSequence and RNNSequence beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, write
from named_shapes import (
    attribute_texts,
    case_of,
    refusal_of,
    shape_texts,
    shapes_of,
    type_names,
)

GATES = {"LSTMSequence": 4, "GRUSequence": 3, "RNNSequence": 1}
ACTIVATIONS = {
    "LSTMSequence": "sigmoid,tanh,tanh",
    "GRUSequence": "sigmoid,tanh",
    "RNNSequence": "tanh",
}


BOTH_WAYS = {"direction": "bidirectional"}
GRU = {**BOTH_WAYS, "activations": "tanh,tanh"}
LSTM = {"activations": "sigmoid,tanh,tanh"}


def random_case(rng: random.Random) -> Case:
    type = rng.choice(list(GATES))
    gates, states = GATES[type], 2 if type == "LSTMSequence" else 1
    batch, steps, size, hidden = (
        rng.randint(0, 3),
        rng.randint(0, 4),
        rng.randint(0, 3),
        rng.randint(0, 4),
    )
    direction = rng.choice(["forward", "reverse", "bidirectional", "BIDIRECTIONAL"])
    directions = 2 if direction.lower() == "bidirectional" else 1
    known = ACTIVATIONS[type]
    choices = {
        "hidden_size": (str(hidden),),
        "direction": (direction,),
        "activations": (known,) * 8 + (known.upper(), "tanh", "abc,tanh,tanh", ""),
        "activations_alpha": ("", "1,2,3", "0.5"),
        "activations_beta": ("", "1,2,3", "0.5"),
        "clip": ("0", "1.5", "-1"),
    }
    bias_gates = gates
    if type == "GRUSequence":
        choices["linear_before_reset"] = ("true", "false")
    attributes = attribute_texts(
        rng, choices, needed=("hidden_size", "direction", "activations")
    )
    if attributes.get("linear_before_reset") == "true":
        bias_gates = 4
    shapes: list[tuple[int, ...]] = [
        (batch, steps, size),
        *[(batch, directions, hidden)] * states,
        (batch,),
    ]
    shapes += [(directions, gates * hidden, size), (directions, gates * hidden, hidden)]
    shapes.append((directions, bias_gates * hidden))
    real = rng.choice(["f32", "f32", "f16", "i64"])
    names = [real] * len(shapes)
    names[1 + states] = rng.choice(["i32", "i64", "f32"])
    if rng.random() < 0.05:
        shapes, names = rng.choice(
            [(shapes[:-1], names[:-1]), ([*shapes, (2, 3)], [*names, real])]
        )
    names = type_names(rng, *names)
    operands = [
        Operand(text, name)
        for text, name in zip(shape_texts(rng, *shapes), names, strict=True)
    ]
    return Case(type, rng.choice([5, 9, 16]), operands, attributes, 1 + states)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (
        case_of(
            "LSTMSequence", 5, "2,7,3 2,1,4 2,1,4 2:i32 1,16,3 1,16,4 1,16", 3, **LSTM
        ),
        "[2,1,7,4] [2,1,4] [2,1,4]",
    ),
    (
        case_of("GRUSequence", 5, "?,7,3 2,2,? 2:i32 2,12,3 2,?,? 2,12", 2, **GRU),
        "[2,2,7,4] [2,2,4]",
    ),
    (
        case_of(
            "RNNSequence", 5, "2,?,3 2,1,4 2:i32 1,4,3 1,4,4 1,4", 2, activations="tanh"
        ),
        "[2,1,?,4] [2,1,4]",
    ),
]
REFUSALS = [
    (
        case_of("RNNSequence", 5, "2,7,3 2,1,4 2:i32 1,4,3 1,4,4 1,4", 2, **BOTH_WAYS),
        "the number of directions is 2, dim 1 of initial_hidden",
    ),
    (
        case_of("RNNSequence", 5, "2,7,3 2,1,4 2:i32 1,4,3 1,4,4 1,4", 2),
        "activations has 0 elements, but must have 1",
    ),
    (
        case_of("RNNSequence", 5, "2,7,3 2,1,4 3:i32 1,4,3 1,4,4 1,4", 2),
        "the batch size is 2, dim 0 of sequence_lengths is 3",
    ),
    (
        case_of("RNNSequence", 5, "2,7,3 2,1,4 2:i32 1,5,3 1,4,4 1,4", 2),
        "1 times the hidden size is 4, dim 1 of W is 5",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)


@pytest.mark.parametrize(
    ("data", "type", "stage"),
    [
        ("2,5,3", "boolean", "compile"),
        ("2,?,3", "boolean", None),
        ("2,5,3", "u8", None),
    ],
)
def test_lengths_that_the_plugin_takes(data: str, type: str, stage: str | None) -> None:
    weights = [
        Operand(shape, "f32", [0.5] * count)
        for shape, count in (("1,12,3", 36), ("1,12,4", 48), ("1,12", 12))
    ]
    inputs = [Operand(data, "f32"), Operand("2,1,4", "f32"), Operand("2", type)]
    attributes = {
        "hidden_size": "4",
        "direction": "forward",
        "activations": "sigmoid,tanh",
        "activations_alpha": "",
        "activations_beta": "",
        "clip": "0",
        "linear_before_reset": "false",
    }
    case = Case("GRUSequence", 5, [*inputs, *weights], attributes, outputs=2)
    assert infer(*write(case)).get("stage") == stage
