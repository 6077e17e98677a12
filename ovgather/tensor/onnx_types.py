"""The element types of ONNX, as a model writes them: ``float``, ``int64``, ``complex64``.

>>> name_of("tensor(float)"), name_of("f32"), name_of("Float"), str(OPENVINO["int64"])
('float', 'float', None, 'i64')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType

if TYPE_CHECKING:
    import numpy as np

_SAME = {
    "float": "f32",
    "double": "f64",
    "float16": "f16",
    "bfloat16": "bf16",
    "bool": "boolean",
    "string": "string",
    "complex64": None,
    "complex128": None,
    **{f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
_LATER = {
    "float8e4m3fn": "f8e4m3",
    "float8e5m2": "f8e5m2",
    "float8e8m0": "f8e8m0",
    "float4e2m1": "f4e2m1",
    "int4": "i4",
    "uint4": "u4",
    "uint2": "u2",
    **dict.fromkeys(("float8e4m3fnuz", "float8e5m2fnuz", "float6e2m3", "float6e3m2", "int2")),
}
"""Types that ONNX has, and that no version of these operations takes."""

OPENVINO: dict[str, ElementType | None] = {
    name: None if same is None else element_type.find(same) for name, same in (_SAME | _LATER).items()
}
"""Of each ONNX type that of OpenVINO, None where it has none."""

_NAMES = (
    "float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64 complex64 complex128 bfloat16 "
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2 float6e2m3 "
    "float6e3m2"
)
NUMBERS = dict(enumerate(_NAMES.split(), start=1))
"""ONNX's names by their numbers in ``TensorProto.DataType``."""

ANY_13 = frozenset(_SAME)
ANY_1 = ANY_13 - {"bfloat16"}
_BY_OPENVINO = {same.name: name for name, same in OPENVINO.items() if same is not None}
_BY_DTYPE = {
    "float32": "float",
    "float64": "double",
    "float8_e8m0fnu": "float8e8m0",
    "float4_e2m1fn": "float4e2m1",
    "float6_e2m3fn": "float6e2m3",
    "float6_e3m2fn": "float6e3m2",
}


def name_of(element_type: str | ElementType) -> str | None:
    """ONNX's name of a type that is written as ONNX (``tensor(float)``, ``float``) or OpenVINO (``f32``) writes it."""
    text = element_type.name if isinstance(element_type, ElementType) else element_type
    inner = text[7:-1] if text.startswith("tensor(") and text.endswith(")") else text
    return inner if inner in OPENVINO else _BY_OPENVINO.get(inner)


def name_of_dtype(dtype: np.dtype[np.generic]) -> str:
    """ONNX's name of an array's dtype; where it has none, NumPy's."""
    if dtype.kind in "OUST":
        return "string"
    return _BY_DTYPE.get(dtype.name) or name_of(dtype.name.replace("_", "")) or dtype.name
