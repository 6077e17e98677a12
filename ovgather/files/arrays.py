"""Arrays in ``.npy`` and ``.npz`` files, read on demand after dtype and shape have been checked: a header may declare
terabytes, and a small ``.npz`` may unpack to gigabytes. Text is NumPy's own, types that NumPy lacks are plain bytes."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from math import prod
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from ovgather.errors import InvalidModelError
from ovgather.files.side import SideFileError, open_regular, read_part

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[Any]]

_HEAD = 1 << 16  # more than any header: NumPy reads at most 10,000 letters
_PIECE = 1 << 20
# bytes that a member of an archive may have; if more, in proportion to its own
_SMALL = 1 << 26
_MOST_TIMES = 100
_MOST_BYTES = (1 << 63) - 1


def is_possible(shape: Sequence[int], itemsize: int) -> bool:
    """Whether NumPy has arrays of ``shape``; the other dims of an array without elements count as well."""
    import numpy

    most_dims = 32 if numpy.__version__.startswith("1.") else 64
    return (
        len(shape) <= most_dims
        and prod([dim or 1 for dim in shape]) * max(itemsize, 1) <= _MOST_BYTES
    )


class ArrayFile:
    """An array in a file, as its header describes it; ``numpy.asarray`` reads its elements."""

    def __init__(
        self, path: str, file: IO[bytes], size: int, member: str | None = None
    ) -> None:
        """Read the header of a ``.npy`` of ``size`` bytes: ``file``, which is ``path``, or a member of it."""
        from numpy.lib import format as npy

        self._path = path
        self._member = member
        if member is None:
            called = path
        else:
            called = f"{path}: {member}"
        head = io.BytesIO(file.read(_HEAD))
        try:
            version = npy.read_magic(head)
        except ValueError:
            raise InvalidModelError(f"{called}: no .npy file") from None
        read = {
            (1, 0): npy.read_array_header_1_0,
            (2, 0): npy.read_array_header_2_0,
        }.get(version)
        if read is None:
            raise InvalidModelError(
                f"{called}: no layer takes an array of the .npy format {version[0]}.{version[1]}"
            )
        try:
            shape, self._is_fortran, self.dtype = read(head)
            self.shape = tuple(map(int, shape))  # NumPy reads True as well
        except (
            Exception
        ) as error:  # NumPy evaluates the header, which may raise anything
            raise InvalidModelError(
                f"{called}: its header is none that NumPy writes"
            ) from error
        self._offset, self._size = head.tell(), prod(self.shape) * self.dtype.itemsize
        if len(self.shape) <= 64:
            says = f"its header says shape {list(self.shape)}"
        else:
            says = f"its header says shape of rank {len(self.shape)}"
        if self.dtype.hasobject:
            raise InvalidModelError(
                f"{called}: pickled objects, which are not loaded: they could run any code"
            )
        if min(self.shape, default=0) < 0 or not is_possible(
            self.shape, self.dtype.itemsize
        ):
            raise InvalidModelError(f"{called}: {says}, which no array has")
        if self._offset + self._size > size:
            needs = f"{says} and dtype {self.dtype}, which take {self._size}"
            raise InvalidModelError(
                f"{called}: {max(0, size - self._offset)} bytes of elements, but {needs}"
            )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        import numpy

        if self._size == 0:
            return numpy.empty(self.shape, self.dtype)
        with _opened(self._path) as file:
            if self._member is None:
                data = read_part(file, self._offset, self._size)
                if data is None:
                    raise InvalidModelError(f"{self._path} was cut meanwhile")
                buffer: Array = numpy.frombuffer(data, "u1")
            else:
                buffer = numpy.empty(self._size, "u1")
                self._unpack(file, self._member, buffer)
        return buffer.view(self.dtype).reshape(
            self.shape, order="F" if self._is_fortran else "C"
        )

    def _unpack(self, file: BinaryIO, member: str, buffer: Array) -> None:
        from zipfile import ZipFile

        import numpy

        position = 0
        try:
            with ZipFile(file) as archive, archive.open(member) as stream:
                stream.read(self._offset)
                while position < len(buffer) and (
                    piece := stream.read(min(_PIECE, len(buffer) - position))
                ):
                    buffer[position : position + len(piece)] = numpy.frombuffer(
                        piece, "u1"
                    )
                    position += len(piece)
        except (
            Exception
        ) as error:  # zipfile and its decoders raise a dozen types for a broken archive
            raise InvalidModelError(
                f"{self._path}: {member} cannot be unpacked: the archive is damaged"
            ) from error
        if position < len(buffer):
            raise InvalidModelError(
                f"{self._path}: {member} ends after {position} of {len(buffer)} bytes"
            )


def array_file(path: str) -> ArrayFile:
    """The array of the ``.npy`` file ``path``."""
    with _opened(path) as file:
        return ArrayFile(path, file, os.fstat(file.fileno()).st_size)


def array_files(path: str) -> dict[str, ArrayFile]:
    """The arrays of the ``.npz`` file ``path``, by name."""
    from zipfile import ZipFile

    arrays = {}
    try:
        with _opened(path) as file, ZipFile(file) as archive:
            for info in archive.infolist():
                if info.file_size > max(_SMALL, _MOST_TIMES * info.compress_size):
                    unpacked = (
                        f"{info.compress_size} bytes that unpack to {info.file_size}"
                    )
                    raise InvalidModelError(
                        f"{path}: {info.filename}: {unpacked}: save it without compression"
                    )
                with archive.open(info) as member:
                    array = ArrayFile(path, member, info.file_size, info.filename)
                arrays[info.filename.removesuffix(".npy")] = array
    except InvalidModelError:
        raise
    except Exception as error:  # as above
        raise InvalidModelError(
            f"{path} is no .npz of plain arrays, or a damaged one"
        ) from error
    return arrays


def _opened(path: str) -> BinaryIO:
    try:
        return open_regular(path)
    except SideFileError as error:
        raise InvalidModelError(str(error)) from None


def to_npy(array: Array) -> bytes:
    """The content of a ``.npy`` that any NumPy reads without pickle, and ``as_written`` restores."""
    import numpy

    if array.dtype.kind == "O":
        texts = [
            text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
            for text in array.reshape(-1)
        ]
        if any(text.endswith("\0") for text in texts):
            raise InvalidModelError(
                "the output holds text that ends in NUL, which a .npy cannot keep"
            )
        array = numpy.array(texts, str).reshape(array.shape)
    elif (
        array.dtype.isbuiltin != 1
    ):  # NumPy cannot read all types of ml_dtypes that it writes
        array = array.view(f"V{array.dtype.itemsize}")
    buffer = io.BytesIO()
    numpy.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def dtype_as_written(
    dtype: numpy.dtype[Any], target: numpy.dtype[Any]
) -> numpy.dtype[Any]:
    """The dtype that ``dtype`` in a ``.npy`` stands for: ``target`` if NumPy writes that as ``dtype``."""
    as_bytes = dtype.kind == "V" and dtype.itemsize == target.itemsize
    as_text = dtype.kind == "U" and target.kind == "O"
    if as_bytes or as_text:
        return target
    return dtype


def as_written(array: Array, target: numpy.dtype[Any]) -> Array:
    """An array of a ``.npy``, in its original dtype; see ``dtype_as_written``."""
    dtype = dtype_as_written(array.dtype, target)
    if dtype == array.dtype:
        return array
    if dtype.kind == "O":
        return array.astype(object)
    return array.view(dtype)
