"""An IR -> what it is."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.reference import reference
from ovgather.targets.needs import needs, readers
from ovgather.targets.owners import owner
from ovgather.targets.release import find
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


def inspect_ir(model: Model) -> Inspected:
    """What an IR is."""
    layers = list(model.layers())
    producer = tuple(_producer(model.source.data))
    built = next((find(version) for name, version in producer if name in ("OpenVINO", "Model Optimizer")), None)
    return Inspected(
        model.path,
        "IR",
        version=model.ir_version,
        producer=producer,
        release=str(built) if built is not None else None,
        readers=_readers(model),
        opsets=tuple(_opsets(layers, model)),
        foreign=tuple(_foreign(layers)),
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
    if model.weights is None:
        if (unused := model.unused_weights) is not None:
            size = os.path.getsize(model.weights_path) if model.weights_path else None
            return Weights(model.weights_path, size, end, unused)
        return Weights(None, None, end, "absent" if end else "not needed")
    size = model.weights.size
    return Weights(model.weights_path, size, end, "present" if size >= end else "too short")


def _producer(data: bytes) -> Iterator[tuple[str, str]]:
    """Who wrote the file, by its ``<rt_info>`` or ``<meta_data>``."""
    values = {name.decode(): value.decode("utf-8", "replace") for name, value in _VALUE.findall(data)}
    yield from ((name, values[key]) for key, name in _PRODUCERS if key in values)


def _readers(model: Model) -> Readers | None:
    releases = readers(model)
    if releases is None:
        return None
    need = releases.highest
    reason, name = f"IR version {need.reading.name}", need.reading.name
    if need.kind != "ir":
        layer = need.layers[0]
        reason = f"element type {name} (layer {layer.id}, {layer.type})"
        if need.kind == "opset":
            reason = f"{layer.type} {name} (layer {layer.id})"
    return Readers(str(releases.since), None if releases.until is None else str(releases.until), reason)


def _opsets(layers: list[Layer], model: Model) -> Iterator[Opset]:
    types: dict[str, Counter[str]] = {}
    for layer in layers:
        types.setdefault(layer.version, Counter())[layer.type] += 1
    since = {need.reading.name: str(need.reading.since) for need in needs(model)}
    for name in sorted(types, key=lambda name: (len(name), name)):
        yield Opset(name, types[name].total(), tuple(type for type, _ in most_first(types[name])), since.get(name))


def _foreign(layers: list[Layer]) -> Iterator[Foreign]:
    """The layers that no opset has."""
    counted = Counter((layer.type, layer.version) for layer in layers)
    for (type, version), number in counted.items():
        if (brings := owner(type, version)) is not None:
            yield Foreign(type, number, brings.name, brings.load)


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
