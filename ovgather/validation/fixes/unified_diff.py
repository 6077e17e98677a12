"""Unified diffs from known edits: the texts are not compared."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import accumulate, takewhile
from typing import NamedTuple

from ovgather.ir.edit.edits import Region

_CONTEXT = 3


class _Change(NamedTuple):
    """Lines ``start`` to ``end`` (from 0, the end exclusive) of the original give way to ``new``."""

    start: int
    end: int
    new: list[bytes]


def unified_diff(path: str, original: bytes, regions: Iterable[Region]) -> bytes:
    """The diff of ``original`` against what ``regions`` make of it, as ``patch`` takes it; empty without regions."""
    lines = BytesIO(original).readlines()  # only a line feed ends a line for `patch`
    parts: list[bytes] = []
    shift = 0
    for changes in _hunks(_changes(original, lines, regions)):
        at = first = max(0, changes[0].start - _CONTEXT)
        last = min(len(lines), changes[-1].end + _CONTEXT)
        body = []
        for start, end, new in [*changes, _Change(last, last, [])]:
            body += [b" " + line for line in lines[at:start]] + [
                b"-" + line for line in lines[start:end]
            ]
            body += [b"+" + line for line in new]
            at = end
        growth = sum(
            len(change.new) - (change.end - change.start) for change in changes
        )
        length = last - first
        parts.append(
            f"@@ -{_range(first, length)} +{_range(first + shift, length + growth)} @@\n".encode()
        )
        parts += [
            line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
            for line in body
        ]
        shift += growth
    name = path.encode("utf-8", "surrogateescape")
    if parts:
        return b"".join([b"--- ", name, b"\n+++ ", name, b"\n", *parts])
    return b""


def _changes(
    original: bytes, lines: list[bytes], regions: Iterable[Region]
) -> Iterator[_Change]:
    """Whole lines against whole lines; regions that share a line share a change."""
    starts = [0, *accumulate(map(len, lines))]
    line_ends = original.count(b"\n")
    groups: list[tuple[int, int, list[Region]]] = []
    for region in regions:
        first = min(bisect_right(starts, region.start) - 1, line_ends)
        last = min(bisect_right(starts, region.end), len(lines))
        together: list[Region] = []
        if groups and first < groups[-1][1]:
            first, _, together = groups.pop()
        together.append(region)
        groups.append((first, last, together))
    for first, last, together in groups:
        text = b""
        at = starts[first]
        for region in together:
            text += original[at : region.start] + region.inserted
            at = region.end
        old = lines[first:last]
        new = BytesIO(text + original[at : starts[last]]).readlines()
        head = _equal(old, new)
        tail = _equal(old[head:][::-1], new[head:][::-1])
        if head + tail < max(len(old), len(new)):
            yield _Change(first + head, last - tail, new[head : len(new) - tail])


def _equal(left: list[bytes], right: list[bytes]) -> int:
    return sum(
        1
        for _ in takewhile(
            lambda pair: pair[0] == pair[1], zip(left, right, strict=False)
        )
    )


def _hunks(changes: Iterable[_Change]) -> list[list[_Change]]:
    groups: list[list[_Change]] = []
    for change in changes:
        if not groups or change.start - groups[-1][-1].end > 2 * _CONTEXT:
            groups.append([])
        groups[-1].append(change)
    return groups


def _range(start: int, length: int) -> str:
    return f"{start + 1 if length else start}" + ("" if length == 1 else f",{length}")
