"""A model of either format -> its network, with each weight and its decompression as one constant."""

from __future__ import annotations

from typing import NamedTuple

from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.verbs.network.of_ir import of_ir
from ovgather.verbs.network.records import ModelNetwork
from ovgather.verbs.network.weights import fold


class Folded(NamedTuple):
    """A network, and the nodes that are only part of a weight."""

    network: ModelNetwork
    inner: frozenset[int]


def of_model(model: AnyModel) -> Folded:
    if isinstance(model, Model):
        network = of_ir(model)
    else:
        from ovgather.verbs.network.of_onnx import of_onnx

        network = of_onnx(model)
    return Folded(network, fold(network))
