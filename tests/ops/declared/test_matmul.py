"""Products and inverses of matrices beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    near,
    random_dim,
    random_shape,
    write,
)

FLAGS = ("true", "false", "false", "1", "", "odd")


def random_case(rng: random.Random) -> Case:
    draw = rng.random()
    if draw < 0.15:
        return random_value_case(rng)
    if draw < 0.6:
        return random_matmul(rng)
    return random_grouped(rng) if draw < 0.85 else random_inverse(rng)


def element_types(rng: random.Random) -> list[str]:
    types = [
        rng.choice(["f32", "f32", "i64", "f16", "boolean", "dynamic", "string"])
    ] * 2
    if rng.random() < 0.06:
        types[1] = rng.choice(["f32", "dynamic", "i8"])
    return types


def random_matmul(rng: random.Random) -> Case:
    attributes = {
        name: rng.choice(FLAGS)
        for name in ("transpose_a", "transpose_b")
        if rng.random() < 0.6
    }
    inner = random_dim(rng)
    batch = [random_dim(rng) for _ in range(rng.randint(0, 2))]
    left, right = [random_dim(rng), inner], [inner, random_dim(rng)]
    if attributes.get("transpose_a") in ("true", "1"):
        left.reverse()
    if attributes.get("transpose_b") in ("true", "1"):
        right.reverse()
    shapes = [
        ",".join([*batch, *left]),
        ",".join([*batch[rng.randint(0, 2) :], *right]),
    ]
    shapes = [near(rng, shape) if rng.random() < 0.4 else shape for shape in shapes]
    if rng.random() < 0.25:
        shapes[rng.randrange(2)] = rng.choice([inner, "...", ""])
    if rng.random() < 0.1:
        shapes[rng.randrange(2)] = random_shape(rng)
    inputs = [Operand(*pair) for pair in zip(shapes, element_types(rng), strict=True)]
    if rng.random() < 0.03:
        inputs = rng.choice([inputs[:1], [*inputs, Operand("2")]])
    return Case("MatMul", rng.choice([1, 8, 16]), inputs, attributes)


def random_value_case(rng: random.Random) -> Case:
    """A product of known numbers that gives the target shape of a Broadcast."""
    depth = rng.randint(1, 3)
    vector = integers(*[rng.randint(0, 3) for _ in range(depth)])
    numbers = [rng.randint(0, 3) for _ in range(2 * depth)]
    if rng.random() < 0.5:
        attributes = {"transpose_b": rng.choice(["true", "false"])}
        shape = f"2,{depth}" if attributes["transpose_b"] == "true" else f"{depth},2"
        return Case(
            "MatMul",
            1,
            [vector, Operand(shape, "i64", numbers)],
            attributes,
            probe=True,
        )
    attributes = {"transpose_a": rng.choice(["true", "false"])}
    shape = f"{depth},2" if attributes["transpose_a"] == "true" else f"2,{depth}"
    return Case(
        "MatMul", 1, [Operand(shape, "i64", numbers), vector], attributes, probe=True
    )


def random_grouped(rng: random.Random) -> Case:
    inner, group = random_dim(rng), random_dim(rng)
    ranks = rng.choice([(3, 3), (2, 3), (2, 3), (2, 2)])
    shapes = [[random_dim(rng) for _ in range(rank - 1)] + [inner] for rank in ranks]
    if ranks == (3, 3):
        shapes[0][0] = shapes[1][0] = group
    texts = [
        near(rng, ",".join(shape)) if rng.random() < 0.3 else ",".join(shape)
        for shape in shapes
    ]
    if rng.random() < 0.15:
        texts[rng.randrange(2)] = random_shape(rng)
    types = element_types(rng)
    offsets = Operand(
        rng.choice([group, group, "0", "?", "...", "", "2,2", "2"]),
        rng.choice(["i32", "i64"]),
    )
    if rng.random() < 0.1:
        offsets = offsets._replace(type=rng.choice(["f32", "u8", "dynamic"]))
    inputs = [Operand(texts[0], types[0]), Operand(texts[1], types[1]), offsets]
    if rng.random() < 0.3:
        inputs = rng.choice([inputs[:2], inputs[:2], [*inputs, offsets]])
    return Case("GroupedMatMul", 17, inputs)


def random_inverse(rng: random.Random) -> Case:
    side = random_dim(rng)
    shape = ",".join([*[random_dim(rng) for _ in range(rng.randint(0, 2))], side, side])
    if rng.random() < 0.3:
        shape = rng.choice([near(rng, shape), random_shape(rng)])
    kind = rng.choice(["f32", "f32", "f16", "bf16", "f64", "i64", "boolean", "dynamic"])
    attributes = {"adjoint": rng.choice(FLAGS)} if rng.random() < 0.7 else {}
    inputs = [Operand(shape, kind)] * rng.choice([1, 1, 1, 1, 1, 1, 2])
    return Case("Inverse", rng.choice([14, 16]), inputs, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(type: str, *shapes: str, opset: int = 14, **attributes: str) -> str:
    operands = [
        Operand(shape, "f32" if place != 2 else "i32")
        for place, shape in enumerate(shapes)
    ]
    result = infer(*write(Case(type, opset, operands, attributes)))
    return str(result.get("error") or result["outputs"][0][0])


def test_shapes_of_products() -> None:
    assert answer("MatMul", "5,?,3,4", "2,4,6") == "[5,2,3,6]"
    assert (
        answer("MatMul", "4,3", "6,4", transpose_a="true", transpose_b="true")
        == "[3,6]"
    )
    assert answer("MatMul", "4", "2,4,6") == "[2,6]"
    assert answer("MatMul", "4", "4") == "[]"
    assert answer("MatMul", "...", "4") == "[...]"


def test_refused_products() -> None:
    assert answer("MatMul", "2,3", "4,5").startswith(
        "the rows of a have length 3, the columns of b have length 4: a"
    )
    assert answer("MatMul", "", "4").startswith(
        "a is a scalar, but must have at least rank 1"
    )
    assert answer("MatMul", "2,2,3", "3,3,5").startswith(
        "batch dims 2 of a and 3 of b cannot be broadcast"
    )


def inferred(*shapes: str) -> object:
    """The outputs of a layer that the CPU plugin has not."""
    operands = [
        *map(Operand, shapes[:2]),
        *[Operand(each, "i64") for each in shapes[2:]],
    ]
    case = Case("GroupedMatMul", 17, operands)
    return infer(*write(case))["inferred"]


def test_shapes_of_grouped_products() -> None:
    assert inferred("7,3,4", "?,5,4") == [["[7,3,5]", "f32"]]
    assert inferred("9,4", "7,5,4", "7") == [["[9,5]", "f32"]]


def test_refused_grouped_products() -> None:
    assert answer("GroupedMatMul", "7,3,4", "7,5,6", opset=17).startswith(
        "the last dim of mat_a is 4, that of mat_b is 6: they must be equal"
    )
    assert answer("GroupedMatMul", "4", "5,4", "7", opset=17).startswith(
        "mat_a and mat_b have ranks 1 and 2"
    )
    assert answer("GroupedMatMul", "9,4", "7,5,4", opset=17).startswith(
        "mat_a has rank 2, and offsets is missing"
    )


def test_inverses() -> None:
    assert answer("Inverse", "?,4,4") == "[?,4,4]"
    assert answer("Inverse", "4,5").startswith(
        "data holds matrices of 4 rows and 5 columns, they must be square"
    )
    assert answer("Inverse", "4").startswith(
        "data has rank 1, but must have at least rank 2"
    )


def test_values_become_a_shape() -> None:
    case = Case(
        "MatMul", 1, [integers(2, 3), Operand("2,2", "i64", [1, 2, 3, 4])], probe=True
    )
    assert infer(*write(case))["outputs"][1][0] == "[11,16]"
