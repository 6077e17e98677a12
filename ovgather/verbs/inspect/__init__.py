"""A file -> what it is: its version, who wrote it, which releases read it, what goes in and out, its weights."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from ovgather.ir.constants import constant
from ovgather.ir.encoding import describe
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.layers.reference import reference
from ovgather.onnx_file.source import is_onnx
from ovgather.targets.needs import needs, readers
from ovgather.targets.owners import owner
from ovgather.targets.release import find
from ovgather.validation.check import problem_of
from ovgather.verbs.inspect.records import Foreign, Inspected, Opset, Origin, Readers, Tensor, Weights, most_first
from ovgather.verbs.show import listing

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


def inspect(path: str, weights: str | None = None) -> Inspected:
    """What the file at ``path`` is; one that cannot be read has an ``error``, and what it seems to be.

    Raises:
        UnavailableError: it is an ONNX file, and onnx is not installed.

    >>> file = inspect("samples_xml/demo/good.xml")
    >>> file.version, file.readers.since, file.inputs[0].name
    (11, '2023.0', 'token_ids')
    """
    if is_onnx(path):
        head = b""
        with suppress(OSError), open(path, "rb") as file:
            head = file.read(_HEAD)
        what = describe(head) if head and not head.startswith(b"\x08") else None
        if what is not None:
            return Inspected(path, "unknown", f"no ONNX model: it is {what}")
        from ovgather.verbs.inspect.onnx import inspect_onnx

        return inspect_onnx(path)
    model = read(path, weights)
    problem = problem_of(model)
    return _inspect_ir(model) if problem is None else Inspected(path, "unknown", problem)


def _inspect_ir(model: Model) -> Inspected:
    layers = list(model.layers())
    values = {name.decode(): value.decode("utf-8", "replace") for name, value in _VALUE.findall(model.source.data)}
    producer = tuple((name, values[key]) for key, name in _PRODUCERS if key in values)
    types = Counter((layer.type, layer.version) for layer in layers)
    owners = [(type, number, owner(type, version)) for (type, version), number in types.items()]
    built = next((find(version) for name, version in producer if name in ("OpenVINO", "Model Optimizer")), None)
    return Inspected(
        model.path,
        "IR",
        version=model.ir_version,
        producer=producer,
        release=str(built) if built is not None else None,
        readers=_readers(model),
        opsets=tuple(_opsets(layers, model)),
        foreign=tuple(Foreign(type, number, of.name, of.load) for type, number, of in owners if of is not None),
        layers=len(layers),
        operations=most_first(Counter(f"{layer.type} {layer.version}".strip() for layer in layers)),
        inputs=tuple(_tensors(model, "Parameter")),
        outputs=tuple(_tensors(model, "Result")),
        dynamic=tuple(islice(_origins(layers), _MOST_ORIGINS)),
        weights=weights_of(model),
        element_types=most_first(
            Counter(port.precision for layer in layers for port in layer.outputs if port.precision)
        ),
        gathers=tuple(listing(model)),
    )


def weights_of(model: Model) -> Weights:
    """What there is of the ``.bin`` of ``model``, and how much of it is needed."""
    end = 0
    for layer in model.layers():
        if (const := constant(layer, None)) is not None:
            end = max(end, const.offset + const.size)
    if model.weights is not None:
        size = model.weights.size
        return Weights(model.weights_path, size, end, "present" if size >= end else "too short")
    if (unused := model.unused_weights) is not None:
        return Weights(
            model.weights_path, os.path.getsize(model.weights_path) if model.weights_path else None, end, unused
        )
    return Weights(None, None, end, "absent" if end else "not needed")


def _readers(model: Model) -> Readers | None:
    releases = readers(model)
    if releases is None:
        return None
    need, name = releases.highest, releases.highest.reading.name
    if need.kind == "ir":
        reason = f"IR version {name}"
    elif need.kind == "opset":
        reason = f"{need.layers[0].type} {name} (layer {need.layers[0].id})"
    else:
        reason = f"element type {name} (layer {need.layers[0].id}, {need.layers[0].type})"
    return Readers(str(releases.since), None if releases.until is None else str(releases.until), reason)


def _opsets(layers: list[Layer], model: Model) -> Iterator[Opset]:
    types: dict[str, Counter[str]] = {}
    for layer in layers:
        types.setdefault(layer.version, Counter())[layer.type] += 1
    since = {need.reading.name: str(need.reading.since) for need in needs(model)}
    for name in sorted(types, key=lambda name: (len(name), name)):
        yield Opset(name, types[name].total(), tuple(type for type, _ in most_first(types[name])), since.get(name))


def _tensors(model: Model, type: str) -> Iterator[Tensor]:
    for layer in model.graph.layers:
        if layer.type != type:
            continue
        if type == "Parameter":
            shape = layer.data.get("shape")
            shape = _dims(layer.outputs[0].dims) if shape is None and layer.outputs else f"[{shape or ''}]"
            yield Tensor(layer.name, shape, layer.data.get("element_type", "?"))
        else:
            source = layer.producer(0)
            if source is None:
                yield Tensor(layer.name, "?", "?")
                continue
            port = source[0].outputs[source[1]]
            names = model.tensor_names(*source)
            yield Tensor(names[0] if names else source[0].name, _dims(port.dims), port.precision or "?")


def _dims(dims: tuple[int, ...]) -> str:
    return f"[{','.join('?' if dim < 0 else str(dim) for dim in dims)}]"


def _origins(layers: list[Layer]) -> Iterator[Origin]:
    """The layers whose outputs have dynamic dims while their inputs have none."""
    for layer in layers:
        dynamic = [port for port in layer.outputs if -1 in port.dims]
        if dynamic and not any(-1 in port.dims for port in layer.inputs):
            yield Origin(reference(layer), _dims(dynamic[0].dims))
