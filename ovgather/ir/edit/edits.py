"""Successive edits of a text, their differences from the original, and files written again in their encoding."""

from __future__ import annotations

import io
import os
import stat
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.files.whole import write_whole
from ovgather.ir.encoding import to_utf8
from ovgather.ir.positions import Span
from ovgather.ir.text import Edit

Stays = Callable[[str, str], bool]


class Region(NamedTuple):
    """Bytes ``start`` to ``end`` of the original are replaced by ``inserted``."""

    start: int
    end: int
    inserted: bytes


class _Piece(NamedTuple):
    """A part of the text, and the byte of the original where it starts; None: it is inserted."""

    text: memoryview
    start: int | None = None

    def part(self, begin: int, end: int) -> _Piece:
        return _Piece(
            self.text[begin:end], None if self.start is None else self.start + begin
        )


class Patched:
    def __init__(self, original: bytes) -> None:
        self.original = self.text = original
        self._pieces = [_Piece(memoryview(original), 0)]

    def apply(self, edits: Iterable[Edit]) -> None:
        """Make ``edits``, whose positions are those of the current ``text``, and which do not overlap."""
        starts = [*accumulate([len(piece.text) for piece in self._pieces], initial=0)]
        pieces: list[_Piece] = []
        end = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.removed)):
            pieces += [
                *self._cut(starts, end, edit.start),
                _Piece(memoryview(edit.inserted)),
            ]
            end = edit.start + edit.removed
        self._pieces = [*pieces, *self._cut(starts, end, len(self.text))]
        self.text = b"".join([piece.text for piece in self._pieces])

    def _cut(self, starts: list[int], begin: int, end: int) -> Iterator[_Piece]:
        index = bisect_right(starts, begin) - 1
        while begin < end:
            stop = min(end, starts[index + 1])
            if begin < stop:
                yield self._pieces[index].part(
                    begin - starts[index], stop - starts[index]
                )
            begin = stop
            index = index + 1

    def regions(self) -> list[Region]:
        """The differences between the original and ``text``, in order."""
        regions: list[Region] = []
        end = 0
        pending = b""
        for piece in [*self._pieces, _Piece(memoryview(b""), len(self.original))]:
            if piece.start is None:
                pending += piece.text
                continue
            if self.original[end : piece.start] != pending:
                regions.append(Region(end, piece.start, pending))
            end = piece.start + len(piece.text)
            pending = b""
        return regions


def patched(text: bytes, edits: Iterable[tuple[Span, bytes]]) -> bytes:
    """``text`` with other texts in the places of spans."""
    result = Patched(text)
    result.apply(Edit(begin, end - begin, text, "") for (begin, end), text in edits)
    return result.text


def compatible(
    occupied: list[tuple[int, int]], edits: Iterable[Edit]
) -> list[tuple[int, int]] | None:
    """The spans of ``edits``; None if one of them overlaps the sorted spans ``occupied``."""
    spans = [
        (edit.start, max(edit.start + edit.removed, edit.start + 1)) for edit in edits
    ]
    for begin, end in spans:
        index = bisect_right(occupied, (begin, 1 << 62))
        if (index and occupied[index - 1][1] > begin) or (
            index < len(occupied) and occupied[index][0] < end
        ):
            return None
    return spans


class Held(io.BytesIO):
    """Bytes with the name of the file ``path``, for the reader."""

    def __init__(self, data: bytes, path: str) -> None:
        super().__init__(data)
        self.name = "<stdin>" if path == "-" else path


class Encoding:
    """The encoding of a file; InvalidModelError if it cannot write the same bytes again."""

    def __init__(self, data: bytes) -> None:
        self.text, name, _ = to_utf8(data)
        self.mark = b""
        self.codec = "" if self.text == data else name
        if self.codec in ("utf-16", "utf-32"):
            self.mark = data[: 2 if name == "utf-16" else 4]
            self.codec += "-le" if data[0] == 0xFF else "-be"
        if self.encode(self.text) != data:
            raise InvalidModelError(f"some of its bytes are no {self.codec} text")

    def encode(self, text: bytes) -> bytes:
        """The bytes of a file with ``text``, which is UTF-8."""
        if self.codec:
            return self.mark + text.decode("utf-8").encode(self.codec, "replace")
        return text


def _anywhere(path: str, target: str) -> bool:
    return True


def replace(
    path: str,
    data: bytes,
    before: bytes,
    stays: Stays = _anywhere,
) -> None:
    """Write ``data`` to the regular file ``path``, unless its content is no longer ``before``, or it no longer
    ``stays``, by its path and the file to which that leads, where it was found."""
    target = os.path.realpath(path)  # a link that takes its place later is none of it
    if not stays(path, target):
        raise InvalidModelError("a link out of its folder has taken its place")
    if not stat.S_ISREG(os.stat(target).st_mode):
        raise InvalidModelError("it is no regular file")

    def require_unchanged() -> None:
        with open(target, "rb") as file:
            if file.read(len(before) + 1) != before:
                raise InvalidModelError("it was changed meanwhile")

    write_whole([(target, (data,))], ready=require_unchanged)
