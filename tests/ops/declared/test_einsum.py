"""Einsum beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    near,
    random_dim,
    random_shape,
    write,
)

ODD = (
    "",
    "ab",
    "ab->ba",
    "a->ab",
    "a1->a",
    "->",
    " ab->ba",
    "ab->ba->ab",
    "ab->",
    "......",
    "a,b,c",
    ",a->a",
    "..a->a",
)


def random_case(rng: random.Random) -> Case:
    letters = rng.sample("abcXyz", rng.randint(1, 4))
    sizes = {letter: random_dim(rng) for letter in letters}
    ellipsis = (
        [random_dim(rng) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.4
        else None
    )
    subscripts, operands = [], []
    kind = (
        rng.choice(["f32", "f32", "i64", "boolean", "dynamic", "string"])
        if rng.random() < 0.3
        else "f32"
    )
    for _ in range(rng.randint(1, 3)):
        subscript, shape = random_subscript(rng, sizes, ellipsis)
        subscripts.append(subscript)
        operands.append(Operand(shape, kind))
    equation = ",".join(subscripts)
    known = sorted({letter for letter in equation if letter.isalpha()})
    if rng.random() < 0.75:
        output = "".join(rng.sample(known, rng.randint(0, len(known))))
        if ellipsis is not None and rng.random() < 0.8:
            place = rng.randint(0, len(output))
            output = f"{output[:place]}...{output[place:]}"
        equation += f"->{output}"
    if rng.random() < 0.06:
        equation = rng.choice(ODD)
    if rng.random() < 0.04:
        operands[-1] = operands[-1]._replace(type="f16")
    if rng.random() < 0.03:
        operands.append(Operand("2"))
    attributes = {} if rng.random() < 0.02 else {"equation": equation}
    return Case("Einsum", rng.choice([7, 8, 16]), operands, attributes)


def random_subscript(
    rng: random.Random, sizes: dict[str, str], ellipsis: list[str] | None
) -> tuple[str, str]:
    """The subscript of an input and a shape that mostly goes with it."""
    labels = rng.choices(list(sizes), k=rng.randint(0, 3))
    dims = [sizes[label] for label in labels]
    if ellipsis is not None and rng.random() < 0.8:
        place = rng.randint(0, len(labels))
        labels.insert(place, "...")
        dims[place:place] = ellipsis[rng.randint(0, len(ellipsis)) :]
    shape = ",".join(dims)
    if rng.random() < 0.25:
        shape = near(rng, shape)
    if rng.random() < 0.08:
        shape = rng.choice(["...", random_shape(rng)])
    return "".join(labels), shape


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(equation: str, *shapes: str) -> str:
    result = infer(
        *write(
            Case(
                "Einsum",
                7,
                [Operand(shape) for shape in shapes],
                {"equation": equation},
            )
        )
    )
    return str(result.get("error") or result["outputs"][0][0])


@pytest.mark.parametrize(
    ("equation", "shapes", "expected"),
    [
        ("ab,bc->ac", ["2,3", "3,?"], "[2,?]"),
        ("ab,bc", ["2,3", "3,4"], "[2,4]"),
        ("bA", ["2,3"], "[3,2]"),
        ("a...,...b->...ab", ["2,3", "3,5"], "[3,2,5]"),
        ("...a->a", ["2,3,4"], "[4]"),
        ("aa->a", ["2,?"], "[2]"),
        ("ab,ab->ab", ["2,1", "2,3"], "[2,3]"),
        ("ab,->ba", ["2,3", ""], "[3,2]"),
        ("ab->ba", ["..."], "[?,?]"),
        ("a...->...a", ["..."], "[...]"),
    ],
)
def test_shapes(equation: str, shapes: list[str], expected: str) -> None:
    assert answer(equation, *shapes) == expected


@pytest.mark.parametrize(
    ("equation", "shapes", "expected"),
    [
        (
            "ab->ba",
            ["2"],
            "input0 has rank 1, its subscript 'ab' names 2 dims: input0 [2], equation ab->ba",
        ),
        (
            "a b->ba",
            ["2,3"],
            "subscript 'a b' must consist of letters, with one ellipsis at most",
        ),
        ("a->ab", ["2"], "label b of the output is in no input"),
        ("aa->a", ["2,3"], "label a stands for dims 2 and 3 of input0"),
        ("a,a->a", ["2", "3"], "label a stands for dim 2, and for 3 in input1"),
        ("a,a->a", ["2"], "the equation names 2 inputs, 1 are given"),
        (
            "...,...->...",
            ["2", "3"],
            "the dims that ... stands for in input1 cannot be broadcast",
        ),
    ],
)
def test_refusals(equation: str, shapes: list[str], expected: str) -> None:
    assert answer(equation, *shapes).startswith(expected)
