"""Reshape, Squeeze and Unsqueeze beside OpenVINO."""

from __future__ import annotations

import random
from math import prod
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

INTEGER_TYPES = ["i64", "i64", "i64", "i32", "i8"]


def _dims(shape: str) -> list[str]:
    return [] if shape in ("", "...") else shape.split(",")


def _factors(rng: random.Random, count: int) -> list[int]:
    """Lengths of which the product is ``count``."""
    lengths = []
    for divisor in (2, 2, 3, 5):
        if count and count % divisor == 0 and rng.random() < 0.5:
            lengths.append(divisor)
            count //= divisor
    lengths.append(count)
    rng.shuffle(lengths)
    return lengths


def _pattern(rng: random.Random, dims: list[str], special_zero: bool) -> list[int]:
    if all(dim.isdigit() for dim in dims):
        pattern = _factors(rng, prod(map(int, dims)))
    else:
        kept = [dim for dim in dims if dim.isdigit() and rng.random() < 0.7]
        pattern = [int(dim) for dim in kept] + [
            rng.choice([1, 1, 2]) for _ in range(rng.randint(0, 2))
        ]
        rng.shuffle(pattern)
        if rng.random() < 0.3 and not any(
            dim[:1].isdigit() and ".." in dim[1:-1] for dim in dims
        ):
            pattern.append(rng.choice([3, 4, 6]))
    if rng.random() < 0.6:
        place = (
            rng.randrange(len(pattern))
            if pattern and rng.random() < 0.7
            else len(pattern)
        )
        pattern[place : place + 1] = [-1]
    if special_zero and dims and pattern and rng.random() < 0.6:
        place = rng.randrange(min(len(pattern), len(dims)))
        if pattern[place] != -1:
            pattern[place] = 0
    if pattern and rng.random() < 0.1:
        pattern[rng.randrange(len(pattern))] = rng.choice([0, -1, -2, 7])
    return pattern


def _random_reshape(rng: random.Random) -> Case:
    data = random_shape(
        rng, rng.choice([0, 1, 2, 3, 3, 4]), most=4, dynamic=rng.choice([0, 0.2, 0.5])
    )
    if (
        ".." in data and data != "..."
    ):  # where no length fits, OpenVINO's dim is an empty interval
        data = ",".join(
            "?" if ".." in dim and not dim.endswith("..") else dim
            for dim in _dims(data)
        )
    special_zero = rng.random() < 0.5
    pattern = _pattern(rng, _dims(data), special_zero)
    operand = integers(*pattern, type=rng.choice(INTEGER_TYPES))
    if rng.random() < 0.15:
        shape = rng.choice([str(len(pattern)), "?", "...", "", "1,2", "2..3"])
        operand = Operand(
            shape, rng.choice(["i64", "i64", "i32", "f32", "boolean", "dynamic"])
        )
    operands = [Operand(data, rng.choice(["f32", "i64", "boolean"])), operand]
    if rng.random() < 0.04:
        operands = rng.choice([operands[:1], [*operands, operand], []])
    text = "true" if special_zero else rng.choice(["false", "0", "odd", ""])
    attributes = (
        {} if not special_zero and rng.random() < 0.2 else {"special_zero": text}
    )
    return Case("Reshape", rng.choice([1, 8, 16]), operands, attributes)


def _axes(rng: random.Random, rank: int, places: list[int]) -> Operand:
    axes = [place - rank if rng.random() < 0.3 else place for place in places]
    rng.shuffle(axes)
    if axes and rng.random() < 0.1:
        axes[0] = rng.randint(-rank - 2, rank + 1)
    if rng.random() < 0.06:
        axes.append(rng.randint(-rank, max(rank - 1, 0)))
    if len(axes) == 1 and rng.random() < 0.4:
        return scalar(axes[0], rng.choice([*INTEGER_TYPES, "f32"]))
    if rng.random() < 0.8:
        return integers(*axes, type=rng.choice([*INTEGER_TYPES, "f32"]))
    shape = rng.choice([str(len(axes)), "1", "", "?", "...", "1,2", "1,?"])
    return Operand(shape, rng.choice([*INTEGER_TYPES, "f32", "boolean", "dynamic"]))


