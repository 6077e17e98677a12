"""Large gathers as SVG: where the indices point, and where the output differs."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from ovgather.ops.provenance import Gathered
from ovgather.report.drawing.histogram import Histogram, counts_text, heading, histograms
from ovgather.report.drawing.words import attributes_text, shape_text
from ovgather.report.html_builder import Markup, element

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_WIDTH, _HEIGHT, _LEFT, _TOP = 660.0, 120.0, 56.0, 44.0
_TICKS = 5
_MAP_COLUMNS, _MAP_ROWS, _SQUARE = 48, 32, 12
_LEVELS = (0.0, 0.25, 0.5, 1.0)


def drawing(
    key: str,
    width: float,
    height: float,
    title: str,
    description: str,
    parts: Sequence[Markup],
    above: str = "",
    legend: str = "",
) -> Markup:
    """An ``<svg>`` with a title and a description; a ``above`` and a ``legend`` stand above and below the parts."""
    if above:
        below = element("g", *parts, transform="translate(0 30)")
        parts = [label(8, 18, above, "title"), below, label(8, height + 42, legend, "small start")]
        width, height = max(width, 8.0 * len(above) + 24, 6.8 * len(legend) + 24), height + 52
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", description, id=f"{key}-desc"),
        # What a hand can point to one by one would be read out one by one.
        element("g", *parts, aria_hidden="true"),
        class_="gather",
        role="img",
        width=float(width),
        height=float(height),
        viewBox=f"0 0 {width:g} {height:g}",
        aria_labelledby=f"{key}-title",
        aria_describedby=f"{key}-desc",
    )


def label(x: float, y: float, text: str, classes: str | None = None) -> Markup:
    """A ``<text>``."""
    return element("text", text, x=float(x), y=float(y), class_=classes)


def draw_bars(gathered: Gathered, name: str, key: str, above: str = "") -> Markup:
    """Bars for the indices, one chart for each dim that they point into."""
    charts = histograms(gathered)
    parts: list[Markup] = []
    top = 0.0
    for histogram in charts:
        parts += _chart(histogram, top)
        top += _TOP + _HEIGHT + 34
    shapes = f"data {shape_text(gathered.data.shape)}, indices {shape_text(gathered.indices.shape)}"
    described = [attributes_text(gathered), *(f"{heading(each)}, {counts_text(each)}" for each in charts)]
    legend = "height: how many indices point there; shaded: the legal range; red: outside"
    text = ". ".join(filter(None, described))
    return drawing(key, _LEFT + _WIDTH + 16, top, f"{name}: {shapes}", text, parts, above, legend)


def _chart(histogram: Histogram, top: float) -> list[Markup]:
    bars = histogram.bars
    most = max((bar.number for bar in bars), default=0) or 1
    base = top + _TOP + _HEIGHT
    parts = [label(8, top + 16, heading(histogram), "title"), label(8, top + 34, counts_text(histogram), "start")]
    if not bars:
        return parts
    wide = _WIDTH / len(bars)
    legal = [place for place, bar in enumerate(bars) if bar.legal]
    if legal:
        left, right = _LEFT + legal[0] * wide, _LEFT + (legal[-1] + 1) * wide
        title = element("title", f"legal: {histogram.low} to {histogram.high}")
        parts.append(element("rect", title, class_="legal", x=left, y=top + _TOP, width=right - left, height=_HEIGHT))
        parts += [label(right - 2, base + 14, str(histogram.high), "small end")]
        for place in legal[: -2 if len(legal) > 2 else None : -(-len(legal) // _TICKS)]:
            x = _LEFT + place * wide
            parts.append(element("path", class_="axis", d=f"M{x:g} {base:g}v4"))
            parts.append(label(x + 2, base + 14, str(bars[place].low), "small start"))
    for place, bar in enumerate(bars):
        x, height = _LEFT + place * wide, _HEIGHT * bar.number / most
        height = max(height, 2.0) if bar.number else 0.0
        title = element("title", f"{bar.label}: {bar.number}" + ("" if bar.legal else ", outside"))
        classes = "bar" if bar.legal else "bar-bad"
        box = element("rect", class_=classes, x=x + 1, y=base - height, width=max(1.0, wide - 2), height=height)
        parts.append(element("g", title, box))
        if not bar.legal:
            middle = min(max(x + wide / 2, _LEFT), _LEFT + _WIDTH - 32)
            parts.append(label(middle, base + 28, f"{bar.number} outside", "small bad"))
    parts += [label(_LEFT - 4, y, text, "small end") for y, text in ((top + _TOP + 10, str(most)), (base, "0"))]
    parts.append(element("path", class_="axis", d=f"M{_LEFT:g} {base:g}h{_WIDTH:g}"))
    return parts


def draw_mismatches(wrong: Array, key: str) -> Markup:
    """A map of the output, whose elements that differ are marked in ``wrong``: the darker, the more of them differ."""
    import numpy

    columns = wrong.shape[-1] if wrong.ndim else 1
    rows = prod(wrong.shape[:-1]) if wrong.ndim else 1
    table = wrong.reshape(rows, columns)
    down, across = -(-rows // _MAP_ROWS), -(-columns // _MAP_COLUMNS)
    parts = []
    for row in range(0, rows, down):
        for column in range(0, columns, across):
            part = table[row : row + down, column : column + across]
            number = int(numpy.count_nonzero(part))
            level = sum(number / part.size > least for least in _LEVELS[:-1]) + (number == part.size)
            where = (
                f"rows {row} to {min(row + down, rows) - 1}, columns {column} to {min(column + across, columns) - 1}"
            )
            title = element("title", f"{where}: {number} of {part.size} differ")
            x, y = 8 + column // across * _SQUARE, 8 + row // down * _SQUARE
            parts.append(element("rect", title, class_=f"heat{level}", x=x, y=y, width=_SQUARE, height=_SQUARE))
    width, height = 16 + -(-columns // across) * _SQUARE, 16 + -(-rows // down) * _SQUARE
    total = int(numpy.count_nonzero(wrong))
    first = numpy.unravel_index(int(numpy.argmax(wrong)), wrong.shape) if total else ()
    description = f"{total} of {wrong.size} elements differ"
    description += f", first at {shape_text([int(at) for at in first])}" if total else ""
    scale = f"each square is {down} by {across} elements of the output seen as {rows} rows of {columns}"
    return drawing(key, width, height, "Where the output differs", f"{description}; {scale}", parts)
