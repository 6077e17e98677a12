"""Small IR files for the tests of the cross-check, as text and weights."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import pytest
from ir_text import edge_text, graph_text, layer_text, net_text, port_text

from ovgather.tensor import element_type

requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)

Tensor = tuple[str, Sequence[int]]  # element type and dims
Files = tuple[bytes, bytes]


class Ir:
    """Layers and edges as they are added; ``files`` is what to read."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.weights = b""

    def parameter(self, number: int, name: str, tensor: Tensor) -> None:
        kind, dims = tensor
        shape = ",".join("?" if dim < 0 else str(dim) for dim in dims)
        data = f'element_type="{kind}" shape="{shape}"'
        self.layer(number, name, "Parameter", "opset1", data, [], [tensor])

    def const(self, number: int, name: str, tensor: Tensor, value: bytes) -> None:
        kind, dims = tensor
        place = f'offset="{len(self.weights)}" size="{len(value)}"'
        data = f'element_type="{kind}" shape="{",".join(map(str, dims))}" {place}'
        self.weights += value
        self.layer(number, name, "Const", "opset1", data, [], [tensor])

    def layer(
        self,
        number: int,
        name: str,
        type: str,
        version: str,
        data: str,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        inside: str = "",
    ) -> None:
        """``data``: the text of the attributes; ``inside``: what stands behind the ports."""
        ports = [
            _port(place, tensor) for place, tensor in enumerate([*inputs, *outputs])
        ]
        self.layers.append(
            layer_text(
                number,
                type,
                version,
                data,
                ports[: len(inputs)],
                ports[len(inputs) :],
                name=name,
                inside=inside,
            )
        )

    def edge(self, source: tuple[int, int], target: tuple[int, int]) -> None:
        self.edges.append(edge_text(source, target))

    @property
    def inside(self) -> str:
        return graph_text(self.layers, self.edges)

    @property
    def files(self) -> Files:
        return net_text(self.layers, self.edges).encode(), self.weights


def _port(number: int, tensor: Tensor) -> str:
    kind = element_type.find(tensor[0])
    assert kind is not None
    return port_text(number, kind.port, tensor[1])


def add_gather(
    ir: Ir,
    start: int,
    type: str,
    version: str,
    data: Tensor,
    indices: Tensor,
    axis: int | None = None,
    batch_dims: int = 0,
    *,
    data_value: bytes | None = None,
    indices_value: bytes | None = None,
    name: str = "g",
    prefix: str = "",
) -> None:
    """Parameters (or Consts) ``data`` (+0) and ``indices`` (+1), the axis (+2), the layer (+10) and a Result (+11)."""
    for number, (label, tensor, value) in enumerate(
        [("data", data, data_value), ("indices", indices, indices_value)]
    ):
        if value is None:
            ir.parameter(start + number, prefix + label, tensor)
        else:
            ir.const(start + number, prefix + label, tensor, value)
    inputs = [data, indices]
    attributes = f' batch_dims="{batch_dims}"' if batch_dims else ""
    if type == "Gather":
        assert axis is not None
        ir.const(start + 2, prefix + "axis", ("i64", []), struct.pack("<q", axis))
        inputs.append(("i64", []))
    elif axis is not None:
        attributes += f' axis="{axis}"'
    output = (data[0], [])
    ir.layer(start + 10, name, type, version, attributes.strip(), inputs, [output])
    ir.layer(start + 11, prefix + "r", "Result", "opset1", "", [output], [])
    for number in range(len(inputs)):
        ir.edge((start + number, 0), (start + 10, number))
    ir.edge((start + 10, len(inputs)), (start + 11, 0))


def gather_model(*arguments: Any, **options: Any) -> Files:
    """A model of one layer; the arguments are those of ``add_gather``."""
    ir = Ir()
    add_gather(ir, 0, *arguments, **options)
    return ir.files


def if_model() -> Files:
    """An If (2) whose branches each hold a GatherElements called ``inner``."""
    data, indices = ("f32", [2, 3]), ("i64", [2, 2])
    body = Ir()
    body.parameter(0, "d", data)
    body.parameter(1, "i", indices)
    body.layer(
        2,
        "inner",
        "GatherElements",
        "opset6",
        'axis="1"',
        [data, indices],
        [("f32", [2, 2])],
    )
    body.layer(3, "o", "Result", "opset1", "", [("f32", [2, 2])], [])
    body.edge((0, 0), (2, 0))
    body.edge((1, 0), (2, 1))
    body.edge((2, 2), (3, 0))
    ir = Ir()
    ir.parameter(0, "condition", ("boolean", []))
    ir.parameter(1, "data", data)
    ir.parameter(4, "indices", indices)
    maps = "".join(
        f"<{branch}_port_map>"
        '<input external_port_id="1" internal_layer_id="0"/><input external_port_id="2" internal_layer_id="1"/>'
        f'<output external_port_id="0" internal_layer_id="3"/></{branch}_port_map>'
        for branch in ("else", "then")
    )
    inputs, output = [("boolean", []), data, indices], ("f32", [2, 2])
    bodies = f"<then_body>{body.inside}</then_body><else_body>{body.inside}</else_body>"
    ir.layer(2, "choice", "If", "opset8", "", inputs, [output], maps + bodies)
    ir.layer(3, "r", "Result", "opset1", "", [output], [])
    for number, source in enumerate((0, 1, 4)):
        ir.edge((source, 0), (2, number))
    ir.edge((2, 3), (3, 0))
    return ir.files
