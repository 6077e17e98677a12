"""One operation in terms of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError
from ovgather.ops import openvino as ops
from ovgather.ops.arguments import integer
from ovgather.ops.call import Call
from ovgather.tensor.guard import guarded
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    import numpy as np


@guarded
def lower_gather_elements(indices: Any, axis: Any, data_shape: Any, *, batch_dims: int = 0) -> np.ndarray:
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
    axis, batch = integer(axis, "axis"), integer(batch_dims, "batch_dims")
    shapes = [PartialShape.of(data_shape), PartialShape.of(array.shape)]
    if not shapes[0].is_static:
        raise InvalidModelError(f"data_shape must be static, not {shapes[0]}")
    call = Call(shapes, axis, 0, has_axis=True)
    kind = of_dtype(array.dtype)
    if kind is None:
        raise call.error("element_type", "indices", f"indices must be i32 or i64, not {array.dtype}")
    operation = ops.find("GatherElements", "opset6")
    assert operation is not None
    operation.infer(shapes, axis=axis, element_types=(None, kind))
    lengths = [dim.length for dim in shapes[0]]
    axis = axis if axis >= 0 else axis + len(lengths)
    if not 0 <= batch <= axis:
        raise InvalidModelError(f"batch_dims {batch} is out of range [0, {axis}], up to the axis: {call}")
    size = lengths[axis]
    require_inside(array, [(-size, size - 1)], str(call))
    dtype = numpy.promote_types(array.dtype, numpy.min_scalar_type(-max(lengths)))
    tuples = numpy.empty((*array.shape, len(lengths) - batch), dtype=dtype)
    for place in range(batch, len(lengths)):
        if place == axis:
            wide = array.astype(dtype, copy=False)
            tuples[..., place - batch] = numpy.where(wide < 0, wide + size, wide)
        else:
            along = [1] * len(lengths)
            along[place] = -1
            tuples[..., place - batch] = numpy.arange(array.shape[place]).reshape(along)
    return tuples
