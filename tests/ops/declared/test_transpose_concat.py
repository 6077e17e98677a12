"""Transpose and Concat beside OpenVINO."""

from __future__ import annotations

import random
from typing import Any

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


def _dims(shape: str) -> list[str]:
    return [] if shape in ("", "...") else shape.split(",")


def _random_transpose(rng: random.Random) -> Case:
    data = random_shape(rng)
    order = list(range(len(_dims(data)) if data != "..." else rng.randint(0, 3)))
    rng.shuffle(order)
    if order and rng.random() < 0.1:
        order[rng.randrange(len(order))] = rng.randint(-2, len(order))
    if rng.random() < 0.08:
        order = [] if rng.random() < 0.5 else [*order, 0]
    operand = integers(
        *order,
        type=rng.choice(
            ["i64", "i64", "i32", "u8" if min(order, default=0) >= 0 else "i8"]
        ),
    )
    if rng.random() < 0.25:
        shape = rng.choice(
            [
                str(len(order)),
                str(len(order)),
                "?",
                "...",
                "0",
                "",
                "1,2",
                random_dim(rng),
            ]
        )
        operand = Operand(
            shape, rng.choice(["i64", "i64", "i32", "f32", "boolean", "dynamic"])
        )
    operands = [Operand(data, rng.choice(["f32", "i64", "boolean"])), operand]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, operand]])
    return Case("Transpose", rng.choice([1, 8, 16]), operands)


def _random_concat(rng: random.Random) -> Case:
    rank = rng.choice([0, 1, 1, 2, 3, 3, 4])
    first = random_shape(rng, rank)
    axis = (
        rng.randint(-rank, max(rank - 1, 0))
        if rng.random() < 0.95
        else rng.randint(-rank - 1, rank)
    )
    kind = rng.choice(["f32", "f32", "i64", "boolean", "dynamic"])
    operands = [Operand(first, kind)]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        dims = _dims(first)
        if dims and -rank <= axis < rank and len(dims) == rank:
            dims[axis] = random_dim(rng)
        shape = ",".join(dims) if rng.random() < 0.8 else near(rng, first)
        if rng.random() < 0.1:
            shape = "..." if rng.random() < 0.8 else random_shape(rng)
        kinds = [kind] * 12 + ["dynamic", "i32"]
        operands.append(Operand(shape, rng.choice(kinds)))
    rng.shuffle(operands)
    attributes = {"axis": str(axis)}
    if rng.random() < 0.05:
        attributes = rng.choice([{}, {"axis": ""}, {"axis": "abc"}])
    return Case(
        "Concat",
        rng.choice([1, 8, 16]),
        [] if rng.random() < 0.02 else operands,
        attributes,
    )


def _random_value(rng: random.Random) -> Case:
    """Elements that pass through a layer on their way to a shape."""
    if rng.random() < 0.3:
        return Case(
            "Transpose",
            1,
            [integers(rng.randint(0, 4), 3, 2), integers(*rng.choice([(), (0,)]))],
            probe=True,
        )
    parts = [
        integers(*[rng.randint(0, 4) for _ in range(rng.choice([0, 1, 1, 2]))])
        for _ in range(rng.randint(1, 3))
    ]
    return Case("Concat", 1, parts, {"axis": rng.choice(["0", "-1"])}, probe=True)


def random_case(rng: random.Random) -> Case:
    return rng.choice(
        [_random_transpose, _random_concat, _random_concat, _random_value]
    )(rng)


def _infer(
    type: str, *operands: Operand, probe: bool = False, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case(type, 1, operands, attributes, probe=probe)))


@pytest.mark.parametrize(
    ("data", "order", "output"),
    [
        ("2,?,4", integers(2, 0, 1), "[4,2,?]"),
        ("2,3,4", integers(), "[4,3,2]"),
        ("2,3", Operand("2", "i64"), "[?,?]"),
        ("...", integers(1, 0), "[?,?]"),
        ("...", Operand("2", "i64"), "[...]"),
    ],
)
def test_transpose(data: str, order: Operand, output: str) -> None:
    assert _infer("Transpose", Operand(data), order)["outputs"] == [[output, "f32"]]


@pytest.mark.parametrize(
    ("shapes", "axis", "output"),
    [
        (["2,3", "2,4"], 1, "[2,7]"),
        (["2,3", "2,4"], -1, "[2,7]"),
        (["2,?", "..3,3..4", "1..4,?"], 0, "[3..9,3..4]"),
        (["...", "2,3", "..."], 1, "[2,3..]"),
        (["...", "..."], 9, "[...]"),
    ],
)
def test_concat(shapes: list[str], axis: int, output: str) -> None:
    assert _infer("Concat", *map(Operand, shapes), axis=str(axis))["outputs"] == [
        [output, "f32"]
    ]


def test_elements_that_are_partly_known() -> None:
    outputs = _infer(
        "Concat", integers(2), Operand("1", "i64"), integers(3), axis="0", probe=True
    )["outputs"]
    assert outputs == [["[3]", "i64"], ["[2,?,3]", "u8"]]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (integers(2, 0), "order has 2 elements, data has rank 3"),
        (integers(2, 0, 0), "order (2,0,0) is not a permutation of 3 dims"),
        (scalar(0), "order must be of rank 1, not of rank 0"),
        (Operand("3"), "order must be of an integer type, not f32"),
    ],
)
def test_transpose_refuses(order: Operand, message: str) -> None:
    assert str(_infer("Transpose", Operand("2,3,4"), order)["error"]).startswith(
        f"{message}: data [2,3,4], order "
    )


@pytest.mark.parametrize(
    ("shapes", "axis", "message"),
    [
        (["2,3", "2,4"], "2", "axis 2 is out of range [-2, 1]"),
        (["2,3", "3,4"], "1", "dim 0 of data1 is 3, of the inputs before it is 2"),
        (["2,3", "3"], "1", "the ranks of data0 and data1 differ: 2 and 1"),
        ([""], "0", "data0 is a scalar, which has no axis"),
    ],
)
def test_concat_refuses(shapes: list[str], axis: str, message: str) -> None:
    assert str(_infer("Concat", *map(Operand, shapes), axis=axis)["error"]).startswith(
        f"{message}: data0 ["
    )


def test_inputs_of_two_types() -> None:
    error = _infer("Concat", Operand("2"), Operand("2", "i64"), axis="0")["error"]
    assert str(error).startswith(
        "the element types of data0 and data1 differ: f32 and i64: data0 [2]"
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)
