"""The values of constants, in the file or external, below the folder of the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ovgather.files.side import SideFileError, map_part, open_side_file
from ovgather.onnx_file.stored import Trouble, bits_of, count_of, is_external, needed_bytes, require_form

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[Any]]

_MOST_DENSE = 1 << 28
"""Elements of a sparse tensor that is written out."""
_DTYPES = {"int": "int64", "float": "float32", "string": "O"}


class External(NamedTuple):
    """The location of a tensor: ``length`` bytes (None: as many as needed) of a file from ``offset``."""

    location: str
    offset: int
    length: int | None


class Beside(NamedTuple):
    """The files beside the model ``path``; ``follow_links``: wherever links lead."""

    path: str
    follow_links: bool = False

    def open(self, external: External, needed: int | None) -> BinaryIO:
        """The file with external data; Trouble if it is missing, refused or too short."""
        try:
            file = open_side_file(self.path, external.location, self.follow_links)
        except SideFileError as error:
            raise Trouble(error.kind, str(error), error.help) from None
        size = os.fstat(file.fileno()).st_size
        length = needed if external.length is None else external.length
        message = ""
        if length is not None and external.offset + length > size:
            message = f"{external.location} has {size} bytes, but the tensor ends at {external.offset + length}"
        elif None not in (needed, external.length) and external.length != needed:
            message = f"its length is {external.length} bytes, but its dims and type need {needed}"
        if message:
            file.close()
            raise Trouble("short", message)
        return file


def external_of(tensor: Any) -> External | None:
    """The location of an external tensor, else None; Trouble if its entries are not usable."""
    if not is_external(tensor):
        return None
    entries = {entry.key: entry.value for entry in tensor.external_data}
    if not entries.get("location"):
        raise Trouble("entry", "it names no location")
    numbers: dict[str, int | None] = {}
    for key in ("offset", "length"):
        number = entries.get(key, "")
        if number and not (number.isascii() and number.isdigit() and len(number) < 20):
            raise Trouble("entry", f"its {key} is {number!r}, which is no number of bytes")
        numbers[key] = int(number) if number else None
    # A length of 0 is none to ONNX Runtime, too.
    return External(entries["location"], numbers["offset"] or 0, numbers["length"] or None)


def require(tensor: Any, beside: Beside | None) -> None:
    """Check that the values of a ``TensorProto`` or a ``Constant`` node can be read; Trouble if not."""
    if hasattr(tensor, "op_type"):
        for attribute in tensor.attribute:
            if attribute.HasField("t"):
                require(attribute.t, beside)
        return
    if _is_sparse(tensor):
        require(tensor.values, beside)
        require(tensor.indices, beside)
        return
    require_form(tensor)
    external = external_of(tensor)
    if external is not None:
        _open(tensor, external, beside).close()


def _open(tensor: Any, external: External, beside: Beside | None) -> BinaryIO:
    if beside is None:
        raise Trouble("missing", f"{external.location}: the model is not read from a folder")
    return beside.open(external, needed_bytes(tensor))


def array(holder: Any, beside: Beside | None) -> Array | None:
    """The values of a constant, external ones mapped; None if a node has none; Trouble if they cannot be read."""
    if hasattr(holder, "op_type"):
        return _of_constant(holder, beside)
    try:
        return _of_sparse(holder, beside) if _is_sparse(holder) else _of_tensor(holder, beside)
    except (ValueError, TypeError, KeyError) as error:
        raise Trouble("values", f"no array can be made of it: {error}") from error


def array_or_none(holder: Any, beside: Beside | None) -> Array | None:
    """The same; None if they cannot be read."""
    try:
        return array(holder, beside)
    except Trouble:
        return None


def _of_tensor(tensor: Any, beside: Beside | None) -> Array:
    import numpy
    from onnx import TensorProto, helper, numpy_helper

    require_form(tensor)
    external = external_of(tensor)
    if external is not None:
        size = needed_bytes(tensor)
        with _open(tensor, external, beside) as file:
            if size is None:
                raise Trouble("entry", "text cannot be external data")
            data = map_part(file, external.offset, size)
        if bits_of(tensor.data_type) in (8, 16, 32, 64, 128):
            dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
            mapped: Array = numpy.frombuffer(data, "u1").view(dtype).reshape(tensor.dims)
            return mapped
        tensor = TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=bytes(data))
    values: Array = numpy_helper.to_array(tensor)
    return values


def _is_sparse(tensor: Any) -> bool:
    return hasattr(tensor, "indices")


def _of_sparse(sparse: Any, beside: Beside | None) -> Array:
    """All elements of a ``SparseTensorProto``: its indices are positions in the flat tensor, or one for each dim."""
    import numpy

    count = count_of(sparse.dims)
    if count > _MOST_DENSE:
        raise Trouble("values", f"it is sparse, and all its elements would be {count}")
    values, indices = _of_tensor(sparse.values, beside), _of_tensor(sparse.indices, beside)
    if indices.dtype.kind not in "iu" or indices.ndim not in (1, 2) or values.shape != indices.shape[:1]:
        raise Trouble("values", "it is sparse, and its indices are not one integer, or one for each dim, a value")
    dense: Array = numpy.zeros(tuple(sparse.dims), values.dtype)
    if indices.ndim == 2:
        try:
            indices = numpy.ravel_multi_index(tuple(indices.T), dense.shape)
        except ValueError:
            raise Trouble("values", f"its indices are outside its dims {list(sparse.dims)}") from None
    if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < count:
        raise Trouble("values", f"its indices are outside its {count} elements")
    dense.reshape(-1)[indices] = values
    return dense


def _of_constant(node: Any, beside: Beside | None) -> Array | None:
    import numpy

    for attribute in node.attribute:
        if attribute.name == "value" and attribute.HasField("t"):
            return array(attribute.t, beside)
        if attribute.name == "sparse_value" and attribute.HasField("sparse_tensor"):
            return array(attribute.sparse_tensor, beside)
        kind = attribute.name.removeprefix("value_")
        if attribute.name == f"value_{kind}" and kind.removesuffix("s") in _DTYPES:
            value = list(getattr(attribute, kind)) if kind.endswith("s") else getattr(attribute, kind[0])
            return numpy.array(value, _DTYPES[kind.removesuffix("s")])
    return None
