"""``ovgather crosscheck``: exit codes, formats, files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crosscheck_models import Files, gather_model, requires_openvino
from forked import starting_anew
from lxml import etree
from paths import DATA, ROOT

from ovgather.cli._shared.progress import Rate
from ovgather.cli.main import run
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.crosscheck.report import FileReport, Record, Report, Stopped
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import Evidence, First, Outcome

BERT_FOLDER = DATA / "bert"
BERT = str(BERT_FOLDER / "bert.xml")
GOOD = gather_model("GatherElements", "opset6", ("f32", [2, 3]), ("i64", [2, 5]), 1)
DYING = gather_model("Gather", "opset8", ("f32", [3]), ("i64", [2, 0]), 0)


def put(folder: Path, name: str, files: Files) -> str:
    path = folder / f"{name}.xml"
    path.write_bytes(files[0])
    path.with_suffix(".bin").write_bytes(files[1])
    return str(path)


def crosscheck(capfdbinary: Any, *arguments: str) -> tuple[int, str, str]:
    code = run(["crosscheck", "--variants", "none", *arguments])
    said = capfdbinary.readouterr()
    return code, said.out.decode(), said.err.decode()


@requires_openvino
def test_given_inputs(capfdbinary: Any) -> None:
    code, out, _ = crosscheck(capfdbinary, BERT, "--inputs", str(BERT_FOLDER / "bert.npz"))
    assert code == 0
    assert out.endswith("1 file, 9 layers: 18 equal\n")
    assert 'equal     Gather-8 "Gather_19338" (layer 15), alone and in-place\n' in out


@requires_openvino
def test_crash_on_one_file_does_not_end_the_run(tmp_path: Path, capfdbinary: Any) -> None:
    bad, good = put(tmp_path, "a", DYING), put(tmp_path, "b", GOOD)
    code, out, _ = crosscheck(capfdbinary, str(tmp_path), "--static", "--format", "json")
    assert code == 1
    found = json.loads(out)
    verdicts = {file["path"]: {layer["verdict"] for layer in file["layers"]} for file in found["files"]}
    assert verdicts == {bad: {"crash"}, good: {"equal"}}
    assert found["summary"]["crash"] == found["summary"]["equal"] == 2


@requires_openvino
def test_json_is_as_its_schema_says(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert (layer["verdict"], layer["mismatches"], layer["elements"]) == ("different", 10, 10)
    assert layer["first"]["index"] == [0, 0]
    code, out, _ = crosscheck(capfdbinary, path, "--color", "always")
    assert "10 of 10 elements differ, first at [0,0]: got" in out
    assert "\x1b[31;1mdifferent" in out


@requires_openvino
def test_output_file(tmp_path: Path, capfdbinary: Any) -> None:
    path = put(tmp_path, "m", GOOD)
    target = tmp_path / "out.json"
    assert crosscheck(capfdbinary, path, "--format", "json", "-o", str(target)) == (0, "", "")
    assert json.loads(target.read_text())["version"] == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.bin", "m.xml", "out.json"]


@requires_openvino
def test_weights_elsewhere_mode_and_layer(tmp_path: Path, capfdbinary: Any) -> None:
    path = put(tmp_path, "m", DYING)
    (tmp_path / "m.bin").rename(tmp_path / "other.bin")
    weights = ("--weights", str(tmp_path / "other.bin"))
    code, out, _ = crosscheck(capfdbinary, path, *weights, "--mode", "alone", "--layer", "g")
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
    ],
)
def test_wrong_usage(arguments: list[str], said: str, tmp_path: Path, capfdbinary: Any) -> None:
    code, out, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), *arguments)
    assert (code, out) == (2, "")
    assert said in err


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


def test_missing_openvino(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD))
    assert code == 5
    assert "pip install ovgather[openvino]" in err


def test_broken_openvino(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "openvino.py").write_text("raise ImportError('libopenvino.so: cannot open')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "openvino", raising=False)
    with starting_anew():
        code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD))
    assert code == 5
    assert "libopenvino.so" in err
    assert "pip install ovgather[openvino]" in err


@requires_openvino
def test_missing_device(tmp_path: Path, capfdbinary: Any) -> None:
    code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), "--device", "XPU")
    assert code == 5
    assert "available: CPU" in err


@requires_openvino
def test_files_of_the_current_folder_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit(7)")
    (tmp_path / "json.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    assert run(["crosscheck", put(tmp_path, "m", GOOD), "-o", str(tmp_path / "o")]) == 0


def test_arrays_are_not_needed_for_help(capfdbinary: Any) -> None:
    assert run(["crosscheck", "--help"]) == 0
    assert b"--static" in capfdbinary.readouterr().out
    assert np.__name__ == "numpy"


# -- variants, runtimes, reports ---------------------------------------------------------------------


def replaced(monkeypatch: pytest.MonkeyPatch, *records: Record) -> list[dict[str, Any]]:
    """Let the verb report ``records`` without running anything; the options it was called with."""
    given: list[dict[str, Any]] = []

    def run(model: Any, options: CrosscheckOptions) -> Report:
        given.append(options._asdict())
        return Report([FileReport(model.path, records)], options.strict)

    monkeypatch.setattr("ovgather.cli._shared.crosscheck_files.crosscheck_ir", run)
    return given


LAYER = LayerReference("2", "g", "GatherElements", "opset6", ())
KNOWN = Record(LAYER, "wide-values", "openvino", "CPU", Outcome("known", "low bits; on x", 1, 2, cause="data-narrowed"))
WRONG = Outcome("different", "an index is clamped", 3, 4, First((0, 1), 5, 6), "clamped")
DIFFERENT = Record(LAYER, "negative", "torch", "CPU", WRONG)
EQUAL = Record(LAYER, "alone", "openvino", "CPU", Outcome("equal", elements=4))
SKIPPED = Record(LAYER, "in-place", "openvino", "CPU", Outcome("skipped", "no weights"))


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--strict"], 1)])
def test_strict(arguments: list[str], code: int, tmp_path: Path, capfdbinary: Any, monkeypatch: Any) -> None:
    replaced(monkeypatch, EQUAL, KNOWN)
    found, out, _ = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), *arguments)
    assert found == code
    assert "known     wide-values: data-narrowed" in out
    assert "data-narrowed: 64-bit integers keep their low 32 bits [the CPU plugin runs" in out


def test_options_reach_the_check(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given = replaced(monkeypatch, EQUAL)
    path = put(tmp_path, "m", GOOD)
    assert crosscheck(capfdbinary, path, "--variants", "size-1,type-*", "--against", "torch,onnxruntime,torch")[0] == 0
    assert given[0]["variants"] == ["size-1", "type-*"]
    assert given[0]["against"] == ["torch", "onnxruntime"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--against", "openvino,numpy"], "'numpy' is none of onnx-reference, onnxruntime, openvino, torch"),
        (["--variants", "sideways"], "variant 'sideways' is none of default, all, none, static"),
    ],
)
def test_unknown_names(arguments: list[str], said: str, tmp_path: Path, capfdbinary: Any) -> None:
    code, out, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_missing_other_runtime(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    code, _, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), "--against", "onnxruntime")
    assert code == 5
    assert "pip install ovgather[onnx]" in err


def test_text_shows_a_table_where_not_all_is_equal(tmp_path: Path, capfdbinary: Any, monkeypatch: Any) -> None:
    replaced(monkeypatch, EQUAL, SKIPPED, KNOWN, DIFFERENT)
    code, out, _ = crosscheck(capfdbinary, put(tmp_path, "m", GOOD))
    assert code == 1
    assert out.splitlines()[1:9] == [
        '  different GatherElements-6 "g" (layer 2)',
        "            equal     alone",
        "            skipped   in-place",
        "                      no weights",
        "            known     wide-values: data-narrowed",
        "            different negative (torch)",
        "                      an index is clamped",
        "                      3 of 4 elements differ, first at [0,1]: got 5, want 6",
    ]
    assert out.endswith("1 file, 1 layer: 1 equal, 1 different, 1 known, 1 skipped\n")


def test_junit(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, EQUAL, SKIPPED, KNOWN, DIFFERENT, DIFFERENT._replace(outcome=Outcome("crash", "died")))
    code, out, _ = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), "--format", "junit")
    assert code == 1
    suite = etree.fromstring(out.encode())[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    assert suite[0].get("name") == 'GatherElements-6 "g" (layer 2), alone, openvino CPU'
    assert suite[2][0].text == "known data-narrowed: low bits; on x"
    message = "3 of 4 elements differ, first at [0,1]: got 5, want 6; an index is clamped"
    assert (suite[3][0].tag, suite[3][0].get("type"), suite[3][0].get("message")) == (
        "failure",
        "different clamped",
        message,
    )
    (tmp_path / "bad.xml").write_text("not xml")
    code, out, _ = crosscheck(capfdbinary, str(tmp_path / "bad.xml"), "--format", "junit")
    assert code == 4
    assert 'errors="1"' in out


def test_concise(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, EQUAL, SKIPPED, DIFFERENT)
    path = put(tmp_path, "m", GOOD)
    _, out, _ = crosscheck(capfdbinary, path, "--format", "concise")
    assert out.splitlines() == [
        f"{path} g in-place openvino:CPU skipped: no weights",
        f"{path} g negative torch:CPU different clamped: an index is clamped",
    ]


def test_json_names_the_cause(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, DIFFERENT)
    _, out, _ = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), "--format", "json")
    (layer,) = json.loads(out)["files"][0]["layers"]
    assert (layer["variant"], layer["against"], layer["cause"]) == ("negative", "torch", "clamped")


def test_interrupt_prints_what_is_known(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(model: Any, options: CrosscheckOptions) -> Report:
        raise Stopped(Report([FileReport(model.path, (EQUAL,))]))

    monkeypatch.setattr("ovgather.cli._shared.crosscheck_files.crosscheck_ir", run)
    code, out, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), put(tmp_path, "n", GOOD))
    assert code == 130
    assert out.endswith("1 file, 1 layer: 1 equal\n")
    assert err == "ovgather: interrupted: this is what was known by then\n"


def test_bar_shows_rate_and_time_left(capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ovgather.cli._shared.progress.on_terminal", lambda: True)
    monkeypatch.setattr("ovgather.cli._shared.progress._PATIENCE", -1)
    monkeypatch.setattr("click._termui_impl.isatty", lambda stream: True)
    with Rate("m.xml") as rate:
        rate.reached(5, 40)
        rate.reached(3, 40)
        rate.reached(20, 40)
    err = capfdbinary.readouterr().err.decode()
    assert "m.xml" in err
    assert "20/40" in err
    assert "/s" in err
    assert err.endswith("\r")  # what wipes the line goes to terminals only
