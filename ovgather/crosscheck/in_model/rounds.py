"""The inferences that a compiled model makes on random inputs: other values, longer dims, shorter ones."""

from collections.abc import Sequence
from contextlib import suppress

from ovgather.crosscheck.in_model.inputs import ModelInput, Round
from ovgather.crosscheck.in_model.random_inputs import IMAGE, Lengths, random_inputs
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.forward.run import Forward, forward_of
from ovgather.ir.model import Model
from ovgather.layers.inputs import parameters
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.shape import Dimension, PartialShape

_LONG, _SHORT = (17, 96), (1, 32)
"""To what open dims grow and shrink in further inferences, and what is an open height or width then."""


def random_rounds(
    model: Model, wanted: Sequence[ModelInput], options: CrosscheckOptions, seed: int
) -> list[Round]:
    """Inferences on random inputs: the first, other values, longer dims, shorter ones, the first again. Raises Skip."""

    def drawn(some: Sequence[ModelInput], seed: int, lengths: Lengths = None) -> Round:
        arrays = random_inputs(model, some, generator(seed), lengths)
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
        equal = (drawn(wanted, seed, (length, IMAGE)) for length in (4, 1))
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
    """Whether every layer takes what follows from the shapes of the inputs, as far as the forward pass knows."""
    usual = forward_of(model)
    layers = parameters(model)
    shapes = {
        layer.offset: PartialShape.of(array.shape)
        for layer, array in zip(layers, arrays, strict=True)
    }
    return (
        usual.refused_on_read is not None
        or Forward(model, shapes, before=usual).refused_on_read is None
    )
