"""The text of an IR file, and the lines and columns of its bytes.

The reader parses UTF-8 bytes (``data``), after repairs, which are kept as edits. All positions are those of the text
before the repairs (``original``), which the user knows.
"""

import os
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import SideFileError, open_regular
from ovgather.ir.encoding import to_utf8
from ovgather.ir.lines import Lines, decode


class Edit(NamedTuple):
    """A repair: at byte ``start`` of the original, ``inserted`` replaces ``removed`` bytes; ``what`` is the reason."""

    start: int
    removed: int
    inserted: bytes
    what: str
    kind: str = "snippet"


class Source:
    """The bytes of a file, before and after repair."""

    __slots__ = ("_ends", "_lines", "_shifts", "data", "edits", "encoding", "original")

    def __init__(self, original: bytes, encoding: str = "utf-8") -> None:
        self.original = original
        self.data = original
        self.encoding = encoding
        self.edits: list[Edit] = []
        self._ends = array("q")
        self._shifts = array("q")
        self._lines: Lines | None = None

    @property
    def lines(self) -> Lines:
        """The lines of the original text."""
        if self._lines is None:
            self._lines = Lines(self.original)
        return self._lines

    def apply(self, edits: list[Edit]) -> None:
        """Make ``data`` from the original and ``edits``; of two that overlap, the first one counts."""
        self.edits = []
        parts: list[bytes] = []
        self._ends, self._shifts = array("q"), array("q")
        end = shift = 0
        # A hostile text has an edit for every byte.
        for edit in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
            start, removed, inserted = edit[:3]
            if start < end:
                continue
            self.edits.append(edit)
            parts += self.original[end:start], inserted
            end = start + removed
            shift += len(inserted) - removed
            self._ends.append(end + shift)
            self._shifts.append(shift)
        parts.append(self.original[end:])
        self.data = b"".join(parts)

    def to_original(self, offset: int) -> int:
        """The byte of the original for byte ``offset`` of ``data``; an inserted byte has one within the edit."""
        index = bisect_right(self._ends, offset)
        shift = self._shifts[index - 1] if index else 0
        if index < len(self.edits) and offset - shift > self.edits[index].start:
            edit = self.edits[index]
            removed = self.original[edit.start : edit.start + edit.removed]
            lead = max(0, edit.inserted.find(removed))  # such as a quote before it
            return edit.start + min(max(0, offset - shift - edit.start - lead), edit.removed)
        return offset - shift

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of byte ``offset`` of ``data``; columns count characters."""
        return self.original_position(self.to_original(offset))

    def span(self, begin: int, end: int) -> tuple[int, int, int, int]:
        """Line and column of byte ``begin`` and those of byte ``end`` of ``data``."""
        line, column = self.position(begin)
        text = self.data[begin:end]
        if self.edits or b"\n" in text or b"\r" in text or not text.isascii() or len(text) != end - begin:
            return line, column, *self.position(end)
        return line, column, line, column + len(text)

    def original_position(self, offset: int) -> tuple[int, int]:
        """Line and column of byte ``offset`` of the original text."""
        return self.lines.position(offset)

    def line(self, number: int, width: int = 100_000, column: int = 1) -> str:
        """Line ``number`` (from 1) of the original without its end: at most ``width`` characters from ``column`` on."""
        begin = self.lines.offset(number, column)
        end = self.lines.end(begin, begin + 4 * width)
        return decode(self.original[begin:end])[:width].rstrip("\r")


class FileText:
    """The text of the file ``path``, read when a line is asked for."""

    def __init__(self, path: str) -> None:
        self.path = path

    def line(self, number: int, width: int = 100_000, column: int = 1) -> str:
        """As of ``Source``; empty where the file is gone, or no longer has this line."""
        try:
            if is_remote(self.path):
                return _source(self.path).line(number, width, column)
            status = os.stat(self.path)
            return _source(self.path, status.st_mtime_ns, status.st_size).line(number, width, column)
        except (OSError, SideFileError, IndexError):
            return ""


@lru_cache(maxsize=1)  # the findings of a file are shown one after the other
def _source(path: str, *state: int) -> Source:
    if is_remote(path):
        return Source(to_utf8(RemoteFile(path).whole())[0])
    with open_regular(path) as file:
        return Source(to_utf8(file.read())[0])


def pieces(data: bytes, start: int, first: int = 1 << 10) -> Iterator[bytes]:
    """``data`` from byte ``start`` on, in growing pieces: a parser scans an unfinished tag again with every piece."""
    while start < len(data):
        yield data[start : start + first]
        start += first
        first = min(2 * first, 1 << 20)
