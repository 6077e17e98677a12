"""A gather drawn as an SVG file."""

from collections.abc import Iterable

from ovgather.layers.reference import called
from ovgather.report.drawing.svg import draw, standalone
from ovgather.verbs.show import Shown


def render(results: Iterable[Shown]) -> str:
    """The one layer as a standalone SVG file with a title and a description for screen readers."""
    [(layer, gathered, _)] = results
    return standalone(draw(gathered, called(layer, gathered.operation.name), with_heading=True))
