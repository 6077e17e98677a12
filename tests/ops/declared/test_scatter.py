"""ScatterUpdate, ScatterElementsUpdate and ScatterNDUpdate beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, scalar, write
from spoiled_cases import opened, spoiled

REDUCTIONS = ("none", "sum", "prod", "min", "max", "mean")
ND_REDUCTIONS = ("none", "sum", "sub", "prod", "min", "max")


def random_case(rng: random.Random) -> Case:
    make = rng.choice([_update, _update, _elements, _elements, _nd, _nd, _probe])
    case = make(rng)
    return case if case.probe else spoiled(rng, case)


def _lengths(rng: random.Random, least: int = 1) -> list[int]:
    return [rng.randint(0, 4) for _ in range(rng.randint(least, 4))]


def _axis(rng: random.Random, axis: int) -> Operand:
    kind = rng.choice(["i64", "i32", "i8"])
    return rng.choice(
        [
            scalar(axis, kind),
            integers(axis, type=kind),
            scalar(axis, kind),
            Operand("", "i64"),
        ]
    )


def _kind(rng: random.Random) -> str:
    return rng.choice(["f32", "f32", "i64", "boolean"])


def _update(rng: random.Random) -> Case:
    data, indices = _lengths(rng), _lengths(rng, 0)[:2]
    axis, kind = rng.randint(-len(data), len(data) - 1), _kind(rng)
    front = axis % len(data)
    updates = [*data[:front], *indices, *data[front + 1 :]]
    shapes = [opened(rng, lengths) for lengths in (data, indices, updates)]
    inputs = [
        Operand(shapes[0], kind),
        Operand(shapes[1], "i32"),
        Operand(shapes[2], kind),
        _axis(rng, axis),
    ]
    return Case("ScatterUpdate", rng.choice([3, 12]), inputs)


def _elements(rng: random.Random) -> Case:
    data = _lengths(rng, 1 if rng.random() < 0.95 else 0)
    indices = [max(0, length - rng.randint(0, 1)) for length in data]
    axis, kind = rng.randint(-len(data), max(0, len(data) - 1)), _kind(rng)
    shapes = [opened(rng, lengths) for lengths in (data, indices, indices)]
    inputs = [
        Operand(shapes[0], kind),
        Operand(shapes[1], "i32"),
        Operand(shapes[2], kind),
        _axis(rng, axis),
    ]
    opset = rng.choice([3, 12, 16])
    attributes = {
        "reduction": rng.choice(REDUCTIONS),
        "use_init_val": rng.choice(["true", "false"]),
    }
    return Case(
        "ScatterElementsUpdate", opset, inputs, {} if opset == 3 else attributes
    )


def _nd(rng: random.Random) -> Case:
    data, indices, kind = _lengths(rng), _lengths(rng, 0)[:2], _kind(rng)
    depth = rng.randint(1, len(data))
    shapes = [
        opened(rng, lengths)
        for lengths in (data, [*indices, depth], [*indices, *data[depth:]])
    ]
    inputs = [
        Operand(shapes[0], kind),
        Operand(shapes[1], rng.choice(["i32", "i64"])),
        Operand(shapes[2], kind),
    ]
    opset = rng.choice([4, 8, 15])
    return Case(
        "ScatterNDUpdate",
        opset,
        inputs,
        {"reduction": rng.choice(ND_REDUCTIONS)} if opset == 15 else {},
    )


def _probe(rng: random.Random) -> Case:
    data = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
    places = rng.sample(range(len(data)), rng.randint(1, len(data)))
    updates = integers(*[rng.randint(0, 4) for _ in places])
    way = rng.choice(["ScatterUpdate", "ScatterElementsUpdate", "ScatterNDUpdate"])
    opset = rng.choice([4, 12, 15])
    reduction = {"reduction": rng.choice(["none", "sum", "max"])}
    if way == "ScatterNDUpdate":
        inputs = [integers(*data), Operand(f"{len(places)},1", "i64", places), updates]
        return Case(way, opset, inputs, reduction if opset == 15 else {}, probe=True)
    inputs = [integers(*data), integers(*places), updates, scalar(rng.choice([0, -1]))]
    return Case(
        way,
        opset,
        inputs,
        reduction if way == "ScatterElementsUpdate" else {},
        probe=True,
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        (
            "ScatterUpdate",
            [Operand("4,5"), Operand("2", "i32"), Operand("2"), scalar(0)],
            {},
            "updates has rank 1, rank 2 of indices and data is expected",
        ),
        (
            "ScatterUpdate",
            [Operand("4,5"), Operand("2", "i32"), Operand("2,6"), scalar(0)],
            {},
            "dim 1 of updates is 6, 5 is expected",
        ),
        (
            "ScatterUpdate",
            [Operand("4,5"), Operand("2", "i32"), Operand("2,5"), scalar(2)],
            {},
            "axis 2 is out of range [-2, 1]",
        ),
        (
            "ScatterUpdate",
            [Operand("4,5"), Operand("2"), Operand("2,5"), scalar(0)],
            {},
            "indices must be of an integer type, not f32",
        ),
        (
            "ScatterElementsUpdate",
            [Operand("4,5"), Operand("2", "i32"), Operand("2"), scalar(0)],
            {},
            "indices has rank 1, data has rank 2",
        ),
        (
            "ScatterElementsUpdate",
            [Operand("4"), Operand("2", "i32"), Operand("3"), scalar(0)],
            {},
            "updates has shape [3], which differs from [2] of indices",
        ),
        (
            "ScatterElementsUpdate",
            [
                Operand("4", "boolean"),
                Operand("2", "i32"),
                Operand("2", "boolean"),
                scalar(0),
            ],
            {"reduction": "mean"},
            "reduction is mean, which boolean data does not allow",
        ),
        (
            "ScatterNDUpdate",
            [Operand("4,5"), Operand("2,3", "i32"), Operand("2")],
            {},
            "the last dim of indices is 3, data has rank 2",
        ),
        (
            "ScatterNDUpdate",
            [Operand("4,5"), Operand("2,1", "i32"), Operand("2")],
            {},
            "updates has rank 1, rank 2 is expected",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 15, inputs, attributes)))["error"]).startswith(
        message
    )


@pytest.mark.parametrize("type", ["ScatterUpdate", "ScatterElementsUpdate"])
def test_the_cpu_takes_no_scalar_indices(type: str) -> None:
    data = Operand("4") if type == "ScatterUpdate" else Operand("")
    answer = infer(
        *write(Case(type, 12, [data, Operand("", "i32"), Operand(""), scalar(0)]))
    )
    assert answer["stage"] == "compile"
    assert answer["error"].startswith(
        "indices is a scalar, which the CPU does not take"
    )


def test_the_shape_is_that_of_data() -> None:
    case = Case(
        "ScatterNDUpdate", 15, [Operand("4,?"), Operand("2,1", "i32"), Operand("2,5")]
    )
    assert infer(*write(case))["outputs"] == [["[4,?]", "f32"]]
