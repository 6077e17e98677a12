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
from ovgather.ir.graph import Layer
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

    def drawn(
        some: Sequence[ModelInput], number: int, lengths: Lengths = None
    ) -> Round:
        # Where indices may count from the end, the second inference has such.
        how = values._replace(negative=number % 4 == 1)
        arrays = random_inputs(model, some, generator(seed + number), lengths, how)
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

    rounds = [drawn(wanted, 0)]
    if not fits(model, rounds[0]):
        equal = (drawn(wanted, 0, (length, IMAGE)) for length in _EQUAL)
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
                arrays = drawn(some, number, lengths)
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
    """Whether every layer takes what follows from the shapes of the inputs, as far as the forward pass knows,
    constant indices stay within what they index, and a Loop does not run more often than its inputs have slices."""
    if forward_of(model).refused_on_read is not None:
        return True
    shapes = {
        layer.id: PartialShape.of(array.shape)
        for layer, array in zip(parameters(model), arrays, strict=True)
    }
    forward = forward_on(model, shapes)
    if forward.refused_on_read is not None:
        return False
    loops = (layer for layer in model.layers() if layer.type == "Loop")
    return not any(
        _is_undefined(gather, forward) for gather in gather_layers(model)
    ) and not any(_runs_too_often(model, loop, forward) for loop in loops)


def _runs_too_often(model: Model, loop: Layer, forward: Forward) -> bool:
    """Whether a Loop of a known number of rounds has an input of fewer slices."""
    inputs = forward.inputs.get(loop.offset, ())
    trips = inputs[0].value if inputs else None
    if trips is None or not isinstance(trips[0], int):
        return False
    for crossing in model.crossings(loop):
        rule = crossing.entry.attributes
        if crossing.entry.name != "input" or "axis" not in rule:
            continue
        shape = inputs[crossing.source.place].shape
        if not shape.is_static:
            continue
        length = shape[int(rule["axis"])].length
        places = (int(rule.get("start", 0)), int(rule.get("end", -1)))
        start, end = (place + (length + 1) * (place < 0) for place in places)
        if abs(end - start) // max(1, int(rule.get("part_size", 1))) < trips[0]:
            return True
    return False


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
