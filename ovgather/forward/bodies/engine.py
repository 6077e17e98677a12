"""What bodies know of the pass that computes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol

from ovgather.ir.graph import Graph, Layer, Port
from ovgather.ir.model import Model
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor, Tensors


class Engine(Protocol):
    """What the rules of layers with bodies ask of a pass, of an IR or of an ONNX model: its ``tensors``."""

    tensors: Tensors


class LayerEngine(Engine, Protocol):
    """A ``Forward``; ``subgraphs`` are the layers with bodies by their offset, ``refusals`` have a ``layer``."""

    model: Model
    outputs: dict[int, tuple[Tensor, ...]]
    input_shapes: Mapping[int, PartialShape]
    refusals: list[Any]
    deviating: list[Layer]
    unchecked: Counter[str]
    subgraphs: dict[int, Any]

    def run(
        self, graph: Graph, parameters: Mapping[int, Tensor] | None = None
    ) -> list[tuple[Tensor, ...]]:
        """Compute the layers of a graph."""

    def port_tensor(self, port: Port) -> Tensor:
        """What a port declares."""
