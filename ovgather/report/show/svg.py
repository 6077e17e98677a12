"""A gather drawn as an SVG file."""

from collections.abc import Iterable

from ovgather.layers.reference import called
from ovgather.report.drawing.svg import document, draw
from ovgather.verbs.show import Shown


def render(results: Iterable[Shown], color: bool = False) -> str:
    """The one layer as a file of its own, readable where there is no screen: it has a title and a description."""
    [drawing] = results
    layer, gathered = drawing.layer, drawing.gathered
    return document(draw(gathered, called(layer, gathered.operation.name)))
