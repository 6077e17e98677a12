"""A model with the outputs that are asked for, and the frame that asks for them."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from ovgather.onnx_file.graphs import OnnxGraph, graphs, names_read, tensors_of
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import (
    External,
    TensorError,
    external_of,
    require,
    tensor_proto,
)
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Outcome, Skip, error_of
from ovgather.runtimes.wire import onnx_to_wire
from ovgather.tensor.arrays import Array
from ovgather.tensor.onnx_types import NUMBER_OF, name_of_dtype
from ovgather.tensor.walk import reached

UNSUPPORTED = "unsupported"
"""The cause where a runtime cannot run a model."""
IR_VERSION = 8
_PREFIX = "ovgather_tap_"
_AXES_ARE_INPUT = 13  # the opset in which Unsqueeze takes its axes as an input


class OnnxTap(NamedTuple):
    """A value of an ONNX model.

    Attributes:
        name: its name in its graph.
        path: the bodies that it is in: the position of each node in its graph, and its attribute.
        type_name: ONNX's name of its element type.
        around: an output of the outermost of these nodes.
        is_looped: whether one of them is a Loop.
    """

    name: str
    path: tuple[tuple[int, str], ...] = ()
    type_name: str = ""
    around: str = ""
    is_looped: bool = False

    @property
    def depth(self) -> int:
        """How many bodies it is in; its value has a leading dim for each, of how often the body ran."""
        return len(self.path)

    @property
    def outside(self) -> OnnxTap | None:
        """What the node around its body gives; None at the top."""
        if self.path:
            return OnnxTap(self.around)
        return None


def request(
    model: bytes, folder: str | None, feeds: Mapping[str, Array], outputs: Sequence[str]
) -> wire.Frame:
    """The frame for a runtime that runs whole ONNX models."""
    tensors = [onnx_to_wire(array) for array in feeds.values()]
    inputs = [
        {**header, "name": name}
        for name, (header, _) in zip(feeds, tensors, strict=True)
    ]
    header = {
        "inputs": inputs,
        "outputs": list(outputs),
        "folder": folder,
        "device": "CPU",
    }
    return header, [model, *(blob for _, blob in tensors)]


def one_node(
    node: Any,
    feeds: Mapping[str, Array],
    opset: int,
    constants: Container[str] = (),
    static: bool = False,
) -> bytes:
    """A model of a node of ``feeds``, which are inputs or, if ``constants``, initializers, and of an ``output``."""
    from onnx import helper

    inputs = []
    initializers = []
    types = {name: name_of_dtype(array.dtype) for name, array in feeds.items()}
    for name, array in feeds.items():
        if name in constants:
            initializers.append(tensor_proto(name, array, types[name]))
        else:
            if static:
                shape = array.shape
            else:
                shape = [None] * array.ndim
            inputs.append(
                helper.make_tensor_value_info(name, NUMBER_OF[types[name]], shape)
            )
    output = helper.make_tensor_value_info("output", NUMBER_OF[types["data"]], None)
    graph = helper.make_graph([node], "one_node", inputs, [output], initializers)
    imports = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION)
    return serialized(model)


def folder_of(model: OnnxModel) -> str | None:
    """The folder below which the external data of a model really are: a runtime follows no link out of it."""
    if model.folder is None:
        return None
    folder = os.path.realpath(model.folder or os.curdir)
    places = {
        os.path.dirname(_real_path(folder, external))
        for _, external in _external(model.graphs)
    }
    return os.path.commonpath([folder, *places])


def _external(of: Iterable[OnnxGraph]) -> Iterator[tuple[Any, External]]:
    """The tensors of graphs that keep their values in a file; ``require_external_data`` saw that it may be read."""
    pairs = ((tensor, external_of(tensor)) for tensor in tensors_of(of))
    return ((tensor, external) for tensor, external in pairs if external is not None)


def _real_path(folder: str, external: External) -> str:
    return os.path.realpath(os.path.join(folder, external.location))


def refusal(header: wire.Header, against: str) -> Outcome | None:
    """The outcome where the answer holds no outputs."""
    if "unsupported" in header:
        return Outcome(
            "skipped", f"{against}: {header['unsupported']}", cause=UNSUPPORTED
        )
    if "error" in header:
        return error_of(header)
    return None


def tapped(
    model: OnnxModel, taps: Sequence[OnnxTap], pruned: bool = False
) -> tuple[bytes, list[str]]:
    """The model with an output for each of ``taps``, and their names.

    With ``pruned`` they replace its own, and unneeded nodes are removed.
    """
    from onnx import ModelProto, ValueInfoProto

    proto = ModelProto()
    proto.CopyFrom(model.proto)
    graph = proto.graph
    used = {
        name
        for each in model.graphs
        for node in each.proto.node
        for name in node.output
    }
    names = (name for name in map(f"{_PREFIX}{{}}".format, count()) if name not in used)
    outputs = [
        _brought_out(graph, each, each.path, model.graphs[0].opset, names)
        for each in taps
    ]
    if pruned:
        needed = needed_values(graph, outputs)
        nodes = [
            node
            for node in graph.node
            if any(name in needed for name in node.output if name)
        ]
        own_outputs = [output for output in graph.output if output.name in outputs]
        for items, kept in ((graph.node, nodes), (graph.output, own_outputs)):
            del items[:]
            items.extend(kept)
    present = {item.name for item in graph.output}
    graph.output.extend(
        ValueInfoProto(name=name)
        for name in dict.fromkeys(outputs)
        if name not in present
    )
    folder = os.path.realpath(model.folder or os.curdir)
    common = folder_of(model)
    if common not in (None, folder):
        for tensor, external in _external(graphs(proto)):
            for entry in tensor.external_data:
                if (
                    entry.key == "location"
                ):  # below ``folder_of(model)``, not below the folder of the file
                    entry.value = os.path.relpath(_real_path(folder, external), common)
    return serialized(proto, model.path), outputs


def _brought_out(
    graph: Any,
    tap: OnnxTap,
    path: Sequence[tuple[int, str]],
    opset: int | None,
    names: Iterator[str],
) -> str:
    """The name of a value of ``graph`` that holds a value of its body at ``path``, as ``OnnxTap.depth`` says.

    A Loop and a Scan put the values of all iterations together. Of an If there is one, or none where the other branch
    runs.
    """
    if not path:
        return tap.name
    from onnx import TensorProto, helper

    node = graph.node[path[0][0]]
    inner = next(names)
    outer = next(names)
    bodies = {each.name: each.g for each in node.attribute if each.HasField("g")}
    body = bodies.pop(path[0][1])
    value = _brought_out(body, tap, path[1:], opset, names)
    if node.op_type == "If":
        if (opset or 0) < _AXES_ARE_INPUT:
            longer = helper.make_node("Unsqueeze", [value], [inner], axes=[0])
        else:
            front = helper.make_node("Constant", [], [next(names)], value_ints=[0])
            longer = helper.make_node("Unsqueeze", [value, front.output[0]], [inner])
            body.node.append(front)
        body.node.append(longer)
        (other,) = bodies.values()
        nothing = TensorProto(data_type=NUMBER_OF[tap.type_name], dims=[0])
        other.node.append(
            helper.make_node("Constant", [], [next(names)], value=nothing)
        )
        other.output.add().name = other.node[-1].output[0]
    else:
        body.node.append(helper.make_node("Identity", [value], [inner]))
        for each in node.attribute:
            if each.name in ("scan_output_axes", "scan_output_directions"):
                each.ints.append(0)
    body.output.add().name = inner
    node.output.append(outer)
    return outer


def needed_values(graph: Any, outputs: Sequence[str]) -> set[str]:
    """The values that the ``outputs`` are made from, they included."""
    makers = {name: node for node in graph.node for name in node.output if name}
    return set(
        reached(
            outputs, lambda name: names_read(makers[name]) if name in makers else ()
        )
    )


def require_external_data(model: OnnxModel) -> None:
    """Raise Skip unless all external data are there, and below the folder of the model."""
    for tensor in model.tensors():
        try:
            require(tensor, model.beside)
        except TensorError as error:
            if error.kind == "values":
                continue  # what the runtime says of it is the outcome
            raise Skip(
                f"the external data of {tensor.name!r} cannot be had: {error}"
            ) from None
