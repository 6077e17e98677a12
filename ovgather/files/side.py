"""Safe opening of files: of those that a user names, only regular ones and streams; of those that a model names or a
walk through folders finds, only what is below its folder.

The author of a model chooses the names of these files, and may have replaced one by a link. So a link is followed only

- below the folder of the model;
- below the folder of the file that the model itself is a link to, as in the cache of a model hub, where
  ``snapshots/REVISION/m.xml`` and ``m.bin`` are both links into ``blobs`` (ONNX Runtime has the same two rules);
- into a store around it: the ``blobs`` beside ``snapshots``, ``.git/annex/objects``, ``.dvc/cache``.

Any other link needs ``follow_links``. A name that itself leads out of the folder is never opened.
"""

import errno
import mmap
import os
import re
import stat
from collections.abc import Iterator
from io import BufferedReader, FileIO
from typing import BinaryIO

_STORES = (os.path.join(".git", "annex", "objects"), os.path.join(".dvc", "cache"))
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
_MOST_LINKS = 40
_MOST_READ = 1 << 26
"""Parts of more bytes are mapped."""
_FOLDER = "a folder"
_KINDS = (
    (stat.S_ISDIR, _FOLDER),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class SideFileError(Exception):
    """A file that is not opened.

    Its ``kind`` is ``missing``, ``outside`` (its name leads out of the folder of the model), ``link`` (a link does),
    ``special`` (it is no regular file) or ``unreadable``.
    """

    def __init__(self, kind: str, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.help = help


def open_side_file(model_path: str, name: str, follow_links: bool = False) -> BinaryIO:
    """Open the file ``name``, a path below the folder of ``model_path``; ``follow_links``: wherever links lead."""
    if os.path.isabs(name) or os.path.splitdrive(name)[0] or "\0" in name:
        raise SideFileError(
            "outside", f"{name!r} is not a path below the folder of the model"
        )
    if os.path.normpath(name).split(os.sep)[0] == os.pardir:
        raise SideFileError("outside", f"{name!r} leads out of the folder of the model")
    path = os.path.join(os.path.dirname(model_path), name)
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        raise SideFileError("missing", f"{name}: no such file") from None
    if stat.S_ISLNK(status.st_mode) or os.path.basename(name) != name:
        path = _followed(model_path, name, path, follow_links)
    return open_regular(path, name)


def _followed(model_path: str, name: str, path: str, follow_links: bool) -> str:
    real = os.path.realpath(path)
    if not follow_links and not any(
        real.startswith(os.path.join(root, "")) for root in _roots(model_path)
    ):
        help = f"it is a link to {real}: --follow-links follows it"
        raise SideFileError(
            "link", f"{name!r} leads out of the folder of the model", help
        )
    if os.path.islink(real) or not os.path.lexists(real):
        raise SideFileError("missing", f"{name} is a link to {real}: no such file")
    return real


def _roots(model_path: str) -> Iterator[str]:
    """The folders in which links may end."""
    folder = os.path.realpath(os.path.dirname(model_path) or os.curdir)
    yield folder
    yield os.path.dirname(os.path.realpath(model_path))
    while True:
        yield from (os.path.join(folder, store) for store in _STORES)
        above, last = os.path.split(folder)
        if above == folder:
            return
        if last == "snapshots":
            yield os.path.join(above, "blobs")
        folder = above


def leads_out(path: str, folder: str) -> bool:
    """Whether ``path``, found in ``folder``, is a link out of it that is not followed unasked."""
    return os.path.islink(path) and not is_inside(path, folder)


def is_inside(path: str, folder: str) -> bool:
    """Whether ``path``, found in ``folder``, is there, or in a store around it, whatever links lead to it."""
    real = os.path.realpath(path)
    return any(
        real.startswith(os.path.join(root, ""))
        for root in _roots(os.path.join(folder, "_"))
    )


def open_regular(path: str, name: str | None = None) -> BinaryIO:
    """Open the regular file ``path``, called ``name`` in messages, without waiting for a pipe."""
    name = name or path
    try:
        return _open(path)
    except _SpecialFileError as error:
        raise SideFileError("special", f"{name}: {error.kind}, not a file") from None
    except FileNotFoundError:
        raise SideFileError("missing", f"{name}: no such file") from None
    except (OSError, ValueError) as error:
        raise SideFileError(
            "unreadable", f"{name}: {getattr(error, 'strerror', None) or error}"
        ) from None


def open_input(path: str) -> BinaryIO:
    """Open a file that the user names, without waiting for a pipe; a stream of this process is read to its end.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    if descriptor(path) is None:
        return _open(path)
    return open(path, "rb")


class _SpecialFileError(OSError):
    def __init__(self, kind: str, path: str) -> None:
        number = errno.EISDIR if kind == _FOLDER else errno.EINVAL
        super().__init__(
            number,
            os.strerror(number) if kind == _FOLDER else f"it is {kind}, not a file",
            path,
        )
        self.kind = kind


class _Whole(FileIO):
    def readall(self) -> bytes:
        """All of it; a file that has nothing to give yet, as ``/proc/kmsg``, is none. Python's own gives None."""
        data: bytes | None = super().readall()
        if data is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), self.name)
        return data


def require_name(path: str) -> None:
    """OSError: the system can have no file of this name."""
    try:
        is_name = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_name = False
    if not is_name:
        raise OSError(errno.EINVAL, "no file has such a name", path)


def _open(path: str) -> BinaryIO:
    require_name(path)
    kind = _kind(path)  # before opening, which affects some devices
    if kind is None:
        number = os.open(path, _FLAGS)
        kind = _kind(number)  # another file may have replaced it
        if kind is None:
            return BufferedReader(_Whole(path, opener=lambda *_: number))
        os.close(number)
    raise _SpecialFileError(kind, path)


def descriptor(path: str) -> int | None:
    """The number of the open file that ``path`` leads to, such as 1 for ``/dev/stdout``."""
    for _ in range(_MOST_LINKS):
        if match := re.fullmatch(r"/(?:dev|proc/self)/fd/(\d+)", path):
            return int(match[1])
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except (OSError, ValueError):
            break
    return None


def _kind(path: str | int) -> str | None:
    """The kind of a path or descriptor that is no regular file."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode):
        return None
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no file")


def read_at_most(file: BinaryIO, limit: int) -> bytes:
    """The first ``limit`` bytes of a file; no more memory is taken than it has bytes."""
    return file.read(min(limit, os.fstat(file.fileno()).st_size))


def read_part(file: BinaryIO, offset: int, size: int) -> memoryview | None:
    """``size`` bytes of a file from ``offset``, mapped if they are many; None if the file has become too short.

    A process that reads what is mapped dies if another program cuts the file meanwhile.
    """
    if size > _MOST_READ or not hasattr(os, "pread"):
        return map_part(file, offset, size)
    data = os.pread(file.fileno(), size, offset)
    return memoryview(data) if len(data) == size else None


def map_part(file: BinaryIO, offset: int, size: int) -> memoryview:
    """``size`` mapped bytes of a file from ``offset``; MemoryError if the address space is too small."""
    if not size:
        return memoryview(b"")
    over = offset % mmap.ALLOCATIONGRANULARITY
    try:
        mapping = mmap.mmap(
            file.fileno(), over + size, access=mmap.ACCESS_READ, offset=offset - over
        )
    except (OSError, OverflowError, ValueError) as error:
        raise MemoryError(
            f"a part of {file.name} needs {size} bytes: {error}"
        ) from error
    return memoryview(mapping)[over:]
