"""What ``ovgather crosscheck`` tells of verdicts, in each format, and the options that it passes on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from crosscheck_command import GOOD, crosscheck, put
from lxml import etree

from ovgather.cli._shared.progress import Rate
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import FileReport, Record, Report, Stopped
from ovgather.layers.reference import LayerReference
from ovgather.runtimes.outcome import First, Outcome


def replaced(monkeypatch: pytest.MonkeyPatch, *records: Record) -> list[dict[str, Any]]:
    """Let the verb report ``records`` without running anything; the options it was called with."""
    given: list[dict[str, Any]] = []

    def run(model: Any, options: CrosscheckOptions) -> Report:
        given.append(options._asdict())
        return Report([FileReport(model.path, records)], options.strict)

    monkeypatch.setattr("ovgather.cli._shared.crosscheck_files.crosscheck_model", run)
    return given


LAYER = LayerReference("2", "g", "GatherElements", "opset6", ())
KNOWN = Record(
    LAYER,
    "wide-values",
    "openvino",
    "CPU",
    Outcome("known", "low bits; on x", 1, 2, cause="data-narrowed"),
)
WRONG = Outcome(
    "different", "an index is clamped", 3, 4, First((0, 1), 5, 6), "clamped"
)
DIFFERENT = Record(LAYER, "negative", "torch", "CPU", WRONG)
EQUAL = Record(LAYER, "alone", "openvino", "CPU", Outcome("equal", elements=4))
SKIPPED = Record(LAYER, "in-place", "openvino", "CPU", Outcome("skipped", "no weights"))


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--strict"], 1)])
def test_strict(
    arguments: list[str], code: int, tmp_path: Path, capfdbinary: Any, monkeypatch: Any
) -> None:
    replaced(monkeypatch, EQUAL, KNOWN)
    found, out, _ = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), *arguments)
    assert found == code
    assert "known     wide-values: data-narrowed" in out
    assert (
        "data-narrowed: 64-bit integers keep their low 32 bits [the CPU plugin runs"
        in out
    )


def test_options_reach_the_check(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = replaced(monkeypatch, EQUAL)
    path = put(tmp_path, "m", GOOD)
    assert (
        crosscheck(
            capfdbinary,
            path,
            "--variants",
            "size-1,type-*",
            "--against",
            "torch,onnxruntime,torch",
        )[0]
        == 0
    )
    assert given[0]["variants"] == ["size-1", "type-*"]
    assert given[0]["against"] == ["torch", "onnxruntime"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--against", "openvino,numpy"],
            "'numpy' is none of onnx-reference, onnxruntime, openvino, torch",
        ),
        (
            ["--variants", "sideways"],
            "variant 'sideways' is none of default, all, none, static",
        ),
    ],
)
def test_unknown_names(
    arguments: list[str], said: str, tmp_path: Path, capfdbinary: Any
) -> None:
    code, out, err = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_missing_other_runtime(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    code, _, err = crosscheck(
        capfdbinary, put(tmp_path, "m", GOOD), "--against", "onnxruntime"
    )
    assert code == 5
    assert 'pip install ".[onnx]" in the checkout of ovgather' in err


def test_text_shows_a_table_where_not_all_is_equal(
    tmp_path: Path, capfdbinary: Any, monkeypatch: Any
) -> None:
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


def test_junit(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(
        monkeypatch,
        EQUAL,
        SKIPPED,
        KNOWN,
        DIFFERENT,
        DIFFERENT._replace(outcome=Outcome("crash", "died")),
    )
    code, out, _ = crosscheck(
        capfdbinary, put(tmp_path, "m", GOOD), "--format", "junit"
    )
    assert code == 1
    suite = etree.fromstring(out.encode())[0]
    assert {
        name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")
    } == {
        "tests": "5",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    assert suite[0].get("name") == 'GatherElements-6 "g" (layer 2), alone, openvino CPU'
    assert suite[2][0].text == "known data-narrowed: low bits; on x"
    message = (
        "3 of 4 elements differ, first at [0,1]: got 5, want 6; an index is clamped"
    )
    assert (suite[3][0].tag, suite[3][0].get("type"), suite[3][0].get("message")) == (
        "failure",
        "different clamped",
        message,
    )
    (tmp_path / "bad.xml").write_text("not xml")
    code, out, _ = crosscheck(
        capfdbinary, str(tmp_path / "bad.xml"), "--format", "junit"
    )
    assert code == 4
    assert 'errors="1"' in out


def test_concise(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, EQUAL, SKIPPED, DIFFERENT)
    path = put(tmp_path, "m", GOOD)
    _, out, _ = crosscheck(capfdbinary, path, "--format", "concise")
    assert out.splitlines() == [
        f"{path} g in-place openvino:CPU skipped: no weights",
        f"{path} g negative torch:CPU different clamped: an index is clamped",
    ]


def test_json_names_the_cause(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, DIFFERENT)
    _, out, _ = crosscheck(capfdbinary, put(tmp_path, "m", GOOD), "--format", "json")
    (layer,) = json.loads(out)["files"][0]["layers"]
    assert (layer["variant"], layer["against"], layer["cause"]) == (
        "negative",
        "torch",
        "clamped",
    )


def test_interrupt_prints_what_is_known(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(model: Any, options: CrosscheckOptions) -> Report:
        raise Stopped(Report([FileReport(model.path, (EQUAL,))]))

    monkeypatch.setattr("ovgather.cli._shared.crosscheck_files.crosscheck_model", run)
    code, out, err = crosscheck(
        capfdbinary, put(tmp_path, "m", GOOD), put(tmp_path, "n", GOOD)
    )
    assert code == 130
    assert out.endswith("1 file, 1 layer: 1 equal\n")
    done = "0 of 2 files are done and in the report, with a part of the next one"
    assert err == f"ovgather: interrupted: {done}; run it again\n"


def test_bar_shows_rate_and_time_left(
    capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
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
