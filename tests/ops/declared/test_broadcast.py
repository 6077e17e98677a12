"""Broadcast and Tile beside OpenVINO."""

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
    write,
)

MODES = [
    "numpy",
    "numpy",
    "bidirectional",
    "bidirectional",
    "explicit",
    "none",
    "pdpd",
    "NUMPY",
    "",
    "odd",
]


def _dims(shape: str) -> list[str]:
    return [] if shape in ("", "...") else shape.split(",")


def _lengths(rng: random.Random, dims: list[str], rank: int) -> list[int]:
    """Lengths to which dims can be repeated, mostly."""
    target = [rng.randint(1, 4) for _ in range(rank)]
    for place, dim in enumerate(dims[::-1][:rank]):
        length = int(dim) if dim.isdigit() and dim != "1" else rng.randint(0, 5)
        target[-1 - place] = (
            length if rng.random() < 0.93 else rng.choice([1, -1, -2, 0, 7])
        )
    return target


def _target(rng: random.Random, values: list[int]) -> Operand:
    if rng.random() < 0.8:
        return integers(*values, type=rng.choice(["i64", "i64", "i32", "i16"]))
    shape = rng.choice(
        [str(len(values)), str(len(values)), "?", "...", "", "1,2", random_dim(rng)]
    )
    return Operand(
        shape, rng.choice(["i64", "i64", "i32", "dynamic", "f32", "boolean"])
    )


def _random_axes(rng: random.Random, dims: list[str], target: list[int]) -> Operand:
    axes = sorted(rng.sample(range(len(target)), min(len(dims), len(target))))
    for axis, dim in zip(axes, dims, strict=False):
        if dim.isdigit() and rng.random() < 0.95:
            target[axis] = int(dim)
    if rng.random() < 0.15 and axes:
        axes[rng.randrange(len(axes))] = rng.randint(-2, 5)
    if rng.random() < 0.06:
        axes.append(1)
    if rng.random() < 0.8:
        return integers(*axes)
    return Operand(
        rng.choice([str(len(axes)), "?", "...", "", "3"]),
        rng.choice(["i64", "i32", "f32", "dynamic"]),
    )


def _random_broadcast(rng: random.Random) -> Case:
    opset = rng.choice([1, 2, 3, 3, 8, 16])
    mode = rng.choice(MODES)
    data = random_shape(rng, rng.choice([0, 1, 2, 3]))
    dims = _dims(data)
    same_rank = rng.random() < (0.8 if mode == "pdpd" and opset > 2 else 0.2)
    target = _lengths(
        rng, dims, len(dims) if same_rank else len(dims) + rng.choice([0, 1, 2])
    )
    if mode == "bidirectional" and target and rng.random() < 0.5:
        target = target[rng.randrange(len(target)) :]
    attributes = {} if rng.random() < 0.1 else {"mode": mode}
    operands = [Operand(data, "i64")]
    if (mode in ("explicit", "none")) != (rng.random() < 0.05) or (
        mode == "pdpd" and opset < 3
    ):
        axes = _random_axes(rng, dims, target)
        operands += [_target(rng, target), axes]
    else:
        operands.append(_target(rng, target))
    if rng.random() < 0.03 and opset > 2:
        operands.pop()
    return Case("Broadcast", opset, operands, attributes)


def _random_tile(rng: random.Random) -> Case:
    data = random_shape(rng, rng.choice([0, 1, 2, 3]))
    count = max(0, len(_dims(data)) + rng.choice([0, 0, 0, 1, -1]))
    operands = [
        Operand(data, "i64"),
        _target(rng, [rng.choice([0, 1, 2, 3, 3, -1]) for _ in range(count)]),
    ]
    if rng.random() < 0.05:
        operands = rng.choice([operands[:1], [*operands, operands[1]]])
    return Case("Tile", rng.choice([1, 8, 16]), operands)


