"""The values in a ``TensorProto``, compared with its dims and its type."""

from collections.abc import Iterable
from typing import Any

from ovgather.files.side import SideFileError
from ovgather.tensor.onnx_types import NUMBERS

_MOST_ELEMENTS = (1 << 63) - 1
_FIELDS = ("float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data")
_NARROW = {"int4": 4, "uint4": 4, "float4e2m1": 4, "int2": 2, "uint2": 2, "float6e2m3": None, "float6e3m2": None}


class Trouble(SideFileError):
    """Values that cannot be read.

    Its ``kind`` is one of ``SideFileError``; ``short``: the file is too short; ``entry``: the tensor describes the file
    wrongly; ``values``: its own values do not fit its dims and type.
    """


def count_of(dims: Iterable[int]) -> int:
    """The number of elements; Trouble if a dim is negative, or ONNX cannot count so many."""
    lengths = [int(dim) for dim in dims]
    negative = next((dim for dim in lengths if dim < 0), None)
    if negative is not None:
        raise Trouble("values", f"it has the dim {negative}")
    count = 0 if 0 in lengths else 1
    for length in lengths:
        count *= length
        if count > _MOST_ELEMENTS:
            raise Trouble("values", "its dims are those of more than 2^63 elements")
    return count


def needed_bytes(tensor: Any) -> int | None:
    """The bytes of the elements; None for text, which has no fixed size, and unknown types."""
    count, bits = count_of(tensor.dims), bits_of(int(tensor.data_type))
    return None if bits is None else (count * bits + 7) // 8


def bits_of(number: int) -> int | None:
    """The bits of an element of a ``TensorProto.DataType``; None if not known or not fixed."""
    from onnx import TensorProto, helper

    name = NUMBERS.get(number, "")
    if number == TensorProto.STRING:
        return None
    if name in _NARROW:
        return _NARROW[name]
    try:
        return int(helper.tensor_dtype_to_np_dtype(number).itemsize) * 8
    except (KeyError, TypeError):
        return None


def is_external(tensor: Any) -> bool:
    """Whether a file holds the values of a ``TensorProto``."""
    from onnx import TensorProto

    return bool(tensor.HasField("data_location") and tensor.data_location == TensorProto.EXTERNAL)


def require_form(tensor: Any) -> None:
    """Check the values in a tensor, or, if it is external, that there are none; Trouble of kind ``values``."""
    if not is_external(tensor):
        require_values(tensor)
        return
    needed_bytes(tensor)
    if tensor.raw_data or any(len(getattr(tensor, field)) for field in _FIELDS):
        raise Trouble("values", "it holds values itself, and says that a file holds them")


def require_values(tensor: Any) -> None:
    """Check that a tensor has exactly the values that its dims and type need; Trouble if not."""
    from onnx import TensorProto, helper

    kind = int(tensor.data_type)
    if kind == TensorProto.UNDEFINED:
        raise Trouble("values", "it has no element type")
    count = count_of(tensor.dims)
    fields = [field for field in _FIELDS if len(getattr(tensor, field))]
    raw = len(tensor.raw_data)  # asked for once: protobuf copies it each time
    if raw:
        fields.insert(0, "raw_data")
    if not fields and count:
        raise Trouble("values", f"it holds no values, but its dims are those of {count} elements")
    if len(fields) > 1:
        raise Trouble("values", f"it holds values both in {fields[0]} and in {fields[1]}")
    if not fields or kind not in NUMBERS:
        return
    (field,) = fields
    if field == "raw_data":
        if kind == TensorProto.STRING:
            raise Trouble("values", "text cannot be raw_data")
        expected_size, size, unit = needed_bytes(tensor), raw, "bytes"
    else:
        right = helper.tensor_dtype_to_field(kind)
        if field != right:
            raise Trouble("values", f"values of {NUMBERS[kind]} belong into {right}, not into {field}")
        expected_size, size, unit = _entries(kind, count), len(getattr(tensor, field)), "values"
    if expected_size is not None and size != expected_size:
        raise Trouble("values", f"it holds {size} {unit} in {field}, but its dims and type need {expected_size}")


def _entries(kind: int, count: int) -> int:
    """The entries of the typed field: complex numbers take two each, narrow types share them."""
    name = NUMBERS[kind]
    if name.startswith("complex"):
        return 2 * count
    bits = _NARROW.get(name)
    return count if bits is None else (count * bits + 7) // 8
