"""Where a file stands, as the readers of reports want it: seen from the working folder, with slashes, or as a URI."""

from __future__ import annotations

import os
from types import ModuleType

from ovgather.text import well_formed


def relative(path: str, start: str = os.curdir, paths: ModuleType = os.path) -> str:
    """``path`` seen from the folder ``start``, with slashes; absolute when it does not lie below ``start``.

    ``paths`` is the flavour of paths, ``posixpath`` or ``ntpath``.

    >>> import ntpath, posixpath
    >>> relative("./models/../m.xml", "/home/me", posixpath)
    'm.xml'
    >>> relative("C:\\\\me\\\\models\\\\m.xml", "C:\\\\me", ntpath)
    'models/m.xml'
    >>> relative("D:\\\\m.xml", "C:\\\\me", ntpath)
    'D:/m.xml'
    """
    whole = paths.join(start, path)
    try:
        found: str = paths.relpath(whole, start)
    except ValueError:  # on another drive
        found = whole
    if found == paths.pardir or found.startswith(paths.pardir + paths.sep):
        found = paths.abspath(whole)
    return found.replace(paths.sep, "/")


def uri(path: str, start: str = os.curdir, paths: ModuleType = os.path) -> str:
    """The URI of a file: relative below ``start``, else of the scheme ``file``; percent-encoded.

    >>> import ntpath, posixpath
    >>> uri("a b/50%/é:1.xml", "/home/me", posixpath)
    'a%20b/50%25/%C3%A9%3A1.xml'
    >>> uri("/tmp/m.xml", "/home/me", posixpath), uri("D:\\\\m.xml", "C:\\\\me", ntpath)
    ('file:///tmp/m.xml', 'file:///D:/m.xml')
    """
    from urllib.parse import quote

    place = relative(path, start, paths)
    if not paths.isabs(place):
        return quote(_bytes(place))
    drive, rest = paths.splitdrive(place)
    root = drive if drive.startswith("//") else f"//{'/' if drive else ''}{drive}"
    return f"file:{quote(_bytes(root), '/:')}{quote(_bytes(rest))}"


def _bytes(path: str) -> bytes:
    # A name that is not UTF-8 arrives with its bytes as lone surrogates, and must leave as the same bytes.
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return well_formed(path).encode()
