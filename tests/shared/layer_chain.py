"""A model that is written layer by layer."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from math import prod

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

    def ones(self, *dims: int) -> int:
        """A Const of f32."""
        size = 4 * prod(dims)
        shape = ",".join(map(str, dims))
        data = f'element_type="f32" shape="{shape}" offset="{len(self.weights)}" size="{size}"'
        self.weights += struct.pack("<f", 1) * prod(dims)
        self.weights += b"\0" * (-size % 8)
        return self._layer("Const", "opset1", data, ())

    def layer(
        self,
        type: str,
        *inputs: int,
        attributes: Mapping[str, str] | None = None,
        opset: int = 8,
        outputs: int = 1,
    ) -> int:
        """A layer, of which others read the first of the ``outputs``."""
        data = attributes_text(attributes or {})
        return self._layer(type, f"opset{opset}", data, inputs, outputs)

    def _layer(
        self,
        type: str,
        version: str,
        data: str,
        inputs: tuple[int, ...],
        outputs: int = 1,
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
                [port_text(9 + place, "FP32") for place in range(outputs)],
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
