"""The Gather layers of a file of any format: the only module that distinguishes an IR from an ONNX file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.ir.read import PathOrData, WeightsOrData, read
from ovgather.layers.gather_layer import gather_layers
from ovgather.onnx_file.source import is_onnx

if TYPE_CHECKING:
    from ovgather.layers.gather_layer import GatherLayer
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel

    AnyModel = Model | OnnxModel
    AnyGather = GatherLayer | GatherNode


def read_model(source: PathOrData, weights: WeightsOrData | None = None, follow_links: bool = False) -> AnyModel:
    """An IR or an ONNX file; UnavailableError if onnx is needed and not installed."""
    if not is_onnx(source):
        return read(source, weights, follow_links=follow_links)
    from ovgather.onnx_file.model import read as read_onnx

    return read_onnx(source, follow_links)


def gathers(model: AnyModel) -> list[AnyGather]:
    """The layers or nodes of the family, those in bodies included, in the order of the file."""
    if isinstance(model, Model):
        return [*gather_layers(model)]
    from ovgather.layers.onnx_node import gather_nodes

    return [*gather_nodes(model)]


def find_gather(model: AnyModel, name: str) -> AnyGather:
    """The layer or node called ``name``; InvalidModelError if it is not exactly one Gather."""
    if not isinstance(model, Model):
        from ovgather.layers.onnx_node import find_node

        return find_node(model, name)
    layer = model.find(name)
    for gather in gather_layers(model):
        if gather.layer is layer:
            return gather
    kind = f"{layer.type!r} ({layer.version})"
    raise InvalidModelError(f"{model.path}: layer {name!r} is a {kind}, not a Gather that can be run")
