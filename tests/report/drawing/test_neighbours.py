"""A layer between its producers and its consumers."""

from __future__ import annotations

from pathlib import Path

import onnx_models as models
import pytest
from html_check import Page, data, records
from onnx_child import requires_onnx
from paths import ROOT

import ovgather
from ovgather.cli.main import run
from ovgather.errors import InvalidModelError
from ovgather.forward.run import forward_of
from ovgather.report.drawing.graph import graph, near
from ovgather.report.drawing.neighbours import draw

GOOD = ovgather.read(ROOT / "samples_xml" / "demo" / "good.xml")


def test_several_outputs_and_consumers() -> None:
    assert draw(GOOD, "order").splitlines()[-4:] == [
        'TopK (opset11) "order" (layer 15)',
        "├─▶ f32 [?,6] to nothing",
        '├─▶ i32 [?,6] to input 1 of GatherElements-6 "sorted_tokens" (layer 16)',
        '└─▶ i32 [?,6] to input 1 of GatherElements-6 "sorted_scores" (layer 17)',
    ]


def test_no_inputs_and_no_producer() -> None:
    assert (
        draw(GOOD, "token_ids").splitlines()[0]
        == 'Parameter (opset1) "token_ids" (layer 0)'
    )
    text = (
        b'<net name="m" version="11"><layers><layer id="0" name="r" type="Result" '
        b'version="opset1"><input><port id="0"'
    )
    cut = ovgather.read(
        text
        + b' precision="FP32"><dim>3</dim></port></input></layer></layers><edges/></net>'
    )
    assert draw(cut, "r").startswith("nothing feeds this: f32 [3] ─ 0 ")


def test_messages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidModelError, match="no layer with the name or id 'none'"):
        draw(GOOD, "none")
    path = str(ROOT / "samples_xml" / "demo" / "good.xml")
    assert run(["show", path, "--neighbours"]) == 2
    assert (
        "--neighbours needs --layer, which says what to draw" in capsys.readouterr().err
    )
    assert run(["show", path, "--layer", "order", "--neighbours", "data=x.npy"]) == 2
    assert "--neighbours takes no arrays" in capsys.readouterr().err


@requires_onnx
def test_onnx_nodes_graphs_inside_and_other_domains() -> None:
    nested = ovgather.read(models.nested())
    assert draw(nested, "choice/else_branch/inner").splitlines() == [
        'Relu (ai.onnx:13), node "r" in graph "choice/else_branch": float [3,4] ─ data ───┐',
        'input "indices": int64 [2,4]                                           ─ indices ┤',
        "                                                                                 ▼",
        'GatherElements-13, node "inner" in graph "choice/else_branch"',
        '└─▶ float [2,4] to output "b"',
    ]
    nodes = [
        models.node("Split", "x", "a"),
        models.node("Mine", "a t t", "b"),
        models.node("Relu", "b", "c"),
    ]
    nodes[0].output.append("rest")
    nodes[1].domain, nodes[1].input[1] = "me", ""
    graph = models.graph(
        nodes, [models.value("x", "float", [4])], [models.value("c", "float", None)]
    )
    assert draw(ovgather.read(models.model(graph, me=1)), "b").splitlines() == [
        'Split (ai.onnx:13), node "a", output 0: float [2] ─ 0 ──────┐',
        "left out                                          ─ 1 ──────┤",
        "nothing feeds this: ? [...]                       ─ 2 ──────┤",
        "                                                            ▼",
        'Mine (me), node "b"',
        '└─▶ ? [...] to input 0 of Relu (ai.onnx:13), node "c"',
    ]
    with pytest.raises(
        InvalidModelError, match="no node is called 'none': there are 'outer', 'choice'"
    ):
        draw(nested, "none")


def test_the_page_walks_through_the_whole_model(tmp_path: Path) -> None:
    target, model = (
        tmp_path / "layer.html",
        str(ROOT / "samples_xml" / "demo" / "good.xml"),
    )
    words = [
        "show",
        model,
        "--layer",
        "order",
        "--neighbours",
        "--format",
        "html",
        "-o",
        str(target),
    ]
    assert run(words) == 0
    text = target.read_text(encoding="utf-8")
    assert Page(text).problems == []
    shown = data(text)
    layers = shown["graphs"]["model"]
    assert shown["first"] == [["graph", "", "model", "#15"]]
    assert len(layers) == len(records(text)) == sum(1 for _ in GOOD.layers())
    assert all({"inputs", "outputs"} <= set(layer) for layer in layers.values())
    assert [output["to"] for output in layers["#15"]["outputs"]] == [[], ["#16", "#17"]]
    assert not any(
        output["differs"] for layer in layers.values() for output in layer["outputs"]
    )


def test_bodies_have_keys_with_their_path() -> None:
    model = ovgather.read(ROOT / "samples_xml" / "demo" / "nested.xml")
    layers = list(model.layers())
    nodes = graph(model, layers, {}, forward_of(model))
    nested = [key for key in nodes if key.startswith("three_times/body/")]
    assert len(nodes) == len(layers)
    assert nested
    assert all(model.find(key) is not None for key in nodes)


def test_only_layers_nearby_are_taken() -> None:
    near_it = near(GOOD, ["#15"])
    assert 3 < len(near_it) < sum(1 for _ in GOOD.layers())
    assert near(GOOD, ["#999"]) == []


def test_a_page_needs_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "samples_xml" / "demo" / "good.xml")
    assert run(["show", path, "--layer", "order", "--format", "html"]) == 2
    assert "--format html goes with --neighbours" in capsys.readouterr().err
