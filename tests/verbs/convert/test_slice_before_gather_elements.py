"""Why a conversion cuts data with a StridedSlice: OpenVINO takes a Slice before a GatherElements away."""

from __future__ import annotations

from typing import Any

import numpy
from converted_child import needs_openvino, run

from ovgather.ir.writer import Writer, WrittenTensor
from ovgather.tensor.element_type import named
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert.layers import LayerBuilder
from ovgather.verbs.written_model import UniqueNames

DATA = numpy.arange(12, dtype="f4").reshape(3, 4)
INDICES = numpy.array([[3, 0], [1, 2]])


def model(kind: str) -> tuple[bytes, bytes]:
    """The first two rows of data, taken by a layer of ``kind``, and GatherElements along axis 1 of them."""
    writer = Writer("m")
    layers = LayerBuilder(writer, UniqueNames("pick"))
    shapes = (("f32", [3, 4]), ("i64", [2, 2]), ("f32", [2, 4]))
    data, indices, cut = (
        WrittenTensor(named(type), PartialShape.of(shape)) for type, shape in shapes
    )
    feeds = [
        writer.parameter(name, tensor)
        for name, tensor in (("data", data), ("indices", indices))
    ]
    if kind == "Slice":
        bounds = [layers.integers([value]) for value in (0, 2, 1, 0)]
        rows = layers.add("Slice", "opset8", [feeds[0], *bounds], cut)
    else:
        bounds = [layers.integers(values) for values in ([0, 0], [2, 4], [1, 1])]
        rows = layers.add(
            "StridedSlice",
            "opset1",
            [feeds[0], *bounds],
            cut,
            begin_mask="0,0",
            end_mask="0,0",
        )
    output = WrittenTensor(named("f32"), PartialShape.of([2, 2]))
    picked = writer.layer(
        "pick", "GatherElements", "opset6", {"axis": "1"}, [rows, feeds[1]], output
    )
    writer.result("out", picked)
    return writer.text, writer.weights


@needs_openvino
def test_it_is_still_so() -> None:
    inputs: dict[str, Any] = {"data": DATA, "indices": INDICES}
    refused, right = run(
        [("openvino", *model(kind), inputs) for kind in ("Slice", "StridedSlice")]
    )
    assert isinstance(refused, str)
    assert "Shapes [3,4] and [2,2] are not consistent" in refused
    assert right.tolist() == [[3, 0], [5, 6]]
