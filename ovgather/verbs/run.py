"""Run one layer of a file with the reference: on given arrays, on the file's own constants, or on random values."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.arguments import Argument, arguments_of, words
from ovgather.layers.formats import AnyGather, AnyModel, find_gather, gathers
from ovgather.layers.reference import LayerReference
from ovgather.ops.operation import Operation
from ovgather.tensor.arrays import Array
from ovgather.validation.check import with_own_values

Arrays: TypeAlias = "Mapping[str, Array] | None"
Prepared: TypeAlias = "tuple[AnyGather, Operation, list[Argument], int | None]"
"""A layer or node, its operation, what to run it on, and its axis, None where it has none."""


class Ran(NamedTuple):
    layer: LayerReference
    operation: str
    arguments: list[Argument]
    axis: int | None
    batch_dims: int
    output: Array


def run_layer(
    model: AnyModel,
    layer: str | None = None,
    arrays: Arrays = None,
    *,
    axis: int | None = None,
    seed: int = 0,
    **how: Any,
) -> Ran:
    """Evaluate one Gather layer or node; ``how`` are the options of ``ovgather.evaluate``, the rest see ``prepare``."""
    from ovgather.ops.evaluation import evaluate

    gather, operation, arguments, axis_value = prepare(model, layer, arrays, axis=axis, seed=seed)
    data, indices = [argument.array for argument in arguments]
    output = evaluate(operation, data, indices, axis_value or 0, gather.batch_dims, **how)
    return Ran(gather.reference, operation.name, arguments, axis_value, gather.batch_dims, output)


def prepare(
    model: AnyModel,
    layer: str | None = None,
    arrays: Arrays = None,
    *,
    axis: int | None = None,
    seed: int = 0,
    examples: bool = False,
) -> Prepared:
    """One Gather of ``model``, the only one or that called ``layer``, and what to run it on.

    Inputs are ``arrays``, by name (``data``) or position (``in0``), else constants of the file, else random
    within range. ``axis`` goes with a layer whose axis the file does not state. ``examples``: of data only the shape
    counts, and it is not cut down.
    """
    gather = _choose(with_own_values(model), layer)
    if gather.operation is None:
        raise InvalidModelError(f"{words(gather)} cannot be run: {gather.problem}")
    if len(gather.shapes) < 2:
        raise InvalidModelError(f"{words(gather)} has {len(gather.shapes)} inputs: it cannot be run")
    axis_value = _axis(gather, axis)
    arguments = arguments_of(gather, dict(arrays or {}), axis_value or 0, seed, examples)
    return gather, gather.operation, arguments, axis_value


def _choose(model: AnyModel, layer: str | None) -> AnyGather:
    if layer is not None:
        return find_gather(model, layer)
    candidates = gathers(model)
    if len(candidates) == 1:
        return candidates[0]
    word = "layer" if isinstance(model, Model) else "node"
    names = ", ".join(repr(gather.reference.name) for gather in candidates[:5]) + (", …" if len(candidates) > 5 else "")
    many = f"{len(candidates)} Gather {word}s: say which with --layer: {names}"
    raise InvalidModelError(f"{model.path} has {many if candidates else f'no Gather {word}'}")


def _axis(gather: AnyGather, axis: int | None) -> int | None:
    assert gather.operation is not None
    if not gather.operation.has_axis:
        if axis is not None:
            raise InvalidModelError(f"{words(gather)} is a {gather.title}, which has no axis")
        return None
    if gather.axis is None and axis is None:
        why = f" ({gather.axis_note})" if gather.axis_note else ""
        raise InvalidModelError(f"the axis of {words(gather)} is not known{why}: give it with --axis")
    if None not in (axis, gather.axis) and axis != gather.axis:
        raise InvalidModelError(f"{words(gather)} has axis {gather.axis}; it cannot be run with axis {axis}")
    return gather.axis if gather.axis is not None else axis
