"""Protection of inputs: no output is an input under another name."""

import os
import stat
from collections.abc import Iterable

from ovgather.errors import InvalidModelError

Identity = tuple[int, int] | str


def require_apart(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Check that no output is an input (``-``: standard input) or another output, also through links and hard links."""
    paths: dict[Identity, str] = {}
    for output in outputs:
        identity = _identity(output)
        if identity is None:
            continue
        if identity in paths:
            raise InvalidModelError(f"{_as(output, paths[identity])} another output: each needs a file of its own")
        paths[identity] = output
    if not paths:
        return
    for path in inputs:
        identity = _identity(path, is_input=True)
        if identity is not None and identity in paths:
            output = paths[identity]
            same = "" if output == path else f"{_as(output, 'standard input' if path == '-' else path)}, which "
            raise InvalidModelError(f"{same or output + ' '}is read: it is not overwritten")


def _as(output: str, other: str) -> str:
    return f"{output} is" if output == other else f"{output} is the same file as {other}"


def _identity(path: str, is_input: bool = False) -> Identity | None:
    """The identity of a file, whatever its name; None for a pipe and the like."""
    try:
        status = os.stat(0 if is_input and path == "-" else path)
    except OSError:
        return os.path.realpath(path)  # such as two outputs that do not exist yet
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
