"""The paths of many files, a million of which take little memory: beyond a megabyte of text they lie in a temporary
file."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import IO, overload
from weakref import finalize

_IN_MEMORY = 1 << 20  # bytes


def _on_disk(text: BytesIO) -> IO[bytes]:
    """A temporary file with ``text``, to be written on."""
    from tempfile import TemporaryFile  # takes 4 ms of a cold start

    file = TemporaryFile()  # noqa: SIM115
    file.write(text.getbuffer())
    return file


class Paths(Sequence[str]):
    """Paths in their order; a slice shares the text.

    >>> paths = Paths(["a.xml", "b.xml", "c.xml"])
    >>> len(paths), paths[-1], paths[1:] == ["b.xml", "c.xml"]
    (3, 'c.xml', True)
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._file: IO[bytes] = BytesIO()  # open as long as anybody has a slice
        self._ends = array("Q", [0])
        for path in paths:
            self._ends.append(self._ends[-1] + self._file.write(os.fsencode(path)))
            if isinstance(self._file, BytesIO) and self._ends[-1] > _IN_MEMORY:
                self._file = _on_disk(self._file)
        finalize(self._ends, self._file.close)  # slices share both
        self._places = range(len(self._ends) - 1)

    def __len__(self) -> int:
        return len(self._places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Paths: ...

    def __getitem__(self, index: int | slice) -> str | Paths:
        if isinstance(index, slice):
            part = Paths.__new__(Paths)
            part._file = self._file
            part._ends = self._ends
            part._places = self._places[index]
            return part
        place = self._places[index]
        start = self._ends[place]
        self._file.seek(start)
        return os.fsdecode(self._file.read(self._ends[place + 1] - start))
