"""StringTensorPack and StringTensorUnpack beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    if rng.random() < 0.2:
        lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 3))]
        return spoiled(
            rng,
            Case(
                "StringTensorUnpack",
                15,
                [Operand(opened(rng, lengths), "string")],
                outputs=3,
            ),
        )
    return spoiled(rng, _pack(rng))


def _pack(rng: random.Random) -> Case:
    kind = rng.choice(["i32", "i64"])
    symbols = Operand(opened(rng, [8]), "u8")
    if rng.random() < 0.5:
        lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 3))]
        return Case(
            "StringTensorPack",
            15,
            [*[Operand(opened(rng, lengths), kind) for _ in range(2)], symbols],
        )
    count = rng.randint(1, 4)
    places = [sorted(rng.randint(0, 8) for _ in range(count)) for _ in range(2)]
    if rng.random() < 0.1:
        places[rng.randrange(2)][rng.randrange(count)] = rng.choice([-1, 9, 4])
    return Case(
        "StringTensorPack",
        15,
        [*[integers(*numbers, type=kind) for numbers in places], symbols],
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SYMBOLS = Operand("5", "u8")


def test_shapes() -> None:
    case = Case(
        "StringTensorPack", 15, [Operand("3,?", "i32"), Operand("?,4", "i32"), SYMBOLS]
    )
    assert infer(*write(case))["outputs"] == [["[3,4]", "string"]]
    case = Case("StringTensorUnpack", 15, [Operand("3,?", "string")], outputs=3)
    assert infer(*write(case))["outputs"] == [
        ["[3,?]", "i32"],
        ["[3,?]", "i32"],
        ["[?]", "u8"],
    ]


@pytest.mark.parametrize(
    ("type", "inputs", "message"),
    [
        ("StringTensorUnpack", [Operand("3")], "data must be string, not f32"),
        (
            "StringTensorPack",
            [Operand("3", "i32"), Operand("4", "i32"), SYMBOLS],
            "ends has shape [4], which differs from [3] of begins",
        ),
        (
            "StringTensorPack",
            [integers(0, 2), integers(2, 6), SYMBOLS],
            "ends has 6, there are 5 symbols",
        ),
        (
            "StringTensorPack",
            [integers(2, 0), integers(2, 5), SYMBOLS],
            "begins are not in ascending order",
        ),
        (
            "StringTensorPack",
            [integers(-2, 0), integers(2, 5), SYMBOLS],
            "begins has -2, at least 0 is expected",
        ),
    ],
)
def test_refusals(type: str, inputs: Sequence[Operand], message: str) -> None:
    assert str(infer(*write(Case(type, 15, inputs)))["error"]).startswith(message)
