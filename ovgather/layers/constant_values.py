"""The values of constants as arrays, strings and packed types included; and arrays as a ``.bin`` holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ovgather.tensor import packing
from ovgather.tensor.packing import pack_strings, unpack_strings

if TYPE_CHECKING:
    from ovgather.ir.constants import Constant
    from ovgather.tensor.element_type import ElementType

    Array = numpy.ndarray


def constant_array(constant: Constant | None) -> Array | None:
    """The elements of a Const, strings as ``str`` (lone surrogates for bad UTF-8); None if bytes are missing."""
    data = constant.data if constant is not None else None
    if constant is None or data is None:
        return None
    try:
        if constant.element_type.name != "string":
            return packing.unpack(constant.element_type, constant.shape, data)
        texts = unpack_strings(data, constant.elements)
    except ValueError:
        return None
    array = numpy.empty(constant.elements, object)
    array[:] = [text.decode("utf-8", "surrogateescape") for text in texts]
    return array.reshape(constant.shape)


def to_bin(element_type: ElementType, array: Array) -> bytes:
    """``array`` as the bytes of a Const."""
    if element_type.name != "string":
        return packing.pack(element_type, array)
    texts = [text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogateescape") for text in array.flat]
    return pack_strings(texts)
