"""Constants: their declaration in ``<data>``, and the ``.bin``: mapped, or, at an address, read by ranges."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from math import prod
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from weakref import finalize

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import open_regular, read_part
from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.numbers import leading_integer, read_id
from ovgather.tensor.element_type import ElementType, find_data

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_SURE = 18  # digits of a number that surely has at most 63 bits
_LARGEST_RANK = 1_000
_LONG = 64  # characters

_new = tuple.__new__  # half the time of Constant(...)

INTEGER_CODES = {
    "i8": "b",
    "u8": "B",
    "i16": "h",
    "u16": "H",
    "i32": "i",
    "u32": "I",
    "i64": "q",
    "u64": "Q",
}
Part = Callable[[int, int], memoryview | None]


class Weights:
    """The bytes of a ``.bin`` file.

    ``ranges`` are the parts already read, as pairs of offset and size. ``fetch`` reads some at once from an address.
    """

    def __init__(
        self,
        data: bytes | memoryview = b"",
        path: str | None = None,
        part: Part | None = None,
        size: int = 0,
    ) -> None:
        view = memoryview(data)
        self._part = part or (lambda offset, size: view[offset : offset + size])
        # at an address only
        self.fetch: Callable[[Iterable[tuple[int, int]]], object] = list
        self.path = path
        self.ranges: set[tuple[int, int]] = set()
        self.size = size or len(view)

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Weights):
            return self is other
        return self.for_runtime() == other.for_runtime()

    def __hash__(self) -> int:
        return hash(self.size)  # the same for equal ones; records of constants are keys

    def __reduce__(self) -> tuple[object, ...]:
        path, data = self.for_runtime()
        if self.path is not None and is_remote(self.path):
            return Weights.at, (self.path,)
        return Weights.again, (path,) if data is None else (path, bytes(data))

    @classmethod
    def again(cls, path: str | None, data: bytes = b"") -> Weights:
        """The weights that another process had: it sends the path of a file, and bytes without one."""
        if path is None:
            return cls(data)
        return cls.of(open_regular(path), path)

    @classmethod
    def of(cls, file: BinaryIO, path: str) -> Weights:
        """The bytes of an open file, which stays open and is read part by part."""
        size = os.fstat(file.fileno()).st_size
        weights = cls(b"", path, partial(read_part, file), size)
        finalize(weights, file.close)
        return weights

    @classmethod
    def at(cls, address: str) -> Weights:
        """The file at an address; OSError if there is none that can be read."""
        file = RemoteFile(address)
        weights = cls(b"", address, file.part, file.size)
        weights.fetch = file.fetch
        return weights

    def for_runtime(self) -> tuple[str | None, memoryview | None]:
        """The path of the file, or all of its bytes where a runtime cannot open it."""
        if self.path is not None and not is_remote(self.path):
            return self.path, None
        return None, self.read(0, self.size)

    def read(self, offset: int, size: int) -> memoryview | None:
        """``size`` bytes from ``offset``; None if the file is too short."""
        if offset < 0 or size < 0 or offset + size > self.size:
            return None
        self.ranges.add((offset, size))
        return self._part(offset, size)


def all_bytes(weights: Weights | None) -> memoryview | None:
    """The bytes of the ``.bin``; None if it was changed meanwhile."""
    if weights is None:
        return memoryview(b"")
    return weights.read(0, weights.size)


def has_no_bytes(weights: Weights | None) -> bool:
    """Whether the ``.bin`` is an empty file, of which OpenVINO maps no bytes."""
    return weights is not None and not weights.size and weights.path is not None


def for_runtime(weights: Weights | None) -> tuple[str | None, memoryview | bytes]:
    """The path of the ``.bin``, or else its bytes."""
    if weights is None:
        return None, b""
    path, data = weights.for_runtime()
    return path, data or b""


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
        if self.weights is not None:
            return self.weights.read(self.offset, self.size)
        return None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def bytes_needed(self) -> int:
        """The bytes that shape and element type need; 0 for strings, which have no fixed length."""
        if self.element_type.name == "string":
            return 0
        return (self.elements * self.element_type.bits + 7) // 8

    @property
    def fits(self) -> bool:
        """Whether the size is right for shape and element type; any size is for strings.

        OpenVINO writes ``u3`` and ``u6`` in whole units of three bytes, but only requires the bytes that hold the bits.
        It writes the size 1 where there are no elements.
        """
        kind, shape, _, size, _ = self
        bits = prod(shape) * kind.bits
        if size == (bits + 7) // 8 or kind.name == "string":
            return True
        return (kind.bits in (3, 6) and size == -(-bits // 24) * 3) or (
            not bits and size == 1
        )

    def array(self) -> Array | None:
        """The elements as ``tensor.packing`` unpacks them; None if bytes are missing."""
        from ovgather.tensor.packing import unpack

        data = self.data
        try:
            if data is not None:
                return unpack(self.element_type, self.shape, data)
            return None
        except ValueError:
            return None

    def integers(self, limit: int = 1 << 16) -> tuple[int, ...] | None:
        """The values, if they are at most ``limit`` whole-byte integers and the file has all of them."""
        code = INTEGER_CODES.get(self.element_type.name)
        count = self.elements
        data = None
        if code is not None and count <= limit:
            data = self.data
        if data is None or 8 * len(data) < count * self.element_type.bits:
            return None
        return struct.unpack_from(f"<{count}{code}", data)


def parse_shape(text: str) -> tuple[int, ...] | None:
    """The shape of a Const: a comma list whose items OpenVINO reads from the front; None if there is none."""
    if not text:
        return ()
    pieces = text.replace(", ", ",").split(",")
    if (
        len(text) <= _SURE
        and text.isascii()
        and "".join(pieces).isdigit()
        and "" not in pieces
    ):
        return tuple(map(int, pieces))
    dims = [
        leading_integer(piece, sign="-") for piece in text.removesuffix(",").split(",")
    ]
    lengths = tuple([dim for dim in dims if dim is not None and dim >= 0])
    if len(lengths) == len(dims):
        return lengths
    return None


def constant(layer: Layer | LayerSignature, weights: Weights | None) -> Constant | None:
    """The constant that a layer or its signature declares; None if it is no Const, or cannot be read."""
    if layer.type != "Const":
        return None
    data = layer.data
    try:
        offset = data["offset"]
        size = data["size"]
        shape = data["shape"]
        kind = data["element_type"]
    except KeyError:
        return None
    # A file repeats few shapes: 1 % of its time. Long texts would outlive it.
    texts = shape, kind, size
    if len(shape) + len(kind) + len(size) < _LONG:
        form = _form(*texts)
    else:
        form = _form.__wrapped__(*texts)
    start = read_id(offset)
    if form is None or start is None:
        return None
    return _new(Constant, (form[0], form[1], start, form[2], weights))


def sized(data: Mapping[str, str]) -> Constant | None:
    """The constant that the ``<data>`` of a Const declares but for its offset; None if that cannot be read."""
    texts = [data.get(name, "") for name in ("shape", "element_type", "size")]
    form = _form.__wrapped__(*texts)
    if form is None or "shape" not in data:
        return None
    return Constant(form[0], form[1], 0, form[2], None)


@lru_cache(1 << 10)
def _form(
    shape_text: str, type_text: str, size_text: str
) -> tuple[ElementType, tuple[int, ...], int] | None:
    shape = parse_shape(shape_text)
    kind = find_data(type_text)
    size = read_id(size_text)
    if kind is None or shape is None or size is None or len(shape) > _LARGEST_RANK:
        return None
    return (kind, shape, size)
