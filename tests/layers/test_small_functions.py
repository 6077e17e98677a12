"""The small functions of the package, by example."""

from __future__ import annotations

import pytest

from ovgather.layers.inputs import parse
from ovgather.layers.reference import LayerReference, called
from ovgather.layers.tensors import too_large
from ovgather.tensor.shape import PartialShape


def test_input_shapes() -> None:
    shapes = parse(["ids=[batch,128]", "mask=1,?"])
    assert {name: shape.named for name, shape in shapes.items()} == {
        "ids": "[batch,128]",
        "mask": "[1,?]",
    }


@pytest.mark.parametrize(
    ("dims", "exceeds"), [([1 << 40, 1 << 20], True), ([1 << 40, "?"], False)]
)
def test_more_than_any_memory(dims: list[int | str], exceeds: bool) -> None:
    assert (too_large(PartialShape.of(dims), None) is not None) is exceeds


def test_names_of_layers() -> None:
    assert (
        called(LayerReference("2", "ge_0", "GatherElements", "opset6", ()))
        == 'GatherElements-6 "ge_0" (layer 2)'
    )
    node = LayerReference(
        "2", "pick", "GatherElements", "ai.onnx:13", ("choice", "then_branch")
    )
    assert (
        called(node)
        == 'GatherElements (ai.onnx:13), node "pick" in graph "choice/then_branch"'
    )
