"""The inputs of all inferences of one compiled model: its inputs, other values, other shapes, and the first again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from ovgather.crosscheck.in_model.inputs import ModelInput, given_inputs
from ovgather.crosscheck.in_model.random_inputs import random_inputs
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.ir.model import Model
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.shape import PartialShape

Round = Sequence[Array]
"""The arrays of the Parameters."""


def given_rounds(path: str, wanted: list[ModelInput], given: Mapping[str, Array], repeat: int) -> list[Round]:
    """Inferences on given inputs; every second one has the real numbers of each in reverse order."""
    first = given_inputs(path, wanted, given)
    # Integers may be indices or lengths, which must stay where they are.
    reverse = [array.ravel()[::-1].reshape(array.shape) if array.dtype.kind in "fV" else array for array in first]
    return [reverse if number % 2 else first for number in range(repeat)]


def random_rounds(model: Model, wanted: list[ModelInput], options: CrosscheckOptions, seed: int) -> list[Round]:
    """Inferences on random inputs: the first, other values, other shapes, the first again, and so on. Raises Skip."""

    def drawn(some: list[ModelInput], seed: int) -> Round:
        arrays = random_inputs(model, some, generator(seed))
        return [want.seen(array) for want, array in zip(wanted, arrays, strict=True)]

    first = drawn(wanted, seed)
    rounds = [first] * options.repeat
    shapes = [PartialShape.of(list(array.shape)) for array in first]
    same = [want._replace(shape=shape) for want, shape in zip(wanted, shapes, strict=True)]
    for number in range(1, options.repeat):
        if number % 3:
            with suppress(Skip):
                arrays = drawn(wanted if number % 3 == 2 and not options.static else same, seed + number)
                # The other branch of an If runs, too.
                rounds[number] = [_other(*pair) for pair in zip(arrays, first, strict=True)]
    return rounds


def _other(array: Array, first: Array) -> Array:
    """A random array; the opposite of ``first`` for booleans of its shape."""
    return ~first if array.dtype.kind == "b" and array.shape == first.shape else array
