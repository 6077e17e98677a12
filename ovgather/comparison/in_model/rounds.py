"""The inferences that a compiled model makes on random inputs: other values, longer dims, shorter ones."""

from collections.abc import Sequence
from contextlib import suppress

import numpy

from ovgather.comparison.in_model.inputs import ModelInput, Round
from ovgather.comparison.in_model.random_inputs import (
    IMAGE,
    VALUES,
    Lengths,
    RandomValues,
    forward_on,
    random_inputs,
)
from ovgather.comparison.options import CrosscheckOptions
from ovgather.forward.run import Forward, forward_of
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.inputs import parameters
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.outcome import Evidence, Skip
from ovgather.tensor.shape import Dimension, PartialShape

_EQUAL = (4, 1, 8, 16, 32, 64, 3, 5)
"""What all open dims are where lengths that differ do not fit."""
_LONG, _SHORT = (17, 96), (1, 32)
"""To what open dims grow and shrink in further inferences, and what is an open height or width then."""


def random_rounds(
    model: Model,
    wanted: Sequence[ModelInput],
    options: CrosscheckOptions,
    seed: int,
    values: RandomValues = VALUES[0],
) -> list[Round]:
    """Inferences on random inputs: the first, other values, longer dims, shorter ones, the first again. Raises Skip."""

    def drawn(some: Sequence[ModelInput], seed: int, lengths: Lengths = None) -> Round:
        arrays = random_inputs(model, some, generator(seed), lengths, values)
        return [want.seen(array) for want, array in zip(wanted, arrays, strict=True)]

    def fixed(first: int) -> list[ModelInput]:
        """The inputs with the dims of the first inference, from the dim ``first`` on."""
        shapes = [
            PartialShape(
                (
                    *(want.shape.dims or ())[:first],
                    *map(Dimension.of, array.shape[first:]),
                )
            )
            for want, array in zip(wanted, rounds[0], strict=True)
        ]
        return [
            want._replace(shape=shape)
            for want, shape in zip(wanted, shapes, strict=True)
        ]

    rounds = [drawn(wanted, seed)]
    if not fits(model, rounds[0]):
        equal = (drawn(wanted, seed, (length, IMAGE)) for length in _EQUAL)
        rounds = [next((each for each in equal if fits(model, each)), rounds[0])]
    for number in range(1, options.repeat):
        choices: list[tuple[list[ModelInput], Lengths]] = []
        if number % 4 > 1 and not options.static:
            other = (_LONG, _SHORT)[number % 4 - 2]
            choices += [(list(wanted), other), (fixed(1), other)]
        if number % 4:
            choices.append((fixed(0), None))
        arrays = rounds[0]
        for some, lengths in choices:
            with suppress(Skip):
                arrays = drawn(some, seed + number, lengths)
                if fits(model, arrays):
                    break
        # The other branch of an If runs, too.
        rounds.append(
            [
                ~old
                if number % 4 and new.dtype.kind == "b" and new.shape == old.shape
                else new
                for new, old in zip(arrays, rounds[0], strict=True)
            ]
        )
    return rounds


def fits(model: Model, arrays: Round) -> bool:
    """Whether every layer takes what follows from the shapes of the inputs, as far as the forward pass knows, and
    constant indices stay within what they index."""
    if forward_of(model).refused_on_read is not None:
        return True
    shapes = {
        layer.id: PartialShape.of(array.shape)
        for layer, array in zip(parameters(model), arrays, strict=True)
    }
    forward = forward_on(model, shapes)
    if forward.refused_on_read is not None:
        return False
    return not any(_is_undefined(gather, forward) for gather in gather_layers(model))


def _is_undefined(gather: GatherLayer, forward: Forward) -> bool:
    """Whether a layer has constant indices that the specification does not define for these lengths."""
    inputs = forward.inputs.get(gather.layer.offset, ())
    if len(inputs) < 2 or not inputs[0].shape.is_static or gather.errors:
        return False
    indices = gather.values(1)
    if indices is None or (gather.axis is None and gather.operation.has_axis):
        return False
    lengths = [dim.length for dim in inputs[0].shape]
    data = numpy.broadcast_to(numpy.int8(0), lengths)
    return Evidence(
        gather.operation, data, indices, gather.axis or 0, gather.batch_dims
    ).is_undefined
