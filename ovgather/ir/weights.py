"""The ``.bin`` beside an IR: memory-mapped, and only what is asked for is read."""

from __future__ import annotations

import mmap
import os

from ovgather.errors import InvalidModelError


class Weights:
    """The bytes of a ``.bin`` file.

    >>> weights = Weights(b"\\x01\\x00\\x00\\x00")
    >>> weights.size, bytes(weights.read(0, 2))
    (4, b'\\x01\\x00')
    >>> weights.read(2, 3) is None
    True
    """

    __slots__ = ("_view", "path", "size")

    def __init__(self, data: bytes | mmap.mmap, path: str | None = None) -> None:
        self._view = memoryview(data)
        self.path = path
        self.size = len(self._view)

    @classmethod
    def open(cls, path: str) -> Weights:
        """Map the file at ``path``.

        Raises:
            InvalidModelError: there is no such file, or it cannot be read.
        """
        try:
            with open(path, "rb") as file:  # what is mapped stays so when the file is closed
                size = os.fstat(file.fileno()).st_size
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InvalidModelError(f"cannot read the weights {path}: {reason}") from error
        return cls(data, path)

    def read(self, offset: int, size: int) -> memoryview | None:
        """``size`` bytes from ``offset``; None when the file does not hold them."""
        if offset < 0 or size < 0 or offset + size > self.size:
            return None
        return self._view[offset : offset + size]
