"""Random layers of the family with arrays for them, from a ``random.Random``: a seeded one, or one of hypothesis."""

from collections.abc import Iterable, Sequence
from math import prod
from random import Random
from typing import NamedTuple

import numpy

from ovgather.errors import InvalidModelError, short_repr
from ovgather.ops import openvino as ops
from ovgather.ops.operation import INTEGERS, Operation
from ovgather.ops.sampling.values import plain_data, random_data
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ALL, ElementType, named

Shape = tuple[int, ...]

ELEMENT_TYPES = tuple(item.name for item in ALL if item.bits >= 8)
"""The element types that data has unless others are asked for: all but those narrower than a byte."""
INDEX_TYPES = tuple(name for name in ELEMENT_TYPES if name in INTEGERS)
_FAR = (1 << 31, (1 << 32) + 1, (1 << 63) - 1)  # where indices of 32 bits are cut off


class LayerChoice(NamedTuple):
    """What random layers may be like.

    Attributes:
        operations: the versions, such as ``ops.OPERATIONS``; empty: all.
        element_types, index_types: names; an operation uses only the index types that it declares.
        negative: indices that count from the end: wherever the type is signed (True), nowhere (False), where the
            version's page defines them (None).
        outside: indices beyond the axis: the same three. Only Gather-8 defines them.
        empty: now and then a dim of length 0.
        wide: 64-bit data of any bits; else what fits 32, since the CPU plugin narrows it.
        plain: real data that are ordinary numbers; else any bits, NaN, infinities and subnormals among them.
        max_rank, max_length: of data; indices may have as many dims.
    """

    operations: tuple[Operation, ...] = ()
    element_types: tuple[str, ...] = ELEMENT_TYPES
    index_types: tuple[str, ...] = INDEX_TYPES
    negative: bool | None = None
    outside: bool | None = None
    empty: bool = True
    wide: bool = False
    plain: bool = False
    max_rank: int = 4
    max_length: int = 5

    def callable(self) -> list[tuple[Operation, list[str]]]:
        """The operations with the index types that they take; InvalidModelError if nothing is left to draw."""
        if self.max_rank < 1 or self.max_length < 1:
            lengths = f"{self.max_rank} and {self.max_length}"
            raise InvalidModelError(
                f"max_rank and max_length must be 1 or more, not {lengths}"
            )
        if not self.element_types:
            raise InvalidModelError("element_types is empty: data must be of some type")
        operations = self.operations or ops.OPERATIONS
        pairs = []
        for operation in operations:
            accepted = INTEGERS & (operation.inputs[1].types or INTEGERS)
            names = [name for name in self.index_types if name in accepted]
            pairs += [(operation, names)] if names else []
        if not pairs:
            called = ", ".join(operation.name for operation in operations)
            raise InvalidModelError(
                f"none of {called} takes indices of type {', '.join(self.index_types) or 'none'}"
            )
        return pairs


def choose_operations(names: Iterable[str]) -> tuple[Operation, ...]:
    """The operations that types (``Gather``) and versions (``Gather-8``) name.

    Raises:
        InvalidModelError: one names none.

    >>> [operation.name for operation in choose_operations(["GatherND", "Gather-8"])]
    ['GatherND-5', 'GatherND-8', 'Gather-8']
    """
    operations = []
    for name in names:
        matches = [
            operation
            for operation in ops.OPERATIONS
            if name in (operation.type, operation.name)
        ]
        if not matches:
            known = ", ".join(operation.name for operation in ops.OPERATIONS)
            raise InvalidModelError(
                f"no operation is called {short_repr(name)}: there are {known}"
            )
        operations += matches
    return tuple(operations)


class RandomLayer(NamedTuple):
    """A layer with its inputs. ``axis`` and ``batch_dims`` are as written, 0 where the operation has none."""

    operation: Operation
    opset: str
    data_type: ElementType
    index_type: ElementType
    data: Array
    indices: Array
    axis: int = 0
    batch_dims: int = 0

    @property
    def attributes(self) -> dict[str, str]:
        """What stands in ``<data>``."""
        values = {"axis": self.axis, "batch_dims": self.batch_dims}
        return {
            attribute.name: str(values[attribute.name])
            for attribute in self.operation.attributes
        }

    def expected(self) -> Array:
        """The output by the specification."""
        from ovgather.ops.evaluation import evaluate

        return evaluate(
            self.operation, self.data, self.indices, self.axis, self.batch_dims
        )


