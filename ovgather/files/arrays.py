"""Arrays in ``.npy`` and ``.npz`` files, whose elements are read on demand.

A header may declare terabytes, and a few kilobytes of a ``.npz`` may unpack to gigabytes: check dtype and shape before
``numpy.asarray`` reads the elements.
"""

from __future__ import annotations

import io
import os
from math import prod
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from zipfile import ZipFile

from ovgather.errors import InvalidModelError
from ovgather.files.array_limits import is_possible
from ovgather.files.side import SideFileError, map_part, open_regular

if TYPE_CHECKING:
    from typing import BinaryIO

    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[Any]]

_HEAD = 1 << 16  # more than any header: NumPy reads at most 10,000 letters
_PIECE = 1 << 20


class _Header(NamedTuple):
    dtype: numpy.dtype[Any]
    shape: tuple[int, ...]
    is_fortran: bool
    offset: int

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize


class ArrayFile:
    """An array in a file, as its header describes it; ``numpy.asarray`` reads its elements."""

    def __init__(self, path: str, header: _Header, member: str | None = None) -> None:
        self.dtype, self.shape = header.dtype, header.shape
        self._path = path
        self._member = member
        self._header = header

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        import numpy

        header = self._header
        if header.nbytes == 0:
            return numpy.empty(header.shape, header.dtype)
        with _opened(self._path) as file:
            if self._member is None:
                buffer: Array = numpy.frombuffer(map_part(file, header.offset, header.nbytes), "u1")
            else:
                buffer = _unpacked(file, self._member, header, self._path)
        return buffer.view(header.dtype).reshape(header.shape, order="F" if header.is_fortran else "C")


def array_file(path: str) -> ArrayFile:
    """The array of the ``.npy`` file ``path``."""
    with _opened(path) as file:
        header = _header_of(file, os.fstat(file.fileno()).st_size, path)
    return ArrayFile(path, header)


def array_files(path: str) -> dict[str, ArrayFile]:
    """The arrays of the ``.npz`` file ``path``, by name."""
    arrays = {}
    with _opened(path) as file:
        try:
            with ZipFile(file) as archive:
                for info in archive.infolist():
                    with archive.open(info) as member:
                        header = _header_of(member, info.file_size, f"{path}: {info.filename}")
                    arrays[info.filename.removesuffix(".npy")] = ArrayFile(path, header, info.filename)
        except InvalidModelError:
            raise
        except Exception as error:  # zipfile and its decoders raise a dozen types for a broken archive
            raise InvalidModelError(f"{path} is no .npz of plain arrays: {error}") from error
    return arrays


def _opened(path: str) -> BinaryIO:
    try:
        return open_regular(path)
    except SideFileError as error:
        raise InvalidModelError(str(error)) from None


def _header_of(file: IO[bytes], size: int, called: str) -> _Header:
    """The header of a ``.npy`` of ``size`` bytes, if it is sound."""
    from numpy.lib import format as npy

    head = io.BytesIO(file.read(_HEAD))
    try:
        version = npy.read_magic(head)
    except ValueError:
        raise InvalidModelError(f"{called}: no .npy file") from None
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
    if read is None:
        raise InvalidModelError(f"{called}: no layer takes an array of the .npy format {version[0]}.{version[1]}")
    try:
        shape, is_fortran, dtype = read(head)
    except Exception as error:  # NumPy evaluates the header, which may raise anything
        why = (str(error) or type(error).__name__).splitlines()[0][:80]
        raise InvalidModelError(f"{called}: its header cannot be read: {why}") from error
    header = _Header(dtype, shape, is_fortran, head.tell())
    if dtype.hasobject:
        raise InvalidModelError(f"{called}: pickled objects, which are not loaded: they could run any code")
    if min(shape, default=0) < 0 or not is_possible(shape, dtype.itemsize):
        raise InvalidModelError(f"{called}: its header says shape {_short(shape)}, which no array has")
    if header.offset + header.nbytes > size:
        needs = f"its header says shape {_short(shape)} and dtype {dtype}, which take {header.nbytes}"
        raise InvalidModelError(f"{called}: {max(0, size - header.offset)} bytes of elements, but {needs}")
    return header


def _short(shape: tuple[int, ...]) -> str:
    return str(list(shape)) if len(shape) <= 64 else f"of rank {len(shape)}"


def _unpacked(file: BinaryIO, member: str, header: _Header, path: str) -> Array:
    import numpy

    buffer = numpy.empty(header.nbytes, "u1")
    position = 0
    try:
        with ZipFile(file) as archive, archive.open(member) as stream:
            stream.read(header.offset)
            while position < len(buffer) and (piece := stream.read(min(_PIECE, len(buffer) - position))):
                buffer[position : position + len(piece)] = numpy.frombuffer(piece, "u1")
                position += len(piece)
    except Exception as error:  # as above
        raise InvalidModelError(f"{path}: {member} cannot be unpacked: {error}") from error
    if position < len(buffer):
        raise InvalidModelError(f"{path}: {member} ends after {position} of {len(buffer)} bytes")
    return buffer
