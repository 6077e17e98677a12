"""A gather drawn with letters: tables of cells, or bars for indices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ovgather.ops.provenance import UNDEFINED, ZERO, Gathered, slices, texts
from ovgather.report.drawing.histogram import Histogram, counts_text, heading, histograms
from ovgather.report.drawing.words import coordinates, negative_text, shape_text
from ovgather.text import paint, printable, width

WIDTH = 100
_GAP = "   "
_BAR = 40
_EIGHTHS = " ▏▎▍▌▋▊▉"


class _Block(NamedTuple):
    """Lines that stand together, and how wide each is."""

    lines: list[str]
    widths: list[int]


def draw(gathered: Gathered, color: bool = False, columns: int = WIDTH) -> str:
    """The tables or the bars, without a heading; tables stand side by side within so many ``columns``."""
    return "\n".join(_cells(gathered, color, columns) if gathered.is_small else _bars(gathered, color)) + "\n"


def _cells(gathered: Gathered, color: bool, across: int) -> Iterator[str]:
    source = gathered.source()
    flat = source.ravel().tolist()
    shape, data_shape = gathered.output_shape, gathered.data.shape
    want = gathered.want(source)
    got = None if gathered.got is None or gathered.got.shape != shape else texts(gathered.got)
    wrong = gathered.wrong(source)
    sources = [_short(at, data_shape) for at in flat]
    blocks = [
        _table("data", data_shape, texts(gathered.data)),
        _table("indices", gathered.indices.shape, texts(gathered.indices)),
        _table("output", shape, want),
        _table("taken from data at", shape, sources),
    ]
    if got is not None:
        blocks.append(_table("got", shape, [f"{text}✗" if wrong[place] else text for place, text in enumerate(got)]))
    yield from _beside(blocks, color, across)
    notes = [negative_text(gathered)]
    notes.append("0: the index is outside, the output is zero" if ZERO in flat else "")
    notes.append("?: the index is outside, and the operation does not say what that gives" if UNDEFINED in flat else "")
    notes.append(f"✗: {sum(wrong)} of {len(wrong)} elements differ" if any(wrong) else "")
    yield from filter(None, notes)


def _short(at: int, shape: Sequence[int]) -> str:
    if at < 0:
        return "0" if at == ZERO else "?"
    return shape_text(coordinates(at, shape))


def _table(name: str, shape: Sequence[int], cells: list[str]) -> _Block:
    """The lines of one array: a heading, then its tables, one below the other."""
    heading = f"{name} {shape_text(shape)}"
    if not cells:
        return _Block([heading, "(empty)"], [len(heading), len("(empty)")])
    cells = [printable(cell) for cell in cells]
    sizes = [width(cell) for cell in cells]
    wide = max(sizes)
    padded = [f" {' ' * (wide - size)}{cell} " for cell, size in zip(cells, sizes, strict=True)]
    lines = [heading]
    for title, start, rows, columns in slices(shape):
        lines += [title] if title else []
        strokes = ["─" * (wide + 2)] * columns
        lines.append(f"┌{'┬'.join(strokes)}┐")
        for row in range(rows):
            lines.append(f"│{'│'.join(padded[start + row * columns : start + (row + 1) * columns])}│")
            lines.append(f"├{'┼'.join(strokes)}┤")
        lines[-1] = f"└{'┴'.join(strokes)}┘"
    across = columns * (wide + 3) + 1
    return _Block(lines, [len(line) if line[0] not in "┌│├└" else across for line in lines])


def _beside(blocks: list[_Block], color: bool, across: int) -> Iterator[str]:
    """Blocks side by side, as many as fit."""
    while blocks:
        row = [blocks.pop(0)]
        while blocks and sum(max(block.widths) + len(_GAP) for block in [*row, blocks[0]]) <= across + len(_GAP):
            row.append(blocks.pop(0))
        for number in range(max(len(block.lines) for block in row)):
            parts = []
            for block in row:
                line, size = "", 0
                if number < len(block.lines):
                    line, size = block.lines[number], block.widths[number]
                space = " " * (max(block.widths) - size)
                parts.append((paint(line, "bold", color) if number == 0 else line) + space)
            yield _GAP.join(parts).rstrip()


def _bars(gathered: Gathered, color: bool) -> Iterator[str]:
    for histogram in histograms(gathered):
        yield f"{heading(histogram)}, {counts_text(histogram)}"
        yield from _bar_lines(histogram, color)


def _bar_lines(histogram: Histogram, color: bool) -> Iterator[str]:
    most = max((bar.number for bar in histogram.bars), default=0) or 1
    wide = max((len(bar.label) for bar in histogram.bars), default=0)
    digits = len(str(most))
    for bar in histogram.bars:
        eighths = -(-bar.number * _BAR * 8 // most)
        drawn = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        note = "" if bar.legal else "  outside"
        line = f"  {bar.label:>{wide}} │{bar.number:>{digits}} {drawn}{note}".rstrip()
        yield line if bar.legal else paint(line, "error", color)
