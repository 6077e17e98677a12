"""The ``.bin`` beside an IR: mapped, or, at an address, read by ranges."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import BinaryIO

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import map_part

Part = Callable[[int, int], memoryview]


class Weights:
    """The bytes of a ``.bin`` file.

    ``ranges`` are the parts already read, as pairs of offset and size. ``fetch`` reads some at once from an address.
    """

    __slots__ = ("_part", "_view", "fetch", "path", "ranges", "size")

    def __init__(
        self, data: bytes | memoryview | None, path: str | None = None, part: Part | None = None, size: int = 0
    ) -> None:
        self._view = None if data is None else memoryview(data)
        self._part = part
        self.fetch: Callable[[Iterable[tuple[int, int]]], object] = list  # at an address only
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
            return cls(None, path, partial(map_part, file), size)
        file.close()  # what is mapped stays so
        return cls(data, path)

    @classmethod
    def at(cls, address: str) -> Weights:
        """The file at an address; OSError if there is none that can be read."""
        file = RemoteFile(address)
        weights = cls(None, address, file.part, file.size)
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
        if self._view is None:
            assert self._part is not None
            return self._part(offset, size)
        return self._view[offset : offset + size]
