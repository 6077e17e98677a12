"""ONNX files: what is read of them, and what ``validate`` finds."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from onnx_models import findings

import ovgather
from ovgather.cli.main import run
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.shapes import Shapes
from ovgather.validation.check import check_file

pytestmark = requires_onnx


@pytest.mark.parametrize(
    ("kind", "arguments", "named", "code", "message"),
    [
        (
            "GatherElements",
            ([3, 4], [3, 4]),
            {"axis": 5},
            "OVG807",
            "axis 5 is out of range [-2, 1] for data of rank 2: data [3,4], indices [3,4], axis 5",
        ),
        (
            "GatherND",
            ([3, 4], [3, 4, 1]),
            {"batch_dims": 2},
            "OVG807",
            "batch_dims 2 must be below the rank of data, which is 2: data [3,4], indices [3,4,1], batch_dims 2",
        ),
        (
            "GatherElements",
            ([3, 4], [3]),
            {},
            "OVG808",
            "data and indices must have the same rank, not 2 and 1: data [3,4], indices [3], axis 0",
        ),
        (
            "GatherElements",
            ([3, 4], [3, 5]),
            {},
            "OVG808",
            "dim 1 is 4 in data but 5 in indices, and only dim 0, the axis, may be longer:"
            " data [3,4], indices [3,5], axis 0",
        ),
        (
            "GatherElements",
            ([3, 4], [2, 3], [9, 3]),
            {},
            "OVG809",
            "output dim 0 is declared 9, but 2 is inferred from the inputs",
        ),
        (
            "Gather",
            ([3, "n"], [2], [2]),
            {},
            "OVG809",
            "the output is declared [2], but [2,n] is inferred from the inputs",
        ),
        (
            "Gather",
            ([3, 4], [2]),
            {"types": ("float", "int64", "double")},
            "OVG809",
            "the output is declared tensor(double), but data are tensor(float)",
        ),
        (
            "GatherND",
            ([3, 4], [2, 1]),
            {"types": ("float", "int32", "float")},
            "OVG806",
            "indices must be tensor(int64), not tensor(int32): data tensor(float), indices tensor(int32)",
        ),
        (
            "GatherElements",
            ([3], [2]),
            {"types": ("bfloat16", "int64", "bfloat16"), "opset": 12},
            "OVG806",
            "GatherElements-11 takes no data of tensor(bfloat16): data tensor(bfloat16), indices tensor(int64)",
        ),
        (
            "GatherElements",
            ([3], [2]),
            {"opset": 10},
            "OVG803",
            "opset 10 has no GatherElements: opset 11 is the first that has one",
        ),
        (
            "GatherND",
            ([3, 4], [2, 1]),
            {"opset": 11, "batch_dims": 0},
            "OVG804",
            "GatherND-11 has no attribute `batch_dims`",
        ),
        ("Gather", ([3, 4], [2]), {"axes": 1}, "OVG804", "Gather-13 has no attribute `axes`; did you mean `axis`?"),
        ("Gather", ([3, 4], [2]), {"axis": 1.5}, "OVG804", "attribute `axis` must be an integer"),
    ],
)
def test_one_finding(kind: str, arguments: Any, named: dict[str, Any], code: str, message: str) -> None:
    assert findings(models.one_node(kind, *arguments, **named)) == [(code, "error", message)]


@pytest.mark.parametrize(
    "model",
    [
        ("GatherElements", [3, 4], [3, 9], [3, 9], {"axis": 1}),
        ("GatherElements", [3, 4], [2, 1], None, {"axis": 1}),
        ("GatherElements", ["n", "m"], ["k", None], ["k", 5], {}),
        ("Gather", None, None, None, {"axis": 9}),
        ("GatherND", ["b", 3, 4], ["b", 2], ["b"], {"batch_dims": 1}),
        ("Gather", [3, 4], [2], None, {"types": ("string", "int32", "string")}),
    ],
)
def test_nothing_is_wrong(model: Any) -> None:
    kind, data, indices, output, named = model
    assert findings(models.one_node(kind, data, indices, output, **named)) == []


def test_onnx_passes_what_is_found_here() -> None:
    import onnx

    for made in (
        models.one_node("GatherElements", [3, 4], [3, 4], [3, 4], axis=5),
        models.one_node("GatherElements", [3, 4], [3], [3]),
    ):
        onnx.checker.check_model(made, full_check=True)
        assert len(findings(made)) == 1


def test_constants() -> None:
    inputs, outputs = [models.value("data", "float", [3, "n", 4])], [models.value("y", "float", None)]

    def checked(nodes: list[Any], constants: list[Any] | None = None) -> list[tuple[str, str, str]]:
        return findings(models.model(models.graph(nodes, inputs, outputs, constants)))

    pick = models.node("Gather", "data i", "y")
    wrong = ("OVG810", "error", "2 of 3 constant indices outside [-3, 2]: 7 at position [1]")
    assert checked([pick], [models.constant("i", [0, 7, -9])]) == [wrong]
    assert checked([pick], [models.constant("i", [0, 2, -3])]) == []
    assert checked([models.node("Constant", "", "i", value_ints=[0, 7, -9]), pick]) == [wrong]
    named = [models.node("Constant", "", "k", value_int=3), models.node("Identity", "k", "i"), pick]
    assert checked(named) == [("OVG810", "error", "1 of 1 constant indices outside [-3, 2]: 3")]
    tuples = models.node("GatherND", "data i", "y")
    wrong = ("OVG810", "error", "1 of 2 constant indices of part 0 of the tuples outside [-3, 2]: -4 at position [1]")
    assert checked([tuples], [models.constant("i", [[0, 9], [-4, 1]])]) == [wrong]
    assert checked([models.node("Gather", "data i", "y", axis=1)], [models.constant("i", [0, 7, -9])]) == []


def test_inputs_that_are_not_there() -> None:
    from onnx import helper

    def checked(*names: str) -> list[tuple[str, str, str]]:
        made = [helper.make_node("Gather", list(names), ["y"])]
        inputs = [models.value(name, "int64", [2]) for name in dict.fromkeys(names) if name]
        return findings(models.model(models.graph(made, inputs, [models.value("y", "int64", None)])))

    assert ("OVG805", "error", "Gather-13 takes 2 inputs (data, indices), it is given 1") in checked("data")
    assert ("OVG805", "error", "Gather-13 takes 2 inputs (data, indices), it is given 3") in checked("a", "b", "c")
    assert ("OVG805", "error", "input data is left out") in checked("", "i")


def test_files_that_cannot_be_read(tmp_path: Path, capfd: Any) -> None:
    for data, said in ((b"\x08\x0a", "it holds no graph"), (b"\x08garbage", "it is no protobuf message")):
        path = tmp_path / "m.onnx"
        path.write_bytes(data)
        checked = check_file(str(path))
        assert checked.fatal
        assert checked.diagnostics[0].message.startswith(f"no ONNX model can be read: {said}")
        assert run(["validate", str(path)]) == 4
    assert run(["validate", str(tmp_path / "none.onnx"), "--format", "concise"]) == 4
    assert capfd.readouterr().out.endswith(
        "none.onnx OVG801 error: no ONNX model can be read: No such file or directory\n"
    )


def test_a_file_too_large_for_protobuf_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.onnx"
    with open(path, "wb") as file:
        file.truncate(1 << 31)  # a hole, which takes no room
    assert [found.message for found in ovgather.validate(path)] == [
        "no ONNX model can be read: it has 2147483648 bytes, and protobuf reads no more than 2 GiB: keep the weights as"
        " external data"
    ]


def external(folder: Path, location: str, offset: int = 0, length: int | None = None, dims: int = 3) -> Path:
    """A file with a Gather whose indices are external data."""
    from onnx import TensorProto

    tensor = TensorProto(name="i", data_type=TensorProto.INT64, dims=[dims], data_location=TensorProto.EXTERNAL)
    entries = {"location": location, "offset": str(offset), **({} if length is None else {"length": str(length)})}
    for key, text in entries.items():
        tensor.external_data.add(key=key, value=text)
    inputs, outputs = [models.value("data", "float", [3, 4])], [models.value("y", "float", None)]
    made = models.model(models.graph([models.node("Gather", "data i", "y")], inputs, outputs, [tensor]))
    path = folder / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def test_external_data(tmp_path: Path) -> None:
    def checked(*arguments: Any) -> list[tuple[str, str, str]]:
        found = ovgather.validate(external(tmp_path, *arguments))
        return [(item.code, item.severity, item.message) for item in found]

    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "w.bin").write_bytes(b"\0" * 8 + numpy.array([0, 7, -9]).tobytes())
    outside = [("OVG810", "error", "2 of 3 constant indices outside [-3, 2]: 7 at position [1]")]
    assert checked("deep/w.bin", 8) == outside
    assert checked("deep/w.bin", 8, 24) == outside
    assert checked("none.bin") == [("OVG802", "warning", "external data of 1 tensor: none.bin: no such file")]
    short = 'external data of tensor "i": deep/w.bin has 32 bytes, but the tensor ends at 40'
    assert checked("deep/w.bin", 16) == [("OVG802", "error", short)]
    assert checked("deep/w.bin", 0, None, 1 << 60)[0][2].startswith(
        'external data of tensor "i": deep/w.bin has 32 bytes'
    )
    less = 'external data of tensor "i": its length is 8 bytes, but its dims and type need 24'
    assert checked("deep/w.bin", 0, 8) == [("OVG802", "error", less)]
    (tmp_path / "link").symlink_to("/etc")
    for place, words in (
        ("/etc/passwd", "is not a path below the folder of the model"),
        ("../m.onnx", "leads out of the folder of the model"),
        ("deep/../../x", "leads out of the folder of the model"),
        ("link/passwd", "leads out of the folder of the model"),
    ):
        assert checked(place) == [("OVG802", "error", f'external data of tensor "i": {place!r} {words}')]


def test_weights_of_more_than_2_gib_are_not_read_into_memory(tmp_path: Path) -> None:
    """A hole stands for them: what is far into the file is read, and nothing before it."""
    with open(tmp_path / "w.bin", "wb") as file:
        file.seek(5 << 30)
        file.write(numpy.array([0, 1, 3]).tobytes())
    found = ovgather.validate(external(tmp_path, "w.bin", 5 << 30))
    assert [item.message for item in found] == ["1 of 3 constant indices outside [-3, 2]: 3 at position [2]"]


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("import os; os.kill(os.getpid(), 11)", "onnx's shape inference crashes (signal 11)"),
        ("raise ValueError('so')", "onnx's shape inference fails: ValueError: so"),
    ],
)
def test_a_model_that_makes_shape_inference_fail(start: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ovgather.onnx_file.shapes._START", start)
    assert ("OVG811", "note", said) in findings(models.nested(told=False))
    assert [code for code, _, _ in findings(models.nested())] == ["OVG807", "OVG807"]


def test_names_that_are_no_utf8() -> None:
    made = models.one_node("GatherElements", ["nnnn", 4], [2, 5], axs=3).SerializeToString()
    for name in (b"nnnn", b"pick", b"axs", b"indices"):
        made = made.replace(name, name[:-1] + b"\xff")
    found = ovgather.validate(made)
    assert [item.message for item in found] == [
        "GatherElements-13 has no attribute `ax\\xff`",
        "dim 1 is 4 in data but 5 in indices, and only dim 0, the axis, may be longer:"
        " data [nnn\\xff,4], indices [2,5], axis 0",
    ]
    assert found[0].layer is not None
    assert found[0].layer.name == "pic\\xff"


@pytest.mark.parametrize("seed", range(8))
def test_mutated_bytes_are_findings_and_no_exceptions(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ovgather.onnx_file.model.infer_shapes", lambda model, given: Shapes({}))
    rng = Random(seed)
    whole = [models.nested().SerializeToString(), models.one_node("GatherND", ["b", 3], ["b", 1]).SerializeToString()]
    for _ in range(150):
        data = bytearray(rng.choice(whole))
        for _ in range(rng.choice([1, 2, 4])):
            place = rng.randrange(len(data))
            if rng.random() < 0.7:
                data[place] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
            else:
                del data[place : place + rng.randint(1, 8)]
        made = OnnxModel("m.onnx", None, bytes(data))
        assert all(found.line == 0 for found in check_file(made, keeps=lambda code: True).diagnostics)


def test_operations_of_other_domains_are_named() -> None:
    made = models.one_node("GatherND", [3, 4], [2, 1], [2, 4], domain="com.microsoft")
    made.opset_import.add(domain="com.microsoft", version=1)
    assert [str(item) for item in ovgather.validate(made)] == [
        "<onnx.ModelProto>: note[OVG803]: node 'pick' is a GatherND of the domain com.microsoft: it is not checked"
    ]


@pytest.mark.parametrize("positions", [[1, 5], [[0, 1], [1, 2]]], ids=["flat", "for each dim"])
def test_sparse_initializers_are_constants(positions: Any) -> None:
    import numpy
    from onnx import helper, numpy_helper

    values = numpy_helper.from_array(numpy.array([2, -9], "i8"), "indices")
    where = numpy_helper.from_array(numpy.array(positions, "i8"), "where")
    made = models.one_node("Gather", [3, 4], [2, 3], [2, 3, 4])
    del made.graph.input[1]
    made.graph.sparse_initializer.append(helper.make_sparse_tensor(values, where, [2, 3]))
    [gather] = ovgather.gather_layers(made)
    constant = gather.inputs[1].constant
    assert constant is not None
    assert constant.tolist() == [[0, 2, 0], [0, 0, -9]]
    assert [item.code for item in ovgather.validate(made)] == ["OVG810"]
    made.graph.sparse_initializer[0].values.CopyFrom(numpy_helper.from_array(numpy.array([2, 1], "i8"), "indices"))
    [converted] = ovgather.convert(made)
    assert converted.inputs[1] == "indices: Const 'indices' i64 [2,3]"
    where.CopyFrom(numpy_helper.from_array(numpy.array([1, 6], "i8"), "where"))
    made.graph.sparse_initializer[0].indices.CopyFrom(where)
    with pytest.raises(ovgather.InvalidModelError, match="its indices are outside its 6 elements"):
        ovgather.convert(made)


def test_elements_of_an_empty_axis_are_guarded() -> None:
    [converted] = ovgather.convert(models.one_node("GatherElements", [0, 4], [2, 4], [2, 4], axis=0))
    assert converted.notes == ("a guard before the indices makes an index outside an error: data have length 0 there",)
    assert b"LogicalOr" in converted.text
    [converted] = ovgather.convert(models.one_node("GatherElements", ["n", 4], [2, 4], [2, 4], axis=0))
    assert "OpenVINO reads what it should not" in converted.notes[0]
    assert ovgather.convert(models.one_node("GatherElements", [0, 4], [0, 4], [0, 4], axis=0))[0].notes == ()
