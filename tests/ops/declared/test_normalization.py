"""Normalization beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    near,
    random_dim,
    random_shape,
    scalar,
    write,
)

NUMBERS = ("1e-5", "0.5", "1", "0", "-1", "1e5")
ODD = (
    "",
    "abc",
    "-1",
    "1.5",
    "1e-5x",
    "-0.1",
    "nan",
    "inf",
    "true",
    "99999999999999999999",
    "1,2",
)
NAMES = {
    "MVN": (
        "eps",
        "across_channels",
        "normalize_variance",
        "reduction_axes",
        "eps_mode",
    ),
    "NormalizeL2": ("eps", "eps_mode"),
    "LRN": ("alpha", "beta", "bias", "size"),
    "GRN": ("bias",),
    "BatchNormInference": ("epsilon",),
    "GroupNormalization": ("num_groups", "epsilon"),
}
CHOICES = {
    "across_channels": ("true", "false", "1"),
    "normalize_variance": ("true", "false", "0"),
    "reduction_axes": ("", "1", "1,2", "0,9", "2,2"),
    "size": ("5", "1", "0"),
    "num_groups": ("1", "2", "3", "1"),
    "epsilon": ("1e-5", "0", "0.1"),
}
MODES = {
    "NormalizeL2": ("add", "max", "MAX"),
    "MVN": ("inside_sqrt", "outside_sqrt", "OUTSIDE_SQRT"),
}


def random_case(rng: random.Random) -> Case:
    type = rng.choice([*NAMES, "MVN", "BatchNormInference", "GroupNormalization"])
    rank = rng.choice([2, 3, 4, 4, 5]) if type != "GRN" else rng.choice([2, 3, 4])
    shape = random_shape(rng, rank)
    kind = rng.choice(["f32", "f32", "f16", "dynamic"])
    if rng.random() < 0.06:
        kind = rng.choice(["i64", "boolean", "string"])
    opset = rng.choice([1, 2, 5, 6, 8, 12, 16])
    if type == "BatchNormInference":
        operands = random_norms(rng, shape, kind, 4)
        operands.insert(0 if opset >= 5 else 2, Operand(shape, kind))
    elif type == "GroupNormalization":
        opset = rng.choice([12, 16])
        operands = [Operand(shape, kind), *random_norms(rng, shape, kind, 2)]
    else:
        operands = [Operand(shape, kind), random_axes(rng, rank)]
        if type == "GRN" or (type == "MVN" and opset < 6):
            del operands[1]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:-1], [*operands, scalar(1)]]) or operands
    if rng.random() < 0.03:
        place = rng.randrange(len(operands))
        if operands[place].value is None:
            operands[place] = operands[place]._replace(
                type=rng.choice(["f16", "i32", "dynamic"])
            )
    return Case(type, opset, operands, random_attributes(rng, type))


def random_attributes(rng: random.Random, type: str) -> dict[str, str]:
    attributes = {}
    for name in NAMES[type]:
        choices = MODES[type] if name == "eps_mode" else CHOICES.get(name, NUMBERS)
        if rng.random() < 0.93:
            attributes[name] = rng.choice(choices)
    if rng.random() < 0.12:
        attributes[rng.choice(NAMES[type])] = rng.choice(ODD)
    return attributes


def random_axes(rng: random.Random, rank: int) -> Operand:
    kind = rng.choice(["i64", "i64", "i32", "u8"])
    draw = rng.random()
    if draw < 0.65:
        return integers(*rng.sample(range(rank), rng.randint(0, rank)), type=kind)
    if draw < 0.72:
        return scalar(rng.randrange(rank), kind)
    if draw < 0.8:
        return integers(
            *rng.choice([(rank,), (-1,), (0, 0, 1), (0,) * (rank + 1)]),
            type=rng.choice(["i64", "i32"]),
        )
    if draw < 0.83:
        return Operand(
            rng.choice(["1,1", "1"]), rng.choice(["f32", "i64", "boolean"]), [1]
        )
    return Operand(
        rng.choice(["1", "2", "?", "...", "9", "", "2,1", "1,?", "1..2"]),
        rng.choice(["i64", "i32", "f32"]),
    )


def random_norms(
    rng: random.Random, shape: str, kind: str, count: int
) -> list[Operand]:
    """Inputs of one element per channel."""
    dims = shape.split(",")
    channels = dims[1] if len(dims) > 1 else random_dim(rng)
    norms = [channels] * count
    if rng.random() < 0.35:
        norms[rng.randrange(count)] = rng.choice(
            ["?", "1..8", near(rng, channels), random_dim(rng)]
        )
    if rng.random() < 0.08:
        norms[rng.randrange(count)] = rng.choice(["...", "", "1,1", random_shape(rng)])
    return [Operand(norm, kind) for norm in norms]


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(type: str, opset: int, *inputs: str | Operand, **attributes: str) -> str:
    operands = [each if isinstance(each, Operand) else Operand(each) for each in inputs]
    result = infer(*write(Case(type, opset, operands, attributes)))
    return str(result.get("error") or result["outputs"][0][0])


def test_shapes() -> None:
    assert answer("MVN", 2, "2,?,4", eps="1e-5") == "[2,?,4]"
    assert answer("MVN", 6, "2,?,4", integers(1, 2)) == "[2,?,4]"
    assert answer("NormalizeL2", 1, "2,3", integers(1)) == "[2,3]"
    assert answer("LRN", 1, "2,3", integers(1)) == "[2,3]"
    assert answer("GRN", 1, "2,3") == "[2,3]"
    assert (
        answer("BatchNormInference", 5, "2,?,4", "1..8", "3", "?", "...") == "[2,3,4]"
    )
    assert (
        answer("BatchNormInference", 1, "1..8", "3", "2,?,4", "?", "...") == "[2,3,4]"
    )
    assert answer("GroupNormalization", 12, "2,6", "6", "6", num_groups="3") == "[2,6]"


def test_refused_axes() -> None:
    assert answer("MVN", 6, "2,3", integers(0, 1, 1)).startswith(
        "axes has 3 elements, data has rank 2: data [2,3]"
    )
    assert answer("MVN", 6, "2,3", scalar(0)).startswith(
        "axes has rank 0, but must have rank 1"
    )
    assert answer("NormalizeL2", 1, "2,3", integers(2)).startswith(
        "axes 2 is out of range [-2, 1]"
    )
    assert answer("LRN", 1, "2,3", integers()).startswith(
        "axes is empty: the CPU plugin crashes"
    )
    assert answer("LRN", 1, "2,3", integers(2)).startswith(
        "axis 2 is out of range [0, 1]"
    )


def test_refused_ranks() -> None:
    assert answer("GRN", 1, "2").startswith(
        "data has rank 1, but must have rank 2 or 3 or 4"
    )
    assert answer("BatchNormInference", 5, "2", "3", "3", "3", "3").startswith(
        "data has rank 1, but must have at least"
    )
    assert answer(
        "GroupNormalization", 12, "2,3", "3", "1,3", num_groups="1"
    ).startswith("bias has rank 2")


def test_refused_channels() -> None:
    assert answer("BatchNormInference", 5, "2,3", "3", "4", "3", "3").startswith(
        "beta has 4 channels, those before it have 3"
    )
    assert answer("GroupNormalization", 12, "2,3", "3", "4", num_groups="1").startswith(
        "bias has length 4, data has 3 channels"
    )
    assert answer("GroupNormalization", 12, "2,6", "6", "6", num_groups="4").startswith(
        "the 6 channels of data cannot be divided into 4 groups"
    )
    assert answer("GroupNormalization", 12, "2,6", "6", "6").startswith(
        "num_groups is 0, but must be positive"
    )


def test_refused_attributes() -> None:
    assert answer(
        "BatchNormInference", 5, "2,3", "3", "3", "3", "3", epsilon="-1"
    ).startswith("epsilon is -1, but must not be negative")
    assert answer("NormalizeL2", 1, "2,3", integers(1), eps_mode="x").startswith(
        "eps_mode is 'x', which is not one of add, max"
    )
