"""What the functions at the top of ``ovgather`` make of their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather import ops
from ovgather.errors import InvalidModelError, OvgatherError

if TYPE_CHECKING:
    from ovgather.ops import Operation


def operation_of(type: str, version: str, dialect: str) -> Operation:
    """The operation that a type and an opset name.

    Raises:
        InvalidModelError: there is none.
        OvgatherError: there is no such dialect.
    """
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


def refuse_foreign(operation: Operation, axis: object, batch_dims: int) -> None:
    """OpenVINO ignores attributes that an operation lacks; a caller who gives one means something by it.

    Raises:
        InvalidModelError: the operation lacks an attribute that is given.
    """
    if axis is not None and operation.axis_from is None:
        raise InvalidModelError(f"{operation.name} has no axis, it is given axis {axis}")
    if batch_dims != 0 and all(attribute.name != "batch_dims" for attribute in operation.attributes):
        raise InvalidModelError(f"{operation.name} has no batch_dims, it is given batch_dims {batch_dims}")


def integer(value: Any, name: str) -> int:
    """An integer, or an array that holds one, as an axis may.

    Raises:
        InvalidModelError: it is neither.
    """
    if type(value) is int:
        return value
    import numpy

    array = numpy.asarray(value)
    if array.dtype.kind not in "iu" or array.shape not in ((), (1,)):
        raise InvalidModelError(f"{name} must be an integer, a scalar or of shape [1], not {value!r}")
    return int(array.reshape(()))
