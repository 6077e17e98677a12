"""Discrete Fourier transforms beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    random_shape,
    scalar,
    write,
)
from layer_chain import Chain

TYPES = ("DFT", "IDFT", "RDFT", "IRDFT")


def random_case(rng: random.Random) -> Case:
    type = rng.choice(TYPES)
    rank = rng.choice([1, 2, 2, 3, 3, 4])
    shape = random_shape(rng, rank)
    if type != "RDFT" and shape != "...":
        rank = shape.count(",") + 1 if shape else 0
        last = (
            rng.choice(["2", "2", "2", "?", "1..4"])
            if rng.random() < 0.93
            else rng.choice(["3", "1", "3.."])
        )
        shape = f"{shape},{last}" if shape else last
    kind = (
        rng.choice(["f32", "f16", "bf16"])
        if rng.random() < 0.94
        else rng.choice(["f64", "i32", "dynamic"])
    )
    count = rng.randint(
        0 if "R" not in type and rng.random() < 0.1 else min(rank, 1), rank
    )
    axes = random_axes(rng, rank, count)
    inputs = [Operand(shape, kind), axes]
    if rng.random() < 0.6:
        inputs.append(random_sizes(rng, count))
    if rng.random() < 0.03:
        inputs = rng.choice([inputs[:1], [*inputs, scalar(1), scalar(1)]])
    return Case(type, rng.choice([9, 16, 7 if "R" not in type else 9]), inputs)


def random_axes(rng: random.Random, rank: int, count: int) -> Operand:
    kind = rng.choice(["i64", "i32"])
    draw = rng.random()
    if draw < 0.7:
        axes = rng.sample(range(rank), count)
        return integers(
            *[axis - rank if rng.random() < 0.3 else axis for axis in axes], type=kind
        )
    if draw < 0.8:
        return integers(
            *[rng.randint(-rank - 2, rank + 1) for _ in range(count)], type=kind
        )
    if draw < 0.84:
        return rng.choice(
            [
                Operand("1,1", kind, [0]),
                scalar(0, kind),
                integers(0, type="i8"),
                Operand("1", "f32", [0]),
            ]
        )
    return Operand(
        rng.choice(["1", "2", "?", "...", "9", "", "1,1", "1..2", str(count)]), kind
    )


def random_sizes(rng: random.Random, count: int) -> Operand:
    kind = rng.choice(["i64", "i32"])
    draw = rng.random()
    if draw < 0.7:
        return integers(
            *[rng.choice([-1, 1, 2, 5, 8, -2]) for _ in range(count)], type=kind
        )
    if draw < 0.76:
        return integers(
            *[rng.choice([-1, 0, 7]) for _ in range(rng.randint(0, 3))], type=kind
        )
    if draw < 0.8:
        return rng.choice(
            [
                Operand("1,1", kind, [1]),
                scalar(1, kind),
                Operand("1", "f32"),
                integers(1, type="u8"),
            ]
        )
    return Operand(rng.choice(["?", "...", "", "1..2", *[str(count)] * 4]), kind)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(type: str, shape: str, *operands: Operand) -> str:
    result = infer(*write(Case(type, 9, [Operand(shape), *operands])))
    return str(result.get("error") or result["outputs"][0][0])


def test_shapes() -> None:
    assert answer("DFT", "4,?,2", integers(0, -1)) == "[4,?,2]"
    assert answer("DFT", "4,?,2", integers(0, -1), integers(-1, 9)) == "[4,9,2]"
    assert answer("IDFT", "4,6,2", Operand("?", "i64")) == "[4,6,2]"
    assert (
        answer("IDFT", "4,6,2", Operand("?", "i64"), Operand("?", "i64")) == "[?,?,2]"
    )
    assert answer("RDFT", "4,6", integers(0, -1)) == "[4,4,2]"
    assert answer("RDFT", "4,6", integers(0, -1), integers(8, 9)) == "[8,5,2]"
    assert answer("RDFT", "4,2..7", integers(1)) == "[4,2..4,2]"
    assert answer("IRDFT", "4,5,2", integers(0, 1)) == "[4,8]"
    assert answer("IRDFT", "4,5,2", integers(0, 1), integers(3, 9)) == "[3,9]"
    assert answer("IRDFT", "...", integers(0)) == "[...]"


def _sized(type: str, data: str, less: int) -> str:
    """A transform of the last axis, by its length less a number."""
    chain = Chain()
    parameter = chain.parameter(data)
    axis = chain.const(-1 if type == "RDFT" else -2)
    length = chain.layer(
        "Gather", chain.shape(parameter), axis, chain.const(0, scalar=True)
    )
    size = chain.layer(
        "Subtract",
        length,
        chain.const(less),
        attributes={"auto_broadcast": "numpy"},
    )
    chain.layer(type, parameter, chain.const(-1), size, opset=9)
    return str(infer(*chain.write(len(chain.layers) - 1))["outputs"][0][0])


def test_a_computed_length_is_an_interval() -> None:
    assert _sized("DFT", "..9,3..9,2", 1) == "[..9,2..8,2]"
    assert _sized("IDFT", "..9,3..9,2", 0) == "[..9,3..9,2]"
    assert _sized("RDFT", "..9,3..9", 1) == "[..9,2..5,2]"
    assert _sized("IRDFT", "..9,3..9,2", 1) == "[..9,2..8]"


def test_a_negative_length_is_taken_for_none() -> None:
    assert answer("DFT", "3,4,2", integers(1), integers(-3)) == "[3,0,2]"
    assert answer("RDFT", "3,4", integers(1), integers(-2)) == "[3,0,2]"
    assert answer("IRDFT", "3,4,2", integers(1), integers(-2)) == "[3,0]"


def test_a_computed_length_that_may_be_minus_one_may_keep_the_length() -> None:
    assert _sized("DFT", "..9,1..4,2", 2) == "[..9,..4,2]"


def test_refusals() -> None:
    assert answer("DFT", "4,3", integers(0)).startswith(
        "the last dim of data is 3, but must be 2: data [4,3]"
    )
    assert answer("DFT", "4,2", integers(1)).startswith(
        "axes 1 is out of range [-1, 0]"
    )
    assert answer("RDFT", "4,2", integers(1, -1)).startswith("axes must differ")
    assert answer("RDFT", "4", integers(0, 0)).startswith(
        "axes has 2 elements, data has 1 axes to transform"
    )
    assert answer("RDFT", "4,4", scalar(0)).startswith(
        "axes has rank 0, but must have rank 1"
    )
    assert answer("DFT", "4,2", integers(0), integers(0, 1)).startswith(
        "axes has 1 element, signal_size has 2"
    )
    assert answer("IRDFT", "2", integers(0)).startswith(
        "data has rank 1, but must have at least rank 2"
    )
    assert answer("DFT", "4,2", integers(0, type="i8")).startswith(
        "axes must be i32 or i64, not i8"
    )
