"""The reference: what the operation's specification makes of the values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops.operation import Operation

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


def reference(operation: Operation, data: Array, indices: Array, axis: int, batch_dims: int) -> Array:
    """The output, with the attributes that the operation has.

    Raises:
        OvgatherError: the values are not legal for the operation.
    """
    from ovgather.ops.evaluation import evaluate

    batched = operation.has_batch_dims
    return evaluate(operation, data, indices, axis, batch_dims if batched else 0)
