"""OneHot and Eye beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, scalar, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    make = rng.choice([_one_hot, _one_hot, _eye, _eye, _probe])
    case = make(rng)
    return case if case.probe else spoiled(rng, case)


def _one_hot(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 4))]
    kind = rng.choice(["f32", "i64", "boolean"])
    opset = rng.choice([1, 9, 16])
    depth = rng.choice(
        [scalar(rng.randint(0, 5), rng.choice(["i64", "u8"])), Operand("", "i32")]
    )
    values = [rng.choice([Operand("", kind), Operand("", kind, [1])]) for _ in range(2)]
    attributes = {"axis": str(rng.randint(-len(lengths) - 1, len(lengths)))}
    if opset == 16:
        attributes["negative_indices_mode"] = rng.choice(
            ["ignore_negative", "normalize"]
        )
    return Case(
        "OneHot",
        opset,
        [Operand(opened(rng, lengths), "i32"), depth, *values],
        attributes,
    )


def _eye(rng: random.Random) -> Case:
    kind = rng.choice(["i32", "i64"])
    numbers = [rng.randint(0, 5), rng.randint(0, 5), rng.randint(-3, 3)]
    if rng.random() < 0.03:
        numbers[0] = -1
    inputs = [
        rng.choice([scalar(number, kind), integers(number, type=kind)])
        for number in numbers
    ]
    place = rng.randrange(3)
    if rng.random() < 0.3:
        inputs[place] = Operand(rng.choice(["", "1", "?", "..."]), kind)
    if rng.random() < 0.6:
        batch = integers(
            *[rng.randint(0, 3) for _ in range(rng.randint(0, 3))], type=kind
        )
        inputs.append(
            rng.choice([batch, batch, Operand("2", kind), Operand("?", kind)])
        )
    kinds = ["f32", "f16", "bf16", "f64", "i8", "u8", "i32", "i64"]
    return Case(
        "Eye",
        rng.choice([9, 13]),
        inputs,
        {"output_type": rng.choice([*kinds * 2, "boolean", "u4"])},
    )


def _probe(rng: random.Random) -> Case:
    inputs = [
        scalar(rng.randint(-3, 3)),
        scalar(rng.randint(1, 4)),
        scalar(3),
        scalar(1),
    ]
    opset = rng.choice([1, 16])
    modes = {"negative_indices_mode": rng.choice(["ignore_negative", "normalize"])}
    return Case(
        "OneHot",
        opset,
        inputs,
        {"axis": "0"} | (modes if opset == 16 else {}),
        probe=True,
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


ON_OFF = [Operand(""), Operand("")]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "expected"),
    [
        (
            "OneHot",
            [Operand("2,?", "i64"), scalar(5), *ON_OFF],
            {"axis": "-2"},
            "[2,5,?]",
        ),
        (
            "OneHot",
            [Operand("2", "i64"), Operand("", "i32"), *ON_OFF],
            {"axis": "0"},
            "[?,2]",
        ),
        (
            "Eye",
            [Operand("", "i64"), scalar(4), scalar(0), integers(2, -1)],
            {"output_type": "f32"},
            "[2,?,?,4]",
        ),
        (
            "Eye",
            [scalar(3), Operand("", "i64"), scalar(0), Operand("2", "i64")],
            {"output_type": "f32"},
            "[?,?,3,?]",
        ),
    ],
)
def test_shapes(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], expected: str
) -> None:
    assert infer(*write(Case(type, 16, inputs, attributes)))["outputs"] == [
        [expected, "f32"]
    ]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        (
            "OneHot",
            [Operand("2", "i64"), scalar(5), *ON_OFF],
            {"axis": "2"},
            "axis 2 is out of range [-2, 1]",
        ),
        (
            "OneHot",
            [Operand("2", "i64"), scalar(-5), *ON_OFF],
            {"axis": "0"},
            "depth is -5, at least 0 is expected",
        ),
        (
            "OneHot",
            [Operand("2", "i64"), integers(5), *ON_OFF],
            {"axis": "0"},
            "depth has rank 1, 0 is expected",
        ),
        (
            "Eye",
            [scalar(-3), scalar(4), scalar(0)],
            {"output_type": "f32"},
            "num_rows is -3, at least 0 is expected",
        ),
        (
            "Eye",
            [scalar(3), scalar(4)],
            {"output_type": "f32"},
            "Eye-9 takes 3 to 4 inputs (num_rows, num_columns, ",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 16, inputs, attributes)))["error"]).startswith(
        message
    )


@pytest.mark.parametrize(("type", "stage"), [("u8", "compile"), ("i16", None)])
def test_indices_that_the_plugin_takes(type: str, stage: str | None) -> None:
    operands = [Operand("2,3", type), scalar(5), Operand("", "f32"), Operand("", "f32")]
    answer = infer(*write(Case("OneHot", 1, operands, {"axis": "-1"})))
    assert answer.get("stage") == stage
