"""Files at an address such as ``s3://bucket/m.xml``, by fsspec: as a whole, or only some ranges."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeGuard

from ovgather.errors import UnavailableError, UnreadableError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
PATTERN = re.compile(r"[*?[]")
_MARKS = ("ETag", "etag", "LastModified", "mtime", "created", "sha256")  # what changes with a file
_GAP = 1 << 16  # bytes between two ranges that cost less than another request


def is_remote(path: object) -> TypeGuard[str]:
    """Whether ``path`` is an address for fsspec.

    >>> is_remote("s3://bucket/m.xml"), is_remote("models/m.xml"), is_remote("C:/m.xml")
    (True, False, False)
    """
    return isinstance(path, str) and _ADDRESS.match(path) is not None


class RemoteFile:
    """A file at ``address``; ``state`` changes with its content.

    Raises:
        OSError: it is missing, refused, or out of reach.
        UnavailableError: fsspec, or its package for such addresses, is not installed.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._parts: list[tuple[int, bytes]] = []
        with _clear(address) as (system, path):
            about = system.info(path)
            if about.get("type") == "directory":
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            self.size = int(about["size"] or 0)
            marks = [str(about[name]) for name in _MARKS if about.get(name)]
            self.state = [self.size, 0, 0, *(marks or [os.urandom(8).hex()])]

    def whole(self) -> bytes:
        with _clear(self.address) as (system, path):
            return bytes(system.cat_file(path))

    def fetch(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Read ``ranges``, pairs of offset and size, with few requests; OSError if that fails."""
        merged: list[list[int]] = []
        for offset, size in sorted(ranges):
            end = min(offset + size, self.size)
            if merged and offset <= merged[-1][1] + _GAP:
                merged[-1][1] = max(merged[-1][1], end)
            elif offset < end:
                merged.append([offset, end])
        if not merged:
            return
        starts, ends = [start for start, _ in merged], [end for _, end in merged]
        with _clear(self.address) as (system, path):
            parts: list[bytes] = system.cat_ranges([path] * len(starts), starts, ends, on_error="raise")
            for (start, end), part in zip(merged, parts, strict=True):
                if len(part) != end - start:
                    raise OSError(errno.EIO, f"{len(part)} of {end - start} bytes came: it has changed meanwhile")
                self._parts.append((start, part))

    def part(self, offset: int, size: int) -> memoryview:
        """``size`` bytes from ``offset``; UnreadableError if they cannot be read."""
        for fetched in (False, True):
            for start, part in self._parts:
                if start <= offset and offset + size <= start + len(part):
                    return memoryview(part)[offset - start : offset - start + size]
            if size and not fetched:
                try:
                    self.fetch([(offset, size)])
                except OSError as error:
                    raise UnreadableError(f"{self.address}: {error.strerror}") from error
        return memoryview(b"")


def find(address: str, endings: tuple[str, ...]) -> Iterator[str]:
    """The files that ``address`` names: itself, the matches of a pattern, or the files with ``endings`` in a folder."""
    if address.endswith(endings) and not PATTERN.search(address):
        yield address
        return
    with _clear(address) as (system, path):
        paths = system.glob(path) if PATTERN.search(address) else system.find(path)
        names = sorted(name for name in paths if name.endswith(endings))
    yield from map(system.unstrip_protocol, names)


@contextmanager
def _clear(address: str) -> Iterator[tuple[Any, str]]:
    """The file system and the path of ``address``; errors of any library become those of files."""
    try:
        from fsspec.core import url_to_fs

        yield url_to_fs(address, use_listings_cache=False)
    except UnavailableError:
        raise
    except ImportError as error:
        raise UnavailableError(f"{address}: {error} (pip install 'ovgather[remote]')") from error
    except Exception as error:
        number, text = errno.EIO, str(error) or type(error).__name__
        if isinstance(error, FileNotFoundError):
            number, text = errno.ENOENT, os.strerror(errno.ENOENT)
        elif isinstance(error, PermissionError):
            number, text = errno.EACCES, f"access is refused: {error.args[-1] if error.args else error}"
        elif isinstance(error, OSError) and error.errno is not None and error.strerror:
            number, text = error.errno, error.strerror
        raise OSError(number, text, address) from error
