"""Files at an address such as ``s3://bucket/m.xml``, by fsspec: as a whole, or only some ranges."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeGuard, TypeVar

from ovgather.errors import UnavailableError, UnreadableError
from ovgather.processes import SECONDS, OverTime, budget, installing
from ovgather.text import pattern

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
PATTERN = pattern(r"[*?[]")
# What changes with a file.
_MARKS = (
    "ETag",
    "etag",
    "LastModified",
    "mtime",
    "created",
    "sha256",
)
_HTTP = ("http://", "https://")
_WORDS = {
    "Timeout": "its server is silent for {} s",
    "TooManyRedirects": "its server redirects without an end",
    "Redirect": "its server redirects to what is no address of the web",
    "HttpProcessing": "its server sends what is damaged, or breaks off",
    "PayloadError": "its server sends what is damaged, or breaks off",
    "Disconnected": "its server ends the connection without an answer",
}
"""What happened, by a part of the name of an exception."""
_SILENCE = 10  # seconds in which a server has to send something
_WAITS = (0.3, 1.0)  # seconds before another try
_PIECE = 1 << 20
_MOST_UNTOLD = 1 << 26  # bytes of a file whose size the server does not tell
_MOST_WHOLE = 1 << 28  # bytes of a file of which the server gives no ranges
_GAP = 1 << 16  # bytes between two ranges that cost less than another request


def is_remote(path: object) -> TypeGuard[str]:
    """Whether ``path`` is an address for fsspec.

    >>> is_remote("s3://bucket/m.xml"), is_remote("models/m.xml"), is_remote("C:/m.xml")
    (True, False, False)
    """
    return isinstance(path, str) and _ADDRESS.match(path) is not None


Result = TypeVar("Result")


class RemoteFile:
    """A file at ``address``; ``state`` changes with its content.

    Raises:
        OSError: it is missing, refused, or out of reach.
        UnavailableError: fsspec, or its package for such addresses, is not installed.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._parts: list[tuple[int, bytes]] = []
        about = _call(address, lambda system, path: system.info(path))
        if about.get("type") == "directory":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), address)
        self._told = about["size"]
        self._most = self._told or _MOST_UNTOLD
        self._has_ranges = self._told is not None and (
            not address.startswith(_HTTP) or bool(about.get("partial"))
        )
        marks = [str(about[name]) for name in _MARKS if about.get(name)]
        self.state = [self._told or 0, 0, 0, *(marks or [os.urandom(8).hex()])]

    @cached_property
    def size(self) -> int:
        """Its bytes; OSError if the server does not tell their number, and they cannot be read."""
        if self._told is None:
            self._parts = [(0, self.whole())]
            return len(self._parts[0][1])
        return int(self._told)

    def whole(self) -> bytes:
        """All bytes; no more are read than the server has told."""
        data = _call(self.address, self._read)
        if len(data) > self._most:
            if self._told:
                about = "it does not end where it should"
            else:
                about = f"more than {self._most} bytes of unknown size"
            raise OSError(errno.EFBIG, about, self.address)
        return bytes(data)

    def _read(self, system: Any, path: str) -> bytearray:
        content = bytearray()  # parts would be held twice while they are joined
        if self._has_ranges:
            how: dict[str, Any] = {"cache_type": "none"}
        else:
            how = {"block_size": 0}
        with system.open(path, "rb", **how) as file:
            while left := self._most + 1 - len(content):
                part = file.read(min(left, _PIECE))
                if not part:
                    break
                content += part
        return content

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
        if not self._has_ranges:
            if self.size > _MOST_WHOLE:
                raise OSError(
                    errno.EIO,
                    "its server reads no ranges, and it is too large to read it all",
                    self.address,
                )
            self._parts = self._parts or [(0, self.whole())]
            return
        starts = [start for start, _ in merged]
        ends = [end for _, end in merged]
        parts: list[bytes] = _call(
            self.address,
            lambda system, path: system.cat_ranges(
                [path] * len(starts), starts, ends, on_error="raise"
            ),
        )
        for (start, end), part in zip(merged, parts, strict=True):
            if len(part) != end - start:
                about = (
                    f"{len(part)} of {end - start} bytes came: it has changed meanwhile"
                )
                raise OSError(errno.EIO, about, self.address)
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
                    raise UnreadableError(
                        f"{self.address}: {error.strerror}"
                    ) from error
        return memoryview(b"")


