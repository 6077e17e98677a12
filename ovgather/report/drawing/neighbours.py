"""A layer of an IR between the layers that feed it and those that it feeds, as text."""

from collections.abc import Iterator

from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.reference import called, reference
from ovgather.layers.tensors import Tensor, input_tensor, output_tensor
from ovgather.text import printable, width

_NAMES = ("data", "indices", "axis")


def draw(model: Model, name: str) -> str:
    """The layer ``name`` of any kind, its producers above and its consumers below; InvalidModelError if there is none.

    Shapes and types are the declared ones.
    """
    layer = model.find(name)
    above = [_input(layer, index) for index in range(len(layer.inputs))]
    wide = max((width(text) for text, _ in above), default=0)
    lines = [
        f"{text}{' ' * (wide - width(text))} ─ {label:─<8}{'┤' if index else '┐'}"
        for index, (text, label) in enumerate(above)
    ]
    lines += [f"{' ' * (wide + 11)}▼"] * bool(above)
    below = list(_outputs(layer))
    lines += [
        called(reference(layer)),
        *(f"├─▶ {text}" for text in below[:-1]),
        *(f"└─▶ {text}" for text in below[-1:]),
    ]
    return "\n".join(lines) + "\n"


def _input(layer: Layer, index: int) -> tuple[str, str]:
    source = layer.producer(index)
    label = f"{_NAMES[index] if layer.type.lower().startswith('gather') and index < 3 else index} "
    if source is None:
        return f"nothing feeds this: {_words(input_tensor(layer, index))}", label
    producer, output = source
    which = f", output {output}" if len(producer.outputs) > 1 else ""
    return f"{called(reference(producer))}{which}: {_words(output_tensor(producer, output))}", label


def _outputs(layer: Layer) -> Iterator[str]:
    for index, port in enumerate(layer.outputs):
        fed = [edge for edge in layer.graph.edges if edge[:2] == (layer.id, port.id)]
        shape = _words(output_tensor(layer, index))
        for edge in fed:
            consumer = layer.graph.by_id.get(edge.to_layer)
            if consumer is not None:
                place = next((at for at, each in enumerate(consumer.inputs) if each.id == edge.to_port), "?")
                yield f"{shape} to input {place} of {called(reference(consumer))}"
        if not fed:
            yield f"{shape} to nothing"


def _words(tensor: Tensor) -> str:
    return printable(f"{tensor.element_type or '?'} {tensor.shape}")
