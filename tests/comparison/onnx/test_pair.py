"""``ovgather crosscheck a.onnx b.xml``: an ONNX file beside the IR that OpenVINO made from it."""

from __future__ import annotations

import re
import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import pytest
from onnx_child import requires_onnx
from onnx_pair import EQUAL, edited, verdicts

import ovgather
from ovgather.cli.main import run
from ovgather.comparison.onnx.nodes import NodeTrial
from ovgather.comparison.options import parsed
from ovgather.comparison.verdict.judge import diverge
from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import read

pytestmark = [
    requires_onnx,
    pytest.mark.skipif(
        find_spec("openvino") is None, reason="openvino is not installed"
    ),
]


def test_what_openvino_made_is_equal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(folder)
    assert run(["crosscheck", "b.xml", "a.onnx"]) == 0
    assert capfd.readouterr().out == (
        "a.onnx: 5 Gather layers\n"
        '  equal     Gather (ai.onnx:17), node "word", in-place\n'
        '  equal     Gather (ai.onnx:17), node "type", in-place\n'
        '  equal     Gather (ai.onnx:17), node "pick", in-place\n'
        '  equal     GatherElements (ai.onnx:17), node "order", in-place\n'
        '  equal     GatherND (ai.onnx:17), node "places", in-place\n'
        "1 file, 5 layers: 5 equal\n"
    )


def test_constants_in_f16_are_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(folder)
    assert run(["crosscheck", "a.onnx", "half.xml"]) == 0
    out = capfd.readouterr().out
    assert (
        '  known     Gather (ai.onnx:17), node "word", in-place: rounded-to-f16\n'
        in out
    )
    assert (
        "  rounded-to-f16: its data are rounded to f16, as an IR with compressed weights has them\n"
        in out
    )
    assert run(["crosscheck", "a.onnx", "half.xml", "--strict", "--layer", "word"]) == 1


def test_an_edited_axis_is_the_first_divergence(folder: Path) -> None:
    text = (folder / "b.xml").read_text(encoding="utf-8")
    (source,) = re.findall(
        r'<edge from-layer="(\d+)" from-port="0" to-layer="{}" to-port="2"',
        pick_edges(text),
    )
    name = re.search(rf'<layer id="{source}" name="([^"]*)"', text)
    assert name is not None
    report = edited(folder, constant=name[1], value=struct.pack("<q", 0))
    assert verdicts(report) == EQUAL | {"pick": "different"}
    (wrong,) = [each for each in report.records if each.verdict == "different"]
    assert wrong.cause == "other-attributes"
    assert wrong.reason.startswith(
        "the first divergence: its axis is 0, that of the node 1: got float32[2,7], want "
    )


def pick_edges(text: str) -> str:
    """The edges, with ``{}`` for the id of the layer ``pick``, which also has the name of its output."""
    (number,) = re.findall(r'<layer id="(\d+)" name="picked" type="Gather"', text)
    return text.replace(f'to-layer="{number}"', 'to-layer="{}"')


def test_an_edited_table_is_the_first_divergence(folder: Path) -> None:
    report = edited(folder, constant="words", value=numpy.full(40, 9, "f4").tobytes())
    assert verdicts(report) == EQUAL | {"word": "different"}
    wrong = report.records[0]
    assert wrong.cause == "other-constant"
    assert (
        wrong.reason
        == "the first divergence: its data, a constant of the IR, differ; on random inputs"
    )
    assert wrong.outcome.first is not None
    assert wrong.outcome.first.got == 9


def test_where_a_divergence_comes_from_is_named(folder: Path) -> None:
    report = edited(folder, lambda text: text.replace('type="Subtract"', 'type="Add"'))
    assert verdicts(report) == EQUAL | {"type": "different"}
    wrong = report.records[1]
    assert wrong.cause == "other-indices"
    assert wrong.reason.startswith(
        "the first divergence: its indices differ; the first value before it that differs is 'none', which the Sub "
        "'zero' makes: "
    )


def test_a_constant_differs_where_no_index_points(folder: Path) -> None:
    [node] = gather_nodes(read(str(folder / "a.onnx")), "word")
    words = node.values(0)
    assert words is not None
    other = words.copy()
    other[9] = 0
    given = {"ids": numpy.array([[0, 8]]), "scores": numpy.zeros((1, 7), "f4")}
    given |= {"order": numpy.zeros((1, 2), "i8"), "places": numpy.zeros((1, 2), "i8")}
    report = edited(folder, constant="words", value=other.tobytes(), inputs=given)
    assert (report.records[0].verdict, report.records[0].cause) == (
        "different",
        "other-constant",
    )
    assert report.records[0].reason == (
        "the first divergence: its data, a constant of the IR, differ where no index points"
    )