def find(
    address: str, endings: tuple[str, ...], seconds: float = SECONDS
) -> Iterator[str]:
    """The files that ``address`` names: itself, the matches of a pattern, or the files with ``endings`` in a folder.

    Raises:
        OSError: it cannot be listed, or not in these ``seconds``.
    """
    if address.endswith(endings) and not PATTERN.search(address):
        yield address
        return

    def names(system: Any, path: str) -> list[str]:
        if PATTERN.search(address):
            paths = system.glob(path)
        else:
            paths = system.find(path)
        return [
            system.unstrip_protocol(name)
            for name in sorted(paths)
            if name.endswith(endings)
        ]

    try:
        with budget(address, seconds):
            addresses = _call(address, names)
    except OverTime as error:
        raise OSError(errno.ETIMEDOUT, "its listing does not end", address) from error
    yield from addresses


def _call(address: str, function: Callable[[Any, str], Result]) -> Result:
    """``function`` of the file system and the path of ``address``, tried again where that may help; errors of any
    library become those of files."""
    _require_host(address)
    try:
        from fsspec.core import url_to_fs

        if address.startswith(_HTTP):
            options = {"client_kwargs": {"timeout": _http_timeout()}}
        else:
            options = {}
        system, path = url_to_fs(address, use_listings_cache=False, **options)
        for wait in _WAITS:
            try:
                return function(system, path)
            except Exception as error:
                if not _is_passing(error):
                    raise
            time.sleep(wait)
        return function(system, path)
    except UnavailableError:
        raise
    except ImportError as error:
        raise UnavailableError(
            f"{address}: {error} ({installing('remote')})"
        ) from error
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        raise OSError(*_words(error, address), address) from error
    except BaseException:
        _cancel()
        raise


def _require_host(address: str) -> None:
    """Raise OSError for an address of the web that names no server."""
    if address.startswith(_HTTP):
        from urllib.parse import urlsplit  # takes 1 ms

        host = None
        with suppress(ValueError):
            host = urlsplit(address).hostname
        if not host:
            raise OSError(errno.EINVAL, "the address names no server", address)


def _http_timeout() -> Any:
    from aiohttp import ClientTimeout

    return ClientTimeout(total=None, sock_connect=_SILENCE, sock_read=_SILENCE)


def _cancel() -> None:
    """End what a library still does in a thread of its own, such as reading a body without an end."""
    import asyncio

    asyn = sys.modules.get("fsspec.asyn")
    if asyn is not None and (loop := asyn.loop[0]) is not None:
        loop.call_soon_threadsafe(
            lambda: [task.cancel() for task in asyncio.all_tasks(loop)]
        )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    """The status with which a server answers, if one does: libraries say FileNotFoundError of any."""
    numbers = (getattr(each, "status", None) for each in _causes(error))
    return next((number for number in numbers if isinstance(number, int)), None)


def _is_passing(error: BaseException) -> bool:
    """Whether the same request may succeed a little later."""
    status = _status(error)
    if status is None:
        kinds = [kind for each in _causes(error) for kind in type(each).__mro__]
        return any("ConnectionError" in kind.__name__ for kind in kinds)
    return status == 429 or status >= 500


def _words(error: Exception, address: str) -> tuple[int, str]:
    """The number of the error, and what happened; of the web, only an answer of 404 or 410 means missing."""
    causes = list(_causes(error))
    names = [kind.__name__ for each in causes for kind in type(each).__mro__]
    for part, words in _WORDS.items():
        if any(part in name for name in names):
            return errno.EIO, words.format(_SILENCE)
    status = _status(error)
    if status is not None and status not in (404, 410):
        return errno.EIO, f"its server answers with the status {status}"
    if isinstance(error, FileNotFoundError):
        other = next(
            (each for each in causes if not isinstance(each, FileNotFoundError)), None
        )
        is_of_web = other is not None and address.startswith(_HTTP)
        if status is None and (is_of_web or isinstance(other, OSError)):
            return errno.EIO, str(other)
        return errno.ENOENT, os.strerror(errno.ENOENT)
    if isinstance(error, PermissionError):
        return (
            errno.EACCES,
            f"access is refused: {error.args[-1] if error.args else error}",
        )
    if isinstance(error, OSError) and error.errno is not None and error.strerror:
        return error.errno, error.strerror
    return errno.EIO, str(error) or type(error).__name__
