"""The EmbeddingBag operations and EmbeddingSegmentsSum beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, scalar, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    make = rng.choice([_offsets, _packed, _segments])
    return spoiled(rng, make(rng))


def _table(rng: random.Random) -> list[int]:
    return [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]


def _offsets(rng: random.Random) -> Case:
    kind, count = rng.choice(["i32", "i64"]), rng.randint(0, 4)
    inputs = [
        Operand(opened(rng, _table(rng))),
        Operand(opened(rng, [count]), kind),
        Operand(opened(rng, [rng.randint(0, 3)]), kind),
        scalar(0, kind),
        Operand(opened(rng, [count])),
    ]
    return _reduced(rng, "EmbeddingBagOffsets", inputs[: rng.randint(3, 5)])


def _packed(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4), rng.randint(0, 3)]
    inputs = [
        Operand(opened(rng, _table(rng))),
        Operand(opened(rng, lengths), rng.choice(["i32", "i64"])),
        Operand(opened(rng, lengths)),
    ]
    return _reduced(rng, "EmbeddingBagPacked", inputs[: rng.randint(2, 3)])


def _reduced(rng: random.Random, type: str, inputs: list[Operand]) -> Case:
    if rng.random() < 0.5:
        return Case(f"{type}Sum", rng.choice([3, 8]), inputs)
    return Case(
        type,
        rng.choice([15, 16]),
        inputs,
        {"reduction": rng.choice(["sum", "sum", "mean"])},
    )


def _segments(rng: random.Random) -> Case:
    kind, count = rng.choice(["i32", "i64"]), rng.randint(0, 4)
    inputs = [
        Operand(opened(rng, _table(rng))),
        Operand(opened(rng, [count]), kind),
        Operand(opened(rng, [count]), kind),
        rng.choice([Operand("", kind), scalar(rng.choice([0, 1, 2, 3, -1, -2]), kind)]),
        scalar(0, kind),
        Operand(opened(rng, [count])),
    ]
    return Case("EmbeddingSegmentsSum", rng.choice([3, 8]), inputs[: rng.randint(4, 6)])


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


TABLE = Operand("5,3")


@pytest.mark.parametrize(
    ("type", "inputs", "expected"),
    [
        (
            "EmbeddingBagOffsetsSum",
            [TABLE, Operand("4", "i32"), Operand("2..3", "i32")],
            "[2..3,3]",
        ),
        (
            "EmbeddingBagPackedSum",
            [TABLE, Operand("4,2", "i32"), Operand("4,2")],
            "[4,3]",
        ),
        (
            "EmbeddingSegmentsSum",
            [TABLE, *[Operand("4", "i32")] * 2, scalar(7, "i32")],
            "[7,3]",
        ),
        (
            "EmbeddingSegmentsSum",
            [TABLE, *[Operand("4", "i32")] * 2, Operand("", "i32")],
            "[?,3]",
        ),
    ],
)
def test_shapes(type: str, inputs: Sequence[Operand], expected: str) -> None:
    assert infer(*write(Case(type, 15, inputs)))["outputs"] == [[expected, "f32"]]


@pytest.mark.parametrize(
    ("type", "inputs", "message"),
    [
        (
            "EmbeddingBagOffsets",
            [TABLE, Operand("4", "i32"), Operand("2", "i64")],
            "the element types of indices and offsets differ: i32 and i64",
        ),
        (
            "EmbeddingBagPacked",
            [TABLE, Operand("4,2", "i32"), Operand("4,3")],
            "per_sample_weights has shape [4,3], which differs from [4,2] of indices",
        ),
        (
            "EmbeddingBagPacked",
            [Operand(""), Operand("4,2", "i32")],
            "emb_table has rank 0, at least 1 is expected",
        ),
        (
            "EmbeddingSegmentsSum",
            [TABLE, *[Operand("4", "i32")] * 2, Operand("1", "i32")],
            "num_segments has rank 1, 0 is expected",
        ),
    ],
)
def test_refusals(type: str, inputs: Sequence[Operand], message: str) -> None:
    assert str(infer(*write(Case(type, 15, inputs)))["error"]).startswith(message)


def test_the_cpu_takes_static_weights() -> None:
    answer = infer(
        *write(
            Case(
                "EmbeddingBagPackedSum",
                3,
                [TABLE, Operand("?,2", "i32"), Operand("4,2")],
            )
        )
    )
    assert answer["stage"] == "compile"
    assert answer["error"].startswith(
        "indices has shape [?,2], weights need a static one"
    )


def test_mean_takes_no_weights() -> None:
    case = Case(
        "EmbeddingBagPacked",
        15,
        [TABLE, Operand("4,2", "i32"), Operand("4,2")],
        {"reduction": "mean"},
    )
    message = "per_sample_weights are given, which reduction mean does not allow"
    assert str(infer(*write(case))["error"]).startswith(message)
