"""The text of an IR file and the way back from byte offsets to lines and columns.

The reader parses UTF-8 bytes (``data``). Where the text had to be repaired first, the repairs are kept as
edits, and every position is given in the text as it was (``original``): a user never sees a column of a
text that he did not write.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Edit(NamedTuple):
    """A repair: at byte ``start`` of the original, ``removed`` bytes gave way to ``inserted``; ``what`` says why."""

    start: int
    removed: int
    inserted: bytes
    what: str
    kind: str = "snippet"


class Source:
    """The bytes of a file, before and after repair.

    >>> source = Source(b'<net>\\n  <layers/>\\n</net>')
    >>> source.position(8)
    (2, 3)
    >>> source.line(2)
    '  <layers/>'
    """

    __slots__ = ("_breaks", "_checkpoint", "_edits", "_newline", "data", "edits", "encoding", "original")

    def __init__(self, original: bytes, encoding: str = "utf-8") -> None:
        self.original = original
        self.data = original
        self.encoding = encoding
        self.edits: list[Edit] = []
        self._breaks: list[tuple[int, int]] = []
        self._checkpoint = (0, 1)
        self._newline = b"\r" if b"\n" not in original and b"\r" in original else b"\n"

    def apply(self, edits: list[Edit]) -> None:
        """Make ``data`` from the original with all ``edits`` (which must not overlap)."""
        self.edits = sorted(edits)
        parts: list[bytes] = []
        self._breaks = []
        done = shift = 0
        for edit in self.edits:
            parts += [self.original[done : edit.start], edit.inserted]
            done = edit.start + edit.removed
            shift += len(edit.inserted) - edit.removed
            self._breaks.append((done + shift, shift))
        parts.append(self.original[done:])
        self.data = b"".join(parts)

    def to_original(self, offset: int) -> int:
        """The byte of the original that byte ``offset`` of ``data`` came from (the edit's start, if inserted)."""
        at = bisect_right(self._breaks, (offset, 1 << 62)) - 1
        shift = self._breaks[at][1] if at >= 0 else 0
        if at + 1 < len(self._breaks):
            return min(offset - shift, self.edits[at + 1].start + self.edits[at + 1].removed)
        return offset - shift

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of byte ``offset`` of ``data``; columns count characters."""
        return self.original_position(self.to_original(offset))

    def original_position(self, offset: int) -> tuple[int, int]:
        """Line and column of byte ``offset`` of the original text."""
        offset = max(0, min(offset, len(self.original)))
        start, line = self._checkpoint if self._checkpoint[0] <= offset else (0, 1)
        line += self.original.count(self._newline, start, offset)
        self._checkpoint = (offset, line)
        begin = self.original.rfind(self._newline, 0, offset) + 1
        text = self.original[begin:offset]
        if line == 1 and text.startswith(b"\xef\xbb\xbf"):
            text = text[3:]
        return line, len(text.decode("utf-8", "replace")) + 1

    def line(self, number: int, width: int = 100_000) -> str:
        """The text of line ``number`` (from 1) of the original without its end, at most ``width`` bytes of it."""
        begin = 0
        for _ in range(number - 1):
            begin = self.original.find(self._newline, begin) + 1
            if begin == 0:
                return ""
        end = self.original.find(self._newline, begin, begin + width)
        text = self.original[begin : end if end >= 0 else min(len(self.original), begin + width)]
        return text.decode("utf-8", "replace").rstrip("\r").removeprefix("\ufeff")
