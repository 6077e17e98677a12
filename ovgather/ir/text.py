"""The text of an IR file, and its lines and columns. The reader parses UTF-8 bytes (``data``) after repairs, which are
kept as edits; all positions are those of the text before them (``original``), which the user knows."""

import os
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import SideFileError, open_regular
from ovgather.ir.encoding import to_utf8
from ovgather.tensor.lazy import cached

_BLOCK = 1 << 12
_BOM = b"\xef\xbb\xbf"


def decode(text: bytes) -> str:
    """``text`` with one U+FFFD for each byte that is not UTF-8, so that columns can be counted in it."""
    characters = text.decode("utf-8", "surrogateescape")
    if characters.isprintable():
        return characters
    return "".join(
        "\ufffd" if "\udc80" <= char <= "\udcff" else char for char in characters
    )


class Lines:
    """Lines and columns of ``text``, from 1: a byte that is not UTF-8 is one character, a byte-order mark none.

    ``_starts`` are the first bytes of blocks of the text, ``_breaks`` and ``_characters`` the line ends and the
    characters before each: a text in one line may have a hundred thousand findings.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        if b"\n" not in text and b"\r" in text:
            self.newline = b"\r"
        else:
            self.newline = b"\n"
        self._ascii = text.isascii()
        self._starts = [0]
        for offset in range(_BLOCK, len(text), _BLOCK):
            # The first byte of a character is at most three bytes back.
            starts = (
                start
                for start in range(offset, offset - 4, -1)
                if not 0x80 <= text[start] < 0xC0
            )
            self._starts.append(next(starts, offset))
        blocks = zip(self._starts, self._starts[1:], strict=False)
        self._breaks = [
            *accumulate(
                (text.count(self.newline, begin, end) for begin, end in blocks),
                initial=0,
            )
        ]

    @cached
    def _characters(self) -> list[int]:
        texts = (
            self.text[begin:end]
            for begin, end in zip(self._starts, self._starts[1:], strict=False)
        )
        return [
            *accumulate(
                (len(text.decode("utf-8", "surrogateescape")) for text in texts),
                initial=0,
            )
        ]

    def position(self, offset: int) -> tuple[int, int]:
        offset = max(0, min(offset, len(self.text)))
        start = self._starts[block := bisect_right(self._starts, offset) - 1]
        before = self._breaks[block] + self.text.count(self.newline, start, offset)
        begin = self.text.rfind(self.newline, start, offset) + 1 or self._start(before)
        return before + 1, max(1, self._until(offset) - self._until(begin) + 1)

    def offset(self, line: int, column: int) -> int:
        begin = self._start(line - 1)
        if self._ascii:
            return min(begin + column - 1, len(self.text))
        before = self._until(begin) + column - 1
        start = self._starts[block := bisect_right(self._characters, before) - 1]
        characters = self.text[start : start + 2 * _BLOCK].decode(
            "utf-8", "surrogateescape"
        )
        inside = characters[: before - self._characters[block]]
        return start + len(inside.encode("utf-8", "surrogateescape"))

    def _until(self, offset: int) -> int:
        """The number of characters before byte ``offset``."""
        if self._ascii:
            return offset
        start = self._starts[block := bisect_right(self._starts, offset) - 1]
        return self._characters[block] + len(
            self.text[start:offset].decode("utf-8", "surrogateescape")
        )

    def _start(self, number: int) -> int:
        """The first byte of the line that follows ``number`` line ends."""
        if number == 0:
            if self.text.startswith(_BOM):
                return len(_BOM)
            return 0
        block = bisect_left(self._breaks, number) - 1
        at = self._starts[block] - 1
        for _ in range(number - self._breaks[block]):
            at = self.text.find(self.newline, at + 1)
            if at < 0:
                return len(self.text)
        return at + 1


class Edit(NamedTuple):
    """A repair: at byte ``start`` of the original, ``inserted`` replaces ``removed`` bytes; ``what`` is the reason."""

    start: int
    removed: int
    inserted: bytes
    what: str
    kind: str = "snippet"


class Source:
    """The bytes of a file, before and after repair; ``lines`` has the positions of bytes before."""

    def __init__(self, original: bytes, encoding: str = "utf-8") -> None:
        self.original = original
        self.encoding = encoding
        self.apply([])

    @cached
    def lines(self) -> Lines:
        return Lines(self.original)

    def apply(self, edits: list[Edit]) -> None:
        """Make ``data`` from the original and ``edits``; of two that overlap, the first one counts."""
        self.edits: list[Edit] = []
        self._ends = array("q")
        self._shifts = array("q")
        parts: list[bytes] = []
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
        if index:
            shift = self._shifts[index - 1]
        else:
            shift = 0
        if index < len(self.edits) and offset - shift > self.edits[index].start:
            edit = self.edits[index]
            removed = self.original[edit.start : edit.start + edit.removed]
            lead = max(0, edit.inserted.find(removed))  # such as a quote before it
            return edit.start + min(
                max(0, offset - shift - edit.start - lead), edit.removed
            )
        return offset - shift

    def edit_of_original(self, edit: Edit) -> Edit:
        """``edit``, whose bytes are those of ``data``, with those of the original."""
        start = self.to_original(edit.start)
        end = self.to_original(edit.start + edit.removed)
        return edit._replace(start=start, removed=end - start)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of byte ``offset`` of ``data``; columns count characters."""
        return self.lines.position(self.to_original(offset))

    def line(self, number: int, width: int = 100_000, column: int = 1) -> str:
        """Line ``number`` (from 1) of the original without its end: at most ``width`` characters from ``column`` on."""
        begin = self.lines.offset(number, column)
        line = self.original[begin : begin + 4 * width].partition(self.lines.newline)[0]
        return decode(line)[:width].rstrip("\r")


class FileText(NamedTuple):
    """The text of the file ``path``, read when a line is asked for."""

    path: str

    def line(self, number: int, width: int = 100_000, column: int = 1) -> str:
        """As of ``Source``; empty where the file is gone, or no longer has this line."""
        try:
            status = None
            if not is_remote(self.path):
                status = os.stat(self.path)
            state = (status.st_mtime_ns, status.st_size) if status is not None else ()
            return _source(self.path, *state).line(number, width, column)
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