def random_layer(
    random: Random,
    choice: LayerChoice | None = None,
    data: tuple[ElementType, Array] | None = None,
) -> RandomLayer:
    """A layer that is valid, unless ``choice`` lets indices be what its version does not define.

    Args:
        data: for a layer that gathers from these, of rank 1 or more and with something in them.

    Raises:
        InvalidModelError: no operation takes what ``choice`` leaves.

    >>> choice = LayerChoice(element_types=("f32",), index_types=("i64",), max_rank=2, max_length=3)
    >>> layer = random_layer(Random(9), choice)
    >>> layer.operation.name, layer.attributes, layer.data.shape, layer.indices.tolist()
    ('GatherElements-6', {'axis': '-2'}, (2, 1), [[-2], [-2]])
    """
    choice = choice or LayerChoice()
    operation, index_types = random.choice(choice.callable())
    data_shape = None
    if data is not None:
        data_shape = data[1].shape
    axis, batch, data_shape, indices_shape = _shapes(
        random, choice, operation, data_shape
    )
    index_type = named(random.choice(index_types))
    sizes = operation.index_sizes(data_shape, indices_shape, axis, batch)
    indices = _indices(random, choice, operation, index_type, indices_shape, sizes)
    if data is None:
        data_type = named(random.choice(choice.element_types))
        values = _values(random, data_type, data_shape, choice)
    else:
        data_type, values = data
    if not operation.has_axis:
        axis = 0
    elif random.randint(0, 2) == 2:
        axis -= len(data_shape)
    if (
        operation.indices_replace_axis
        and 0 < batch < len(indices_shape)
        and random.randint(0, 2) == 2
    ):
        batch -= len(indices_shape)
    return RandomLayer(
        operation,
        random.choice(operation.opsets),
        data_type,
        index_type,
        values,
        indices,
        axis,
        batch,
    )


def _shapes(
    random: Random, choice: LayerChoice, operation: Operation, given: Shape | None
) -> tuple[int, int, Shape, Shape]:
    """Axis and batch_dims counted from the front, the shapes of data and indices."""
    lengths = range(1, choice.max_length + 1)
    if given is not None:
        data = list(given)
    else:
        data = [
            random.choice(lengths)
            for _ in range(random.choice(range(1, choice.max_rank + 1)))
        ]
    rank = len(data)
    axis = random.randint(0, rank - 1)
    if operation.has_batch_dims:
        batch = random.choice(range(axis + 1))
    else:
        batch = 0
    hollow = choice.empty and random.randint(0, 7) == 7
    if hollow and given is None and random.randint(0, 1):
        data[random.randint(0, rank - 1)] = 0
    if operation.indices_have_rank_of_data:
        own = [random.choice(lengths)]
        indices = [*data[:axis], *own, *data[axis + 1 :]]
        lead = axis
    else:
        own = [
            random.choice(lengths)
            for _ in range(random.randint(0, max(0, choice.max_rank - 1 - batch)))
        ]
        indices = [*data[:batch], *own]
        lead = batch
    if hollow and own:
        indices[lead + random.randrange(len(own))] = 0
    if operation.indexes_by_tuples:
        indices.append(random.randint(int(not hollow), rank - batch))
    if 0 not in indices and not (
        operation.indices_replace_axis and _outside(choice, operation)
    ):
        for place in operation.indexed_dims(
            rank, indices, axis, batch
        ):  # each index must have something to point to
            data[place] = data[place] or 1
    return axis, batch, tuple(data), tuple(indices)


def _outside(choice: LayerChoice, operation: Operation) -> bool:
    if choice.outside is None:
        return operation.out_of_range == "zeros"
    return choice.outside


def _indices(
    random: Random,
    choice: LayerChoice,
    operation: Operation,
    kind: ElementType,
    shape: Shape,
    sizes: Sequence[int],
) -> Array:
    """Each index by itself, so that each can be shrunk by itself; ``sizes``: one, or one for each part of a tuple."""
    signed = kind.kind == "signed"
    negative = signed and (
        operation.allows_negative_indices
        if choice.negative is None
        else choice.negative
    )
    outside = _outside(choice, operation)
    values = [
        _index(random, sizes[place % len(sizes)], kind.limits, negative, outside)
        for place in range(prod(shape))
    ]
    wide = numpy.array(values, "u8" if kind.name == "u64" else "i8")
    return wide.astype(kind.dtype).reshape(shape)


def _index(
    random: Random, size: int, limits: tuple[int, int], negative: bool, outside: bool
) -> int:
    low = max(limits[0], -size if negative else 0)
    high = min(limits[1], size - 1)
    way = random.randint(0, 4)
    if outside and (way == 4 or not size):
        beyond = (size, -size - 1, size + 9, *_FAR, -_FAR[0], -_FAR[1])
        if fitting := [value for value in beyond if limits[0] <= value <= limits[1]]:
            return random.choice(fitting)
    if high < low:
        return 0  # outside, too: the axis is empty
    if way == 3:
        return random.choice((low, high))
    return random.randint(low, high)


def _values(
    random: Random, kind: ElementType, shape: Shape, choice: LayerChoice
) -> Array:
    seed = random.randint(0, (1 << 32) - 1)
    if (
        not seed
    ):  # what hypothesis shrinks to: each element another, as far as the type goes
        return counted(kind, shape)
    generator = numpy.random.default_rng(seed)
    if kind.bits < 8 and kind.bits != 4:
        return generator.integers(0, 1 << kind.bits, shape).astype(kind.dtype)
    if choice.plain and kind.is_real:
        return plain_data(generator, kind, shape)
    if choice.wide and kind.bits == 64:
        bits: Array = generator.integers(0, (1 << 64) - 1, shape, "u8", endpoint=True)
        return bits.view(kind.dtype)
    return random_data(generator, kind, shape)


def counted(kind: ElementType, shape: Shape) -> Array:
    """0, 1, 2, ... as far as the type goes."""
    count = numpy.arange(prod(shape)).reshape(shape)
    if kind.name == "string":
        return count.astype(str).astype(object)
    if kind.is_integral:
        count = count % (1 << min(kind.bits, 62) - (kind.kind == "signed"))
    return (count % 2 if kind.kind == "boolean" else count).astype(kind.dtype)
