"""bytes -> Model -> bytes: reading IR files, their weights, and the way back to lines and columns."""

from __future__ import annotations

from ovgather.ir.graph import Edge, Graph, Layer, Port, Problem
from ovgather.ir.model import Model
from ovgather.ir.read import read

__all__ = ["Edge", "Graph", "Layer", "Model", "Port", "Problem", "read"]
