"""Patterns of paths, as configuration files hold them."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase


def relative(path: str, folder: str) -> str:
    """``path`` as seen from ``folder``, with ``/`` between its parts; standard input stays ``-``."""
    if path == "-":
        return path
    try:
        seen = os.path.relpath(path, folder or ".")
    except ValueError:  # another drive
        seen = os.path.abspath(path)
    return seen.replace(os.sep, "/")


def matches(pattern: str, path: str) -> bool:
    """Whether ``pattern`` is ``path``, a folder around it, or, when it has no ``/``, the name of either.

    ``*`` matches ``/`` too; a leading ``**/`` matches no folder as well.

    >>> [path for path in ("a.xml", "old/a.xml", "new/old/b.xml") if matches("old", path)]
    ['old/a.xml', 'new/old/b.xml']
    >>> matches("old/*.xml", "old/a.xml"), matches("old/*.xml", "new/old/a.xml"), matches("**/a.xml", "a.xml")
    (True, False, True)
    """
    pattern = pattern.removeprefix("./").rstrip("/")
    if pattern.startswith("**/") and matches(pattern[3:], path):
        return True
    if fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*"):
        return True
    return "/" not in pattern and any(fnmatchcase(part, pattern) for part in path.split("/"))
