"""What ``openvino_tokenizer.xml`` says: the tensors that it gives, and the largest id in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.ir.constants import constant
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.read import read

_VOCABULARY = 5
"""The input with where each text of the vocabulary begins, behind those of the ragged texts that are split."""


class ExportedTokenizer(NamedTuple):
    """A tokenizer as an IR.

    Attributes:
        outputs: the names of the tensors that it gives.
        largest: the largest id, with the name of the layer that gives it; None if no layer is known to give ids.
    """

    outputs: frozenset[str]
    largest: tuple[str, int] | None


def tokenizer_at(path: str) -> ExportedTokenizer:
    """The tokenizer in the file ``path``; one without outputs if there is none that can be read."""
    model = read(path)
    layers = [] if model.fatal else model.graph.layers
    ids = [id for layer in layers for id in _ids(model, layer)]
    return ExportedTokenizer(
        frozenset(name for layer in layers for name in _outputs(model, layer)),
        max(ids, key=lambda id: id[1]) if ids else None,
    )


def _outputs(model: Model, layer: Layer) -> Iterator[str]:
    source = layer.producer(0)
    if layer.type == "Result" and source is not None:
        yield from model.tensor_names(source[0])


def _ids(model: Model, layer: Layer) -> Iterator[tuple[str, int]]:
    """The last text of the vocabulary of a layer that splits words, and the ids of tokens that were added."""
    if layer.version != "extension" or not layer.type.endswith("Tokenizer"):
        return
    for port, is_added in ((_VOCABULARY, False), (len(layer.inputs) - 1, True)):
        source = layer.producer(port)
        if source is None or source[0].type != "Const":
            continue
        values = constant(source[0], model.weights)
        if values is None or values.element_type.name != "i32":
            continue
        if is_added:
            yield from ((layer.name, id) for id in values.integers() or ())
        elif values.elements:
            yield layer.name, values.elements - 1