def _random_squeeze(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([0, 1, 2, 3, 4]), most=4)
    dims = [dim if rng.random() < 0.6 else "1" for dim in _dims(data)]
    data = ",".join(dims) if data != "..." else data
    ones = [place for place, dim in enumerate(dims) if dim == "1" or rng.random() < 0.3]
    operands = [Operand(data, rng.choice(["f32", "i64"])), _axes(rng, len(dims), ones)]
    if rng.random() < 0.15:
        operands.pop()
    if rng.random() < 0.03:
        operands = rng.choice([[*operands, scalar(0), scalar(0)], []])
    opset = rng.choice([1, 8, 14, 15, 15, 16])
    attributes = (
        {"allow_axis_skip": rng.choice(["true", "false", "odd", "1"])}
        if rng.random() < 0.5
        else {}
    )
    return Case("Squeeze", opset, operands, attributes)


def _random_unsqueeze(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([0, 1, 2, 3]))
    count = rng.choice([0, 1, 1, 1, 2, 2, 3])
    rank = len(_dims(data)) + count
    operands = [Operand(data, "f32"), _axes(rng, rank, rng.sample(range(rank), count))]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, scalar(0)], []])
    return Case("Unsqueeze", rng.choice([1, 8, 16]), operands)


def _random_value(rng: random.Random) -> Case:
    """Elements that pass through a layer on their way to a shape."""
    values = [rng.randint(0, 5) for _ in range(rng.choice([1, 2, 3]))]
    data = rng.choice([integers(*values), Operand(f"1,{len(values)}", "i64", values)])
    if rng.random() < 0.3:
        return Case("Unsqueeze", 1, [scalar(values[0]), scalar(0)], probe=True)
    if rng.random() < 0.5 and data.shape.startswith("1,"):
        return Case("Squeeze", rng.choice([1, 15]), [data, integers(0)], probe=True)
    return Case(
        "Reshape", 1, [data, integers(-1)], {"special_zero": "false"}, probe=True
    )


def random_case(rng: random.Random) -> Case:
    kinds = [
        _random_reshape,
        _random_reshape,
        _random_squeeze,
        _random_unsqueeze,
        _random_value,
    ]
    return rng.choice(kinds)(rng)


def _infer(
    type: str, opset: int, *operands: Operand, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case(type, opset, operands, attributes)))


@pytest.mark.parametrize(
    ("data", "pattern", "special_zero", "output"),
    [
        ("2,3,4", [6, -1], "false", "[6,4]"),
        ("2,3,4", [0, -1], "true", "[2,12]"),
        ("?,3,4", [0, -1], "true", "[?,12]"),
        ("?,3,4", [-1, 12], "false", "[?,12]"),
        ("2..4,6", [3, -1], "false", "[3,4..8]"),
        ("0,3", [0, -1], "true", "[0,3]"),
        ("2,?,0", [2, -1], "false", "[2,0]"),
        ("...", [0, -1], "true", "[?,?]"),
        ("...", [2, -1], "false", "[2,1..]"),
        ("1", [], "false", "[]"),
    ],
)
def test_reshape(data: str, pattern: list[int], special_zero: str, output: str) -> None:
    outputs = _infer(
        "Reshape", 1, Operand(data), integers(*pattern), special_zero=special_zero
    )["outputs"]
    assert outputs == [[output, "f32"]]


@pytest.mark.parametrize(
    ("data", "pattern", "message"),
    [
        (
            "2,3",
            [4, -1],
            "6 elements of data cannot be divided by 4 of shape, so -1 has no length",
        ),
        ("2,3", [7], "shape makes 7 elements, data has 6"),
        ("2,3", [-1, -1], "elements 0 and 1 of shape are both -1"),
        ("2,3", [-2, 3], "element 0 of shape is -2, lengths must be -1 or more"),
        (
            "2,3",
            [0, -1],
            "an element of shape is -1 and the others make 0 elements, so -1 has no length",
        ),
    ],
)
def test_reshape_refuses(data: str, pattern: list[int], message: str) -> None:
    error = _infer(
        "Reshape", 1, Operand(data), integers(*pattern), special_zero="false"
    )["error"]
    assert str(error).startswith(f"{message}: data [")


