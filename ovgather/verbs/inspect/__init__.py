"""A file -> what it is: its version, who wrote it, which releases read it, what goes in and out, its weights."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from ovgather.files.side import open_input
from ovgather.ir.constants import constant
from ovgather.ir.encoding import describe
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.read import WeightsOrData, path_of
from ovgather.layers.formats import AnySource, read
from ovgather.layers.reference import LayerReference, reference
from ovgather.onnx_file.source import is_onnx
from ovgather.processes import is_installed
from ovgather.targets.needs import needs, readers
from ovgather.targets.owners import owner
from ovgather.targets.release import find
from ovgather.tensor.guard import guarded
from ovgather.tensor.onnx_types import NUMBERS, OPENVINO
from ovgather.validation.check import problem_of
from ovgather.verbs.inspect.records import (
    DynamicOrigin,
    Foreign,
    Inspected,
    Opset,
    TensorSummary,
    WeightsSummary,
    most_first,
)
from ovgather.verbs.inspect.weights import stored_weights
from ovgather.verbs.show import listing

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel

_PRODUCERS = (
    ("Runtime_version", "OpenVINO"),
    ("MO_version", "Model Optimizer"),
    ("IE_version", "Inference Engine"),
    ("optimum_intel_version", "optimum-intel"),
    ("nncf_version", "NNCF"),
    ("openvino_tokenizers_version", "openvino_tokenizers"),
)
_KEYS = "|".join(key for key, _ in _PRODUCERS).encode()
_VALUE = re.compile(rb'<(?:info\s+name=")?(' + _KEYS + rb')"?\s+value="([^"]{1,200})"')
_MOST_ORIGINS = 1000
_HEAD = 512


@guarded
def inspect(
    source: AnySource,
    *,
    weights: WeightsOrData | None = None,
    follow_links: bool = False,
) -> Inspected:
    """What a file or model is; one that cannot be read has an ``error``, and what it seems to be.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.

    Raises:
        UnavailableError: it is an ONNX file, and onnx is not installed.

    >>> file = inspect("samples_xml/demo/good.xml")
    >>> file.version, str(file.readers.since), file.inputs[0].name
    (11, '2023.0', 'token_ids')
    """
    path = path_of(source)
    if is_onnx(path) and isinstance(source, (str, os.PathLike)):
        head = b""
        with suppress(OSError), open_input(path) as file:
            head = file.read(_HEAD)
        what = None
        if head and not head.startswith(b"\x08"):
            what = describe(head)
        if what is not None and (
            not is_installed("onnx") or problem_of(read(path, weights)) is not None
        ):
            return Inspected(path, "unknown", f"no ONNX model: it is {what}")
    model = read(source, weights, follow_links=follow_links)
    path = model.path
    if (problem := problem_of(model)) is not None:
        return Inspected(path, "unknown", problem)
    if isinstance(model, Model):
        return _inspect_ir(model)
    return _inspect_onnx(model)


def _inspect_ir(model: Model) -> Inspected:
    layers = list(model.layers())
    values = {
        name.decode(): value.decode("utf-8", "replace")
        for name, value in _VALUE.findall(model.source.data)
    }
    producer = tuple((name, values[key]) for key, name in _PRODUCERS if key in values)
    types = Counter((layer.type, layer.version) for layer in layers)
    compressed, tables = stored_weights(model)
    owners = [
        (type, number, owner(type, version))
        for (type, version), number in types.items()
    ]
    built = next(
        (
            find(version)
            for name, version in producer
            if name in ("OpenVINO", "Model Optimizer")
        ),
        None,
    )
    return Inspected(
        model.path,
        "IR",
        version=model.ir_version,
        producer=producer,
        release=str(built) if built is not None else None,
        readers=readers(model),
        opsets=tuple(_opsets(layers, model)),
        foreign=tuple(
            Foreign(type, number, of.name, of.load)
            for type, number, of in owners
            if of is not None
        ),
        layers=len(layers),
        operations=most_first(
            Counter(f"{layer.type} {layer.version}".strip() for layer in layers)
        ),
        inputs=tuple(
            _input(layer) for layer in model.graph.layers if layer.type == "Parameter"
        ),
        outputs=tuple(
            _output(model, layer)
            for layer in model.graph.layers
            if layer.type == "Result"
        ),
        dynamic=tuple(islice(origins(model), _MOST_ORIGINS)),
        weights=weights_of(model),
        element_types=most_first(
            Counter(
                port.precision
                for layer in layers
                for port in layer.outputs
                if port.precision
            )
        ),
        gathers=tuple(listing(model)),
        compressed=compressed,
        tables=tables,
    )


def weights_of(model: Model) -> WeightsSummary:
    """What there is of the ``.bin`` of ``model``, and how much of it is needed."""
    constants = filter(None, (constant(layer, None) for layer in model.layers()))
    end = max((const.offset + const.size for const in constants), default=0)
    path = model.weights_path
    if model.weights is not None:
        size = model.weights.size
        return WeightsSummary(
            path, size, end, "present" if size >= end else "too short"
        )
    if (unused := model.unused_weights) is not None:
        there = os.path.getsize(path) if path and os.path.exists(path) else None
        return WeightsSummary(path, there, end, unused)
    return WeightsSummary(None, None, end, "absent" if end else "not needed")


def _opsets(layers: list[Layer], model: Model) -> Iterator[Opset]:
    types: dict[str, Counter[str]] = {}
    for layer in layers:
        types.setdefault(layer.version, Counter())[layer.type] += 1
    since = {need.reading.name: str(need.reading.since) for need in needs(model)}
    for name in sorted(types, key=lambda name: (len(name), name)):
        yield Opset(
            name,
            types[name].total(),
            tuple(type for type, _ in most_first(types[name])),
            since.get(name),
        )


def _input(layer: Layer) -> TensorSummary:
    shape = layer.data.get("shape")
    if shape is None and layer.outputs:
        shape = _dims(layer.outputs[0].dims)
    else:
        shape = f"[{shape or ''}]"
    return TensorSummary(layer.name, shape, layer.data.get("element_type", "?"))


def _output(model: Model, layer: Layer) -> TensorSummary:
    if (source := layer.producer(0)) is None:
        return TensorSummary(layer.name, "?", "?")
    port = source[0].outputs[source[1]]
    names = model.tensor_names(*source)
    return TensorSummary(
        names[0] if names else source[0].name, _dims(port.dims), port.precision or "?"
    )


def _dims(dims: tuple[int, ...]) -> str:
    return f"[{','.join('?' if dim < 0 else str(dim) for dim in dims)}]"


def origins(model: Model) -> Iterator[DynamicOrigin]:
    """The layers whose outputs have dynamic dims while their inputs have none."""
    for layer in model.layers():
        dynamic = [port for port in layer.outputs if -1 in port.dims]
        if dynamic and not any(-1 in port.dims for port in layer.inputs):
            yield DynamicOrigin(reference(layer), _dims(dynamic[0].dims))


# -- ONNX -------------------------------------------------------------------------------------------------------------


def _inspect_onnx(model: OnnxModel) -> Inspected:
    proto, (graph, values) = model.proto, model.scopes[0]
    nodes = [node for graph in model.graphs for node in graph.proto.node]
    domains = Counter(node.domain or "ai.onnx" for node in nodes)
    imported = [(item.domain or "ai.onnx", item.version) for item in proto.opset_import]
    producer = (str(proto.producer_name), str(proto.producer_version))

    def tensor(name: str) -> TensorSummary:
        value = values.find(name)
        return TensorSummary(name, str(value.shape), value.element_type or "?")

    inputs = tuple(tensor(item.name) for item in model.inputs)
    compressed, tables = stored_weights(model)
    # Where dynamic dims of a node begin, the file does not say.
    dynamic = [item for item in inputs if "?" in item.shape or ".." in item.shape]
    return Inspected(
        model.path,
        "ONNX",
        version=int(proto.ir_version),
        producer=(producer,) if any(producer) else (),
        opsets=tuple(
            Opset(f"{domain} {number}", domains[domain], (), None)
            for domain, number in imported
        ),
        layers=len(nodes),
        operations=most_first(
            Counter(f"{node.domain}.{node.op_type}".lstrip(".") for node in nodes)
        ),
        inputs=inputs,
        outputs=tuple(tensor(item.name) for item in graph.proto.output),
        dynamic=tuple(
            DynamicOrigin(LayerReference("", item.name, "input", "", ()), item.shape)
            for item in dynamic
        ),
        element_types=most_first(
            Counter(_type_name(tensor.data_type) for tensor in model.tensors())
        ),
        gathers=tuple(listing(model)),
        compressed=compressed,
        tables=tables,
    )


def _type_name(number: int) -> str:
    name = NUMBERS.get(number, str(number) if number else "undefined")
    element_type = OPENVINO.get(name)
    if element_type is not None:
        return element_type.name
    return name
