"""A gather drawn as an SVG file."""

from collections.abc import Iterable

from ovgather.layers.reference import called
from ovgather.report.drawing.svg import document, draw
from ovgather.verbs.show import Shown


def render(results: Iterable[Shown], color: bool = False) -> str:
    """The one layer as a standalone SVG file with a title and a description for screen readers."""
    [drawing] = results
    layer, gathered = drawing.layer, drawing.gathered
    return document(draw(gathered, called(layer, gathered.operation.name), with_heading=True))