def test_a_pattern_of_floats() -> None:
    error = _infer("Reshape", 1, Operand("2,3"), Operand("2", "f32"))["error"]
    assert str(error).startswith(
        "shape must be of an integer type, not f32: data [2,3], shape [2]"
    )


@pytest.mark.parametrize(
    ("opset", "data", "axes", "skip", "output"),
    [
        (1, "1,?,3,1", [0, 3], "false", "[?,3]"),
        (1, "1,?,3,1", [1, -1], "true", "[1,3]"),
        (15, "1,?,3,1", [1, -1], "true", "[...]"),
        (15, "1,?,3,1", [1, -1], "false", "[1,3]"),
        (1, "2..5,3", [0], "false", "[2..5,3]"),
        (1, "1,2..,1", [], "false", "[2..]"),
        (1, "1,?", [], "false", "[...]"),
    ],
)
def test_squeeze(
    opset: int, data: str, axes: list[int], skip: str, output: str
) -> None:
    answer = _infer(
        "Squeeze", opset, Operand(data), integers(*axes), allow_axis_skip=skip
    )
    outputs = answer.get("outputs") or answer["inferred"]
    assert outputs == [[output, "f32"]]


def test_an_axis_that_is_not_known() -> None:
    assert _infer("Squeeze", 1, Operand("?,3"), Operand("1", "i64"))["outputs"] == [
        ["[?]", "f32"]
    ]
    assert _infer("Squeeze", 15, Operand("?,3"), Operand("1", "i64"))["outputs"] == [
        ["[...]", "f32"]
    ]
    assert _infer("Squeeze", 15, Operand("2,3"), Operand("1", "i64"))["outputs"] == [
        ["[2,3]", "f32"]
    ]


@pytest.mark.parametrize(
    ("axes", "output"),
    [([0], "[1,2,3]"), ([-1], "[2,3,1]"), ([0, -1], "[1,2,3,1]"), ([0, 0], "[1,2,3]")],
)
def test_unsqueeze(axes: list[int], output: str) -> None:
    assert _infer("Unsqueeze", 1, Operand("2,3"), integers(*axes))["outputs"] == [
        [output, "f32"]
    ]


@pytest.mark.parametrize(
    ("type", "axes", "message"),
    [
        ("Squeeze", integers(3), "axes 3 is out of range [-2, 1]"),
        ("Unsqueeze", integers(3), "axes 3 is out of range [-3, 2]"),
        ("Unsqueeze", integers(), "axes must have 1 element or more, but has none"),
        (
            "Unsqueeze",
            Operand("1,2", "i64"),
            "axes must be a scalar or of rank 1, not of rank 2",
        ),
        (
            "Squeeze",
            Operand("1", "boolean", [1]),
            "axes is boolean, OpenVINO reads no argument of this type",
        ),
    ],
)
def test_axes_that_are_refused(type: str, axes: Operand, message: str) -> None:
    assert str(_infer(type, 1, Operand("2,1"), axes)["error"]).startswith(
        f"{message}: data [2,1], axes "
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


HUGE = [
    ("1", [1 << 32, 1 << 32]),
    ("1", [8, 3, 1 << 33, 1 << 32]),
    (f"{1 << 40},{1 << 40}", [1 << 41, 1 << 39]),
    (f"{1 << 40},{1 << 40}", [1 << 41, 1 << 40]),
    (f"{1 << 32},{1 << 32}", [1 << 33, 1 << 33]),
    (f"{1 << 31},{1 << 32}", [1 << 32, 1 << 32]),
]
"""Counts beyond 64 bits: OpenVINO compares them modulo 2^64."""


@pytest.mark.runtime
def test_counts_beyond_64_bits() -> None:
    from declared_oracle import Oracle

    oracle = Oracle()
    cases = [
        write(
            Case(
                "Reshape",
                1,
                [Operand(data), integers(*shape)],
                {"special_zero": "false"},
            )
        )
        for data, shape in HUGE
    ]
    refused = ["error" in infer(*case) for case in cases]
    assert (
        refused
        == ["error" in oracle.ask(*case) for case in cases]
        == [True, True, False, True, False, True]
    )
