"""Atomic writing of files; no output is an input under another name.

New content is written to a temporary file in the same folder (``.ovgather-*``), which is then renamed. The next process
that writes to the folder removes the temporary files of killed processes of this machine.
The new file gets mode, owner, access list and extended attributes of the old one. Hard links keep the old content:
writing through them could stop halfway, and would change files that the user did not name.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache

from ovgather.errors import InvalidModelError
from ovgather.files.side import descriptor, require_name

PREFIX = ".ovgather-"
# They certify the old content.
_OF_CONTENT = (
    "security.ima",
    "security.evm",
    "security.capability",
)
Pieces = Iterable[bytes | memoryview]


def require_distinct(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Check that no output is an input (``-``: standard input) or another output, also through links and hard links."""
    paths: dict[object, str] = {}
    for output in outputs:
        identity = identity_of(output)
        if identity in paths:
            raise InvalidModelError(
                f"{_as(output, paths[identity])} another output: each needs a file of its own"
            )
        if identity is not None:
            paths[identity] = output
    if paths:
        is_new = any(isinstance(identity, str) for identity in paths)
        for path in inputs:
            identity = identity_of(path, is_input=True, is_new=is_new)
            if output := paths.get(identity, ""):
                if output == path:
                    same = ""
                else:
                    same = f"{_as(output, 'standard input' if path == '-' else path)}, which "
                raise InvalidModelError(
                    f"{same or output + ' '}is read: it is not overwritten"
                )


def _as(output: str, other: str) -> str:
    if output == other:
        return f"{output} is"
    return f"{output} is the same file as {other}"


def identity_of(
    path: str, is_input: bool = False, is_new: bool = True
) -> tuple[int, int] | str | None:
    """The identity of a file, whatever its name; None for a pipe and the like.

    What does not exist, such as an output before it is written, has its path, which takes as long as ten files that
    exist: None where it cannot be asked for, since no output ``is_new``.
    """
    try:
        status = os.stat(0 if is_input and path == "-" else path)
    except OSError:
        if is_new:
            return os.path.realpath(path)
        return None
    if stat.S_ISREG(status.st_mode):
        return (status.st_dev, status.st_ino)
    return None


def write_whole(
    files: Sequence[tuple[str, Pieces]],
    inputs: Iterable[str] = (),
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Write ``files``, each a path with its pieces: none is replaced before all are written.

    Links are followed. A pipe or ``/dev/stdout`` is written to, not replaced. ``ready`` is called before the first file
    is replaced, and may raise an error.

    Raises:
        InvalidModelError: a path is one of ``inputs``, or occurs twice.
        OSError: a file cannot be written, and all are unchanged; ``filename`` is the given path.
    """
    require_distinct([path for path, _ in files], inputs)
    temporaries: list[tuple[str, str, str]] = []
    try:
        for path, pieces in files:
            _write(path, pieces, temporaries)
        ready()
        for path, name, target in temporaries:  # noqa: B007 - an error names it
            os.replace(name, target)
    except BaseException as error:
        for _, name, _ in temporaries:
            with suppress(OSError):
                os.unlink(name)
        if isinstance(error, OSError):
            # not the temporary one
            error.filename = path
            error.filename2 = None
        raise


def require_writable(path: str) -> os.stat_result | None:
    """Check that the file ``path`` can be written; its status, or None if it does not exist."""
    target = os.path.realpath(path)
    try:
        status = os.stat(path)
    except FileNotFoundError:
        status = None
    if status is not None and (
        not stat.S_ISREG(status.st_mode) or descriptor(path) is not None
    ):
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
        return status
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    # Renaming would get round the permissions of the file, and so does root, who rarely means to.
    if status is not None and not (
        status.st_mode & 0o222 and os.access(target, os.W_OK)
    ):
        raise PermissionError(errno.EACCES, "it is read-only", path)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "its folder is read-only", path)
    return status


def require_creatable(folder: str) -> None:
    """Check that files can be written to ``folder``, which may have to be created first."""
    require_name(folder)
    path = os.path.realpath(folder)
    while not os.path.lexists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, "it is no folder", path)
    if not os.access(path, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "this folder is read-only", path)


@contextmanager
def made(folder: str) -> Iterator[None]:
    """Make ``folder``, and those above it; of these, none stays empty where writing into it fails."""
    new = []
    path = os.path.abspath(folder)
    while not os.path.lexists(path):
        new.append(path)
        path = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):
                os.rmdir(path)
        raise


def keep_attributes(old: str, new: str) -> None:
    """Copy owner, extended attributes, access list and mode from ``old`` to ``new``, as far as the system permits."""
    status = os.stat(old)
    if hasattr(os, "chown"):
        for owner, group in ((status.st_uid, status.st_gid), (-1, status.st_gid)):
            with suppress(OSError):
                os.chown(new, owner, group)
                break
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            _keep_extended(old, new)
    os.chmod(new, stat.S_IMODE(status.st_mode))


def _keep_extended(old: str, new: str) -> None:
    names = [name for name in os.listxattr(old) if name not in _OF_CONTENT]
    for name in set(os.listxattr(new)).difference(
        names, _OF_CONTENT
    ):  # such as the access list of the folder
        with suppress(OSError):
            os.removexattr(new, name)
    for name in names:
        with suppress(OSError):
            os.setxattr(new, name, os.getxattr(old, name))


def _write(path: str, pieces: Pieces, temporaries: list[tuple[str, str, str]]) -> None:
    """Write to a stream, or to a file beside ``path``: ``temporaries`` gets path, temporary name and target."""
    status = require_writable(path)
    number = descriptor(path)
    if number is not None or (status is not None and not stat.S_ISREG(status.st_mode)):
        if number == 1 and sys.stdout is not None:
            sys.stdout.flush()
        with open(path if number is None else os.dup(number), "wb") as stream:
            stream.writelines(pieces)
        return
    target = os.path.realpath(path)
    name = temporary_name(os.path.dirname(target))
    temporaries.append((path, name, target))
    # A new file has the mode that the system gives it; what replaces another is at no time more open than that.
    mode = 0o666 if status is None else 0o600
    with open(
        name, "xb", opener=lambda name, flags: os.open(name, flags, mode)
    ) as file:
        file.writelines(pieces)
        file.flush()
        # Or a loss of power after the renaming could leave an empty file.
        os.fsync(file.fileno())
    if status is not None:
        keep_attributes(target, name)


def temporary_name(folder: str) -> str:
    """A new name for a temporary file in ``folder``; those that dead processes left there are removed."""
    _remove_stale(folder)
    return os.path.join(
        folder, f"{PREFIX}{_processes()}-{os.getpid()}-{os.urandom(4).hex()}"
    )


@cache
def _remove_stale(folder: str) -> None:
    start = f"{PREFIX}{_processes()}-"
    with suppress(OSError):
        for name in [name for name in os.listdir(folder) if name.startswith(start)]:
            number = name.removeprefix(start).partition("-")[0]
            if number.isdigit() and not _is_alive(int(number)):
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))


@cache
def _processes() -> str:
    """A hash of what the number of a process belongs to: the machine, or a container on it."""
    from hashlib import sha256
    from platform import node

    spaces = [node()]
    with suppress(OSError):
        spaces.append(os.readlink("/proc/self/ns/pid"))
    return sha256(repr(spaces).encode()).hexdigest()[:8]


def _is_alive(number: int) -> bool:
    if os.name == "nt":  # where os.kill ends a process
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
