"""Slice and StridedSlice beside OpenVINO."""

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
    random_dim,
    random_shape,
    scalar,
    write,
)

FAR = [2**63 - 1, -(2**63), 2**31 - 1]
MASKS = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"]


def _dims(shape: str) -> list[str]:
    return [] if shape in ("", "...") else shape.split(",")


def _indices(rng: random.Random, count: int, *choices: int) -> Operand:
    values = [rng.choice(choices) if choices else _index(rng) for _ in range(count)]
    if rng.random() < 0.88:
        small = all(-100 < value < 100 for value in values)
        return integers(
            *values, type=rng.choice(["i64", "i64", "i32", "i8"]) if small else "i64"
        )
    shape = rng.choice(
        [str(count), str(count), str(count), "?", "...", "", "1,2", random_dim(rng)]
    )
    return Operand(
        shape, rng.choice(["i64", "i64", "i64", "i32", "f32", "boolean", "dynamic"])
    )


def _index(rng: random.Random) -> int:
    return rng.randint(-7, 7) if rng.random() < 0.75 else rng.choice([0, -1, *FAR])


def _steps(rng: random.Random, count: int) -> Operand:
    return _indices(
        rng, count, *([1, 1, 1, 2, 3, -1, -1, -2] if rng.random() < 0.97 else [1, 0])
    )


def _random_slice(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([1, 2, 3, 3, 4]))
    rank = len(_dims(data)) if data != "..." else rng.randint(1, 3)
    count = rng.randint(0, rank) if rng.random() < 0.97 else rank + 1
    operands = [
        Operand(data, "f32"),
        _indices(rng, count),
        _indices(rng, count),
        _steps(rng, count),
    ]
    if rng.random() < 0.6:
        axes = rng.sample(range(rank), min(count, rank))
        axes = [axis - rank if rng.random() < 0.3 else axis for axis in axes]
        if axes and rng.random() < 0.08:
            axes[0] = rng.randint(-rank - 1, rank)
        operands.append(
            integers(*axes) if rng.random() < 0.85 else _indices(rng, count)
        )
    if rng.random() < 0.02:
        operands += [operands[1]] * 3
    return Case("Slice", rng.choice([8, 10, 16]), operands)


def _mask(rng: random.Random, length: int, often: float) -> str:
    return ",".join([str(int(rng.random() < often)) for _ in range(length)])


def _random_strided(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([0, 1, 2, 3, 3, 4]))
    rank = len(_dims(data)) if data != "..." else rng.randint(1, 3)
    count = rng.randint(0, rank) if rng.random() < 0.9 else rank + 1
    operands = [
        Operand(data, "f32"),
        _indices(rng, count),
        _indices(rng, count),
        _steps(rng, count),
    ]
    if rng.random() < 0.3:
        operands.pop()
    if rng.random() < 0.02:
        operands += [operands[1]] * 2
    length = count if rng.random() < 0.85 else rng.randint(0, rank + 1)
    attributes = {
        "begin_mask": _mask(rng, length, 0.3),
        "end_mask": _mask(rng, length, 0.3),
    }
    for name, often in (("new_axis_mask", 0.2), ("shrink_axis_mask", 0.2)):
        if rng.random() < 0.4:
            attributes[name] = _mask(rng, length, often)
    if rng.random() < 0.3 and length:
        bits = ["0"] * length
        bits[rng.randrange(length)] = "1"
        attributes["ellipsis_mask"] = ",".join(bits)
    if rng.random() < 0.05:
        attributes[rng.choice(MASKS)] = rng.choice(
            ["2", "x", "1,1", "", "-1", _mask(rng, rank, 0.5)]
        )
    if rng.random() < 0.05:
        del attributes[rng.choice(["begin_mask", "end_mask"])]
    return Case("StridedSlice", rng.choice([1, 8, 16]), operands, attributes)


def _random_value(rng: random.Random) -> Case:
    """Elements that pass through a layer on their way to a shape."""
    data = integers(*[rng.randint(0, 4) for _ in range(rng.randint(1, 4))])
    ends = [
        integers(rng.randint(-4, 4)),
        integers(rng.choice([-1, 1, 2, 3, 2**63 - 1])),
        integers(rng.choice([1, 2, -1])),
    ]
    if rng.random() < 0.5:
        return Case("Slice", 8, [data, *ends], probe=True)
    attributes = {"begin_mask": rng.choice("01"), "end_mask": rng.choice("01")}
    return Case("StridedSlice", 1, [data, *ends], attributes, probe=True)


def random_case(rng: random.Random) -> Case:
    return rng.choice(
        [_random_slice, _random_slice, _random_strided, _random_strided, _random_value]
    )(rng)


def _infer(
    type: str, *operands: Operand, probe: bool = False, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case(type, 8, operands, attributes, probe=probe)))


