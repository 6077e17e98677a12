"""``ovgather infer`` with ONNX files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx

import ovgather
from ovgather import schemas
from ovgather.cli.main import run
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import infer
from ovgather.verbs.infer.records import Inferred

pytestmark = requires_onnx


def only(model: Any) -> Inferred:
    """The one node of a model."""
    (item,) = infer(model.SerializeToString()).layers
    return item


@pytest.mark.parametrize(
    ("kind", "shapes", "named", "output", "status"),
    [
        ("GatherElements", ([3, 4], [2, 4], [2, 4]), {}, "[2,4]", "match"),
        ("GatherElements", ([3, 4], [2, 4], ["n", 4]), {}, "[2,4]", "refines"),
        ("GatherElements", ([3, 4], [2, 4], [9, 4]), {}, "[2,4]", "mismatch"),
        ("Gather", (["n", 4], ["k"], None), {"axis": -1}, "[?,?]", "refines"),
        ("GatherND", (["b", 4], [7, 1], [7]), {"batch_dims": 1}, "[7]", "match"),
        ("GatherND", ([3, 4], [7, None], [7]), {}, "[...]", "unknown"),
    ],
)
def test_status(
    kind: str, shapes: Any, named: dict[str, int], output: str, status: str
) -> None:
    item = only(models.one_node(kind, *shapes, **named))
    assert item.output is not None
    assert (item.output.shape, item.status, item.output.element_type) == (
        output,
        status,
        "float",
    )
    assert item.axis == (None if kind == "GatherND" else named.get("axis", 0))
    assert item.axis_source == ("unknown" if kind == "GatherND" else "attribute")


def test_what_has_no_output() -> None:
    item = only(models.one_node("GatherElements", [3, 4], [2], axis=5))
    assert (item.output, item.status) == (None, "mismatch")
    assert str(item.error).startswith(
        "axis 5 is out of range [-2, 1] for data of rank 2"
    )
    item = only(models.one_node("GatherElements", [3, 4], [2], opset=10))
    assert (item.operation, item.status) == ("GatherElements", "unknown")
    assert (
        item.error
        == "opset 10 has no GatherElements: opset 11 is the first that has one"
    )
    item = only(models.without_opset())
    assert (
        item.error
        == "no opset of the domain ai.onnx is imported, so Gather has no version"
    )


def test_types_that_do_not_fit_leave_the_shape() -> None:
    item = only(
        models.one_node(
            "GatherND", [3, 4], [2, 1], [2, 4], types=("float", "int32", "float")
        )
    )
    assert (item.status, item.error) == ("match", None)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.onnx").write_bytes(
        models.one_node(
            "GatherElements", ["n", 4], ["k", 3], [9, 3]
        ).SerializeToString()
    )
    Path("b.onnx").write_bytes(models.nested().SerializeToString())


def test_text(files: None, capfd: Any) -> None:
    assert run(["infer", "a.onnx", "--why"]) == 0
    assert capfd.readouterr().out == (
        "a.onnx: 1 Gather layer\n"
        '  GatherElements-13, node "pick"\n'
        "    data [n,4] float, indices [k,3] int64, axis 0\n"
        "    -> [k,3] float  unknown: declared [9,3]: more than the inputs tell\n"
        "       dim 0 = k: indices dim 0 (the axis)\n"
        "       dim 1 = 3: indices dim 1, at most data dim 1\n"
    )
    assert run(["infer", "b.onnx", "--layer", "choice/then_branch/inner"]) == 1
    assert (
        '  GatherElements-13, node "inner" in graph "choice/then_branch"\n'
        in capfd.readouterr().out
    )


def test_json_is_as_the_schema_says(files: None, capfd: Any) -> None:
    from jsonschema import Draft202012Validator

    assert run(["infer", ".", "--format", "json", "--why"]) == 1
    document = json.loads(capfd.readouterr().out)
    Draft202012Validator(schemas.load("infer")).validate(document)
    layers = [layer for file in document["files"] for layer in file["layers"]]
    assert [layer["version"] for layer in layers] == ["ai.onnx:13"] * 4
    assert layers[0]["inputs"][0] == {
        "shape": "[?,4]",
        "element_type": "float",
        "named": "[n,4]",
    }


def test_what_does_not_go_with_onnx_files(files: None, capfd: Any) -> None:
    assert run(["infer", "a.onnx", "b.onnx", "--write", "c.onnx"]) == 2
    assert "--write goes with one file" in capfd.readouterr().err
    with pytest.raises(ovgather.InvalidModelError) as caught:
        infer("b.onnx", layer="inner")
    assert str(caught.value) == (
        "b.onnx: 2 nodes are called 'inner': say which, of choice/else_branch/inner, choice/then_branch/inner"
    )
    with pytest.raises(ovgather.InvalidModelError) as caught:
        infer("b.onnx", layer="none")
    assert (
        str(caught.value)
        == "b.onnx: no Gather node is called 'none': there are 'outer', 'inner', 'inner'"
    )


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(b"<net/>")
    assert run(["infer", str(tmp_path / "m.onnx")]) == 4
    assert str(infer(str(tmp_path / "m.onnx")).error).startswith(
        "it is no protobuf message"
    )


def chain() -> Any:
    """Gather behind a Reshape of an input, whose declared shapes are of a batch of 1; its weights are large."""
    nodes = [
        models.node("Reshape", "ids shape", "flat"),
        models.node("Gather", "table flat", "y", name="pick"),
        models.node("GatherElements", "y other", "z", name="same", axis=1),
    ]
    inputs = [
        models.value("ids", "int64", [1, 6]),
        models.value("other", "int64", [6, 2]),
    ]
    outputs = [models.value("y", "float", [6, 64]), models.value("z", "float", [6, 2])]
    table = models.constant("table", numpy.zeros((100, 64), "f4"))
    return models.model(
        models.graph(nodes, inputs, outputs, [table, models.constant("shape", [-1])])
    )


@pytest.mark.runtime
def test_other_input_shapes_are_followed() -> None:
    data = chain().SerializeToString()
    assert [item.status for item in infer(data).layers] == ["match", "match"]
    made = infer(data, input_shapes={"ids": PartialShape.of([4, 6])}).layers
    assert [
        (item.output.shape if item.output else None, item.declared, item.updated)
        for item in made
    ] == [
        ("[24,64]", "[6,64]", True),
        ("[6,2]", "[6,2]", True),
    ]
    assert not any(item.is_wrong for item in made)
    made = infer(data, input_shapes={"in0": PartialShape.of([1, 3])}).layers
    assert made[1].error == (
        "dim 0 is 3 in data but 6 in indices, and only dim 1, the axis, may be longer:"
        " data [3,64], indices [6,2], axis 1"
    )
    assert made[1].is_wrong
    made = infer(data, input_shapes={"other": PartialShape.of("6, k:1..9")}).layers
    assert [item.updated for item in made] == [False, True]
    assert made[1].output is not None
    assert made[1].output.named == "[6,k:1..9]"


def test_inputs_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(chain().SerializeToString())
    with pytest.raises(ovgather.InvalidModelError) as caught:
        infer(str(path), input_shapes={"table": PartialShape.of([1])})
    assert (
        str(caught.value)
        == f"{path} has no input 'table'; it takes\n  ids or in0: [1,6]\n  other or in1: [6,2]"
    )
    with pytest.raises(
        ovgather.InvalidModelError, match="input 'ids' is given two shapes"
    ):
        infer(
            str(path),
            input_shapes={"ids": PartialShape.of([1]), "in0": PartialShape.of([1])},
        )
    assert run(["infer", str(path), "--input-shape", "ids=[4,6]"]) == 0


@pytest.mark.runtime
def test_openvino_is_asked(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    made = models.one_node("GatherElements", ["b", 7], ["b", "k"], ["b", None], axis=1)
    [item] = infer(made, input_shapes={"indices": [3, 2]}, with_openvino=True).layers
    assert (item.output and item.output.shape, item.openvino) == (
        "[3,2]",
        ("[3,2]", "equal"),
    )
    broken = models.one_node("GatherElements", [3, 4], [3, 4], [3, 4], axis=7)
    assert "GatherElements" in (infer(broken, with_openvino=True).openvino or "")


def test_shapes_are_written(tmp_path: Path, capfd: Any) -> None:
    import onnx

    nodes = [
        models.node("GatherElements", "data indices", "picked", name="pick", axis=1),
        models.node("Relu", "picked", "y", name="relu"),
    ]
    inputs = [
        models.value("data", "float", ["b", 7]),
        models.value("indices", "int64", ["b", "k"]),
    ]
    made = models.model(
        models.graph(nodes, inputs, [models.value("y", "float", ["rows", "columns"])])
    )
    source, target = tmp_path / "m.onnx", tmp_path / "w.onnx"
    onnx.save(made, source)
    assert (
        run(
            [
                "infer",
                str(source),
                "--input-shape",
                "indices=[b,2]",
                "--write",
                str(target),
            ]
        )
        == 0
    )
    written = onnx.load(target)
    onnx.checker.check_model(written, full_check=True)
    values = {
        item.name: item.type.tensor_type
        for item in (*written.graph.input, *written.graph.value_info)
    }
    dims = {
        name: [dim.dim_param or dim.dim_value for dim in value.shape.dim]
        for name, value in values.items()
    }
    assert dims == {"data": ["b", 7], "indices": ["b", 2], "picked": ["b", 2]}
    assert values["picked"].elem_type == onnx.TensorProto.FLOAT
    [result] = written.graph.output
    assert [
        dim.dim_param or dim.dim_value for dim in result.type.tensor_type.shape.dim
    ][1] == 2
    assert [node.SerializeToString() for node in written.graph.node] == [
        node.SerializeToString() for node in made.graph.node
    ]
    assert run(["infer", str(source), "--write", str(source)]) == 2
    assert onnx.load(source) == made


def test_a_node_without_outputs_is_written_as_it_is(tmp_path: Path) -> None:
    model = models.one_node("Gather", [3, 4], [2])
    del model.graph.node[0].output[:]
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    assert run(["infer", str(path), "--write", str(tmp_path / "written.onnx")]) in (
        0,
        1,
    )


def test_an_output_of_unknown_rank_stays_without_a_shape(tmp_path: Path) -> None:
    model = models.one_node("Gather", None, [2])
    model.graph.output[0].type.tensor_type.ClearField("shape")
    path, target = tmp_path / "m.onnx", tmp_path / "written.onnx"
    path.write_bytes(model.SerializeToString())
    assert run(["infer", str(path), "--write", str(target)]) == 0
    assert target.read_bytes() == path.read_bytes()
