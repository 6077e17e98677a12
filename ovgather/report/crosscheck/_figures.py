"""The drawings of one run in a report: cells where they are few, else bars and a map of what differs."""

from ovgather.errors import OvgatherError
from ovgather.ops.provenance import Gathered
from ovgather.report.drawing.histogram import histograms
from ovgather.report.drawing.svg import draw
from ovgather.report.drawing.svg_bars import draw_mismatches
from ovgather.report.drawing.words import attributes_text, cell_titles, shape_text
from ovgather.report.html_builder import Markup, element, join, scroll
from ovgather.runtimes.outcome import Evidence


def figures(evidence: Evidence, words: str, key: str) -> Markup:
    """The figures of ``evidence``; ids start with ``key``."""
    gathered = evidence.gathered
    try:
        _ = gathered.output_shape
    except OvgatherError as error:
        return element("p", f"It cannot be drawn: {error}")
    return _cells(gathered, words, key) if gathered.is_small else _large(gathered, evidence, words, key)


def _figure(label: str, drawing: Markup, caption: str) -> Markup:
    return element("figure", scroll(label, drawing), element("figcaption", caption))


def _inputs(gathered: Gathered) -> str:
    data = f"data {gathered.data_type} {shape_text(gathered.data.shape)}"
    indices = f"indices {gathered.index_type} {shape_text(gathered.indices.shape)}"
    return ", ".join(filter(None, (data, indices, attributes_text(gathered))))


def _cells(gathered: Gathered, words: str, key: str) -> Markup:
    source = gathered.source()
    wrong = gathered.wrong(source)
    caption = f"{_inputs(gathered)}. Cells of one colour are at one place along the axis; a broken line: outside."
    caption += " ✗ marks what differs." if any(wrong) else ""
    drawing = _figure(f"Drawing of {words}", draw(gathered, words, f"{key}-cells"), caption)
    differs = join(" ", element("strong", "✗ differs"))
    titles = zip(cell_titles(gathered, source), wrong, strict=True)
    items = [element("li", title, *[differs] * is_wrong) for title, is_wrong in titles]
    details = element("details", element("summary", "The same in words"), element("ol", *items))
    return join(drawing, details) if items else drawing


def _large(gathered: Gathered, evidence: Evidence, words: str, key: str) -> Markup:
    import numpy

    from ovgather.tensor.arrays import bits

    counts = "; ".join(f"{each.heading}: {each.counts}" for each in histograms(gathered))
    caption = f"{_inputs(gathered)}. Where the indices point; the legal range is shaded. {counts}."
    drawing = _figure(f"Indices of {words}", draw(gathered, words, f"{key}-bars"), caption)
    got, want = evidence.got, evidence.want
    if want is None or got.shape != want.shape or got.dtype != want.dtype:
        return drawing
    wrong = numpy.asarray(bits(got) != bits(want))
    caption = f"{int(wrong.sum())} of {wrong.size} elements of the output {shape_text(got.shape)} differ:"
    caption += " the darker, the more of them."
    label = f"Map of what differs in {words}"
    return join(drawing, _figure(label, draw_mismatches(wrong, f"{key}-map"), caption)) if wrong.any() else drawing
