"""Shape inference at the top of ``ovgather``, by operation type and opset: forward, with its reasons, and backward."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, OvgatherError, short_repr
from ovgather.ops import openvino as ops
from ovgather.tensor.foreign import array_of
from ovgather.tensor.guard import guarded, require
from ovgather.tensor.shape import PartialShape, key_of, of_dims, of_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ovgather.ops.backward import Backward
    from ovgather.ops.inference import Inference
    from ovgather.ops.operation import Operation
    from ovgather.tensor.shape import Key

_INTEGERS = {int}
_NUMBERS = ("axis", "batch_dims")


@guarded
def infer_shape(
    type: Any,
    shapes: Sequence[object],
    *,
    version: str | int | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
    element_types: Sequence[object] | None = None,
    dialect: str = "openvino",
) -> PartialShape:
    """The output shape of a Gather, GatherElements or GatherND layer.

    Args:
        type: the layer's type, with the version of the operation if there is no ``version``: ``Gather``,
            ``Gather-8``; or a ``NodeProto`` of onnx, which has its axis and batch dims.
        shapes: of the inputs in order, each as ``PartialShape.of`` takes it; that of ``axis`` may be missing.
        version: the layer's opset, as in the file: ``opset13`` gives Gather-8; None: ``opset8``. Of ONNX the model's
            opset: 18 gives Gather-13; None: the newest.
        axis: its value; None: not known, also for GatherElements, whose output is then what holds for every
            axis that fits the shapes (in a file, an absent ``axis`` of GatherElements is 0). In ONNX, where it is an
            attribute of all, None is its default, 0.
        batch_dims: the attribute as written.
        element_types: the inputs' element types, to have them checked too: ``f32``; of ONNX also ``float`` or
            ``tensor(float)``; a dtype of NumPy or torch, an ``openvino.Type``, a number of ``TensorProto.DataType``.
        dialect: ``openvino`` or ``onnx``.

    Raises:
        ShapeInferenceError: the inputs do not fit together.
        InvalidModelError: there is no such operation, or it has no such attribute.
        ValueError: one of ``shapes`` is no shape.

    >>> str(infer_shape("GatherElements", [[3, -1, 5], ["?", "2..8", "?"]], version="opset6", axis=1))
    '[3,2..8,5]'
    >>> str(infer_shape("Gather", [[2, 64, 128], [2, 32, 21]], axis=1, batch_dims=1))
    '[2,32,21,128]'
    >>> infer_shape("Gather", [["vocabulary", 768], ["batch", "seq:..512"]], axis=0).named
    '[batch,seq:..512,768]'
    >>> infer_shape("Gather", [[3, 4], [2, 5]], axis=5)
    Traceback (most recent call last):
    ovgather.errors.ShapeInferenceError: axis 5 is out of range [-2, 1] for data of rank 2: data [3,4],
    indices [2,5], axis 5
    """
    # True is equal to 1, but neither an axis nor a length.
    plain = (
        (axis is None or axis.__class__ is int)
        and batch_dims.__class__ is int
        and element_types is None
    )
    is_usual = plain and type.__class__ is str and dialect == "openvino"
    if is_usual and isinstance(shapes, (list, tuple)) and len(shapes) == 2:
        shape = _infer(
            type, version, _key(shapes[0]), _key(shapes[1]), axis, batch_dims
        )
        if shape is not None:
            return shape
    options = {
        "version": version,
        "axis": axis,
        "batch_dims": batch_dims,
        "dialect": dialect,
    }
    return infer_output(type, shapes, element_types=element_types, **options).shape  # type: ignore[arg-type]


def _key(shape: object) -> Key | None:
    if shape.__class__ is PartialShape:
        return shape.key or key_of(shape)
    if (shape.__class__ is list or shape.__class__ is tuple) and {
        *map(type, shape)
    } <= _INTEGERS:
        return tuple(shape)
    return key_of(PartialShape.of(shape))


@lru_cache(maxsize=4096)  # the same layers come again and again
def _infer(
    type: str,
    version: str | int | None,
    data: Key | None,
    indices: Key | None,
    axis: int | None,
    batch_dims: int,
) -> PartialShape | None:
    """The output shape for the keys of two shapes; None where an integer in them is no length."""
    operation = operation_of(type, version, "openvino")
    axis, batch = attributes(operation, axis, batch_dims)
    try:
        shapes = of_key(data), of_key(indices)
    except ValueError:
        return None
    data_dims = shapes[0].dims
    indices_dims = shapes[1].dims
    if (
        data_dims is not None
        and indices_dims is not None
        and not shapes[0].symbolic
        and not shapes[1].symbolic
    ):
        dims = operation.plain_output(data_dims, indices_dims, axis, batch)
        if dims is not None:
            return of_dims(dims)
    return operation.infer(shapes, axis=axis, batch_dims=batch).shape


@guarded
def infer_output(
    type: Any,
    shapes: Sequence[object],
    *,
    version: str | int | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
    element_types: Sequence[object] | None = None,
    dialect: str = "openvino",
) -> Inference:
    """The result of ``infer_shape`` with its sources and assumptions; the arguments are the same.

    Returns:
        An ``Inference``: ``shape``; ``reasons`` (a sentence for each dim) and ``origins`` (the same as data);
        ``equalities`` of symbols that met; ``constraints`` on symbols and input dims.

    >>> inference = infer_output("GatherElements", [["batch", "?", "seq"], ["n", 9, "5..9"]], version="opset6", axis=1)
    >>> inference.shape.named, inference.equalities, inference.constraints
    ('[batch,9,seq:5..9]', ('batch == n',), ('5 <= seq <= 9', 'seq == indices dim 2'))
    >>> inference.reasons[1], inference.origins[1].kind, inference.origins[1].sources[0].argument
    ('dim 1 = 9: indices dim 1 (the axis)', 'copy', 'indices')
    """
    type, axis, batch_dims, dialect = _of_node(type, axis, batch_dims, dialect)
    operation, input_shapes, axis, batch = _read(
        type, shapes, version, axis, batch_dims, dialect
    )
    if axis is None and dialect == "onnx" and operation.has_axis:
        axis = 0
    types = None
    if element_types is not None:
        from ovgather.tensor.onnx_types import of_others

        types = [*map(of_others, element_types)]
    return operation.infer(
        input_shapes, axis=axis, batch_dims=batch, element_types=types
    )


def _of_node(
    type: Any, axis: Any, batch_dims: Any, dialect: str
) -> tuple[str, Any, Any, str]:
    """Type, axis, batch dims and dialect of an ``onnx.NodeProto`` or ``onnx_ir.Node``; any other type as it is."""
    if isinstance(type, str) or not hasattr(type, "op_type"):
        return type, axis, batch_dims, dialect
    if hasattr(type, "attribute"):
        nodes = type.attribute
    else:
        nodes = type.attributes.values()
    given = [each for each in nodes if each.name in _NUMBERS]
    numbers = {
        each.name: each.i if hasattr(each, "i") else each.as_int() for each in given
    }
    return (
        type.op_type,
        numbers.get("axis", axis),
        numbers.get("batch_dims", batch_dims),
        "onnx",
    )


@guarded
def infer_backward(
    type: str,
    output: object,
    shapes: Sequence[object] = (None, None),
    *,
    version: str | int | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
    dialect: str = "openvino",
) -> Backward:
    """The shapes that data and indices must have for the output to be ``output``.

    Args:
        output: the shape of the output, as ``PartialShape.of`` takes it.
        shapes: those of data and of indices as far as they are known, None for one that is not.
        type, version, axis, batch_dims, dialect: as in ``infer_shape``, but that an ``axis`` of None is not known in
            ONNX either.

    Returns:
        ``data`` and ``indices``: no less than what was given, and narrowed by the output and by each other; ``axes``:
        the axes that fit; ``reasons``. Ranks up to 32 are considered.

    Raises:
        ShapeInferenceError: no inputs give this output; the message names the dim where there is one.
        InvalidModelError: there is no such operation, or it has no such attribute.
        ValueError: one of the shapes is none.

    >>> inputs = infer_backward("GatherElements", [3, 10, 5], [[3, 7, 5], None], version="opset6", axis=1)
    >>> str(inputs.indices), inputs.reasons[3]
    ('[3,10,5]', 'indices dim 0 = 3: output dim 0')
    >>> str(infer_backward("Gather", [2, 3, 128], [None, [2, 3]], axis=0).data)
    '[?,128]'
    >>> infer_backward("Gather", [2, 3, 128], [[9, 128, 128], [2]], version="opset8").axes
    Traceback (most recent call last):
    ovgather.errors.ShapeInferenceError: no axis makes the output [2,3,128]: data [9,128,128], indices [2],
    axis not known
    """
    operation, input_shapes, axis, batch = _read(
        type, shapes, version, axis, batch_dims, dialect
    )
    if len(input_shapes) < 2:
        words = (
            "has the inputs data and indices: give both shapes, None for an open one"
        )
        raise InvalidModelError(f"{operation.name} {words}")
    from ovgather.ops.backward import infer_backward as infer_from_output

    return infer_from_output(
        operation, PartialShape.of(output), input_shapes, axis, batch
    )


def _read(
    type: str,
    shapes: Sequence[object],
    version: str | int | None,
    axis: int | None,
    batch_dims: int,
    dialect: str,
) -> tuple[Operation, list[PartialShape], int | None, int]:
    operation = operation_of(type, version, dialect)
    axis, batch = attributes(operation, axis, batch_dims)
    if isinstance(shapes, (str, bytes, bytearray)):  # not letter by letter
        require(shapes=shapes)
    return operation, [PartialShape.of(shape) for shape in shapes], axis, batch


def attributes(
    operation: Operation, axis: Any, batch_dims: Any
) -> tuple[int | None, int]:
    """Both as integers. OpenVINO ignores what an operation lacks; a caller who gives it means something by it."""
    if axis is not None and not operation.has_axis:
        raise InvalidModelError(
            f"{operation.name} has no axis, but is given axis {axis}"
        )
    if batch_dims != 0 and not operation.has_batch_dims:
        raise InvalidModelError(
            f"{operation.name} has no batch_dims, but is given batch_dims {batch_dims}"
        )
    return None if axis is None else integer(axis, "axis"), integer(
        batch_dims, "batch_dims"
    )


def operation_of(type: str, version: str | int | None, dialect: str) -> Operation:
    """The operation that a type and an opset name; without an opset that of opset8, in ONNX the newest.

    A name such as ``Gather-7`` is enough by itself.
    """
    if version is None and isinstance(type, str) and "-" in type:
        known = ops.OPERATIONS
        if dialect == "onnx":
            from ovgather.ops import onnx

            known = onnx.OPERATIONS
        for each in known:
            if each.name == type:
                return each
    if dialect == "openvino":
        opset = "opset8" if version is None else version
        operation = None
        if isinstance(opset, str):
            operation = ops.find(type, opset)
        if operation is not None:
            return operation
    elif dialect != "onnx":
        raise OvgatherError(
            f"dialect {short_repr(dialect)} is unknown: openvino and onnx are known"
        )
    else:
        from ovgather.ops import onnx

        if version is not None and (
            not isinstance(version, int) or isinstance(version, bool)
        ):
            words = "must be the opset of an ONNX model, an integer such as 13"
            raise InvalidModelError(f"version {words}, not {short_repr(version)}")
        operation = onnx.find(type, version)
        if operation is not None:
            return operation
    if type not in ops.FAMILY:
        raise InvalidModelError(
            f"type {short_repr(type)} is not one of {', '.join(sorted(ops.FAMILY))}"
        )
    if dialect == "onnx":
        first = min(each.version for each in onnx.OPERATIONS if each.type == type)
        raise InvalidModelError(
            f"ONNX opset {version} has no {type}: opset {first} is the first that has one"
        )
    opsets = [
        opset for each in ops.OPERATIONS if each.type == type for opset in each.opsets
    ]
    raise InvalidModelError(
        f"opset {short_repr(opset)} has no {type}: {opsets[0]} to {opsets[-1]} have one"
    )


def integer(value: Any, name: str) -> int:
    """An integer, or an array that holds one, as an axis may."""
    if type(value) is int:
        return value
    import numpy

    array = numpy.asarray(array_of(value))
    if array.dtype.kind not in "iu" or array.shape not in ((), (1,)):
        raise InvalidModelError(
            f"{name} must be an integer, a scalar or of shape [1], not {short_repr(value)}"
        )
    return int(array.reshape(()))
