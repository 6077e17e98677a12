"""Views of Gather layers, alike for IR and ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ovgather

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "samples_xml/demo/good.xml"


def test_layers_of_an_ir() -> None:
    gathers = ovgather.gather_layers(DEMO)
    assert [gather.name for gather in gathers] == [
        layer.layer.name for layer in ovgather.infer(DEMO).layers
    ]
    for gather in gathers:
        assert ovgather.gather_layers(DEMO, f"#{gather.id}") == [gather]
        assert (gather.status, gather.error) == ("match", None)
        assert gather.output is not None
        assert len(gather.reasons) == gather.output.rank
        assert [each.name for each in gather.inputs] == ["data", "indices", "axis"][
            : len(gather.inputs)
        ]


def test_names_that_are_none() -> None:
    with pytest.raises(
        ovgather.InvalidModelError,
        match="no layer with the name or id 'word_embeding'; did you mean",
    ):
        ovgather.gather_layers(DEMO, "word_embeding")
    with pytest.raises(
        ovgather.InvalidModelError, match="layer 'token_ids' is a 'Parameter'"
    ):
        ovgather.gather_layers(DEMO, "token_ids")
    with pytest.raises(ovgather.OvgatherError, match="malformed XML"):
        ovgather.gather_layers(b"<net")


def upstream(producer: Any) -> list[str]:
    """The names of all that a value comes from, nearest first."""
    names = [f"{producer.type} {producer.name}.{producer.output}"]
    return names + [
        name for each in producer.inputs if each is not None for name in upstream(each)
    ]


def test_producers_of_an_ir() -> None:
    [gather] = ovgather.gather_layers(DEMO, "word_embedding")
    data, indices, axis = gather.inputs
    assert upstream(data.producer) == ["Const word_table.0"]
    assert data.constant is not None
    assert data.constant.shape == (10, 4)
    assert indices.constant is None
    assert axis.constant == 0


def test_nodes_of_onnx() -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import constant, graph, model, node, value

    inner = graph(
        [node("Gather", "table moved", "out", name="inner", axis=1)],
        [],
        [value("out", "float", [4, 2])],
    )
    nodes = [
        node("Relu", "x", "moved_x", name="relu"),
        node("Identity", "i", "moved", name="same"),
        node("If", "c", "z", name="choice", then_branch=inner, else_branch=inner),
        node("Gather", "moved_x i", "y", name="pick"),
    ]
    inputs = [
        value("x", "float", [3, "n"]),
        value("i", "int64", [2]),
        value("c", "bool", []),
    ]
    outputs = [value("y", "float", [2, "n"]), value("z", "float", None)]
    made = model(graph(nodes, inputs, outputs, [constant("table", [[1.0, 2.0]] * 4)]))
    pick, *inside = ovgather.gather_layers(made)
    assert [gather.body for gather in inside] == [
        ("choice", "else_branch"),
        ("choice", "then_branch"),
    ]
    inner_pick = inside[1]
    assert (pick.name, pick.version, pick.operation, pick.body) == (
        "pick",
        "ai.onnx:13",
        "Gather-13",
        (),
    )
    assert pick.inputs[0].shape.named == "[3,n]"
    assert upstream(pick.inputs[0].producer) == ["Relu relu.0", "input x.0"]
    table, moved = inner_pick.inputs
    assert upstream(table.producer) == ["initializer table.0"]
    assert table.constant is not None
    assert upstream(moved.producer) == ["Identity same.0", "input i.0"]
    assert (inner_pick.axis, inner_pick.axis_source, inner_pick.output) == (
        1,
        "attribute",
        (4, 2),
    )
    assert ovgather.gather_layers(made, "choice/then_branch/inner") == [inner_pick]
