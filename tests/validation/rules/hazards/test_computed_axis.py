"""OVG703: an axis that is computed when the model runs, beside OpenVINO."""

from __future__ import annotations

from pathlib import Path

import pytest
from nets import Net

from ovgather.validation.api import validate


def gather(
    axis: str, data: str = "2,3,4", indices: str = "2", is_exchanged: bool = False
) -> Net:
    """A Gather of inputs of the model; ``axis`` says where the axis comes from."""
    net = Net()
    inputs = [net.parameter("f32", data), net.parameter("i64", indices)]
    if axis == "constant":
        inputs.append(net.const("i64", [], [0]))
    elif axis == "input":
        inputs.append(net.parameter("i64", ""))
    elif axis == "converted input":
        converted = net.parameter("i32", "")
        inputs.append(net.add("Convert", 'destination_type="i64"', converted))
    else:
        shaped = net.parameter("f32", "1" if axis == "known length" else "?")
        measured = 'output_type="i64"'
        inputs.append(net.add("ShapeOf", measured, shaped, version="opset3"))
    if is_exchanged:
        inputs[1:] = inputs[:0:-1]
    net.add(
        "Result", "", net.add("Gather", 'batch_dims="0"', *inputs, version="opset8")
    )
    return net


MODELS = {
    "constant": (gather("constant"), "accepts"),
    "input": (gather("input"), "rejects_on_compile"),
    "converted input": (gather("converted input"), "rejects_on_compile"),
    "known length": (gather("known length"), "accepts"),
    "open length": (gather("open length"), "rejects_on_compile"),
    "open length, open data": (gather("open length", "?,3,4"), "accepts"),
    "open length, open indices": (gather("open length", indices="?"), "accepts"),
    "exchanged with the indices": (
        gather("constant", indices="1", is_exchanged=True),
        "rejects_on_compile",
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_verdict(name: str) -> None:
    net, expected = MODELS[name]
    findings = validate(net.text, net.weights)
    assert findings.verdict.openvino == expected
    codes = {finding.code for finding in findings} - {"OVG212"}
    assert codes == ({"OVG703"} if expected != "accepts" else set())


def test_words() -> None:
    [finding] = [
        each for each in validate(gather("open length").text) if each.code == "OVG703"
    ]
    assert finding.message == (
        'the axis is computed by ShapeOf 3 "l3", while data and indices are static'
    )


@pytest.mark.runtime
def test_openvino_says_the_same(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    # Here, since a module that has it starts a runtime in all of its tests.
    from openvino_verdicts import verdicts

    paths = [tmp_path / f"{number}.xml" for number in range(len(MODELS))]
    for path, (net, _) in zip(paths, MODELS.values(), strict=True):
        path.write_bytes(net.text)
        path.with_suffix(".bin").write_bytes(net.weights)
    answers = verdicts([*map(str, paths)], last="compile")
    assert [answers[str(path)].stage for path in paths] == [
        "compile" if verdict != "accepts" else "" for _, verdict in MODELS.values()
    ]
