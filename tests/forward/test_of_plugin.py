"""Constants that OpenVINO's core does not compute: a shape that rests on them is refused on compile, as by OpenVINO."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from declared_oracle import Oracle, compare, infer
from layer_chain import Chain


def axis(chain: Chain) -> int:
    return chain.const(0, scalar=True)


def two_dims(chain: Chain, *numbers: int) -> int:
    return chain.reshaped(chain.const(*numbers), chain.const(2, -1))


def unpicked(chain: Chain, index: int) -> int:
    return chain.layer("GatherND", chain.const(2, 3, 1), two_dims(chain, index, index))


MAKERS: dict[str, Callable[[Chain], int]] = {
    "CumSum": lambda chain: chain.layer(
        "CumSum", chain.const(2, 3), axis(chain), opset=3
    ),
    "GatherND": lambda chain: unpicked(chain, 1),
    "GatherElements": lambda chain: chain.layer(
        "GatherElements",
        chain.const(2, 3),
        chain.const(1, 0),
        attributes={"axis": "0"},
        opset=6,
    ),
    "Roll": lambda chain: chain.layer(
        "Roll", chain.const(2, 3), chain.const(1), chain.const(0), opset=7
    ),
    "SearchSorted": lambda chain: chain.layer(
        "SearchSorted",
        chain.const(2, 3),
        chain.const(5, 6),
        attributes={"output_type": "i64"},
        opset=15,
    ),
    "BitwiseAnd": lambda chain: chain.layer(
        "BitwiseAnd", chain.const(2, 3), chain.const(7, 7), opset=13
    ),
    "BitwiseNot": lambda chain: chain.layer(
        "BitwiseNot", chain.const(-3, -4), opset=13
    ),
    "Unique": lambda chain: chain.layer("Unique", chain.const(2, 3), opset=10),
    "Reverse": lambda chain: chain.layer(
        "Reverse",
        chain.const(2, 3),
        chain.const(0),
        attributes={"mode": "index"},
        opset=1,
    ),
    "ShapeOf": lambda chain: chain.shape(unpicked(chain, 1)),
}


def answers(chain: Chain, output: int) -> tuple[str, str]:
    """The stage of our refusal and of OpenVINO's."""
    xml, weights = chain.write(output)
    oracle = Oracle(compiled=True)
    ours, theirs = infer(xml, weights), oracle.ask(xml, weights)
    return ours.get("stage", ""), theirs.get("stage", "")


@pytest.mark.runtime
@pytest.mark.parametrize("is_constant", [True, False])
@pytest.mark.parametrize("maker", MAKERS)
def test_a_shape_of_constants(maker: str, is_constant: bool) -> None:
    chain = Chain()
    data = chain.const(1) if is_constant else chain.parameter("1")
    target = MAKERS[maker](chain)
    output = chain.layer(
        "Broadcast", data, target, attributes={"mode": "numpy"}, opset=3
    )
    ours, theirs = answers(chain, output)
    assert ours == theirs


@pytest.mark.runtime
@pytest.mark.parametrize("type", ["NonZero", "Unique"])
def test_a_shape_that_the_elements_tell(type: str) -> None:
    for make in (lambda chain: chain.const(2, 0, 2), lambda chain: unpicked(chain, 0)):
        chain = Chain()
        ours, theirs = answers(chain, chain.layer(type, make(chain), opset=10))
        assert ours == theirs


@pytest.mark.runtime
@pytest.mark.parametrize("place", [0, 1])
def test_unique_slices_of_constants(place: int) -> None:
    chain = Chain()
    data = two_dims(chain, 1, 1, 2, 1, 1, 2)
    output = chain.layer("Unique", data, chain.const(place), opset=10)
    xml, weights = chain.write(output)
    oracle = Oracle(compiled=True)
    # OpenVINO computes them when it compiles; until then it knows how many there may be.
    assert compare(infer(xml, weights), oracle.ask(xml, weights)) == "tighter"


@pytest.mark.runtime
@pytest.mark.parametrize("is_constant", [True, False])
def test_strings_of_constants(is_constant: bool) -> None:
    chain = Chain()
    begins = chain.const(0) if is_constant else chain.parameter("1", "i64")
    convert = {"destination_type": "u8"}
    symbols = chain.layer("Convert", chain.const(65), attributes=convert, opset=1)
    output = chain.layer("StringTensorPack", begins, chain.const(1), symbols, opset=15)
    ours, theirs = answers(chain, output)
    assert ours == theirs
