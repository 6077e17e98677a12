"""Successive edits of a text, and the differences between the result and the original."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
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
        return _Piece(self.start + begin, end - begin, None if self.inserted is None else self.inserted[begin:end])


class Patched:
    """A text with edits."""

    def __init__(self, original: bytes) -> None:
        self.original = original
        self.text = original
        self._pieces = [_Piece(0, len(original))]

    def apply(self, edits: Iterable[Edit]) -> None:
        """Make ``edits``, whose positions are those of the current ``text``, and which do not overlap."""
        starts = [*accumulate([piece.length for piece in self._pieces], initial=0)]
        pieces: list[_Piece] = []
        parts: list[bytes] = []
        end = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.removed)):
            pieces += self._cut(starts, end, edit.start)
            pieces.append(_Piece(0, len(edit.inserted), edit.inserted))
            parts += (self.text[end : edit.start], edit.inserted)
            end = edit.start + edit.removed
        self._pieces = [*pieces, *self._cut(starts, end, len(self.text))]
        self.text = b"".join([*parts, self.text[end:]])

    def _cut(self, starts: list[int], begin: int, end: int) -> Iterator[_Piece]:
        index = bisect_right(starts, begin) - 1
        while begin < end:
            stop = min(end, starts[index + 1])
            if begin < stop:
                yield self._pieces[index].part(begin - starts[index], stop - starts[index])
            begin, index = stop, index + 1

    def regions(self) -> list[Region]:
        """The differences between the original and ``text``, in order."""
        regions: list[Region] = []
        end, pending = 0, b""
        for piece in [*self._pieces, _Piece(len(self.original), 0)]:
            if piece.inserted is not None:
                pending += piece.inserted
                continue
            if self.original[end : piece.start] != pending:
                regions.append(Region(end, piece.start, pending))
            end, pending = piece.start + piece.length, b""
        return regions


def compatible(occupied: list[tuple[int, int]], edits: Iterable[Edit]) -> list[tuple[int, int]] | None:
    """The spans of ``edits``; None if one of them overlaps the sorted spans ``occupied``."""
    spans = [(edit.start, max(edit.start + edit.removed, edit.start + 1)) for edit in edits]
    for begin, end in spans:
        index = bisect_right(occupied, (begin, 1 << 62))
        if (index and occupied[index - 1][1] > begin) or (index < len(occupied) and occupied[index][0] < end):
            return None
    return spans
