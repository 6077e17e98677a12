"""A layer of the Gather family as an IR, by the writer of the package."""

from typing import Any

import numpy

from ovgather.ir.writer import Writer, WrittenTensor
from ovgather.tensor.element_type import named
from ovgather.tensor.shape import PartialShape


def tensor(kind: str, shape: object) -> WrittenTensor:
    return WrittenTensor(named(kind), PartialShape.of(shape))


def written_layer(
    kind: str,
    opset: str,
    data: tuple[str, Any],
    indices: tuple[str, Any] | list[int],
    at: int | None = None,
    **attributes: str,
) -> Writer:
    """A layer ``pick`` on a Parameter of a type and a shape.

    ``indices``: another Parameter, or the numbers of a Const. ``at``: the axis, as a Const.
    """
    writer = Writer("m")
    feeds = [writer.parameter("data", tensor(*data))]
    if isinstance(indices, list):
        values = numpy.array(indices, "i8")
        feeds.append(writer.const("indices", named("i64"), values))
    else:
        feeds.append(writer.parameter("indices", tensor(*indices)))
    if at is not None:
        feeds.append(writer.number("axis", named("i64"), at))
    output = tensor(data[0], None)
    source = writer.layer("pick", kind, opset, attributes, feeds, output)
    writer.result("out", source)
    return writer
