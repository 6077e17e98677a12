"""Advice for a layer that refuses other input shapes: which Consts are fixed, and which inputs must change as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ovgather.forward.run import Forward, Refusal, forward_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.reference import called, reference
from ovgather.tensor.interval import Item
from ovgather.validation.facts.edges import upstream

_MOST_NAMED = 3
_MOST_LAYERS = 64
_LENGTH_TYPES = ("i32", "i64")
_PATTERN = ("Reshape", "shape")
"""The type and the argument of which an element may be -1 or 0."""


def refusal_words(model: Model, forward: Forward, refusal: Refusal) -> str:
    """The layer, the reason, and what to do."""
    help = advice(model, forward, refusal)
    return f"{called(reference(refusal.layer))}: {refusal.error}{f'; {help}' if help else ''}"


def advice(
    model: Model, forward: Forward, refusal: Refusal, shapes: Sequence[Layer] = ()
) -> str:
    """What would make the layer take the given shapes; empty without such shapes.

    ``shapes`` are Consts before the layer that hold shapes which do not follow the given ones.
    """
    if not forward.input_shapes:
        return ""
    frozen = [*shapes[:_MOST_NAMED]]
    inputs: list[Layer] = []
    if not frozen:
        frozen, inputs = _unchanged(model, forward, refusal.layer)
    parts = []
    if frozen:
        parts.append(
            f"{_listed(frozen)} {'is' if len(frozen) == 1 else 'are'} frozen in the file"
        )
    if shapes or (frozen and (refusal.layer.type, refusal.error.argument) == _PATTERN):
        parts.append(
            "write -1 in it for the dim that follows from the others, or 0 (special_zero) for a kept one"
        )
    elif frozen:
        parts.append("export the model anew with that length left open")
    if inputs:
        parts.append(f"give {_listed(inputs)} a shape that fits as well")
    return "; ".join(parts)


def _unchanged(
    model: Model, forward: Forward, layer: Layer
) -> tuple[list[Layer], list[Layer]]:
    """The Consts, and the Parameters, that alone feed those inputs of ``layer`` that other shapes do not reach."""
    before = forward_of(model).outputs
    frozen: dict[int, Layer] = {}
    inputs: dict[int, Layer] = {}
    for source in layer.graph.producers(layer):
        if source is None or forward.outputs[source[0].offset] != before.get(
            source[0].offset
        ):
            continue
        ends = [each for each in upstream(source[0]) if not each.inputs]
        parameters = [
            each
            for each in ends
            if each.type == "Parameter" and each.graph.parent is None
        ]
        inputs.update({each.offset: each for each in parameters})
        if not parameters:
            frozen.update({each.offset: each for each in ends if each.type == "Const"})
    if not frozen and not inputs:
        frozen = {each.offset: each for each in _lengths(forward, layer)}
    lengthy = [each for each in frozen.values() if not _is_place(forward, each)]
    return (lengthy or [*frozen.values()])[:_MOST_NAMED], [*inputs.values()][
        :_MOST_NAMED
    ]


def _is_place(forward: Forward, const: Layer) -> bool:
    """Whether a Const can only be an axis, or the place of a length: one integer that is no length."""
    tensor = forward.outputs[const.offset][0]
    is_one = (
        tensor.shape.is_static and tensor.value is not None and len(tensor.value) == 1
    )
    return (
        is_one
        and tensor.element_type in _LENGTH_TYPES
        and not any(map(_is_length, tensor.value or ()))
    )


def _listed(layers: list[Layer]) -> str:
    return ", ".join(f'{layer.type} {layer.id} "{layer.name}"' for layer in layers)


def _lengths(forward: Forward, layer: Layer) -> Iterator[Layer]:
    """The Consts of few integers from which lengths that flow into ``layer`` are computed."""
    for source in islice(upstream(layer), _MOST_LAYERS):
        if source.type == "Const":
            tensor = forward.outputs[source.offset][0]
            if (
                tensor.value is not None
                and tensor.element_type in _LENGTH_TYPES
                and any(map(_is_length, tensor.value))
            ):
                yield source


def _is_length(item: Item) -> bool:
    return isinstance(item, int) and item > 1
