"""A layer that was run, for people: what went in, where it came from, what came out."""

from collections.abc import Iterable, Iterator

from ovgather.layers.reference import called
from ovgather.report.drawing.words import shape_text
from ovgather.text import paint, printable
from ovgather.verbs.run import Ran


def lines(results: Iterable[Ran], color: bool = False, written: str | None = None) -> Iterator[str]:
    """Inputs and output with shape and dtype; the output's values unless they were ``written`` to a file."""
    import numpy

    for ran in results:
        yield called(ran.layer, ran.operation)
        for name, array, origin in ran.arguments:
            yield f"  {name:<8} {array.dtype} {shape_text(array.shape)}  ({printable(origin)})"
        if ran.axis is not None:
            yield f"  axis     {ran.axis}"
        if ran.batch_dims:
            yield f"  batch_dims {ran.batch_dims}"
        where = f", written to {printable(written)}" if written else ""
        yield f"  {paint('output', 'good', color)}   {ran.output.dtype} {shape_text(ran.output.shape)}{where}"
        if not written:
            yield numpy.array2string(ran.output, threshold=200, edgeitems=3)
