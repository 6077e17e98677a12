"""A gather drawn for the terminal."""

from collections.abc import Iterable, Iterator

from ovgather.layers.reference import called
from ovgather.report.drawing.text import WIDTH, draw
from ovgather.report.drawing.words import attributes_text, shape_text
from ovgather.text import paint, printable
from ovgather.verbs.show import Shown


def lines(results: Iterable[Shown], color: bool = False, columns: int = WIDTH) -> Iterator[str]:
    """What the layer is given and where that comes from, then the drawing."""
    for layer, gathered, arguments in results:
        words = ", ".join(filter(None, (called(layer, gathered.operation.name), attributes_text(gathered))))
        yield paint(words, "bold", color)
        for (name, array, origin), kind in zip(arguments, (gathered.data_type, gathered.index_type), strict=True):
            yield f"  {name:<8} {kind} {shape_text(array.shape)}  ({printable(origin)})"
        yield f"  {'output':<8} {gathered.data_type} {shape_text(gathered.output_shape)}"
        yield ""
        yield draw(gathered, color, columns).removesuffix("\n")
