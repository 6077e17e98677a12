"""Which layer of an IR is which node of the ONNX file beside it, also without names and where models do not run."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy
import pytest
from onnx_child import requires_onnx
from onnx_pair import EQUAL, edited, verdicts

import ovgather

pytestmark = [
    requires_onnx,
    pytest.mark.skipif(
        find_spec("openvino") is None, reason="openvino is not installed"
    ),
]


def test_layers_of_one_side_only_are_skipped(folder: Path) -> None:
    report = edited(
        folder,
        lambda text: text.replace(' names="picked"', "").replace(
            ' name="picked"', ' name="x"'
        ),
    )
    assert verdicts(report) == EQUAL
    report = edited(
        folder,
        lambda text: text.replace('type="GatherElements"', 'type="GatherElementz"'),
    )
    assert report.records[3].verdict == "skipped"
    assert (
        report.records[3].reason
        == "in the IR 'u0' is made by a GatherElementz, not by a Gather: it was folded or replaced"
    )


def test_layers_in_bodies_are_said_to_be_in_bodies(tmp_path: Path) -> None:
    from onnx import parser

    text = """<ir_version: 8, opset_import: ["" : 13]> both (float[6,6] x, int64[6] i, bool c) => (float[6,6] y) {
        y = If(c) <then_branch = a () => (float[6,6] t) { t = Gather(x, i) }, else_branch = b () => (float[6,6] e)
        { e = Gather<axis = 1>(x, i) }> }"""
    (tmp_path / "a.onnx").write_bytes(parser.parse_model(text).SerializeToString())
    convert = "import openvino; openvino.save_model(openvino.convert_model('a.onnx'), 'b.xml')"
    subprocess.run(
        [sys.executable, "-c", convert], cwd=tmp_path, check=True, capture_output=True
    )
    report = ovgather.crosscheck(tmp_path / "a.onnx", converted=tmp_path / "b.xml")
    assert [record.reason.startswith("inside ") for record in report.records] == [
        True
    ] * 4


def nameless(text: str) -> str:
    """The IR without the names of tensors, and with other names of layers; inputs keep theirs."""
    kept = ("ids", "scores", "order", "places")

    def renamed(match: re.Match[str]) -> str:
        return (
            match[0]
            if match[2] in kept
            else f'{match[1]}="{"" if match[1] == "names" else "n" + str(match.start())}"'
        )

    return re.sub(r'\b(names?)="([^"]*)"', renamed, text)


def test_layers_without_names_are_matched(folder: Path) -> None:
    assert verdicts(edited(folder, nameless)) == EQUAL
    report = edited(
        folder, lambda text: nameless(text.replace('type="Subtract"', 'type="Add"'))
    )
    assert verdicts(report) == EQUAL | {"type": "different"}
    assert "matched by constants, since no name is the same" in report.records[1].reason


def test_inputs_in_order_and_inputs_that_do_not_match(folder: Path) -> None:
    def renamed(text: str, names: tuple[str, ...]) -> str:
        for name in names:
            text = text.replace(f'name="{name}"', f'name="new_{name}"').replace(
                f'names="{name}"', ""
            )
        return text

    report = edited(
        folder, lambda text: renamed(text, ("ids", "scores", "order", "places"))
    )
    assert set(verdicts(report).values()) <= {"equal", "skipped"}
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"takes the input 'new_ids', which .* has not: it has 'ids'",
    ):
        edited(folder, lambda text: renamed(text, ("ids",)))
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"'scores' is float \[b,7\] in .*, f32 \[\?,8\] in ",
    ):
        edited(folder, lambda text: text.replace('shape="?,7"', 'shape="?,8"'))


def test_nodes_are_compared_one_by_one_when_the_model_does_not_run(
    folder: Path, tmp_path: Path
) -> None:
    import onnx

    made = onnx.load(folder / "a.onnx")
    relu = made.graph.node[[node.name for node in made.graph.node].index("relu")]
    relu.op_type, relu.domain, relu.name = "Unknown", "my", "own"
    made.graph.node.append(
        onnx.helper.make_node(
            "Gather", ["u", "back"], ["behind"], name="behind", axis=1
        )
    )
    made.opset_import.append(onnx.helper.make_opsetid("my", 1))
    (tmp_path / "a.onnx").write_bytes(made.SerializeToString())
    report = ovgather.crosscheck(
        str(tmp_path / "a.onnx"), converted=str(folder / "b.xml")
    )
    assert verdicts(report) == EQUAL | {"behind": "skipped"}


def test_a_model_that_does_not_run_on_random_inputs_is_skipped(
    folder: Path, tmp_path: Path
) -> None:
    """That is no fault of the IR; on inputs that are given it is an error."""
    import onnx

    made = onnx.load(folder / "a.onnx")
    shape = onnx.helper.make_node("Constant", [], ["shape"], value_ints=[7, 11, 13])
    reshape = onnx.helper.make_node("Reshape", ["ids", "shape"], ["wrong"])
    made.graph.node[0].input[1] = "wrong"
    made.graph.node.insert(0, reshape)
    made.graph.node.insert(0, shape)
    (tmp_path / "a.onnx").write_bytes(made.SerializeToString())
    files = {
        "source": str(tmp_path / "a.onnx"),
        "converted": str(folder / "b.xml"),
        "layer": "word",
    }
    (record,) = ovgather.crosscheck(**files).records
    assert record.verdict == "skipped"
    assert record.reason.startswith(
        "the model does not run on random inputs: ONNX Runtime in run: "
    )
    given = {
        "in0": numpy.zeros((1, 2), "i8"),
        "in1": numpy.zeros((1, 7), "f4"),
        "in2": numpy.zeros((1, 2), "i8"),
    }
    (record,) = ovgather.crosscheck(
        **files, inputs=given | {"in3": numpy.zeros((1, 2), "i8")}
    ).records
    assert record.verdict == "error"
