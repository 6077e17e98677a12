"""A gather drawn for the terminal."""

from collections.abc import Iterable

from ovgather.layers.reference import called
from ovgather.report.drawing.text import WIDTH, draw
from ovgather.report.drawing.words import attributes_text, shape_text
from ovgather.text import paint, printable
from ovgather.verbs.show import Shown


def render(results: Iterable[Shown], color: bool = False, columns: int = WIDTH) -> str:
    """What the layer is given and where that comes from, then the drawing."""
    parts = []
    for drawing in results:
        layer, gathered = drawing.layer, drawing.gathered
        words = called(layer, gathered.operation.name)
        attributes = attributes_text(gathered)
        lines = [paint(f"{words}{', ' if attributes else ''}{attributes}", "bold", color)]
        for argument, kind in zip(drawing.arguments, (gathered.data_type, gathered.index_type), strict=True):
            origin = printable(argument.origin)
            lines.append(f"  {argument.name:<8} {kind} {shape_text(argument.array.shape)}  ({origin})")
        lines.append(f"  {'output':<8} {gathered.data_type} {shape_text(gathered.output_shape)}")
        parts.append("\n".join([*lines, "", draw(gathered, color, columns)]))
    return "".join(parts)
