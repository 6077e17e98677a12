"""A layer of an IR, or a node of an ONNX file, between those that feed it and those that it feeds, as text."""

from collections.abc import Iterator, Sequence
from typing import Any

from ovgather.errors import InvalidModelError
from ovgather.forward.run import forward_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.layers.onnx_node import Candidate, find, infer_values
from ovgather.layers.reference import LayerReference, called, key_of, reference
from ovgather.layers.tensors import PortTensor, output_tensor, port_tensor
from ovgather.onnx_file.graphs import OnnxGraph, Value, Values, node_name
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops import onnx
from ovgather.report.json_text import JsonObject
from ovgather.text import count, printable, width

_NAMES = ("data", "indices", "axis")


def draw(model: AnyModel, name: str) -> str:
    """The layer or node ``name`` of any kind, its producers above and its consumers below.

    Shapes and types are the declared ones, of ONNX also those that onnx infers. InvalidModelError: it is not exactly
    one.
    """
    if isinstance(model, Model):
        return around(model.find(name))
    return _of_onnx(model, name)


def page(model: AnyModel, name: str, command: Sequence[str] = ()) -> str:
    """The layer ``name`` on a page, from which a reader walks through the whole model."""
    from ovgather.report import page as pages
    from ovgather.report.drawing.graph import graph

    if not isinstance(model, Model):
        raise InvalidModelError(
            f"{model.path}: a page shows the layers of an IR; ONNX nodes are drawn as text"
        )
    layer = model.find(name)
    layers = list(model.layers())
    nodes = graph(model, layers, {}, forward_of(model))
    deviating = {
        key
        for key, node in nodes.items()
        if any(port["differs"] for port in _ports(node))
    }
    records = [
        pages.PageRecord(
            "contradicts" if key_of(each) in deviating else "fits",
            [called(reference(each)), each.type, nodes[key_of(each)]["about"]],
            [pages.graph("Around the layer", "model", key_of(each))],
        )
        for each in [layer, *(other for other in layers if other is not layer)]
    ]
    statuses = {"contradicts": "known", "fits": "good"}
    view = pages.View(
        "Layers", "layer", ["Layer", "Type", "Line and attributes"], statuses, records
    )
    verdict = "Ports and inferred shapes agree"
    kind = "good"
    if deviating:
        verdict = f"{count(len(deviating), 'layer')} with ports that contradict what is inferred"
        kind = "known"
    first = [pages.graph("", "model", key_of(layer))]
    words = f"{model.path}, {count(len(layers), 'layer')}"
    title = called(reference(layer))
    return pages.render(
        pages.HtmlPage(
            title,
            verdict,
            kind,
            words,
            [view],
            command,
            graphs={"model": nodes},
            first=first,
        )
    )


def _ports(node: JsonObject) -> Iterator[JsonObject]:
    yield from (*node.get("inputs", ()), *node.get("outputs", ()))


def around(layer: Layer) -> str:
    above = [_producer(layer, index) for index in range(len(layer.inputs))]
    return _drawn(layer.type, above, called(reference(layer)), list(_consumers(layer)))


def _drawn(type: str, above: Sequence[str], title: str, below: Sequence[str]) -> str:
    wide = max(map(width, above), default=0)
    lines = []
    for index, text in enumerate(above):
        label = f"{_NAMES[index] if type.lower().startswith('gather') and index < 3 else index} "
        lines.append(
            f"{text}{' ' * (wide - width(text))} ─ {label:─<8}{'┤' if index else '┐'}"
        )
    lines += [f"{' ' * (wide + 11)}▼"] * bool(above)
    lines += [
        title,
        *(f"├─▶ {text}" for text in below[:-1]),
        *(f"└─▶ {text}" for text in below[-1:]),
    ]
    return "\n".join(lines) + "\n"


def _producer(layer: Layer, index: int) -> str:
    source = layer.producer(index)
    if source is None:
        return f"nothing feeds this: {_words(port_tensor(layer.inputs[index]))}"
    producer, output = source
    which = ""
    if len(producer.outputs) > 1:
        which = f", output {output}"
    return f"{called(reference(producer))}{which}: {_words(output_tensor(producer, output))}"


def _consumers(layer: Layer) -> Iterator[str]:
    for index in range(len(layer.outputs)):
        places = [
            f"input {place} of {called(reference(consumer))}"
            for consumer, place in layer.consumers(index)
        ]
        shape = _words(output_tensor(layer, index))
        yield from [f"{shape} to {place}" for place in places or ["nothing"]]


def _words(tensor: PortTensor | Value) -> str:
    return printable(f"{tensor.element_type or '?'} {tensor.shape}")


# -- ONNX -----------------------------------------------------------------------------------------------------------


def _of_onnx(model: OnnxModel, name: str) -> str:
    nodes = [
        Candidate(_reference(graph, node, place), node.output, (values, node))
        for graph, values in model.scopes
        for place, node in enumerate(graph.proto.node)
    ]
    values, node = find(model, name, nodes, "node")
    if any(map(values.is_open, (*node.input, *node.output))):
        infer_values(model)
    above = [_maker(values, read) for read in node.input]
    below = [
        text
        for output in filter(None, node.output)
        for text in _takers(model, values, output)
    ]
    return _drawn(node.op_type, above, _called(values.graph, node), below)


def _reference(graph: OnnxGraph, node: Any, place: int) -> LayerReference:
    return LayerReference(
        str(place),
        node_name(node, place),
        node.op_type,
        f"ai.onnx:{graph.opset}",
        graph.path,
    )


def _called(graph: OnnxGraph, node: Any) -> str:
    known = None
    if not node.domain and graph.opset is not None:
        known = onnx.find(node.op_type, graph.opset)
    reference = _reference(graph, node, 0)
    return called(
        reference,
        known.name if known else f"{node.op_type} ({node.domain or reference.version})",
    )


def _maker(values: Values, name: str) -> str:
    if not name:
        return "left out"
    words, (owner, name) = _words(values.find(name)), values.owner(name)
    if owner is None:
        source = "nothing feeds this"
    elif (maker := owner.makers.get(name)) is not None:
        which = ""
        if len(maker.output) > 1:
            which = f", output {[*maker.output].index(name)}"
        source = f"{_called(owner.graph, maker)}{which}"
    else:
        source = f'{"initializer" if name in owner.tensors else "input"} "{name}"'
    return f"{printable(source)}: {words}"


def _takers(model: OnnxModel, values: Values, name: str) -> Iterator[str]:
    """The inputs that take the value ``name``, in graphs inside too, and the outputs of the graph that it is."""
    graph = values.graph
    takers = [
        f"input {place} of {_called(inner, node)}"
        for inner, around in model.scopes
        for node in inner.proto.node
        for place, read in enumerate(node.input)
        if read == name and around.owner(name) == (values, name)
    ]
    outputs = (
        output if graph.is_function else output.name for output in graph.proto.output
    )
    takers += [f'output "{output}"' for output in outputs if output == name]
    for taker in takers or ["nothing"]:
        yield f"{_words(values.find(name))} to {printable(taker)}"
