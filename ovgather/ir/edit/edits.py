"""Edits of a text, made one after the other, and where the result differs from the text it was made of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ovgather.ir.text import Edit


class Region(NamedTuple):
    """Bytes ``start`` to ``end`` of the original are replaced by ``inserted``."""

    start: int
    end: int
    inserted: bytes


class _Piece(NamedTuple):
    """A part of the text: ``inserted``, or (None) ``length`` bytes of the original from ``start`` on."""

    start: int
    length: int
    inserted: bytes | None = None

    def part(self, begin: int, end: int) -> _Piece:
        inserted = self.inserted[begin:end] if self.inserted is not None else None
        return _Piece(self.start + begin, end - begin, inserted)


class Patched:
    """A text with edits made in it.

    >>> patched = Patched(b"axis 1.9, dim 9")
    >>> patched.apply([Edit(5, 3, b"1", "")])
    >>> patched.apply([Edit(12, 1, b"2", "")])
    >>> patched.text, [tuple(region) for region in patched.regions()]
    (b'axis 1, dim 2', [(5, 8, b'1'), (14, 15, b'2')])
    """

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.text = original
        self._pieces = [_Piece(0, len(original))]

    def apply(self, edits: Iterable[Edit]) -> None:
        """Make ``edits``, whose positions are those of the current ``text``, and which do not overlap."""
        starts = [0]
        for piece in self._pieces:
            starts.append(starts[-1] + piece.length)
        pieces: list[_Piece] = []
        parts: list[bytes] = []
        done = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.removed)):
            pieces += self._cut(starts, done, edit.start)
            pieces.append(_Piece(0, len(edit.inserted), edit.inserted))
            parts += (self.text[done : edit.start], edit.inserted)
            done = edit.start + edit.removed
        self._pieces = [*pieces, *self._cut(starts, done, len(self.text))]
        self.text = b"".join([*parts, self.text[done:]])

    def _cut(self, starts: list[int], begin: int, end: int) -> Iterator[_Piece]:
        index = bisect_right(starts, begin) - 1
        while begin < end:
            stop = min(end, starts[index + 1])
            if begin < stop:
                yield self._pieces[index].part(begin - starts[index], stop - starts[index])
            begin, index = stop, index + 1

    def regions(self) -> list[Region]:
        """The differences between the original and ``text``, in order."""
        found: list[Region] = []
        done, pending = 0, b""
        for piece in [*self._pieces, _Piece(len(self.original), 0)]:
            if piece.inserted is not None:
                pending += piece.inserted
                continue
            if self.original[done : piece.start] != pending:
                found.append(Region(done, piece.start, pending))
            done, pending = piece.start + piece.length, b""
        return found


def compatible(occupied: list[tuple[int, int]], edits: Iterable[Edit]) -> list[tuple[int, int]] | None:
    """The spans of ``edits``; None if one of them overlaps the sorted spans ``occupied``."""
    places = []
    for edit in edits:
        begin, end = edit.start, max(edit.start + edit.removed, edit.start + 1)
        at = bisect_right(occupied, (begin, 1 << 62))
        if (at and occupied[at - 1][1] > begin) or (at < len(occupied) and occupied[at][0] < end):
            return None
        places.append((begin, end))
    return places
