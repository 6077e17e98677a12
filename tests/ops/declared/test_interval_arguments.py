"""Arguments that are computed from open dims, so that only their ends are known, beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import contradictions
from layer_chain import Chain

from ovgather.ops.declared.shapes._slicing import sliced_dimension
from ovgather.tensor.dimension import exact
from ovgather.tensor.interval import Interval, Item

ADD = {"auto_broadcast": "numpy"}


def _number(rng: random.Random, chain: Chain, least: int = -6) -> int:
    """A tensor of one number: a Const, or from ``low`` to ``low + width``."""
    low, width = rng.randint(least, 6), rng.choice([0, 0, 1, 3, 8])
    if not width:
        return chain.const(low)
    length = chain.shape(chain.parameter(f"..{width}"))
    return chain.layer("Add", length, chain.const(low), attributes=ADD)


def _random_dim(rng: random.Random) -> str:
    low = rng.randint(0, 4)
    return rng.choice(["?", str(low), f"{low}..{low + 4}", f"{low}.."])


def random_model(rng: random.Random) -> tuple[str, bytes]:
    chain = Chain()
    type = rng.choice(["Slice", "StridedSlice", "DFT", "RDFT", "IRDFT"])
    last = "2" if type in ("DFT", "IRDFT") else "3"
    data = chain.parameter(f"{_random_dim(rng)},{last}")
    if type == "Slice":
        step = chain.const(rng.choice([1, 1, 2, -1]))
        bounds = [_number(rng, chain), _number(rng, chain), step]
        return chain.write(chain.layer(type, data, *bounds, chain.const(0)))
    if type == "StridedSlice":
        bounds = [_number(rng, chain), _number(rng, chain)]
        masks = {"begin_mask": "0", "end_mask": "0"}
        return chain.write(chain.layer(type, data, *bounds, attributes=masks))
    size = _number(rng, chain, 0)
    return chain.write(chain.layer(type, data, chain.const(0), size, opset=9))


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    rng = random.Random(1)
    assert not contradictions([random_model(rng) for _ in range(150)])


@pytest.mark.parametrize(
    ("dim", "start", "stop", "expected"),
    [
        ((0, 9), 1, Interval(-2, 7), "..7"),
        ((3, 9), 0, Interval(-1, 5), "..8"),
        ((0, 9), Interval(-1, 0), 9, "..9"),
        ((4, 6), -3, 5, "1..4"),
        ((4, 8), -4, Interval(1, 4), "..4"),
    ],
    ids=[
        "an end of either sign",
        "an end of either sign of a long dim",
        "a start of either sign",
        "the shortest dim has the longest slice",
        "the shortest dim has the longest slice up to an interval",
    ],
)
def test_a_slice_holds_every_length(
    dim: tuple[int, int], start: Item, stop: Item, expected: str
) -> None:
    computed = sliced_dimension(exact(*dim, None), start, stop, 1)
    assert str(computed) == expected
    for length in range(dim[0], dim[1] + 1):
        for first in _values(start):
            for last in _values(stop):
                count = len(range(length)[first:last])
                assert computed.min <= count <= (computed.max or 0)


def _values(item: Item) -> range:
    if isinstance(item, Interval):
        return range(int(item.low or 0), int(item.high or 0) + 1)
    return range(int(item), int(item) + 1)
