"""Shapes on their way through several layers, from ShapeOf to what takes a shape, beside OpenVINO."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Mapping
from typing import Any

import pytest
from declared_oracle import Oracle, compare, infer, random_shape
from ir_text import attributes_text, edge_text, layer_text, net_text, port_text

FAR = 2**63 - 1


class Chain:
    """A model that is written layer by layer; a layer is known by its number."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.weights = b""

    def parameter(self, shape: str, type: str = "f32") -> int:
        return self._layer(
            "Parameter", "opset1", f'shape="{shape}" element_type="{type}"', ()
        )

    def const(self, *values: int, scalar: bool = False) -> int:
        shape = "" if scalar else str(len(values))
        data = f'element_type="i64" shape="{shape}" offset="{len(self.weights)}" size="{8 * len(values)}"'
        self.weights += struct.pack(f"<{len(values)}q", *values)
        return self._layer("Const", "opset1", data, ())

    def layer(
        self,
        type: str,
        *inputs: int,
        attributes: Mapping[str, str] | None = None,
        opset: int = 8,
    ) -> int:
        data = attributes_text(attributes or {})
        return self._layer(type, f"opset{opset}", data, inputs)

    def _layer(
        self, type: str, version: str, data: str, inputs: tuple[int, ...]
    ) -> int:
        number = len(self.layers)
        ports = [port_text(place, "FP32") for place in range(len(inputs))]
        self.layers.append(
            layer_text(
                number,
                type,
                version,
                data,
                ports,
                [port_text(9, "FP32")],
                name=f"layer{number}",
            )
        )
        self.edges += [
            edge_text((source, 9), (number, place))
            for place, source in enumerate(inputs)
        ]
        return number

    def write(self, output: int) -> tuple[str, bytes]:
        number = len(self.layers)
        ports = [port_text(0, "FP32")]
        result = layer_text(number, "Result", "opset1", "", ports, name="out")
        layers = [*self.layers, result]
        edges = [*self.edges, edge_text((output, 9), (number, 0))]
        return net_text(layers, edges, name="chain"), self.weights

    def shape(self, data: int) -> int:
        return self.layer("ShapeOf", data, attributes={"output_type": "i64"})

    def picked(self, shape: int, place: int) -> int:
        """An element of a shape, as a tensor of one element."""
        return self.layer(
            "Gather", shape, self.const(place), self.const(0, scalar=True)
        )

    def sliced(self, shape: int, start: int, stop: int) -> int:
        attributes = {"begin_mask": "0", "end_mask": "1" if stop == FAR else "0"}
        return self.layer(
            "StridedSlice",
            shape,
            self.const(start),
            self.const(stop),
            attributes=attributes,
        )

    def joined(self, *parts: int) -> int:
        return self.layer("Concat", *parts, attributes={"axis": "0"})

    def reshaped(self, data: int, pattern: int, special_zero: str = "false") -> int:
        return self.layer(
            "Reshape", data, pattern, attributes={"special_zero": special_zero}
        )


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
        number = rng.choice([-1, -1, 1, 0]) if is_reshape else rng.randint(0, 3)
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


def test_range_up_to_an_open_dim() -> None:
    chain = Chain()
    length = chain.layer(
        "Squeeze", chain.picked(chain.shape(chain.parameter("2..9,4")), 0)
    )
    ends = [chain.const(0, scalar=True), length, chain.const(2, scalar=True)]
    assert _inferred(
        chain, chain.layer("Range", *ends, attributes={"output_type": "i64"})
    ) == [["[1..5]", "i64"]]


def _has_empty_dim(answer: dict[str, Any]) -> bool:
    """OpenVINO writes ``1..0`` where no length fits -1 of a pattern."""
    text = str(answer.get("outputs"))
    return any(
        int(low) > int(high) for low, high in re.findall(r"(\d+)\.\.(\d+)", text)
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    rng, oracle = random.Random(1), Oracle()
    lines = []
    for _ in range(150):
        xml, weights = random_chain(rng)
        ours, theirs = infer(xml, weights), oracle.ask(xml, weights)
        if not _has_empty_dim(theirs) and compare(ours, theirs) in (
            "wrong",
            "false",
            "missed",
        ):
            lines.append(f"{xml}\n  ours {ours}\n  OpenVINO {theirs}")
    oracle.close()
    assert not lines
