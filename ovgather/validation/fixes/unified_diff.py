"""Unified diffs of texts whose differences are known, so that nothing needs to be looked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from ovgather.ir.edit.edits import Region

_CONTEXT = 3


class _Block(NamedTuple):
    """Lines ``start`` to ``end`` (from 0, the end exclusive) of the original gave way to ``new``."""

    start: int
    end: int
    old: list[bytes]
    new: list[bytes]


def unified_diff(path: str, original: bytes, regions: Iterable[Region]) -> bytes:
    """The diff of ``original`` against what ``regions`` make of it, as ``patch`` takes it; empty without regions.

    >>> print(unified_diff("m.xml", b"<a>\\n<b/>\\n</a>\\n", [Region(5, 6, b"c")]).decode())
    --- m.xml
    +++ m.xml
    @@ -1,3 +1,3 @@
     <a>
    -<b/>
    +<c/>
     </a>
    """
    lines = _lines(original)
    parts = []
    shift = 0
    for blocks in _hunks(_blocks(original, lines, regions)):
        hunk, grown = _hunk(lines, blocks, shift)
        parts += hunk
        shift += grown
    if not parts:
        return b""
    name = path.encode("utf-8", "surrogateescape")
    return b"".join([b"--- " + name + b"\n", b"+++ " + name + b"\n", *parts])


def _lines(text: bytes) -> list[bytes]:
    # Only a line feed ends a line for `patch`; bytes.splitlines would split at more.
    return re.findall(rb"[^\n]*\n|[^\n]+\Z", text)


def _blocks(original: bytes, lines: list[bytes], regions: Iterable[Region]) -> Iterator[_Block]:
    """Whole lines against whole lines: regions that share a line share a block."""
    starts = [0, *accumulate(map(len, lines))]
    first = last = 0
    together: list[Region] = []
    for region in regions:
        begin = bisect_right(starts, region.start) - 1
        if begin == len(lines) and lines and not lines[-1].endswith(b"\n"):
            begin -= 1
        if together and begin >= last:
            yield _block(original, starts, lines, first, last, together)
            together = []
        if not together:
            first = begin
        together.append(region)
        last = min(len(lines), bisect_right(starts, region.end))
    if together:
        yield _block(original, starts, lines, first, last, together)


def _block(
    original: bytes, starts: list[int], lines: list[bytes], first: int, last: int, regions: list[Region]
) -> _Block:
    done, new = starts[first], b""
    for region in regions:
        new += original[done : region.start] + region.inserted
        done = region.end
    return _trimmed(first, lines[first:last], _lines(new + original[done : starts[last]]))


def _trimmed(start: int, old: list[bytes], new: list[bytes]) -> _Block:
    """The block without the lines at its ends that are the same."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    return _Block(start + head, start + head + len(old), old, new)


def _hunks(blocks: Iterable[_Block]) -> Iterator[list[_Block]]:
    """Blocks in groups whose context would touch."""
    group: list[_Block] = []
    for block in blocks:
        if not block.old and not block.new:
            continue
        if group and block.start - group[-1].end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _hunk(lines: list[bytes], blocks: list[_Block], shift: int) -> tuple[list[bytes], int]:
    """The text of a hunk, and how many lines it adds; ``shift``: how many the hunks before it add."""
    first = max(0, blocks[0].start - _CONTEXT)
    last = min(len(lines), blocks[-1].end + _CONTEXT)
    grown = sum(len(block.new) - len(block.old) for block in blocks)
    length = last - first
    head = f"@@ -{_range(first, length)} +{_range(first + shift, length + grown)} @@\n"
    parts = [head.encode()]
    done = first
    for block in blocks:
        parts += _marked(b" ", lines[done : block.start])
        parts += _marked(b"-", block.old)
        parts += _marked(b"+", block.new)
        done = block.end
    parts += _marked(b" ", lines[done:last])
    return parts, grown


def _range(start: int, length: int) -> str:
    return f"{start + 1 if length else start}" + ("" if length == 1 else f",{length}")


def _marked(mark: bytes, lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"
