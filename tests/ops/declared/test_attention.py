"""ScaledDotProductAttention beside OpenVINO."""

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


def random_case(rng: random.Random) -> Case:
    batch = [random_dim(rng) for _ in range(rng.choice([1, 1, 2, 2, 0]))]
    queries, keys, width, value_width = [random_dim(rng) for _ in range(4)]
    shapes = [
        [*batch, queries, width],
        [*batch, keys, width],
        [*batch, keys, value_width],
        [*batch, queries, keys],
    ]
    texts = [
        ",".join(shape[rng.choice([0, 0, 0, 1]) if place == 3 else 0 :])
        for place, shape in enumerate(shapes)
    ]
    texts = [near(rng, text) if rng.random() < 0.1 else text for text in texts]
    if rng.random() < 0.2:
        place = rng.randrange(4)
        texts[place] = rng.choice(["...", "...", "3,4", "4", "", random_shape(rng, 3)])
    if rng.random() < 0.1:
        texts[3] = rng.choice(["", "4", "1,1", "1"])
    kind = (
        rng.choice(["f32", "f32", "f16", "dynamic"])
        if rng.random() < 0.95
        else rng.choice(["i64", "boolean"])
    )
    operands = [Operand(text, kind) for text in texts]
    if rng.random() < 0.4:
        operands[3] = operands[3]._replace(
            type=rng.choice(["boolean"] * 7 + ["i64", "f16", "string"])
        )
    if rng.random() < 0.08:
        place = rng.randrange(3)
        operands[place] = operands[place]._replace(
            type=rng.choice(["f16", "i8", "dynamic"])
        )
    operands.append(
        Operand(rng.choice(["", "", "1", "1", "?", "...", "", "1", "2", "1,?"]), kind)
    )
    if rng.random() < 0.06:
        operands[4] = operands[4]._replace(type=rng.choice(["f16", "i8", "f32"]))
    column = [dim if rng.random() < 0.7 else "1" for dim in (*batch, queries)]
    sink = ",".join([*column, rng.choice(["1", "1", "1", "?", "2"])])
    if rng.random() < 0.2:
        sink = rng.choice(["...", "", "1", near(rng, sink)])
    operands.append(Operand(sink, kind if rng.random() < 0.95 else "i64"))
    count = rng.choice([3, 3, 4, 4, 5, 5, 6, 6])
    if rng.random() < 0.03:
        count = 2
    attributes = (
        {"causal": rng.choice(["true", "false", "1", "", "odd"])}
        if rng.random() < 0.8
        else {}
    )
    return Case(
        "ScaledDotProductAttention",
        rng.choice([13, 16]),
        operands[:count],
        attributes,
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(*shapes: str, causal: str = "false") -> str:
    operands = [Operand(shape) for shape in shapes]
    result = infer(
        *write(Case("ScaledDotProductAttention", 13, operands, {"causal": causal}))
    )
    return str(result.get("error") or result["outputs"][0][0])


def test_shapes() -> None:
    assert answer("2,8,?,64", "2,8,7,64", "2,8,7,32") == "[2,8,?,32]"
    assert answer("2,8,?,64", "2,8,7,64", "2,8,7,32", "5,7") == "[2,8,5,32]"
    assert answer("...", "2,8,7,64", "2,8,7,32") == "[...]"


def test_refusals() -> None:
    assert answer("8,64", "2,8,7,64", "2,8,7,32").startswith(
        "query has rank 2, but must have at least rank 3"
    )
    assert answer("2,5,64", "2,7,63", "2,7,32").startswith(
        "the last dim of key is 63, but must be 64"
    )
    assert answer("2,5,64", "2,7,64", "3,7,32").startswith(
        "the batch dims of value cannot be broadcast"
    )
    assert answer("2,5,64", "2,7,64", "2,7,32", "5,8").startswith(
        "the last dim of attention_mask is 8, but must be 7 or 1"
    )
    assert answer("2,5,64", "2,7,64", "2,7,32", "5,7", "3").startswith(
        "scale has shape [3], but must be a scalar or have one element"
    )
    inputs = "2,5,64", "2,7,64", "2,7,32", "5,7", ""
    assert answer(*inputs, "1,5,1") == "[2,5,32]"
    assert answer(*inputs, "5,1").startswith("sink has rank 2, but must have rank 3")
    assert answer(*inputs, "2,4,1").startswith(
        "sink has shape [2,4,1], but must fit [2,5,1]"
    )