@pytest.mark.parametrize(
    ("data", "start", "stop", "step", "output"),
    [
        ("6", 1, 3, 1, "[2]"),
        ("6", 5, -(2**63), -2, "[3]"),
        ("2..8", 1, -1, 1, "[..6]"),
        ("3..", -3, 2**63 - 1, 1, "[3]"),
        ("3..", 0, 2**63 - 1, 2, "[2..]"),
        ("?", 3, 6, 1, "[..3]"),
    ],
)
def test_slice(data: str, start: int, stop: int, step: int, output: str) -> None:
    answer = _infer(
        "Slice", Operand(data), integers(start), integers(stop), integers(step)
    )
    assert answer["outputs"] == [[output, "f32"]]


def test_slice_of_axes() -> None:
    ends = [integers(0, 1), integers(2, 2), integers(1, 1)]
    assert _infer("Slice", Operand("4,5,6"), *ends, integers(-1, 0))["outputs"] == [
        ["[1,5,2]", "f32"]
    ]
    assert _infer("Slice", Operand("4,5,6"), *ends, Operand("2", "i64"))["outputs"] == [
        ["[..4,..5,..6]", "f32"]
    ]
    assert _infer("Slice", Operand("4,5,6"), Operand("2", "i64"), *ends[1:])[
        "outputs"
    ] == [["[..4,..5,6]", "f32"]]


@pytest.mark.parametrize(
    ("masks", "output"),
    [
        ({}, "[1,2,5]"),
        ({"begin_mask": "1,0"}, "[2,2,5]"),
        ({"end_mask": "0,1"}, "[1,3,5]"),
        ({"new_axis_mask": "1,0"}, "[1,2,4,5]"),
        ({"shrink_axis_mask": "1,0"}, "[2,5]"),
        ({"ellipsis_mask": "1,0"}, "[3,4,2]"),
    ],
)
def test_strided_slice(masks: dict[str, str], output: str) -> None:
    attributes = {"begin_mask": "0,0", "end_mask": "0,0", **masks}
    answer = _infer(
        "StridedSlice", Operand("3,4,5"), integers(1, 1), integers(2, 3), **attributes
    )
    assert answer["outputs"] == [[output, "f32"]]


def test_elements() -> None:
    data = integers(2, 3, 4)
    ends = [integers(-2), integers(2**63 - 1), integers(1)]
    assert _infer("Slice", data, *ends, probe=True)["outputs"] == [
        ["[2]", "i64"],
        ["[3,4]", "u8"],
    ]
    attributes = {"begin_mask": "0", "end_mask": "1"}
    outputs = _infer("StridedSlice", data, *ends, probe=True, **attributes)["outputs"]
    assert outputs == [["[2]", "i64"], ["[3,4]", "u8"]]


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ([integers(0), integers(2), integers(0)], "step must not be 0"),
        (
            [integers(0), integers(2), integers(1), integers(2)],
            "axes 2 is out of range [-2, 1]",
        ),
        (
            [integers(0, 0), integers(2, 2), integers(1, 1), integers(1, -1)],
            "axes (1,-1) name a dim twice",
        ),
        (
            [integers(0, 0), integers(2), integers(1)],
            "start and stop have different lengths",
        ),
        (
            [Operand("3", "i64"), integers(2), integers(1)],
            "start has 3 elements, data has rank 2",
        ),
        (
            [scalar(0), integers(2), integers(1)],
            "start must be of rank 1, not of rank 0",
        ),
        (
            [Operand("1"), integers(2), integers(1)],
            "start must be of an integer type, not f32",
        ),
    ],
)
def test_slice_refuses(operands: list[Operand], message: str) -> None:
    assert str(_infer("Slice", Operand("4,5"), *operands)["error"]).startswith(
        f"{message}: data [4,5], start ["
    )


@pytest.mark.parametrize(
    ("count", "masks", "message"),
    [
        (
            1,
            {"begin_mask": "2", "end_mask": "0"},
            "begin_mask must hold 0 and 1, not 2",
        ),
        (
            1,
            {"begin_mask": "0", "end_mask": "0,1"},
            "end_mask has 2 elements, begin_mask has 1",
        ),
        (3, {}, "begin has 3 elements, data has rank 2, and 0 axes are new"),
        (
            2,
            {"begin_mask": "0,0", "ellipsis_mask": "1,1"},
            "ellipsis_mask marks 2 places, at most one may be",
        ),
    ],
)
def test_strided_slice_refuses(count: int, masks: dict[str, str], message: str) -> None:
    operands = [integers(*[0] * count), integers(*[2] * count)]
    error = _infer("StridedSlice", Operand("4,5"), *operands, **masks)["error"]
    assert str(error).startswith(f"{message}: data [4,5], begin [{count}] = (0")


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)
