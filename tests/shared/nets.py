"""Small IR files made layer by layer, whose ports say nothing unless they are told to."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ir_text import edge_text, graph_text, layer_text, net_text, port_text

import ovgather
from ovgather.ir.model import Model

CODES = {
    "i8": "b",
    "u8": "B",
    "i32": "i",
    "u32": "I",
    "i64": "q",
    "u64": "Q",
    "f32": "f",
    "f16": "e",
    "f64": "d",
}


class Net:
    """Layers of one output each, numbered from 0 and called l0, l1, ...; each is made of earlier ones."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.shapes: list[str] = []
        self.weights = b""

    def copy(self) -> Net:
        made = Net()
        made.layers, made.edges, made.shapes = (
            self.layers.copy(),
            self.edges.copy(),
            self.shapes.copy(),
        )
        made.weights = self.weights
        return made

    def const(self, kind: str, shape: Sequence[int], values: Sequence[float]) -> int:
        data = struct.pack(f"<{len(values)}{CODES[kind]}", *values)
        where = f'offset="{len(self.weights)}" size="{len(data)}"'
        self.weights += data
        dims = ", ".join(map(str, shape))
        return self.add(
            "Const",
            f'element_type="{kind}" shape="{dims}" {where}',
            shape=",".join(map(str, shape)),
        )

    def parameter(self, kind: str, shape: str) -> int:
        return self.add(
            "Parameter", f'shape="{shape}" element_type="{kind}"', shape=shape
        )

    def add(
        self,
        type: str,
        data: str,
        *inputs: int,
        version: str = "opset1",
        shape: str = "",
        inside: str = "",
    ) -> int:
        """``shape``: the dims of the output port, as far as a port can say them; ``inside``: more in the layer."""
        number = len(self.layers)
        self.shapes.append(shape)
        ports = [
            port_text(place, dims=_dims(self.shapes[source]))
            for place, source in enumerate(inputs)
        ]
        self.edges += [
            edge_text((source, 9), (number, place))
            for place, source in enumerate(inputs)
        ]
        outputs = [] if type == "Result" else [port_text(9, "I64", _dims(shape))]
        self.layers.append(
            layer_text(
                number,
                type,
                version,
                data,
                ports,
                outputs,
                name=f"l{number}",
                inside=inside,
            )
        )
        return number

    @property
    def inside(self) -> str:
        return graph_text(self.layers, self.edges)

    @property
    def text(self) -> bytes:
        return net_text(self.layers, self.edges).encode()

    def model(self, weights: bool = True) -> Model:
        return ovgather.read(self.text, self.weights if weights else None)


def _dims(shape: str) -> list[str]:
    return [dim if dim.isdigit() else "-1" for dim in shape.split(",") if dim]
