"""Where a file stands, as the readers of reports want it: seen from the working folder, with slashes, or as a URI."""

import os
from types import ModuleType

from ovgather.files.remote import is_remote
from ovgather.text import well_formed


def relative(path: str, start: str = os.curdir, paths: ModuleType = os.path) -> str:
    """``path`` seen from the folder ``start``, with slashes; absolute when it is not below ``start``, or an address."""
    if is_remote(path):
        return path
    whole = paths.join(start, path)
    try:
        path = paths.relpath(whole, start)
    except ValueError:  # on another drive
        path = whole
    if path.split(paths.sep)[0] == paths.pardir:
        path = paths.abspath(whole)
    return path.replace(paths.sep, "/")


def uri(path: str, start: str = os.curdir, paths: ModuleType = os.path) -> str:
    """The URI of a file: relative below ``start``, else of the scheme ``file``; percent-encoded."""
    from urllib.parse import quote

    if is_remote(path):
        return quote(_bytes(path), ":/")
    path = relative(path, start, paths)
    if not paths.isabs(path):
        return quote(_bytes(path))
    drive, rest = paths.splitdrive(path)
    if drive.startswith("//"):
        root = drive
    else:
        root = f"//{'/' if drive else ''}{drive}"
    return f"file:{quote(_bytes(root), '/:')}{quote(_bytes(rest))}"


def _bytes(path: str) -> bytes:
    # A name that is not UTF-8 arrives with its bytes as lone surrogates, and must leave as the same bytes.
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return well_formed(path).encode()
