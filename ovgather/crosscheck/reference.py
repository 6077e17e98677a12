"""The reference: what the operation's specification makes of the values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops._spec import Operation

if TYPE_CHECKING:
    from ovgather.crosscheck.arrays import Array


def reference(operation: Operation, data: Array, indices: Array, axis: int, batch_dims: int) -> Array:
    """``operation.evaluate`` with the attributes that it has.

    Raises:
        OvgatherError: the values are not legal for the operation.
    """
    batched = any(attribute.name == "batch_dims" for attribute in operation.attributes)
    if not operation.axis_from:
        return operation.evaluate(data, indices, batch_dims=batch_dims)
    if not batched:
        return operation.evaluate(data, indices, axis=axis)
    return operation.evaluate(data, indices, axis=axis, batch_dims=batch_dims)
