"""The rules on what OpenVINO's frontend makes of an ONNX file: in which words, and beside what OpenVINO does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx_models as models
import pytest
from onnx_child import requires_onnx
from openvino_verdicts import requires_openvino, verdicts

from ovgather import schemas
from ovgather.cli.main import run
from ovgather.targets.purpose import parse_purpose
from ovgather.validation.check import check_file

pytestmark = requires_onnx
HEAD = '<ir_version: 8, opset_import: ["" : 17, "local" : 1]>\nm '
FUNCTION = '\n<domain: "local", opset_import: ["" : 17]>\nPick (d, i) => (o) { o = Gather (d, i) }'

CASES: list[tuple[str, str, str, str]] = [
    ("(float[3,4] x) => (float[3,4] y) { y = Relu (x) }", "", "", "accepts"),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = local.Pick (x, i) }"
        + FUNCTION,
        "OVG815",
        "local.Pick is a function of the model, which no release of OpenVINO converts",
        "rejects",
    ),
    (
        "(float[3,3] x) => (float y) { y = Det (x) }",
        "OVG815",
        "OpenVINO has no conversion for Det",
        "rejects",
    ),
    (
        "(float[3,3] x) => (float[3,3] y) { y = Bernoulli (x) }",
        "OVG815",
        "OpenVINO converts Bernoulli up to 2025.4 only (measured: docs/releases.md)",
        "rejects",
    ),
    (
        "(float[3,4] x) => (float[3,4] y) { y = Relu (x)\n z = Det (x) }",  # it leads to no output
        "",
        "",
        "accepts",
    ),
    (
        "(float[2,3] a, float[2,3] b) => (float[2,6] y) { y = Concat <axis = 8> (a, b) }",
        "OVG816",
        "axis 8 is out of range [-2, 1]: data0 [2,3], data1 [2,3], axis 8",
        "rejects",
    ),
    (
        "(float[3,4] x, int64[2,2] i) => (float[2,2] y) { y = GatherElements <axis = 1> (x, i) }",
        "OVG816",
        "dim 0 is 3 in data but 2 in indices, and only dim 1, the axis, may differ: data [3,4], indices [2,2], axis 1",
        "rejects",
    ),
    (
        "(float[3,4] x) => (float[1,3,4] y) { y = Unsqueeze <axes = [0]> (x) }",
        "OVG816",
        "Unsqueeze needs axes, as an input from opset 13 on; this is opset 17",
        "rejects",
    ),
    (
        "(complex64[3] x) => (complex64[3] y) { y = Identity (x) }",
        "OVG817",
        "input 'x' is tensor(complex64)",
        "rejects",
    ),
    (
        "(float[3] x) => (float[3] y) { y = Relu (xx) }",
        "OVG818",
        "it reads 'xx', which nothing gives; did you mean `x`?",
        "rejects",
    ),
    (
        "(string[3] x, string[3] z) => (bool[3] y) { y = Equal (x, z) }",
        "OVG816",
        "the CPU plugin runs no Equal of text",
        "rejects_on_compile",
    ),
]


def made(text: str) -> bytes:
    model = models.parsed(HEAD + text).SerializeToString()
    assert isinstance(model, bytes)
    return model


@pytest.mark.parametrize(("text", "code", "message", "verdict"), CASES)
def test_messages(text: str, code: str, message: str, verdict: str) -> None:
    checked = check_file(made(text))
    found = [each for each in checked.diagnostics if each.code == code]
    assert checked.verdict.openvino == verdict
    assert [each.message for each in found][:1] == [message] * bool(code)
    assert all(each.runtimes for each in found)


@requires_openvino
@pytest.mark.runtime
def test_openvino_does_so(tmp_path: Path) -> None:
    paths = {}
    for number, (text, *_, verdict) in enumerate(CASES):
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(made(text))
        paths[str(path)] = verdict
    stages = {
        "": "accepts",
        "infer": "accepts",
        "read": "rejects",
        "compile": "rejects_on_compile",
    }
    assert {
        path: stages[found.stage]
        for path, found in verdicts(list(paths), last="compile").items()
    } == paths


def test_one_view(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.onnx"
    nodes = "(float[3,4] x) => (float[2,4] y) { i = Constant <value_ints = [0, 3]> ()\n y = Gather (x, i) }"
    path.write_bytes(made(nodes))
    assert run(["validate", str(path)]) == 1
    out = capfd.readouterr().out
    assert "= OpenVINO: becomes Gather-8, which gives zeros without a word" in out
    assert (
        "= ONNX Runtime: loads the model, and raises an exception when it runs" in out
    )
    assert (
        f"{path}: it is valid ONNX; ONNX Runtime fails when it runs it: 1 of 2 constant indices outside [-3, 2]: 3 at "
        "position [1]; OpenVINO and ONNX Runtime differ in 1 finding\n"
    ) in out
    assert "OpenVINO reads and compiles it." in out
    assert run(["validate", str(path), "--format", "json"]) == 1
    document = json.loads(capfd.readouterr().out)
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(schemas.load("validate")).validate(document)
    [file] = document["files"]
    assert (
        file["openvino"],
        file["onnx"]["is_valid"],
        file["onnx"]["differences"],
    ) == (
        "accepts",
        True,
        1,
    )
    assert file["diagnostics"][0]["runtimes"][0]["verdict"] == "rejects_on_run"


def test_a_target_that_came_before_the_conversion() -> None:
    text = models.parsed(
        '<ir_version: 8, opset_import: ["" : 18]>\nm (float[3,4] x) => (float[3,4] y) { y = Mish (x) }'
    )
    assert not check_file(text).diagnostics
    [found] = check_file(text, purpose=parse_purpose("2024.0", None)).diagnostics
    expected = "OpenVINO converts Mish from 2024.1 on, not in 2024.0 (measured: docs/releases.md)"
    assert (found.code, found.message) == ("OVG815", expected)
