"""The drawings of one run in a report: cells where they are few, else bars and a map of what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import OvgatherError
from ovgather.ops.provenance import Gathered
from ovgather.report.drawing.histogram import counts_text, heading, histograms
from ovgather.report.drawing.svg import draw
from ovgather.report.drawing.svg_bars import draw_mismatches
from ovgather.report.drawing.words import attributes_text, cell_titles, shape_text
from ovgather.report.html_page import escape, scroll
from ovgather.tensor.element_type import of_dtype

if TYPE_CHECKING:
    from ovgather.runtimes.outcome import Evidence


def figures(evidence: Evidence, words: str, key: str) -> str:
    """What can be drawn of ``evidence``, as figures; ``key``: what ids start with."""
    data_type, index_type = (str(of_dtype(array.dtype) or array.dtype) for array in (evidence.data, evidence.indices))
    gathered = Gathered(*evidence[:5], data_type, index_type, evidence.got)
    try:
        _ = gathered.output_shape
    except OvgatherError as error:
        return f"<p>It cannot be drawn: {escape(str(error))}</p>\n"
    return _cells(gathered, words, key) if gathered.is_small else _large(gathered, evidence, words, key)


def _figure(label: str, drawing: str, caption: str) -> str:
    return f"<figure>{scroll(label, drawing)}<figcaption>{escape(caption)}</figcaption></figure>\n"


def _inputs(gathered: Gathered) -> str:
    data = f"data {gathered.data_type} {shape_text(gathered.data.shape)}"
    indices = f"indices {gathered.index_type} {shape_text(gathered.indices.shape)}"
    return ", ".join(filter(None, (data, indices, attributes_text(gathered))))


def _cells(gathered: Gathered, words: str, key: str) -> str:
    source = gathered.source()
    wrong = gathered.wrong(source)
    caption = f"{_inputs(gathered)}. Cells of one colour are at one place along the axis; a broken line: outside."
    caption += " ✗ marks what differs." if any(wrong) else ""
    drawing = _figure(f"Drawing of {words}", draw(gathered, words, f"{key}-cells"), caption)
    titles = cell_titles(gathered, source)
    items = "".join(
        f"<li>{escape(title)}{' <strong>✗ differs</strong>' if bad else ''}</li>"
        for title, bad in zip(titles, wrong, strict=True)
    )
    return f"{drawing}<details><summary>The same in words</summary><ol>{items}</ol></details>\n" if items else drawing


def _large(gathered: Gathered, evidence: Evidence, words: str, key: str) -> str:
    found = histograms(gathered)
    told = "; ".join(f"{heading(each)}: {counts_text(each)}" for each in found)
    caption = f"{_inputs(gathered)}. Where the indices point; the legal range is shaded. {told}."
    drawing = _figure(f"Indices of {words}", draw(gathered, words, f"{key}-bars"), caption)
    got, want = evidence.got, evidence.want
    if want is None or got.shape != want.shape or got.dtype != want.dtype:
        return drawing
    import numpy

    from ovgather.tensor.arrays import bits

    wrong = numpy.asarray(bits(got) != bits(want))
    if not wrong.any():
        return drawing
    caption = f"{int(wrong.sum())} of {wrong.size} elements of the output {shape_text(got.shape)} differ:"
    caption += " the darker, the more of them."
    return drawing + _figure(f"Map of what differs in {words}", draw_mismatches(wrong, f"{key}-map"), caption)
