"""The page on exporters: every row and every risk, on the node patterns that exporters wrote."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ovgather.validation.check import check_file

if find_spec("onnx") is None:
    pytest.skip("onnx is not installed", allow_module_level=True)

import numpy
import onnx_models as models
from onnx.reference import ReferenceEvaluator
from openvino_verdicts import requires_openvino, verdicts
from paths import ROOT

PATTERNS = ROOT / "tests" / "data" / "exporters"
PAGE = (ROOT / "docs" / "onnx-exporters.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|") and "`" in line
]
SMALLER = """
import sys, numpy, openvino
model = openvino.Core().compile_model(sys.argv[1], "CPU")
model([numpy.zeros((2, 3, 4), "f4"), numpy.zeros((1, 1, 2), "int64")])
"""
DATA = numpy.arange(24, dtype="f4").reshape(2, 3, 4)


def pattern(name: str) -> Any:
    return models.parsed((PATTERNS / f"{name}.onnxtxt").read_text(encoding="utf-8"))


def written(name: str, folder: Path) -> str:
    path = folder / f"{name}.onnx"
    path.write_bytes(pattern(name).SerializeToString())
    return str(path)


def run(name: str, *inputs: Any) -> Any:
    evaluator = ReferenceEvaluator(pattern(name))
    [output] = evaluator.run(
        None, dict(zip(evaluator.input_names, inputs, strict=True))
    )
    return output


@pytest.mark.parametrize("row", ROWS, ids=[row[2] for row in ROWS])
def test_a_row_says_what_the_file_holds(row: list[str], tmp_path: Path) -> None:
    _, exporter, file, nodes, verdict, findings = row
    name = file.strip("`")
    model = pattern(name)
    types = [node.op_type for node in model.graph.node if node.op_type != "Constant"]
    assert nodes.split() == types
    assert (model.producer_name == "tf2onnx") == (exporter == "tf2onnx")
    checked = check_file(written(name, tmp_path))
    assert checked.verdict is not None
    assert checked.verdict.openvino == verdict
    assert sorted({finding.code for finding in checked.diagnostics}) == findings.split()


def test_every_file_has_a_row() -> None:
    assert {row[2].strip("`") for row in ROWS} == {
        path.stem for path in PATTERNS.iterdir()
    }


@pytest.mark.slow
@requires_openvino
def test_openvino_does_what_the_rows_say(tmp_path: Path) -> None:
    paths = {row[2]: written(row[2].strip("`"), tmp_path) for row in ROWS}
    found = verdicts(list(paths.values()), last="compile")
    for row in ROWS:
        if row[4] != "unknown":
            assert (not found[paths[row[2]]].stage) == (row[4] == "accepts"), row


def test_torchscript_takes_a_negative_index_for_the_row_before() -> None:
    rows, places = numpy.array([1]), numpy.array([-1])
    assert (
        run("index_two-script-dynamic", DATA, rows, places).tolist()
        == DATA[[0], [2]].tolist()
    )


def test_dynamo_counts_a_negative_index_from_the_end() -> None:
    rows, places = numpy.array([1, 0]), numpy.array([-1, 0])
    assert (
        run("index_two-dynamo", DATA, rows, places).tolist()
        == DATA[[1, 0], [-1, 0]].tolist()
    )


def test_a_negative_constant_is_a_finding_for_an_older_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ovgather.cli.main import run as command

    command(
        [
            "validate",
            written("index_constant_list-dynamo", tmp_path),
            "--target",
            "2024.0",
        ]
    )
    assert "warning[OVG852]: constant indices are negative" in capsys.readouterr().out


def test_torchscript_loses_what_is_added_twice() -> None:
    ones = numpy.ones((2, 3, 4), "f4")
    twice = numpy.array([0, 0])
    assert run("index_put_accumulate-script", DATA, twice, ones)[0, 0, 0] == 1
    [scatter] = pattern("index_put_accumulate-dynamo").graph.node[-1:]
    assert [(each.name, each.s) for each in scatter.attribute] == [
        ("reduction", b"add")
    ]


def test_take_along_dim_wraps_an_index_that_is_too_large() -> None:
    indices = numpy.full((2, 1, 4), 3)
    assert run("take_along_dim-dynamo", DATA, indices).tolist() == DATA[:, :1].tolist()


@requires_openvino
def test_smaller_indices_fail_in_openvino_when_the_model_runs(tmp_path: Path) -> None:
    path = written("gather_smaller-dynamo-dynamic", tmp_path)
    child = subprocess.run(
        [sys.executable, "-c", SMALLER, path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 1
    assert "are not consistent" in child.stderr
