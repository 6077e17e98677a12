"""Shapes on their way through several layers, from ShapeOf to what takes a shape, beside OpenVINO."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from declared_oracle import contradictions, infer, random_shape
from layer_chain import FAR, Chain


def _random_part(rng: random.Random, chain: Chain, shape: int, rank: int) -> int:
    """A piece of a target shape that comes from ``shape``."""
    place = rng.randrange(rank)
    kind = rng.random()
    if kind < 0.3:
        return chain.picked(shape, place)
    if kind < 0.5:
        stop = rng.choice([FAR, place + 1])
        return chain.sliced(shape, place, stop)
    if kind < 0.65:
        index = chain.const(place - rank if rng.random() < 0.5 else place, scalar=True)
        item = chain.layer("Gather", shape, index, chain.const(0, scalar=True))
        return chain.layer("Unsqueeze", item, chain.const(0))
    if kind < 0.8:
        piece = chain.layer(
            "Slice",
            shape,
            chain.const(place),
            chain.const(FAR),
            chain.const(1),
            chain.const(0),
        )
        return chain.layer(
            "ReduceProd", piece, chain.const(0), attributes={"keep_dims": "true"}
        )
    number = chain.const(rng.choice([1, 2, 3]))
    type = rng.choice(["Multiply", "Add", "Multiply", "Maximum"])
    return chain.layer(
        type, chain.picked(shape, place), number, attributes={"auto_broadcast": "numpy"}
    )


def random_chain(rng: random.Random) -> tuple[str, bytes]:
    chain = Chain()
    rank = rng.choice([1, 2, 3, 4])
    text = random_shape(rng, rank, most=4, dynamic=0.6)
    data = chain.parameter(text)
    if text != "...":
        rank = len(text.split(",")) if text else 0
    if not rank:
        return chain.write(chain.shape(data))
    shape = chain.shape(data)
    parts = [_random_part(rng, chain, shape, rank) for _ in range(rng.randint(1, 3))]
    is_reshape = rng.random() < 0.6
    if rng.random() < 0.6:
        # OpenVINO refuses -1 in other targets than that of Reshape, unless it stands in a Const of its own.
        number = rng.choice([-1, -1, 1, 0]) if is_reshape else rng.randint(-1, 3)
        parts.insert(rng.randrange(len(parts) + 1), chain.const(number))
    target = chain.joined(*parts)
    if is_reshape:
        return chain.write(chain.reshaped(data, target, rng.choice(["true", "false"])))
    one = chain.parameter("1")
    if rng.random() < 0.5:
        return chain.write(
            chain.layer(
                "Broadcast",
                one,
                target,
                attributes={"mode": rng.choice(["numpy", "bidirectional"])},
            )
        )
    length = chain.layer("Squeeze", chain.picked(shape, 0), chain.const(0))
    ends = [
        chain.const(0, scalar=True),
        length,
        chain.const(rng.choice([1, 2]), scalar=True),
    ]
    return chain.write(chain.layer("Range", *ends, attributes={"output_type": "i64"}))


def _inferred(chain: Chain, output: int) -> object:
    return infer(*chain.write(output))["outputs"]


def test_heads_are_split_and_joined() -> None:
    chain = Chain()
    data = chain.parameter("?,?,768")
    shape = chain.shape(data)
    target = chain.joined(chain.sliced(shape, 0, 2), chain.const(12), chain.const(64))
    heads = chain.reshaped(data, target)
    assert _inferred(chain, heads) == [["[?,?,12,64]", "f32"]]
    rest = chain.joined(chain.sliced(chain.shape(heads), 0, 2), chain.const(-1))
    assert _inferred(chain, chain.reshaped(heads, rest)) == [["[?,?,768]", "f32"]]


def test_the_product_of_open_dims() -> None:
    chain = Chain()
    data = chain.parameter("2..4,3,?")
    pair = chain.sliced(chain.shape(data), 0, 2)
    product = chain.layer(
        "ReduceProd", pair, chain.const(0), attributes={"keep_dims": "true"}
    )
    output = chain.reshaped(data, chain.joined(product, chain.const(-1)))
    assert _inferred(chain, output) == [["[6..12,?]", "f32"]]


def test_a_slice_up_to_the_length_of_the_same_dim() -> None:
    chain = Chain()
    data = chain.parameter("2..9,4")
    length = chain.picked(chain.shape(data), 0)
    table = chain.layer(
        "Slice", data, chain.const(0), length, chain.const(1), chain.const(0)
    )
    difference = chain.layer("Subtract", chain.picked(chain.shape(table), 0), length)
    output = chain.layer(
        "Broadcast", chain.parameter("1"), difference, attributes={"mode": "numpy"}
    )
    assert _inferred(chain, output) == [["[0]", "f32"]]


def test_a_range_up_to_an_open_dim_may_have_any_length() -> None:
    chain = Chain()
    length = chain.layer(
        "Squeeze", chain.picked(chain.shape(chain.parameter("2..9,4")), 0)
    )
    ends = [chain.const(0, scalar=True), length, chain.const(2, scalar=True)]
    assert _inferred(
        chain, chain.layer("Range", *ends, attributes={"output_type": "i64"})
    ) == [["[?]", "i64"]]


def test_of_indices_that_are_not_all_known_openvino_computes_no_slice() -> None:
    """The index 4 is out of range of two numbers, and gives 0; but OpenVINO does not see it beside an open one."""
    chain = Chain()
    indices = chain.shape(chain.parameter("?,4"))
    target = chain.layer(
        "Gather", chain.const(5, 7), indices, chain.const(0, scalar=True)
    )
    output = chain.layer(
        "Broadcast", chain.parameter("1"), target, attributes={"mode": "numpy"}
    )
    assert _inferred(chain, output) == [["[?,?]", "f32"]]


def _has_no_empty_dim(answer: dict[str, Any]) -> bool:
    """OpenVINO writes ``1..0`` where no length fits -1 of a pattern."""
    text = str(answer.get("outputs"))
    return all(
        int(low) <= int(high) for low, high in re.findall(r"(\d+)\.\.(\d+)", text)
    )


@pytest.mark.slow
@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    rng = random.Random(1)
    models = [random_chain(rng) for _ in range(150)]
    assert not contradictions(models, _has_no_empty_dim)
