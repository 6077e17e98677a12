"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress


def write_whole(path: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Put ``pieces`` into the file ``path``, by way of a temporary name, so that nothing is ever half written.

    Raises:
        OSError: the folder cannot be written to, or the disk is full; what was at ``path`` is then still there.
    """
    write_together([(path, pieces)])


def write_together(files: Sequence[tuple[str, Iterable[bytes | memoryview]]]) -> None:
    """The same of files that belong together: none takes its place before all are written.

    Raises:
        OSError: as ``write_whole``.
    """
    temporary: list[str] = []
    try:
        for path, pieces in files:
            temporary.append(_written_beside(path, pieces))
        for (path, _), name in zip(files, temporary, strict=True):
            os.replace(name, path)
    except BaseException:
        for name in temporary:
            with suppress(FileNotFoundError):
                os.unlink(name)
        raise


def _written_beside(path: str, pieces: Iterable[bytes | memoryview]) -> str:
    import tempfile

    handle, name = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)), prefix=".ovgather-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.chmod(name, 0o666 & ~_umask())
    except BaseException:
        os.unlink(name)
        raise
    return name


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
