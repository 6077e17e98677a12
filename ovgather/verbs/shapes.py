"""Every tensor of a model: the shape that follows from the inputs, and what that rests on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ovgather.errors import InvalidModelError, ShapeInferenceError
from ovgather.forward.run import Forward, forward_of
from ovgather.forward.sources import without_hidden_symbols
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.formats import AnySource, read
from ovgather.layers.gather_layer import gather_layers
from ovgather.layers.inputs import matched, parameters, parsed
from ovgather.tensor.guard import guarded
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis, Tensor
from ovgather.validation.check import usable
from ovgather.verbs.refused_shapes import refusal_words

_FROM_PORTS = ("ports", "comment")


class ShapeAndReason(NamedTuple):
    """The shape of a tensor, and what it rests on in words."""

    shape: PartialShape
    why: str


class Shapes(dict[str, ShapeAndReason]):
    """Shapes by the name of the layer, with the bodies around it before it: ``loop/body/add``.

    An output of a layer with several has its index: ``split.0``. The names of tensors are found as well.
    """

    def __init__(
        self, shapes: Mapping[str, ShapeAndReason], tensor_names: Mapping[str, str]
    ) -> None:
        super().__init__(shapes)
        self._tensor_names = tensor_names

    def __missing__(self, name: str) -> ShapeAndReason:
        if name not in self._tensor_names:
            raise KeyError(name)
        return self[self._tensor_names[name]]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<Shapes of {len(self)} tensors>"


@guarded
def shapes(
    source: AnySource,
    input_shapes: Mapping[str, object] | None = None,
    *,
    weights: str | os.PathLike[str] | bytes | None = None,
    follow_links: bool = False,
) -> Shapes:
    """The shape of every tensor of an IR, also with other shapes of its inputs.

    Args:
        source, weights, follow_links: what is read, with which ``.bin``; see ``ovgather.read``.
        input_shapes: shapes of inputs by name, each as ``PartialShape.of`` takes it.

    Returns:
        The shape of each tensor and what it rests on, by the name of its layer.

    Raises:
        ShapeInferenceError: a layer refuses what flows into it: ``layer`` and ``argument`` of the error, and the
            reason.
        InvalidModelError: there is no such input, or the file is no IR.

    >>> tensors = shapes("samples_xml/demo/good.xml", {"token_ids": ["batch", 6]})
    >>> shape, why = tensors["word_embedding"]
    >>> shape.named, why
    ('[batch,6,4]', 'computed from Parameters and Consts')
    """
    model = read(source, weights, follow_links=follow_links)
    if not isinstance(model, Model):
        raise InvalidModelError(
            f"{model.path}: shapes are computed of an IR, not of an ONNX model"
        )
    model = usable(model)
    forward = reshaped(model, parsed(input_shapes or {}))
    refusal = forward.refused_on_read
    if refusal is not None:
        error = refusal.error
        message = refusal_words(model, forward, refusal)
        raise ShapeInferenceError(
            message,
            kind=error.kind,
            argument=error.argument,
            layer="/".join([*refusal.layer.body, refusal.layer.name]),
        )
    names: dict[str, str] = {}
    tensors: dict[str, ShapeAndReason] = {}
    for layer, index, tensor in outputs(model, forward):
        name = tensor_name(layer, index)
        tensors.setdefault(
            name, ShapeAndReason(without_hidden_symbols(tensor.shape), why(tensor))
        )
        names.update(dict.fromkeys(model.tensor_names(layer, index), name))
    return Shapes(tensors, names)


def reshaped(model: Model, input_shapes: Mapping[str, PartialShape]) -> Forward:
    """The pass over ``model`` with other shapes of inputs, and with the axes that only the ports tell."""
    inputs = parameters(model)
    positions = matched(model, input_shapes)
    by_offset = {inputs[place].offset: shape for place, shape in positions.items()}
    values = _axes_of_ports(model)
    if not by_offset and not values:
        return forward_of(model)
    return Forward(model, by_offset, values, forward_of(model))


def _axes_of_ports(model: Model) -> dict[int, tuple[int, ...]]:
    """The axes of Gather layers that are not in the file, but follow from its ports: by the offset of the Const."""
    axes: dict[int, tuple[int, ...]] = {}
    for gather in gather_layers(model):
        source = gather.layer.producer(2)
        axis = gather.declared_axis
        is_known = gather.axis_source in _FROM_PORTS or gather.axis is None
        if (
            source is not None
            and source[0].type == "Const"
            and axis is not None
            and is_known
        ):
            axes[source[0].offset] = (axis,)
    return axes


def outputs(model: Model, forward: Forward) -> Iterator[tuple[Layer, int, Tensor]]:
    """Every output of every layer with its tensor, in the order of the file."""
    for layer in model.layers():
        for index, tensor in enumerate(forward.outputs.get(layer.offset, ())):
            yield layer, index, tensor


def tensor_name(layer: Layer, index: int) -> str:
    """The name of a tensor in ``shapes``."""
    name = "/".join([*layer.body, layer.name])
    if len(layer.outputs) < 2:
        return name
    return f"{name}.{index}"


_REASONS = {
    Basis.COMPUTED: "computed from Parameters and Consts",
    Basis.PORT: "declared by a port, where a value is not known",
    Basis.UNCHECKED: "behind a layer of a type that is not checked",
}


def why(tensor: Tensor) -> str:
    """What a tensor rests on, in words."""
    return _REASONS[tensor.basis]
