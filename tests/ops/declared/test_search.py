"""SearchSorted and Bucketize beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    make = rng.choice([_search_sorted, _bucketize])
    return spoiled(rng, make(rng))


def _search_sorted(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
    values = [*lengths[:-1], rng.randint(0, 5)]
    if len(lengths) == 1 and rng.random() < 0.5:
        values = [rng.randint(0, 4) for _ in range(rng.randint(0, 3))]
    kind = rng.choice(["f32", "i64", "f16"])
    attributes = {
        "right_mode": rng.choice(["true", "false"]),
        "output_type": rng.choice(["i32", "i64"]),
    }
    inputs = [Operand(opened(rng, lengths), kind), Operand(opened(rng, values), kind)]
    return Case("SearchSorted", 15, inputs, attributes)


def _bucketize(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 4))]
    inputs = [
        Operand(opened(rng, lengths), rng.choice(["f32", "i32"])),
        Operand(opened(rng, [rng.randint(0, 4)]), rng.choice(["f32", "i64"])),
    ]
    attributes = {
        "output_type": rng.choice(["i32", "i64"]),
        "with_right_bound": rng.choice(["true", "false"]),
    }
    return Case("Bucketize", rng.choice([3, 8]), inputs, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.parametrize(
    ("type", "shapes", "expected"),
    [
        ("SearchSorted", ("2,3", "?,4"), "[2,4]"),
        ("SearchSorted", ("3", ""), "[]"),
        ("SearchSorted", ("2,3", "..."), "[2,?]"),
        ("Bucketize", ("2,3..5", "7"), "[2,3..5]"),
    ],
)
def test_shapes(type: str, shapes: Sequence[str], expected: str) -> None:
    case = Case(type, 15, [Operand(shape) for shape in shapes], {"output_type": "i32"})
    assert infer(*write(case))["outputs"] == [[expected, "i32"]]


@pytest.mark.parametrize(
    ("type", "shapes", "attributes", "message"),
    [
        ("SearchSorted", ("", "3"), {}, "sorted has rank 0, at least 1 is expected"),
        ("SearchSorted", ("2,3", "4"), {}, "values has rank 1, sorted has rank 2"),
        (
            "SearchSorted",
            ("2,3", "4,3"),
            {},
            "dim 0 of values is 4, that of sorted is 2",
        ),
        (
            "Bucketize",
            ("3", "2,2"),
            {"output_type": "i64"},
            "buckets has rank 2, 1 is expected",
        ),
        (
            "Bucketize",
            ("3", "2"),
            {"output_type": "f32"},
            "output_type must be i32 or i64, not f32",
        ),
    ],
)
def test_refusals(
    type: str, shapes: Sequence[str], attributes: Mapping[str, str], message: str
) -> None:
    case = Case(type, 15, [Operand(shape) for shape in shapes], attributes)
    assert str(infer(*write(case))["error"]).startswith(message)
