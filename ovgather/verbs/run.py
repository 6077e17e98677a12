"""Run one layer of a file with the reference: on given arrays, on the file's own constants, or on random values."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.arguments import Argument, arguments_of, words
from ovgather.layers.formats import AnyGather, AnyModel, gathers
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array
from ovgather.validation.foreign_weights import with_own_values

Arrays: TypeAlias = "Mapping[str, Array] | None"


class Prepared(NamedTuple):
    """A layer or node with what it is run on, and where that comes from; ``evidence.got`` is the output if it ran."""

    layer: LayerReference
    evidence: Evidence
    arguments: list[Argument]

    def run(self, **how: Any) -> "Prepared":
        """The same with the output; ``how`` are the options of ``ovgather.evaluate``."""
        from ovgather.ops.evaluation import evaluate

        output = evaluate(*self.evidence[:5], **how)
        return self._replace(evidence=self.evidence._replace(got=output))


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
        raise InvalidModelError(
            f"{words(gather)} has {len(gather.shapes)} inputs: it cannot be run"
        )
    axis_value = _axis(gather, axis)
    arguments = arguments_of(gather, dict(arrays or {}), axis_value, seed, examples)
    both = [argument.array for argument in arguments]
    types = [
        name or gather.spelling(array.dtype)
        for name, array in zip(gather.type_names, both, strict=False)
    ]
    evidence = Evidence(
        gather.operation, both[0], both[1], axis_value, gather.batch_dims, types=types
    )
    return Prepared(gather.reference, evidence, arguments)


def _choose(model: AnyModel, layer: str | None) -> AnyGather:
    candidates = gathers(model, layer)
    if len(candidates) == 1:
        return candidates[0]
    word = "node"
    if isinstance(model, Model):
        word = "layer"
    names = ", ".join(repr(gather.reference.name) for gather in candidates[:5]) + (
        ", …" if len(candidates) > 5 else ""
    )
    many = f"{len(candidates)} Gather {word}s: say which with --layer: {names}"
    raise InvalidModelError(
        f"{model.path} has {many if candidates else f'no Gather {word}'}"
    )


def _axis(gather: AnyGather, axis: int | None) -> int:
    """The axis to run ``gather`` with, 0 where it has none."""
    assert gather.operation is not None
    if not gather.operation.has_axis:
        if axis is not None:
            raise InvalidModelError(
                f"{words(gather)} is a {gather.title}, which has no axis"
            )
        return 0
    known = gather.axis if gather.axis is not None else axis
    if known is None:
        why = ""
        if gather.axis_note:
            why = f" ({gather.axis_note})"
        raise InvalidModelError(
            f"the axis of {words(gather)} is not known{why}: give it with --axis"
        )
    if axis not in (None, known):
        raise InvalidModelError(
            f"{words(gather)} has axis {gather.axis}; it cannot be run with axis {axis}"
        )
    return known
