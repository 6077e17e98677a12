"""Patterns of paths, as configuration files hold them."""

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
    """Whether ``pattern`` is ``path``, a folder around it, or, without ``/``, a name in it; ``*`` matches ``/``."""
    pattern = pattern.removeprefix("./").rstrip("/")
    if pattern.startswith("**/") and matches(pattern[3:], path):
        return True
    if fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*"):
        return True
    return "/" not in pattern and any(fnmatchcase(part, pattern) for part in path.split("/"))
