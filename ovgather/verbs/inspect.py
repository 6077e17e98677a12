"""A file -> what it is: its version, who wrote it, which releases read it, what goes in and out, its weights."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir.constants import constant
from ovgather.ir.encoding import describe
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.layers.reference import LayerReference, called, reference
from ovgather.onnx_file.source import is_onnx
from ovgather.targets.needs import needs, readers
from ovgather.targets.release import find
from ovgather.text import count
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
_HEAD = 512
_MOST_ORIGINS = 1000


class Tensor(NamedTuple):
    """An input or output: its name, shape and element type, as the file declares them."""

    name: str
    shape: str
    element_type: str


class Weights(NamedTuple):
    """The ``.bin``: its path, its size, how much the file asks for, and its state in words.

    ``state`` is ``present``, ``absent``, ``too short``, ``not needed``, or what it is instead of weights.
    """

    path: str | None
    size: int | None
    needed: int
    state: str

    @property
    def words(self) -> str:
        """The same in a sentence."""
        if self.state in ("absent", "not needed") or self.size is None:
            needed = f": {self.needed} bytes are needed" if self.needed else ""
            return f"weights: {self.state}{needed}"
        return f"weights: {self.path}: {self.state}, {self.size} bytes, {self.needed} needed"


class Origin(NamedTuple):
    """A layer where dims become dynamic: its inputs have none, its output has."""

    layer: LayerReference
    shape: str


class Readers(NamedTuple):
    """Which releases read the file, and the layer that asks for the latest."""

    since: str
    until: str | None
    reason: str


class Opset(NamedTuple):
    """An opset, how many layers ask for it, the types they have, and the release that reads it first."""

    name: str
    layers: int
    types: tuple[str, ...]
    since: str | None


class Inspected(NamedTuple):
    """What a file is; ``error`` where it cannot be read. Of an ONNX file ``version`` is that of its format."""

    path: str
    format: str
    error: str = ""
    version: int | None = None
    producer: tuple[tuple[str, str], ...] = ()
    release: str | None = None
    readers: Readers | None = None
    opsets: tuple[Opset, ...] = ()
    layers: int = 0
    operations: tuple[tuple[str, int], ...] = ()
    inputs: tuple[Tensor, ...] = ()
    outputs: tuple[Tensor, ...] = ()
    dynamic: tuple[Origin, ...] = ()
    weights: Weights | None = None
    element_types: tuple[tuple[str, int], ...] = ()
    gathers: tuple[tuple[str, str], ...] = ()


def inspect(path: str, weights: str | None = None) -> Inspected:
    """What the file at ``path`` is; one that cannot be read has an ``error``, and what it seems to be.

    Raises:
        UnavailableError: it is an ONNX file, and onnx is not installed.

    >>> found = inspect("samples_xml/demo/good.xml")
    >>> found.version, found.readers.since, found.inputs[0].name
    (11, '2022.1', 'token_ids')
    """
    if is_onnx(path):
        head = _head(path)
        what = describe(head) if head and not head.startswith(b"\x08") else None
        if what is not None:
            return Inspected(path, "unknown", f"no ONNX model: it is {what}")
        from ovgather.verbs.inspect_onnx import inspect_onnx

        return inspect_onnx(path)
    model = read(path, weights)
    if model.fatal:
        from ovgather.validation.check import why_unreadable

        return Inspected(path, "unknown", why_unreadable(model))
    return _of_model(model)


def _of_model(model: Model) -> Inspected:
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
        layers=len(layers),
        operations=_most(Counter(f"{layer.type} {layer.version}".strip() for layer in layers)),
        inputs=tuple(_tensors(model, "Parameter")),
        outputs=tuple(_tensors(model, "Result")),
        dynamic=tuple(_origins(layers)),
        weights=weights_of(model),
        element_types=_most(Counter(port.precision for layer in layers for port in layer.outputs if port.precision)),
        gathers=tuple(listing(model)),
    )


def weights_of(model: Model) -> Weights:
    """What there is of the ``.bin`` of ``model``, and how much of it is needed."""
    needed = 0
    for layer in model.layers():
        if (held := constant(layer, None)) is not None:
            needed = max(needed, held.offset + held.size)
    if model.weights is None:
        if (unused := model.unused_weights) is not None:
            size = os.path.getsize(model.weights_path) if model.weights_path else None
            return Weights(model.weights_path, size, needed, unused)
        return Weights(None, None, needed, "absent" if needed else "not needed")
    size = model.weights.size
    return Weights(model.weights_path, size, needed, "present" if size >= needed else "too short")


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def _producer(data: bytes) -> Iterator[tuple[str, str]]:
    """Who wrote the file, by its ``<rt_info>`` or ``<meta_data>``."""
    told = {name.decode(): value.decode("utf-8", "replace") for name, value in _VALUE.findall(data)}
    for key, name in _PRODUCERS:
        if key in told:
            yield name, told[key]


def _readers(model: Model) -> Readers | None:
    found = readers(model)
    if found is None:
        return None
    need = found.highest
    if need.kind == "ir":
        reason = f"IR version {need.reading.name}"
    else:
        layer = need.layers[0]
        reason = f"{layer.type} {need.reading.name} (layer {layer.id})"
        reason = reason if need.kind == "opset" else f"element type {need.reading.name} (layer {layer.id}, {layer.type})"
    return Readers(str(found.since), None if found.until is None else str(found.until), reason)


def _opsets(layers: list[Layer], model: Model) -> Iterator[Opset]:
    types: dict[str, Counter[str]] = {}
    for layer in layers:
        types.setdefault(layer.version, Counter())[layer.type] += 1
    since = {need.reading.name: str(need.reading.since) for need in needs(model)}
    for name in sorted(types, key=lambda name: (len(name), name)):
        yield Opset(name, types[name].total(), tuple(type for type, _ in _most(types[name])), since.get(name))


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
    found = 0
    for layer in layers:
        dynamic = [port for port in layer.outputs if -1 in port.dims]
        if dynamic and not any(-1 in port.dims for port in layer.inputs):
            if found == _MOST_ORIGINS:
                return
            found += 1
            yield Origin(reference(layer), _dims(dynamic[0].dims))


def _most(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


class Difference(NamedTuple):
    """A line that two files differ in: what it is of, and what each says (empty: nothing)."""

    what: str
    left: str
    right: str


def differences(left: Inspected, right: Inspected) -> list[Difference]:
    """What two files differ in, line by line of what they are.

    >>> one = inspect("samples_xml/demo/good.xml")
    >>> differences(one, one)
    []
    """
    sides = dict(_lines(left)), dict(_lines(right))
    names = [*sides[0], *(name for name in sides[1] if name not in sides[0])]
    both = ((name, sides[0].get(name, ""), sides[1].get(name, "")) for name in names)
    return [Difference(*entry) for entry in both if entry[1] != entry[2]]


def _lines(file: Inspected) -> Iterator[tuple[str, str]]:
    yield "format", file.format
    yield "version", str(file.version)
    for name, version in file.producer:
        yield f"written by {name}", version
    if file.readers is not None:
        yield "read since", f"{file.readers.since} ({file.readers.reason})"
    yield "layers", str(file.layers)
    for operation, number in file.operations:
        yield f"layers {operation}", str(number)
    for side, tensors in (("input", file.inputs), ("output", file.outputs)):
        for tensor in tensors:
            yield f"{side} {tensor.name}", f"{tensor.shape} {tensor.element_type}"
    for origin in file.dynamic:
        yield f"dynamic from {called(origin.layer)}", origin.shape
    if file.weights is not None:
        yield "weights", f"{file.weights.state}, {count(file.weights.needed, 'byte')} needed"
    for name, number in file.element_types:
        yield f"tensors {name}", str(number)
    for name, facts in file.gathers:
        yield name, facts
