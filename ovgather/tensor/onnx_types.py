"""The element types of ONNX, as a model writes them: ``float``, ``int64``, ``complex64``.

>>> name_of("tensor(float)"), name_of("f32"), name_of("Float"), str(OPENVINO["int64"])
('float', 'float', None, 'i64')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ovgather.errors import ArgumentError, short_repr
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType

if TYPE_CHECKING:
    import numpy as np

# In the order of their numbers in ``TensorProto.DataType``, each with OpenVINO's name, if it has one.
_TYPES = (
    "float=f32 uint8=u8 int8=i8 uint16=u16 int16=i16 int32=i32 int64=i64 string=string bool=boolean float16=f16 "
    "double=f64 uint32=u32 uint64=u64 complex64= complex128= bfloat16=bf16 float8e4m3fn=f8e4m3 float8e4m3fnuz= "
    "float8e5m2=f8e5m2 float8e5m2fnuz= uint4=u4 int4=i4 float4e2m1=f4e2m1 float8e8m0=f8e8m0 uint2=u2 int2= "
    "float6e2m3= float6e3m2="
)
_PAIRS = [pair.split("=") for pair in _TYPES.split()]
NUMBERS = {number: name for number, (name, _) in enumerate(_PAIRS, start=1)}
"""ONNX's names by their numbers in ``TensorProto.DataType``."""
NUMBER_OF = {name: number for number, name in NUMBERS.items()}
OPENVINO: dict[str, ElementType | None] = {
    name: element_type.find(same) for name, same in _PAIRS
}
"""Of each ONNX type that of OpenVINO, None where it has none."""
ANY_13 = frozenset([NUMBERS[number] for number in range(1, 17)])
"""The types of data; no version of these operations takes a later one."""
ANY_1 = ANY_13 - {"bfloat16"}
_BY_OPENVINO = {same.name: name for name, same in OPENVINO.items() if same is not None}


def of_others(value: Any) -> str | ElementType | None:
    """An element type as others write it: a dtype of NumPy or torch, an ``openvino.Type``, a number or enum of ONNX.

    Raises:
        ArgumentError: ``value`` says none.

    >>> import numpy
    >>> [str(of_others(each)) for each in (numpy.float32, numpy.dtype("i8"), 7, "float", None)]
    ['f32', 'i64', 'i64', 'float', 'None']
    """
    if value is None or isinstance(value, (str, ElementType)):
        return value
    package = type(value).__module__.partition(".")[0]
    read: str | ElementType | None = None
    if isinstance(value, int) and not isinstance(value, bool):  # also an enum
        name = NUMBERS.get(int(value), "")
        read = OPENVINO.get(name) or name or None
    elif package == "openvino" and hasattr(value, "get_type_name"):
        read = element_type.find(value.get_type_name())
    elif package == "torch":
        read = element_type.of_name(str(value).removeprefix("torch."))
    else:
        import numpy

        try:
            read = element_type.of_dtype(numpy.dtype(value))
        except TypeError:
            read = None
    if read is None:
        raise ArgumentError(
            f"{short_repr(value)} is no element type of OpenVINO or ONNX"
        )
    return read


def name_of(element_type: str | ElementType) -> str | None:
    """ONNX's name of a type that is written as ONNX (``tensor(float)``, ``float``) or OpenVINO (``f32``) writes it."""
    if isinstance(element_type, ElementType):
        text = element_type.name
    else:
        text = element_type
    if text.startswith("tensor(") and text.endswith(")"):
        inner = text[7:-1]
    else:
        inner = text
    if inner in OPENVINO:
        return inner
    return _BY_OPENVINO.get(inner)


def name_of_dtype(dtype: np.dtype[np.generic]) -> str:
    """ONNX's name of an array's dtype; where it has none, NumPy's."""
    same = element_type.of_dtype(dtype)
    if same is None:
        name = dtype.name.replace("_", "")
    else:
        name = same.name
    return name_of(name) or name_of(name.removesuffix("fn")) or dtype.name
