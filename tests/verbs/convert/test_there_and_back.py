"""IR -> ONNX -> IR gives the original layer back, unless the graph was changed in between."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import ovgather
from ovgather.ops import openvino
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.testing.random_model import one_layer

pytest.importorskip("onnx")


def layer_text(text: bytes) -> list[str]:
    """The Gather layer as it is written, without what counts layers."""
    return re.findall(rb'<layer id="\d+" name="gather" (type="Gather.*?)</layer>', text)


@pytest.mark.parametrize("seeds", [range(20), range(20, 40)], ids=str)
def test_random_layers(seeds: range) -> None:
    converted = 0
    for seed in seeds:
        made = one_layer(random_layer(Random(seed)))
        try:
            [there] = ovgather.convert(made.text, weights=made.weights)
        except ovgather.InvalidModelError:
            continue  # ONNX has no such type
        [back] = ovgather.convert(there.text)
        assert layer_text(back.text) == layer_text(made.text) != []
        assert len(list(ovgather.read(back.text).layers())) == len(
            list(ovgather.read(made.text).layers())
        )
        [mine] = ovgather.gather_layers(made.text, weights=made.weights)
        [its] = ovgather.gather_layers(back.text, weights=back.weights)
        assert (its.axis, its.output) == (mine.axis, mine.output)
        converted += 1
    assert converted > 10


def two_ways() -> tuple[Any, Any]:
    import onnx

    operation = openvino.find("GatherND", "opset5")
    assert operation is not None
    choice = LayerChoice((operation,), element_types=("f32",))
    drawn = (random_layer(Random(seed), choice) for seed in range(200))
    text = next(one_layer(layer).text for layer in drawn if layer.batch_dims == 2)
    [there] = ovgather.convert(text)
    return text, onnx.ModelProto.FromString(there.text)


def test_the_reshape_of_gather_nd_5_is_kept() -> None:
    text, there = two_ways()
    assert there.graph.node[-1].op_type == "Reshape"
    [back] = ovgather.convert(there)
    assert back.notes == ("the layer of IR that the model was made from",)
    assert layer_text(back.text) == layer_text(text)


@pytest.mark.parametrize("change", ["node", "output", "metadata", "nonsense"])
def test_a_changed_graph_is_converted_as_it_is(change: str) -> None:
    _, there = two_ways()
    if change == "node":
        there.graph.node[-1].name = "mine"
    elif change == "output":
        place = [node.op_type for node in there.graph.node].index("GatherND")
        del there.graph.node[place + 1 :]
        there.graph.output[0].name = there.graph.node[place].output[0]
        there.graph.output[0].type.tensor_type.ClearField("shape")
    elif change == "metadata":
        there.metadata_props[0].value = re.sub(
            r"opset\d+", "opset8", there.metadata_props[0].value
        )
    else:
        there.metadata_props[0].value = "[1, 2"
    [back] = ovgather.convert(there)
    assert "the layer of IR" not in " ".join(back.notes)
    [gather] = ovgather.gather_layers(back.text)
    assert gather.operation == "GatherND-8"


def test_names_of_outputs_are_kept() -> None:
    import onnx
    from onnx_models import one_node

    made = one_node("GatherND", [3, 4], [2, 1], [2, 4])
    made.graph.output[0].name = made.graph.node[0].output[0] = "rows, picked"
    [there] = ovgather.convert(made)
    [back] = ovgather.convert(there.text, weights=there.weights)
    again = onnx.ModelProto.FromString(back.text)
    assert [item.name for item in again.graph.output] == ["rows, picked"]
