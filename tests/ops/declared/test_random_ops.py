"""Multinomial and RandomUniform beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, scalar, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    return spoiled(rng, rng.choice([_multinomial, _random_uniform])(rng))


def _multinomial(rng: random.Random) -> Case:
    data = Operand(
        opened(rng, [rng.randint(0, 4), rng.randint(1, 4)]), rng.choice(["f32", "f16"])
    )
    kind, samples = rng.choice(["i32", "i64", "u8"]), rng.randint(0, 4)
    count = rng.choice(
        [
            scalar(samples, kind),
            integers(samples, type=kind),
            Operand("", kind),
            Operand("?", kind),
        ]
    )
    attributes = {
        "convert_type": rng.choice(["i32", "i64"]),
        "with_replacement": rng.choice(["true", "false"]),
        "log_probs": rng.choice(["true", "false"]),
        "global_seed": str(rng.randint(0, 9)),
        "op_seed": str(rng.randint(0, 9)),
    }
    return Case("Multinomial", rng.choice([13, 16]), [data, count], attributes)


def _random_uniform(rng: random.Random) -> Case:
    kind = rng.choice(["f32", "f16", "i32", "i64"])
    lengths = [rng.choice([0, 1, 2, 3, 4, -1, -2]) for _ in range(rng.randint(0, 4))]
    shape = integers(*lengths, type=rng.choice(["i32", "i64"]))
    if rng.random() < 0.3:
        shape = Operand(rng.choice(["3", "2..3", "?", "..."]), "i64")
    ends = [scalar(number, kind) for number in (rng.randint(-3, 1), rng.randint(1, 4))]
    place = rng.randrange(2)
    if rng.random() < 0.3:
        ends[place] = Operand(rng.choice(["", "1", "?", "..."]), kind)
    attributes = {
        "output_type": kind,
        "global_seed": str(rng.randint(0, 9)),
        "op_seed": str(rng.randint(0, 9)),
        "alignment": rng.choice(["tensorflow", "pytorch"]),
    }
    return Case("RandomUniform", rng.choice([8, 13]), [shape, *ends], attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


UNIFORM = {"output_type": "f32"}
ENDS = [scalar(0, "f32"), scalar(1, "f32")]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "expected"),
    [
        (
            "Multinomial",
            [Operand("?,3"), scalar(4)],
            {"convert_type": "i32"},
            ["[?,4]", "i32"],
        ),
        (
            "RandomUniform",
            [integers(2, -1, -2), *[Operand("?")] * 2],
            UNIFORM,
            ["[2,?,0]", "f32"],
        ),
        ("RandomUniform", [Operand("2", "i64"), *ENDS], UNIFORM, ["[?,?]", "f32"]),
    ],
)
def test_shapes(
    type: str,
    inputs: Sequence[Operand],
    attributes: Mapping[str, str],
    expected: list[str],
) -> None:
    assert infer(*write(Case(type, 13, inputs, attributes)))["outputs"] == [expected]


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        (
            "Multinomial",
            [Operand("3"), scalar(4)],
            {"convert_type": "i32"},
            "probs has rank 1, 2 is expected",
        ),
        (
            "Multinomial",
            [Operand("2,3", "i32"), scalar(4)],
            {},
            "probs must be of a floating-point type, not i32",
        ),
        (
            "RandomUniform",
            [integers(2), scalar(1, "f32"), scalar(1, "f32")],
            UNIFORM,
            "min_val is 1, less than max_val 1 is expected",
        ),
        (
            "RandomUniform",
            [integers(2), *ENDS],
            {"output_type": "f16"},
            "min_val is f32, output_type is f16",
        ),
        (
            "RandomUniform",
            [scalar(2), *ENDS],
            UNIFORM,
            "shape has rank 0, 1 is expected",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 13, inputs, attributes)))["error"]).startswith(
        message
    )
