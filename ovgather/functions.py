"""The functions at the top of ``ovgather``: shape inference and evaluation, by operation type and opset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather import ops
from ovgather.errors import InvalidModelError, OvgatherError
from ovgather.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ovgather.element_type import ElementType
    from ovgather.ops import Operation


def infer_shape(
    type: str,
    shapes: Sequence[object],
    *,
    version: str = "opset8",
    axis: int | None = None,
    batch_dims: int = 0,
    element_types: Sequence[str | ElementType | None] | None = None,
    dialect: str = "openvino",
) -> PartialShape:
    """The output shape of a Gather, GatherElements or GatherND layer.

    Args:
        type: the layer's type.
        shapes: of the inputs in order, each as ``PartialShape.of`` takes it; that of ``axis`` may be missing.
        version: the layer's opset, as in the file: ``opset13`` gives Gather-8.
        axis: its value; None: not known, also for GatherElements, whose output is then what holds for every
            axis that fits the shapes (in a file, an absent ``axis`` of GatherElements is 0).
        batch_dims: the attribute as written.
        element_types: names of the inputs' element types, to have them checked too.
        dialect: ``openvino``.

    Raises:
        ShapeInferenceError: the inputs do not fit together.
        InvalidModelError: there is no such operation, or it has no such attribute.
        ValueError: one of ``shapes`` is no shape.

    >>> str(infer_shape("GatherElements", [[3, -1, 5], ["?", "2..8", "?"]], version="opset6", axis=1))
    '[3,2..8,5]'
    >>> str(infer_shape("Gather", [[2, 64, 128], [2, 32, 21]], axis=1, batch_dims=1))
    '[2,32,21,128]'
    >>> infer_shape("Gather", [[3, 4], [2, 5]], axis=5)
    Traceback (most recent call last):
    ovgather.errors.ShapeInferenceError: axis 5 is out of range [-2, 1] for data of rank 2: data [3,4],
    indices [2,5], axis 5
    """
    operation = _operation(type, version, dialect)
    _refuse_foreign(operation, axis, batch_dims)
    made = [PartialShape.of(shape) for shape in shapes]
    known = None if axis is None else _integer(axis, "axis")
    batch = _integer(batch_dims, "batch_dims")
    return operation.infer(made, axis=known, batch_dims=batch, element_types=element_types).shape


def evaluate(
    type: str,
    inputs: Sequence[Any],
    *,
    version: str = "opset8",
    axis: Any = None,
    batch_dims: int = 0,
    strict: bool = False,
    out: np.ndarray | None = None,
    dialect: str = "openvino",
) -> np.ndarray:
    """The output of a Gather, GatherElements or GatherND layer, by the specification.

    Args:
        type: the layer's type.
        inputs: arrays ``data`` (any dtype) and ``indices`` (any integer dtype); for Gather a third one may be
            the axis.
        version: the layer's opset, as in the file.
        axis: for Gather unless it is the third input; for GatherElements, None is the attribute's default, 0.
        batch_dims: the attribute as written.
        strict: raise for every index outside the range that the specification's page states.
        out: an array of the output's shape and dtype to write to; it is then the result. After an error its content
            may have changed.
        dialect: ``openvino``.

    Raises:
        ShapeInferenceError: the arrays do not fit together.
        IndexOutOfRangeError: an index is outside, and the operation does not define what that gives.
        InvalidModelError: there is no such operation, or it has no such attribute.

    >>> evaluate("Gather", [[1, 2, 3, 4, 5], [3, 10, -20]], version="opset8", axis=0).tolist()
    [4, 0, 0]
    >>> evaluate("GatherElements", [[[1, 7], [4, 3]], [[1, 1, 0], [1, 0, 1]]], axis=1).tolist()
    [[7, 7, 1], [3, 4, 3]]
    """
    operation = _operation(type, version, dialect)
    given = list(inputs)
    if operation.axis_from == "input" and len(given) == 3 and axis is None:
        axis = given.pop()
    if len(given) != 2:
        names = ", ".join([item.name for item in operation.inputs])
        wanted = f"{operation.name} takes {len(operation.inputs)} inputs ({names})"
        raise InvalidModelError(f"{wanted}, it is given {len(inputs)}")
    if axis is None and operation.axis_from == "input":
        raise InvalidModelError(f"{operation.name} needs an axis: give axis, or a third input")
    _refuse_foreign(operation, axis, batch_dims)
    chosen = 0 if axis is None else _integer(axis, "axis")
    batch = _integer(batch_dims, "batch_dims")
    return operation.evaluate(*given, axis=chosen, batch_dims=batch, strict=strict, out=out)


def gather(data: Any, indices: Any, axis: Any, batch_dims: int = 0, *, out: np.ndarray | None = None) -> np.ndarray:
    """Gather-8, with the arguments of ``openvino.opset8.gather``: slices of ``data`` along ``axis``.

    Negative indices count from the end, an index outside gives zeros. Raises what ``evaluate`` raises.

    >>> gather([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[0, 0, 4], [4, 0, 0]], axis=1, batch_dims=1).tolist()
    [[1, 1, 5], [10, 6, 6]]
    """
    return evaluate("Gather", [data, indices], version="opset8", axis=axis, batch_dims=batch_dims, out=out)


def gather_elements(data: Any, indices: Any, axis: int = 0, *, out: np.ndarray | None = None) -> np.ndarray:
    """GatherElements-6: one element of ``data`` for each index, along ``axis``.

    Negative indices count from the end. Raises what ``evaluate`` raises.

    >>> gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]]).tolist()
    [[1, 4], [1, 2]]
    >>> gather_elements([[1, 2], [3, 4]], [[0, 2]])
    Traceback (most recent call last):
    ovgather.errors.IndexOutOfRangeError: indices[0,1] is 2, outside [-2, 1]: data [2,2], indices [1,2],
    axis 0
    """
    return evaluate("GatherElements", [data, indices], version="opset6", axis=axis, out=out)


def gather_nd(data: Any, indices: Any, batch_dims: int = 0, *, out: np.ndarray | None = None) -> np.ndarray:
    """GatherND-8: the slice of ``data`` for each index tuple, the last dim of ``indices``.

    Negative indices count from the end. Raises what ``evaluate`` raises.

    >>> gather_nd([[1, 2], [3, 4]], [[0, 1], [-1, 0]]).tolist()
    [2, 3]
    """
    return evaluate("GatherND", [data, indices], version="opset8", batch_dims=batch_dims, out=out)


def _operation(type: str, version: str, dialect: str) -> Operation:
    if dialect == "onnx":
        raise OvgatherError("the ONNX dialect is not there yet")
    if dialect != "openvino":
        raise OvgatherError(f"dialect {dialect!r} is unknown: openvino is known")
    found = ops.find(type, version)
    if found is None:
        raise InvalidModelError(_no_operation(type, version))
    return found


def _no_operation(type: str, version: str) -> str:
    if type not in ops.FAMILY:
        return f"type {type!r} is not one of {', '.join(sorted(ops.FAMILY))}"
    opsets = [opset for operation in ops.operations() if operation.type == type for opset in operation.opsets]
    return f"opset {version!r} has no {type}: {opsets[0]} to {opsets[-1]} have one"


def _refuse_foreign(operation: Operation, axis: object, batch_dims: int) -> None:
    """OpenVINO ignores attributes that an operation lacks; a caller who gives one means something by it."""
    if axis is not None and operation.axis_from is None:
        raise InvalidModelError(f"{operation.name} has no axis, it is given axis {axis}")
    if batch_dims != 0 and all(attribute.name != "batch_dims" for attribute in operation.attributes):
        raise InvalidModelError(f"{operation.name} has no batch_dims, it is given batch_dims {batch_dims}")


def _integer(value: Any, name: str) -> int:
    """An integer, or an array that holds one, as an axis may."""
    if type(value) is int:
        return value
    import numpy

    array = numpy.asarray(value)
    if array.dtype.kind not in "iu" or array.shape not in ((), (1,)):
        raise InvalidModelError(f"{name} must be an integer, a scalar or of shape [1], not {value!r}")
    return int(array.reshape(()))
