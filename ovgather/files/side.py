"""The files that hold the weights of a model, and stand beside it: which of them are opened.

Whoever wrote a model chose the names of these files, and may have put a link in the place of one. So a link is
followed only where it leads to a file that was brought along with the model:

- below the folder of the model;
- below the folder of the file that the model itself is a link to, as in the cache of a model hub, where
  ``snapshots/REVISION/m.xml`` and ``m.bin`` are both links into ``blobs`` (ONNX Runtime has the same two rules);
- into a store around it: the ``blobs`` beside ``snapshots``, ``.git/annex/objects``, ``.dvc/cache``.

Any other link needs ``follow_links``. A name that itself leads out of the folder is never opened.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

_STORES = (os.path.join(".git", "annex", "objects"), os.path.join(".dvc", "cache"))
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class SideFileError(Exception):
    """A file that is not opened.

    Attributes:
        kind: ``missing``; ``outside``: its name leads out of the folder of the model; ``link``: a link does;
            ``special``: it is no regular file; ``unreadable``: the system refuses it.
        help: what can be done.
    """

    def __init__(self, kind: str, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.help = help


def open_side_file(model_path: str, name: str, follow_links: bool = False) -> BinaryIO:
    """Open the file ``name`` beside the model ``model_path``.

    Args:
        name: as the model writes it: a path below the folder of the model.
        follow_links: follow links wherever they lead.

    Raises:
        SideFileError: there is none, or it must not be opened.

    >>> open_side_file("samples_xml/demo/good.xml", "../../LICENSE")
    Traceback (most recent call last):
    ovgather.files.side.SideFileError: '../../LICENSE' leads out of the folder of the model
    """
    if os.path.isabs(name) or os.path.splitdrive(name)[0] or "\0" in name:
        raise SideFileError("outside", f"{name!r} is not a path below the folder of the model")
    if os.path.normpath(name).split(os.sep)[0] == os.pardir:
        raise SideFileError("outside", f"{name!r} leads out of the folder of the model")
    path = os.path.join(os.path.dirname(model_path), name)
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        raise SideFileError("missing", f"{name}: no such file") from None
    # The usual case is no link, and asks the system for nothing more.
    if stat.S_ISLNK(status.st_mode) or os.path.basename(name) != name:
        path = _followed(model_path, name, path, follow_links)
    return open_regular(path, name)


def _followed(model_path: str, name: str, path: str, follow_links: bool) -> str:
    real = os.path.realpath(path)
    if not follow_links and not any(_is_below(real, root) for root in _roots(model_path)):
        help = f"it is a link to {real}: --follow-links follows it"
        raise SideFileError("link", f"{name!r} leads out of the folder of the model", help)
    if os.path.islink(real) or not os.path.lexists(real):  # it leads to itself, or to nothing
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


def _is_below(path: str, root: str) -> bool:
    return path.startswith(os.path.join(root, ""))


def open_regular(path: str, name: str | None = None) -> BinaryIO:
    """Open the regular file ``path``, called ``name`` in messages, without waiting for a pipe."""
    called = name or path
    number = -1
    what = _kind(path)  # asked first: to open a device can do something
    if what is None:
        try:
            number = os.open(path, _FLAGS)
        except FileNotFoundError:
            raise SideFileError("missing", f"{called}: no such file") from None
        except (OSError, ValueError) as error:
            raise SideFileError("unreadable", f"{called}: {getattr(error, 'strerror', None) or error}") from None
        what = _kind(number)  # it may have been exchanged meanwhile
    if what is None:
        return open(path, "rb", opener=lambda *_: number)
    if number >= 0:
        os.close(number)
    raise SideFileError("special", f"{called}: {what}, not a file")


def _kind(path: str | int) -> str | None:
    """What it is other than a regular file."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    return None if stat.S_ISREG(mode) else next((what for is_it, what in _KINDS if is_it(mode)), "no file")


def map_part(file: BinaryIO, offset: int, size: int) -> memoryview:
    """``size`` mapped bytes of a file from ``offset``; MemoryError if the address space is too small."""
    if not size:
        return memoryview(b"")
    over = offset % mmap.ALLOCATIONGRANULARITY
    try:
        mapping = mmap.mmap(file.fileno(), over + size, access=mmap.ACCESS_READ, offset=offset - over)
    except (OSError, OverflowError, ValueError) as error:
        raise MemoryError(f"a part of {file.name} needs {size} bytes: {error}") from error
    return memoryview(mapping)[over:]
