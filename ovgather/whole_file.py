"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable


def write_whole(path: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Put ``pieces`` into the file ``path``, by way of a temporary name, so that nothing is ever half written.

    Links are followed. What is no file, such as a pipe or ``/dev/stdout``, is written to, not replaced.

    Raises:
        OSError: the folder cannot be written to, or the disk is full; what was at ``path`` is then still there.
    """
    import tempfile

    target = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(target):
        with open(path, "wb") as file:
            file.writelines(pieces)
        return
    path = target
    folder = os.path.dirname(path)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".ovgather-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
