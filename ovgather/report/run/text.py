"""A layer that was run, for people: what went in, where it came from, what came out."""

from collections.abc import Iterable, Iterator

from ovgather.layers.reference import called
from ovgather.text import paint, printable, shape_text
from ovgather.verbs.run import Prepared


def lines(results: Iterable[Prepared], written: str | None = None) -> Iterator[str]:
    """Inputs and output with shape and dtype; the output's values unless they were ``written`` to a file."""
    import numpy

    for layer, run, arguments in results:
        yield called(layer, run.operation.name)
        for name, array, origin, _ in arguments:
            yield f"  {name:<8} {array.dtype} {shape_text(array.shape)}  ({printable(origin)})"
        if run.operation.has_axis:
            yield f"  axis     {run.axis}"
        if run.batch_dims:
            yield f"  batch_dims {run.batch_dims}"
        where = ""
        if written:
            where = f", written to {printable(written)}"
        yield f"  {paint('output', 'good')}   {run.got.dtype} {shape_text(run.got.shape)}{where}"
        if not written:
            yield numpy.array2string(run.got, threshold=200, edgeitems=3)
