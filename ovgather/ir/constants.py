"""Constants: their declaration in ``<data>``, their bytes in the ``.bin``."""

from __future__ import annotations

import struct
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.numbers import leading_integer, read_id
from ovgather.ir.weights import Weights
from ovgather.tensor.element_type import ElementType, find_data

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_SURE = 18  # digits of a number that surely has at most 63 bits
_LARGEST_RANK = 1_000

_new = tuple.__new__  # half the time of Constant(...)

INTEGER_CODES = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q"}


class Constant(NamedTuple):
    """A constant: its declaration, and the ``.bin`` that holds its bytes, if there is one."""

    element_type: ElementType
    shape: tuple[int, ...]
    offset: int
    size: int
    weights: Weights | None

    @property
    def data(self) -> memoryview | None:
        """The bytes; None if the ``.bin`` is absent or too short."""
        return self.weights.read(self.offset, self.size) if self.weights is not None else None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def bytes_needed(self) -> int:
        """The bytes that shape and element type need; 0 for strings, which have no fixed length."""
        return 0 if self.element_type.name == "string" else (self.elements * self.element_type.bits + 7) // 8

    @property
    def fits(self) -> bool:
        """Whether the size is right for shape and element type; any size is for strings.

        OpenVINO writes ``u3`` and ``u6`` in whole units of three bytes, but only requires the bytes that hold the bits.
        """
        kind, shape, _, size, _ = self
        bits = prod(shape) * kind.bits
        return size == (bits + 7) // 8 or kind.name == "string" or (kind.bits in (3, 6) and size == -(-bits // 24) * 3)

    def array(self) -> Array | None:
        """The elements as ``tensor.packing`` unpacks them; None if bytes are missing."""
        from ovgather.tensor.packing import unpack

        data = self.data
        try:
            return unpack(self.element_type, self.shape, data) if data is not None else None
        except ValueError:
            return None

    def integers(self, limit: int = 1 << 16) -> tuple[int, ...] | None:
        """The values, if they are at most ``limit`` whole-byte integers and the file has all of them."""
        code, count = INTEGER_CODES.get(self.element_type.name), self.elements
        data = self.data if code is not None and count <= limit else None
        if data is None or 8 * len(data) < count * self.element_type.bits:
            return None
        return struct.unpack_from(f"<{count}{code}", data)


def parse_shape(text: str) -> tuple[int, ...] | None:
    """The shape of a Const: a comma list whose items OpenVINO reads from the front; None if there is none."""
    if not text:
        return ()
    pieces = text.split(",")
    if len(text) <= _SURE and text.isascii() and "".join(pieces).isdigit() and "" not in pieces:
        return tuple(map(int, pieces))
    dims = [leading_integer(piece) for piece in text.removesuffix(",").split(",")]
    lengths = tuple([dim for dim in dims if dim is not None and dim >= 0])
    return lengths if len(lengths) == len(dims) else None


def constant(layer: Layer | LayerSignature, weights: Weights | None) -> Constant | None:
    """The constant that a layer or its signature declares; None if it is no Const, or cannot be read."""
    if layer.type != "Const":
        return None
    data = layer.data
    try:
        offset, size = read_id(data["offset"]), read_id(data["size"])
        shape = parse_shape(data["shape"])
        kind = find_data(data["element_type"])
    except KeyError:
        return None
    if kind is None or shape is None or offset is None or size is None or len(shape) > _LARGEST_RANK:
        return None
    return _new(Constant, (kind, shape, offset, size, weights))
