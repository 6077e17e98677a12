"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress


def write_whole(path: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Put ``pieces`` into the file ``path``, by way of a temporary name, so that nothing is ever half written.

    Links are followed. What is no file, such as a pipe or ``/dev/stdout``, is written to, not replaced.

    Raises:
        OSError: the folder cannot be written to, or the disk is full; what was at ``path`` is then still there.
    """
    write_together([(path, pieces)])


def write_together(files: Sequence[tuple[str, Iterable[bytes | memoryview]]]) -> None:
    """The same of files that belong together: none takes its place before all are written.

    Raises:
        OSError: as ``write_whole``.
    """
    written: list[tuple[str, str]] = []
    try:
        for path, pieces in files:
            target = os.path.realpath(path)
            if os.path.exists(path) and not os.path.isfile(target):
                with open(path, "wb") as file:
                    file.writelines(pieces)
            else:
                written.append((_written_beside(target, pieces), target))
        for name, target in written:
            os.replace(name, target)
    except BaseException:
        for name, _ in written:
            with suppress(FileNotFoundError):
                os.unlink(name)
        raise


def _written_beside(path: str, pieces: Iterable[bytes | memoryview]) -> str:
    import tempfile

    handle, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".ovgather-")
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
