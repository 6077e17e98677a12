"""Layers of an IR with what flows between them, as data that a page draws and a reader walks through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from ovgather.errors import InvalidModelError
from ovgather.forward.run import Forward, forward_of
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.layers.reference import called, key_of, reference
from ovgather.layers.tensors import (
    PortTensor,
    computed_tensor,
    output_tensor,
    port_tensor,
)
from ovgather.report.json_text import JsonObject
from ovgather.tensor.interval import UNKNOWN, Interval
from ovgather.text import count

_MOST_CONSUMERS = 12
_MOST_VALUES = 8
_MOST_READ = 1 << 16
"""Bytes of a constant that are read for its first values."""
_STEPS = 2
_MOST_LAYERS = 60
_MOST_FINDINGS, _MOST_FILES = 50, 100
"""Of a file, and of a report, that have a picture."""
_GATHER_INPUTS = ("data", "indices", "axis")


def graphs(
    findings: Mapping[str, Mapping[str, list[str]]],
    read: Callable[[str], AnyModel],
    infer: Callable[[Model], Forward] = forward_of,
) -> dict[str, JsonObject]:
    """The graph about the layers of each path that have ``findings``, by their keys, as far as they can be found."""
    drawn = {}
    for path, by_layer in islice(findings.items(), _MOST_FILES):
        model = read(path)
        if isinstance(model, Model) and not model.fatal:
            drawn[path] = graph(model, near(model, by_layer), by_layer, infer(model))
    return drawn


def near(model: Model, keys: Iterable[str]) -> list[Layer]:
    """The layers with these keys, and those a few steps about each."""
    layers: dict[str, Layer] = {}
    for key in islice(keys, _MOST_FINDINGS):
        with suppress(InvalidModelError):
            layer = model.find(key)
            about = {key: layer}
            pending = [layer]
            for _ in range(_STEPS):
                pending = [
                    other
                    for each in pending
                    for other in _neighbours(each)
                    if key_of(other) not in about
                ]
                about.update(
                    (key_of(other), other)
                    for other in pending[: _MOST_LAYERS - len(about)]
                )
            layers |= about
    return list(layers.values())


def graph(
    model: Model,
    layers: Iterable[Layer],
    findings: Mapping[str, list[str]],
    forward: Forward,
) -> JsonObject:
    """``layers`` by their keys, with their ports, and the names of the layers beside them."""
    nodes: JsonObject = {}
    for layer in layers:
        for other in _neighbours(layer):
            nodes.setdefault(key_of(other), _named(model, other))
        key = key_of(layer)
        outputs = [
            _output(model, forward, layer, index) for index in range(len(layer.outputs))
        ]
        nodes[key] = {
            **_named(model, layer),
            "inputs": _inputs(model, forward, layer),
            "outputs": outputs,
        }
        if key in findings:
            nodes[key]["findings"] = findings[key]
    return nodes


def _named(model: Model, layer: Layer) -> JsonObject:
    attributes = ", ".join(f"{name}={value}" for name, value in layer.data.items())[
        :160
    ]
    if model.has_lines:
        line = f"line {model.source.position(layer.offset)[0]}"
    else:
        line = ""
    return {
        "name": called(reference(layer)),
        "about": " · ".join(filter(None, (line, attributes))),
    }


def _neighbours(layer: Layer) -> Iterator[Layer]:
    producers = (layer.producer(index) for index in range(len(layer.inputs)))
    yield from (source[0] for source in producers if source is not None)
    for index in range(len(layer.outputs)):
        yield from _consumers(layer, index)[:_MOST_CONSUMERS]


def _consumers(layer: Layer, index: int) -> list[Layer]:
    """The layers that take an output, each once."""
    return list(dict.fromkeys(consumer for consumer, _ in layer.consumers(index)))


def _inputs(model: Model, forward: Forward, layer: Layer) -> list[JsonObject]:
    names = _GATHER_INPUTS if layer.type.startswith("Gather") else ()
    ports = []
    for index, port in enumerate(layer.inputs):
        source = layer.producer(index)
        name = f"input {index}" + (f", {names[index]}" if index < len(names) else "")
        flow = _flow(model, forward, source, port_tensor(port))
        ports.append(
            {
                "port": name,
                "from": key_of(source[0]) if source is not None else None,
                **flow,
            }
        )
    return ports


def _output(model: Model, forward: Forward, layer: Layer, index: int) -> JsonObject:
    consumers = _consumers(layer, index)
    if len(consumers) > _MOST_CONSUMERS:
        more = [f"and {len(consumers) - _MOST_CONSUMERS} more"]
    else:
        more = []
    to = [*map(key_of, consumers[:_MOST_CONSUMERS]), *more]
    return {
        "port": f"output {index}",
        **_flow(model, forward, (layer, index), output_tensor(layer, index)),
        "to": to,
    }


def _flow(
    model: Model,
    forward: Forward,
    source: tuple[Layer, int] | None,
    declared: PortTensor,
) -> JsonObject:
    """What flows through a port, and what the port declares."""
    tensor = computed_tensor(forward, source)
    kind = str(declared.element_type or "?")
    flow: JsonObject = {
        "declared": f"{kind} {declared.shape}",
        "inferred": "",
        "differs": False,
    }
    if tensor is None or source is None:
        return flow
    shape = without_hidden_symbols(tensor.shape)
    flow["inferred"] = f"{tensor.element_type.replace('dynamic', '?')} {shape}"
    is_other_type = declared.element_type is not None and tensor.element_type not in (
        kind,
        "dynamic",
    )
    flow["differs"] = (
        declared.certain and not shape.compatible(declared.shape)
    ) or is_other_type
    if value := _value(model, source[0], tensor.value):
        flow["value"] = value
    return flow


def _value(model: Model, layer: Layer, known: Iterable[object] | None) -> str:
    """The first elements, where they are known, or those of a small Const."""
    const = constant(layer, model.weights)
    if known is None and const is not None and const.size <= _MOST_READ:
        array = const.array()
        known = None
        if array is not None:
            known = array.ravel().tolist()
    if known is None:
        return ""
    values = list(known)
    texts = list(map(_element, values[:_MOST_VALUES]))
    if len(values) > _MOST_VALUES:
        more = f", ... ({count(len(values), 'element')})"
    else:
        more = ""
    return ", ".join(texts) + more


def _element(value: object) -> str:
    if isinstance(value, Interval):
        low, high = ("" if end is None else end for end in (value.low, value.high))
        if value == UNKNOWN:
            return "?"
        return f"{low}..{high}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
