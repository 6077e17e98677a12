"""The memory-mapped ``.bin`` beside an IR."""

from __future__ import annotations

import os
from typing import BinaryIO

from ovgather.files.side import map_part


class Weights:
    """The bytes of a ``.bin`` file; ``ranges`` are those that were read, as pairs of offset and size."""

    __slots__ = ("_file", "_view", "path", "ranges", "size")

    def __init__(
        self, data: bytes | memoryview | None, path: str | None = None, file: BinaryIO | None = None, size: int = 0
    ) -> None:
        self._view = None if data is None else memoryview(data)
        self._file = file
        self.path = path
        self.ranges: set[tuple[int, int]] = set()
        self.size = size if data is None else len(data)

    @classmethod
    def of(cls, file: BinaryIO, path: str) -> Weights:
        """Map an open file as a whole; if the address space is too small, map only the requested parts."""
        size = os.fstat(file.fileno()).st_size
        try:
            data = map_part(file, 0, size)
        except MemoryError:
            return cls(None, path, file, size)
        file.close()  # what is mapped stays so
        return cls(data, path)

    def read(self, offset: int, size: int) -> memoryview | None:
        """``size`` bytes from ``offset``; None if the file is too short."""
        if offset < 0 or size < 0 or offset + size > self.size:
            return None
        self.ranges.add((offset, size))
        if self._view is None:
            assert self._file is not None
            return map_part(self._file, offset, size)
        return self._view[offset : offset + size]
