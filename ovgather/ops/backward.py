"""Backward inference: where dims of an output come from, read the other way round; what is open is tried out."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ops.call import Call, DimOrigin, DimSource
from ovgather.ops.operation import Operation
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape

Dims = dict[DimSource, Dimension]

_MOST = 32
"""The largest rank that is tried out; OpenVINO's CPU runs no larger one."""


class Backward(NamedTuple):
    """What the inputs must be.

    Attributes:
        data, indices: their shapes, as far as the output and the other one tell.
        axes: the axes, counted from the front, that fit; None for an operation without one, and where ranks are open.
        reasons: for each dim of data and of indices a sentence that says where it shows; empty where more than one
            way fits.
    """

    data: PartialShape
    indices: PartialShape
    axes: tuple[int, ...] | None
    reasons: tuple[str, ...]


class _Way(NamedTuple):
    """One way in which the output can come about."""

    data: PartialShape
    indices: PartialShape
    axis: int | None
    origins: tuple[DimOrigin, ...]


def infer_backward(
    operation: Operation,
    output: PartialShape,
    shapes: Sequence[PartialShape],
    axis: int | None,
    batch_dims: int,
) -> Backward:
    # Raises the first problem.
    operation.infer(shapes, axis=axis, batch_dims=batch_dims)
    call = Call(shapes, axis, batch_dims, operation.has_axis)
    dims = [*(output.dims or ()), *(call.data or ()), *(call.indices or ())]
    if not call.has_axis and call.indices:
        tuple_length = call.indices[-1].min
    else:
        tuple_length = 0
    if (
        output.dims is None or len(dims) + tuple_length >= _MOST
    ):  # ranks beyond those that are tried out may be needed
        return Backward(shapes[0], shapes[1], None, ())
    ways: list[_Way] = []
    wrong: list[ShapeInferenceError] = []
    for tried in _tries(operation, output, call):
        try:
            ways.append(_narrowed(output, call, tried))
        except ShapeInferenceError as error:
            wrong.append(error)
    if not ways:
        raise (
            wrong[0]
            if len(wrong) == 1
            else call.error("dims_mismatch", "inputs", _no_way(operation, call, output))
        )
    ranks_known = len({way.data.rank for way in ways}) == 1
    axes = None
    if ranks_known:
        axes = tuple(sorted({way.axis for way in ways if way.axis is not None}))
    data = _hull([way.data for way in ways])
    indices = _hull([way.indices for way in ways])
    return Backward(
        data, indices, axes or None, _reasons(ways[0]) if len(ways) == 1 else ()
    )


def _no_way(operation: Operation, call: Call, output: PartialShape) -> str:
    if call.data is not None and call.indices is not None:
        if not call.has_axis or call.axis is not None:
            shape = operation.infer(
                call.shapes, axis=call.axis, batch_dims=call.batch_dims
            ).shape
            return f"the output is {output}, but the inputs make it {shape}"
        return f"no axis makes the output {output}"
    return (
        f"no {'data' if call.data is None else 'indices'} can make the output {output}"
    )


def _tries(operation: Operation, output: PartialShape, call: Call) -> Iterator[_Way]:
    """Every choice of what is open that is right and gives an output of that rank."""
    tuples = operation.indexes_by_tuples
    for data, indices in product(
        _ranks(call.shapes[0], False), _ranks(call.shapes[1], tuples)
    ):
        axes: Sequence[int | None] = [call.axis]
        if call.axis is None and operation.has_axis:
            axes = range(len(data))
        for axis in axes:
            try:
                inference = operation.infer(
                    [data, indices], axis=axis, batch_dims=call.batch_dims
                )
            except ShapeInferenceError:
                continue
            if inference.shape.rank == output.rank:
                front = axis + len(data) if axis is not None and axis < 0 else axis
                yield _Way(data, indices, front, inference.origins)


def _ranks(shape: PartialShape, tuples: bool) -> Iterator[PartialShape]:
    """A shape with its rank made known; with ``tuples`` the last dim as well."""
    if shape.dims is not None:
        ranked = [shape]
    else:
        ranked = [PartialShape((ANY,) * rank) for rank in range(_MOST + 1)]
    for candidate in ranked:
        if not tuples or not len(candidate) or candidate[-1].is_static:
            yield candidate
            continue
        last = candidate[-1]
        for length in range(
            last.min, min(_MOST, _MOST if last.max is None else last.max) + 1
        ):
            yield PartialShape(
                (*(candidate.dims or ())[:-1], Dimension(length, symbol=last.symbol))
            )


