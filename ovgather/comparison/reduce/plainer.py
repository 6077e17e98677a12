"""How plain a trial is, and plainer ones. Plain are data that count 1, 2, 3, ..., indices that are 0, dynamic shapes,
Parameters, f32 and i32, and attributes that are not negative."""

from collections.abc import Callable, Iterator, Sequence
from math import frexp

import numpy

from ovgather.comparison.alone.dims import axis_of, dims_of
from ovgather.comparison.verdict.compare import batch_dims_of
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.element_type import ElementType, named

_WEIGHED = 4096  # of more odd values only the number counts
_SINGLY = 8  # so many odd values are looked at one by one, more of them in groups


def plain_data(element_type: ElementType, shape: tuple[int, ...]) -> Array:
    """1, 2, 3, ... as far as the type can tell them apart; of strings a, b, c, ..."""
    count = numpy.arange(1, 1 + int(numpy.prod(shape, dtype="i8")))
    if element_type.name == "string":
        letters = numpy.empty(count.size, object)
        letters[:] = [chr(ord("a") + number % 26) for number in range(count.size)]
        return letters.reshape(shape)
    if element_type.name == "f8e8m0":  # holds powers of 2 only
        return (2.0 ** (count % 100)).astype(element_type.dtype).reshape(shape)
    limit = {
        "boolean": 2,
        "i4": 8,
        "i8": 128,
        "f8e4m3": 16,
        "f8e5m2": 8,
        "f4e2m1": 4,
        "bf16": 256,
        "f16": 2048,
    }
    high = limit.get(element_type.name, 1 << min(element_type.bits, 24))
    return (count % high).astype(element_type.dtype).reshape(shape)


def _odd_data(trial: Trial) -> Array:
    return numpy.asarray(
        bits(plain_data(trial.element_types[0], trial.data.shape)) != bits(trial.data)
    )


def _magnitude(value: object) -> int:
    """About twice the number of bits, more if many are set; a negative one is a little more, what is no number most."""
    if isinstance(value, (bytes, str)):
        return len(value)
    if isinstance(value, int):
        return 2 * abs(value).bit_length() + bin(value).count("1") // 2 + (value < 0)
    number = float(value)  # type: ignore[arg-type]
    if number - number != 0:
        return 4096
    fraction, exponent = frexp(number)
    return 2 * abs(exponent) + 2 * len(f"{abs(fraction) * 2:g}") + (number < 0)


def plainer(trial: Trial) -> Iterator[Trial]:
    """The trial with fewer odd values, or less odd ones; the boldest change first."""
    data = plain_data(trial.element_types[0], trial.data.shape)
    zeros = numpy.zeros_like(trial.indices)
    odd_data = _odd_data(trial)
    odd_indices = trial.indices != 0
    if odd_data.any():
        yield trial._replace(data=data)
    if odd_indices.any():
        yield trial._replace(indices=zeros)
    yield from (
        trial._replace(data=numpy.where(some, data, trial.data))
        for some in _groups(odd_data)
    )
    yield from (
        trial._replace(indices=numpy.where(some, zeros, trial.indices))
        for some in _groups(odd_indices)
    )
    index_choices = _index_choices(trial)
    data_choices = _data_choices(trial.element_types[0])
    for indices in _smaller(
        trial.indices, odd_indices, lambda at: index_choices[at % len(index_choices)]
    ):
        yield trial._replace(indices=indices)
    yield from (
        trial._replace(data=data)
        for data in _smaller(trial.data, odd_data, lambda _: data_choices)
    )


def _groups(odd: Array) -> Iterator[Array]:
    """Marks of half of what is odd, of quarters, and of single ones when they are few."""
    positions = numpy.flatnonzero(odd)
    cuts = {2, 4, 8} | ({positions.size} if positions.size <= _SINGLY else set())
    for parts in sorted(cut for cut in cuts if 1 < cut <= positions.size):
        for group in numpy.array_split(positions, parts):
            marked = numpy.zeros(odd.size, bool)
            marked[group] = True
            yield marked.reshape(odd.shape)


