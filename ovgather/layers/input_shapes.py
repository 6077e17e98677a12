"""Shapes for the inputs of a model, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.tensors import output_tensor
from ovgather.tensor.shape import PartialShape


def parse(texts: Sequence[str]) -> dict[str, PartialShape]:
    """Inputs and their shapes, each written ``ids=[1,128]``.

    Raises:
        InvalidModelError: one is written otherwise, or an input comes twice.

    >>> {name: shape.named for name, shape in parse(["ids=[batch,128]", "mask=1,?"]).items()}
    {'ids': '[batch,128]', 'mask': '[1,?]'}
    """
    found: dict[str, PartialShape] = {}
    for text in texts:
        name, sign, shape = text.rpartition("=")
        if not sign or not name:
            raise InvalidModelError(f"{text!r} is no input with a shape: write NAME=[1,128]")
        if name in found:
            raise InvalidModelError(f"input {name!r} is given two shapes")
        try:
            found[name] = PartialShape.of(shape)
        except ValueError as error:
            raise InvalidModelError(f"input {name!r}: {error}") from None
    return found


def parameters(model: Model) -> list[Layer]:
    """The inputs of ``model``, in order."""
    return [layer for layer in model.graph.layers if layer.type == "Parameter" and layer.outputs]


def matched(model: Model, given: Mapping[str, PartialShape]) -> dict[int, PartialShape]:
    """``given`` by the place of each input among ``parameters``.

    A name is that of a Parameter or of its tensor, or ``in0``.

    Raises:
        InvalidModelError: no input has such a name, or two names mean the same one.
    """
    if not given:
        return {}
    inputs = parameters(model)
    names = [(layer.name, *model.tensor_names(layer), f"in{place}") for place, layer in enumerate(inputs)]
    found: dict[int, PartialShape] = {}
    for name, shape in given.items():
        places = [place for place, known in enumerate(names) if name in known]
        if not places:
            listed = "".join(f"\n  {_words(layer, known)}" for layer, known in zip(inputs, names, strict=True))
            raise InvalidModelError(f"{model.path} has no input {name!r}; it takes{listed or ' none'}")
        if places[0] in found:
            raise InvalidModelError(f"{model.path}: input {names[places[0]][0]!r} is given two shapes")
        found[places[0]] = shape
    return found


def _words(layer: Layer, names: Sequence[str]) -> str:
    return f"{' or '.join(dict.fromkeys(names))}: {output_tensor(layer, 0).shape}"
