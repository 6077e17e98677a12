"""A gather drawn with letters: tables of cells, or bars for indices."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from operator import add

from ovgather.report.drawing.cells import (
    UNDEFINED,
    ZERO,
    coordinates,
    is_small,
    output_cells,
    slices,
    texts,
)
from ovgather.report.drawing.histogram import histograms, negative_text
from ovgather.runtimes.outcome import Evidence
from ovgather.text import paint, printable, shape_text, width

WIDTH = 100
_GAP = "   "
_BAR = 40
_EIGHTHS = ("", *"▏▎▍▌▋▊▉")


def draw(evidence: Evidence, columns: int = WIDTH) -> str:
    """The tables or the bars, without a heading; tables stand side by side within ``columns`` columns."""
    return (
        "\n".join(_cells(evidence, columns) if is_small(evidence) else _bars(evidence))
        + "\n"
    )


def _cells(evidence: Evidence, across: int) -> Iterator[str]:
    cells = output_cells(evidence)
    sources = [cell.source for cell in cells]
    wrong = [cell.is_wrong for cell in cells]
    shape = evidence.output_shape
    data_shape = evidence.data.shape
    outside = {ZERO: "0", UNDEFINED: "?"}
    origins = [
        outside.get(at) or shape_text(coordinates(at, data_shape)) for at in sources
    ]
    blocks = [
        _table("data", data_shape, texts(evidence.data)),
        _table("indices", evidence.indices.shape, texts(evidence.indices)),
        _table("output", shape, [cell.text for cell in cells]),
        _table("taken from data at", shape, origins),
    ]
    if evidence.got is not None and evidence.got.shape == shape:
        got = zip(texts(evidence.got), wrong, strict=True)
        blocks.append(
            _table(
                "got",
                shape,
                [f"{text}✗" if is_wrong else text for text, is_wrong in got],
            )
        )
    yield from _side_by_side(blocks, across)
    if note := negative_text(evidence):
        yield note
    if ZERO in sources:
        yield "0: the index is outside, the output is zero"
    if UNDEFINED in sources:
        yield "?: the index is outside, and the operation does not say what that gives"
    if any(wrong):
        yield f"✗: {sum(wrong)} of {len(wrong)} elements differ"


def _table(name: str, shape: Sequence[int], cells: list[str]) -> list[str]:
    heading = f"{name} {shape_text(shape)}"
    if not cells:
        return [heading, "(empty)"]
    cells = [printable(cell) for cell in cells]
    sizes = [width(cell) for cell in cells]
    wide = max(sizes)
    padded = [
        f" {' ' * (wide - size)}{cell} "
        for cell, size in zip(cells, sizes, strict=True)
    ]
    lines = [heading]
    for title, start, rows, columns in slices(shape):
        if title:
            lines += [title]
        strokes = ["─" * (wide + 2)] * columns
        lines.append(f"┌{'┬'.join(strokes)}┐")
        for row in range(rows):
            lines.append(
                f"│{'│'.join(padded[start + row * columns : start + (row + 1) * columns])}│"
            )
            lines.append(f"├{'┼'.join(strokes)}┤")
        lines[-1] = f"└{'┴'.join(strokes)}┘"
    return lines


def _side_by_side(blocks: list[list[str]], across: int) -> Iterator[str]:
    while blocks:
        row = [blocks.pop(0)]
        while blocks and sum(
            _wide(block) + len(_GAP) for block in [*row, blocks[0]]
        ) <= across + len(_GAP):
            row.append(blocks.pop(0))
        for number, lines in enumerate(zip_longest(*row, fillvalue="")):
            spaces = [
                " " * (_wide(block) - width(line))
                for block, line in zip(row, lines, strict=True)
            ]
            styled = [line if number else paint(line, "bold") for line in lines]
            yield _GAP.join(map(add, styled, spaces)).rstrip()


def _wide(block: list[str]) -> int:
    return max(map(width, block))


def _bars(evidence: Evidence) -> Iterator[str]:
    for histogram in histograms(evidence):
        yield f"{histogram.heading}, {histogram.counts}"
        most = max((bar.number for bar in histogram.bars), default=0) or 1
        wide = max((len(bar.label) for bar in histogram.bars), default=0)
        for bar in histogram.bars:
            eighths = -(-bar.number * _BAR * 8 // most)
            drawn = f"{'█' * (eighths // 8)}{_EIGHTHS[eighths % 8]}{'' if bar.legal else '  outside'}"
            line = f"  {bar.label:>{wide}} │{bar.number:>{len(str(most))}} {drawn}".rstrip()
            yield line if bar.legal else paint(line, "error")
