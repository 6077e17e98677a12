"""``ovgather diff``: its texts, formats and exit codes; constants, compression, and weights that are not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from html_check import Page
from model_pairs import DATA, DIFFERENT, SAME, Draft
from paths import SAMPLES
from small_models import constant, gather_8, i64, layer, net, parameter, result

from ovgather import diff
from ovgather.cli.main import run
from ovgather.verbs.diff.distance import distance

BERT = str(DATA / "bert.xml")
LOOP = DATA.parent / "bodies" / "loop.xml"
GOOD, BROKEN = (str(SAMPLES / "demo" / f"{name}.xml") for name in ("good", "broken"))


def output(capfdbinary: Any, *arguments: str) -> tuple[int, str]:
    code = run(["diff", *arguments])
    return code, capfdbinary.readouterr().out.decode()


def edited(name: str, folder: Path) -> str:
    draft = Draft()
    (SAME[name] if name in SAME else DIFFERENT[name][0])(draft)
    return draft.write(folder)


def test_the_same_file(capfdbinary: Any) -> None:
    assert output(capfdbinary, BERT, BERT) == (
        0,
        f"{BERT} and {BERT}: the same; all 98 layers match\n",
    )


def test_other_ids(tmp_path: Path, capfdbinary: Any) -> None:
    code, out = output(capfdbinary, BERT, edited("renumbered", tmp_path))
    assert code == 0
    assert ": the same meaning (172 renumbered); all 98 layers match\n" in out
    assert '/aten::embedding/Convert" (layer 4): id: 4 -> 1004\n' in out
    assert "\n               and 169 more\n" in out


def test_a_change_in_words(tmp_path: Path, capfdbinary: Any) -> None:
    code, out = output(capfdbinary, BERT, edited("transpose_b", tmp_path))
    assert code == 1
    assert (
        ": different (1 attribute); all 98 layers match\n  attribute    MatMul (opset1) "
        in out
    )
    assert ": transpose_b: true -> false\n" in out


def test_a_constant_in_words(capfdbinary: Any) -> None:
    code, out = output(capfdbinary, GOOD, BROKEN)
    assert code == 1
    words = 'Const (opset1) "position_ids" (layer 5) of Gather-8 "position_embedding" (layer 6): '
    assert (
        f"{words}0, 1, 2, 3, 4, 5 -> 1, 2, 3, 4, 5, 6 (6 of 6 elements, first [0]: 0 -> 1; at most 1 apart"
        in out
    )
    assert (
        '\n  attribute    GatherElements-6 "sorted_tokens" (layer 16): axis: 1 -> 0\n'
        in out
    )
    assert (
        "\n  unknown      1 constant without values: there is no usable .bin\n" in out
    )


def test_what_follows_is_only_counted(tmp_path: Path, capfdbinary: Any) -> None:
    def model(length: int) -> str:
        port = f"FP32 {length},4"
        path = tmp_path / f"{length}.xml"
        layers = [
            layer(number, "ReLU", "opset1", "", (port,), (port,), f"r{number}")
            for number in (1, 2)
        ]
        text = net(
            parameter(0, f"{length},4", "f32", port),
            *layers,
            result(3, port),
            edges="0:0-1:0 1:1-2:0 2:1-3:0",
        )
        path.write_text(text)
        return str(path)

    _, out = output(capfdbinary, model(2), model(3))
    assert (
        '  shape        Parameter (opset1) "parameter" (layer 0): output 0: [2,4] -> [3,4]\n'
        in out
    )
    assert "\n               and 2 layers behind them\n" in out


@pytest.mark.parametrize("names", [(BERT, BERT), (GOOD, BROKEN)])
def test_json_is_as_its_schema_says(names: tuple[str, str], capfdbinary: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    from ovgather import schemas

    code, out = output(capfdbinary, *names, "--format", "json")
    document = json.loads(out)
    jsonschema.validate(document, schemas.load("diff"))
    assert document["verdict"] == ("different" if code else "same")


def test_a_page(tmp_path: Path, capfdbinary: Any) -> None:
    path = tmp_path / "diff.html"
    assert (
        output(capfdbinary, GOOD, BROKEN, "--format", "html", "-o", str(path))[0] == 1
    )
    text = path.read_text()
    assert Page(text).problems == []
    assert "sorted_tokens" in text
    assert "Attributes" in text


def test_without_weights_the_values_are_not_known(
    tmp_path: Path, capfdbinary: Any
) -> None:
    path = tmp_path / "m.xml"
    path.write_text(gather_8())
    code, out = output(capfdbinary, str(path), str(path))
    assert code == 1
    assert "the same as far as is known" in out
    assert "1 constant without values: there is no usable .bin" in out
    path.with_suffix(".bin").write_bytes(i64(0))
    assert output(capfdbinary, str(path), str(path))[0] == 0


def test_files_that_cannot_be_read(tmp_path: Path, capfdbinary: Any) -> None:
    assert output(capfdbinary, BERT, "nowhere.xml")[0] == 4
    assert run(["diff", BERT]) == 2
    assert run(["diff", BERT, BERT, "--tolerance", "1%"]) == 2


def test_names_that_write_over_the_terminal(tmp_path: Path, capfdbinary: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(gather_8().replace("lookup", "look&#27;[2Jup").encode())
    assert "\x1b" not in output(capfdbinary, str(path), BERT)[1]


def test_a_weight_that_is_not_compressed_has_the_same_values(tmp_path: Path) -> None:
    found = diff(BERT, edited("a weight that is not compressed", tmp_path))
    (change,) = [each for each in found.changes if each.kind == "stored"]
    assert (change.before, change.after, str(change.far)) == (
        "f16",
        "f32",
        "the same values",
    )
    assert found.are_same


def test_a_body_with_other_ids_and_another_order(tmp_path: Path) -> None:
    """The Parameters of a body are known by what enters them, not by their order in the file."""
    root = ElementTree.fromstring(LOOP.read_text())
    body = root.find(".//body")
    assert body is not None
    layers = body.find("layers")
    assert layers is not None
    layers[:] = reversed(layers)
    path = tmp_path / "m.xml"
    path.write_bytes(ElementTree.tostring(root))
    found = diff(str(LOOP), str(path))
    assert {change.kind for change in found.changes} == {"reordered"}


def test_exchanged_outputs_are_named(tmp_path: Path) -> None:
    pair = "FP32 2,4"

    def model(name: str, *sources: int) -> str:
        layers = [parameter(0, "2,4", "f32", pair)]
        edges = ["0:0-1:0", "0:0-2:0"]
        for at, type in ((1, "Sin"), (2, "Cos")):
            layers.append(layer(at, type, "opset1", "", (pair,), (pair,), type))
        for at, source in enumerate(sources, 3):
            layers.append(layer(at, "Result", "opset1", "", (pair,), (), f"out{at}"))
            edges.append(f"{source}:1-{at}:0")
        path = tmp_path / name
        path.write_text(net(*layers, edges=" ".join(edges)))
        return str(path)

    found = diff(model("left.xml", 1, 2), model("right.xml", 2, 1))
    (change,) = [each for each in found.changes if each.what == "outputs"]
    assert (change.before, change.after) == ("out3, out4", "out4, out3")


def quantized(folder: Path, name: str, stored: str, values: bytes, *steps: str) -> str:
    """Two MatMuls of one weight, f32 or i8 with a scale."""
    x, w = "FP32 2,4", "FP32 4,4"
    layers, edges, last = [parameter(0, "2,4", "f32", x)], "", 1
    layers.append(
        constant(
            1,
            "4,4",
            stored,
            0,
            16 * (4 if stored == "f32" else 1),
            f"{stored.upper()} 4,4",
            "w",
        )
    )
    if stored == "i8":
        layers += [
            layer(
                2,
                "Convert",
                "opset1",
                'destination_type="f32"',
                ("I8 4,4",),
                (w,),
                "convert",
            ),
            constant(3, "4,1", "f32", 16, 16, "FP32 4,1", "scale"),
            layer(
                4,
                "Multiply",
                "opset1",
                'auto_broadcast="numpy"',
                (w, "FP32 4,1"),
                (w,),
                "w",
            ),
        ]
        edges, last = "1:0-2:0 2:1-4:0 3:0-4:1 ", 4
    port = 2 if last == 4 else 0
    for number, source in ((5, 0), (6, 5)):
        layers.append(
            layer(
                number,
                "MatMul",
                "opset1",
                'transpose_b="true"',
                (x, w),
                (x,),
                f"mm{number}",
            )
        )
        edges += f"{source}:{2 if source else 0}-{number}:0 {last}:{port}-{number}:1 "
    path = folder / f"{name}.xml"
    path.write_text(
        net(*layers, result(7, x), edges=f"{edges}6:2-7:0").replace(
            'precision="F32"', 'precision="FP32"'
        )
    )
    path.with_suffix(".bin").write_bytes(values)
    return str(path)


def test_a_quantized_copy_is_recognised(tmp_path: Path, capfdbinary: Any) -> None:
    import numpy

    weight = numpy.linspace(-1, 1, 16, dtype="f4").reshape(4, 4)
    scale = abs(weight).max(1, keepdims=True) / 127
    narrow = numpy.round(weight / scale).astype("i1")
    left = quantized(tmp_path, "left", "f32", weight.tobytes())
    right = quantized(
        tmp_path, "right", "i8", narrow.tobytes() + scale.astype("f4").tobytes()
    )
    code, out = output(capfdbinary, left, right)
    assert code == 1
    assert "\n  2 of 2 MatMuls now i8 (before f32)\n" in out
    (change,) = [
        each for each in diff(left, right).changes if each.kind == "compression"
    ]
    assert change.after == "i8, scales f32 per channel"
    assert change.far is not None
    assert change.far.most == pytest.approx(
        float(abs(weight - narrow * scale).max()), rel=1e-5
    )


def test_the_shape_of_a_compressed_weight_is_that_of_its_const(tmp_path: Path) -> None:
    """The ports of the layers that decompress it may say anything: OpenVINO reads none of them."""
    values = bytes(range(32))
    path = quantized(tmp_path, "left", "i8", values)
    text = Path(path).read_text()
    other = tmp_path / "right.xml"
    other.write_text(
        text.replace('element_type="i8" shape="4,4"', 'element_type="i8" shape="2,8"')
    )
    other.with_suffix(".bin").write_bytes(values)
    assert other.read_text() != text
    changes = [
        each for each in diff(path, str(other)).changes if each.kind == "constant"
    ]
    assert [(each.before, each.after) for each in changes] == [("i8 [4,4]", "i8 [2,8]")]


def test_a_weight_that_is_reshaped(tmp_path: Path) -> None:
    """Of f32 or of f16: the Reshape is part of the weight."""
    import numpy

    x, flat, w = "FP32 2,4", "FP32 16", "FP32 4,4"
    values = numpy.arange(16, dtype="f2")

    def model(stored: str) -> str:
        path = tmp_path / f"{stored}.xml"
        port = {"f16": "FP16 16", "f32": flat}[stored]
        size = 2 * 16 if stored == "f16" else 4 * 16
        to_f32 = 'destination_type="f32"'
        layers = [
            parameter(0, "2,4", "f32", x),
            constant(1, "16", stored, 16, size, port, "w"),
            constant(2, "2", "i64", 0, 16, "I64 2"),
            layer(4, "Reshape", "opset1", "", (flat, "I64 2"), (w,), "shaped"),
            layer(5, "MatMul", "opset1", "", (x, w), (x,), "mm"),
            result(6, x),
        ]
        edges = "1:0-4:0 "
        if stored == "f16":
            layers.append(layer(3, "Convert", "opset1", to_f32, (port,), (flat,), "c"))
            edges = "1:0-3:0 3:1-4:0 "
        path.write_text(net(*layers, edges=f"{edges}2:0-4:1 0:0-5:0 4:2-5:1 5:2-6:0"))
        shape = numpy.array([4, 4], "i8").tobytes()
        data = values.astype({"f16": "f2", "f32": "f4"}[stored]).tobytes()
        path.with_suffix(".bin").write_bytes(shape + data)
        return str(path)

    found = diff(model("f16"), model("f32"))
    (change,) = [each for each in found.changes if each.kind == "stored"]
    assert (change.before, change.after, found.are_same) == ("f16", "f32", True)


def test_distances() -> None:
    import numpy

    nan = numpy.array([1.0, numpy.nan, 3.0], "f4")
    assert str(distance(nan, nan)) == "the same values"
    far = distance(nan, numpy.array([1.0, 2.0, numpy.inf], "f4"))
    assert far is not None
    assert (far.differing, far.most, far.at) == (2, float("inf"), (1,))
    far = distance(nan, numpy.array([1.5, numpy.nan, 3.0], "f4"))
    assert far is not None
    assert (far.most, far.largest) == (0.5, 3.0)
    assert str(distance(numpy.array(3), numpy.array(5))) == "1 of 1 elements: 3 -> 5"
    assert distance(numpy.zeros(2), numpy.zeros(3)) is None
    text = distance(numpy.array([b"a", b"b"], "O"), numpy.array([b"a", b"c"], "O"))
    assert str(text) == "1 of 2 elements, first [1]: b -> c"


def test_a_loop_with_the_id_of_another_layer(tmp_path: Path) -> None:
    text = (SAMPLES / "demo" / "nested.xml").read_text()
    path = tmp_path / "m.xml"
    path.write_text(
        text.replace('id="4" name="three_times"', 'id="5" name="three_times"')
    )
    assert diff(path, path).layers[0] == diff(path, path).layers[1]


@pytest.mark.parametrize("type", ["Reshape", "Transpose"])
def test_a_layer_of_a_constant_that_lacks_an_input(
    type: str, tmp_path: Path, capfdbinary: Any
) -> None:
    path = tmp_path / "m.xml"
    moved = layer(1, type, "opset1", "", ("FP32 2",), ("FP32 2",))
    layers = [constant(0, "2", "f32", 0, 8, "FP32 2"), moved, result(2, "FP32 2")]
    path.write_text(net(*layers, edges="0:0-1:0 1:1-2:0"))
    path.with_suffix(".bin").write_bytes(bytes(8))
    code, out = output(capfdbinary, str(path), str(path))
    assert (code, "the same" in out) == (0, True)


def test_an_onnx_transpose_of_a_constant(tmp_path: Path, capfdbinary: Any) -> None:
    helper = pytest.importorskip("onnx.helper")
    weights = helper.make_tensor("w", 1, [2, 3], [0.0] * 6)
    node = helper.make_node("Transpose", ["w"], ["y"], perm=[1, 0])
    given = helper.make_tensor_value_info("y", 1, [3, 2])
    graph = helper.make_graph([node], "g", [], [given], [weights])
    path = tmp_path / "m.onnx"
    path.write_bytes(helper.make_model(graph).SerializeToString())
    code, out = output(capfdbinary, str(path), str(path))
    assert (code, "the same" in out) == (0, True)
