"""A model with the outputs that are asked for, and the frame that asks for them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ovgather.onnx_file.graphs import Graph, graphs, tensors_of
from ovgather.onnx_file.tensors import External, Trouble, external_of, require
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome, Skip, error_of
from ovgather.runtimes.wire import onnx_to_wire

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.arrays import Array

UNSUPPORTED = "unsupported"
"""The cause where a runtime cannot run a model."""


def request(model: bytes, folder: str | None, feeds: Mapping[str, Array], outputs: Sequence[str]) -> wire.Frame:
    """The frame for a runtime that runs whole ONNX models."""
    tensors = [onnx_to_wire(array) for array in feeds.values()]
    inputs = [{**header, "name": name} for name, (header, _) in zip(feeds, tensors, strict=True)]
    header = {"inputs": inputs, "outputs": list(outputs), "folder": folder, "device": "CPU"}
    return header, [model, *(blob for _, blob in tensors)]


def folder_of(model: OnnxModel) -> str | None:
    """The folder below which the external data of a model really are: a runtime follows no link out of it."""
    if model.folder is None:
        return None
    folder = os.path.realpath(model.folder or os.curdir)
    places = {os.path.dirname(_real_path(folder, external)) for _, external in _external(model.graphs)}
    return os.path.commonpath([folder, *places])


def _external(of: Iterable[Graph]) -> Iterator[tuple[Any, External]]:
    """The tensors of graphs that keep their values in a file; ``require_external_data`` saw that it may be read."""
    pairs = ((tensor, external_of(tensor)) for tensor in tensors_of(of))
    return ((tensor, external) for tensor, external in pairs if external is not None)


def _real_path(folder: str, external: External) -> str:
    return os.path.realpath(os.path.join(folder, external.location))


def refusal(header: wire.Header, against: str) -> Outcome | None:
    """The outcome where the answer holds no outputs."""
    if "unsupported" in header:
        return Outcome("skipped", f"{against}: {header['unsupported']}", cause=UNSUPPORTED)
    if "error" in header:
        return error_of(header)
    return None


def tapped(model: OnnxModel, outputs: Sequence[str], pruned: bool = False) -> bytes:
    """The model with ``outputs`` added; with ``pruned`` they replace its own, and unneeded nodes are removed."""
    from onnx import ModelProto, ValueInfoProto

    proto = ModelProto()
    proto.CopyFrom(model.proto)
    graph = proto.graph
    if pruned:
        names = needed_values(graph, outputs)
        nodes = [node for node in graph.node if any(name in names for name in node.output if name)]
        own_outputs = [output for output in graph.output if output.name in outputs]
        for items, kept in ((graph.node, nodes), (graph.output, own_outputs)):
            del items[:]
            items.extend(kept)
    present = {item.name for item in graph.output}
    graph.output.extend(ValueInfoProto(name=name) for name in dict.fromkeys(outputs) if name not in present)
    folder, common = os.path.realpath(model.folder or os.curdir), folder_of(model)
    for tensor, external in _external(graphs(proto)) if common not in (None, folder) else ():
        for entry in tensor.external_data:
            if entry.key == "location":  # below ``folder_of(model)``, not below the folder of the file
                entry.value = os.path.relpath(_real_path(folder, external), common)
    return bytes(proto.SerializeToString())


def needed_values(graph: Any, outputs: Sequence[str]) -> set[str]:
    """The values that the ``outputs`` are made from, they included."""
    makers = {name: node for node in graph.node for name in node.output if name}
    waiting, names = list(outputs), set(outputs)
    while waiting:
        node = makers.get(waiting.pop())
        for name in inputs_of(node) if node is not None else ():
            if name not in names:
                names.add(name)
                waiting.append(name)
    return names


def inputs_of(node: Any) -> list[str]:
    """The values that a node reads, including outer values that its inner graphs read."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        own = [attribute.g] if attribute.HasField("g") else []
        for graph in (*own, *attribute.graphs):
            names += [name for inner in graph.node for name in inputs_of(inner)]
            names += [item.name for item in graph.output]
    return names


def require_external_data(model: OnnxModel) -> None:
    """Raise Skip unless all external data are there, and below the folder of the model."""
    for tensor in model.tensors():
        try:
            require(tensor, model.beside)
        except Trouble as trouble:
            if trouble.kind == "values":
                continue  # what the runtime says of it is the outcome
            raise Skip(f"the external data of {tensor.name!r} cannot be had: {trouble}") from None