def _index_choices(trial: Trial) -> list[list[int]]:
    """For each part of an index tuple values next to the limits of what it indexes, inside and outside."""
    lengths = sorted(
        (dim.part, dim.length) for dim in dims_of(trial) if dim.part is not None
    )
    limits = numpy.iinfo(trial.indices.dtype)
    powers = [
        sign * (2**power + more)
        for power in range(4, 63)
        for more in (-1, 0, 1)
        for sign in (1, -1)
    ]
    near = [
        [0, 1, -1, length - 1, length, -length, -length - 1, length + 1]
        for _, length in lengths or [(0, 0)]
    ]
    return [
        [
            each
            for each in dict.fromkeys((*some, *powers))
            if limits.min <= each <= limits.max
        ]
        for some in near
    ]


def _smaller(
    array: Array, odd: Array, choices: Callable[[int], Sequence[float]]
) -> Iterator[Array]:
    """The array with one of its first odd elements replaced by a smaller value from ``choices``."""
    for position in numpy.flatnonzero(odd)[:_SINGLY].tolist():
        limit = _magnitude(array.flat[position : position + 1].tolist()[0])
        for value in (
            value for value in choices(position) if _magnitude(value) < limit
        ):
            after = array.copy()
            with numpy.errstate(all="ignore"):
                after.flat[position] = numpy.asarray(value).astype(after.dtype)
            if bits(after).flat[position] != bits(array).flat[position]:
                yield after


def _data_choices(element_type: ElementType) -> list[float]:
    """Powers of 2, or values that are known to make trouble."""
    if element_type.is_integral:
        signed = element_type.kind == "signed"
        powers = [1 << power for power in range(1, element_type.bits - signed)]
        return [*powers, *([-1, *(-power for power in powers)] if signed else ())]
    if element_type.is_real:
        return [
            0.1,
            -0.0,
            *((2.0**-127, 1e40, float("inf")) if element_type.bits >= 32 else ()),
            float("nan"),
        ]
    return []


_DATA = ("f32", "i32", "u8", "i8", "f16", "i64")
_INDICES = ("i32", "i64")


def weight(trial: Trial) -> tuple[int, ...]:
    """How large a trial is: elements, rank, dims, form, values, element types; of two the lesser is the simpler."""
    shape = trial.data.shape + trial.indices.shape
    placement = trial.placement
    data, indices = (element_type.name for element_type in trial.element_types)
    types = [
        names.index(name) if name in names else len(names)
        for names, name in ((_DATA, data), (_INDICES, indices))
    ]
    attributes = (
        2 * bool(trial.batch_dims) + (trial.batch_dims < 0) + ((trial.axis or 0) < 0)
    )
    form = 2 * (placement.static + len(placement.constants)) + (
        placement[2:] != Placement()[2:]
    )
    # Values, and how odd they are.
    odd = [
        trial.data[_odd_data(trial)],
        trial.indices[trial.indices != 0],
    ]
    count = odd[0].size + odd[1].size
    oddness = 0
    if count <= _WEIGHED:
        oddness = sum(map(_magnitude, (*odd[0].tolist(), *odd[1].tolist())))
    return (
        trial.data.size + trial.indices.size,
        len(shape),
        sum(shape),
        attributes,
        form,
        count,
        oddness,
        sum(types),
    )


def plainer_forms(trial: Trial) -> Iterator[Trial]:
    """The trial in forms nearer to the plainest one."""
    placement, (data, indices) = trial.placement, trial.element_types
    if trial.batch_dims < 0:
        yield trial._replace(batch_dims=batch_dims_of(trial))
    if trial.axis is not None and trial.axis < 0:
        yield trial._replace(axis=axis_of(trial))
    if placement[2:] != Placement()[2:]:
        yield trial._replace(placement=Placement(*placement[:2]))
    for name in sorted(placement.constants):
        yield trial._replace(
            placement=placement._replace(constants=placement.constants - {name})
        )
    if placement.static:
        yield trial._replace(placement=placement._replace(static=False))
    for element_type in _plainer_types(_DATA, data):
        yield trial._replace(
            element_types=(element_type, indices),
            data=plain_data(element_type, trial.data.shape),
        )
    for element_type in _plainer_types(_INDICES, indices):
        moved = trial.indices.astype(element_type.dtype)
        if (moved == trial.indices).all():
            yield trial._replace(element_types=(data, element_type), indices=moved)


def _plainer_types(
    names: tuple[str, ...], element_type: ElementType
) -> Iterator[ElementType]:
    return map(
        named,
        names[: names.index(element_type.name)]
        if element_type.name in names
        else names,
    )
