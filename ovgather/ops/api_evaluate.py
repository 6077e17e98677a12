"""Evaluation at the top of ``ovgather``, by operation type and opset; one operation in terms of another."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ovgather.errors import ArgumentError, InvalidModelError, short_repr
from ovgather.ops.api_infer import attributes, integer, operation_of
from ovgather.ops.call import Call
from ovgather.tensor.guard import guarded
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ovgather.ops.operation import Operation
    from ovgather.tensor.arrays import Array

    Out = Array | None
    Threads = int | None


@cache
def _named(type: str, opset: str) -> tuple[Operation, Callable[..., Array]]:
    """An operation and its evaluator, looked up once: small layers take microseconds."""
    from ovgather.ops.evaluation import evaluate

    return operation_of(type, opset, "openvino"), evaluate


@guarded
def evaluate(
    type: str,
    inputs: Sequence[Any],
    *,
    version: str | int | None = None,
    axis: Any = None,
    batch_dims: int = 0,
    strict: bool = False,
    out: Out = None,
    dialect: str = "openvino",
    threads: Threads = None,
    engine: str = "auto",
) -> Array:
    """The output of a Gather, GatherElements or GatherND layer, by the specification.

    Args:
        type: the layer's type, with the version of the operation if there is no ``version``: ``Gather``,
            ``Gather-8``.
        inputs: arrays ``data`` (any dtype) and ``indices`` (any integer dtype); for Gather a third one may be
            the axis.
        version: the layer's opset, as in the file; None: ``opset8``. Of ONNX the model's opset, ``13``; None: the
            newest.
        axis: for Gather unless it is the third input; where it is an attribute, None is its default, 0.
        batch_dims: the attribute as written.
        strict: raise for every index outside the range that the specification's page states.
        out: an array of the output's shape and dtype to write to; it is then the result. After an error its content
            may have changed. An array of more than 16 MiB must not share memory with an input.
        dialect: ``openvino`` or ``onnx``, where an index outside is always an error.
        threads: their number, at most 16; None: as many as the CPUs allow, where it pays.
        engine: ``numpy``; ``numba``, which the extra ``fast`` installs; or ``auto``: numba where it is installed and
            pays. The results are the same.

    Raises:
        ShapeInferenceError: the arrays do not fit together.
        IndexOutOfRangeError: an index is outside, and the operation does not define what that gives.
        InvalidModelError: there is no such operation, it has no such attribute, or ``out``, ``threads`` or ``engine``
            cannot be used.
        UnavailableError: numba is asked for and not installed.

    >>> evaluate("Gather", [[1, 2, 3, 4, 5], [3, 10, -20]], version="opset8", axis=0).tolist()
    [4, 0, 0]
    >>> evaluate("GatherElements", [[[1, 7], [4, 3]], [[1, 1, 0], [1, 0, 1]]], axis=1).tolist()
    [[7, 7, 1], [3, 4, 3]]
    """
    operation = operation_of(type, version, dialect)
    if inputs is None or isinstance(inputs, dict):
        raise ArgumentError(f"inputs must be arrays in order, not {short_repr(inputs)}")
    arrays: list[Any] = list(inputs)
    count = len(arrays)
    if operation.takes_axis and count == 3 and axis is None:
        axis = arrays.pop()
    if len(arrays) != 2:
        raise InvalidModelError(operation.count_message(count))
    if axis is None and operation.takes_axis:
        raise InvalidModelError(
            f"{operation.name} needs an axis: give axis, or a third input"
        )
    axis, batch_dims = attributes(operation, axis, batch_dims)
    from ovgather.ops import evaluation

    return evaluation.evaluate(
        operation,
        arrays[0],
        arrays[1],
        axis or 0,
        batch_dims,
        strict,
        out,
        threads,
        engine,
    )


@guarded
def gather(
    data: Any,
    indices: Any,
    axis: Any,
    batch_dims: int = 0,
    *,
    out: Out = None,
    threads: Threads = None,
    engine: str = "auto",
) -> Array:
    """Gather-8, with the arguments of ``openvino.opset8.gather``: slices of ``data`` along ``axis``.

    Negative indices count from the end, an index outside gives zeros. ``evaluate`` says what ``out``, ``threads`` and
    ``engine`` are, and what is raised. Only the needed slices of a memory-mapped, zarr or dask array are read.

    >>> gather([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[0, 0, 4], [4, 0, 0]], axis=1, batch_dims=1).tolist()
    [[1, 1, 5], [10, 6, 6]]
    """
    operation, evaluate = _named("Gather", "opset8")
    axis = integer(axis, "axis")
    batch_dims = integer(batch_dims, "batch_dims")
    if not batch_dims and (hasattr(data, "oindex") or hasattr(data, "__dask_graph__")):
        from ovgather.ops.evaluation import named_slices

        data, indices = named_slices(data, indices, axis)
    return evaluate(
        operation, data, indices, axis, batch_dims, False, out, threads, engine
    )


@guarded
def gather_elements(
    data: Any,
    indices: Any,
    axis: int = 0,
    *,
    out: Out = None,
    threads: Threads = None,
    engine: str = "auto",
) -> Array:
    """GatherElements-6: one element of ``data`` for each index, along ``axis``; negative ones count from the end.

    ``evaluate`` says what ``out``, ``threads`` and ``engine`` are, and what is raised.

    >>> gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]]).tolist()
    [[1, 4], [1, 2]]
    >>> gather_elements([[1, 2], [3, 4]], [[0, 2]])
    Traceback (most recent call last):
    ovgather.errors.IndexOutOfRangeError: indices[0,1] is 2, outside [-2, 1]: data [2,2], indices [1,2],
    axis 0
    """
    operation, evaluate = _named("GatherElements", "opset6")
    return evaluate(
        operation, data, indices, integer(axis, "axis"), 0, False, out, threads, engine
    )


@guarded
def gather_nd(
    data: Any,
    indices: Any,
    batch_dims: int = 0,
    *,
    out: Out = None,
    threads: Threads = None,
    engine: str = "auto",
) -> Array:
    """GatherND-8: the slice of ``data`` for each index tuple, the last dim of ``indices``.

    Negative indices count from the end. ``evaluate`` says what ``out``, ``threads`` and ``engine`` are, and what is
    raised.

    >>> gather_nd([[1, 2], [3, 4]], [[0, 1], [-1, 0]]).tolist()
    [2, 3]
    """
    operation, evaluate = _named("GatherND", "opset8")
    return evaluate(
        operation,
        data,
        indices,
        None,
        integer(batch_dims, "batch_dims"),
        False,
        out,
        threads,
        engine,
    )


@guarded
def lower_gather_elements(
    indices: Any, axis: Any, data_shape: Any, *, batch_dims: int = 0
) -> Array:
    """The indices with which GatherND gives what GatherElements gives.

    GatherElements "can be expressed through GatherND", its specification page says.

    Args:
        indices: those of GatherElements, int32 or int64.
        axis: the attribute.
        data_shape: the lengths of data.
        batch_dims: that of the GatherND, from 0 to the axis, counted from the front. Each tuple is shorter by so many
            numbers, so the axis itself costs least memory. (GatherND-5 joins two or more batch dims in its output.)

    Returns:
        An array of shape ``[*indices.shape, len(data_shape) - batch_dims]`` and of the dtype of ``indices``, or int64
        where that cannot hold all positions. No index in it is negative, so it suits GatherND-5 and GatherND-8.

    Raises:
        ShapeInferenceError: the shapes do not fit together, or ``indices`` are neither int32 nor int64.
        IndexOutOfRangeError: an index is outside ``[-s, s-1]``.
        InvalidModelError: ``batch_dims`` is out of range, or ``data_shape`` is not static.

    >>> import ovgather
    >>> data, indices = [[1, 7], [4, 3]], [[1, 1, 0], [1, 0, 1]]
    >>> tuples = lower_gather_elements(indices, 1, (2, 2))
    >>> tuples.tolist()
    [[[0, 1], [0, 1], [0, 0]], [[1, 1], [1, 0], [1, 1]]]
    >>> ovgather.gather_nd(data, tuples).tolist() == ovgather.gather_elements(data, indices, 1).tolist()
    True
    >>> lower_gather_elements(indices, 1, (2, 2), batch_dims=1).tolist()
    [[[1], [1], [0]], [[1], [0], [1]]]
    """
    import numpy

    from ovgather.ops.kernels import require_inside
    from ovgather.tensor.element_type import of_dtype

    array = numpy.asarray(indices)
    axis = integer(axis, "axis")
    batch = integer(batch_dims, "batch_dims")
    shapes = [PartialShape.of(data_shape), PartialShape.of(array.shape)]
    if not shapes[0].is_static:
        raise InvalidModelError(f"data_shape must be static, not {shapes[0]}")
    call = Call(shapes, axis, 0, has_axis=True)
    kind = of_dtype(array.dtype)
    if kind is None:
        raise call.error(
            "element_type", "indices", f"indices must be i32 or i64, not {array.dtype}"
        )
    operation_of("GatherElements", "opset6", "openvino").infer(
        shapes, axis=axis, element_types=(None, kind)
    )
    lengths = [dim.length for dim in shapes[0]]
    if not (axis >= 0):
        axis = axis + len(lengths)
    if not 0 <= batch <= axis:
        raise InvalidModelError(
            f"batch_dims {batch} is out of range [0, {axis}], up to the axis: {call}"
        )
    size = lengths[axis]
    require_inside(array, [(-size, size - 1)], str(call))
    dtype = numpy.promote_types(array.dtype, numpy.min_scalar_type(-max(lengths)))
    tuples = numpy.empty((*array.shape, len(lengths) - batch), dtype=dtype)
    for place, positions in enumerate(
        numpy.ix_(*map(numpy.arange, array.shape))[batch:]
    ):
        tuples[..., place] = positions
    wide = array.astype(dtype, copy=False)
    tuples[..., axis - batch] = numpy.where(wide < 0, wide + size, wide)
    return tuples
