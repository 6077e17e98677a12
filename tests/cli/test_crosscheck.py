"""``ovgather crosscheck`` on files: exit codes, inputs, runtimes that are missing or broken."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_command import GOOD, crosscheck, put
from crosscheck_models import gather_model, requires_openvino
from forked import starting_anew
from paths import DATA, ROOT

from ovgather.cli.main import run
from ovgather.runtimes.outcome import Evidence

BERT_FOLDER = DATA / "bert"
BERT = str(BERT_FOLDER / "bert.xml")
DYING = gather_model("Gather", "opset8", ("f32", [3]), ("i64", [2, 0]), 0)


@pytest.mark.slow
@requires_openvino
def test_given_inputs(capfdbinary: Any) -> None:
    code, out, _ = crosscheck(
        capfdbinary, BERT, "--inputs", str(BERT_FOLDER / "bert.npz")
    )
    assert code == 0
    assert out.endswith("1 file, 9 layers: 18 equal\n")
    assert 'equal     Gather-8 "Gather_19338" (layer 15), alone and in-place\n' in out


@requires_openvino
def test_crash_on_one_file_does_not_end_the_run(
    tmp_path: Path, capfdbinary: Any
) -> None:
    bad, good = put(tmp_path, "a", DYING), put(tmp_path, "b", GOOD)
    code, out, _ = crosscheck(
        capfdbinary, str(tmp_path), "--static", "--format", "json"
    )
    assert code == 1
    found = json.loads(out)
    verdicts = {
        file["path"]: {layer["verdict"] for layer in file["layers"]}
        for file in found["files"]
    }
    assert verdicts == {bad: {"crash"}, good: {"equal"}}
    assert found["summary"]["crash"] == found["summary"]["equal"] == 2


@pytest.mark.slow
@requires_openvino
def test_json_is_as_its_schema_says(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "schemas" / "crosscheck.schema.json").read_text())
    right = Evidence.expected
    monkeypatch.setattr(Evidence, "expected", lambda evidence: -right(evidence))
    path = put(tmp_path, "m", GOOD)
    code, out, _ = crosscheck(capfdbinary, path, "--format", "json", "--seed", "3")
    assert code == 1
    found = json.loads(out)
    jsonschema.validate(found, schema)
    layer = found["files"][0]["layers"][0]
    assert (layer["verdict"], layer["mismatches"], layer["elements"]) == (
        "different",
        10,
        10,
    )
    assert layer["first"]["index"] == [0, 0]
    code, out, _ = crosscheck(capfdbinary, path, "--color", "always")
    assert "10 of 10 elements differ, first at [0,0]: got" in out
    assert "\x1b[31;1mdifferent" in out


@requires_openvino
def test_output_file(tmp_path: Path, capfdbinary: Any) -> None:
    path = put(tmp_path, "m", GOOD)
    target = tmp_path / "out.json"
    assert crosscheck(capfdbinary, path, "--format", "json", "-o", str(target)) == (
        0,
        "",
        "",
    )
    assert json.loads(target.read_text())["version"] == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "m.bin",
        "m.xml",
        "out.json",
    ]


@requires_openvino
def test_weights_elsewhere_mode_and_layer(tmp_path: Path, capfdbinary: Any) -> None:
    path = put(tmp_path, "m", DYING)
    (tmp_path / "m.bin").rename(tmp_path / "other.bin")
    weights = ("--weights", str(tmp_path / "other.bin"))
    code, out, _ = crosscheck(
        capfdbinary, path, *weights, "--mode", "alone", "--layer", "g"
    )
    assert code == 0
    assert out.endswith("1 equal\n")


@requires_openvino
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--layer", "nobody"], "no layer with the name or id 'nobody'"),
        (["--layer", "data"], "is a Parameter, not a Gather"),
        (["--inputs", str(BERT_FOLDER / "bert.npz")], "the model takes"),
        (["--mode", "upright"], "upright"),
        (["--timeout", "0"], "0"),
        (["--timeout", "nan"], "nan is no length of time"),
        (["--minutes", "inf"], "inf is no length of time"),
    ],
)
def test_wrong_usage(
    arguments: list[str], said: str, tmp_path: Path, capfdbinary: Any
) -> None:
    code, out, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_no_gather_layer_is_no_success(tmp_path: Path, capfdbinary: Any) -> None:
    (tmp_path / "m.xml").write_text(
        '<net version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">'
        '<data shape="2" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>'
        '<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim></port>'
        '</input></layer></layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>'
    )
    for form, words in (
        (
            "text",
            "no Gather layer: nothing to compare\n1 file, 0 layers: nothing was compared\n",
        ),
        ("concise", "m.xml skipped: no Gather layer: nothing to compare\n"),
        ("json", '"nothing_compared": true'),
        (
            "junit",
            '<skipped type="empty" message="no Gather layer: nothing to compare"/>',
        ),
        ("html", "Nothing was compared"),
    ):
        code, out, _ = crosscheck(capfdbinary, str(tmp_path), "--format", form)
        assert code == 1
        assert words in out


def test_no_file_is_left_after_the_last(tmp_path: Path, capfdbinary: Any) -> None:
    path = put(tmp_path, "m", GOOD)
    code, out, _ = crosscheck(capfdbinary, str(tmp_path), "--after", path)
    assert (code, out) == (0, "0 files, 0 layers: no file is left to compare\n")


def test_no_file_and_unreadable_file(tmp_path: Path, capfdbinary: Any) -> None:
    assert crosscheck(capfdbinary, str(tmp_path))[0] == 3
    (tmp_path / "m.xml").write_text("not xml")
    code, out, _ = crosscheck(capfdbinary, str(tmp_path))
    assert code == 4
    assert "error" in out
    code, out, err = crosscheck(capfdbinary, str(tmp_path), "--format", "json")
    assert code == 4
    assert "m.xml" in err
    assert json.loads(out)["files"][0]["layers"] == []


def test_missing_openvino(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD))
    assert code == 5
    assert 'pip install ".[openvino]" in the checkout of ovgather' in err


def test_broken_openvino(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openvino.py").write_text(
        "raise ImportError('libopenvino.so: cannot open')"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "openvino", raising=False)
    with starting_anew():
        code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD))
    assert code == 5
    assert "libopenvino.so" in err
    assert 'pip install ".[openvino]" in the checkout of ovgather' in err


def test_a_runtime_that_is_not_there(tmp_path: Path, capfdbinary: Any) -> None:
    code, _, err = crosscheck(
        capfdbinary, put(tmp_path, "m", GOOD), "--against", "nomodule:Mine"
    )
    assert code == 5
    assert (
        err
        == "ovgather: nomodule:Mine cannot be imported (No module named 'nomodule')\n"
    )


@requires_openvino
def test_missing_device(tmp_path: Path, capfdbinary: Any) -> None:
    code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), "--device", "XPU")
    assert code == 5
    assert "available: CPU" in err


@requires_openvino
def test_files_of_the_current_folder_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit(7)")
    (tmp_path / "json.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    assert run(["crosscheck", put(tmp_path, "m", GOOD), "-o", str(tmp_path / "o")]) == 0


def test_arrays_are_not_needed_for_help(capfdbinary: Any) -> None:
    assert run(["crosscheck", "--help"]) == 0
    assert b"--static" in capfdbinary.readouterr().out
    assert np.__name__ == "numpy"