def _random_value(rng: random.Random) -> Case:
    """Elements that pass through a layer on their way to a shape."""
    values = [rng.randint(0, 4) for _ in range(rng.choice([1, 1, 2, 3]))]
    data = rng.choice([integers(*values), Operand("", "i64", [rng.randint(1, 5)])])
    if rng.random() < 0.4:
        return Case("Tile", 1, [data, integers(rng.choice([0, 1, 2, 3]))], probe=True)
    length = rng.randint(1, 4) if data.shape in ("", "1") else len(values)
    return Case(
        "Broadcast",
        3,
        [data, integers(length)],
        {"mode": rng.choice(["numpy", "bidirectional"])},
        probe=True,
    )


def random_case(rng: random.Random) -> Case:
    return rng.choice(
        [_random_broadcast, _random_broadcast, _random_tile, _random_value]
    )(rng)


def _infer(
    type: str, opset: int, *operands: Operand, probe: bool = False, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case(type, opset, operands, attributes, probe=probe)))


@pytest.mark.parametrize(
    ("data", "target", "mode", "output"),
    [
        ("3,1", [2, 3, 4], "numpy", "[2,3,4]"),
        ("?,1", [2, -1, 4], "numpy", "[2,?,4]"),
        ("3,1", [4], "bidirectional", "[3,4]"),
        ("2..5", [2, 1], "bidirectional", "[2,2..5]"),
        ("...", [2, 1], "bidirectional", "[...]"),
        ("4,?", [1, 3], "pdpd", "[4,3]"),
    ],
)
def test_broadcast(data: str, target: list[int], mode: str, output: str) -> None:
    assert _infer("Broadcast", 3, Operand(data), integers(*target), mode=mode)[
        "outputs"
    ] == [[output, "f32"]]


def test_a_target_that_is_not_known_gives_the_rank() -> None:
    assert _infer("Broadcast", 3, Operand("3"), Operand("2", "i64"))["outputs"] == [
        ["[?,?]", "f32"]
    ]


def test_explicit_axes() -> None:
    operands = [Operand("3"), integers(2, 3, 5), integers(1)]
    assert _infer("Broadcast", 1, *operands)["outputs"] == [["[2,3,5]", "f32"]]
    assert _infer("Broadcast", 3, *operands, mode="explicit")["outputs"] == [
        ["[2,3,5]", "f32"]
    ]


def test_tile() -> None:
    assert _infer("Tile", 1, Operand("2..3,?"), integers(2, 3, 1))["outputs"] == [
        ["[2,6..9,?]", "f32"]
    ]
    outputs = _infer("Tile", 1, integers(2, 3), integers(2), probe=True)["outputs"]
    assert outputs == [["[4]", "i64"], ["[2,3,2,3]", "u8"]]


@pytest.mark.parametrize(
    ("operands", "mode", "message"),
    [
        (
            [Operand("3"), integers(2, 4)],
            "numpy",
            "data [3] cannot be broadcast to [2,4]",
        ),
        (
            [Operand("2,3"), integers(3)],
            "numpy",
            "target_shape has 1 element, data has rank 2",
        ),
        (
            [Operand("3"), integers(3), integers(0)],
            "numpy",
            "mode numpy takes no input axes_mapping",
        ),
        (
            [Operand("3"), integers(3)],
            "explicit",
            "mode explicit needs input axes_mapping",
        ),
        (
            [Operand("3"), integers(3), integers(1)],
            "explicit",
            "axes_mapping 1 is out of range [0, 0]",
        ),
        (
            [Operand("3"), integers(3), integers(0, 0)],
            "explicit",
            "axes_mapping has 2 elements, data has rank 1",
        ),
        (
            [Operand("3"), Operand("1", "f32")],
            "numpy",
            "target_shape must be of an integer type, not f32",
        ),
        (
            [integers(3), integers(-1, 1)],
            "numpy",
            "target_shape has an element -1, and OpenVINO computes a constant Broadcast",
        ),
    ],
)
def test_refusals(operands: list[Operand], mode: str, message: str) -> None:
    error = _infer("Broadcast", 3, *operands, mode=mode)["error"]
    assert str(error).startswith(f"{message}: data ")


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)
