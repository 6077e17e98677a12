"""The arguments of the public functions: the operation, the axis, ``batch_dims``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, OvgatherError, shown
from ovgather.ops import openvino as ops

if TYPE_CHECKING:
    from ovgather.ops.operation import Operation


def operation_of(type: str, version: str | int | None, dialect: str) -> Operation:
    """The operation that a type and an opset name; without an opset that of opset8, in ONNX the newest."""
    if dialect == "onnx":
        return _onnx_operation(type, version)
    if dialect != "openvino":
        raise OvgatherError(f"dialect {shown(dialect)} is unknown: openvino and onnx are known")
    opset = "opset8" if version is None else version
    operation = ops.find(type, opset) if isinstance(opset, str) else None
    if operation is None:
        raise InvalidModelError(_no_operation(type, opset))
    return operation


def _onnx_operation(type: str, version: str | int | None) -> Operation:
    from ovgather.ops import onnx

    if version is not None and (not isinstance(version, int) or isinstance(version, bool)):
        raise InvalidModelError(
            f"version must be the opset of an ONNX model, an integer such as 13, not {shown(version)}"
        )
    operation = onnx.find(type, version)
    if operation is None:
        types = sorted({operation.type for operation in onnx.operations()})
        if type not in types:
            raise InvalidModelError(f"type {shown(type)} is not one of {', '.join(types)}")
        first = min(operation.version for operation in onnx.operations() if operation.type == type)
        raise InvalidModelError(f"ONNX opset {version} has no {type}: opset {first} is the first that has one")
    return operation


def _no_operation(type: str, version: str | int) -> str:
    if type not in ops.FAMILY:
        return f"type {shown(type)} is not one of {', '.join(sorted(ops.FAMILY))}"
    opsets = [opset for operation in ops.operations() if operation.type == type for opset in operation.opsets]
    return f"opset {shown(version)} has no {type}: {opsets[0]} to {opsets[-1]} have one"


def refuse_foreign(operation: Operation, axis: object, batch_dims: int) -> None:
    """OpenVINO ignores attributes that an operation lacks; a caller who gives one means something by it."""
    if axis is not None and not operation.has_axis:
        raise InvalidModelError(f"{operation.name} has no axis, it is given axis {axis}")
    if batch_dims != 0 and not operation.has_batch_dims:
        raise InvalidModelError(f"{operation.name} has no batch_dims, it is given batch_dims {batch_dims}")


def integer(value: Any, name: str) -> int:
    """An integer, or an array that holds one, as an axis may."""
    if type(value) is int:
        return value
    import numpy

    array = numpy.asarray(value)
    if array.dtype.kind not in "iu" or array.shape not in ((), (1,)):
        raise InvalidModelError(f"{name} must be an integer, a scalar or of shape [1], not {shown(value)}")
    return int(array.reshape(()))