def test_one_cause_is_told_once(folder: Path, tmp_path: Path) -> None:
    """Two nodes read the table that differs, and one reads what the first gives."""
    import onnx
    from openvino import Core, save_model

    made = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17]>
        m (int64[3] ids, int64[2] more) => (float[3, 4] a, float[2, 4] b, float[2, 4] c) <float[10, 4] words> {
          [one] a = Gather <axis = 0> (words, ids)
          [two] b = Gather <axis = 0> (words, more)
          [three] c = Gather <axis = 0> (a, more)
        }"""
    )
    made.graph.ClearField("value_info")
    made.graph.initializer.append(
        onnx.numpy_helper.from_array(
            numpy.arange(40, dtype="f4").reshape(10, 4), "words"
        )
    )
    (tmp_path / "a.onnx").write_bytes(made.SerializeToString())
    save_model(
        Core().read_model(tmp_path / "a.onnx"),
        tmp_path / "b.xml",
        compress_to_fp16=False,
    )
    weights = (
        (tmp_path / "b.bin")
        .read_bytes()
        .replace(numpy.arange(40, dtype="f4").tobytes(), numpy.ones(40, "f4").tobytes())
    )
    report = ovgather.crosscheck(
        str(tmp_path / "a.onnx"),
        converted=(tmp_path / "b.xml").read_bytes(),
        weights=weights,
    )
    assert verdicts(report) == {
        "one": "different",
        "two": "skipped",
        "three": "skipped",
    }
    assert report.records[1].reason == "behind the first divergence, node 'one'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--against", "onnxruntime"],
            "--against does not go with an ONNX file beside its IR: both are run",
        ),
        (["--mode", "alone"], "--mode does not go with an ONNX file beside its IR"),
        (["--after", "a.onnx"], "--after does not go with an ONNX file beside its IR"),
        (["--cache", "c"], "--cache does not go with an ONNX file beside its IR"),
        (["--layer", "none"], "no Gather node is called 'none'"),
    ],
)
def test_messages(
    arguments: list[str],
    message: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Any,
) -> None:
    monkeypatch.chdir(folder)
    assert run(["crosscheck", "a.onnx", "b.xml", *arguments]) == 2
    assert message in capfd.readouterr().err


def test_files_that_cannot_be_read(folder: Path, tmp_path: Path, capfd: Any) -> None:
    for name in ("a.onnx", "b.xml"):
        (tmp_path / name).write_bytes(b"no model")
    assert run(["crosscheck", str(tmp_path / "a.onnx"), str(folder / "b.xml")]) == 4
    assert "a.onnx: error: no ONNX model can be read" in capfd.readouterr().out
    assert (
        run(
            [
                "crosscheck",
                str(folder / "a.onnx"),
                str(tmp_path / "b.xml"),
                "--format",
                "json",
            ]
        )
        == 4
    )
    assert "b.xml: " in capfd.readouterr().err


def test_rounding_is_known_and_more_is_not(folder: Path) -> None:
    """What flows in may be off by as much as sums are; beyond that it is a divergence."""
    [node] = gather_nodes(read(str(folder / "a.onnx")), "word")
    data, indices = numpy.float32([[1.1, 2.2], [3.3, 4.4]]), numpy.int64([1, 0])
    ours = NodeTrial(node, data, indices).evidence(data[indices])
    for factor, verdict, cause in (
        (1 + 1e-6, "known", "rounding"),
        (1.1, "different", "other-data"),
    ):
        off = (data * factor).astype("f4")
        outcome = diverge(
            ours, NodeTrial(node, off, indices).evidence(off[indices]), "CPU", ""
        )
        assert (outcome.verdict, outcome.cause) == (verdict, cause)
        outcome = diverge(
            ours,
            NodeTrial(node, off, indices).evidence(off[indices]),
            "CPU",
            "",
            parsed("10.1%"),
        )
        assert (outcome.verdict, outcome.cause) == ("known", "within-tolerance")
        assert (
            outcome.reason
            == "what flows into it is within the tolerance that was given: relative 0.101"
        )
    flat = NodeTrial(node, data, indices.reshape(2, 1)).evidence(
        data[indices].reshape(2, 1, 2)
    )
    assert diverge(ours, flat, "CPU", "").cause == "reshaped"
    # The values are near, but they are not those that flowed in.
    other = NodeTrial(node, (data * (1 + 1e-6)).astype("f4"), indices).evidence(
        data[indices] + numpy.float32(1e-5)
    )
    assert diverge(ours, other, "CPU", "").verdict == "different"
    assert diverge(ours, other, "CPU", "", parsed("0.001")).cause == "within-tolerance"


def test_a_tolerance_holds_for_constants_too(folder: Path) -> None:
    report = edited(
        folder,
        constant="words",
        value=numpy.full(40, 9, "f4").tobytes(),
        tolerance="100",
    )
    assert verdicts(report) == EQUAL | {"word": "known"}
    assert report.records[0].cause == "within-tolerance"
