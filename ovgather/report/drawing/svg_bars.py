"""Large gathers as SVG: where the indices point, and where the output differs."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from ovgather.report.drawing.cells import attributes_text, coordinates
from ovgather.report.drawing.histogram import Histogram, histograms
from ovgather.report.html_builder import Markup, element
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array
from ovgather.text import shape_text

_WIDTH = 660.0
_HEIGHT = 120.0
_LEFT = 56.0
_TOP = 44.0
_TICKS = 5
_MAP_COLUMNS = 48
_MAP_ROWS = 32
_SQUARE = 12
_LEVELS = (0.0, 0.25, 0.5)


def drawing(
    key: str,
    size: tuple[float, float],
    title: str,
    about: str,
    parts: Sequence[Markup],
    above: str = "",
    below: str = "",
) -> Markup:
    """An ``<svg>`` with a title and a description; ``above`` and ``below`` the parts stand a heading and a legend."""
    width, height = size
    if above:
        body = element("g", *parts, transform="translate(0 30)")
        parts = [
            label(8, 18, above, "title"),
            body,
            label(8, height + 42, below, "small start"),
        ]
        width = max(width, 8.0 * len(above) + 24, 6.8 * len(below) + 24)
        height = height + 52
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", about, id=f"{key}-desc"),
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


def label(x: float, y: float, text: str | int, classes: str | None = None) -> Markup:
    return element("text", text, x=float(x), y=float(y), class_=classes)


def draw_bars(evidence: Evidence, name: str, key: str, above: str = "") -> Markup:
    """Bars for the indices, one chart for each dim that they point into."""
    charts = histograms(evidence)
    height = _TOP + _HEIGHT + 34
    parts = [
        part
        for place, histogram in enumerate(charts)
        for part in _chart(histogram, place * height)
    ]
    shapes = f"data {shape_text(evidence.data.shape)}, indices {shape_text(evidence.indices.shape)}"
    about = filter(
        None,
        [
            attributes_text(evidence),
            *(f"{each.heading}, {each.counts}" for each in charts),
        ],
    )
    legend = (
        "height: how many indices point there; shaded: the legal range; red: outside"
    )
    size = _LEFT + _WIDTH + 16, len(charts) * height
    return drawing(
        key, size, f"{name}: {shapes}", ". ".join(about), parts, above, legend
    )


def _chart(histogram: Histogram, top: float) -> Iterator[Markup]:
    bars = histogram.bars
    base = top + _TOP + _HEIGHT
    yield label(8, top + 16, histogram.heading, "title")
    yield label(8, top + 34, histogram.counts, "start")
    if not bars:
        return
    most = max(bar.number for bar in bars) or 1
    wide = _WIDTH / len(bars)
    legal = [place for place, bar in enumerate(bars) if bar.legal]
    if legal:
        left = _LEFT + legal[0] * wide
        right = _LEFT + (legal[-1] + 1) * wide
        title = element("title", f"legal: {histogram.low} to {histogram.high}")
        yield element(
            "rect",
            title,
            class_="legal",
            x=left,
            y=top + _TOP,
            width=right - left,
            height=_HEIGHT,
        )
        yield label(right - 2, base + 14, histogram.high, "small end")
        for place in legal[: -2 if len(legal) > 2 else None : -(-len(legal) // _TICKS)]:
            x = _LEFT + place * wide
            yield element("path", class_="axis", d=f"M{x:g} {base:g}v4")
            yield label(x + 2, base + 14, bars[place].low, "small start")
    for place, bar in enumerate(bars):
        x = _LEFT + place * wide
        height = _HEIGHT * bar.number / most
        if bar.number:
            height = max(height, 2.0)
        else:
            height = 0.0
        title = element(
            "title", f"{bar.label}: {bar.number}{'' if bar.legal else ', outside'}"
        )
        kind = "bar" if bar.legal else "bar-bad"
        box = element(
            "rect",
            class_=kind,
            x=x + 1,
            y=base - height,
            width=max(1.0, wide - 2),
            height=height,
        )
        yield element("g", title, box)
        if not bar.legal:
            middle = min(max(x + wide / 2, _LEFT), _LEFT + _WIDTH - 32)
            yield label(middle, base + 28, f"{bar.number} outside", "small bad")
    yield label(_LEFT - 4, top + _TOP + 10, most, "small end")
    yield label(_LEFT - 4, base, 0, "small end")
    yield element("path", class_="axis", d=f"M{_LEFT:g} {base:g}h{_WIDTH:g}")


def draw_mismatches(wrong: Array, key: str) -> Markup:
    """A map of the output, whose elements that differ are marked in ``wrong``: the darker, the more of them differ."""
    import numpy

    columns = 1
    if wrong.ndim:
        columns = wrong.shape[-1]
    table = wrong.reshape(prod(wrong.shape[:-1]), columns)
    rows = len(table)
    down = -(-rows // _MAP_ROWS)
    across = -(-columns // _MAP_COLUMNS)
    parts = []
    for row, column in product(range(0, rows, down), range(0, columns, across)):
        part = table[row : row + down, column : column + across]
        number = int(numpy.count_nonzero(part))
        level = sum(number / part.size > least for least in _LEVELS) + (
            number == part.size
        )
        where = f"rows {row} to {min(row + down, rows) - 1}, columns {column} to {min(column + across, columns) - 1}"
        title = element("title", f"{where}: {number} of {part.size} differ")
        x = 8 + column // across * _SQUARE
        y = 8 + row // down * _SQUARE
        parts.append(
            element(
                "rect",
                title,
                class_=f"heat{level}",
                x=x,
                y=y,
                width=_SQUARE,
                height=_SQUARE,
            )
        )
    size = 16 + -(-columns // across) * _SQUARE, 16 + -(-rows // down) * _SQUARE
    total = int(numpy.count_nonzero(wrong))
    about = f"{total} of {wrong.size} elements differ"
    if total:
        about += f", first at {shape_text(coordinates(int(numpy.argmax(wrong)), wrong.shape))}"
    scale = f"each square is {down} by {across} elements of the output seen as {rows} rows of {columns}"
    return drawing(key, size, "Where the output differs", f"{about}; {scale}", parts)
