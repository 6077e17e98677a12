"""Arrays as ``.npy`` files hold them: text as NumPy's own text, types that NumPy lacks as plain bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.errors import InvalidModelError

if TYPE_CHECKING:
    Array = numpy.ndarray[Any, numpy.dtype[Any]]


def to_npy(array: Array) -> bytes:
    """The content of a ``.npy`` that every NumPy reads without pickle, and ``as_written`` takes back.

    Raises:
        InvalidModelError: a text ends in NUL, which NumPy's text does not keep.

    >>> numpy.load(io.BytesIO(to_npy(numpy.array([["a", "bc"]], object)))).tolist()
    [['a', 'bc']]
    """
    buffer = io.BytesIO()
    numpy.save(buffer, _plain(array), allow_pickle=False)
    return buffer.getvalue()


def _plain(array: Array) -> Array:
    plain = array
    if array.dtype.kind == "O":
        texts = [text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text for text in array.flat]
        if any(text.endswith("\0") for text in texts):
            raise InvalidModelError("the output holds text that ends in NUL, which a .npy cannot keep")
        plain = numpy.array(texts, str).reshape(array.shape)
    elif array.dtype.isbuiltin != 1:  # of the types of ml_dtypes NumPy cannot read all that it writes
        plain = array.view(f"V{array.dtype.itemsize}")
    return plain


def as_written(array: Array, dtype: numpy.dtype[Any]) -> Array:
    """What was read from a ``.npy``, of ``dtype`` where NumPy writes that as something else; else as it is."""
    if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize:
        return array.view(dtype)
    return array.astype(object) if array.dtype.kind == "U" and dtype.kind == "O" else array
