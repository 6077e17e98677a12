"""SegmentMax and SparseFillEmptyRows beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, scalar, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    make = rng.choice([_segment_max, _fill_empty_rows])
    return spoiled(rng, make(rng))


def _segment_max(rng: random.Random) -> Case:
    kind, lengths = (
        rng.choice(["i32", "i64"]),
        [rng.randint(1, 4) for _ in range(rng.randint(1, 3))],
    )
    ids = sorted(rng.randint(0, 4) for _ in range(lengths[0]))
    if rng.random() < 0.05:
        rng.shuffle(ids)
    inputs = [
        Operand(opened(rng, lengths)),
        rng.choice(
            [integers(*ids, type=kind), Operand(opened(rng, lengths[:1]), kind)]
        ),
        rng.choice([scalar(rng.randint(-2, 4), kind), Operand("", kind)]),
    ]
    return Case(
        "SegmentMax",
        16,
        inputs[: rng.randint(2, 3)],
        {"fill_mode": rng.choice(["zero", "lowest"])},
    )


def _fill_empty_rows(rng: random.Random) -> Case:
    kind, count = rng.choice(["i32", "i64"]), rng.randint(0, 3)
    rows, columns = rng.randint(1, 4), rng.randint(1, 4)
    places = [
        number
        for _ in range(count)
        for number in (rng.randrange(rows), rng.randrange(columns))
    ]
    if rng.random() < 0.05:
        places = [number + 2 for number in places]
    inputs = [
        Operand(opened(rng, [count])),
        rng.choice(
            [integers(rows, columns, type=kind), Operand(opened(rng, [2]), kind)]
        ),
        rng.choice(
            [
                Operand(f"{count},2", kind, places),
                Operand(opened(rng, [count, 2]), kind),
            ]
        ),
        Operand("", "f32"),
    ]
    return Case("SparseFillEmptyRows", 16, inputs, outputs=3)


@pytest.mark.slow
@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def test_segments_are_counted() -> None:
    case = Case(
        "SegmentMax", 16, [Operand("3,2"), integers(0, 1, 4)], {"fill_mode": "zero"}
    )
    assert infer(*write(case))["outputs"] == [["[5,2]", "f32"]]
    case = Case(
        "SegmentMax",
        16,
        [Operand("3,2"), integers(0, 1, 4), scalar(2)],
        {"fill_mode": "zero"},
    )
    assert infer(*write(case))["outputs"] == [["[2,2]", "f32"]]


PLACES = Operand("3,2", "i64", [0, 0, 0, 1, 2, 3])


def test_empty_rows_are_counted() -> None:
    case = Case(
        "SparseFillEmptyRows",
        16,
        [Operand("3"), integers(4, 4), PLACES, Operand("")],
        outputs=3,
    )
    assert infer(*write(case))["outputs"] == [
        ["[5,2]", "i64"],
        ["[5]", "f32"],
        ["[4]", "boolean"],
    ]


@pytest.mark.parametrize(
    ("type", "inputs", "message"),
    [
        (
            "SegmentMax",
            [Operand("3,2"), integers(0, 2, 1)],
            "segment_ids are not in ascending order",
        ),
        (
            "SegmentMax",
            [Operand("3,2"), integers(0, 2)],
            "segment_ids has 2 elements, dim 0 of data is 3",
        ),
        (
            "SegmentMax",
            [Operand("3,2"), Operand("3")],
            "segment_ids must be i32 or i64, not f32",
        ),
        (
            "SparseFillEmptyRows",
            [Operand("3"), integers(2, 4), PLACES, Operand("")],
            "row 2 is out of range [0, 1]",
        ),
        (
            "SparseFillEmptyRows",
            [Operand("3"), integers(4, 3), PLACES, Operand("")],
            "column 3 is out of range [0, 2]",
        ),
        (
            "SparseFillEmptyRows",
            [Operand("4"), integers(4, 3), PLACES, Operand("")],
            "indices has 3 rows, values has 4 elements",
        ),
        (
            "SparseFillEmptyRows",
            [Operand("..."), integers(4, 4), PLACES, Operand("")],
            "values has dynamic rank, while dense_shape and indices are known",
        ),
        (
            "SparseFillEmptyRows",
            [Operand("3"), integers(4, 3, 2), PLACES, Operand("")],
            "the last dim of dense_shape is 3, 2 is expected",
        ),
    ],
)
def test_refusals(type: str, inputs: Sequence[Operand], message: str) -> None:
    assert str(infer(*write(Case(type, 16, inputs)))["error"]).startswith(message)
