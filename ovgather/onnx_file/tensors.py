"""The values of constants, in the file or external, below the folder of the file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ovgather.files.side import SideFileError, open_side_file, read_part
from ovgather.tensor.onnx_types import NUMBER_OF, NUMBERS

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_MOST_ELEMENTS = (1 << 63) - 1
_MOST_COPIED = 1 << 22
"""Bytes. Protobuf gives ``raw_data`` and even its length by a copy of it."""
_RAW = "raw_data"
_FIELDS = (
    "float_data",
    "int32_data",
    "string_data",
    "int64_data",
    "double_data",
    "uint64_data",
)
_NARROW = {
    "int4": 4,
    "uint4": 4,
    "float4e2m1": 4,
    "int2": 2,
    "uint2": 2,
    "float6e2m3": None,
    "float6e3m2": None,
}
_CUT_BITS = 32
"""Of types of so many bits OpenVINO takes ``raw_data`` that end within an element."""
_MOST_DENSE = 1 << 28
"""Elements of a sparse tensor that is written out."""
_DTYPES = {"int": "int64", "float": "float32", "string": "O"}
CONSTANT_TYPES = {
    "value_float": 1,
    "value_floats": 6,
    "value_int": 2,
    "value_ints": 7,
    "sparse_value": 11,
    "value": 4,
}
"""The attributes of a Constant that OpenVINO reads, in the order in which it looks for them, with their types."""
_TEXTS = ("value_string", "value_strings")
FIRST_WITH_NUMBERS = 13
"""The first opset of which OpenVINO reads another attribute of a Constant than ``value``."""


class TensorError(SideFileError):
    """Values that cannot be read.

    Its ``kind`` is one of ``SideFileError``; ``short``: the file is too short; ``entry``: the tensor describes the file
    wrongly; ``values``: its own values do not fit its dims and type.
    """


def count_of(dims: Iterable[int]) -> int:
    """The number of elements; TensorError if a dim is negative, or ONNX cannot count so many."""
    lengths = [int(dim) for dim in dims]
    for dim in lengths:
        if dim < 0:
            raise TensorError("values", f"it has the dim {dim}")
    count = 0 if 0 in lengths else 1
    for length in lengths:
        count *= length
        if count > _MOST_ELEMENTS:
            raise TensorError("values", "its dims are those of more than 2^63 elements")
    return count


def needed_bytes(tensor: Any) -> int | None:
    """The bytes of the elements; None for text, which has no fixed size, and unknown types."""
    count = count_of(tensor.dims)
    bits = bits_of(int(tensor.data_type))
    if bits is None:
        return None
    return (count * bits + 7) // 8


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
    from onnx import TensorProto

    return bool(
        tensor.HasField("data_location")
        and tensor.data_location == TensorProto.EXTERNAL
    )


def require_form(tensor: Any, is_object: bool = False) -> None:
    """Check that a tensor has exactly the values of its dims and type, or none if it is external; else TensorError.

    Large ``raw_data`` of an object that a caller has is taken to be of the right length.
    """
    from onnx import TensorProto, helper

    kind = int(tensor.data_type)
    has_file = is_external(tensor)
    if kind == TensorProto.UNDEFINED and not has_file:
        raise TensorError("values", "it has no element type")
    if kind != TensorProto.UNDEFINED and kind not in NUMBERS:
        raise TensorError("values", f"there is no element type {kind}")
    if tensor.HasField("segment"):
        raise TensorError("values", "it is a segment of a tensor, which nobody joins")
    count = count_of(tensor.dims)
    raw_size = None
    if is_object and tensor.HasField("raw_data"):
        raw_size = needed_bytes(tensor)
    if raw_size is None or raw_size <= _MOST_COPIED:
        raw_size = len(tensor.raw_data)
    sizes = {field: len(getattr(tensor, field)) for field in _FIELDS}
    sizes = {field: size for field, size in sizes.items() if size}
    if raw_size or (sizes and tensor.HasField(_RAW)):
        sizes = {_RAW: raw_size, **sizes}
    if sizes and has_file:
        raise TensorError(
            "values", "it holds values itself, and says that a file holds them"
        )
    if not sizes and count and not has_file:
        raise TensorError(
            "values", f"it holds no values, but its dims are those of {count} elements"
        )
    if len(sizes) > 1:
        raise TensorError(
            "values", "it holds values both in {} and in {}".format(*sizes)
        )
    if not sizes or kind == TensorProto.UNDEFINED:
        return
    [(field, size)] = sizes.items()
    if field == _RAW:
        if kind == TensorProto.STRING:
            raise TensorError("values", "text cannot be raw_data")
        expected_size = needed_bytes(tensor)
        unit = "bytes"
    else:
        right = helper.tensor_dtype_to_field(kind)
        if field != right:
            raise TensorError(
                "values",
                f"values of {NUMBERS[kind]} belong into {right}, not into {field}",
            )
        # In these fields complex numbers take two entries each, and narrow types share them.
        entries = count * (1 + NUMBERS[kind].startswith("complex"))
        bits = _NARROW.get(NUMBERS[kind])
        expected_size = entries if bits is None else (count * bits + 7) // 8
        unit = "values"
    if expected_size is not None and size != expected_size:
        raise TensorError(
            "values",
            f"it holds {size} {unit} in {field}, but its dims and type need {expected_size}",
        )


def is_read_by_openvino(tensor: Any) -> bool | None:
    """Whether OpenVINO reads a tensor whose values may not be those of its dims and type; None: it finds none.

    It counts whole elements, and takes a scalar for 0 where there are none.
    """
    from onnx import helper

    kind = int(tensor.data_type)
    bits = bits_of(kind)
    try:
        count = count_of(tensor.dims)
    except TensorError:
        return False
    if is_external(tensor) or kind not in NUMBERS or tensor.HasField("segment"):
        return False
    if not tensor.HasField(_RAW):
        held = len(getattr(tensor, helper.tensor_dtype_to_field(kind)))
    elif not tensor.raw_data:
        held = 0
    elif bits is None or (
        bits < _CUT_BITS and len(tensor.raw_data) != needed_bytes(tensor)
    ):
        return False
    else:
        held = len(tensor.raw_data) * 8 // bits
    if not held and not tensor.HasField(_RAW):
        return None
    return held == count or (not held and not tensor.dims)


class External(NamedTuple):
    """The location of a tensor: ``length`` bytes (None: as many as needed) of a file from ``offset``."""

    location: str
    offset: int
    length: int | None


class ExternalFiles(NamedTuple):
    """Files beside the model ``path``; ``follow_links``: wherever links lead. ``held``: tensors in their place."""

    path: str
    follow_links: bool = False
    held: Mapping[str, Any] | None = None


def external_of(tensor: Any) -> External | None:
    """The location of an external tensor, else None; TensorError if its entries are not usable."""
    if not is_external(tensor):
        return None
    entries = {entry.key: entry.value for entry in tensor.external_data}
    if not entries.get("location"):
        raise TensorError("entry", "it names no location")
    numbers: dict[str, int] = {}
    for key in ("offset", "length"):
        number = entries.get(key, "0")
        if not (number.isascii() and number.isdigit() and len(number) < 20):
            raise TensorError(
                "entry", f"its {key} is {number!r}, which is no number of bytes"
            )
        numbers[key] = int(number)
    # A length of 0 is none to ONNX Runtime, too.
    return External(entries["location"], numbers["offset"], numbers["length"] or None)


def require(tensor: Any, beside: ExternalFiles | None) -> None:
    """Check that the values of what a ``Constant`` holds, or a ``TensorProto``, can be read; TensorError if not."""
    if hasattr(tensor, "indices"):
        tensors = [tensor.values, tensor.indices]
    elif hasattr(tensor, "ref_attr_name"):
        tensors = [tensor.t] if tensor.HasField("t") else []
    else:
        tensors = [tensor]
    for each in tensors:
        require_form(each)
        external = external_of(each)
        if external is not None and (
            beside is None or external.location not in (beside.held or ())
        ):
            _open(each, external, beside).close()


def surplus(tensor: Any, beside: ExternalFiles | None) -> int:
    """The bytes that the file has beyond an external tensor without a length: OpenVINO takes them for its values, too.

    TensorError if the tensor cannot be read.
    """
    external = external_of(tensor)
    needed = needed_bytes(tensor)
    if external is None or external.length is not None or needed is None:
        return 0
    if beside is not None and external.location in (beside.held or ()):
        return 0
    with _open(tensor, external, beside) as file:
        return os.fstat(file.fileno()).st_size - external.offset - needed


def _open(tensor: Any, external: External, beside: ExternalFiles | None) -> BinaryIO:
    """The file with external data; TensorError if it is missing, refused or too short."""
    location, offset, length = external
    if beside is None:
        raise TensorError("missing", f"{location}: the model is not read from a folder")
    needed = needed_bytes(tensor)
    try:
        file = open_side_file(beside.path, location, beside.follow_links)
    except SideFileError as error:
        raise TensorError(error.kind, str(error), error.help) from None
    size = os.fstat(file.fileno()).st_size
    used = needed if length is None else length
    if used is not None and offset + used > size:
        message = f"{location} has {size} bytes, but the tensor ends at {offset + used}"
    elif None not in (needed, length) and length != needed:
        message = f"its length is {length} bytes, but its dims and type need {needed}"
    else:
        return file
    file.close()
    raise TensorError("short", message)


def _held(external: External, beside: ExternalFiles | None) -> Array | None:
    """The values of a tensor that somebody holds in memory."""
    if beside is None or beside.held is None or external.location not in beside.held:
        return None
    values: Array = beside.held[external.location].numpy()
    return values


def array(holder: Any, beside: ExternalFiles | None) -> Array | None:
    """The values of a constant, many external ones mapped; None if a node has none; TensorError if unreadable."""
    if holder is None:
        return None
    if hasattr(holder, "ref_attr_name"):
        return _of_attribute(holder, beside)
    try:
        if hasattr(holder, "indices"):
            return _of_sparse(holder, beside)
        return _of_tensor(holder, beside)
    except (ValueError, TypeError, KeyError) as error:
        raise TensorError("values", f"no array can be made of it: {error}") from error


def array_or_none(holder: Any, beside: ExternalFiles | None) -> Array | None:
    """The same; None if they cannot be read."""
    try:
        return array(holder, beside)
    except TensorError:
        return None


def _of_tensor(tensor: Any, beside: ExternalFiles | None) -> Array:
    import numpy
    from onnx import TensorProto, helper, numpy_helper

    require_form(tensor)
    external = external_of(tensor)
    if external is not None and (values := _held(external, beside)) is not None:
        return values
    if external is not None:
        size = needed_bytes(tensor)
        with _open(tensor, external, beside) as file:
            if size is None:
                raise TensorError("entry", "text cannot be external data")
            data = read_part(file, external.offset, size)
            if data is None:
                raise TensorError("short", f"{external.location} was cut meanwhile")
        if bits_of(tensor.data_type) in (8, 16, 32, 64, 128):
            dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
            mapped: Array = (
                numpy.frombuffer(data, "u1").view(dtype).reshape(tensor.dims)
            )
            return mapped
        tensor = TensorProto(
            data_type=tensor.data_type, dims=tensor.dims, raw_data=bytes(data)
        )
    array: Array = numpy_helper.to_array(tensor)
    return array


def _of_sparse(sparse: Any, beside: ExternalFiles | None) -> Array:
    """All elements of a ``SparseTensorProto``: its indices are positions in the flat tensor, or one for each dim."""
    import numpy

    count = count_of(sparse.dims)
    if count > _MOST_DENSE:
        raise TensorError(
            "values", f"it is sparse, and all its elements would be {count}"
        )
    values = _of_tensor(sparse.values, beside)
    indices = _of_tensor(sparse.indices, beside)
    if (
        indices.dtype.kind not in "iu"
        or indices.ndim not in (1, 2)
        or values.shape != indices.shape[:1]
    ):
        raise TensorError(
            "values",
            "it is sparse, and its indices are not one integer, or one for each dim, a value",
        )
    dense: Array = numpy.zeros(tuple(sparse.dims), values.dtype)
    if indices.ndim == 2:
        try:
            indices = numpy.ravel_multi_index(tuple(indices.T), dense.shape)
        except ValueError:
            raise TensorError(
                "values", f"its indices are outside its dims {list(sparse.dims)}"
            ) from None
    if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < count:
        raise TensorError("values", f"its indices are outside its {count} elements")
    dense.reshape(-1)[indices] = values
    return dense


def held_by_constant(node: Any, opset: int | None) -> Any:
    """The attribute with the value of a ``Constant`` node, of several that which OpenVINO reads; None: it has none."""
    held: dict[str, Any] = {}
    for attribute in node.attribute:
        held.setdefault(attribute.name, attribute)
    if "value" in held and opset is not None and opset < FIRST_WITH_NUMBERS:
        return held["value"]
    names = (*CONSTANT_TYPES, *_TEXTS)
    return next((held[name] for name in names if name in held), None)


def _of_attribute(attribute: Any, beside: ExternalFiles | None) -> Array | None:
    import numpy

    if attribute.name == "value" and attribute.HasField("t"):
        return array(attribute.t, beside)
    if attribute.name == "sparse_value" and attribute.HasField("sparse_tensor"):
        return array(attribute.sparse_tensor, beside)
    kind = attribute.name.removeprefix("value_")
    if kind.removesuffix("s") not in _DTYPES:
        return None
    if kind.endswith("s"):
        value = list(getattr(attribute, kind))
    else:
        value = getattr(attribute, kind[0])
    return numpy.array(value, _DTYPES[kind.removesuffix("s")])


def header(name: str, array: Array, type: str) -> Any:
    """A ``TensorProto`` for ``array``, without its values."""
    from onnx import TensorProto

    return TensorProto(name=name, dims=array.shape, data_type=NUMBER_OF[type])


def tensor_proto(name: str, array: Array, type: str) -> Any:
    proto = header(name, array, type)
    if type == "string":
        proto.string_data.extend(
            str(text).encode("utf-8", "surrogateescape") for text in array.reshape(-1)
        )
    else:
        proto.raw_data = array.tobytes()
    return proto
