"""The values of constants: in the file, or beside it as external data, which stay below the folder of the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.onnx_file.graphs import text

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[Any]]

_LISTS = {"value_ints": "int64", "value_floats": "float32", "value_strings": "O"}
_SCALARS = {"value_int": "int64", "value_float": "float32", "value_string": "O"}


class External(NamedTuple):
    """Where the bytes of a tensor are: a file, from ``offset`` on, ``length`` bytes (None: as many as it needs)."""

    location: str
    offset: int
    length: int | None


class Trouble(Exception):
    """External data that cannot be had: ``kind`` is ``missing``, ``outside``, ``short`` or ``entry``."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def external_of(tensor: Any) -> External | None:
    """Where a ``TensorProto`` keeps its bytes, None when it holds them itself.

    Raises:
        Trouble: what it says of that cannot be used.
    """
    from onnx import TensorProto

    if not tensor.HasField("data_location") or tensor.data_location != TensorProto.EXTERNAL:
        return None
    said = {text(entry.key): text(entry.value) for entry in tensor.external_data}
    if not said.get("location"):
        raise Trouble("entry", "it names no location")
    numbers: dict[str, int | None] = {}
    for key in ("offset", "length"):
        number = said.get(key, "")
        if number and not (number.isascii() and number.isdigit() and len(number) < 20):
            raise Trouble("entry", f"its {key} is {number!r}, which is no number of bytes")
        numbers[key] = int(number) if number else None
    return External(said["location"], numbers["offset"] or 0, numbers["length"])


def needed_bytes(tensor: Any) -> int | None:
    """How many bytes the elements take; None for text, which has no fixed size, and unknown types.

    Raises:
        Trouble: a dim is negative.
    """
    from math import prod

    bits = _bits(int(tensor.data_type))
    dims = [int(dim) for dim in tensor.dims]
    if any(dim < 0 for dim in dims):
        raise Trouble("entry", f"its dims are {dims}")
    return None if bits is None else (prod(dims) * bits + 7) // 8


def _bits(number: int) -> int | None:
    from onnx import TensorProto, helper

    if number == TensorProto.STRING:
        return None
    name = TensorProto.DataType.Name(number).lower() if number in TensorProto.DataType.values() else ""
    narrow = {"int4": 4, "uint4": 4, "float4e2m1": 4, "int2": 2, "uint2": 2, "float6e2m3": None, "float6e3m2": None}
    if name in narrow:
        return narrow[name]
    try:
        return int(helper.tensor_dtype_to_np_dtype(number).itemsize) * 8
    except (KeyError, TypeError):
        return None


def locate(external: External, folder: str | None, needed: int | None) -> str:
    """The path of the file with the data, when it holds what it should.

    Args:
        folder: that of the model; None: the model came without one.

    Raises:
        Trouble: there is no such file, it lies outside of the folder, or is too short.
    """
    if folder is None:
        raise Trouble("missing", f"{external.location}: the model is not read from a folder")
    place = external.location
    if os.path.isabs(place) or os.path.splitdrive(place)[0] or "\0" in place:
        raise Trouble("outside", f"{place!r} is not a path below the folder of the model")
    root = os.path.realpath(folder or os.curdir)
    path = os.path.realpath(os.path.join(root, place))
    # Also by way of links nothing outside is read.
    if path != root and not path.startswith(os.path.join(root, "")):
        raise Trouble("outside", f"{place!r} leads out of the folder of the model")
    if not os.path.isfile(path):
        raise Trouble("missing", f"{place}: no such file")
    size = os.path.getsize(path)
    length = needed if external.length is None else external.length
    if length is not None and external.offset + length > size:
        end = external.offset + length
        raise Trouble("short", f"{place} has {size} bytes, but the tensor ends at {end}")
    if needed is not None and external.length is not None and external.length < needed:
        raise Trouble("short", f"its length is {external.length} bytes, but its dims and type need {needed}")
    return path


def array(holder: Any, folder: str | None) -> Array | None:
    """The values of what ``Values.tensor`` gives; None where they cannot be had."""
    if hasattr(holder, "op_type"):
        return _of_constant(holder, folder)
    try:
        return _of_tensor(holder, folder)
    except (Trouble, ValueError, TypeError, KeyError, OSError):
        return None


def _of_tensor(tensor: Any, folder: str | None) -> Array:
    from onnx import TensorProto

    external = external_of(tensor)
    if external is None:
        return _to_array(tensor)
    needed = needed_bytes(tensor)
    path = locate(external, folder, needed)
    if needed is None:
        raise Trouble("entry", "text cannot be external data")
    with open(path, "rb") as file:
        file.seek(external.offset)
        held = TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=file.read(needed))
    return _to_array(held)


def _to_array(tensor: Any) -> Array:
    from onnx import numpy_helper

    made: Array = numpy_helper.to_array(tensor)
    return made


def _of_constant(node: Any, folder: str | None) -> Array | None:
    import numpy

    for attribute in node.attribute:
        if attribute.name == "value" and attribute.HasField("t"):
            return array(attribute.t, folder)
        if attribute.name in _SCALARS:
            field = {"value_int": "i", "value_float": "f", "value_string": "s"}[attribute.name]
            return numpy.array(getattr(attribute, field), dtype=_SCALARS[attribute.name])
        if attribute.name in _LISTS:
            field = attribute.name[6:]
            return numpy.array(list(getattr(attribute, field)), dtype=_LISTS[attribute.name])
    return None
