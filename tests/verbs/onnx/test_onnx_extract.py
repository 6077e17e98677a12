"""A Gather node of an ONNX file as a model of its own."""

from __future__ import annotations

from pathlib import Path

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx

import ovgather
from ovgather.cli.main import run
from ovgather.errors import InvalidModelError

pytestmark = requires_onnx


def test_a_node_with_its_constants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nodes = [
        models.node("Relu", "x", "data"),
        models.node("Gather", "data i", "y", name="pick", axis=1),
    ]
    inputs, outputs = (
        [models.value("x", "float", ["n", 4])],
        [models.value("y", "float", None)],
    )
    made = models.model(
        models.graph(nodes, inputs, outputs, [models.constant("i", [3, 0])])
    )
    (tmp_path / "m.onnx").write_bytes(made.SerializeToString())
    output = tmp_path / "pick.onnx"
    assert run(["extract", str(tmp_path / "m.onnx"), "-o", str(output)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        'node "pick"',
        "  data: input 'data' float [n,4]",
        "  indices: constant 'i' int64 [2]",
        f"written to {output}",
    ]
    assert ovgather.validate(output) == []
    [gather] = ovgather.gather_layers(output)
    assert (gather.axis, gather.output and gather.output.named) == (1, "[n,2]")
    assert numpy.array_equal(gather.inputs[1].constant, [3, 0])
    assert (
        run(["extract", str(tmp_path / "m.onnx"), "-o", str(tmp_path / "pick.xml")])
        != 0
    )
    assert "does not end in .onnx" in capsys.readouterr().err


def test_a_node_of_a_function_has_the_attributes_of_its_call() -> None:
    from onnx import parser

    made = parser.parse_model("""<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    m (float[3, k] x, int64[k] i) => (float[3, k] y) { [call] y = my.f <way = 1> (x, i) }
    <domain: "my", opset_import: ["" : 17]>
    f <way> (a, b) => (c) { [pick] c = Gather <axis: int = @way> (a, b) }""")
    extracted = ovgather.extract(made, "pick")
    [gather] = ovgather.gather_layers(extracted.text)
    assert (gather.axis, str(gather.inputs[0].shape)) == (1, "[3,?]")


def test_what_cannot_be_extracted() -> None:
    pair = [
        models.node("Gather", "data i", "y", name="one"),
        models.node("Gather", "data i", "z", name="two"),
    ]
    inputs = [models.value("data", "float", [3]), models.value("i", "int64", [2])]
    outputs = [models.value("y", "float", None), models.value("z", "float", None)]
    made = models.model(models.graph(pair, inputs, outputs))
    with pytest.raises(
        InvalidModelError, match="has 2 Gather nodes: say which: 'one', 'two'"
    ):
        ovgather.extract(made)
    with pytest.raises(InvalidModelError, match="no Gather node is called 'three'"):
        ovgather.extract(made, "three")


def test_an_element_type_that_does_not_exist() -> None:
    inputs = [models.value("data", "float", [2, 4]), models.value("i", "int64", [1])]
    nodes = [models.node("Gather", "data i", "y", name="pick")]
    made = models.model(models.graph(nodes, inputs, [models.value("y", "float", None)]))
    made.graph.input[0].type.tensor_type.elem_type = 99
    with pytest.raises(
        InvalidModelError,
        match="'data' has an element type that ONNX does not have: type 99",
    ):
        ovgather.extract(made)
