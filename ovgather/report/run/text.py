"""A layer that was run, for people: what went in, where it came from, what came out."""

from collections.abc import Iterable

from ovgather.layers.reference import called
from ovgather.text import paint, printable
from ovgather.verbs.run import Ran


def render(results: Iterable[Ran], color: bool = False, written: str | None = None) -> str:
    """Inputs and output with shape and dtype; the output's values unless they were ``written`` to a file."""
    import numpy

    lines = []
    for ran in results:
        layer = ran.layer
        lines.append(called(layer, ran.operation))
        for argument in ran.arguments:
            shape = ",".join(map(str, argument.array.shape))
            lines.append(f"  {argument.name:<8} {argument.array.dtype} [{shape}]  ({printable(argument.origin)})")
        if ran.axis is not None:
            lines.append(f"  axis     {ran.axis}")
        if ran.batch_dims:
            lines.append(f"  batch_dims {ran.batch_dims}")
        shape = ",".join(map(str, ran.output.shape))
        where = f", written to {printable(written)}" if written else ""
        lines.append(f"  {paint('output', 'good', color)}   {ran.output.dtype} [{shape}]{where}")
        if not written:
            lines.append(numpy.array2string(ran.output, threshold=200, edgeitems=3))
    return "\n".join(lines) + "\n"
