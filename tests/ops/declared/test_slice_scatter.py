"""SliceScatter beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    return spoiled(rng, _slice(rng))


def _slice(rng: random.Random) -> Case:
    lengths = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
    axes = rng.sample(range(len(lengths)), rng.randint(1, len(lengths)))
    has_axes = rng.random() < 0.7
    if not has_axes:
        axes = [*range(len(axes))]
    updates, bounds = list(lengths), []
    for axis in axes:
        start, stop = rng.randint(-6, 6), rng.randint(-6, 6)
        step = rng.choice([1, 1, 2, -1])
        bounds.append((start, stop, step))
        updates[axis] = len(range(*slice(start, stop, step).indices(lengths[axis])))
    kind = rng.choice(["i64", "i32"])
    numbers = [integers(*column, type=kind) for column in zip(*bounds, strict=True)]
    if has_axes:
        numbers.append(
            integers(
                *[axis - rng.choice([0, len(lengths)]) for axis in axes], type=kind
            )
        )
    if rng.random() < 0.15:
        numbers[rng.randrange(len(numbers))] = Operand(
            rng.choice([str(len(axes)), "?"]), kind
        )
    return Case(
        "SliceScatter",
        15,
        [
            Operand(opened(rng, lengths, 0.1)),
            Operand(opened(rng, updates, 0.1)),
            *numbers,
        ],
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def bounds(start: int, stop: int, step: int, *axes: int) -> list[Operand]:
    return [
        integers(start),
        integers(stop),
        integers(step),
        *[integers(axis) for axis in axes],
    ]


def test_the_shape_is_that_of_data() -> None:
    case = Case("SliceScatter", 15, [Operand("5,?"), Operand("2,?"), *bounds(-2, 9, 1)])
    assert infer(*write(case))["outputs"] == [["[5,?]", "f32"]]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (
            [Operand("5"), Operand("2"), *bounds(1, 4, 1)],
            "dim 0 of updates is 2, the slice has 3",
        ),
        (
            [Operand("5"), Operand("3,1"), *bounds(1, 4, 1)],
            "updates has rank 2, data has rank 1",
        ),
        (
            [Operand("5"), Operand("3"), *bounds(1, 4, 0)],
            "step has 0, another number is expected",
        ),
        (
            [Operand("5"), Operand("3"), *bounds(1, 4, 1, 1)],
            "axes 1 is out of range [-1, 0]",
        ),
        (
            [Operand("5"), Operand("3"), integers(1, 1), integers(2), integers(1)],
            "start has 2 elements, data has rank 1",
        ),
    ],
)
def test_refusals(inputs: Sequence[Operand], message: str) -> None:
    assert str(infer(*write(Case("SliceScatter", 15, inputs)))["error"]).startswith(
        message
    )
