"""A gather drawn as SVG: cells with arrows from where each value comes, or bars for indices."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from ovgather.report.drawing.cells import (
    attributes_text,
    coordinates,
    is_small,
    output_cells,
    slices,
    texts,
)
from ovgather.report.drawing.histogram import negative_text
from ovgather.report.drawing.svg_bars import draw_bars, drawing, label
from ovgather.report.html_builder import Markup, element, sheet
from ovgather.runtimes.outcome import Evidence
from ovgather.text import shape_text

_HEIGHT, _LETTER, _PLACE_LETTER, _GAP, _TOP = 26, 8, 5, 64, 24
_MOST_ARROWS = 40
SLOTS = 8  # tints that distinguish the places along the axis; of more places each cell has the number instead
_WIDEST = 720  # what a page shows without scrolling


class _Cell(NamedTuple):
    """The text of a cell, what is said of it, its classes, and the place along the axis, where it is shown."""

    text: str
    title: str
    classes: str
    place: str = ""


class Box(NamedTuple):
    """A cell with its left top corner."""

    x: float
    y: float
    text: str
    title: str
    classes: str
    place: str


def standalone(body: str) -> str:
    """A drawing as a file, on its own ground: the page around it may be light where the reader wants it dark."""
    head, end, rest = body.partition(">")
    head = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    ground = '<rect class="paper" width="100%" height="100%"/>'
    return f"{head}{end}<style>{sheet()}</style>{ground}{rest}\n"


def draw(
    evidence: Evidence, name: str, key: str = "g", with_heading: bool = False
) -> Markup:
    """The drawing as an ``<svg>`` element without its style sheet; its ids start with ``key``.

    ``with_heading``: layer, operation and axis stand above it, and what colours mean below.
    """
    heading = ""
    if with_heading:
        heading = ", ".join(filter(None, (name, attributes_text(evidence))))
    if not is_small(evidence):
        return draw_bars(evidence, name, key, heading)
    return _Cells(evidence, key).draw(name, heading)


class _Cells:
    def __init__(self, evidence: Evidence, key: str) -> None:
        self.evidence = evidence
        self.key = key
        self.parts: list[Markup] = []
        self.right = -16.0
        self.bottom = 0.0
        # of the last array: its left edge, and where something may stand below it
        self.left = self.under = 0.0
        self.cells = output_cells(evidence)
        self.places = prod(evidence.data.shape[dim] for dim in evidence.places)

    def _cell(self, text: str, title: str, place: int) -> _Cell:
        if self.places > SLOTS:
            return _Cell(text, title, "cell", str(place))
        return _Cell(text, title, f"cell slot{place}")

    def draw(self, name: str, heading: str) -> Markup:
        evidence = self.evidence
        indices = self._index_cells()
        want = self._output_cells([cell.text for cell in self.cells])
        data = [
            self._cell(
                text,
                f"data{shape_text(coordinates(flat, evidence.data.shape))} = {text}",
                self._place(flat),
            )
            for flat, text in enumerate(texts(evidence.data))
        ]
        shapes = (evidence.indices.shape, evidence.data.shape, evidence.output_shape)
        widths = [
            _width(shape, cells)
            for shape, cells in zip(shapes, (indices, data, want), strict=True)
        ]
        self._panel("indices", shapes[0], indices)
        sources = self._panel(
            "data", shapes[1], data, is_below=sum(widths) + _GAP > _WIDEST
        )
        is_wrong = any(cell.is_wrong for cell in self.cells)
        self._panel("output (want)" if is_wrong else "output", shapes[2], want, sources)
        if is_wrong:
            got = self._output_cells(texts(evidence.got), marked=True)
            self._panel(
                "output (got)",
                shapes[2],
                got,
                is_below=self.right + _width(shapes[2], got) > _WIDEST,
            )
        if note := negative_text(evidence):
            self.bottom += 20
            self.parts.append(label(8, self.bottom, note, "small start"))
        about = ""
        if attributes_text(evidence):
            about = f"{attributes_text(evidence)}. "
        about += ". ".join(cell.title for cell in self.cells) or "The output is empty"
        arrow = element("path", class_="head", d="M0 0L8 4L0 8z")
        size = {
            "viewBox": "0 0 8 8",
            "refX": "7",
            "refY": "4",
            "markerWidth": "6",
            "markerHeight": "6",
        }
        head = element(
            "defs",
            element("marker", arrow, id=f"{self.key}-head", **size, orient="auto"),
        )
        inputs = f"data {shape_text(shapes[1])}, indices {shape_text(shapes[0])}"
        title = f"{name}: {inputs}, output {shape_text(shapes[2])}"
        parts = [head, *self.parts]
        axis = "the indexed dims"
        if evidence.operation.has_axis:
            axis = f"axis {evidence.axis}"
        legend = [
            f"{'one colour: one' if self.places <= SLOTS else 'small number: the'} place along {axis}"
        ]
        if evidence.out_of_range.any():
            legend += ["broken line: an index outside, and what it gives"]
        legend += ["✗: differs"] * is_wrong
        return drawing(
            self.key,
            (self.right, self.bottom + 12),
            title,
            about,
            parts,
            heading,
            "; ".join(legend),
        )

    def _panel(
        self,
        name: str,
        shape: Sequence[int],
        cells: list[_Cell],
        data: list[Box] | None = None,
        is_below: bool = False,
    ) -> list[Box]:
        """One array at the right of what is there, or below the last; ``data``: cells from which arrows come."""
        title = f"{name} {shape_text(shape)}"
        wide = _cell_width(cells)
        if not is_below:
            self.left = self.right + (_GAP if data is not None else 24)
            self.under = 0.0
        left = self.left
        top = self.under
        boxes: list[Box] = []
        y = top + _TOP
        if cells:
            for which, start, rows, columns in _tables(shape):
                if which:
                    self.parts.append(label(left, y + 14, which, "small start"))
                    y += 18
                for number, cell in enumerate(cells[start : start + rows * columns]):
                    boxes.append(
                        Box(
                            left + number % columns * wide,
                            y + number // columns * _HEIGHT,
                            *cell,
                        )
                    )
                y += rows * _HEIGHT + 8
        if not cells:
            self.parts.append(label(left, y + 18, "empty", "small start"))
            y += 26
        self.parts.append(label(left, top + 16, title, "title"))
        if data and boxes:
            self.parts += self._arrows(data, left, boxes)
        # The border of a wrong cell must not lie under its neighbours'.
        for box in sorted(boxes, key=lambda box: "wrong" in box.classes):
            rect = element(
                "rect",
                class_=box.classes,
                x=float(box.x),
                y=float(box.y),
                width=float(wide),
                height=_HEIGHT,
            )
            text = label(box.x + wide / 2, box.y + 18, box.text)
            if box.place:
                place = [label(box.x + wide - 2, box.y + 9, box.place, "place end")]
            else:
                place = []
            self.parts.append(
                element("g", element("title", box.title), rect, text, *place)
            )
        last = max([box.x + wide for box in boxes] or [left])
        self.right = max(self.right, last + 8, left + len(title) * _LETTER + 8)
        self.under = y
        self.bottom = max(self.bottom, y)
        return [box._replace(x=last) for box in boxes]

    def _arrows(self, data: list[Box], left: float, boxes: list[Box]) -> list[Markup]:
        """An arrow from each row of data to each row of the output that takes something of it."""
        rows: dict[tuple[float, float], bool] = {}
        for cell, box in zip(self.cells, boxes, strict=True):
            if cell.source >= 0:
                row = data[cell.source].y, box.y
                rows[row] = rows.get(row, False) or cell.is_wrong
        x = data[0].x + 3
        bend = (left - data[0].x) / 2
        arrows = []
        if len(rows) <= _MOST_ARROWS:
            for (start, end), wrong in rows.items():
                begin = start + _HEIGHT / 2
                stop = end + _HEIGHT / 2
                curve = f"M{x:g} {begin:g}C{x + bend:g} {begin:g} {left - bend:g} {stop:g} {left - 2:g} {stop:g}"
                name = "arrow-bad" if wrong else "arrow"
                arrows.append(
                    element(
                        "path",
                        class_=name,
                        d=curve,
                        marker_end=f"url(#{self.key}-head)",
                    )
                )
        return arrows

    def _place(self, flat: int) -> int:
        """The place of a cell of data along the indexed dims."""
        at = coordinates(flat, self.evidence.data.shape)
        number = 0
        for dim in self.evidence.places:
            number = number * self.evidence.data.shape[dim] + at[dim]
        return number

    def _index_cells(self) -> list[_Cell]:
        indices = self.evidence.indices
        sizes = self.evidence.lengths
        cells = []
        for flat, (text, is_outside) in enumerate(
            zip(texts(indices), self.evidence.out_of_range.flat, strict=True)
        ):
            size = sizes[flat % len(sizes)]
            title = f"indices{shape_text(coordinates(flat, indices.shape))} = {text}"
            if is_outside:
                cells.append(
                    _Cell(
                        text, f"{title}, outside a dim of length {size}", "cell outside"
                    )
                )
            elif len(sizes) == 1:
                cells.append(
                    self._cell(text, title, int(text) % size)._replace(place="")
                )
            else:
                cells.append(_Cell(text, title, "cell"))
        return cells

    def _output_cells(self, values: list[str], marked: bool = False) -> list[_Cell]:
        """The cells of an output; ``marked``: those that are wrong."""
        output = []
        for (at, _, title, wrong), text in zip(self.cells, values, strict=True):
            cell = _Cell(text, title, "cell outside")
            if at >= 0:
                cell = self._cell(text, title, self._place(at))
            if wrong and marked:
                cell = cell._replace(
                    text=f"{text} \u2717", classes=f"{cell.classes} wrong", place=""
                )
            output.append(cell)
        return output


def _tables(shape: Sequence[int]) -> list[tuple[str, int, int, int]]:
    """As ``slices``, but what has one dim stands upright, so that arrows tell its cells from each other."""
    if len(shape) == 1:
        return [("", 0, shape[0], 1)]
    return slices(shape)


def _width(shape: Sequence[int], cells: list[_Cell]) -> float:
    if cells:
        return _tables(shape)[0][3] * _cell_width(cells)
    return 0.0


def _cell_width(cells: list[_Cell]) -> float:
    places = max([len(cell.place) for cell in cells], default=0) * _PLACE_LETTER
    return max([len(cell.text) for cell in cells] or [2]) * _LETTER + 12 + 2 * places
