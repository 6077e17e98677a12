"""IR -> ONNX -> IR, and ONNX -> IR -> ONNX: outputs keep their shapes and names."""

from __future__ import annotations

from random import Random

import pytest

import ovgather
from ovgather.ops.sampling.random_layer import random_layer
from ovgather.testing.random_model import one_layer

pytest.importorskip("onnx.helper")


@pytest.mark.parametrize("seeds", [range(20), range(20, 40)], ids=str)
def test_random_layers(seeds: range) -> None:
    converted = 0
    for seed in seeds:
        made = one_layer(random_layer(Random(seed)))
        try:
            [there] = ovgather.convert(made.text, weights=made.weights, guard=False)
            [back] = ovgather.convert(there.text, guard=False)
        except ovgather.InvalidModelError:
            continue  # ONNX has no such type
        [mine] = ovgather.gather_layers(made.text, weights=made.weights)
        shapes = ovgather.shapes(back.text, weights=back.weights)
        outputs = [str(shape) for shape, _ in shapes.values()]
        assert str(mine.output) in outputs
        converted += 1
    assert converted > 10


def test_names_of_outputs_are_kept() -> None:
    import onnx
    from onnx_models import one_node

    made = one_node("GatherND", [3, 4], [2, 1], [2, 4])
    made.graph.output[0].name = made.graph.node[0].output[0] = "rows, picked"
    [there] = ovgather.convert(made)
    [back] = ovgather.convert(there.text, weights=there.weights)
    again = onnx.ModelProto.FromString(back.text)
    assert [item.name for item in again.graph.output] == ["rows, picked"]
