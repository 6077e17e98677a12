"""The element types of OpenVINO: how an IR file spells them, how wide they are, which NumPy dtype holds them.

An IR file has two vocabularies. ``<data element_type="f32">`` takes names such as ``f32`` in any case;
``<port precision="FP32">`` takes names such as ``FP32`` and the lower-case names, and no other case.

>>> find_data("F32").port, from_port("FP32").name, find_data("FP32"), from_port("F32")
('FP32', 'f32', None, None)
>>> find("u4").bits, str(find("bf16").dtype)
(4, 'bfloat16')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import InvalidModelError, short_repr

if TYPE_CHECKING:
    import numpy as np


class ElementType:
    """One element type.

    Attributes:
        name: as in ``<data element_type>``: ``f32``.
        port: as written in ``<port precision>``: ``FP32``.
        bits: bits per element as stored in a ``.bin`` (0: not fixed).
        kind: ``signed``, ``unsigned``, ``real``, ``boolean``, ``string`` or ``dynamic``.

    >>> i64 = find("i64")
    >>> str(i64), i64.port, i64.bits, i64.is_integral, str(i64.dtype)
    ('i64', 'I64', 64, True, 'int64')
    """

    __slots__ = ("_dtype", "bits", "kind", "name", "port")

    def __init__(
        self, name: str, port: str, bits: int, kind: str, dtype: str = ""
    ) -> None:
        self.name = name
        self.port = port
        self.bits = bits
        self.kind = kind
        self._dtype = dtype

    @property
    def is_integral(self) -> bool:
        """An integer type: what indices and an axis may be."""
        return self.kind in ("signed", "unsigned")

    @property
    def is_real(self) -> bool:
        """A floating-point type, block formats (``nf4``, ``f4e2m1``) included."""
        return self.kind == "real"

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest number of an integer type."""
        half = 1 << self.bits - 1
        if self.kind == "signed":
            return (-half, half - 1)
        return (0, 2 * half - 1)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The NumPy dtype that holds it, one element per item also for the types narrower than a byte.

        ``string`` is held as objects; ``u1``, ``u3``, ``u6`` and ``nf4``, which NumPy and ml_dtypes lack, as
        the raw code in a byte.

        Raises:
            ValueError: ``dynamic`` has no dtype.
        """
        import numpy

        if not self._dtype:
            raise ValueError(f"element type {self.name} has no dtype")
        if not self._dtype.startswith("ml_dtypes."):
            return numpy.dtype(self._dtype)
        import ml_dtypes

        dtype: np.dtype[np.generic] = numpy.dtype(getattr(ml_dtypes, self._dtype[10:]))
        return dtype

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ElementType({self.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return find, (self.name,)


_TABLE = """
    dynamic  UNSPECIFIED    0 dynamic
    boolean  BOOL           8 boolean  bool
    bf16     BF16          16 real     ml_dtypes.bfloat16
    f16      FP16          16 real     float16
    f32      FP32          32 real     float32
    f64      FP64          64 real     float64
    i4       I4             4 signed   ml_dtypes.int4
    i8       I8             8 signed   int8
    i16      I16           16 signed   int16
    i32      I32           32 signed   int32
    i64      I64           64 signed   int64
    u1       BIN            1 unsigned uint8
    u2       U2             2 unsigned ml_dtypes.uint2
    u3       U3             3 unsigned uint8
    u4       U4             4 unsigned ml_dtypes.uint4
    u6       U6             6 unsigned uint8
    u8       U8             8 unsigned uint8
    u16      U16           16 unsigned uint16
    u32      U32           32 unsigned uint32
    u64      U64           64 unsigned uint64
    nf4      NF4            4 real     uint8
    f8e4m3   F8E4M3         8 real     ml_dtypes.float8_e4m3fn
    f8e5m2   F8E5M2         8 real     ml_dtypes.float8_e5m2
    f8e8m0   F8E8M0         8 real     ml_dtypes.float8_e8m0fnu
    f4e2m1   F4E2M1         4 real     ml_dtypes.float4_e2m1fn
    string   STRING       256 string   object
"""  # name, in a port, bits, kind, dtype

ALL: tuple[ElementType, ...] = tuple(
    ElementType(name, port, int(bits), *others)
    for name, port, bits, *others in map(str.split, _TABLE.strip().splitlines())
)

_BY_NAME = {element_type.name: element_type for element_type in ALL}
_BY_NAME["undefined"] = _BY_NAME["dynamic"]
_BY_PORT = _BY_NAME | {element_type.port: element_type for element_type in ALL}
_BY_PORT |= {"U1": _BY_NAME["u1"], "bin": _BY_NAME["u1"]}
_BY_DTYPE = {  # not the types that NumPy lacks: their codes are held in uint8
    element_type._dtype.rpartition(".")[2]: element_type
    for element_type in ALL
    if element_type.bits >= 8 or element_type._dtype.startswith("ml_dtypes.")
}


def find(name: str) -> ElementType | None:
    """The element type called ``name``, in any case; None if there is none."""
    return _BY_NAME.get(name) or _BY_NAME.get(name.lower())


def named(name: str) -> ElementType:
    """The element type called ``name``; InvalidModelError if there is none."""
    element_type = find(name)
    if element_type is None:
        raise InvalidModelError(
            f"element type {short_repr(name)} is none of OpenVINO's"
        )
    return element_type


# OpenVINO reads ``<data element_type>`` in any case, and gives up at blanks
find_data = find


def from_port(precision: str) -> ElementType | None:
    """The type that OpenVINO reads in ``<port precision="...">``; None if it refuses it."""
    return _BY_PORT.get(precision)


def contradiction(
    left: ElementType | None, right: ElementType | None
) -> tuple[ElementType, ElementType] | None:
    """The two types of one tensor, where both are known and differ."""
    if (
        left is None
        or right is None
        or left == right
        or "dynamic" in (left.name, right.name)
    ):
        return None
    return left, right


def of_name(name: str) -> ElementType | None:
    """The element type of a dtype's name: ``float32``, ``bfloat16``."""
    return _BY_DTYPE.get(name)


def of_dtype(dtype: np.dtype[np.generic]) -> ElementType | None:
    """The element type of an array's dtype; None for dtypes that OpenVINO lacks, such as ``complex64``.

    Text and object arrays are ``string``; byte order does not count.

    >>> import numpy
    >>> of_dtype(numpy.dtype(">i8")).name, of_dtype(numpy.dtype("U3")).name, of_dtype(numpy.dtype("c8"))
    ('i64', 'string', None)
    """
    if dtype.kind in "OUST":
        return _BY_NAME["string"]
    return _BY_DTYPE.get(dtype.name)
