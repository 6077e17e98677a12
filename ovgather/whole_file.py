"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable


def write_whole(path: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Put ``pieces`` into the file ``path``, by way of a temporary name, so that nothing is ever half written.

    Raises:
        OSError: the folder cannot be written to, or the disk is full; what was at ``path`` is then still there.
    """
    import tempfile

    folder = os.path.dirname(os.path.abspath(path))
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
