"""Files that are written: none of them is a file that is read, whatever it is called."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from ovgather.errors import InvalidModelError

Identity = tuple[int, int] | str


def require_apart(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """See that no output is an input, nor another output: by another name, by a link, or by a hard link.

    Args:
        inputs: paths; ``-`` is standard input. Those that are not there, and pipes, matter to nobody.

    Raises:
        InvalidModelError: one is; the message names both.

    >>> require_apart(["out.json"], ["samples_xml/demo/good.xml"])
    >>> require_apart(["samples_xml/demo/./good.xml"], ["samples_xml/demo/good.xml"])
    Traceback (most recent call last):
    ovgather.errors.InvalidModelError: samples_xml/demo/./good.xml is the same file as samples_xml/demo/good.xml, \
which is read: it is not overwritten
    """
    written: dict[Identity, str] = {}
    for output in outputs:
        identity = _identity(output)
        if identity is None:
            continue
        if identity in written:
            raise InvalidModelError(f"{_as(output, written[identity])} another output: each needs a file of its own")
        written[identity] = output
    if not written:
        return
    for path in inputs:
        identity = _identity(path, is_input=True)
        if identity is not None and identity in written:
            output = written[identity]
            same = "" if output == path else f"{_as(output, 'standard input' if path == '-' else path)}, which "
            raise InvalidModelError(f"{same or output + ' '}is read: it is not overwritten")


def _as(output: str, other: str) -> str:
    return f"{output} is" if output == other else f"{output} is the same file as {other}"


def _identity(path: str, is_input: bool = False) -> Identity | None:
    """What tells a file from all others, whatever it is called; None for what is no file, such as a pipe."""
    try:
        status = os.stat(0 if is_input and path == "-" else path)
    except OSError:
        return os.path.realpath(path)  # such as two outputs that are not there yet
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
