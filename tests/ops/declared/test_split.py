"""Split and VariadicSplit beside OpenVINO."""

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
    random_shape,
    scalar,
    write,
)


def _dims(shape: str) -> list[str]:
    return [] if shape in ("", "...") else shape.split(",")


def _axis(rng: random.Random, rank: int, vector: float) -> Operand:
    axis = (
        rng.randint(-rank, max(rank - 1, 0))
        if rng.random() < 0.93
        else rng.randint(-rank - 2, rank + 1)
    )
    kind = rng.choice(["i64", "i64", "i32", "i8"])
    if rng.random() < 0.85:
        return (
            integers(axis, type=kind) if rng.random() < vector else scalar(axis, kind)
        )
    shape = rng.choice(["", "", "1", "?", "...", "2", "1,1"])
    return Operand(shape, rng.choice(["i64", "i32", "f32", "boolean", "dynamic"]))


def _random_split(rng: random.Random) -> Case:
    count = rng.choice([1, 2, 2, 3, 4])
    data = random_shape(rng, rng.choice([0, 1, 2, 3]))
    multiples = [
        str(count * int(dim)) if dim.isdigit() and rng.random() < 0.9 else dim
        for dim in _dims(data)
    ]
    operands = [
        Operand(
            ",".join(multiples) if data != "..." else data,
            rng.choice(["f32", "i64", "boolean"]),
        ),
        _axis(rng, len(multiples), 0.03),
    ]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, scalar(0)]])
    attributes = {"num_splits": str(count)}
    if rng.random() < 0.05:
        attributes = rng.choice(
            [{}, {"num_splits": "0"}, {"num_splits": "abc"}, {"num_splits": ""}]
        )
    return Case(
        "Split",
        rng.choice([1, 8, 16]),
        operands,
        attributes,
        outputs=rng.randint(1, count),
    )


def _random_variadic(rng: random.Random) -> Case:
    count = rng.choice([1, 2, 2, 3])
    data = random_shape(rng, rng.choice([0, 1, 2, 3]))
    parts = [rng.randint(0, 3) for _ in range(count)]
    dims = [
        str(sum(parts)) if dim.isdigit() and rng.random() < 0.9 else dim
        for dim in _dims(data)
    ]
    if rng.random() < 0.4:
        parts[rng.randrange(count)] = -1
    if rng.random() < 0.07:
        parts[rng.randrange(count)] = rng.choice([-2, -1, 7])
    lengths = integers(*parts, type=rng.choice(["i64", "i64", "i32", "f32"]))
    if rng.random() < 0.15:
        shape = rng.choice([str(count), str(count), "1,2", ""])
        lengths = Operand(shape, rng.choice(["i64", "i32", "f32", "dynamic"]))
    shape = ",".join(dims) if data != "..." else data
    operands = [
        Operand(shape, rng.choice(["f32", "i64"])),
        _axis(rng, len(dims), 0.4),
        lengths,
    ]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:2], [*operands, lengths]])
    return Case(
        "VariadicSplit", rng.choice([1, 8, 16]), operands, outputs=rng.randint(1, count)
    )


def _random_value(rng: random.Random) -> Case:
    """Elements that pass through a layer on their way to a shape."""
    values = integers(*[rng.randint(0, 4) for _ in range(4)])
    if rng.random() < 0.5:
        return Case(
            "Split",
            1,
            [values, scalar(0)],
            {"num_splits": rng.choice(["2", "4"])},
            probe=True,
        )
    return Case(
        "VariadicSplit",
        1,
        [values, scalar(0), integers(*rng.choice([(1, 3), (3, -1)]))],
        probe=True,
    )


def random_case(rng: random.Random) -> Case:
    return rng.choice(
        [_random_split, _random_variadic, _random_variadic, _random_value]
    )(rng)


def _infer(
    type: str, *operands: Operand, outputs: int = 2, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case(type, 1, operands, attributes, outputs)))


@pytest.mark.parametrize(
    ("data", "output"),
    [("6,4", "[3,4]"), ("5..9,4", "[2..4,4]"), ("5..,4", "[2..,4]"), ("...", "[...]")],
)
def test_split(data: str, output: str) -> None:
    assert (
        _infer("Split", Operand(data), scalar(0), num_splits="2")["outputs"]
        == [[output, "f32"]] * 2
    )


@pytest.mark.parametrize(
    ("data", "parts", "outputs"),
    [
        ("6,?", [2, 4], ["[2,?]", "[4,?]"]),
        ("6,?", [2, -1], ["[2,?]", "[4,?]"]),
        ("5..7,1", [2, -1], ["[2,1]", "[3..5,1]"]),
        ("6,1", [7, -1], ["[7,1]", "[?,1]"]),
        ("6,1", [9, -1], ["[9,1]", "[0,1]"]),
    ],
)
def test_variadic_split(data: str, parts: list[int], outputs: list[str]) -> None:
    answer = _infer("VariadicSplit", Operand(data), scalar(0), integers(*parts))
    assert answer["outputs"] == [[output, "f32"] for output in outputs]


def test_what_is_not_known() -> None:
    answer = _infer("VariadicSplit", Operand("6,3"), scalar(0), Operand("2", "i64"))
    assert answer["outputs"] == [["[?,3]", "f32"]] * 2
    answer = _infer("Split", Operand("6,3"), Operand("", "i64"), num_splits="2")
    assert answer["outputs"] == [["[?,?]", "f32"]] * 2


@pytest.mark.parametrize(
    ("axis", "count", "message"),
    [
        (scalar(0), "4", "dim 0 of data is 6, which cannot be divided by num_splits 4"),
        (scalar(1), "4", "dim 1 of data is ..3, fewer than num_splits 4"),
        (scalar(0), "0", "num_splits must be 1 or more, not 0"),
        (scalar(2), "2", "axis 2 is out of range [-2, 1]"),
        (integers(0), "2", "axis must be a scalar, not of rank 1"),
        (Operand(""), "2", "axis must be of an integer type, not f32"),
    ],
)
def test_split_refuses(axis: Operand, count: str, message: str) -> None:
    error = _infer("Split", Operand("6,..3"), axis, num_splits=count)["error"]
    assert str(error).startswith(f"{message}: data [6,..3], axis [")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (integers(2, 5), "split_lengths make 7, dim 0 of data is 6"),
        (integers(-1, -1), "2 elements of split_lengths are -1, at most one may be"),
        (integers(-2, 1), "split_lengths must be -1 or more, not -2"),
        (Operand("1,2", "i64"), "split_lengths must be of rank 1, not of rank 2"),
    ],
)
def test_variadic_split_refuses(parts: Operand, message: str) -> None:
    error = _infer("VariadicSplit", Operand("6,3"), scalar(0), parts)["error"]
    assert str(error).startswith(f"{message}: data [6,3], axis [] = (0)")


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)
