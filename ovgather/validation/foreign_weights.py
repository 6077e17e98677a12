"""Weights that do not belong to the model, as rule OVG407 tells: nothing takes a value from them."""

import os
from typing import TypeVar, cast

from ovgather.ir.graph import Layer, Problem
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyModel
from ovgather.layers.gather_layer import GatherLayer
from ovgather.validation.facts.file_facts import FileFacts

FOREIGN = "weights-foreign"
_ABSURD = 1_000  # no tensor has so many dims
SomeModel = TypeVar("SomeModel", bound=AnyModel)


def with_own_values(model: SomeModel) -> SomeModel:
    """``model``; an IR without its ``.bin`` where that belongs to another file."""
    if (
        isinstance(model, Model)
        and not model.fatal
        and (problem := foreign_weights(FileFacts(model))) is not None
    ):
        return cast("SomeModel", without_weights(model, problem))
    return model


def foreign_weights(facts: FileFacts) -> Problem | None:
    """What shows that the ``.bin`` belongs to another file: its length is wrong, and so are the axes it holds."""
    weights = facts.model.weights
    size = facts.weights_needed
    if weights is None or facts.model.snippet or size == weights.size:
        return None
    axes: dict[str | None, tuple[Layer, GatherLayer]] = {}
    for gather in [
        gather for gather in facts.gather_layers if gather.axis_source == "const"
    ]:
        if (source := gather.layer.producer(2)) is not None and source[
            0
        ].type == "Const":
            axes.setdefault(source[0].data.get("offset"), (source[0], gather))
    absurd = [
        (layer, gather)
        for layer, gather in axes.values()
        if abs(gather.axis or 0) > _ABSURD
    ]
    if not absurd or 2 * len(absurd) < len(axes):
        return None
    layer, gather = next(
        (pair for pair in absurd if facts.is_built(pair[0])), absurd[0]
    )
    name = os.path.basename(weights.path or "") or "the .bin"
    rejected = weights.size < size or any(gather.errors for _, gather in absurd)
    verdict = "rejects" if rejected else "accepts"
    message = f"{name} belongs to another model: it has {weights.size} bytes, but the constants need {size}"
    # Not which: no message tells what is in the file of somebody else.
    message += f", and the bytes at this offset would give layer {gather.layer.id} an axis that no tensor has"
    return Problem(FOREIGN, layer.offset, verdict, message, layer)


def without_weights(model: Model, problem: Problem) -> Model:
    """A copy of ``model`` that has the ``problem`` instead of its ``.bin``."""
    import copy  # which costs a start more than all the rest

    model = copy.copy(model)
    model.weights = None
    model.problems = [*model.problems, problem]
    return model
