"""Arrays for ``.npy`` files: text as NumPy's own text, types that NumPy lacks as plain bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.errors import InvalidModelError

if TYPE_CHECKING:
    Array = numpy.ndarray[Any, numpy.dtype[Any]]


def to_npy(array: Array) -> bytes:
    """The content of a ``.npy`` that any NumPy reads without pickle, and ``as_written`` restores."""
    buffer = io.BytesIO()
    numpy.save(buffer, _plain(array), allow_pickle=False)
    return buffer.getvalue()


def _plain(array: Array) -> Array:
    if array.dtype.kind == "O":
        texts = [text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text for text in array.flat]
        if any(text.endswith("\0") for text in texts):
            raise InvalidModelError("the output holds text that ends in NUL, which a .npy cannot keep")
        array = numpy.array(texts, str).reshape(array.shape)
    elif array.dtype.isbuiltin != 1:  # NumPy cannot read all types of ml_dtypes that it writes
        array = array.view(f"V{array.dtype.itemsize}")
    return array


def dtype_as_written(dtype: numpy.dtype[Any], target: numpy.dtype[Any]) -> numpy.dtype[Any]:
    """The dtype that ``dtype`` in a ``.npy`` stands for: ``target`` if NumPy writes that as ``dtype``."""
    as_bytes = dtype.kind == "V" and dtype.itemsize == target.itemsize
    as_text = dtype.kind == "U" and target.kind == "O"
    return target if as_bytes or as_text else dtype


def as_written(array: Array, target: numpy.dtype[Any]) -> Array:
    """An array of a ``.npy``, in its original dtype; see ``dtype_as_written``."""
    dtype = dtype_as_written(array.dtype, target)
    if dtype == array.dtype:
        return array
    return array.astype(object) if dtype.kind == "O" else array.view(dtype)
