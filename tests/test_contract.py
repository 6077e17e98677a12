"""One contract of all calls: what is read comes first, then the layer; the rest has names; wrong weights are errors."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ovgather

GOOD, BROKEN = "samples_xml/demo/good.xml", "samples_xml/demo/broken.xml"
OF_LAYERS = ("infer", "gather_layers", "show", "extract", "convert", "reduce")
OF_FILES = (
    "read",
    "validate",
    "infer",
    "shapes",
    "gather_layers",
    "show",
    "extract",
    "convert",
    "lower",
)
OF_FILES += ("crosscheck", "inspect", "reduce", "fix")
TAKE_WEIGHTS = (
    "infer",
    "shapes",
    "gather_layers",
    "show",
    "extract",
    "convert",
    "crosscheck",
    "reduce",
)


@pytest.mark.parametrize("name", OF_FILES)
def test_arguments_have_one_order(name: str) -> None:
    parameters = inspect.signature(getattr(ovgather, name)).parameters
    first, *others = parameters
    assert first == "source"
    in_order = [
        each
        for each in others
        if parameters[each].kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    if name in OF_LAYERS:
        assert in_order[0] == "layer"
    if "weights" in others:
        assert "weights" not in in_order or name in ("read", "validate")
        assert {"follow_links"} <= {*others}


@pytest.mark.parametrize("name", TAKE_WEIGHTS)
def test_weights_that_are_not_there(name: str) -> None:
    for package in {
        "convert": ["onnx"],
        "crosscheck": ["openvino"],
        "reduce": ["openvino"],
    }.get(name, []):
        pytest.importorskip(package)
    call: Any = getattr(ovgather, name)
    with pytest.raises(
        ovgather.UnreadableError,
        match=r"cannot read the weights /nope\.bin: no such file",
    ):
        call(GOOD, weights="/nope.bin")


def test_validate_reports_weights_that_are_not_there() -> None:
    assert (
        "cannot read the weights /nope.bin"
        in ovgather.validate(GOOD, weights="/nope.bin")[0].message
    )


def test_a_layer_is_no_weights() -> None:
    [layer] = ovgather.infer(GOOD, "word_embedding")
    assert layer.layer.name == "word_embedding"
    assert layer.axis_source == "const"


def test_what_goes_is_warned_of() -> None:
    with pytest.warns(
        DeprecationWarning,
        match="infer: give weights by name; the second argument is the layer",
    ):
        file = ovgather.infer(GOOD, Path(GOOD).with_suffix(".bin"))  # type: ignore[arg-type]
    assert file == ovgather.infer(GOOD)


def test_selection_and_configuration(tmp_path: Path) -> None:
    codes = {finding.code for finding in ovgather.validate(BROKEN)}
    assert codes > {"OVG203", "OVG206"}
    assert {
        finding.code for finding in ovgather.validate(BROKEN, select="OVG203,OVG206")
    } == {
        "OVG203",
        "OVG206",
    }
    assert {
        finding.code for finding in ovgather.validate(BROKEN, ignore=["OVG203"])
    } == codes - {"OVG203"}
    (tmp_path / "ovgather.toml").write_text(
        'ignore = ["OVG203"]\n[severity]\nOVG206 = "warning"\n'
    )
    for config in (
        tmp_path / "ovgather.toml",
        {"ignore": ["OVG203"], "severity": {"OVG206": "warning"}},
    ):
        findings = ovgather.validate(BROKEN, config=config)
        assert {finding.code for finding in findings} == codes - {"OVG203"}
        assert {
            finding.severity for finding in findings if finding.code == "OVG206"
        } == {"warning"}
    with pytest.raises(
        ovgather.ConfigurationError, match="no rule has the code `OVG9999`"
    ):
        ovgather.validate(BROKEN, select="OVG9999")
    with pytest.raises(
        ovgather.ConfigurationError,
        match="config: unknown key `ignor`; did you mean `ignore`",
    ):
        ovgather.validate(BROKEN, config={"ignor": []})
    with pytest.raises(
        ovgather.ArgumentError,
        match="select must be codes of rules, such as 'OVG2', not 7",
    ):
        ovgather.validate(BROKEN, select=7)  # type: ignore[arg-type]


@pytest.mark.runtime
def test_validate_asks_openvino() -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    assert ovgather.validate(GOOD, with_openvino=True).verdict.measured is False
    assert ovgather.validate(GOOD, with_openvino="compile").verdict.measured is True
    assert ovgather.validate(BROKEN, with_openvino=True).verdict.openvino == "rejects"
    with pytest.raises(
        ovgather.ArgumentError, match="with_openvino goes with files, by their paths"
    ):
        ovgather.validate(Path(GOOD).read_bytes(), with_openvino=True)


@pytest.mark.parametrize(
    "code",
    [
        "import ovgather.comparison.report as r; r.Report; import ovgather; ovgather.crosscheck(b'<net/>')",
        "import ovgather, ovgather.comparison.report; ovgather.comparison.report.Report",
        "import ovgather; ovgather.crosscheck; import ovgather.comparison.options as o; o.CrosscheckOptions",
        "from ovgather.comparison import report; report.Report",
    ],
)
def test_the_room_of_a_function_can_be_imported(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 or "UnreadableError" in done.stderr, done.stderr


def test_the_module_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ovgather", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"ovgather, version {ovgather.__version__}")
