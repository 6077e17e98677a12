"""SpaceToDepth, DepthToSpace, SpaceToBatch and BatchToSpace beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import prod

import pytest
from declared_oracle import Case, Operand, check, infer, integers, write
from spoiled_cases import opened, spoiled

MODES = ("blocks_first", "depth_first")


def random_case(rng: random.Random) -> Case:
    make = rng.choice([_depth, _depth, _batch_to_space, _space_to_batch])
    return spoiled(rng, make(rng))


def _depth(rng: random.Random) -> Case:
    size, depth = rng.randint(1, 3), rng.randint(1, 3)
    is_split = rng.random() < 0.5
    lengths = [rng.randint(0, 3) for _ in range(depth + 2)]
    lengths[1] *= size**depth if is_split else 1
    lengths[2:] = [length * (1 if is_split else size) for length in lengths[2:]]
    attributes = {"block_size": str(size), "mode": rng.choice(MODES)}
    data = Operand(opened(rng, lengths, half_open=False), rng.choice(["f32", "i8"]))
    return Case(
        "DepthToSpace" if is_split else "SpaceToDepth",
        rng.choice([1, 8]),
        [data],
        attributes,
    )


def _batch_to_space(rng: random.Random) -> Case:
    block = [1] + [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    begins, ends = _ends(rng, len(block)), _ends(rng, len(block))
    lengths = [
        rng.randint(1, 4) + (begin + end) // size
        for begin, end, size in zip(begins, ends, block, strict=True)
    ]
    lengths[0] *= prod(block)
    inputs = [
        Operand(opened(rng, lengths, half_open=False)),
        *_vectors(rng, block, begins, ends),
    ]
    return Case("BatchToSpace", rng.choice([2, 8]), inputs)


def _space_to_batch(rng: random.Random) -> Case:
    block = [1] + [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    begins, ends = _ends(rng, len(block)), _ends(rng, len(block))
    wholes = [
        size * rng.randint(1, 3) - begin - end
        for size, begin, end in zip(block, begins, ends, strict=True)
    ]
    lengths = [max(0, whole) for whole in wholes]
    inputs = [
        Operand(opened(rng, lengths, 0.1, half_open=False)),
        *_vectors(rng, block, begins, ends),
    ]
    return Case("SpaceToBatch", rng.choice([2, 8]), inputs)


def _ends(rng: random.Random, rank: int) -> list[int]:
    return [0] + [rng.randint(0, 2) for _ in range(rank - 1)]


def _vectors(rng: random.Random, *vectors: list[int]) -> list[Operand]:
    kind = rng.choice(["i32", "i64"])
    count = rng.choice([str(len(vectors[0]))] * 3 + ["?"])
    return [
        Operand(count, kind) if rng.random() < 0.1 else integers(*vector, type=kind)
        for vector in vectors
    ]


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


BLOCKS = [integers(1, 2, 2), integers(0, 1, 0), integers(0, 0, 1)]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "expected"),
    [
        (
            "SpaceToDepth",
            [Operand("3,4..6,4,?")],
            {"block_size": "2"},
            "[3,16..24,2,?]",
        ),
        ("DepthToSpace", [Operand("3,5..9,4")], {"block_size": "2"}, "[3,3..4,8]"),
        ("BatchToSpace", [Operand("8,3,?"), *BLOCKS], {}, "[2,5,?]"),
        ("SpaceToBatch", [Operand("8,3,3..5"), *BLOCKS], {}, "[32,2,2..3]"),
        (
            "SpaceToBatch",
            [Operand("8,3,3..5"), integers(1, 2, 2), *[Operand("3", "i64")] * 2],
            {},
            "[32,?,?]",
        ),
    ],
)
def test_shapes(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], expected: str
) -> None:
    assert infer(*write(Case(type, 8, inputs, attributes)))["outputs"] == [
        [expected, "f32"]
    ]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        (
            "SpaceToDepth",
            [Operand("3,4")],
            {"block_size": "2"},
            "data has rank 2, at least 3 is expected",
        ),
        (
            "SpaceToDepth",
            [Operand("3,4,5")],
            {"block_size": "2"},
            "dim 2 of data is 5, which is no multiple of 2",
        ),
        (
            "DepthToSpace",
            [Operand("3,5,5")],
            {"block_size": "2"},
            "dim 1 of data is 5, which is no multiple of 2",
        ),
        (
            "DepthToSpace",
            [Operand("3,5,5")],
            {"block_size": "0"},
            "block_size is 0, at least 1 is expected",
        ),
        (
            "BatchToSpace",
            [Operand("9,3,3"), *BLOCKS],
            {},
            "dim 0 of data is 9, which is no multiple of 4",
        ),
        (
            "BatchToSpace",
            [Operand("8,0,3"), *BLOCKS],
            {},
            "crops of 1 are more than the length 0 of dim 1",
        ),
        (
            "SpaceToBatch",
            [Operand("8,4,3"), *BLOCKS],
            {},
            "dim 1 of padded data is 5, which is no multiple of 2",
        ),
        (
            "BatchToSpace",
            [Operand("8,4"), *BLOCKS],
            {},
            "block_shape has 3 elements, data has rank 2",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 8, inputs, attributes)))["error"]).startswith(
        message
    )