def _narrowed(output: PartialShape, call: Call, way: _Way) -> _Way:
    """What the dims of the output make of the dims they come from."""
    dims = dict(_dims(way))
    for place, (origin, dim) in enumerate(zip(way.origins, output, strict=True)):
        if origin.kind == "product":
            _divide(call, dims, origin, dim, place)
            continue
        if origin.kind == "bounded":
            equal = origin.sources[:1]
        else:
            equal = origin.sources
        for source in equal:
            if not dims[source].compatible(dim):
                raise _contradiction(call, place, dim, source, dims[source])
            dim = dims[source] & dim
        for source in equal:
            dims[source] = dims[source] & dim
        if origin.kind == "bounded":
            outer = origin.sources[1]
            at_least = Dimension(dim.min, None)
            if not dims[outer].compatible(at_least):
                raise _contradiction(call, place, dim, outer, dims[outer])
            dims[outer] = dims[outer] & at_least
    narrowed = tuple(dims.values())
    return way._replace(
        data=PartialShape(narrowed[: len(way.data)]),
        indices=PartialShape(narrowed[len(way.data) :]),
    )


def _dims(way: _Way) -> Iterator[tuple[DimSource, Dimension]]:
    for argument, shape in (("data", way.data), ("indices", way.indices)):
        for place, dim in enumerate(shape):
            yield DimSource(argument, place), dim


def _contradiction(
    call: Call, place: int, dim: Dimension, source: DimSource, known: Dimension
) -> ShapeInferenceError:
    message = f"output dim {place} is {dim}, but {source} is {known}"
    return call.error("dims_mismatch", source.argument, message, source.dim)


def _divide(
    call: Call, dims: Dims, origin: DimOrigin, dim: Dimension, place: int
) -> None:
    """Of dims whose product is known, what the last one that is open must be."""
    factor = 1
    whole = Dimension(1)
    still_open = []
    for pair in zip(origin.sources[::2], origin.sources[1::2], strict=True):
        dims[pair[0]] = dims[pair[1]] = both = dims[pair[0]] & dims[pair[1]]
        whole = whole * both
        if both.is_static:
            factor *= both.min
        else:
            still_open.append(pair)
    wrong = not whole.compatible(dim)
    if not wrong and dim.is_static and len(still_open) == 1 and factor:
        wrong = bool(dim.min % factor)
        rest = Dimension(dim.min // factor)
        for source in still_open[0]:
            wrong = wrong or not dims[source].compatible(rest)
            dims[source] = rest
    if wrong:
        message = (
            f"output dim {place} is {dim}, but the product of the batch dims is {whole}"
        )
        raise call.error("dims_mismatch", "indices", message)


def _hull(shapes: Sequence[PartialShape]) -> PartialShape:
    """The narrowest shape that holds all of ``shapes``."""
    if len({shape.rank for shape in shapes}) > 1:
        return DYNAMIC_RANK
    dims = []
    for column in zip(*shapes, strict=True):
        high = None
        if not any(dim.max is None for dim in column):
            high = max(dim.max or 0 for dim in column)
        symbol = None
        if len({dim.symbol for dim in column}) == 1:
            symbol = column[0].symbol
        dims.append(Dimension(min(dim.min for dim in column), high, symbol=symbol))
    return PartialShape(tuple(dims))


def _reasons(way: _Way) -> tuple[str, ...]:
    reasons: dict[DimSource, str] = {}
    for place, origin in enumerate(way.origins):
        for source in origin.sources:
            reasons[source] = f"output dim {place}" + (
                " is a product with it" if origin.kind == "product" else ""
            )
        if origin.kind == "bounded":
            reasons[origin.sources[1]] = f"at least output dim {place}"
    unknown = "the output does not tell"
    return tuple(
        [
            f"{source} = {dim.named}: {reasons.get(source, unknown)}"
            for source, dim in _dims(way)
        ]
    )
